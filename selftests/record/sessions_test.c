// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sessions of the module with different filters, clocks, modes and buffers record at the same time,
 * each on its own, beside collectors with the module and with BPF. All have the switches that the
 * kernel counted.
 */
#include <fxt/fxt_sched.h>

#include "kmod_fixture.h"
#include "kmod_stream.h"
#include "trace_align.h"

#define NAME		"ping-pong"
#define PATTERN		"ping-*"

/* --- eight sessions -------------------------------------------------------------------- */

enum filter { NO_FILTER, BY_PID, BY_COMM, BY_CPU };

static const struct plan {
	const char *name;
	uint32_t flags;
	int32_t clock;
	uint32_t subbuf_size;
	uint32_t subbuf_count;
	enum filter filter;
} plans[] = {
	{ .name = "all", .clock = CLOCK_BOOTTIME },
	{ .name = "all, small sub-buffers", .clock = CLOCK_BOOTTIME,
	  .subbuf_size = 4096, .subbuf_count = 512 },
	{ .name = "all, mono", .clock = CLOCK_MONOTONIC },
	{ .name = "all, tsc", .flags = FXT_SCHED_TSC },
	{ .name = "a process", .clock = CLOCK_BOOTTIME, .filter = BY_PID },
	{ .name = "a name", .clock = CLOCK_BOOTTIME, .filter = BY_COMM },
	{ .name = "CPU 0", .clock = CLOCK_BOOTTIME, .filter = BY_CPU },
	{ .name = "overwriting", .flags = FXT_SCHED_OVERWRITE | FXT_SCHED_PRIORITIES,
	  .clock = CLOCK_BOOTTIME, .subbuf_size = 8192, .subbuf_count = 2 },
};

#define PLANS	ARRAY_SIZE(plans)
#define WHOLE	4	/* number of sessions, from the first, that record the same */

FIXTURE(sessions)
{
	const char *missing;
	struct why why;
	struct kmod_session d[PLANS];
	struct kmod_streams all[PLANS];
	struct markers m;
	struct pair pair;
};

FIXTURE_SETUP(sessions)
{
	for (size_t i = 0; i < PLANS; i++)
		self->d[i].fd = -1;
	self->missing = source_missing("kmod");
	ASSERT_FALSE(self->missing && source_required("kmod")) TH_LOG("kmod: %s", self->missing);
}

FIXTURE_TEARDOWN(sessions)
{
	for (size_t i = 0; i < PLANS; i++) {
		kmod_close(&self->d[i]);
		kmod_streams_free(&self->all[i]);
	}
}

static int start(struct kmod_session *d, const struct plan *p, struct why *why)
{
	static const __u32 first_cpu = 1;
	const __u32 pid = getpid();
	struct fxt_sched_config c = {
		.flags = p->flags, .clockid = p->clock,
		.subbuf_size = p->subbuf_size ? p->subbuf_size : 64 << 10,
		.subbuf_count = p->subbuf_count ? p->subbuf_count : 32,
	};

	if (p->filter == BY_PID) {
		c.filter_pids = (uintptr_t)&pid;
		c.filter_pid_count = 1;
	}
	if (p->filter == BY_CPU) {
		c.filter_cpus = (uintptr_t)&first_cpu;
		c.filter_cpu_words = 1;
	}
	if (p->filter == BY_COMM)
		strcpy(c.filter_comm, PATTERN);
	if (kmod_open(d))
		return complain(why, "%s: %s", p->name, strerror(errno));
	/* Some machines lack this clock. */
	if (c.flags & FXT_SCHED_TSC && kmod_configure(d, &c) != EOPNOTSUPP)
		return kmod_request(d, FXT_SCHED_IOC_START);
	if (c.flags & FXT_SCHED_TSC) {
		c.flags = 0;
		c.clockid = CLOCK_MONOTONIC;
	}
	if (kmod_configure(d, &c))
		return complain(why, "%s: %.400s", p->name, d->reason);
	return kmod_request(d, FXT_SCHED_IOC_START);
}

static int start_all(FIXTURE_DATA(sessions) *self)
{
	for (size_t i = 0; i < PLANS; i++) {
		kmod_streams_init(&self->all[i], plans[i].flags & FXT_SCHED_OVERWRITE);
		if (start(&self->d[i], &plans[i], &self->why))
			return complain(&self->why, "%s does not start: %s", plans[i].name,
					self->d[i].reason);
	}
	return 0;
}

/* Stop them in the order in which they were started, so that none contains another completely. */
static int stop_all(FIXTURE_DATA(sessions) *self)
{
	for (size_t i = 0; i < PLANS; i++)
		if (kmod_request(&self->d[i], FXT_SCHED_IOC_STOP))
			return complain(&self->why, "%s does not stop", plans[i].name);
	for (size_t i = 0; i < PLANS; i++) {
		struct why why;

		if (kmod_streams_finish(&self->all[i], &self->d[i], &why))
			return complain(&self->why, "%s: %.400s", plans[i].name, why.text);
	}
	return 0;
}

