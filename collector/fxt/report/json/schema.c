// SPDX-License-Identifier: GPL-2.0-or-later
/* schema.c - the JSON Schema of what json.c prints; that of tables is made of their columns. */
#include "json.h"
#include "report/tables/tables.h"

static const struct schema party[] = {
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("threads", IS_NUMBER),
	MEMBER("tid", IS_NUMBER, .about = "of one of them"),
	MEMBER("ns", IS_NS),
	MEMBER("of_ns", IS_NS | OR_ABSENT),
	{ 0 }
};

#define WORD(kind, name)	name "|"

/* Numbers that a kind of findings does not have are null, or 0. */
static const struct schema finding[] = {
	MEMBER("kind", IS_WORD, .words = REPORT_FINDING_KINDS(WORD)),
	MEMBER("text", IS_TEXT, .about = "a sentence"),
	MEMBER("name", IS_TEXT | OR_NULL, .about = "of the victims"),
	MEMBER("threads", IS_NUMBER, .about = "the number of victims"),
	MEMBER("tid", IS_NUMBER | OR_NULL, .about = "of a single victim"),
	MEMBER("nth", IS_NUMBER | OR_NULL, .about = "how many threads had the id before"),
	MEMBER("pid", IS_NUMBER | OR_NULL, .about = "of a convoy"),
	MEMBER("cgroup", IS_TEXT | OR_NULL,
	       .about = "whose quota; that of held threads, and of those that reclaim"),
	MEMBER("source", IS_TEXT | OR_NULL,
	       .about = "the interrupt, the device, the kind of the lock, or the data of a socket that "
			"ended most sleeps; of memory, what they did"),
	MEMBER("lock", IS_TEXT | OR_ABSENT, .about = "its address, hexadecimal"),
	MEMBER("cpu", IS_NUMBER | OR_NULL, .about = "where it happened"),
	MEMBER("idle_cpu", IS_NUMBER | OR_NULL, .about = "the CPU that was idle meanwhile"),
	MEMBER("idle_ns", IS_NS | OR_NULL),
	MEMBER("ns", IS_NS,
	       .about = "lost; of a spike or trigger, of the wait; of serial, of who ran alone"),
	MEMBER("of_ns", IS_NS,
	  .about = "the time in which they existed; of serial, that in which one CPU was busy"),
	MEMBER("at_least", IS_FLAG, .about = "not all was looked at"),
	MEMBER("direct_ns", IS_NS, .about = "of ns, while they did not sleep"),
	MEMBER("count", IS_NUMBER, .about = "waits, sleeps; of memory, reclaims or compactions"),
	MEMBER("longest_ns", IS_NS, .about = "of these; of slow, on average"),
	MEMBER("longest_from_ns", IS_TIME),
	MEMBER("usual_ns", IS_NS, .about = "of a spike"),
	MEMBER("open", IS_FLAG, .about = "of a spike: it was not over"),
	MEMBER("culprits", IS_LIST,
	       .about = "who had the CPU; of request, who submitted those ahead", .of = party),
	MEMBER("through", IS_LIST, .about = "until whom the victims slept meanwhile", .of = party),
	MEMBER("others", IS_LIST, .about = "who else lost time in this way", .of = party),
	MEMBER("sleepers", IS_LIST, .about = "who slept until the victims", .of = party),
	{ 0 }
};

#define CAUSE	MEMBER("cause", IS_WORD, .words = FXT_CAUSE_WORDS)

static const struct schema trigger_wait[] = {
	{ .is = IS_HERE, .columns = columns_wait },
	CAUSE,
	{ 0 }
};

static const struct schema trigger_other[] = {
	MEMBER("time_ns", IS_TIME),
	MEMBER("runnable", IS_NUMBER | OR_ABSENT, .about = "threads"),
	MEMBER("latency_ns", IS_NS | OR_ABSENT),
	MEMBER("cpu", IS_NUMBER),
	MEMBER("tid", IS_NUMBER | OR_NULL),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("open", IS_FLAG | OR_ABSENT, .about = "the sleep or wait was not over"),
	MEMBER("lock", IS_TEXT | OR_NULL | OR_ABSENT, .about = "kind; null if it is not known"),
	MEMBER("lock_address", IS_TEXT | OR_NULL | OR_ABSENT),
	MEMBER("holder", IS_NUMBER | OR_NULL | OR_ABSENT,
	       .about = "of the lock, its tid; null if it is not known"),
	MEMBER("holder_name", IS_TEXT | OR_NULL | OR_ABSENT),
	{ .is = IS_HERE, .columns = columns_trigger_stacks },
	CAUSE,
	{ 0 }
};

static const struct schema trigger[] = {
	{ .is = IS_OBJECT, .about = "a wait", .of = trigger_wait },
	{ .is = IS_OBJECT, .about = "a sleep, a wait for a lock, an interrupt, or runnable threads", .of = trigger_other },
	{ 0 }
};

