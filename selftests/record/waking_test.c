// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wakeups recorded at sched_waking, and no weights. Each sleep is ended by one wakeup, by the
 * thread that ended it, on the CPU that the thread ran on last; fxt check finds no violation.
 */
#include <linux/futex.h>

#include "real_time.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(waking);

static const char * const like_for_like[] = {
	"-b", "32M", "--wakeups", "waking", "--weight", "none", NULL,
};

/* An event of a thread; @order: order of events at the same time */
struct step {
	enum { GOES_OUT, IS_WOKEN, GOES_IN } order;
	const struct trace_event *e;
};

static int by_time(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->e->time != y->e->time)
		return x->e->time < y->e->time ? -1 : 1;
	return (int)x->order - (int)y->order;
}

static size_t steps_of(const struct trace *t, uint64_t tid, struct step **steps)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	size_t count = 0, room = 0;

	for (s = t->streams; s < t->streams + t->stream_count; s++)
		room += 2 * s->event_count;
	*steps = calloc(room + 1, sizeof(**steps));
	trace_for_each_event(t, s, e) {
		if (e->is_wakeup) {
			if (e->wakeup.thread == tid)
				(*steps)[count++] = (struct step){ IS_WOKEN, e };
			continue;
		}
		if (e->sw.out == tid)
			(*steps)[count++] = (struct step){ GOES_OUT, e };
		if (e->sw.in == tid)
			(*steps)[count++] = (struct step){ GOES_IN, e };
	}
	qsort(*steps, count, sizeof(**steps), by_time);
	return count;
}

struct life {
	uint64_t waker;
	unsigned long sleeps;	/* number of sleeps that a wakeup has ended */
	unsigned long by;	/* number of these wakeups by @waker */
	/* number of these wakeups with another CPU than the one that it ran on */
	unsigned long elsewhere;
};

/*
 * Each switch to sleep is followed by one wakeup, and then by another event: mostly the switch-in,
 * which the kernel may hide. A thread that waits for its migration to another CPU is woken there.
 */
static int check_life(const struct trace *t, uint64_t tid, struct life *life, struct why *why)
{
	struct step *steps;
	size_t count = steps_of(t, tid, &steps), i;
	const struct fxt_switch *out;
	const struct fxt_wakeup *w;
	int ret = 0;

	for (i = 0; i + 2 < count && !ret; i++) {
		if (steps[i].order != GOES_OUT || steps[i].e->sw.state == FXT_THREAD_NEW)
			continue;
		out = &steps[i].e->sw;
		w = &steps[i + 1].e->wakeup;
		if (steps[i + 1].order != IS_WOKEN || steps[i + 2].order == IS_WOKEN)
			ret = complain(why, "thread %ju: the sleep at byte %ju is not ended by one wakeup",
				       (uintmax_t)tid, (uintmax_t)steps[i].e->offset);
		life->sleeps++;
		life->by += w->has_waker && w->waker == life->waker;
		life->elsewhere += w->cpu != out->cpu;
	}
	return ret;
}

static int check_tool(const char *path, struct why *why)
{
	const char * const check[] = { "check", path, NULL }, * const info[] = { "info", path, NULL };
	const char * const report[] = { "report", path, NULL };
	const char * const ftrace[] = { "convert", "--to", "ftrace", path, NULL };
	struct tool c, i, r, f;
	int ret = 0;

	if (tool_run(&c, check) || !strstr(c.out, "clean") || !strstr(c.out, "[sched wakings]"))
		ret = complain(why, "fxt check: %.200s%.200s", c.out, c.err);
	if (tool_run(&i, info) || !strstr(i.out, "wakeups     waking"))
		ret = complain(why, "fxt info does not say which wakeups it has: %.200s", i.err);
	if (tool_run(&r, report) || !strstr(r.out, "sched_waking"))
		ret = complain(why, "fxt report does not say where waits begin: %.200s", r.err);
	if (tool_run(&f, ftrace) || !strstr(f.out, " sched_waking: ") ||
	    strstr(f.out, " sched_wakeup: "))
		ret = complain(why, "fxt convert does not write the wakeups of sched_waking: %.200s",
			       f.err);
	return ret;
}

#define PAIRS	3

/* Pairs on one CPU, on two CPUs, and on any CPUs. */
TEST_F(waking, pairs)
{
	struct pair pairs[PAIRS] = { 0 };
	const struct worker *w;
	struct life life;
	int cpus[MAX_CPUS], i;
	unsigned int count = allowed_cpus(cpus), rounds = scaled(2000);

	NEEDS_WAKINGS();
	for (i = 0; i < PAIRS; i++) {
		pairs[i].rounds = rounds;
		pairs[i].ends[0].cpu = i == 2 ? ANY_CPU : cpus[0];
		pairs[i].ends[1].cpu = i == 2 ? ANY_CPU : cpus[i % count];
	}
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, like_for_like, &self->why));
	ASSERT_EQ(0, pairs_run(pairs, PAIRS));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	for (i = 0; i < 2 * PAIRS; i++) {
		life = (struct life){ .waker = pairs[i / 2].ends[1 - i % 2].tid };
		EXPECT_FINE(check_life(&self->t, pairs[i / 2].ends[i % 2].tid, &life, &self->why));
		/* The threads also wait for their creator, and for their migration. */
		w = &pairs[i / 2].ends[i % 2];
		EXPECT_LE(life.sleeps, life.by + 4);
		EXPECT_LE(w->counts.voluntary, life.sleeps + 1);
		EXPECT_LE(life.elsewhere, 1U);
	}
	EXPECT_FINE(check_tool(self->c.output, &self->why));
}

