// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a window of a thread's time back to the causes. The parts partition each window, whatever
 * the archive has; lost, filtered and hidden time, and time before the beginning, is unknown, and
 * no thread is blamed for it.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "cases.h"
#include "fxt/terminal/exit_status.h"
#include "fxt/terminal/memory.h"
#include "fxt/why/path.h"
#include "fxt/why/sums.h"
#include "fxt/why/windows.h"
#include "fxt/why/words.h"
#include "tool.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_BYTES	(64 << 10)

FIXTURE(why)
{
	struct story s;
	struct history *h;
	struct why_walk *w;
	struct why_sums sums;
	char text[TEXT_BYTES];
	size_t used;
	uint64_t parts;
	uint64_t until;		/* the next part ends there */
	bool is_partition;
	bool is_silent;
	int fd;			/* for the command */
	char path[32];
	struct tool t;
};

FIXTURE_SETUP(why)
{
	story_begin(&self->s);
	self->fd = memfd_create("why", MFD_CLOEXEC);
	snprintf(self->path, sizeof(self->path), "/proc/%d/fd/%d", getpid(), self->fd);
}

FIXTURE_TEARDOWN(why) { }

static int read_story(FIXTURE_DATA(why) *self)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret, next = 0;

	self->h = history_open();
	ret = fxt_reader_open_memory(&r, self->s.b.words, built_bytes(&self->s.b),
				     &(struct fxt_reader_options){ .strict = true });
	while (!ret && (next = history_next(self->h, r, &rec)) == 1)
		ret = history_record(self->h, r, &rec);
	ret = ret ? ret : next;
	fxt_reader_close(r);
	ret = ret ? ret : history_finish(self->h);
	self->w = ret ? NULL : why_open(self->h, 1, true);
	return ret;
}

__attribute__((format(printf, 2, 3)))
static void say(FIXTURE_DATA(why) *self, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	self->used += vsnprintf(self->text + self->used, TEXT_BYTES - self->used, format, args);
	va_end(args);
	if (self->used >= TEXT_BYTES)
		abort();
}

/* "1000-2000 12 runnable 13=900 unknown=100 @2": @2 is the length of the chain. */
static void note_part(void *arg, const struct why_walk *w, const struct why_part *p,
		      const struct why_by *by, size_t count)
{
	FIXTURE_DATA(why) *self = arg;
	uint64_t sum = 0;

	self->is_partition &= p->to == self->until && p->from < p->to;
	self->until = p->from;
	self->parts++;
	for (size_t i = 0; i < count; i++)
		sum += by[i].ns;
	self->is_partition &= !count || sum == p->to - p->from;
	if (self->is_silent) {
		why_sums_add(&self->sums, w, p, by, count);
		return;
	}
	say(self, "%llu-%llu %llu %s", (unsigned long long)p->from, (unsigned long long)p->to,
	    (unsigned long long)history_koid(self->h, p->thread), why_cause_name(p->cause));
	for (size_t i = 0; i < count; i++) {
		if (by[i].who == WHY_THREAD)
			say(self, " %llu=%llu", (unsigned long long)history_koid(self->h, by[i].id),
			    (unsigned long long)by[i].ns);
		else
			say(self, " %s=%llu", why_by_name(self->h, &by[i]),
			    (unsigned long long)by[i].ns);
	}
	if (p->detail)
		say(self, " (%s)", why_detail_words(self->h, p->detail));
	say(self, " @%u\n", why_link(w, p->link)->depth);
}

static uint32_t id_of(FIXTURE_DATA(why) *self, uint64_t koid)
{
	return sched_model_thread(self->h->model, koid)->id;
}

/*
 * Read the story if it was not. Return: the parts of a window, the last one first, or what is wrong
 */
static const char *explain(FIXTURE_DATA(why) *self, uint64_t koid, uint64_t from, uint64_t to)
{
	struct why_window window = { .from = from, .to = to };

	if (!self->w && read_story(self))
		return "unreadable";
	window.thread = id_of(self, koid);
	self->used = 0;
	self->text[0] = '\0';
	self->until = to;
	self->is_partition = true;
	why_go(self->w, &window, note_part, self);
	return self->is_partition && self->until == from ? self->text : "no partition";
}

