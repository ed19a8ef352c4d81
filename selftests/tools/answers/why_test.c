// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a window of a thread's time back to the causes. The parts partition each window, whatever
 * the archive has; lost, filtered and hidden time, and time before the beginning, is unknown, and
 * no thread is blamed for it.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "event_story.h"
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

static void say(FIXTURE_DATA(why) *self, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void say(FIXTURE_DATA(why) *self, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	self->used += vsnprintf(self->text + self->used, TEXT_BYTES - self->used, format, args);
	va_end(args);
	if (self->used >= TEXT_BYTES)
		abort();
}

/* "1000-2000 12 runnable 13=900 unknown=100 @2; ": @2 is the length of the chain. */
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
	say(self, " @%u; ", why_link(w, p->link)->depth);
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

static void tell_chain(struct story *s)
{
	tell_late_chain(s, 0, 0);
}

TEST_F(why, chain_of_four_with_a_hog)
{
	tell_chain(&self->s);
	EXPECT_STREQ("9500-9900 11 running @0; 9300-9500 11 runnable 12=200 @0; "
		     "9000-9300 12 running @1; 8600-9000 12 runnable 13=400 @1; "
		     "8000-8600 13 running @2; 7000-8000 14 running @3; "
		     "4000-7000 14 runnable 15=3000 @3; 3000-4000 13 running @2; "
		     "2000-3000 12 running @1; 1000-2000 11 running @0; ",
		     explain(self, 11, 1000, 9900));
}

/*
 * 11 has run on CPU 0, where 12 wakes it. It gets CPU 1 after 13, at an unknown time moved there.
 */
static void tell_put_elsewhere(struct story *s, const char *session)
{
	story_session(s, session);
	STORY(s, "threads 11-19; 1@1000 0>13; 0@1000 11>12 S; 2000 wake 11 by 12; 6000 12>0 S; "
		 "1@5000 13>11 S; 6000 11>0 S; end 6000");
}

/* Nothing says where it waited, so neither 12 nor 13 is to blame. */
TEST_F(why, wakings)
{
	tell_put_elsewhere(&self->s, "clock boot\nwakeups waking\n");
	EXPECT_STREQ("5000-6000 11 running @0; 2000-5000 11 runnable unknown=3000 @0; ",
		     explain(self, 11, 2000, 6000));
}

TEST_F(why, wakeups)
{
	tell_put_elsewhere(&self->s, "clock boot\nbuffer 1\n");
	EXPECT_STREQ("5000-6000 11 running @0; 2000-5000 11 runnable unknown=3000 @0; ",
		     explain(self, 11, 2000, 6000));
}

/* 11 ran on CPU 0, where 12 wakes it. It never gets a CPU: 12 has one, and 13 the other. */
static void tell_open_wait(struct story *s, const char *session, bool is_bound, bool is_moved)
{
	story_session(s, session);
	STORY(s, "threads 11-19");
	if (is_bound) {
		BUILD(&s->b, fxt_kernel_object(5, FXT_OBJECT_THREAD, fxt_string_ref_inline(8), 1), 11);
		BUILD_TEXT(&s->b, "thread11");
		BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(1)));
		BUILD_TEXT(&s->b, "0");
		s->now->written++;
	}
	STORY(s, "1@1000 0>13; 0@1000 11>12 S; 2000 wake 11 by 12");
	if (is_moved)
		event_migrate(s, 2001, 11, 11, 0, 1);
	story_end(s, 6000);
}

/* Nothing says which of the two it waits for, so neither is to blame. */
TEST_F(why, open_wait_of_waking)
{
	tell_open_wait(&self->s, "clock boot\nwakeups waking\n", false, false);
	EXPECT_STREQ("2000-6000 11 runnable unknown=4000 @0; ", explain(self, 11, 2000, 6000));
}

TEST_F(why, open_wait_of_waking_of_a_bound_thread)
{
	tell_open_wait(&self->s, "clock boot\nwakeups waking\n", true, false);
	EXPECT_STREQ("2000-6000 11 runnable 12=4000 @0; ", explain(self, 11, 2000, 6000));
}

TEST_F(why, open_wait_of_waking_with_moves)
{
	tell_open_wait(&self->s, "source bpf\nwakeups waking\nevents migrate\n", false, true);
	EXPECT_STREQ("2001-6000 11 runnable 13=3999 @0; 2000-2001 11 runnable 12=1 @0; ",
		     explain(self, 11, 2000, 6000));
}

/* Another CPU may have taken it, unless that were recorded. */
TEST_F(why, open_wait_without_moves)
{
	tell_open_wait(&self->s, "source bpf\n", false, false);
	EXPECT_STREQ("2000-6000 11 runnable unknown=4000 @0; ", explain(self, 11, 2000, 6000));
}

TEST_F(why, open_wait_of_a_wakeup)
{
	tell_open_wait(&self->s, "source bpf\nmoves runnable\n", false, false);
	EXPECT_STREQ("2000-6000 11 runnable 12=4000 @0; ", explain(self, 11, 2000, 6000));
}

/* 14 was woken before 13 slept. Only what 14 did during the sleep counts. */
TEST_F(why, a_sleep_is_clipped_to_the_sleep)
{
	tell_chain(&self->s);
	EXPECT_STREQ("7000-8000 14 running @1; 4000-7000 14 runnable 15=3000 @1; ",
		     explain(self, 13, 4000, 8000));
}

/* The window ends within a sleep. The later wakeup explains that part of the sleep. */
TEST_F(why, window_within_a_sleep)
{
	tell_chain(&self->s);
	EXPECT_STREQ("7000-7500 14 running @3; 5000-7000 14 runnable 15=2000 @3; ",
		     explain(self, 11, 5000, 7500));
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

/* 12 runs while 11 sleeps, and wakes it in the end. 11 is not blamed for its own sleep. */
TEST_F(why, ping_pong)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	for (uint64_t time = 2000; time < 8000; time += 2000) {
		STORY(&self->s, "% wake 12 by 11 on 0; % 11>12 S; % wake 11 by 12 on 0; % 12>11 S",
				time - 100, time, time + 900, time + 1000);
	}
	STORY(&self->s, "8000 11>0 S; end 9000");
	EXPECT_STREQ("5000-6000 11 running @0; 4900-5000 11 runnable 12=100 @0; "
		     "4000-4900 12 running @1; 3000-4000 11 running @0; ",
		     explain(self, 11, 3000, 6000));
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

/* A user of the lock runs on CPU @cpu from @in to @out, and then sleeps. */
static void tell_holder(struct story *s, uint32_t cpu, uint64_t in, uint64_t out)
{
	story_chunk(s, cpu, in);
	STORY(s, "% 0>%; % %>0 S", in, 11 + cpu, out, 11 + cpu);
}

/*
 * Four threads, each with its own CPU, want one lock. 11 holds it until 2000. 12, 13 and 14 begin
 * to wait for it at 1100, 1200 and 1300, and hold it one after the other for 2000, 3000 and 1000.
 */
static void tell_mutex(struct story *s)
{
	STORY(s, "threads 11-19");
	tell_holder(s, 0, 1000, 2500);
	for (uint32_t cpu = 1; cpu < 4; cpu++)
		tell_holder(s, cpu, 1000, 1000 + 100 * cpu);
	STORY(s, "1@2000 wake 12 by 11");
	tell_holder(s, 1, 2010, 4500);
	STORY(s, "2@4010 wake 13 by 12");
	tell_holder(s, 2, 4030, 7500);
	STORY(s, "3@7030 wake 14 by 13");
	tell_holder(s, 3, 7060, 8060);
	story_end(s, 9000);
}

/* A thread waits for each holder of the lock, as long as that one holds it. */
TEST_F(why, mutex_with_four_users)
{
	tell_mutex(&self->s);
	EXPECT_STREQ("7060-8060 14 running @0; 7030-7060 14 runnable (idle)=30 @0; "
		     "4030-7030 13 running @1; 4010-4030 13 runnable (idle)=20 @1; "
		     "2010-4010 12 running @2; 2000-2010 12 runnable (idle)=10 @2; "
		     "1300-2000 11 running @3; ", explain(self, 14, 1300, 8060));
	EXPECT_STREQ("4010-4030 13 runnable (idle)=20 @0; 2010-4010 12 running @1; "
		     "2000-2010 12 runnable (idle)=10 @1; 1200-2000 11 running @2; ",
		     explain(self, 13, 1200, 4030));
}

/*
 * 12 only sleeps until a timer and then wakes 11. It sleeps for 1900 from 1100 on, and later for
 * 2800. CPU 0 is idle meanwhile.
 */
TEST_F(why, timer_thread)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>12; 1100 12>11 S; 1200 11>0 S; "
			"3000 wake 12 by irq; 2990-3010 timer; 3050 0>12; 3150 wake 11 by 12; "
			"3200 12>11 S; 3300 11>0 S; 6000 wake 12 by irq; 5990-6010 timer; "
			"6050 0>12; 6150 wake 11 by 12; 6200 12>11 S; 6300 11>0 S; end 7000");
	EXPECT_STREQ("6200-6300 11 running @0; 6150-6200 11 runnable 12=50 @0; "
		     "6050-6150 12 running @1; 6000-6050 12 runnable (idle)=40 local timer=10 @1; "
		     "3300-6000 12 asleep local timer=2700 @1; "
		     "3200-3300 11 running @0; 3150-3200 11 runnable 12=50 @0; "
		     "3050-3150 12 running @1; 3000-3050 12 runnable (idle)=40 local timer=10 @1; "
		     "1200-3000 12 asleep local timer=1800 @1; ", explain(self, 11, 1200, 6300));
}

