// SPDX-License-Identifier: GPL-2.0-or-later
/* Each nanosecond of a wait has one culprit; --by selects what the parties are. */
#include "harness.h"
#include "event_story.h"
#include "tool.h"

FIXTURE(blame)
{
	struct story s;
	struct tool t;
	char path[32];
};

FIXTURE_SETUP(blame)
{
	story_begin(&self->s);
	strcpy(self->path, "/tmp/blame_test_XXXXXX");
	close(mkstemp(self->path));
}

FIXTURE_TEARDOWN(blame)
{
	unlink(self->path);
}

static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 worker; name 12/11 worker; name 13 =hog; name 14 other; "
		 "0@1000 0>11; 1500 wake 12 by 11; 2000 11>13; 2100-2200 softirq %; 3000 13>12 S; "
		 "4000 12>14 S; 4500 14>11 S; 5000 11>0 S; end 6000", EVENT_NET_RX);
}

static int run(FIXTURE_DATA(blame) *self, const char *by, const char *how)
{
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
	return tool_run(&self->t, ARGS("blame", "--by", by, how, self->path));
}

#define HEAD	"victim,victim_id,culprit,culprit_id,kind,ns,count,longest_ns,longest_from_ns\n"

TEST_F(blame, threads)
{
	tell(&self->s);
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "worker,11,worker,12,thread,1000,1,1000,2000\n"
		     "worker,11,\"'=hog\",13,thread,900,1,900,2000\n"
		     "worker,12,\"'=hog\",13,thread,900,1,900,1500\n"
		     "worker,11,other,14,thread,500,1,500,2000\n"
		     "worker,12,worker,11,thread,500,1,500,1500\n"
		     "worker,11,NET_RX,,softirq,100,1,100,2000\n"
		     "worker,12,NET_RX,,softirq,100,1,100,1500\n", self->t.out);
}

TEST_F(blame, names)
{
	tell(&self->s);
	EXPECT_EQ(0, run(self, "name", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "worker,,\"'=hog\",,thread,1800,2,900,1500\n"
		     "worker,,worker,,thread,1500,2,1000,2000\n"
		     "worker,,other,,thread,500,1,500,2000\n"
		     "worker,,NET_RX,,softirq,200,2,100,1500\n", self->t.out);
}

TEST_F(blame, cgroups)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "web", "/web");
	event_process_in(&self->s, 13, "batch", "/batch");
	event_cgroup(&self->s, 77, 0, "/web");
	STORY(&self->s, "0@1000 0>11; 2000 11>13; 3000 13>0 S; 3000-4000 throttle 77; 4000 0>11; "
			"5000 11>0 S; end 6000");
	EXPECT_EQ(0, run(self, "cgroup", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "/web,,/batch,,thread,1000,1,1000,2000\n"
		     "/web,,/web,,throttled,1000,1,1000,3000\n", self->t.out);
}

/*
 * 13 comes to another cgroup while 11 waits for it, and 11 to another one while it waits for 12;
 * each part of a wait counts for the cgroups of then. 12 moves without its process.
 */
TEST_F(blame, moves_between_cgroups)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "web", "/web");
	event_process_in(&self->s, 13, "batch", "/batch");
	STORY(&self->s, "name 12/13 twelve; 0@1000 0>11; 2000 11>13; 4000 13>11 S; 5000 11>12; "
			"8000 12>11 S; 9000 11>0 S; end 9000");
	event_attach(&self->s, 13, "/later", 3500);
	event_attach_alone(&self->s, 12, 13, "/alone", 4500);
	event_attach(&self->s, 11, "/web/2", 6000);
	EXPECT_EQ(0, run(self, "cgroup", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "/web/2,,/alone,,thread,2000,1,2000,6000\n"
		     "/web,,/batch,,thread,1500,1,1500,2000\n"
		     "/web,,/alone,,thread,1000,1,1000,5000\n"
		     "/web,,/later,,thread,500,1,500,3500\n", self->t.out);
}

/* A wait is one, however many others move meanwhile. */
TEST_F(blame, moves_of_others)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "web", "/web");
	event_process_in(&self->s, 13, "batch", "/batch");
	event_process_in(&self->s, 14, "other", "/other");
	STORY(&self->s, "0@1000 0>11; 2000 11>13; 4000 13>14; 5000 14>13; 6000 13>11 S; "
			"9000 11>0 S; end 9000");
	event_attach(&self->s, 14, "/a", 2500);
	event_attach(&self->s, 14, "/b", 4500);
	event_attach(&self->s, 14, "/b/c", 5500);
	EXPECT_EQ(0, run(self, "cgroup", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\n/web,,/batch,,thread,3000,1,3000,2000\n");
}

TEST_F(blame, a_wait_counts_once)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11/11 victim; name 12/12 culprit; name 13/12 second; "
			"name 14/12 third; 0@1000 0>11; 1@1000 0>14; 0@2000 11>12; 3000 12>13; "
			"4000 13>12; 6000 11/11 moves 0>1; 1@9000 14>11 S; 10000 11>0 S; "
			"0@11000 12>0 S; end 12000");
	EXPECT_EQ(0, run(self, "process", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\nvictim,11,culprit,12,thread,7000,1,7000,2000\n");
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\nvictim,11,third,14,thread,3000,1,3000,6000\n");
	EXPECT_IN(self->t.out, "\nvictim,11,culprit,12,thread,3000,1,3000,2000\n");
}

/* 11 waits until it is moved. Nobody saw when it got CPU 1; the report counts the same time. */
TEST_F(blame, moved_and_then_unseen)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11/11 victim; name 12/12 culprit; name 14/14 third; "
			"0@1000 0>11; 1@1000 0>14; 0@2000 11>12; 6000 11/11 moves 0>1; "
			"1@7000 14>0 S; 8000 11>0 S; 0@9000 12>0 S; end 9000");
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\nvictim,11,culprit,12,thread,4000,1,4000,2000\n");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--json", "--comm", "victim", self->path)));
	EXPECT_IN(self->t.out, "\"preempted\":{\"count\":1,\"sum_ns\":4000,");
	/* At 7500, it is not known that it got CPU 1. */
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--json", "--comm", "victim", "--to",
					     "0.0000075", self->path)));
	EXPECT_IN(self->t.out, "\"preempted\":{\"count\":1,\"sum_ns\":5500,");
}

