// SPDX-License-Identifier: GPL-2.0-or-later
/* Written = stored + lost, and every loss is reported where it happened. */
#include <sys/sysinfo.h>

#include "source_fixture.h"

SOURCE_FIXTURE(ledger);

static int make_load(unsigned int rounds)
{
	int cpus[MAX_CPUS], i;
	unsigned int count = allowed_cpus(cpus);
	struct pair pairs[MAX_CPUS] = { 0 };

	for (i = 0; i < (int)count; i++) {
		pairs[i].rounds = rounds;
		pairs[i].ends[0].cpu = cpus[i];
		pairs[i].ends[1].cpu = cpus[i];
	}
	return pairs_run(pairs, count);
}

static uint64_t closing(const struct trace *t, uint32_t id, bool lost)
{
	const struct trace_stream *s = trace_stream(t, id);
	const struct fxt_ledger *l;

	if (!s || !s->closed)
		return 0;
	l = &s->ledgers[s->ledger_count - 1].l;
	return lost ? l->lost : l->written;
}

SOURCE_TEST(ledger, nothing_lost)
{
	/* Sub-buffers of a page each: there are many of them. */
	unsigned int i, rounds = scaled(200);
	struct worker w;
	size_t heads = 0, n;

	ASSERT_BEGIN("-b", "64K");
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, make_load(rounds / 4 + 1));
		ASSERT_EQ(0, wait_for_reads(&self->c));
	}
	w = (struct worker){ .cpu = ANY_CPU, .run = worker_nap, .arg = &rounds };
	ASSERT_EQ(0, worker_start(&w));
	ASSERT_EQ(0, worker_join(&w));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_NOT_IN(self->c.text, "LOST");
	EXPECT_IN(self->c.text, "lost no record");
	for (n = 0; n < self->t.stream_count; n++)
		heads += self->t.streams[n].ledger_count;
	EXPECT_LT(self->t.stream_count * 2, heads);
}

SOURCE_TEST(ledger, summary)
{
	unsigned long switches = 0, wakeups = 0, told[2] = { 0 };
	const struct trace_stream *s;
	const struct trace_event *e;
	const char *line, *counts;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, make_load(scaled(500)));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	line = strstr(self->c.text, "recorded ");
	ASSERT_NE(NULL, line);
	counts = strchr(line, ':');
	ASSERT_NE(NULL, counts);
	ASSERT_EQ(2, sscanf(counts, ": %lu switches, %lu wakeups", &told[0], &told[1]))
		TH_LOG("%s", self->c.text);
	trace_for_each_event(&self->t, s, e)
		*(e->is_wakeup ? &wakeups : &switches) += 1;
	EXPECT_EQ(switches, told[0]);
	EXPECT_EQ(wakeups, told[1]);
}

/*
 * With two pages per CPU and a stopped collector, many records are lost, in gaps with records
 * on both sides.
 */
SOURCE_TEST(ledger, much_lost)
{
	unsigned int i, rounds = scaled(1000) + 200;
	int cpus[MAX_CPUS], count = allowed_cpus(cpus);
	uint64_t told = 0;
	const char *line;

	ASSERT_BEGIN("-b", "8K");
	for (i = 0; i < 3; i++) {
		kill(self->c.pid, SIGSTOP);
		ASSERT_EQ(0, make_load(rounds));
		kill(self->c.pid, SIGCONT);
		ASSERT_EQ(0, wait_for_reads(&self->c));
	}
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));
	for (i = 0; i < (unsigned int)count; i++)
		EXPECT_LT(0U, closing(&self->t, cpus[i], true)) TH_LOG("CPU %d", cpus[i]);
	EXPECT_LE((size_t)count, self->t.loss_count);
	line = strstr(self->c.text, "LOST ");
	ASSERT_NE(NULL, line) TH_LOG("%s", self->c.text);
	ASSERT_EQ(1, sscanf(line, "LOST %ju records", (uintmax_t *)&told));
	EXPECT_EQ(trace_lost(&self->t), told);
	EXPECT_NOT_IN(self->c.text, "lost no record");
}