static void prepare_pair(struct pair *p)
{
	p->rounds = scaled(2000);
	for (int i = 0; i < 2; i++)
		strcpy(p->ends[i].name, NAME);
}

/* --- what they have recorded ----------------------------------------------------------- */

static uint64_t sum_lost(const struct kmod_streams *all)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < all->count; i++)
		lost += all->cpus[i].lost + all->names[i].lost;
	return lost;
}

/* from one moment to another */
static unsigned long count_outs(const struct kmod_streams *all, pid_t tid, uint64_t from,
				uint64_t to)
{
	unsigned long count = 0;
	const uint64_t *rec;

	for (unsigned int i = 0; i < all->count; i++)
		for (size_t at = 0; (rec = kmod_stream_next(&all->cpus[i], &at)); )
			count += kmod_record_is_switch(rec) &&
				 rec[2] == (uint64_t)tid && rec[1] >= from && rec[1] <= to;
	return count;
}

static int check_counted(const struct kmod_streams *all, const struct pair *p, struct why *why)
{
	for (const struct worker *w = p->ends; w < p->ends + 2; w++) {
		unsigned long counted = w->counts.voluntary + w->counts.involuntary -
					w->begun.voluntary - w->begun.involuntary;
		unsigned long recorded = count_outs(all, w->tid, w->begun.at, w->counts.at);

		/* A thread that is preempted finds the next token, and so need not wait for it. */
		if (counted < p->rounds / 2 || counted != recorded)
			return complain(why, "thread %d switched out %lu times in %u rounds, recorded are %lu",
					w->tid, counted, p->rounds, recorded);
	}
	return 0;
}

struct cursor {
	const struct kmod_stream *s;	/* the stream */
	size_t at;	/* place of the next record */
	pid_t from;	/* the first marker; 0 once it was seen */
	pid_t to;	/* the last marker; 0 once it was seen */
	bool switches;	/* skip records that are not switches */
	/* skip other switches than from or to these @count threads; NULL: all threads count */
	const pid_t *tids;
	size_t count;
};

static bool is_kept(const struct cursor *c, const uint64_t *rec)
{
	if (c->switches && !kmod_record_is_switch(rec))
		return false;
	for (size_t i = 0; i < c->count; i++)
		if (rec[2] == (uint64_t)c->tids[i] || rec[3] == (uint64_t)c->tids[i])
			return true;
	return !c->tids;
}

static const uint64_t *next_kept(struct cursor *c)
{
	const uint64_t *rec;

	while (c->to && (rec = kmod_stream_next(c->s, &c->at))) {
		if (kmod_record_is_switch(rec) && rec[3] == (uint64_t)c->from)
			c->from = 0;
		if (c->from)
			continue;
		if (kmod_record_is_switch(rec) && rec[3] == (uint64_t)c->to)
			c->to = 0;
		if (is_kept(c, rec))
			return rec;
	}
	return NULL;
}

/*
 * Compare everything but the time, and what may change between two probes or what a filter hides.
 */
static bool is_same(const uint64_t *a, const uint64_t *b, bool exactly)
{
	size_t size = fxt_get(FXT_SIZE, a[0]);

	if (kmod_record_is_switch(a) != kmod_record_is_switch(b))
		return false;
	if (exactly)
		return a[0] == b[0] && !memcmp(a + 2, b + 2, (size - 2) * FXT_WORD);
	return a[2] == b[2] && (!kmod_record_is_switch(a) || a[3] == b[3]);
}

/* Return: the number of records that are the same in both, or -1. */
static long compare(struct cursor a, struct cursor b, bool exactly, struct why *why)
{
	const uint64_t *x, *y;
	long count = 0;

	for (;; count++) {
		x = next_kept(&a);
		y = next_kept(&b);
		if (!x || !y)
			break;
		if (!is_same(x, y, exactly))
			return complain(why, "CPU %u, record %ld: 0x%jx %ju %ju and 0x%jx %ju %ju",
					a.s->cpu, count, (uintmax_t)x[0], (uintmax_t)x[2],
					(uintmax_t)x[3], (uintmax_t)y[0], (uintmax_t)y[2],
					(uintmax_t)y[3]);
	}
	if (x || y || a.from || a.to || b.from || b.to)
		return complain(why, "CPU %u: %s after %ld records", a.s->cpu,
				x || y ? "one of them ends" : "no marker", count);
	return count;
}

