// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftrace's text as it is found in bug reports: of old kernels, of other systems, with lines out of
 * order. Each is recognised and converted, and missing information is reported.
 */
#include "convert_run.h"

static int run_on(struct tool *t, const char *verb, const char *option, const char *text)
{
	struct memory m;

	if (hold(&m, text) || lseek(m.fd, 0, SEEK_SET) < 0)
		return -1;
	return tool_run_from(t, ARGS(verb, option, "-"), m.fd);
}

static int run_on_vector(struct tool *t, const char *verb, const char *option, const char *name)
{
	char vector[64], path[4096];

	snprintf(vector, sizeof(vector), "vectors/%s", name);
	built_path(path, sizeof(path), vector);
	return tool_run(t, ARGS(verb, option, path));
}

#define EXPECT_OUTPUT(status, run, ...) do {					\
	static const char * const expected[] = { __VA_ARGS__, NULL };		\
	struct tool t;								\
	EXPECT_EQ(status, run) TH_LOG("%s", t.err);				\
	EXPECT_STREQ("", missing(&t, expected)) TH_LOG("%s", t.out);		\
} while (0)

/* `trace-cmd report -R` of an unknown kernel. */
TEST(raw_fields)
{
	EXPECT_OUTPUT(0, run_on_vector(&t, "dump", "--strict", "raw_states.txt"),
		      "outgoing_state=unknown outgoing_thread=1701 outgoing_name=\"trace-cmd\" incoming_thread=0",
		      "thread_wakeup 76.211513000 cpu=2 waking_thread=1642",
		      "outgoing_state=preempted outgoing_thread=0 incoming_thread=1642 incoming_name=\"sh\"");
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--strict",
		"cpus=1\n"
		" a-12 [000] 1.0: sched_process_fork: parent_comm=a parent_pid=12 child_comm=a child_pid=13\n"
		" a-12 [000] 1.0: task_newtask: pid=14 comm=a clone_flags=0x10000 oom_score_adj=0\n"
		" a-12 [000] 1.1: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=0x2 next_comm=b next_pid=13 next_prio=120\n"
		" b-13 [000] 1.2: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=4096 next_comm=c next_pid=15 next_prio=120\n"
		" c-15 [000] 1.3: sched_switch: prev_comm=c prev_pid=15 prev_prio=120 prev_state=1026 next_comm=d next_pid=16 next_prio=120\n"
		" d-16 [000] 1.4: sched_switch: prev_comm=d prev_pid=16 prev_prio=120 prev_state=16 next_comm=b next_pid=13 next_prio=120\n"),
		"koid=14 object_type=thread name=\"a\" { process=12",
		"name=\"fork\" { thread=13",
		"1.100000000 cpu=0 outgoing_state=blocked outgoing_thread=12", "state=\"D\"",
		"1.200000000 cpu=0 outgoing_state=preempted outgoing_thread=13",
		"1.300000000 cpu=0 outgoing_state=blocked outgoing_thread=15", "state=\"I\"",
		"1.400000000 cpu=0 outgoing_state=dead outgoing_thread=16");
}

/* The letters of kernels before 4.14, as the kernel prints them. */
TEST(old_letters)
{
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--type=context_switch", "# tracer: nop\n"
		" a-12 [000] d... 1.1: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=x ==> next_comm=b next_pid=13 next_prio=120\n"
		" b-13 [000] d... 1.2: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=D|K ==> next_comm=c next_pid=15 next_prio=120\n"
		" c-15 [000] d... 1.3: sched_switch: prev_comm=c prev_pid=15 prev_prio=120 prev_state=D|N ==> next_comm=d next_pid=16 next_prio=120\n"),
		"outgoing_state=dead outgoing_thread=12", "outgoing_thread=13", "state=\"D\"",
		"outgoing_thread=15", "state=\"I\"");
}