/** struct race - a thread that goes to sleep, and one that wakes it at about that time */
struct race {
	uint32_t word;	/* word of the futex */
	uint32_t round;	/* grows each time when the sleeper is about to sleep */
	uint32_t rounds;	/* number of rounds */
};

static void fall_asleep(struct worker *w)
{
	struct race *r = w->arg;

	for (uint32_t i = 0; i < r->rounds; i++) {
		__atomic_store_n(&r->word, 0, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&r->round, 1, __ATOMIC_SEQ_CST);
		while (!__atomic_load_n(&r->word, __ATOMIC_SEQ_CST))
			syscall(SYS_futex, &r->word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	}
}

/* Wake after a growing number of instructions, up to about as many as falling asleep takes. */
static void wake_early(struct worker *w)
{
	struct race *r = w->arg;
	volatile uint32_t pause;

	for (uint32_t i = 0; i < r->rounds; i++) {
		while (__atomic_load_n(&r->round, __ATOMIC_SEQ_CST) == i)
			;
		for (pause = 0; pause < i * 7 % 1500; pause++)
			;
		__atomic_store_n(&r->word, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &r->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

/* Called with each form of records, and so that the module takes its slow path. */
static void test_race(struct __test_metadata *_metadata, FIXTURE_DATA(waking) *self,
		      const char * const *args)
{
	struct race race = { .rounds = scaled(4000) };
	struct worker sleeper = { .name = "sleeper", .run = fall_asleep, .arg = &race };
	struct worker waker = { .name = "waker", .run = wake_early, .arg = &race };
	struct life life = { 0 };
	int cpus[MAX_CPUS];

	NEEDS_WAKINGS();
	if (allowed_cpus(cpus) < 2)
		SKIP(return, "needs two CPUs");
	sleeper.cpu = cpus[0];
	waker.cpu = cpus[1];
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, worker_start(&waker) | worker_start(&sleeper));
	ASSERT_EQ(0, worker_join(&sleeper) | worker_join(&waker));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	life.waker = waker.tid;
	EXPECT_FINE(check_life(&self->t, sleeper.tid, &life, &self->why));
	EXPECT_LT(4U, life.by);
	EXPECT_LE(sleeper.counts.voluntary, life.by + 4);
	EXPECT_LE(life.elsewhere, 1U);
	EXPECT_FINE(check_tool(self->c.output, &self->why));
}

TEST_F(waking, race)
{
	test_race(_metadata, self, ARGS("-b", "32M", "--wakeups", "waking"));
}

TEST_F(waking, race_without_weights)
{
	test_race(_metadata, self, like_for_like);
}

TEST_F(waking, race_with_priorities)
{
	test_race(_metadata, self, ARGS("-b", "32M", "--wakeups", "waking", "--weight", "prio"));
}

/* Stacks, interrupts and migrations are recorded beside switches and wakeups. */
TEST_F(waking, race_beside_others)
{
	test_race(_metadata, self, ARGS("-b", "32M", "--wakeups", "waking", "--weight", "none",
					"--stacks", "wake,user", "-e", "irq,migrate"));
}

/*
 * Both the woken thread and the waker match. On one CPU, the scheduler may let the woken thread run
 * at once: then one end sleeps in each round, and the other never.
 */
TEST_F(waking, filtered)
{
	struct pair pair = { .rounds = scaled(500) };
	unsigned long by = 0;
	int cpus[MAX_CPUS], i;

	NEEDS_WAKINGS();
	allowed_cpus(cpus);
	strcpy(pair.ends[0].name, "kept a");
	strcpy(pair.ends[1].name, "kept b");
	pair.ends[0].cpu = pair.ends[1].cpu = cpus[0];
	ASSERT_BEGIN("-b", "32M", "--wakeups", "waking", "--weight", "none", "--comm", "kept *");
	ASSERT_EQ(0, pairs_run(&pair, 1));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_kept(&self->t, &self->why));
	for (i = 0; i < 2; i++) {
		struct life life = { .waker = pair.ends[!i].tid };

		EXPECT_FINE(check_life(&self->t, pair.ends[i].tid, &life, &self->why));
		EXPECT_LE(pair.ends[i].counts.voluntary, life.by + 4);
		by += life.by;
	}
	EXPECT_LE(pair.rounds, by + 4);
}

/* Only BPF refuses; the message says what to do. */
SOURCE_TEST(waking, refused)
{
	bool is_refused = !strcmp(self->source, "bpf") && !kernel_is_since(5, 12);

	EXPECT_EQ(is_refused ? 3 : 0, collector_run(&self->c, self->dir, ARGS("-s", self->source,
									      "--wakeups", "waking",
									      "-d", "1ms")))
		TH_LOG("%s", self->c.text);
	EXPECT_EQ(is_refused, !!strstr(self->c.text, "use --wakeups wakeup, or the module"))
		TH_LOG("%s", self->c.text);
}