/*
 * The example of wPerf (OSDI 2018, figure 4), in us: a main thread, 11, waits for 100 until the
 * parser, 12, is done. 12 parses for 20 of them and waits for the network for 80. A soft interrupt
 * wakes 12, and goes on for a moment.
 */
static void tell_parser(struct story *s)
{
	STORY(s, "threads 11-19; 0@900000 0>11; 1@950000 0>12; 0@1000000 11>0 S; 1@1010000 12>0 S; "
		 "1089900 wake 12 by softirq; 1089000-1090000 softirq %; 1090000 0>12; "
		 "0@1100000 wake 11 by 12; 1100000 0>11; 1200000 11>0 S; 1@1200000 12>0 Z; "
		 "end 1200000", EVENT_NET_RX);
}

TEST_F(why, parser_and_network)
{
	tell_parser(&self->s);
	EXPECT_STREQ("1090000-1100000 12 running @1; 1089900-1090000 12 runnable NET_RX=100 @1; "
		     "1010000-1089900 12 asleep NET_RX=79900 @1; 1000000-1010000 12 running @1; ",
		     explain(self, 11, 1000000, 1100000));
}

/* A preemption is no sleep: whoever had the CPU is the cause. */
TEST_F(why, preemption)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 11>12; 2700 12>13; 3000 13>11 S; "
			"4000 11>0 S; end 5000");
	EXPECT_STREQ("3000-4000 11 running @0; 2000-3000 11 runnable 12=700 13=300 @0; "
		     "1000-2000 11 running @0; ", explain(self, 11, 1000, 4000));
	EXPECT_STREQ("4000-5000 11 asleep (not woken until the end) @0; 3500-4000 11 running @0; ",
		     explain(self, 11, 3500, 5000));
}

TEST_F(why, interrupts)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 1200-1300 irq 24 nvme0q1; 2000 11>0 S; "
			"3050 wake 11 by softirq; 3000-3100 softirq %; 3200 0>11; 4000 11>0 S; "
			"end 5000", EVENT_NET_RX);
	EXPECT_STREQ("3200-4000 11 running @0; 3050-3200 11 runnable (idle)=100 NET_RX=50 @0; "
		     "2000-3050 11 asleep NET_RX=1050 @0; 1300-2000 11 running @0; "
		     "1200-1300 11 interrupt nvme0q1=100 @0; 1000-1200 11 running @0; ",
		     explain(self, 11, 1000, 4000));
}

enum { REQUEST = 0x1000, OTHER = 0x2000 };	/* ids of requests */

/*
 * 12 gets a request that 11 queued, and sleeps from 2000 to 3050; the request is completed at
 * @done, and 11 woken in an interrupt that began at 3000. That of 13 was completed long before.
 */
static void tell_request(FIXTURE_DATA(why) *self, uint64_t done, bool has_softirq)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	event_queued(&self->s, 1200, 11, REQUEST);
	event_request(&self->s, 1300, 13, OTHER, "sda", FXT_LINUX_OP_READ, 512);
	event_completion(&self->s, 1400, OTHER, "sda", 0);
	STORY(&self->s, "2000 11>12 S");
	event_request(&self->s, 2100, 12, REQUEST, "vda", FXT_LINUX_OP_WRITE, 128 << 10);
	STORY(&self->s, "2200 12>0 S");
	event_completion(&self->s, done, REQUEST, "vda", 0);
	STORY(&self->s, "3050 wake 11 by softirq");
	if (has_softirq)
		STORY(&self->s, "3000-3100 softirq %", EVENT_BLOCK);
	STORY(&self->s, "3200 0>11; 4000 11>0 S; end 5000");
}

static const char by_request[] =
	"3200-4000 11 running @0; 3050-3200 11 runnable (idle)=100 BLOCK=50 @0; "
	"2000-3050 11 asleep write of vda=1050 @0; 1000-2000 11 running @0; ";

TEST_F(why, request_completed_in_the_interrupt)
{
	tell_request(self, 3040, true);
	EXPECT_STREQ(by_request, explain(self, 11, 1000, 4000));
}

/* The interrupt does something else, even if that is often what a request's does. */
TEST_F(why, request_completed_before_the_interrupt)
{
	tell_request(self, 2990, true);
	EXPECT_STREQ("3200-4000 11 running @0; 3050-3200 11 runnable (idle)=100 BLOCK=50 @0; "
		     "2000-3050 11 asleep BLOCK=1050 @0; 1000-2000 11 running @0; ",
		     explain(self, 11, 1000, 4000));
}

/* Then its own request is what it waited for. */
TEST_F(why, request_without_interrupts)
{
	tell_request(self, 2990, false);
	EXPECT_STREQ("3200-4000 11 running @0; 3050-3200 11 runnable (idle)=150 @0; "
		     "2000-3050 11 asleep write of vda=1050 @0; 1000-2000 11 running @0; ",
		     explain(self, 11, 1000, 4000));
}

/*
 * 12 sleeps from 1200 to 1500, when a soft interrupt that hits 11 wakes it. ksoftirqd is 19, and
 * another interrupt hits CPU 0 at @hit.
 */
static void tell_own_softirq(struct story *s, uint64_t hit, bool is_served, bool has_double)
{
	STORY(s, "threads 11-19");
	story_name(s, 19, 19, "ksoftirqd/0");
	if (has_double)
		story_name(s, 18, 18, "ksoftirqd/0");
	STORY(s, "0@1100 0>12");
	if (hit < 1200)
		event_irq(s, hit, hit + 10, 24, "eth0");
	if (is_served)
		story_wake(s, 1180, 0, 19, 12);
	STORY(s, "1190 wake 11 by 12 on 0; 1200 12>11 S");
	if (hit > 1200)
		event_irq(s, hit, hit + 10, 24, "eth0");
	story_wake(s, 1500, 0, 12, fxt_sched_waker(11, FXT_SCHED_IRQ_SOFT));
	event_softirq(s, 1480, 1520, EVENT_NET_RX);
	story_switch(s, 1600, 11, is_served ? 19 : 12, FXT_THREAD_BLOCKED);
	if (is_served)
		story_switch(s, 1700, 19, 12, FXT_THREAD_BLOCKED);
	STORY(s, "1800 12>0 S; end 2000");
}

static const char own_softirq[] = "1480-1500 11 interrupt NET_RX=20 @1; 1200-1480 11 running @1; ";
static const char other_softirq[] = "1200-1500 12 asleep NET_RX=300 @0; ";

/* 11 sends to its own machine, and the soft interrupt runs at once, so 12 slept until 11 sent. */
TEST_F(why, soft_interrupt_that_a_thread_raised)
{
	tell_own_softirq(&self->s, 1150, false, false);
	EXPECT_STREQ(own_softirq, explain(self, 12, 1200, 1500));
}

/* A device may have raised the soft interrupt. */
TEST_F(why, soft_interrupt_after_an_interrupt)
{
	tell_own_softirq(&self->s, 1300, false, false);
	EXPECT_STREQ(other_softirq, explain(self, 12, 1200, 1500));
}

/* The soft interrupt may do what was left to ksoftirqd, which waits for the CPU. */
TEST_F(why, soft_interrupt_that_was_left_to_its_thread)
{
	tell_own_softirq(&self->s, 1150, true, false);
	EXPECT_STREQ(other_softirq, explain(self, 12, 1200, 1500));
}

/* The filter hides ksoftirqd, so it is unknown whether ksoftirqd waited for the CPU. */
TEST_F(why, soft_interrupt_beside_a_filter)
{
	story_session(&self->s, "filter comm thread*\n");
	tell_own_softirq(&self->s, 1150, false, false);
	EXPECT_STREQ(other_softirq, explain(self, 12, 1200, 1500));
}

/* On PREEMPT_RT, the thread serves it itself, and 12, which slept before, has not raised it. */
TEST_F(why, soft_interrupt_of_preempt_rt)
{
	STORY(&self->s, "names@1; name 17 ktimers/0");
	tell_own_softirq(&self->s, 1150, false, false);
	EXPECT_STREQ(own_softirq, explain(self, 12, 1200, 1500));
}

/* 11 has preempted 13 there, which may have raised the soft interrupt. */
TEST_F(why, soft_interrupt_of_a_preempted_thread)
{
	STORY(&self->s, "threads 11-19; name 17 ktimers/0; name 19 ksoftirqd/0; 0@1100 0>12; "
			"1150-1160 irq 24 eth0; 1180 wake 13 by 12; 1190 wake 11 by 12; "
			"1200 12>13 S; 1300 13>11; 1500 wake 12 by %; 1480-1520 softirq %; "
			"1600 11>12 S; 1800 12>13 S; end 2000",
			fxt_sched_waker(11, FXT_SCHED_IRQ_SOFT), EVENT_NET_RX);
	EXPECT_STREQ(other_softirq, explain(self, 12, 1200, 1500));
}