/* Likewise if a mark shows that it has CPU 1. */
TEST_F(blame, moved_and_then_marked)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11/11 victim; name 12/12 culprit; name 14/14 third; "
			"0@1000 0>11; 1@1000 0>14; 0@2000 11>12; 6000 11/11 moves 0>1; "
			"1@7000 14>0 S; 8000 begin 11 on 1; 0@9000 12>0 S; end 9000");
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\nvictim,11,culprit,12,thread,4000,1,4000,2000\n");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--json", "--comm", "victim", self->path)));
	EXPECT_IN(self->t.out, "\"preempted\":{\"count\":1,\"sum_ns\":4000,");
}

/*
 * The kernel hides when 11 leaves a CPU. It has, or it could not be woken at 3000; by 9000 it may
 * have run again unseen, so nobody knows how long it waited. The report counts no such wait,
 * either.
 */
TEST_F(blame, hidden_when_it_sleeps)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11/11 victim; name 12/12 waker; name 14/14 third; "
			"0@1000 0>12; 1@1000 0>14; 0@1500 wake 11 by 12; 2000 12>11; "
			"3000 wake 11 by 12; 4000 12>0 S; 1@9000 14>11 S; end 10000");
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "victim,11,waker,12,thread,500,1,500,1500\n", self->t.out);
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--json", "--comm", "victim", self->path)));
	EXPECT_IN(self->t.out, "\"unknown_waits\":1,");
	EXPECT_IN(self->t.out, "\"waited_ns\":500,");
}

/*
 * CPU 1 is idle and records the wakeup 30 us after the waker has left CPU 0. A wait begins at the
 * wakeup, 10 us before 11 runs, whichever verb is asked.
 */
TEST_F(blame, woken_after_the_waker_left)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11/11 victim; name 12/12 waker; 0@1us 0>12; 1@1us 0>11; "
			"5us 11>0 S; 0@20us 12>0 S; 1@50us wake 11 by 12; 60us 0>11; 70us 11>0 S; "
			"end 80us");
	EXPECT_EQ(0, run(self, "thread", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "victim,11,(idle),,idle,10000,1,10000,50000\n", self->t.out);
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--json", "--comm", "victim", self->path)));
	EXPECT_IN(self->t.out, "\"waited_ns\":10000,");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("why", "--thread", "11", "--from", "0.000005", "--to",
					     "0.00006", self->path)));
	EXPECT_IN(self->t.out, "30.0us  54.5%  asleep, being woken by waker/12\n");
	EXPECT_IN(self->t.out, "10.0us  18.2%  runnable although cpu 1 was idle\n");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("why", "--program", "victim", "--json", self->path)));
	EXPECT_IN(self->t.out, "\"waited_ns\":10000,");
}

/* After a loss on another CPU, it is uncertain whether a thread waited, so nobody is blamed. */
TEST_F(blame, losses)
{
	story_session(&self->s, "source bpf\nmoves runnable\n");
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; 1@1000 0>13; lose 1 3 @3000; "
			"0@1500 11>12; 4000 12>11 S; 4500 11>0 S; end 5000");
	EXPECT_EQ(0, run(self, "name", "--csv")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(HEAD "eleven,,unknown,,unknown,1500,1,1500,1500\n"
		     "eleven,,twelve,,thread,1000,1,1000,3000\n", self->t.out);
}

TEST_F(blame, text_and_json)
{
	tell(&self->s);
	EXPECT_EQ(0, run(self, "process", "--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "They waited for 4.00us in total");
	EXPECT_IN(self->t.out, "worker/11                         worker/11\n");
	EXPECT_EQ(0, run(self, "process", "--json")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\"by\":\"process\",\"waited_ns\":4000,");
	EXPECT_IN(self->t.out,
			  "{\"victim\":{\"name\":\"worker\",\"id\":11},\"culprit\":"
			  "{\"name\":\"=hog\",\"id\":13},\"ns\":1800,\"count\":2,"
			  "\"longest_ns\":900,\"longest_from_ns\":1500}");
}

static void run_all(struct __test_metadata *_metadata, const char *path)
{
	static const char *const commands[][3] = {
		{ "blame", "--by", "thread" }, { "why", "--worst", "9" }, { "why", "--program", "*" },
		{ "why", "--thread", "12" },
	};
	struct tool t;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		EXPECT_GT(3, tool_run(&t, ARGS(commands[i][0], commands[i][1], commands[i][2],
					       path))) TH_LOG("%s: %s", commands[i][0], t.err);
	}
}

/* A thread that has woken itself at the time when it got its CPU is no circle. */
TEST_F(blame, wakes_itself)
{
	STORY(&self->s, "0@1000 0>12; 2000 12>0 S; 3000 wake 12 by 12; 3000 0>12; 4000 12>0 S; "
			"end 5000");
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
	run_all(_metadata, self->path);
}

/* A time of 2^64 - 1 is not one that is still to come. */
TEST_F(blame, latest_time)
{
	char path[4096];

	run_all(_metadata, built_path(path, sizeof(path), "vectors/latest_time.fxt"));
}