/*
 * 11 waits for 12, 12 for 13 and 13 for 14. A hog, 15, keeps 14 from CPU 1. All others are on CPU
 * 0. The hog has its CPU for @hog ns more, and 13 works for @work ns more.
 */
static void tell_late_chain(struct story *s, int64_t hog, int64_t work)
{
	STORY(s, "threads 11-19; 1@1000 14>15 S; 0@1000 0>11; 1500 wake 12 by 11; 2000 11>12 S; "
		 "2500 wake 13 by 12; 3000 12>13 S; 3500 wake 14 by 13 on 1; 4000 13>0 S; "
		 "1@% 15>14; % wake 13 by 14 on 0; % 14>15 S; 0@% 0>13; % wake 12 by 13; "
		 "% 13>12 S; % wake 11 by 12; % 12>11 S; % 11>0 S; 1@% 15>0 S; end %", 7000 + hog,
		 8000 + hog, 8100 + hog, 8000 + hog, 8600 + hog + work, 9000 + hog + work,
		 9300 + hog + work, 9500 + hog + work, 9900 + hog + work, 9950 + hog + work,
		 10000 + hog + work);
}

/* How long threads of a name are the cause, in the sums; @behind: whom they waited for, or NULL */
static uint64_t time_of(FIXTURE_DATA(why) *self, enum why_cause cause, const char *name,
			const char *behind)
{
	const struct why_row *r;
	uint64_t sum = 0;

	for (size_t i = 0; i < self->sums.count; i++) {
		r = self->sums.rows[i];
		if (r->cause == cause && !strcmp(history_name(self->h, r->thread), name) &&
		    (!behind || !strcmp(why_by_name(self->h, &r->by), behind)))
			sum += r->by.ns;
	}
	return sum;
}

static void forget_story(FIXTURE_DATA(why) *self)
{
	story_restart(&self->s);
	why_sums_free(&self->sums);
	why_close(self->w);
	history_close(self->h);
	self->w = NULL;
	self->h = NULL;
}

/*
 * If a culprit takes more or less time, its victim waits as much more or less. Nobody else is
 * blamed.
 */
TEST_F(why, sums_follow_the_culprit)
{
	static const int64_t more[][2] = {
		{ 0, 0 }, { 1, 0 }, { 5000000, 0 }, { -2000, 0 }, { 0, 1 }, { 0, 7000000 },
		{ 0, -500 }, { 300, -300 }, { -1000, 80000 },
	};
	int64_t hog, work;

	self->is_silent = true;
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		forget_story(self);
		tell_late_chain(&self->s, more[i][0], more[i][1]);
		ASSERT_EQ(0, read_story(self));
		explain(self, 11, 1000, 9900 + more[i][0] + more[i][1]);
		hog = time_of(self, WHY_RUNNABLE, "thread14", "thread15");
		work = time_of(self, WHY_RUNNING, "thread13", NULL);
		EXPECT_EQ(3000 + more[i][0], hog);
		EXPECT_EQ(1600 + more[i][1], work);
		EXPECT_EQ(4300 + hog + work, (int64_t)self->sums.ns);
	}
}

/* Each nanosecond of their windows is in the sums once. */
TEST_F(why, fan_out_blames_once)
{
	struct story *s = &self->s;
	const struct why_row *ran = NULL;
	uint64_t sum = 0;

	STORY(s, "names@1; name 11 waker");
	for (uint32_t tid = 100; tid < 150; tid++)
		story_name(s, tid, tid, "sleeper");
	story_chunk(s, 0, 1000);
	for (uint32_t tid = 100; tid < 150; tid++)
		story_switch(s, 1000 + tid, tid, tid == 149 ? 11 : tid + 1, FXT_THREAD_BLOCKED);
	for (uint32_t tid = 100; tid < 150; tid++)
		story_wake(s, 2000, 0, tid, 11);
	story_switch(s, 2500, 11, 100, FXT_THREAD_BLOCKED);
	for (uint32_t tid = 100; tid < 150; tid++)
		story_switch(s, 2600 + tid, tid, tid == 149 ? 0 : tid + 1, FXT_THREAD_BLOCKED);
	story_end(s, 4000);
	ASSERT_EQ(0, read_story(self));
	self->is_silent = true;
	for (uint32_t tid = 100; tid < 150; tid++) {
		explain(self, tid, 1149, 2000);
		EXPECT_TRUE(self->is_partition);
	}
	for (size_t i = 0; i < self->sums.count; i++) {
		sum += self->sums.rows[i]->by.ns;
		if (self->sums.rows[i]->cause == WHY_RUNNING && self->sums.rows[i]->is_other)
			ran = self->sums.rows[i];
	}
	EXPECT_EQ(50 * 851U, sum);
	ASSERT_NE(NULL, ran);
	EXPECT_EQ(50 * 851U, ran->by.ns);
	EXPECT_EQ(50U, ran->count);
	EXPECT_EQ(851U, ran->longest[0].ns);
}