/* A woken thread has its last weight, or that of nice 0. */
TEST(absent_fields)
{
	EXPECT_OUTPUT(0, run_on_vector(&t, "dump", "--strict", "no_priorities.txt"),
		      "thread_wakeup 7.640000000 cpu=0 waking_thread=7 waking_name=\"hello\" { weight=1024",
		      "incoming_thread=7 incoming_name=\"hello\" { outgoing_weight=-2147483648 incoming_weight=88761 }",
		      "outgoing_state=blocked outgoing_thread=7",
		      "thread_wakeup 7.650100000 cpu=0 waking_thread=7 waking_name=\"hello\" { weight=88761");
	EXPECT_OUTPUT(0, run_on_vector(&t, "report", "--tables", "no_priorities.txt"),
		      "4 switches, 2 wakeups");
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--strict",
		" a-12 [1] 1.1: sched_switch: prev_comm=a prev_pid=12 ==> next_comm=b next_pid=13\n"
		" b-13 [1] 1.2: sched_wakeup: comm=a pid=12\n"
		" b-13 [1] 1.3: sched_migrate_task: comm=a pid=12 orig_cpu=1 dest_cpu=0\n"),
		"1.100000000 cpu=1 outgoing_state=unknown outgoing_thread=12 outgoing_name=\"a\" incoming_thread=13 incoming_name=\"b\" { outgoing_weight=1024 incoming_weight=1024",
		"thread_wakeup 1.200000000 cpu=1 waking_thread=12", "{ from=1 to=0 }");
}

TEST(a_wrong_event_first)
{
	static const char text[] =
		" a-12 [001] d..2. 0.9: sched_switch: prev_comm=a of another tracer\n"
		" a-12 [001] d..2. 1.0: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120\n";
	struct tool t;

	EXPECT_EQ(EXIT_DEVIATES, run_on(&t, "dump", "-q", text));
	EXPECT_IN(t.out, "outgoing_state=blocked outgoing_thread=12");
	EXPECT_IN(t.err, ": 1 lines not understood, first at line 1, byte 0\n");
}

/* perf sched record and others have no sched_wakeup. */
TEST(woken_then_moved)
{
	EXPECT_OUTPUT(0, run_on_vector(&t, "dump", "--strict", "waking_then_migrated.txt"),
		      "instant 100.500000000 process=500 thread=500", "{ from=1 to=0 }",
		      "thread_wakeup 100.500000000 cpu=0 waking_thread=500", "waker=600");
	EXPECT_OUTPUT(0, run_on_vector(&t, "check", "--json", "waking_then_migrated.txt"),
		      "\"verdict\":\"clean\"", "\"note_counts\":{\"sched\":{\"wakings\":1}}");
	EXPECT_OUTPUT(0, run_on_vector(&t, "report", "--tables", "waking_then_migrated.txt"),
		      "20.0ms  woken     cpu 0        at 100.520000000 s  srv/500\n"
		      "          hog/700 ran 20.0ms (100%)\n");
	/*
	 * A move by another thread, or a later move: the thread waited on the first CPU until then.
	 */
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--type=thread_wakeup,instant",
		" c-14 [001] d..2. 1.1: sched_waking: comm=a pid=12 prio=120 target_cpu=001\n"
		" c-14 [001] d..2. 1.2: sched_migrate_task: comm=b pid=13 prio=120 orig_cpu=1 dest_cpu=0\n"
		" c-14 [001] d..2. 1.3: sched_migrate_task: comm=a pid=12 prio=120 orig_cpu=1 dest_cpu=2\n"
		" c-14 [001] d..2. 1.4: sched_waking: comm=d pid=15 prio=120 target_cpu=003\n"
		" e-16 [002] d..2. 1.5: sched_migrate_task: comm=d pid=15 prio=120 orig_cpu=3 dest_cpu=2\n"),
		"thread_wakeup 1.100000000 cpu=1 waking_thread=12", "thread=13", "thread=12",
		"thread_wakeup 1.400000000 cpu=3 waking_thread=15", "thread=15");
}

TEST(lines_out_of_order)
{
	struct tool t;

	EXPECT_EQ(0, run_on_vector(&t, "report", "--tables", "out_of_order.txt"));
	EXPECT_IN(t.out, "3 switches, 2 wakeups");
	EXPECT_IN(t.out, "  2.10ms  ");
	EXPECT_IN(t.err, "out_of_order.txt: 1 lines were out of order\n");
	EXPECT_EQ(0, run_on_vector(&t, "check", "-q", "out_of_order.txt")) TH_LOG("%s", t.out);
}