/* The CPU was idle before, so 11 has preempted nobody. */
TEST_F(why, soft_interrupt_after_the_idle_thread)
{
	STORY(&self->s, "threads 11-19; name 17 ktimers/0; name 19 ksoftirqd/0; 0@1100 0>12; "
			"1150-1160 irq 24 eth0; 1190 wake 11 by 12; 1200 12>0 S; 1300 0>11; "
			"1500 wake 12 by %; 1480-1520 softirq %; 1600 11>12 S; 1800 12>0 S; "
			"end 2000", fxt_sched_waker(11, FXT_SCHED_IRQ_SOFT), EVENT_NET_RX);
	EXPECT_STREQ("1480-1500 11 interrupt NET_RX=20 @1; 1300-1480 11 running @1; "
		     "1200-1300 11 runnable (idle)=100 @1; ", explain(self, 12, 1200, 1500));
}

TEST_F(why, soft_interrupt_beside_two_of_one_name)
{
	tell_own_softirq(&self->s, 1150, false, true);
	EXPECT_STREQ(other_softirq, explain(self, 12, 1200, 1500));
}

/* The quota of the thread's cgroup is used up twice. The quota of another cgroup is no reason. */
TEST_F(why, throttled)
{
	STORY(&self->s, "threads 11-19");
	event_process_in(&self->s, 30, "held", "/build/a");
	event_cgroup(&self->s, 7, 0, "/build");
	event_cgroup(&self->s, 8, 0, "/other");
	STORY(&self->s, "0@1000 0>30; 2000 30>0; 2000-3000 throttle 7; 3100-3200 throttle 8; "
			"3500-4000 throttle 7; 5000 0>30; 6000 30>0 S; end 7000");
	EXPECT_STREQ("5000-6000 30 running @0; 4000-5000 30 runnable (idle)=1000 @0; "
		     "3500-4000 30 throttled /build=500 @0; 3000-3500 30 runnable (idle)=500 @0; "
		     "2000-3000 30 throttled /build=1000 @0; 1000-2000 30 running @0; ",
		     explain(self, 30, 1000, 6000));
}

/*
 * 11, of a higher class than 12 and 13, is preempted by 12; is woken while 12 keeps the CPU; and is
 * woken before 12 leaves it to 13.
 */
static void tell_class(struct story *s, int32_t weight, const char *session)
{
	story_session(s, session);
	STORY(s, "threads 11-19");
	s->odd = 11;
	s->odd_weight = weight;
	STORY(s, "0@1ms 0>11; 10ms 11>12; 40ms 12>11; 50ms 11>12 S; 60ms wake 11 by 12; "
		 "90ms 12>11; 95ms 11>12 S; 100ms wake 11 by 12; 101ms 12>13 S; 120ms 13>11; "
		 "121ms 11>0 S; end 130ms");
}

#define CLASS_PARTS(limit)							\
	"100000000-120000000 11 limited " limit "=20000000 @0; "		\
	"95000000-100000000 12 running @1; 90000000-95000000 11 running @0; "	\
	"60000000-90000000 11 runnable 12=30000000 @0; "			\
	"50000000-60000000 12 running @1; 40000000-50000000 11 running @0; "	\
	"10000000-40000000 11 limited " limit "=30000000 @0; "

#define RT_WEIGHT	(FXT_SCHED_WEIGHT_RT + 50)
#define RT_LIMIT	"rt_runtime_us 950000\nrt_period_us 1000000\n"

/* The scheduler's choice shows it, not that a lower class keeps its CPU. */
TEST_F(why, class_that_may_not_run)
{
	tell_class(&self->s, RT_WEIGHT, "kernel Linux 6.1.0 x86_64\n" RT_LIMIT);
	EXPECT_STREQ(CLASS_PARTS("real-time throttling"), explain(self, 11, 10 * MS, 120 * MS));
}

TEST_F(why, the_fair_server)
{
	tell_class(&self->s, RT_WEIGHT, "kernel Linux 6.12.0 x86_64\n" RT_LIMIT
		   "rt_groups no\nfair_server_ns 50000000/1000000000\n");
	EXPECT_STREQ(CLASS_PARTS("the fair server"), explain(self, 11, 10 * MS, 120 * MS));
}

/* Nothing tells whether cgroups have limits, nor if the kernel has a fair server. */
TEST_F(why, class_of_an_unknown_kernel)
{
	tell_class(&self->s, RT_WEIGHT, RT_LIMIT);
	EXPECT_STREQ(CLASS_PARTS("real-time throttling or the fair server"),
		     explain(self, 11, 10 * MS, 120 * MS));
}

TEST_F(why, deadline_budget)
{
	tell_class(&self->s, FXT_SCHED_WEIGHT_DL, "x\n");
	EXPECT_STREQ(CLASS_PARTS("its deadline budget"), explain(self, 11, 10 * MS, 120 * MS));
}

/* The fair class is below no other but the idle one. */
TEST_F(why, threads_of_one_class)
{
	tell_class(&self->s, 88761, "kernel Linux 6.1.0 x86_64\n" RT_LIMIT);
	EXPECT_NOT_IN(explain(self, 11, 10 * MS, 120 * MS), "limited");
}

/*
 * The CPU stays idle: no fair server does that. Another real-time thread has left the CPU before.
 */
TEST_F(why, class_on_an_idle_cpu)
{
	STORY(&self->s, "threads 11-19");
	self->s.odd = 11;
	self->s.odd_weight = RT_WEIGHT;
	STORY(&self->s, "0@1ms 0>11; 10ms 11>0; 40ms 0>11; 50ms 11>0 S; 60ms wake 11; 90ms 0>11; "
			"95ms 11>0 S; end 100ms");
	EXPECT_STREQ("60000000-90000000 11 runnable (idle)=30000000 @0; ",
		     explain(self, 11, 60 * MS, 90 * MS));
	EXPECT_STREQ("10000000-40000000 11 limited real-time throttling=30000000 @0; ",
		     explain(self, 11, 10 * MS, 40 * MS));
}

/* 12 gets the CPU although 14 is runnable; then 11 is woken, of the same class as 14. */
static void tell_taken_over(struct story *s, int32_t weight)
{
	STORY(s, "threads 11-19");
	s->odd = 14;
	s->odd_weight = weight;
	STORY(s, "0@1ms 11>14 S; 10ms 14>12");
	s->odd = 11;
	STORY(s, "20ms wake 11 by 12 on 0; 50ms 12>11; 51ms 11>0 S; end 60ms");
}

/* All real-time threads share the limit. */
TEST_F(why, class_of_another_thread)
{
	tell_taken_over(&self->s, RT_WEIGHT);
	EXPECT_STREQ("20000000-50000000 11 limited real-time throttling or the fair server=30000000 @0; ",
		     explain(self, 11, 20 * MS, 50 * MS));
}

/* The budget of one deadline thread says nothing about another's. */
TEST_F(why, deadline_budget_of_another_thread)
{
	tell_taken_over(&self->s, FXT_SCHED_WEIGHT_DL);
	EXPECT_STREQ("20000000-50000000 11 runnable 12=30000000 @0; ",
		     explain(self, 11, 20 * MS, 50 * MS));
}

/* 11 becomes a fair thread while it runs, and while it waits; interrupts are no choice, either. */
TEST_F(why, changes_of_class)
{
	STORY(&self->s, "threads 11-19");
	event_tracks(&self->s, 0);
	self->s.odd = 11;
	self->s.odd_weight = RT_WEIGHT;
	STORY(&self->s, "0@1ms 0>11");
	self->s.odd = 0;
	story_switch(&self->s, 10 * MS, 11, 12, FXT_THREAD_NEW);
	self->s.odd = 11;
	STORY(&self->s, "40ms 12>11; 50ms 11>12; 51ms-79ms irq 7 slow; 80ms 12>11; 95ms 11>0 S; "
			"end 100ms");
	EXPECT_STREQ("10000000-40000000 11 runnable 12=30000000 @0; ",
		     explain(self, 11, 10 * MS, 40 * MS));
	EXPECT_STREQ("50000000-80000000 11 runnable slow=28000000 12=2000000 @0; ",
		     explain(self, 11, 50 * MS, 80 * MS));
}

/* Records of another CPU are lost while 11 sleeps: who it waited for before the loss is unknown. */
TEST_F(why, loss)
{
	STORY(&self->s, "threads 11-19; 1@1000 0>13; lose 1 3 @3000; 3100 14>0 S; 0@1000 0>11; "
			"1500 wake 12 by 11; 2000 11>12 S; 4000 wake 11 by 12; 4500 12>11 S; "
			"5000 11>0 S; end 6000");
	EXPECT_STREQ("4500-5000 11 running @0; 4000-4500 11 runnable 12=500 @0; "
		     "3000-4000 12 running @1; 2000-3000 11 unknown (records are missing) @0; "
		     "1500-2000 11 running @0; ", explain(self, 11, 1500, 5000));
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
	EXPECT_STREQ("2000-6000 13 unknown (events came too late to be put in order) @0; "
		     "1200-2000 13 running @0; ", explain(self, 13, 1200, 6000));
	snprintf(known, sizeof(known), "%llu-%llu 14 running @1; ", (unsigned long long)last + 1000,
		 (unsigned long long)last + 5000);
	EXPECT_STREQ(known, explain(self, 13, last + 1000, last + 5000));
}

/* 11 is switched in and never out: the kernel hides what it does. No record was lost. */
TEST_F(why, hidden_by_the_kernel)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 12>0 S; 3000 0>11; 4000 12>0 S; "
			"end 5000");
	EXPECT_IN(explain(self, 11, 1500, 5000), "11 unknown (hidden by the kernel) @0; ");
}