/* 13 sleeps for 4 us until 14 wakes it, at @at and again after more switches than are kept. */
static uint64_t tell_many(struct story *s, uint64_t at)
{
	STORY(s, "threads 11-19; 1@% 0>13", at);
	for (uint32_t i = 0; i < 2; i++) {
		STORY(s, "% 13>14 S; % wake 13 by 14 on 1; % 14>13", at + 1000, at + 5000,
			 at + 6000);
		for (at += 6000; !i && at < 40000000; at += 200)
			STORY(s, "% 13>14; % 14>13", at + 100, at + 200);
	}
	return at - 6000;
}

/* The first switches of CPU 0 come after later ones were told. CPU 0 may have woken 13, too. */
TEST_F(why, switches_too_late_to_be_merged)
{
	uint64_t last = tell_many(&self->s, 1000);
	char known[128];

	STORY(&self->s, "0@1500 0>11; 1800 11>0 S; end %", last + 7000);
	ASSERT_EQ(0, read_story(self));
	EXPECT_LT(0U, sched_model_totals(self->h->model)->late);
	EXPECT_STREQ("2000-6000 13 unknown (events came too late to be put in order) @0\n"
		     "1200-2000 13 running @0\n", explain(self, 13, 1200, 6000));
	snprintf(known, sizeof(known), "%llu-%llu 14 running @1\n", (unsigned long long)last + 1000,
		 (unsigned long long)last + 5000);
	EXPECT_STREQ(known, explain(self, 13, last + 1000, last + 5000));
}

/* One life of id 30: @parent forks it at @at, and it runs, wakes 11 and dies. */
static uint64_t tell_life(struct story *s, uint64_t at, uint32_t parent, const char *name,
			  uint64_t run)
{
	story_fork(s, 30, 30, name, at);
	STORY(s, "% wake 30 by % on 0; % %>30 S; % wake 11 by 30 on 0", at, parent, at + 100,
		 parent, at + 100 + run);
	at += 200 + run;
	STORY(s, "% 30>11 Z; % 11>% S", at, at + 100, parent + 1);
	return at + 100;
}

/* 11 sleeps three times until id 30 wakes it, each time another thread of another parent. */
TEST_F(why, id_reused_twice)
{
	uint64_t end;

	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 11>12 S");
	end = tell_life(&self->s, 2500, 12, "first", 300);
	end = tell_life(&self->s, end + 600, 13, "second", 1000);
	end = tell_life(&self->s, end + 700, 14, "third", 3000);
	STORY(&self->s, "% 15>0 S; end %", end + 50, end + 100);
	EXPECT_STREQ("8900-9000 11 running @0\n8800-8900 11 runnable 30=100 @0\n"
		     "5800-8800 30 running @1\n5700-5800 30 runnable 14=100 @1\n"
		     "5000-5700 14 running @2\n"
		     "4900-5000 11 running @0\n4800-4900 11 runnable 30=100 @0\n"
		     "3800-4800 30 running @1\n3700-3800 30 runnable 13=100 @1\n"
		     "3100-3700 13 running @2\n"
		     "3000-3100 11 running @0\n2900-3000 11 runnable 30=100 @0\n"
		     "2600-2900 30 running @1\n2500-2600 30 runnable 12=100 @1\n"
		     "2000-2500 12 running @2\n", explain(self, 11, 2000, end));
	self->is_silent = true;
	explain(self, 11, 2000, end);
	EXPECT_EQ(300U, time_of(self, WHY_RUNNING, "first", NULL));
	EXPECT_EQ(1000U, time_of(self, WHY_RUNNING, "second", NULL));
	EXPECT_EQ(3000U, time_of(self, WHY_RUNNING, "third", NULL));
	EXPECT_EQ(100U, time_of(self, WHY_RUNNABLE, "second", "thread13"));
	EXPECT_EQ(100U, time_of(self, WHY_RUNNABLE, "thread11", "third"));
	EXPECT_EQ(500U, time_of(self, WHY_RUNNING, "thread12", NULL));
	EXPECT_EQ(600U, time_of(self, WHY_RUNNING, "thread13", NULL));
	EXPECT_EQ(700U, time_of(self, WHY_RUNNING, "thread14", NULL));
}