static int compare_with_first(const FIXTURE_DATA(sessions) *self, size_t which,
			      const pid_t *tids, size_t count, struct why *why)
{
	struct why difference;
	long same = 0;

	for (unsigned int i = 0; i < self->m.count && same >= 0; i++) {
		int cpu = self->m.cpus[i];
		struct cursor a = {
			.s = &self->all[0].cpus[cpu], .from = self->m.begin[i],
			.to = self->m.end[i], .switches = plans[which].filter != NO_FILTER,
			.tids = tids, .count = count,
		}, b = a;

		/* This session records no other CPU. */
		if (plans[which].filter == BY_CPU && cpu)
			continue;
		b.s = &self->all[which].cpus[cpu];
		same = compare(a, b, !a.switches && !state_may_change(), &difference);
		if (same >= 0 && !cpu && same < self->pair.rounds)
			return complain(why, "%s: only %ld records on CPU %d", plans[which].name,
					same, cpu);
	}
	return same < 0 ? complain(why, "%s and %s: %.400s", plans[0].name, plans[which].name,
				   difference.text) : 0;
}

/* Return: the number of threads of this process, which made all threads; @tids: their ids. */
static size_t own_threads(const FIXTURE_DATA(sessions) *self, pid_t *tids)
{
	size_t count = 0;

	tids[count++] = gettid();
	for (unsigned int i = 0; i < 2; i++)
		tids[count++] = self->pair.ends[i].tid;
	for (unsigned int i = 0; i < self->m.count; i++) {
		tids[count++] = self->m.begin[i];
		tids[count++] = self->m.end[i];
	}
	return count;
}

static int check_other_cpus(const struct kmod_session *d, struct why *why)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), cpu;
	struct fxt_sched_counters c;

	for (cpu = 1; cpu < cpus; cpu++)
		if (!kmod_count(d, cpu, FXT_SCHED_STREAM_CPU, &c) && c.switches)
			return complain(why, "CPU %ld: %ju switches", cpu, (uintmax_t)c.switches);
	return 0;
}

/* Check that the session in overwrite mode has counted what another one has stored, and more. */
static int check_overwritten(const FIXTURE_DATA(sessions) *self, struct why *why)
{
	const struct kmod_stream *kept = &self->all[0].cpus[0], *s = &self->all[PLANS - 1].cpus[0];
	struct cursor all = { .s = kept, .from = self->m.begin[0], .to = self->m.end[0] };
	long count = compare(all, all, true, why);

	if (count < 0)
		return -1;
	if (s->before && s->before + s->records >= (uint64_t)count)
		return 0;
	return complain(why, "%ju overwritten, %ju kept, but there are %ld", (uintmax_t)s->before,
			(uintmax_t)s->records, count);
}

SOURCE_TEST(sessions, eight_at_once)
{
	pid_t tids[3 + 2 * MAX_CPUS];
	size_t i, count;

	prepare_pair(&self->pair);
	ASSERT_FINE(start_all(self));
	EXPECT_TRUE(kmod_is_used(PLANS));
	ASSERT_EQ(0, markers_run(&self->m, false));
	ASSERT_EQ(0, pairs_run(&self->pair, 1));
	ASSERT_EQ(0, markers_run(&self->m, true));
	ASSERT_FINE(stop_all(self));
	for (i = 0; i < PLANS; i++)
		EXPECT_EQ(0U, sum_lost(&self->all[i])) TH_LOG("session %zu", i);
	count = own_threads(self, tids);
	for (i = 1; i < WHOLE; i++)
		EXPECT_FINE(compare_with_first(self, i, NULL, 0, &self->why));
	for (; i < PLANS; i++) {
		if (plans[i].filter == BY_PID)
			EXPECT_FINE(compare_with_first(self, i, tids, count, &self->why));
		if (plans[i].filter != BY_CPU)
			continue;
		EXPECT_FINE(compare_with_first(self, i, NULL, 0, &self->why));
		EXPECT_FINE(check_other_cpus(&self->d[i], &self->why));
	}
	for (i = 0; i < PLANS; i++)
		if (plans[i].clock == CLOCK_BOOTTIME && plans[i].filter != BY_CPU &&
		    !plans[i].flags)
			EXPECT_FINE(check_counted(&self->all[i], &self->pair, &self->why));
	EXPECT_FINE(check_overwritten(self, &self->why));
}