/* The collector is stopped under load. */
static int lose(FIXTURE_DATA(ledger) *self, const char *const *args)
{
	if (record_begin(&self->c, self->dir, self->source, args, &self->why))
		return -1;
	kill(self->c.pid, SIGSTOP);
	if (make_load(scaled(1000) + 200))
		return -1;
	kill(self->c.pid, SIGCONT);
	record_end(&self->c, &self->why);
	return WIFEXITED(self->c.status) ? WEXITSTATUS(self->c.status) : -1;
}

SOURCE_TEST(ledger, quietly_lost)
{
	static const char *const failing[] = { "-q", "-b", "8K", "--fail-on-loss", NULL };
	static const char *const loud[] = { "-b", "8K", "--fail-on-loss", NULL };

	ASSERT_EQ(0, lose(self, ARGS("-q", "-b", "8K"))) TH_LOG("%s", self->c.text);
	EXPECT_EQ(0, strncmp(self->c.text, "fxt-collect: LOST ", 18)) TH_LOG("%s", self->c.text);
	EXPECT_NOT_IN(self->c.text, "recorded ");
	ASSERT_EQ(7, lose(self, failing)) TH_LOG("%s", self->c.text);
	EXPECT_EQ(0, strncmp(self->c.text, "fxt-collect: LOST ", 18)) TH_LOG("%s", self->c.text);
	ASSERT_EQ(7, lose(self, loud)) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "recorded ");
}

/* Without a loss, --fail-on-loss changes nothing. */
SOURCE_TEST(ledger, no_loss_is_no_failure)
{
	static const char *const args[] = { "-q", "-b", "16M", "--fail-on-loss", NULL };

	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	EXPECT_FINE(record_end(&self->c, &self->why));
	EXPECT_STREQ("", self->c.text);
}

static void *end_at_once(void *arg)
{
	return arg;
}

static int be_born(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, end_at_once, NULL) || pthread_join(thread, NULL);
}

/*
 * Create more threads than the smallest buffers have room for: 64 KiB a CPU, or with BPF together,
 * rounded up to a power of two.
 */
static int make_names(void)
{
	int count = 2000, ret = 0;

	while (count < 2000 * get_nprocs_conf())
		count *= 2;
	while (count-- && !ret)
		ret = be_born();
	return ret;
}

/* Names have a stream of their own; names that it loses are found again at the end. */
SOURCE_TEST(ledger, names_lost)
{
	static const char name[] = "came too late";
	const struct trace_name *n;

	ASSERT_BEGIN("-b", "8K");
	kill(self->c.pid, SIGSTOP);
	ASSERT_EQ(0, make_names());
	pthread_setname_np(pthread_self(), name);
	kill(self->c.pid, SIGCONT);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_LT(0U, closing(&self->t, FXT_LEDGER_STREAM_NAMES, true));
	EXPECT_IN(self->c.text, " names");
	n = trace_find_name(&self->t, FXT_OBJECT_THREAD, getpid());
	ASSERT_NE(NULL, n);
	EXPECT_STREQ(name, n->text);
}

/* The buffer size that the message recommends is large enough for names. */
SOURCE_TEST(ledger, names_advice)
{
	const char *args[] = { "-b", "8K", NULL }, *said;
	uint64_t written = 0;
	char advice[16];

	for (int round = 0; round < 2; round++) {
		ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
		kill(self->c.pid, SIGSTOP);
		ASSERT_EQ(0, make_names());
		kill(self->c.pid, SIGCONT);
		ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
		if (round)
			break;
		said = strstr(self->c.text, "; -b ");
		ASSERT_NE(NULL, said) TH_LOG("%s", self->c.text);
		ASSERT_EQ(1, sscanf(said, "; -b %15s would have been enough", advice));
		args[1] = advice;
		written = closing(&self->t, FXT_LEDGER_STREAM_NAMES, false);
	}
	/* On a busy machine, others may have more names than in the first round. */
	EXPECT_TRUE(!closing(&self->t, FXT_LEDGER_STREAM_NAMES, true) ||
		    closing(&self->t, FXT_LEDGER_STREAM_NAMES, false) > written)
		TH_LOG("-b %s: %s", advice, self->c.text);
}