/* "11 1000-9900": a thread and its window */
static char *answer_case(struct case_run *r, const char *question)
{
	FIXTURE_DATA(why) *self = calloc(1, sizeof(*self));
	unsigned long long koid, from, to;

	if (sscanf(question, "%llu %llu-%llu", &koid, &from, &to) != 3)
		return strdup("no question");
	self->s = r->s;
	return strdup(explain(self, koid, from, to));
}

CASES("why", answer_case)

/* --- any window of any story -------------------------------------------------------------- */

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static uint32_t any_thread(uint64_t *state, const uint32_t *on, uint32_t not)
{
	uint32_t tid;

	do {
		tid = 11 + next_random(state) % 9;
	} while (tid == on[0] || tid == on[1] || tid == not);
	return tid;
}

/* Random switches, wakeups, interrupts and losses: whatever they say, the parts must add up. */
static void tell_anything(struct story *s, uint64_t seed)
{
	static const uint32_t states[] = { FXT_THREAD_NEW, FXT_THREAD_BLOCKED, FXT_THREAD_SUSPENDED };
	uint32_t on[2] = { 0 }, in, cpu, i;
	uint64_t state = seed, time = 1000;

	STORY(s, "threads 11-19; 0@%; 1@%", time, time);
	for (i = 0; i < 400; i++) {
		cpu = next_random(&state) % 2;
		time += next_random(&state) % 3 ? next_random(&state) % 50 : 0;
		story_chunk(s, cpu, time);
		switch (next_random(&state) % 8) {
		case 0:
			story_lose(s, cpu, 1 + next_random(&state) % 5, time + 20);
			time += 20;
			on[cpu] = 0;
			break;
		case 1:
			event_softirq(s, time, time + 3, EVENT_NET_RX);
			time += 3;
			break;
		case 2:
		case 3:
		case 4:
			story_wake(s, time, next_random(&state) % 2, any_thread(&state, on, 0),
				   next_random(&state) % 3 ? on[cpu] :
				   fxt_sched_waker(0, FXT_SCHED_IRQ_SOFT));
			break;
		default:
			in = next_random(&state) % 4 ? any_thread(&state, on, on[cpu]) : 0;
			if (!in && !on[cpu])
				break;
			story_switch(s, time, on[cpu], in,
				     on[cpu] ? states[next_random(&state) % 3] : FXT_THREAD_NEW);
			on[cpu] = in;
		}
	}
	story_end(s, time + 100);
}

TEST_F(why, every_window_is_a_partition)
{
	uint64_t seed, state = 7, from, to;
	uint32_t tid, i;

	self->is_silent = true;
	for (seed = 1; seed <= 60; seed++) {
		forget_story(self);
		tell_anything(&self->s, seed);
		ASSERT_EQ(0, read_story(self)) TH_LOG("seed %u", (unsigned int)seed);
		for (i = 0; i < 200; i++) {
			tid = 11 + next_random(&state) % 9;
			if (!sched_model_thread(self->h->model, tid) ||
			    !self->h->threads[id_of(self, tid)]->last)
				continue;
			from = self->h->first + next_random(&state) % 8000;
			to = from + 1 + next_random(&state) % 6000;
			if (to > self->h->last)
				continue;
			explain(self, tid, from, to);
			EXPECT_TRUE(self->is_partition && self->until == from)
				TH_LOG("seed %u: thread %u from %u to %u", (unsigned int)seed, tid,
				       (unsigned int)from, (unsigned int)to);
		}
	}
}

/* --- chains without an end ---------------------------------------------------------------- */

#define CHAIN	250000