static const struct schema losses[] = {
	MEMBER("told", IS_FLAG, .about = "the archive knows its losses"),
	MEMBER("truncated", IS_FLAG, .about = "it has no end"),
	MEMBER("damaged", IS_FLAG),
	MEMBER("deviations", IS_NUMBER, .about = "from the format"),
	MEMBER("contradictions", IS_NUMBER),
	MEMBER("skipped_records", IS_NUMBER),
	MEMBER("skipped_bytes", IS_NUMBER),
	MEMBER("lost", IS_NUMBER, .about = "records"),
	MEMBER("written", IS_NUMBER),
	MEMBER("lost_names", IS_NUMBER),
	MEMBER("buffer_full", IS_NUMBER, .about = "events"),
	{ .is = IS_TABLE, .table = &table_losses },
	MEMBER("unknown_waits", IS_NUMBER),
	MEMBER("violations", IS_NUMBER),
	MEMBER("wakings", IS_FLAG, .about = "wakeups are those of sched_waking"),
	MEMBER("filtered", IS_TEXT | OR_NULL),
	{ 0 }
};

#define STACKS(kind)								\
	{ .is = IS_TABLE, .table = &table_stacks[kind] },			\
	{ .is = IS_TABLE, .table = &table_functions[kind] }

/* A member of these is there whenever they are. */
static const struct schema stacks[] = {
	STACKS(REPORT_STACK_SLEPT),
	STACKS(REPORT_STACK_IDLE),
	STACKS(REPORT_STACK_PREEMPTED),
	STACKS(REPORT_STACK_WAKER),
	STACKS(REPORT_STACK_RAN),
	{ 0 }
};

static const struct schema slices[] = {
	MEMBER("first_ns", IS_TIME),
	MEMBER("last_ns", IS_TIME),
	MEMBER("slices", IS_NUMBER),
	MEMBER("async_slices", IS_NUMBER),
	MEMBER("instants", IS_NUMBER),
	MEMBER("flows", IS_NUMBER, .about = "records"),
	MEMBER("unended", IS_NUMBER, .about = "slices without an end"),
	MEMBER("unbegun", IS_NUMBER, .about = "ends without a begin"),
	MEMBER("refused", IS_NUMBER, .about = "asynchronous slices that are not counted, because "
	       "there are too many at once"),
	MEMBER("unkept", IS_NUMBER, .about = "slices whose self time is not known"),
	{ .is = IS_TABLES, .tables = tables_of_slices_in_json },
	{ 0 }
};

const struct schema report_schema[] = {
	MEMBER("file", IS_TEXT),
	MEMBER("first_ns", IS_TIME, .about = "of the whole archive, like the next three"),
	MEMBER("last_ns", IS_TIME),
	MEMBER("switches", IS_NUMBER),
	MEMBER("wakeups", IS_NUMBER),
	MEMBER("from_ns", IS_TIME, .about = "of the selected time and CPUs, like what follows"),
	MEMBER("to_ns", IS_TIME),
	MEMBER("cpus_counted", IS_NUMBER),
	MEMBER("threads_counted", IS_NUMBER),
	MEMBER("processes_counted", IS_NUMBER),
	MEMBER("busy_ns", IS_NS, .about = "of all CPUs, like the next three"),
	MEMBER("idle_ns", IS_NS),
	MEMBER("offline_ns", IS_NS),
	MEMBER("unknown_ns", IS_NS),
	MEMBER("switches_counted", IS_NUMBER),
	MEMBER("sort", IS_TEXT),
	MEMBER("relative_error", IS_FRACTION, .about = "of percentiles, which are never too small"),
	{ .is = IS_HERE, .columns = columns_total_waits },
	{ .is = IS_HERE, .columns = columns_sleeps },
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("findings", IS_LIST,
	       .about = "where threads lost time, what matters most first", .of = finding),
	MEMBER("unlooked", IS_NUMBER,
	       .about = "threads that waited and were not analysed for findings"),
	{ .is = IS_TABLE, .table = &table_cpus },
	{ .is = IS_TABLE, .table = &table_names },
	{ .is = IS_TABLE, .table = &table_cgroups },
	{ .is = IS_TABLE, .table = &table_processes },
	{ .is = IS_TABLE, .table = &table_threads },
	MEMBER("trigger", IS_EITHER | OR_NULL, .about = "of a snapshot", .of = trigger),
	{ .is = IS_TABLE, .table = &table_worst },
	{ .is = IS_TABLES, .tables = tables_in_json },
	MEMBER("stacks", IS_OBJECT | OR_ABSENT,
	       .about = "of an archive that has stacks", .of = stacks),
	MEMBER("losses", IS_OBJECT, .of = losses),
	MEMBER("scheduling", IS_FLAG, .about = "false without any switch, wakeup and ledger"),
	MEMBER("slices", IS_OBJECT | OR_ABSENT,
	       .about = "of an archive without scheduling", .of = slices),
	{ 0 }
};