/* 11 slept when records were lost, and nothing follows: its wakeup may be among the lost ones. */
TEST_F(why, loss_in_a_sleep_without_an_end)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 11>0 S; 1@1000 0>13; lose 1 3 @3000; "
			"3100 14>0 S; end 4000");
	EXPECT_STREQ("2000-4000 11 unknown (records are missing) @0; 1000-2000 11 running @0; ",
		     explain(self, 11, 1000, 4000));
}

/* It is known who woke 11, but what that thread did is not in the recording. */
TEST_F(why, beginning_and_unseen_waker)
{
	STORY(&self->s, "threads 11-19; 0@1000 wake 11 by 13; 1500 12>11 S; 2000 11>0 S; "
			"3000 wake 11 by 19; 3000 0>11; 3500 11>0 S; end 4000");
	EXPECT_STREQ("3000-3500 11 running @0; 2000-3000 11 unknown (what it did is not recorded) @0; "
		     "1500-2000 11 running @0; 1000-1500 11 runnable 12=500 @0; "
		     "500-1000 11 unknown (before its first event) @0; ",
		     explain(self, 11, 500, 3500));
}

/* 12 waits for 13, which a filter hides on CPU 2, and 13 for 14 on CPU 1: 14 is not blamed. */
TEST_F(why, filter_within_a_chain)
{
	story_session(&self->s, "filter comm thread1[124]\n");
	STORY(&self->s, "threads 11-19; 0@1000 0>12; 1100 wake 11 by 12; 1200 12>11 S; "
			"2000 11>0 S; 1@1000 0>14");
	story_wake_hidden(&self->s, 4000, 1, 13, 14);
	STORY(&self->s, "4500 14>0 hidden; 0@5000 wake 12 by 13; 5200 0>12; 6000 wake 11 by 12; "
			"6100 12>11 S; 6500 11>0 S; end 7000");
	EXPECT_STREQ("6100-6500 11 running @0; 6000-6100 11 runnable 12=100 @0; "
		     "5200-6000 12 running @1; 5000-5200 12 runnable (idle)=200 @1; "
		     "2000-5000 12 unknown (what it did is not recorded) @1; ",
		     explain(self, 11, 2000, 6500));
}

/*
 * 11 asks CPU 1, which is idle, to wake 12. CPU 1 records that wakeup 50 ns after 11 has left CPU
 * 0: 12 is still asleep then. 13 has CPU 0. Whether 11 sleeps or waits for 13 makes no difference.
 */
static void tell_wake_list(struct story *s, uint32_t state)
{
	STORY(s, "threads 11-19; 1@1000 0>12; 1200 12>0 S; 2050 wake 12 by 11; 2060 0>12; "
		 "3000 12>0 S; 0@1000 0>11");
	story_switch(s, 2000, 11, 13, state);
}

TEST_F(why, waker_slept_before_the_wakeup)
{
	tell_wake_list(&self->s, FXT_THREAD_BLOCKED);
	STORY(&self->s, "2030 wake 11 by 13 on 0; 2500 13>11 S; end 4000");
	EXPECT_STREQ("2060-3000 12 running @0; 2050-2060 12 runnable (idle)=10 @0; "
		     "2000-2050 12 asleep 11=50 (being woken) @0; 1200-2000 11 running @1; ",
		     explain(self, 12, 1200, 3000));
	EXPECT_STREQ("2000-2020 12 asleep 11=20 (being woken) @0; 1500-2000 11 running @1; ",
		     explain(self, 12, 1500, 2020));
}

TEST_F(why, waker_was_preempted_before_the_wakeup)
{
	tell_wake_list(&self->s, FXT_THREAD_NEW);
	STORY(&self->s, "2500 13>11 S; end 4000");
	EXPECT_STREQ("2000-2050 12 asleep 11=50 (being woken) @0; 1200-2000 11 running @1; ",
		     explain(self, 12, 1200, 2050));
}

/* 11 wakes 12 and sleeps before the switch of 12 to its sleep is recorded. */
TEST_F(why, waker_slept_before_the_sleep)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 1190 11>0 S; 1@1000 0>12; 1200 12>0 S; "
			"1250 wake 12 by 11; 1260 0>12; end 4000");
	EXPECT_STREQ("1200-1250 12 asleep 11=50 (being woken) @0; 1000-1200 12 running @0; ",
		     explain(self, 12, 1000, 1250));
}

/* Records are missing after 11 slept, so 11 may have run until the wakeup. */
TEST_F(why, waker_slept_before_a_loss)
{
	tell_wake_list(&self->s, FXT_THREAD_BLOCKED);
	STORY(&self->s, "2@1900 0>14; lose 2 3 @2020; end 4000");
	EXPECT_STREQ("2020-2050 12 unknown (what it did is not recorded) @0; "
		     "1200-2020 12 unknown (records are missing) @0; ",
		     explain(self, 12, 1200, 2050));
}

/* A filter hides the state in which 11 was left, so 11 may have had another CPU by then. */
TEST_F(why, waker_was_hidden)
{
	STORY(&self->s, "threads 11-19; 1@1000 12>0 S; 2050 wake 12 by 11; 0@1000 0>11; "
			"2000 11>0 hidden; end 4000");
	EXPECT_STREQ("1000-2050 12 unknown (what it did is not recorded) @0; ",
		     explain(self, 12, 1000, 2050));
}

/* A waker asks only another CPU to wake a thread, but 11 has left the CPU that 12 is to have. */
TEST_F(why, waker_slept_on_the_same_cpu)
{
	STORY(&self->s, "threads 11-19; 0@1000 12>11 S; 2000 11>0 S; 2050 wake 12 by 11; end 4000");
	EXPECT_STREQ("1000-2050 12 unknown (what it did is not recorded) @0; ",
		     explain(self, 12, 1000, 2050));
}

/* The archive does not have the switch to 11, which woke 12 after it. */
TEST_F(why, waker_ran_unseen)
{
	tell_wake_list(&self->s, FXT_THREAD_NEW);
	STORY(&self->s, "2500 11>0 Z; end 4000");
	EXPECT_STREQ("2000-2050 11 unknown (hidden by the kernel) @1; 1200-2000 11 running @1; ",
		     explain(self, 12, 1200, 2050));
}

/* Threads that wake each other at the same time do not make the walk endless. */
TEST_F(why, cycle_at_one_time)
{
	STORY(&self->s, "threads 11-19; 0@1000 11>12 S; 1000 12>13 S; 3000 wake 11 by 13; "
			"3000 13>11 S; 3000 wake 12 by 11; 3000 11>12 S; 3000 wake 11 by 12; "
			"3000 12>11 S; 3000 wake 12 by 11; 3000 11>12 S; 3500 12>0 S; end 4000");
	EXPECT_STREQ("3000-3500 12 running @0; 1000-3000 13 running @2; ",
		     explain(self, 12, 1000, 3500));
}

/* A thread that had the CPU from the first instant is the cause until its first switch. */
TEST_F(why, hog_from_before_the_beginning)
{
	STORY(&self->s, "threads 11-19; opening 0 @1000; 1000 begin 15; 0@2000 wake 11 by irq; "
			"9000 end 15; end 9000");
	EXPECT_STREQ("2000-9000 11 runnable 15=7000 @0; 1000-2000 11 asleep an interrupt=1000 @0; ",
		     explain(self, 11, 1000, 9000));
	EXPECT_STREQ("1000-9000 15 running @0; ", explain(self, 15, 1000, 9000));
}