/* Each of many threads sleeps until the next one wakes it. The walk must not recurse. */
TEST_F(why, chain_of_a_quarter_million)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	for (uint32_t i = 0; i <= CHAIN; i++)
		story_name(&self->s, 100 + i, 100 + i, "link");
	story_chunk(&self->s, 0, 1000);
	for (uint32_t i = 0; i < CHAIN; i++)
		story_switch(&self->s, 1000 + i, 100 + i, 101 + i, FXT_THREAD_BLOCKED);
	for (uint32_t i = CHAIN; i > 0; i--) {
		story_wake(&self->s, 1000 + 2 * CHAIN - i, 0, 99 + i, 100 + i);
		story_switch(&self->s, 1000 + 2 * CHAIN - i, 100 + i, 99 + i, FXT_THREAD_BLOCKED);
	}
	STORY(&self->s, "% 100>0 S; end %", 2000 + 2 * CHAIN, 3000 + 2 * CHAIN);
	ASSERT_EQ(0, read_story(self));
	self->is_silent = true;
	explain(self, 100, 1000, 2000 + 2 * CHAIN);
	EXPECT_TRUE(self->is_partition && self->until == 1000);
}

/*
 * 12 sleeps twice until 11 wakes it: for a lock that 11 holds, then for one that 13 held. After
 * that it sleeps for no lock.
 */
TEST_F(why, locks)
{
	const struct history_lock *lock;
	uint32_t turn;

	STORY(&self->s, "threads 11-19; 0@1000 0>12; 1100 12>11 S; 2000 wake 12 by 11; 2000 11>12; "
		 "1050-2001 12/11 waits 0x10 held 11 mutex; 2100 12>11 S; 3000 wake 12 by 11; "
		 "3000 11>12; 2050-3001 12/11 waits 0x20 held 13 mutex; 3100 12>11 S; 5000 wake 12 by 11; 5000 11>12; end 5100");
	ASSERT_EQ(0, read_story(self));
	turn = self->h->threads[id_of(self, 12)]->last;
	EXPECT_EQ(NULL, history_lock_before(self->h, turn));
	turn = history_turn(self->h, turn)->before;
	lock = history_lock_before(self->h, turn);
	ASSERT_NE(NULL, lock);
	EXPECT_EQ(id_of(self, 13) + 1, lock->holder);
	turn = history_turn(self->h, turn)->before;
	lock = history_lock_before(self->h, turn);
	ASSERT_NE(NULL, lock);
	EXPECT_EQ(id_of(self, 11) + 1, lock->holder);
	EXPECT_EQ(0x10U, history_origin(self->h, lock->origin)->number);
	EXPECT_EQ(NULL, history_lock_before(self->h, history_turn(self->h, turn)->before));
}

/* --- the command -------------------------------------------------------------------------- */

