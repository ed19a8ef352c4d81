// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merge the names of several CPUs into one stream: all records come out once, ordered by time; a
 * loss is where it happened, and the ledgers add up; no record is handed out too early.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "fxt-collect/source/relay/names.h"

#define CPUS		3
#define MOST		4096

struct made {
	__u64 words[MOST];
	size_t count;
};

FIXTURE(relay_names)
{
	struct relay_names n;
	struct made m;
	struct chunk c;
};

FIXTURE_SETUP(relay_names)
{
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, relay_names_open(&self->n, CPUS));
	self->n.until = UINT64_MAX;
}

FIXTURE_TEARDOWN(relay_names)
{
	relay_names_close(&self->n);
}

static void begin(struct made *m, __u64 lost)
{
	struct fxt_ledger l = {
		.stream = FXT_LEDGER_STREAM_NAMES, .kind = FXT_LEDGER_HEAD, .lost = lost,
	};

	fxt_sched_put_ledger(m->words, &l);
	m->count = FXT_LEDGER_WORDS;
}

static void put(struct made *m, __u32 tid, __u32 tgid, __u64 time)
{
	struct fxt_sched_comm comm = fxt_sched_comm("a name");
	__u32 records;

	m->count += fxt_sched_put_task(m->words + m->count, tid, tgid, 1, &comm,
				       (struct fxt_sched_event){ FXT_STR_RENAME, time },
				       &records);
}

static int add(struct relay_names *n, size_t cpu, const struct made *m)
{
	return relay_names_add(n, cpu, m->words, m->count * FXT_WORD);
}

/* A sub-buffer of a CPU, of names as text: "TID/TGID@TIME ..." */
static int add_text(FIXTURE_DATA(relay_names) *self, size_t cpu, __u64 lost, const char *text)
{
	unsigned int tid, tgid, time;
	int bytes;

	begin(&self->m, lost);
	for (; sscanf(text, "%u/%u@%u%n", &tid, &tgid, &time, &bytes) == 3; text += bytes)
		put(&self->m, tid, tgid, time);
	if (*text)
		return -EBADMSG;
	return add(&self->n, cpu, &self->m);
}

/* The threads named by a chunk, in order. */
static size_t threads_of(const struct chunk *c, __u64 *threads)
{
	const __u64 *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	size_t count = 0;

	for (rec += FXT_LEDGER_WORDS; rec < end; rec += fxt_get(FXT_SIZE, rec[0]))
		if (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0]) == FXT_OBJECT_THREAD)
			threads[count++] = rec[1];
	return count;
}

static struct fxt_ledger ledger_of(const struct chunk *c)
{
	struct fxt_ledger l = { 0 };

	fxt_sched_get_ledger(c->data, &l);
	return l;
}

TEST_F(relay_names, in_the_order_of_time)
{
	__u64 threads[8];
	struct fxt_ledger l;

	ASSERT_EQ(0, add_text(self, 0, 0, "1/1@100 4/1@400 6/6@600"));
	ASSERT_EQ(0, add_text(self, 2, 0, "2/1@200 5/1@500"));
	ASSERT_EQ(0, add_text(self, 1, 0, "3/3@300"));
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(6U, threads_of(&self->c, threads));
	EXPECT_EQ(0, memcmp(threads, ((__u64[]){ 1, 2, 3, 4, 5, 6 }), 6 * sizeof(__u64)));
	l = ledger_of(&self->c);
	EXPECT_EQ((__u32)FXT_LEDGER_STREAM_NAMES, l.stream);
	EXPECT_EQ((__u32)FXT_LEDGER_HEAD, l.kind);
	EXPECT_EQ(100U, l.time);
	EXPECT_EQ(0U, l.written);
	EXPECT_FALSE(relay_names_next(&self->n, &self->c, true));
	EXPECT_EQ(600U, self->n.stream.last);
	EXPECT_EQ(9U, self->n.stream.kept);

	/* The next chunk continues where this one ended. */
	ASSERT_EQ(0, add_text(self, 1, 0, "7/1@700"));
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	l = ledger_of(&self->c);
	EXPECT_EQ(1U, l.sequence);
	EXPECT_EQ(600U, l.last);
	EXPECT_EQ(9U, l.written);
}