/* The time before a thread's fork belongs to the thread that forked it. */
TEST_F(why, forked_within_the_chain)
{
	STORY(&self->s, "threads 11-19; 2500 30/12 begins child; 0@1000 11>12 S; "
			"2500 wake 30 by 12; 3000 12>30 S; 4000 wake 11 by 30; 4100 30>11 Z; "
			"4500 11>0 S; end 5000");
	EXPECT_STREQ("4100-4500 11 running @0; 4000-4100 11 runnable 30=100 @0; "
		     "3000-4000 30 running @1; 2500-3000 30 runnable 12=500 @1; "
		     "1000-2500 12 running @2; ", explain(self, 11, 1000, 4500));
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
	EXPECT_STREQ("8900-9000 11 running @0; 8800-8900 11 runnable 30=100 @0; "
		     "5800-8800 30 running @1; 5700-5800 30 runnable 14=100 @1; "
		     "5000-5700 14 running @2; "
		     "4900-5000 11 running @0; 4800-4900 11 runnable 30=100 @0; "
		     "3800-4800 30 running @1; 3700-3800 30 runnable 13=100 @1; "
		     "3100-3700 13 running @2; "
		     "3000-3100 11 running @0; 2900-3000 11 runnable 30=100 @0; "
		     "2600-2900 30 running @1; 2500-2600 30 runnable 12=100 @1; "
		     "2000-2500 12 running @2; ", explain(self, 11, 2000, end));
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
static void tell_locks(struct story *s)
{
	STORY(s, "threads 11-19; 0@1000 0>12; 1100 12>11 S; 2000 wake 12 by 11; 2000 11>12");
	event_lock(s, 1050, 2001, 12, 11, FXT_LOCK_MUTEX, 0x10, 11);
	STORY(s, "2100 12>11 S; 3000 wake 12 by 11; 3000 11>12");
	event_lock(s, 2050, 3001, 12, 11, FXT_LOCK_MUTEX, 0x20, 13);
	STORY(s, "3100 12>11 S; 5000 wake 12 by 11; 5000 11>12; end 5100");
}

TEST_F(why, locks)
{
	const struct history_lock *lock;
	uint32_t turn;

	tell_locks(&self->s);
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

TEST_F(why, command_with_locks)
{
	tell_locks(&self->s);
	WHY(0, "--thread", "12", "--all");
	EXPECT_NE(NULL, strstr(self->t.out, "waiting for a lock (mutex) held by thread11/11"))
		TH_LOG("%s", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "asleep until thread11/11, waiting for a lock (mutex)"));
	EXPECT_NE(NULL, strstr(self->t.out, "asleep until thread11/11 ("));
	tool_free(&self->t);
	WHY(0, "--thread", "12", "--all", "--json");
	EXPECT_NE(NULL, strstr(self->t.out, "\"lock\":{\"kind\":\"mutex\",\"process\":null,\"address\":\"0x20\","
					    "\"holder\":{\"tid\":13,"));
	tool_free(&self->t);
}

/*
 * 13 holds a lock, but 11 wakes 12 through it, and is its owner at another time; then 11 wakes 12
 * through a futex that is no lock.
 */
TEST_F(why, command_with_futexes)
{
	STORY(&self->s, "names@1; name 11 thread11; name 12/11 twelve; name 13/11 thirteen; "
			"0@1000 0>12; 1100 12>11 S; 2000 wake 12 by 11; 2000 11>12");
	event_futex(&self->s, 1100, 2001, 12, 11, 0x10, 13, 11);
	STORY(&self->s, "2100 12>11 S; 3000 wake 12 by 11; 3000 11>12");
	event_futex(&self->s, 2100, 3001, 12, 11, 0x10, 11, 11);
	STORY(&self->s, "3100 12>11 S; 5000 wake 12 by 11; 5000 11>12");
	event_futex(&self->s, 3100, 5001, 12, 11, 0x20, 0, 11);
	STORY(&self->s, "end 5100");
	WHY(0, "--thread", "12", "--all");
	EXPECT_NE(NULL, strstr(self->t.out, "waiting for a lock (futex) released by thread11/11"))
		TH_LOG("%s", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "waiting for a lock (futex) held by thread11/11"));
	EXPECT_NE(NULL, strstr(self->t.out, "asleep until thread11/11 woke it through a futex"));
	tool_free(&self->t);
	WHY(0, "--thread", "12", "--all", "--json");
	EXPECT_NE(NULL, strstr(self->t.out, "\"address\":\"0x10\",\"holder\":{\"tid\":13,"));
	EXPECT_NE(NULL, strstr(self->t.out, "\"is_released\":true}"));
	EXPECT_NE(NULL, strstr(self->t.out, "\"futex\":{\"process\":11,\"address\":\"0x20\"}"));
	tool_free(&self->t);
}

TEST_F(why, the_command_answers_in_one_line)
{
	tell_chain(&self->s);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000099");
	EXPECT_IN(self->t.out, "8.90us = 7.30us asleep until thread12/12 (it was asleep until "
			  "thread13/13 for 5.60us, running for 1.30us, runnable behind "
			  "thread13/13 on cpu 0 for 400ns) + 1.40us ran + 200ns runnable "
			  "behind thread12/12 on cpu 0\n");
}

TEST_F(why, the_command_names_what_the_chain_went_through)
{
	tell_own_softirq(&self->s, 1150, false, false);
	WHY(0, "--thread", "12", "--from", "0.0000012", "--to", "0.0000018");
	EXPECT_IN(self->t.out,
		  "asleep until thread11/11, through a soft interrupt that it raised\n");
	WHY(0, "--thread", "12", "--from", "0.0000012", "--to", "0.0000018", "--json");
	EXPECT_IN(self->t.out, "\"through\":\"a soft interrupt\"");
}

TEST_F(why, the_command_names_requests)
{
	tell_request(self, 3040, true);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000004");
	EXPECT_IN(self->t.out, "3.00us = 1.80us ran + 1.05us asleep until a write of vda completed");
	EXPECT_IN(self->t.out, "asleep until a write of vda completed, the longest of 128 KiB: 900ns in "
		  "queues, 940ns in the device\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000004", "--json");
	EXPECT_IN(self->t.out, "\"request\":{\"device\":\"vda\",\"operation\":\"write\",\"bytes\":131072,"
		  "\"issued_ns\":2100,\"completed_ns\":3040,\"queued_ns\":1200}");
}

/*
 * 13 and 14 have three requests of vda in the device, until 2600. That of 11 is queued at 1200, and
 * issued and completed after these. Of others one is of another device, one overtakes it, and one
 * is issued after it.
 */
static void tell_ahead(FIXTURE_DATA(why) *self)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	event_request(&self->s, 1110, 13, OTHER, "vda", FXT_LINUX_OP_WRITE, 4096);
	event_request(&self->s, 1120, 13, OTHER + 1, "vda", FXT_LINUX_OP_READ, 4096);
	event_request(&self->s, 1130, 14, OTHER + 2, "vda", FXT_LINUX_OP_WRITE, 4096);
	event_request(&self->s, 1140, 12, OTHER + 3, "sda", FXT_LINUX_OP_WRITE, 4096);
	event_request(&self->s, 1150, 12, OTHER + 4, "vda", FXT_LINUX_OP_WRITE, 4096);
	event_queued(&self->s, 1200, 11, REQUEST);
	STORY(&self->s, "2000 11>0 S");
	event_completion(&self->s, 2100, OTHER, "vda", 0);
	event_completion(&self->s, 2200, OTHER + 3, "sda", 0);
	event_completion(&self->s, 2500, OTHER + 2, "vda", 0);
	event_completion(&self->s, 2600, OTHER + 1, "vda", 0);
	event_request(&self->s, 2650, 12, REQUEST, "vda", FXT_LINUX_OP_WRITE, 128 << 10);
	event_request(&self->s, 2660, 12, OTHER + 5, "vda", FXT_LINUX_OP_WRITE, 4096);
	event_completion(&self->s, 2700, OTHER + 5, "vda", 0);
	event_completion(&self->s, 3040, REQUEST, "vda", 0);
	STORY(&self->s, "3050 wake 11 by softirq; 3200 0>11; 4000 11>0 S");
	event_completion(&self->s, 4100, OTHER + 4, "vda", 0);
	STORY(&self->s, "end 5000");
}

TEST_F(why, the_command_says_what_a_request_was_behind)
{
	tell_ahead(self);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000004");
	EXPECT_IN(self->t.out, " + 1.05us asleep until a write of vda completed (650ns of it in queues behind 3 "
		  "requests, 2 of them of thread13/13) + ");
	EXPECT_IN(self->t.out, ", the longest of 128 KiB: 1.45us in queues, 390ns in the device, behind 3 "
		  "requests, 2 of them of thread13/13\n");
	WHY(0, "--thread", "11");
	EXPECT_IN(self->t.out, "asleep until a write of vda completed; 650ns of that in queues\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000004", "--json");
	EXPECT_IN(self->t.out, "\"ns\":1050,\"kind\":\"request\",\"in_queues_ns\":650}");
	EXPECT_IN(self->t.out, "\"queued_ns\":1200,\"ahead\":{\"requests\":3,\"thread\":{\"tid\":13,"
		  "\"name\":\"thread13\"},\"of_thread\":2}}");
}

TEST_F(why, the_command_names_no_size_of_a_flush)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	event_request(&self->s, 1200, 11, REQUEST, "vda", FXT_LINUX_OP_FLUSH, 0);
	STORY(&self->s, "2000 11>0 S");
	event_completion(&self->s, 3040, REQUEST, "vda", 0);
	STORY(&self->s, "3050 wake 11 by softirq; 3200 0>11; 4000 11>0 S; end 5000");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000004");
	EXPECT_IN(self->t.out, "asleep until a flush of vda completed, the longest: 1.84us in the device\n");
}

/* The host has cpu 0 for 600 ns of the run of 11 until 2000, and for 100 while it is idle. */
static void tell_steal(FIXTURE_DATA(why) *self)
{
	STORY(&self->s, "threads 11-19");
	event_steal(&self->s, 990, 0, 5000);
	STORY(&self->s, "0@1000 0>11; 1500 wake 12 by 11 on 0");
	event_steal(&self->s, 2000, 0, 5600);
	STORY(&self->s, "2000 11>12 S; 3000 12>0 S");
	event_steal(&self->s, 4000, 0, 5700);
	STORY(&self->s, "4000 0>11; 4100 11>0 S; end 5000");
}

TEST_F(why, the_command_names_the_host)
{
	tell_steal(self);
	WHY(0, "--thread", "12", "--from", "0.0000015", "--to", "0.000003");
	EXPECT_IN(self->t.out, "1.50us = 1.00us ran + 500ns runnable behind thread11/11 on cpu 0 (up to "
		  "500ns of it the host of this virtual machine)");
	EXPECT_IN(self->t.out, "cpu 0; up to 500ns of that the host of this virtual machine had the CPU\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000002", "--json");
	EXPECT_IN(self->t.out, "\"cause\":\"running\",\"cpu\":0,\"by\":[],\"via\":[],\"host_ns\":600}");
	WHY(0, "--thread", "12", "--from", "0.000002", "--to", "0.000003");
	EXPECT_EQ(NULL, strstr(self->t.out, "host")) TH_LOG("%s", self->t.out);
}