#define WHY(status, ...) do {								\
	ASSERT_EQ((ssize_t)built_bytes(&self->s.b),					\
		  pwrite(self->fd, self->s.b.words, built_bytes(&self->s.b), 0));	\
	EXPECT_EQ(status, tool_run(&self->t, ARGS("why", ##__VA_ARGS__, self->path)))	\
		TH_LOG("%s", self->t.err);						\
} while (0)

/* Forty threads take turns on the CPU that 11 waits for, so no three of them are the reason. */
TEST_F(why, crowd)
{
	STORY(&self->s, "threads 11-19");
	for (uint32_t i = 0; i < 40; i++)
		story_name(&self->s, 100 + i, 100 + i, "small");
	STORY(&self->s, "0@1000 0>11; 2000 11>100");
	for (uint32_t i = 1; i < 40; i++)
		story_switch(&self->s, 2000 + 100 * i, 99 + i, 100 + i, FXT_THREAD_BLOCKED);
	STORY(&self->s, "6000 139>11 S; 7000 11>0 S; end 8000");
	WHY(0, "--thread", "11", "--from", "0.000002", "--to", "0.000006");
	EXPECT_IN(self->t.out,
		  "4.00us = 4.00us runnable behind 40 threads, each at most 2%: small/100\n");
}

/* --- waits without an end ------------------------------------------------------------------ */

#define MANY		1000000
#define TAPE_KEEPS_KIB	(300 << 10)	/* 256 MiB, and what is warm */
#define TAPE_TURNS	5500000

/* 11 waits @waits times for 12, which has the CPU for 60 of each 100 ns, and sleeps in between. */
static void tell_waits(FIXTURE_DATA(why) *self, uint32_t waits)
{
	uint64_t time = 1000;

	story_restart(&self->s);
	STORY(&self->s, "threads 11-19; 0@% 0>12", time);
	for (uint32_t i = 0; i < waits; i++, time += 100) {
		STORY(&self->s, "% wake 11 by 12 on 0; % 12>11; % 11>12 S", time + 10, time + 60,
				time + 100);
	}
	story_end(&self->s, time);
}

/* Ten times the waits of one thread: all times are tenfold. */
TEST_F(why, million_waits_of_one_thread)
{
	tell_waits(self, MANY / 10);
	WHY(0, "--thread", "11");
	EXPECT_IN(self->t.out, "\n10.0ms = 5.00ms runnable behind thread12/12 on cpu 0 + "
			  "4.00ms ran + 1.00ms asleep until thread12/12 (it was running for "
			  "1.00ms)\n");
	tell_waits(self, MANY);
	WHY(0, "--thread", "11");
	EXPECT_IN(self->t.out, "\n100ms = 50.0ms runnable behind thread12/12 on cpu 0 + "
			  "40.0ms ran + 10.0ms asleep until thread12/12 (it was running "
			  "for 10.0ms)\n");
}

/* Beyond its room in memory, a tape is in a file, with the same records. */
TEST_F(why, more_turns_than_memory_keeps)
{
	struct history_turn *t;
	struct rusage before, after;
	struct tape tape;
	uint64_t i;

	ASSERT_EQ(0, getrusage(RUSAGE_SELF, &before));
	tape_open(&tape, sizeof(*t), TAPE_MUCH);
	for (i = 0; i < TAPE_TURNS; i++) {
		t = tape_add(&tape);
		EXPECT_EQ(0U, t->to);
		t->ready = i;
	}
	ASSERT_EQ(0, getrusage(RUSAGE_SELF, &after));
	EXPECT_LT(after.ru_maxrss, before.ru_maxrss + TAPE_KEEPS_KIB);
	EXPECT_LT(0U, tape.in_file);
	for (i = 0; i < TAPE_TURNS; i += 1000) {
		t = tape_at(&tape, i);
		EXPECT_EQ(i, t->ready);
	}
	tape_close(&tape);
}

/* Without room for the file, the command says so and ends. */
TEST_F(why, no_room_for_what_threads_did)
{
	char said[200] = "";
	struct tape tape;
	int status, ends[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(ends));
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		setenv("TMPDIR", "/proc", 1);
		memory_is_for("x.fxt");
		tape_open(&tape, sizeof(struct history_turn), 0);
		while (tape.count < TAPE_TURNS)
			tape_add(&tape);
		_exit(0);
	}
	close(ends[1]);
	EXPECT_LT(0, read(ends[0], said, sizeof(said) - 1));
	close(ends[0]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(VERB_UNWRITABLE, WEXITSTATUS(status));
	EXPECT_IN(said, "fxt: x.fxt: cannot keep what its threads did: ");
}

/* 11 waits for 12 while 11 is moved between two CPUs again and again. That is one wait. */
TEST_F(why, million_moves_in_one_wait)
{
	uint64_t time = 1000;

	STORY(&self->s, "threads 11-19; 0@% 0>12; % wake 11 by 12", time, time);
	for (uint32_t i = 0; i < MANY; i++, time += 10)
		event_migrate(&self->s, time + 10, 11, 11, i % 2, 1 - i % 2);
	STORY(&self->s, "% 12>11 S; % 11>0 S; end %", time + 10, time + 20, time + 30);
	WHY(0);
	EXPECT_IN(self->t.out, "10.0ms = 5.00ms runnable behind thread12/12 on cpu 0 + "
			  "5.00ms runnable, and who had cpu 1 is unknown\n");
}

/* --- what threads did when the recording began ---------------------------------------------- */

/* It may have had events since that are in another archive. */
TEST_F(why, seen_before_a_part)
{
	STORY(&self->s, "1200 seen 11 R on 0");
	self->s.streams[0] = (struct story_stream){ 1500, 10, 0, 1 };
	STORY(&self->s, "opening 0 #1 @2000; 0@2500 13>12 S; end 6000");
	EXPECT_STREQ("2500-6000 11 unknown (before its first event) @0\n",
		     explain(self, 11, 2500, 6000));
}