/* A thread renamed on one CPU, then on another, in both orders of reading. */
TEST_F(relay_names, the_last_name_is_the_newest)
{
	const __u64 *rec;
	__u64 threads[8];

	ASSERT_EQ(0, add_text(self, 1, 0, "7/1@301"));
	ASSERT_EQ(0, add_text(self, 0, 0, "7/1@300 7/1@302"));
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(3U, threads_of(&self->c, threads));
	rec = (const __u64 *)self->c.data + self->c.bytes / FXT_WORD - 1;
	EXPECT_EQ(302U, *rec);
}

/* Names are held back while an older one may still come from a CPU. */
TEST_F(relay_names, not_before_its_time)
{
	__u64 threads[8];

	self->n.until = 250;
	ASSERT_EQ(0, add_text(self, 0, 0, "2/1@200 3/1@300"));
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(1U, threads_of(&self->c, threads));
	EXPECT_EQ(2U, threads[0]);
	EXPECT_FALSE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(0, add_text(self, 1, 0, "9/1@290"));
	self->n.until = 300;
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(2U, threads_of(&self->c, threads));
	EXPECT_EQ(9U, threads[0]);
	EXPECT_EQ(3U, threads[1]);
}

/* A loss begins a chunk, whose ledger has the losses of all CPUs. */
TEST_F(relay_names, losses_add_up)
{
	__u64 threads[8];
	struct fxt_ledger l;

	ASSERT_EQ(0, add_text(self, 0, 0, "1/2@100"));
	ASSERT_EQ(0, add_text(self, 0, 5, "2/1@200"));
	ASSERT_EQ(0, add_text(self, 1, 7, "3/1@300"));
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(1U, threads_of(&self->c, threads));
	EXPECT_EQ(0U, ledger_of(&self->c).lost);
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	ASSERT_EQ(1U, threads_of(&self->c, threads));
	l = ledger_of(&self->c);
	EXPECT_EQ(5U, l.lost);
	EXPECT_EQ(6U, l.written);
	ASSERT_TRUE(relay_names_next(&self->n, &self->c, true));
	l = ledger_of(&self->c);
	EXPECT_EQ(12U, l.lost);
	EXPECT_EQ(14U, l.written);
	EXPECT_FALSE(relay_names_next(&self->n, &self->c, true));
}

/* More than fits into a chunk, in sub-buffers that arrive one by one. */
TEST_F(relay_names, many)
{
	__u64 threads[MOST], expected = 0;
	size_t given = 0, count, i, round, cpu;

	for (round = 0; round < 40; round++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			begin(&self->m, 0);
			for (i = 0; i < 100; i++)
				put(&self->m, 1 + (round * 100 + i) * CPUS + cpu, 1 << 30,
				    (round * 100 + i) * CPUS + cpu);
			ASSERT_EQ(0, add(&self->n, cpu, &self->m));
		}
		while (relay_names_next(&self->n, &self->c, round % 2)) {
			count = threads_of(&self->c, threads);
			for (i = 0; i < count; i++)
				ASSERT_EQ(++expected, threads[i]);
			given += count;
		}
	}
	EXPECT_EQ(40U * 100 * CPUS, given);
}

TEST_F(relay_names, malformed)
{
	begin(&self->m, 0);
	put(&self->m, 1, 1, 100);
	EXPECT_EQ(-EPROTO, relay_names_add(&self->n, 0, self->m.words, 8));
	EXPECT_EQ(-EPROTO, relay_names_add(&self->n, 0, self->m.words,
					   self->m.count * FXT_WORD - 3));
	/* Within a record, and between a process and its thread. */
	EXPECT_EQ(-EPROTO, relay_names_add(&self->n, 0, self->m.words,
					   (self->m.count - 1) * FXT_WORD));
	EXPECT_EQ(-EPROTO, relay_names_add(&self->n, 0, self->m.words,
					   (FXT_LEDGER_WORDS + 3) * FXT_WORD));
	EXPECT_EQ(-EPROTO, relay_names_add(&self->n, 0, self->m.words + FXT_LEDGER_WORDS,
					   (self->m.count - FXT_LEDGER_WORDS) * FXT_WORD));
	self->m.words[FXT_LEDGER_WORDS] = 0;
	EXPECT_EQ(-EPROTO, add(&self->n, 0, &self->m));
	EXPECT_FALSE(relay_names_next(&self->n, &self->c, true));
}