/*
 * 11 reclaims memory of its cgroup while it runs, and while it sleeps until 12 wakes it; then it
 * sleeps until 12 without. 12 sleeps in direct reclaim until an interrupt.
 */
static void tell_memory(struct story *s)
{
	STORY(s, "threads 11-19; 0@1000 0>11; 2000 11>12 S; 3000 wake 11 by 12 on 0; 3000 12>11 S");
	event_memory(s, 1400, 3100, 11, 11, FXT_STR_CGROUP_RECLAIM, 32);
	STORY(s, "4000 wake 12 by 11 on 0; 4000 11>12 S; 5000 wake 11 by 12 on 0; 5000 12>11 S; "
		 "6000 wake 12 by softirq on 0; 6000 11>12 S");
	event_memory(s, 4200, 6100, 12, 12, FXT_STR_DIRECT_RECLAIM, 0);
	STORY(s, "7000 12>0 S; end 8000");
}

TEST_F(why, command_with_memory)
{
	tell_memory(&self->s);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000003");
	EXPECT_IN(self->t.out, "2.00us = 1.00us ran (600ns of it in cgroup reclaim) + 1.00us asleep in "
		  "cgroup reclaim until thread12/12 (it was running for 1.00us)");
	EXPECT_IN(self->t.out, "ran; 600ns of that in cgroup reclaim\n");
	WHY(0, "--thread", "11", "--from", "0.000004", "--to", "0.000005");
	EXPECT_IN(self->t.out, "1.00us = 1.00us asleep until thread12/12 (it was running for 1.00us "
		  "(800ns of it in direct reclaim))");
	WHY(0, "--thread", "12", "--from", "0.000005", "--to", "0.000006");
	EXPECT_IN(self->t.out, "1.00us asleep in direct reclaim until ");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000003", "--json");
	EXPECT_IN(self->t.out, "\"memory\":{\"name\":\"cgroup reclaim\",\"ns\":600}");
	EXPECT_IN(self->t.out, "\"waited_during\":\"cgroup reclaim\"");
	WHY(0, "--all", "--thread", "11");
	EXPECT_IN(self->t.out, "ran; 700ns of that in cgroup reclaim\n");
}

/* The second one seems to begin 1 ns before the first one ends. */
TEST_F(why, command_with_reclaims_that_meet)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	event_memory(&self->s, 1100, 1300, 11, 11, FXT_STR_CGROUP_RECLAIM, 32);
	event_memory(&self->s, 1299, 1500, 11, 11, FXT_STR_CGROUP_RECLAIM, 32);
	event_memory(&self->s, 1700, 1800, 11, 11, FXT_STR_DIRECT_RECLAIM, 32);
	STORY(&self->s, "2000 11>0 S; end 3000");
	WHY(0, "--thread", "11", "--from", "0.0000012", "--to", "0.0000016");
	EXPECT_IN(self->t.out, "ran; 300ns of that in cgroup reclaim\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.000002");
	EXPECT_IN(self->t.out, "ran; 500ns of that in several kinds of reclaim or compaction\n");
	WHY(0, "--thread", "11", "--from", "0.0000016", "--to", "0.0000019");
	EXPECT_IN(self->t.out, "ran; 100ns of that in direct reclaim\n");
}

/* 11 reads, but the request is completed long before something wakes it: that is no cause. */
TEST_F(why, request_completed_long_before)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	event_request(&self->s, 1200, 11, REQUEST, "vda", FXT_LINUX_OP_READ, 512);
	STORY(&self->s, "2000 11>0 S");
	event_completion(&self->s, 3000, REQUEST, "vda", 0);
	STORY(&self->s, "1003000 wake 11 by softirq; 1003100 0>11; 1003200 11>0 S; end 1005000");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0010032");
	EXPECT_EQ(NULL, strstr(self->t.out, "vda")) TH_LOG("%s", self->t.out);
}

/*
 * 12 reads, and sleeps until 13 wakes it; the request is completed while 13 runs: by 13, or by an
 * interrupt that hits it.
 */
static void tell_completing_thread(FIXTURE_DATA(why) *self, bool is_hit)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>12; 1100-1110 softirq %", EVENT_BLOCK);
	event_request(&self->s, 1200, 12, REQUEST, "vda", FXT_LINUX_OP_READ, 512);
	STORY(&self->s, "2000 12>13 S");
	event_completion(&self->s, 2500, REQUEST, "vda", 0);
	if (is_hit)
		STORY(&self->s, "2400-2600 softirq %", EVENT_BLOCK);
	STORY(&self->s, "2700 wake 12 by 13; 3000 13>12 S; 3500 12>0 S; end 5000");
}

TEST_F(why, request_that_the_waker_completed)
{
	tell_completing_thread(self, false);
	WHY(0, "--thread", "12", "--from", "0.000001", "--to", "0.0000035");
	EXPECT_IN(self->t.out, "read of vda");
}

TEST_F(why, request_completed_by_what_hit_the_waker)
{
	tell_completing_thread(self, true);
	WHY(0, "--thread", "12", "--from", "0.000001", "--to", "0.0000035");
	EXPECT_EQ(NULL, strstr(self->t.out, "vda")) TH_LOG("%s", self->t.out);
}

/*
 * 11 sleeps; a timer expires at 2900, and 11 is woken at 3000 in a soft interrupt, which is
 * recorded if @has_irq.
 */
static void tell_timer(FIXTURE_DATA(why) *self, const char *function, uint32_t tid, bool has_irq)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 1100-1110 softirq %; 2000 11>0 S",
			EVENT_TIMER);
	event_timer(&self->s, 2900, function, tid);
	STORY(&self->s, "3000 wake 11 by softirq");
	if (has_irq)
		STORY(&self->s, "2850-3050 softirq %", EVENT_TIMER);
	STORY(&self->s, "3100 0>11; 3500 11>0 S; end 5000");
}

static const struct {
	const char *function;
	uint32_t tid;
	bool has_irq;
	const char *text;
} timers[] = {
	{ "hrtimer_wakeup", 11, false, "asleep until its own timer (hrtimer_wakeup)" },
	{ "hrtimer_wakeup", 11, true, "asleep until its own timer (hrtimer_wakeup)" },
	/* The timer of a thread that is awake wakes nobody. */
	{ "hrtimer_wakeup", 12, true, "asleep until a timer (TIMER)" },
	{ "process_timeout", 0, true, "asleep until its own timer (process_timeout)" },
	{ "process_timeout", 0, false, "asleep until a soft interrupt" },
	{ "timerfd_tmrproc", 0, true, "asleep until a timer (timerfd_tmrproc)" },
	{ "timerfd_tmrproc", 0, false, "asleep until a soft interrupt" },
};

TEST_F(why, timers)
{
	for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
		self->s = (struct story){ 0 };
		story_begin(&self->s);
		ASSERT_EQ(0, ftruncate(self->fd, 0));
		tell_timer(self, timers[i].function, timers[i].tid, timers[i].has_irq);
		WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035");
		EXPECT_IN(self->t.out, timers[i].text);
		tool_free(&self->t);
	}
}

/* 11 sleeps for a lock of 12, until its own timer or that of another thread expires. */
TEST_F(why, lock_until_timeout)
{
	static const struct {
		uint32_t tid, holder;
		const char *text;
	} waits[] = {
		{ 11, 12, "for a lock (futex) held by thread12/12 until its timeout\n" },
		{ 12, 12, "for a lock (futex) held by thread12/12 until a timer (TIMER)\n" },
		{ 11, 0, "asleep until its own timer (hrtimer_wakeup)\n" },
	};

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		self->s = (struct story){ 0 };
		story_begin(&self->s);
		ASSERT_EQ(0, ftruncate(self->fd, 0));
		STORY(&self->s, "names@1; name 11 thread11; name 12/11 thread12; 0@1000 0>11; "
				"1100-1110 softirq %; 2000 11>0 S", EVENT_TIMER);
		event_timer(&self->s, 2900, "hrtimer_wakeup", waits[i].tid);
		STORY(&self->s, "3000 wake 11 by softirq; 2850-3050 softirq %; 3100 0>11",
		      EVENT_TIMER);
		event_futex(&self->s, 2000, 3100, 11, 11, 0x10, waits[i].holder, 0);
		STORY(&self->s, "3500 11>0 S; end 5000");
		WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035");
		EXPECT_IN(self->t.out, waits[i].text);
		WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035", "--json");
		EXPECT_EQ(waits[i].holder != 0, !!strstr(self->t.out,
			"\"given_up\":{\"kind\":\"futex\",\"process\":11,\"address\":\"0x10\","
			"\"holder\":{\"tid\":12,\"name\":\"thread12\"}}"))
			TH_LOG("%s", self->t.out);
	}
}

/* ksoftirqd, or on PREEMPT_RT a thread of its own, serves the timer that wakes 11. */
TEST_F(why, timer_that_a_thread_serves)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 11>0 S; 2700 wake 12 by irq; 2800 0>12");
	event_timer(&self->s, 2900, "timerfd_tmrproc", 0);
	STORY(&self->s, "3000 wake 11 by 12; 2850-3050 softirq %; 3100 12>11 S; 3500 11>0 S; end 5000",
	      EVENT_TIMER);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035");
	EXPECT_IN(self->t.out, "asleep until thread12/12, which served the timer timerfd_tmrproc\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035", "--json");
	EXPECT_IN(self->t.out, "\"timer\":\"timerfd_tmrproc\"");
}