SOURCE_TEST(sessions, are_independent)
{
	const struct plan *overwriting = &plans[PLANS - 1];

	prepare_pair(&self->pair);
	kmod_streams_init(&self->all[0], false);
	ASSERT_FINE(start(&self->d[0], &plans[0], &self->why));
	ASSERT_EQ(0, pair_start(&self->pair));
	for (unsigned int round = 0; round < 2 * PLANS; round++) {
		ASSERT_FINE(start(&self->d[1], overwriting, &self->why));
		ASSERT_FINE(start(&self->d[2], &plans[round % PLANS], &self->why));
		EXPECT_EQ(0, kmod_request(&self->d[1], FXT_SCHED_IOC_FREEZE));
		EXPECT_EQ(0, kmod_request(&self->d[2], FXT_SCHED_IOC_STOP));
		EXPECT_EQ(0, kmod_request(&self->d[1], round % 2 ? FXT_SCHED_IOC_THAW :
								     FXT_SCHED_IOC_FLUSH));
		kmod_close(&self->d[1 + round % 2]);
		kmod_close(&self->d[2 - round % 2]);
	}
	ASSERT_EQ(0, pair_join(&self->pair));
	ASSERT_EQ(0, kmod_request(&self->d[0], FXT_SCHED_IOC_STOP));
	ASSERT_FINE(kmod_streams_finish(&self->all[0], &self->d[0], &self->why));
	EXPECT_EQ(0U, sum_lost(&self->all[0]));
	EXPECT_FINE(check_counted(&self->all[0], &self->pair, &self->why));
}

/* --- collectors ------------------------------------------------------------------------ */

static const struct beside {
	const char *source;
	const char *args[8];	/* NULL at the end */
	const char *file;
	bool has_boot_times;
} besides[] = {
	{ "kmod", { "-b", "8M" }, "sched.fxt", true },
	{ "kmod", { "-b", "8M", "-F" }, "sched-0001.fxt", true },
	{ "bpf", { "-b", "8M" }, "sched.fxt", true },
	{ "kmod", { "-b", "8M", "--comm", PATTERN, "-c", "mono" }, "sched.fxt", false },
};

#define BESIDES	ARRAY_SIZE(besides)

FIXTURE(beside)
{
	const char *missing;
	struct why why;
	char dirs[BESIDES][RECORD_PATH];
	struct collector c[BESIDES];
	struct trace t;
	struct pair pair;
};

FIXTURE_SETUP(beside)
{
	for (size_t i = 0; i < BESIDES; i++) {
		self->c[i].gate = -1;
		if (!self->missing)
			self->missing = source_missing(besides[i].source);
		ASSERT_EQ(0, dir_make(self->dirs[i], sizeof(self->dirs[i])));
	}
	ASSERT_FALSE(self->missing && source_required("kmod") && source_required("bpf"))
		TH_LOG("%s", self->missing);
}

FIXTURE_TEARDOWN(beside)
{
	for (size_t i = 0; i < BESIDES; i++) {
		if (self->c[i].pid > 0)
			kill(self->c[i].pid, SIGKILL);
		collector_wait(&self->c[i]);
		dir_remove(self->dirs[i]);
	}
}

/* Check that the archive of each collector has all switches of both threads. */
static int check_archive(const struct trace *t, const struct pair *p, bool has_boot_times,
			 struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	for (const struct worker *w = p->ends; w < p->ends + 2; w++) {
		unsigned long counted = w->counts.voluntary + w->counts.involuntary -
					w->begun.voluntary - w->begun.involuntary, n = 0;

		trace_for_each_event(t, s, e)
			n += !e->is_wakeup && e->sw.out == (uint64_t)w->tid &&
			     (!has_boot_times || (e->time >= w->begun.at &&
						  e->time <= w->counts.at));
		/* Without comparable times, switches of its beginning and end count, too. */
		if (has_boot_times ? n != counted : n < counted)
			return complain(why, "thread %d switched out %lu times, recorded are %lu",
					w->tid, counted, n);
	}
	return trace_lost(t) ? complain(why, "%ju records were lost", (uintmax_t)trace_lost(t)) : 0;
}

TEST_F(beside, collectors)
{
	char path[RECORD_PATH + 32];

	if (self->missing)
		SKIP(return, "%s", self->missing);
	prepare_pair(&self->pair);
	for (size_t i = 0; i < BESIDES; i++)
		ASSERT_FINE(record_begin(&self->c[i], self->dirs[i], besides[i].source,
					 besides[i].args, &self->why));
	ASSERT_EQ(0, pairs_run(&self->pair, 1));
	for (size_t i = 0; i < BESIDES; i++)
		ASSERT_FINE(record_end(&self->c[i], &self->why));
	for (size_t i = 0; i < BESIDES; i++) {
		snprintf(path, sizeof(path), "%s/%s", self->dirs[i], besides[i].file);
		ASSERT_FINE(trace_load(&self->t, path, false, &self->why));
		EXPECT_FINE(trace_check_records(&self->t, &self->why));
		EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
		EXPECT_FINE(trace_check_chain(&self->t, &self->why));
		EXPECT_EQ(0, check_archive(&self->t, &self->pair,
					   besides[i].has_boot_times, &self->why))
			TH_LOG("recorder %zu: %s", i, self->why.text);
	}
	EXPECT_TRUE(kmod_is_used(0));
}