/* If the texts of CPUs are joined, losses stay in their places. */
TEST(texts_joined)
{
#define RUNS(cpu, ns, out, in)								\
	" a-" out " [00" cpu "] d..2. " ns ": sched_switch: prev_comm=a prev_pid=" out	\
	" prev_prio=120 prev_state=S ==> next_comm=a next_pid=" in " next_prio=120\n"
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--type=context_switch,thread_wakeup",
		RUNS("0", "1.0", "0", "10") RUNS("0", "3.0", "10", "11") RUNS("0", "9.0", "11", "0")
		RUNS("1", "2.0", "0", "20")
		" a-20 [001] d..2. 4.5: sched_wakeup: comm=a pid=10 prio=120 target_cpu=000\n"
		"CPU:1 [LOST 3 EVENTS]\n" RUNS("1", "6.0", "20", "0") RUNS("1", "7.0", "0", "21")),
		"context_switch 2.000000000 cpu=1", "thread_wakeup 4.500000000 cpu=0 waking_thread=10",
		"context_switch 4.500000000 cpu=1", "unknown=\"lost\"",
		"context_switch 9.000000000 cpu=0", "context_switch 6.000000000 cpu=1");
}

/* A line that is too late for the window counts as lost, also in the ledger. */
TEST(lines_much_too_late)
{
	const unsigned int lines = 70000;
	char *text = malloc(lines * 64), *at = text;
	struct tool t;

	ASSERT_NE(NULL, text);
	for (unsigned int i = 0; i < lines; i++)
		at += sprintf(at, " a-12 [000] .... 1.%05u: timer_start: x\n", i);
	strcpy(at, RUNS("1", "1.00001", "13", "14") RUNS("1", "2.0", "14", "0"));
	EXPECT_EQ(EXIT_DEVIATES, run_on(&t, "check", "--only=format,sched", text));
	EXPECT_IN(t.out, ", 1 switch,");
	EXPECT_IN(t.out, ", 1 lost\n");
	EXPECT_IN(t.err, ": 1 lines were out of order\n");
	EXPECT_IN(t.err,
		  ": 1 lines are left out, because they came more than 65536 events too late;");
	EXPECT_NOT_IN(t.err, "its tracer lost");
	EXPECT_EQ(EXIT_DEVIATES, run_on(&t, "dump", "--strict", text));
}

/* The first or only event of a thread may lack its process. */
TEST(lost_process_ids)
{
	EXPECT_OUTPUT(0, run_on_vector(&t, "dump", "--type=kernel_object", "tgid_lost.txt"),
		      "koid=890 object_type=process name=\"myapp\"",
		      "koid=890 object_type=thread name=\"myapp\" { process=890",
		      "koid=900 object_type=thread name=\"Tile\" { process=890",
		      "koid=901 object_type=thread name=\"brief\" { process=890");
	EXPECT_OUTPUT(0, run_on_vector(&t, "report", "--tables", "tgid_lost.txt"),
		      "3 threads of 1 process", "\n     890        3  300ms 75.00% ");
	/*
	 * The thread is moved before its own first line, and renamed before its process is known.
	 */
	EXPECT_OUTPUT(0, run_on(&t, "dump", "--strict",
		" a-12 (-----) [000] d..2. 1.1: sched_migrate_task: comm=b pid=13 prio=120 orig_cpu=1 dest_cpu=0\n"
		" a-12 (-----) [000] d..2. 1.2: sched_switch: prev_comm=a prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120\n"
		" b-13 (-----) [000] d..2. 1.3: task_rename: pid=13 oldcomm=b newcomm=c oom_score_adj=0\n"
		" c-13 (   12) [000] d..2. 1.4: sched_switch: prev_comm=c prev_pid=13 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"),
		"koid=13 object_type=thread name=\"b\"",
		"koid=13 object_type=thread name=\"c\" { process=12:\"a\" rename=1300000000 }",
		"instant 1.100000000 process=12 thread=13",
		"koid=12 object_type=process name=\"a\"",
		"koid=12 object_type=thread name=\"a\" { process=12:\"a\" }");
}