static const struct fxt_sched_socket
	of_server = { FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 5432, 40000, 100 },
	of_client = { FXT_LINUX_AF_INET6, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 40000, 5432, 100 },
	listening = { FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, FXT_LINUX_TCP_LISTEN, 80, 0, 0 },
	of_udp = { FXT_LINUX_AF_INET, FXT_LINUX_SOCK_DGRAM, FXT_LINUX_UDP, 7, 53, 0, 0 },
	of_ping = { FXT_LINUX_AF_INET, FXT_LINUX_SOCK_DGRAM, 1, 7, 99, 0, 0 };

/*
 * 11 sleeps; data arrive at @arrive, and 11 is woken at 3000 in a soft interrupt from 2850 on,
 * which is recorded if @has_irq. Before that, the same interrupt wakes 12 if @wakes_other.
 */
static const struct {
	const struct fxt_sched_socket *socket;
	uint64_t arrive;
	bool has_irq;
	bool wakes_other;
	const char *text;
} data_of[] = {
	{ &of_server, 2900, true, false, "asleep until TCP data to :5432\n" },
	{ &of_client, 2900, true, false, "asleep until TCP data from :5432\n" },
	{ &listening, 2900, true, false, "asleep until TCP connection to :80\n" },
	{ &of_udp, 2900, true, false, "asleep until UDP data to :53\n" },
	{ &of_ping, 2900, true, false, "asleep until socket data\n" },
	{ &of_server, 2900, false, false, "asleep until a soft interrupt\n" },
	{ &of_server, 2800, true, false, "asleep until the network (NET_RX)\n" },
	{ &of_server, 1900, true, false, "asleep until the network (NET_RX)\n" },
	{ &of_server, 2900, true, true, "asleep until the network (NET_RX)\n" },
};

static void tell_data(FIXTURE_DATA(why) *self, size_t i)
{
	const uint64_t arrive = data_of[i].arrive;

	STORY(&self->s, "threads 11-19; 0@1000 0>11; 1100-1110 softirq %", EVENT_NET_RX);
	if (arrive < 2000)
		event_data(&self->s, arrive, data_of[i].socket);
	STORY(&self->s, "2000 11>0 S");
	if (arrive > 2000)
		event_data(&self->s, arrive, data_of[i].socket);
	if (data_of[i].wakes_other)
		STORY(&self->s, "2950 wake 12 by softirq");
	STORY(&self->s, "3000 wake 11 by softirq");
	if (data_of[i].has_irq)
		STORY(&self->s, "2850-3050 softirq %", EVENT_NET_RX);
	STORY(&self->s, "3100 0>11; 3500 11>0 S; end 5000");
}

TEST_F(why, data_of_sockets)
{
	for (size_t i = 0; i < sizeof(data_of) / sizeof(data_of[0]); i++) {
		self->s = (struct story){ 0 };
		story_begin(&self->s);
		ASSERT_EQ(0, ftruncate(self->fd, 0));
		tell_data(self, i);
		WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035");
		EXPECT_IN(self->t.out, data_of[i].text);
		tool_free(&self->t);
	}
}

/*
 * The soft interrupt on cpu 0, in which data arrive at 2900 for 11, is over when cpu 1 records
 * the wakeup at @ready. 12 runs on cpu 0, and is hit, or it is idle. If @has_other, another soft
 * interrupt follows.
 */
static const struct {
	uint64_t ready;
	bool is_idle;
	bool has_other;
	const char *text;
} late_wakeups[] = {
	{ 3000, false, false, "asleep until TCP data to :5432\n" },
	{ 60000, false, false, "asleep until TCP data to :5432\n" },
	{ 3000, false, true, "asleep until a soft interrupt\n" },
	/* 12 has left the CPU meanwhile. */
	{ 3400, false, false, "asleep until TCP data to :5432\n" },
	{ 3000, true, false, "asleep until TCP data to :5432\n" },
	{ 60000, true, false, "asleep until a soft interrupt\n" },
};

static void tell_late_wakeup(FIXTURE_DATA(why) *self, size_t i)
{
	const uint64_t ready = late_wakeups[i].ready;
	bool is_idle = late_wakeups[i].is_idle;

	STORY(&self->s, "threads 11-19; 0@1000 0>12; !1@1000 0>11");
	if (is_idle)
		STORY(&self->s, "0@1500 12>0 S");
	STORY(&self->s, "1@2000 11>0 S; 0@2000");
	event_data(&self->s, 2900, &of_server);
	STORY(&self->s, "2850-2950 softirq %", EVENT_NET_RX);
	if (late_wakeups[i].has_other)
		STORY(&self->s, "2960-2970 softirq %", EVENT_TIMER);
	if (ready == 3400)
		STORY(&self->s, "3300 12>0 S");
	STORY(&self->s, "1@%", ready);
	story_wake(&self->s, ready, 1, 11, fxt_sched_waker(is_idle ? 0 : 12, FXT_SCHED_IRQ_SOFT));
	STORY(&self->s, "% 0>11; % 11>0 S; end %", ready + 100, ready + 500, ready + 2000);
}

TEST_F(why, data_of_sockets_before_late_wakeups)
{
	for (size_t i = 0; i < sizeof(late_wakeups) / sizeof(late_wakeups[0]); i++) {
		self->s = (struct story){ 0 };
		story_begin(&self->s);
		ASSERT_EQ(0, ftruncate(self->fd, 0));
		tell_late_wakeup(self, i);
		WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.00006");
		EXPECT_IN(self->t.out, late_wakeups[i].text);
		tool_free(&self->t);
	}
}

TEST_F(why, data_of_sockets_in_json)
{
	tell_data(self, 1);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035", "--json");
	EXPECT_IN(self->t.out, "\"name\":\"TCP data from :5432\",\"ns\":1000,\"kind\":\"data\"");
	EXPECT_IN(self->t.out, "\"data\":{\"protocol\":6,\"local_port\":40000,\"remote_port\":5432,"
		  "\"bytes\":100,\"time_ns\":2900}");
}

/* ksoftirqd serves the network, or a thread sends to its own machine, and the data wake 11. */
TEST_F(why, data_that_a_thread_serves)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 2000 11>0 S; 2700 wake 12 by irq; 2800 0>12");
	event_data(&self->s, 2900, &of_server);
	STORY(&self->s, "3000 wake 11 by 12; 2850-3050 softirq %; 3100 12>11 S; 3500 11>0 S; end 5000",
	      EVENT_NET_RX);
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035");
	EXPECT_IN(self->t.out, "asleep until thread12/12, which brought TCP data to :5432\n");
	WHY(0, "--thread", "11", "--from", "0.000001", "--to", "0.0000035", "--json");
	EXPECT_IN(self->t.out, "\"brought\":\"TCP data to :5432\"");
}

/* 12 wakes 11 while it executes a work item, and later again, when it does not. */
TEST_F(why, work_item_that_woke)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 1100 11>12 S; 1500 wake 11 by 12");
	event_work(&self->s, 1200, 1600, 12, 12, "flush_fn");
	STORY(&self->s, "1700 12>11 S; 1800 11>0 S; 1900 wake 12 by irq; 1950 0>12; 2500 wake 11 by 12; "
	      "2700 12>11 S; 3000 11>0 S; end 5000");
	WHY(0, "--thread", "11", "--from", "0.0000011", "--to", "0.0000017");
	EXPECT_IN(self->t.out, "asleep until thread12/12, in its work item flush_fn\n");
	WHY(0, "--thread", "11", "--from", "0.0000011", "--to", "0.0000017", "--json");
	EXPECT_IN(self->t.out, "\"work\":\"flush_fn\"");
	WHY(0, "--thread", "11", "--from", "0.0000019", "--to", "0.0000027");
	EXPECT_IN(self->t.out, "asleep until thread12/12\n");
}

TEST_F(why, the_longest_wait_by_default)
{
	tell_chain(&self->s);
	WHY(0);
	EXPECT_IN(self->t.out, "3.50us = 3.50us runnable behind thread15/15 on cpu 1\n");
}

/* The longest wait, from 3500 to 7000, is outside the selected time. */
TEST_F(why, the_longest_wait_of_a_time)
{
	tell_chain(&self->s);
	WHY(0, "--worst", "1", "--from", "0.0000071", "--to", "0.0000099");
	EXPECT_IN(self->t.out, "A long wait: thread12/12 from 0.000008600 s to 0.000009000 s\n");
}

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

/* The waits of the recorded command come first, although others have waited longer. */
TEST_F(why, the_command_comes_first)
{
	story_session(&self->s, "command_pid 13\n");
	tell_chain(&self->s);
	WHY(0);
	EXPECT_IN(self->t.out, "scope: command thread13/13 and what it started: 1 thread "
			       "(for all threads: --all)\n\n"
			       "A long wait: thread13/13 from 0.000002500 s to 0.000003000 s");
	WHY(0, "--all");
	EXPECT_IN(self->t.out, "A long wait: thread14/14 ");
}

/* "-- sleep 10" records the whole machine. 16 runs for less than a hundredth of the time. */
TEST_F(why, a_command_that_only_sleeps_does_not_come_first)
{
	story_session(&self->s, "command_pid 16\n");
	STORY(&self->s, "threads 11-19; 0@1000 0>12; 2000 wake 11 by 12; 9000 12>11; 1@1000 0>16; "
			"1010 16>0 S; 8000 wake 16; 8020 0>16; 8030 16>0 S; end 10000");
	WHY(0);
	EXPECT_IN(self->t.out, "scope: the command hardly ran: the whole machine: 3 threads\n\n"
			  "A long wait: thread11/11 ");
}

TEST_F(why, nothing_is_selected)
{
	tell_chain(&self->s);
	WHY(1, "--thread", "nobody");
	EXPECT_IN(self->t.err, "no thread named nobody was active in that time; run");
	WHY(1, "--thread", "thread21");
	EXPECT_IN(self->t.err, " (did you mean thread11?)");
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

/* --- programs ----------------------------------------------------------------------------- */

/* 14 waits for its CPU, which holds up 11 through 12. The hog is not part of the program. */
TEST_F(why, held_up_through_others)
{
	tell_chain(&self->s);
	WHY(0, "--program", "thread1[1-4]", "--no-pager");
	EXPECT_IN(self->t.out, "thread14/14 holds up thread11/11 through thread12/12 for "
			  "3.00us, while thread15/15 has its CPU\n");
}

/*
 * A thread that waits for a sleeping thread also waits for what that one waits for: 11 and 12 wait
 * for 14 as 13 does, 4000 each, and 11 waits for 13 as 12 does, 5600 each.
 */
TEST_F(why, waits_of_a_chain_count_below_it)
{
	tell_chain(&self->s);
	WHY(0, "--program", "thread1[1-4]", "--json");
	EXPECT_IN(self->t.out,
		  "{\"from\":\"thread13\",\"to\":\"thread14\",\"ns\":12000," "\"own_ns\":4000,");
	EXPECT_IN(self->t.out,
		  "{\"from\":\"thread12\",\"to\":\"thread13\",\"ns\":11200," "\"own_ns\":5600,");
	EXPECT_IN(self->t.out,
		  "{\"from\":\"thread11\",\"to\":\"thread12\",\"ns\":7300," "\"own_ns\":7300,");
}

/* Two threads run at once from 2000 to 3000. Half of that time counts for each. */
TEST_F(why, shares_of_a_program)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11; 3000 11>0 S; 1@2000 0>12; 6000 12>0 S; "
			"end 7000");
	WHY(0, "--program", "thread1[12]", "--json");
	EXPECT_IN(self->t.out, "\"active_ns\":5000,");
	EXPECT_IN(self->t.out, "{\"name\":\"thread12\",\"tid\":12,\"threads\":1,"
				      "\"share_ns\":3500,\"alone_ns\":3000,\"run_ns\":4000,");
	EXPECT_IN(self->t.out,
			  "{\"name\":\"thread11\",\"tid\":11,\"threads\":1,"
			  "\"share_ns\":1500,\"alone_ns\":1000,\"run_ns\":2000,");
}

/* 12 always works. 11 feeds it, 13 takes what it makes, and both sleep until 12 wakes them. */
TEST_F(why, slow_middle_of_a_pipeline)
{
	STORY(&self->s, "threads 11-19; 1@1000 0>12");
	for (uint64_t time = 2000; time < 20000; time += 1000) {
		STORY(&self->s, "1@% wake 11 by 12 on 0; % wake 13 by 12 on 0; "
				"0@% 0>11; % 11>13 S; % 13>0 S", time - 100, time - 100, time - 90,
				time - 70, time - 50);
	}
	STORY(&self->s, "1@20000 12>0 S; end 20000");
	WHY(0, "--program", "thread1[1-3]", "--no-pager");
	EXPECT_IN(self->t.out, "thread12/12 limits this program: it always runs, and "
				      "thread11/11, thread13/13 sleep until it wakes them\n");
	EXPECT_IN(self->t.out, "us  thread12/12\n");
}

/*
 * wPerf's example: the parser waits for the network for 80 us, and so does the main thread, through
 * the parser. The network waits for nobody.
 */
TEST_F(why, network_is_a_knot)
{
	tell_parser(&self->s);
	WHY(0, "--program", "thread1[12]", "--json");
	EXPECT_IN(self->t.out, "\"edges\":[{\"from\":\"thread12\",\"to\":\"the network\","
				      "\"ns\":159800,\"own_ns\":79900,");
	EXPECT_IN(self->t.out,
		  "{\"from\":\"thread11\",\"to\":\"thread12\",\"ns\":100000," "\"own_ns\":100000,");
	EXPECT_IN(self->t.out, "\"knots\":[{\"ns\":159800,\"members\":[\"the network\"]}]");
}

/* Threads that wait for each other, and for nobody else, are one knot. */
TEST_F(why, ping_pong_is_a_knot)
{
	STORY(&self->s, "threads 11-19; 0@1000 0>11");
	for (uint64_t time = 2000; time < 9000; time += 2000) {
		STORY(&self->s, "% wake 12 by 11 on 0; % 11>12 S; % wake 11 by 12 on 0; % 12>11 S",
				time, time, time + 1000, time + 1000);
	}
	STORY(&self->s, "10000 11>0 S; end 10000");
	WHY(0, "--program", "thread1[12]", "--json");
	EXPECT_IN(self->t.out, "\"knots\":[{\"ns\":8000,\"members\":[\"thread11\",\"thread12\"]}]");
}

/* --- what threads did when the recording began ---------------------------------------------- */

static void tell_sight(struct story *s, uint32_t tid, char letter, uint32_t cpu, uint64_t time)
{
	const struct fxt_sched_sight sight = { time, cpu, letter };
	const char name[FXT_SCHED_COMM_SIZE] = "seen";
	struct fxt_sched_comm comm = fxt_sched_comm(name);
	__u64 rec[FXT_SCHED_SEEN_WORDS];
	__u32 records, words;

	words = fxt_sched_put_task(rec, tid, tid, 0, &comm, (struct fxt_sched_event){ 0 }, &records);
	story_words(s, rec, fxt_sched_add_sight(rec, words, &sight));
}

/* 12 has CPU 0 all the time, and 13 CPU 1, where it wakes and moves other threads. */
static void tell_begin(struct story *s)
{
	story_session(s, "source bpf\nmoves runnable\n");
	STORY(s, "1@1000 begin 13; 0@1000 begin 12");
}

TEST_F(why, runnable_from_before_the_begin_until_after_the_end)
{
	tell_sight(&self->s, 11, 'R', 0, 1200);
	tell_begin(&self->s);
	story_end(&self->s, 6000);
	EXPECT_STREQ("1000-6000 11 runnable 12=5000 @0; ", explain(self, 11, 1000, 6000));
}

TEST_F(why, asleep_from_before_the_begin)
{
	tell_sight(&self->s, 11, 'S', 0, 1200);
	tell_begin(&self->s);
	story_end(&self->s, 6000);
	EXPECT_STREQ("1000-6000 11 asleep (not woken until the end) @0; ",
		     explain(self, 11, 1000, 6000));
}

/* It was put in its run queue before its wakeup was recorded. */
TEST_F(why, being_woken_at_the_begin)
{
	tell_sight(&self->s, 11, 'R', 0, 1200);
	tell_begin(&self->s);
	STORY(&self->s, "1@1201 wake 11 by 13 on 0; end 6000");
	EXPECT_STREQ("1201-6000 11 runnable 12=4799 @0; 1000-1201 13 running @1; ",
		     explain(self, 11, 1000, 6000));
}

/* An event knows better than what was seen after it. */
TEST_F(why, woken_before_it_was_seen)
{
	tell_sight(&self->s, 11, 'S', 0, 1200);
	tell_begin(&self->s);
	STORY(&self->s, "1@1100 wake 11 by 13 on 0; end 6000");
	EXPECT_STREQ("1100-6000 11 runnable 12=4900 @0; 1000-1100 13 running @1; ",
		     explain(self, 11, 1000, 6000));
}

/* The filter may have kept its events out. */
TEST_F(why, seen_in_a_filtered_recording)
{
	story_session(&self->s, "clock boot\nfilter comm a\n");
	tell_sight(&self->s, 11, 'R', 0, 1200);
	tell_begin(&self->s);
	story_end(&self->s, 6000);
	EXPECT_STREQ("1000-6000 11 unknown (before its first event) @0; ",
		     explain(self, 11, 1000, 6000));
}

/* It may have had events since that are in another archive. */
TEST_F(why, seen_before_a_part)
{
	tell_sight(&self->s, 11, 'R', 0, 1200);
	self->s.streams[0] = (struct story_stream){ 1500, 10, 0, 1 };
	STORY(&self->s, "opening 0 #1 @2000; 0@2500 13>12 S; end 6000");
	EXPECT_STREQ("2500-6000 11 unknown (before its first event) @0; ",
		     explain(self, 11, 2500, 6000));
}

/* It waits behind 12, and from its move on behind 13. */
TEST_F(why, moved_while_it_waits_from_the_begin)
{
	tell_sight(&self->s, 11, 'R', 0, 1200);
	tell_begin(&self->s);
	STORY(&self->s, "1@3000 11/11 moves 0>1; end 6000");
	EXPECT_STREQ("3000-6000 11 runnable 13=3000 @0; 1000-3000 11 runnable 12=2000 @0; ",
		     explain(self, 11, 1000, 6000));
}
