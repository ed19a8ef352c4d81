// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces of Perfetto, some of them those of Perfetto's own tests, whose results are known:
 * switches, wakeups, threads and losses are those of the packets; a damaged file is an error, never
 * a crash.
 */
#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

#include "convert_run.h"
#include "database.h"
#include "perfetto_file.h"

#define FOREIGN_BYTES	4096		/* from which the format of a file is known */

FIXTURE(from_perfetto)
{
	struct pfile p;
	struct tool t;		/* after RUN() */
	char path[64];
};

FIXTURE_SETUP(from_perfetto)
{
	memset(self, 0, sizeof(*self));
	snprintf(self->path, sizeof(self->path), "/tmp/from_perfetto.%d.db", getpid());
}

FIXTURE_TEARDOWN(from_perfetto)
{
	unlink(self->path);
}

#define RUN(expected, verb, a, b)						\
	ASSERT_EQ(expected, pfile_run(&self->t, verb, a, b, self->p.data, self->p.bytes))	\
		TH_LOG("%s%s", self->t.out, self->t.err)

#define ADD(text, ...)	PFILE(&self->p, text, ##__VA_ARGS__)
#define DUMP(expected)	RUN(expected, "dump", "--type=context_switch,thread_wakeup,duration_complete", NULL)

/* The runs that the table sched of a database has, as Perfetto's tests ask for them. */
#define EXPECT_RUNS(expected) do {						\
	char out[100], text[1024];						\
										\
	snprintf(out, sizeof(out), "--output=%s", self->path);			\
	RUN(0, "convert", "--to=sqlite", out);					\
	EXPECT_STREQ(expected, database_text(self->path, text, sizeof(text),	\
		"SELECT group_concat(cpu || ',' || ts || ',' || dur || ',' || tid, ' ') FROM " \
		"(SELECT * FROM sched JOIN thread USING (utid) WHERE dur >= 0 ORDER BY cpu, ts)")); \
} while (0)

/* --- the forms of events ------------------------------------------------------------------- */

/* Perfetto's test synth_1: it finds the same runs. */
TEST_F(from_perfetto, plain)
{
	ADD("cpu 0{@1 /1 0>/3 @100 /3 0>/2 @115 /2 0>/3}} cpu 1{@50 /4 0>/1 @120 /1 0>/2 "
	    "@170 /2 0>/0 @250 /0 0>/2 @390 /2 0>/4}}");
	EXPECT_RUNS("0,1,99,3 0,100,15,2 1,50,70,1 1,120,50,2 1,170,80,0 1,250,140,2");
}

/* The bundle goes on. */
static void begin_compact(struct pfile *p)
{
	PFILE(p, "cpu 6{4{5'zero:6' 5'one:6' 5'two:6' 5'three:6' 1[500 100 500 100] 2[0 1 2 0] "
		 "3[40 41 42 43] 4[120 120 120 120] 6[0 1 2 3]}");
}

/*
 * Perfetto's test crop_compact_sched_switch: it finds the run of 42. It ignores the first switch of
 * a CPU, whose outgoing thread is unknown, and here its test also drops what is before the begin of
 * another CPU.
 */
TEST_F(from_perfetto, compact)
{
	begin_compact(&self->p);
	ADD("}}");
	EXPECT_RUNS("6,500,100,40 6,600,500,41 6,1100,100,42");
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000000500 cpu=6 outgoing_state=preempted outgoing_thread=0 incoming_thread=40 incoming_name=\"zero:6\" { outgoing_weight=-2147483648 incoming_weight=1024 unknown=\"begin\" }");
	EXPECT_IN(self->t.out, "0.000000600 cpu=6 outgoing_state=blocked outgoing_thread=40");
	EXPECT_IN(self->t.out, "outgoing_thread=41 outgoing_name=\"one:6\" incoming_thread=42 incoming_name=\"two:6\" { outgoing_weight=1024 incoming_weight=1024 state=\"D\" }");
	RUN(0, "check", NULL, NULL);
}

/* A compact wakeup does not say which thread wakes: the one that was switched in last. */
TEST_F(from_perfetto, compact_wakeups)
{
	begin_compact(&self->p);
	ADD("4{5'woken' 7[400 250 550] 8[60 61 62] 9[2 3 6] 10[120 120 120] 11[0 0 0] "
	    "12[0 0 8]}}}");
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000000400 cpu=2 waking_thread=60 waking_name=\"woken\" { weight=1024 }");
	EXPECT_IN(self->t.out, "0.000000650 cpu=3 waking_thread=61 waking_name=\"woken\" { weight=1024 waker=41:\"one:6\" }");
	EXPECT_IN(self->t.out, "0.000001200 cpu=6 waking_thread=62 waking_name=\"woken\" { weight=1024 irq=\"hard\" interrupted=43:\"three:6\" }");
	RUN(0, "check", NULL, NULL);
}

/* Bundles of a CPU come before those of another one, and overlap with them in time. */
TEST_F(from_perfetto, order)
{
	ADD("cpu 1{@2000 a/50 1>swapper/0 @4000 swapper/0 0>a/50}} "
	    "cpu 0{@1000 swapper/0 0>b/51 2{1=3000 2=51 20{1'a' 2=50 3=120 5=1}} "
	    "@5000 b/51 1>swapper/0}}");
	RUN(0, "check", "--strict", NULL);
	RUN(0, "report", "-q", NULL);
	EXPECT_IN(self->t.out, "1.00us");	/* from the wakeup at 3000 to the run at 4000 */
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000003000 cpu=1 waking_thread=50 waking_name=\"a\" { weight=1024 waker=51:\"b\" }");
}

/* --- the kernel ---------------------------------------------------------------------------- */

static void system_info(struct pfile *p, const char *release)
{
	PFILE(p, "1{45{1{3'%'}}}", (intptr_t)release);
}

/* The kernel's version decides on the bits of states. */
TEST_F(from_perfetto, states)
{
	static const struct {
		const char *release;
		uint64_t number;
		const char *expected;
	} cases[] = {
		{ "5.10.66-android12-9", 64, "state=\"P\"" },
		{ "5.10.66-android12-9", 128, "state=\"I\"" },
		{ "4.14.117-g12", 256, "outgoing_state=preempted" },
		{ "5.10.66-android12-9", 512, "outgoing_state=unknown" },
		{ "4.9.1", 512, "state=\"P\"" },
		{ "4.9.1", 64, "outgoing_state=unknown" },
		{ NULL, 1026, "state=\"I\"" },
		{ NULL, 2048, "outgoing_state=preempted" },
		{ "5.10", 1, "outgoing_state=blocked" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		self->p.bytes = 0;
		if (cases[i].release)
			system_info(&self->p, cases[i].release);
		ADD("cpu 0{@1000 a/50 %>b/51}}", cases[i].number);
		DUMP(0);
		EXPECT_NE(NULL, strstr(self->t.out, cases[i].expected))
			TH_LOG("%zu: %s: %s", i, cases[i].expected, self->t.out);
	}
}

/* --- threads ------------------------------------------------------------------------------- */

TEST_F(from_perfetto, threads)
{
	/* task_rename, task_newtask: a thread, process_tree, process_stats */
	ADD("cpu 0{@1000 ndroid.systemui/50 1>worker/51 2{1=1500 2=51 236{1=51 2'worker' "
	    "3'renamed'}} 2{1=1600 2=51 235{1=52 2'renamed' 3=0x10000}} "
	    "@2000 renamed/51 1>seen/60}} 1{8=2500 2{1{1=50 2=7 3'com.android.systemui'} "
	    "1{1=7 3'/system/bin/app_process64' 3'-Xzygote'} 2{1=51 2'other' 3=50}}} 1{8=2600 "
	    "9{1{1=50 11{1=60}}}}");
	RUN(0, "dump", "--type=kernel_object", NULL);
	EXPECT_IN(self->t.out, "koid=50 object_type=thread name=\"ndroid.systemui\" { process=50:\"ndroid.systemui\" parent=7:\"app_process64\" }");
	EXPECT_IN(self->t.out, "koid=51 object_type=thread name=\"worker\"");
	EXPECT_IN(self->t.out, "koid=51 object_type=thread name=\"renamed\" { process=50:\"ndroid.systemui\" rename=1500 }");
	EXPECT_IN(self->t.out, "koid=52 object_type=thread name=\"renamed\" { process=50:\"ndroid.systemui\" fork=1600 }");
	EXPECT_IN(self->t.out, "koid=60 object_type=thread name=\"seen\" { process=50:\"ndroid.systemui\" }");
	EXPECT_IN(self->t.out, "koid=7 object_type=thread name=\"app_process64\" { process=7:\"app_process64\" }");
	EXPECT_NOT_IN(self->t.out, "other");
}

/*
 * Perfetto's test synth_process_tracking, with the result that it expects: threads that only events
 * name, threads of a tree that comes later, and an id that is used again by another process. Here
 * the first thread with that id ends, as it must.
 */
TEST_F(from_perfetto, threads_and_processes)
{
	char out[100], text[1024];

	ADD("cpu 0{@1000000 /0 0>p1-t0/10 @2000000 p1-t0/10 0>p1-t1/11 "
	    "@3000000 p1-t1/11 0>p1-t2/12 @4000000 p1-t2/12 0>/0}} "
	    "1{8=5000000 2{1{1=10 3'process1'} 2{1=12 2'p1-t2' 3=10}}} "
	    "cpu 0{@10000000 /0 0>p2-t0/20 @11000000 p2-t0/20 0>p2-t1/21 "
	    "2{1=12000000 2=21 235{1=22 2'p2-t2' 3=0x10000}} @13000000 p2-t1/21 0>p2-t2/22 "
	    "@14000000 p2-t2/22 0>/0}} "
	    "1{8=15000000 2{1{1=20 3'process_2'} 2{1=21 2'p2-t1' 3=20}}} "
	    "cpu 0{@20000000 /0 0>p3-t0/30 @21000000 p3-t0/30 0>p3-t1/31 "
	    "2{1=22000000 2=31 235{1=32 2'p3-t2' 3=0x10000}} "
	    "2{1=23000000 2=31 235{1=33 2'p3-t3' 3=0x10000}} @24000000 p3-t1/31 16>p3-t2/32 "
	    "2{1=25000000 2=32 235{1=34 2'p3-t4' 3=0x10000}}}} "
	    "1{8=26000000 2{1{1=30 3'process_3'} 2{1=31 2'p3-t1' 3=30}}} "
	    "cpu 0{2{1=27000000 2=32 235{1=40 2'p4-t0' 3=0}} @28000000 p3-t2/32 0>p4-t0/40}} "
	    "1{8=29000000 2{1{1=40 3'process_4'}}} "
	    "cpu 0{2{1=30000000 2=40 235{1=31 2'p4-t1' 3=0x10000}} "
	    "@31000000 p4-t0/40 0>p4-t1/31}}");
	snprintf(out, sizeof(out), "--output=%s", self->path);
	RUN(0, "convert", "--to=sqlite", out);
	EXPECT_STREQ("10,10,p1-t0 11,NULL,p1-t1 12,10,p1-t2 20,20,p2-t0 21,20,p2-t1 22,20,p2-t2 "
		     "30,30,p3-t0 31,30,p3-t1 31,40,p4-t1 32,30,p3-t2 33,30,p3-t3 34,30,p3-t4 "
		     "40,40,p4-t0",
		     database_text(self->path, text, sizeof(text),
			"SELECT group_concat(tid || ',' || ifnull(pid, 'NULL') || ',' || name, ' ') FROM "
			"(SELECT tid, pid, thread.name AS name FROM thread LEFT JOIN process USING (upid) "
			"WHERE tid > 0 ORDER BY tid, pid)"));
}

/* --- clocks -------------------------------------------------------------------------------- */

/* Perfetto relates ftrace's own clock by a pair of times in each bundle: later than its events. */
TEST_F(from_perfetto, clock_of_ftrace)
{
	/* FTRACE_CLOCK_GLOBAL */
	ADD("cpu 0{5=2 6=3000 7=1003000 @1000 swapper/0 0>a/50}} cpu 0{5=2 6=9000 7=1009500 "
	    "@4000 a/50 1>swapper/0 @9500 swapper/0 0>a/50}}");
	DUMP(0);
	EXPECT_IN(self->t.out, "0.001001000 cpu=0");
	EXPECT_IN(self->t.out, "0.001004000 cpu=0");
	EXPECT_IN(self->t.out, "0.001010000 cpu=0");
	RUN(0, "info", NULL, NULL);
	EXPECT_IN(self->t.out, "boot");
}

static void snapshot(struct pfile *p, uint64_t boot, uint64_t id, uint64_t other)
{
	PFILE(p, "1{6{1{1=% 2=%} 1{1=6 2=%}}}", id, other, boot);
}

TEST_F(from_perfetto, clock_snapshots)
{
	/* FTRACE_CLOCK_MONO_RAW */
	ADD("cpu 0{5=4 @1000 swapper/0 0>a/50 @3000 a/50 1>swapper/0}}");
	snapshot(&self->p, 500500, 5, 500);
	snapshot(&self->p, 502400, 5, 2500);
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000501000 cpu=0");
	EXPECT_IN(self->t.out, "0.000502900 cpu=0");
}

/* A snapshot that goes back does not let later times go back. */
TEST_F(from_perfetto, clock_snapshot_that_goes_back)
{
	ADD("cpu 0{5=4 @1000 swapper/0 0>a/50 @3000 a/50 1>swapper/0}}");
	snapshot(&self->p, 500500, 5, 500);
	snapshot(&self->p, 400000, 5, 2500);
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000500500 cpu=0");
	EXPECT_IN(self->t.out, "0.000501000 cpu=0");
}

/* Each sequence of packets numbers functions by itself; one without a name has its address. */
TEST_F(from_perfetto, functions_of_sequences)
{
	static const char *const names[] = { "one", "two" };
	uint64_t ns = 1000;

	for (int i = 0; i < 2; i++) {
		ADD("1{10=% 12{26{1=7 2'%'}} 1{1=%", i + 1, (intptr_t)names[i], i);
		for (int k = 0; k < 2; k++, ns += 100) {
			/* workqueue_execute_start */
			ADD("2{1=% 2=% 58{2=%}} 2{1=% 2=% 57{}}",
			    ns, 60 + i, k ? 0xffffffff81000010 : 7, ns + 10, 60 + i);
		}
		ADD("}}");
	}
	DUMP(0);
	EXPECT_IN(self->t.out, "category=\"work\" name=\"one\" end=0.000001010");
	EXPECT_IN(self->t.out, "category=\"work\" name=\"0xffffffff81000010\" end=0.000001110");
	EXPECT_IN(self->t.out, "category=\"work\" name=\"two\" end=0.000001210");
}

/* Without a relation, times of the only clock stay; a second clock is left out. */
TEST_F(from_perfetto, clock_without_relation)
{
	/* FTRACE_CLOCK_LOCAL */
	ADD("cpu 0{5=3 @1000 swapper/0 0>a/50 @3000 a/50 1>swapper/0}}");
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000003000 cpu=0");
	ADD("cpu 1{5=2 @1000 swapper/0 0>b/51}}");
	DUMP(EXIT_DEVIATES);
	EXPECT_IN(self->t.err, ": 1 events are left out: the trace does not relate their clock to the others");
	EXPECT_NOT_IN(self->t.out, "cpu=1");
}

/*
 * --- marks of programs, functions of the kernel ------------------------------------------------
 */

TEST_F(from_perfetto, marks)
{
	/* print, sched_blocked_reason, interned_data */
	ADD("cpu 0{@1000 swapper/0 0>a/50 2{1=1100 2=50 3{2'B|50|work\n'}} 2{1=1400 2=50 "
	    "3{2'E|50\n'}} @2000 a/50 2>swapper/0 2{1=2001 2=50 18{1=50 2=1 3=1}}}} "
	    "1{12{26{1=1 2'folio_wait_bit'}}}");
	RUN(0, "dump", "--type=duration_begin,duration_end,instant", NULL);
	EXPECT_IN(self->t.out, "duration_begin 0.000001100 process=50");
	EXPECT_IN(self->t.out, "duration_end 0.000001400 process=50");
	EXPECT_IN(self->t.out, "iowait=true caller=\"folio_wait_bit\"");
	RUN(0, "check", NULL, NULL);
}

/* --- losses -------------------------------------------------------------------------------- */

#define TWO_SWITCHES	"@1000 a/50 1>b/51 @2000 b/51 1>a/50"

enum loss {
	LOSS_NONE,
	LOSS_FLAG,
	LOSS_END,	/* the end of the bundle before is later than that which is there */
	LOSS_PACKET,	/* as in traces of old versions */
	LOSS_EARLY,	/* only before the first event */
};

static void write_losses(struct pfile *p, enum loss loss)
{
	p->bytes = 0;
	PFILE(p, "1{10=3 1{1=0 3=% " TWO_SWITCHES "}} 1{10=3", loss == LOSS_EARLY);
	if (loss == LOSS_PACKET)
		PFILE(p, "42=1");
	PFILE(p, "1{1=0 3=%", loss == LOSS_FLAG);
	if (loss != LOSS_PACKET)
		PFILE(p, "10=%", loss == LOSS_END ? 5000 : 2000);
	PFILE(p, "@11000 a/50 1>b/51 @12000 b/51 1>a/50}}");
}

TEST_F(from_perfetto, losses)
{
	for (enum loss loss = LOSS_NONE; loss <= LOSS_EARLY; loss++) {
		bool is_lost = loss >= LOSS_FLAG && loss <= LOSS_PACKET;

		write_losses(&self->p, loss);
		DUMP(0);
		EXPECT_EQ(is_lost, !!strstr(self->t.out, "0.000002000 process=2147418112 thread=2147418113 thread_name=\"lost on cpu 0\" category=\"fxt_sched\" name=\"lost\" end=0.000011000"))
			TH_LOG("%d: %s", loss, self->t.out);
		EXPECT_EQ(is_lost, !!strstr(self->t.err, "its tracer lost at least 1 events"))
			TH_LOG("%d: %s", loss, self->t.err);
		EXPECT_EQ(loss == LOSS_EARLY, !!strstr(self->t.err, ": 1 CPUs lost events before their first one"))
			TH_LOG("%d: %s", loss, self->t.err);
		RUN(0, "check", NULL, NULL);
	}
}

/* After a loss, the thread that a compact switch switches out is unknown again. */
TEST_F(from_perfetto, compact_after_a_loss)
{
	begin_compact(&self->p);
	ADD("}} cpu 6{3=1 4{5'later' 1[5000 100] 2[1 1] 3[70 71] 4[120 120] 6[0 0] 7[4900 1] "
	    "8[60 43] 9[2 2] 10[120 120] 11[0 0]}}}");
	DUMP(0);
	EXPECT_IN(self->t.out, "0.000005100 cpu=6 outgoing_state=blocked outgoing_thread=70");
	EXPECT_NOT_IN(self->t.out, "0.000005000 cpu=6");
	EXPECT_IN(self->t.out, "0.000004900 cpu=2 waking_thread=60 waking_name=\"later\" { weight=1024 }");
	EXPECT_IN(self->t.out, "0.000004901 cpu=2 waking_thread=43");
	EXPECT_NOT_IN(self->t.out, "outgoing_state=blocked outgoing_thread=43");
	RUN(0, "check", NULL, NULL);
}

/* --- what is not converted ------------------------------------------------------------------ */

static void simple_trace(struct pfile *p)
{
	PFILE(p, "cpu 0{" TWO_SWITCHES "}}");
}

TEST_F(from_perfetto, other_kinds)
{
	simple_trace(&self->p);
	ADD("cpu 0{2{1=3000 2=50 313{}} 2{1=3100 2=50 600{}}}}");
	for (int i = 0; i < 3; i++) {
		ADD("1{11{9=1}}");
	}
	RUN(0, "report", "-q", NULL);
	EXPECT_IN(self->t.err, ": 5 events are of kinds that fxt does not convert: track_event 3, rss_stat 1, FtraceEvent.600 1\n");
}

TEST_F(from_perfetto, other_machines)
{
	simple_trace(&self->p);
	ADD("1{98=2 1{1=1 " TWO_SWITCHES "}}");
	DUMP(EXIT_DEVIATES);
	EXPECT_IN(self->t.err, ": 1 packets of other machines are left out");
	EXPECT_NOT_IN(self->t.out, "cpu=1");
}

TEST_F(from_perfetto, nothing_of_ftrace)
{
	for (int i = 0; i < 2; i++) {
		ADD("1{11{9=1}}");
	}
	RUN(EXIT_UNREADABLE, "report", NULL, NULL);
	EXPECT_IN(self->t.err, "this trace of Perfetto has no events of ftrace; record sched/sched_switch");
	EXPECT_IN(self->t.err, "track_event 2");
}

/* --- files ---------------------------------------------------------------------------------- */

static size_t zlib_packet(const struct pfile *p, unsigned char *to, size_t room)
{
	uLongf bytes = room;

	return compress(to, &bytes, p->data, p->bytes) == Z_OK ? bytes : 0;
}

/* Packets in a packet, compressed; packets outside of it are read as well. */
TEST_F(from_perfetto, compressed_packets)
{
	static unsigned char packed[PFILE_BYTES];
	static const uint32_t fields[] = { 50, 133 };
	static struct pfile inside;
	size_t bytes, first;
	char expected[160];

	for (int i = 0; i < 2; i++) {
		inside.bytes = self->p.bytes = 0;
		simple_trace(&inside);
		bytes = i ? ZSTD_compress(packed, sizeof(packed), inside.data, inside.bytes, 1) :
			zlib_packet(&inside, packed, sizeof(packed));
		pfile_packet(&self->p, fields[i], packed, bytes);
		ADD("cpu 1{@1500 a/50 1>b/51 @2500 b/51 1>a/50}}");
		DUMP(0);
		EXPECT_IN(self->t.out, "0.000002000 cpu=0");
		EXPECT_IN(self->t.out, "0.000002500 cpu=1");
		/* Without its end, the packet cannot be unpacked. */
		self->p.bytes = 0;
		simple_trace(&self->p);
		first = self->p.bytes;
		pfile_packet(&self->p, fields[i], packed, bytes / 2);
		DUMP(EXIT_DEVIATES);
		snprintf(expected, sizeof(expected),
			 ": 1 compressed packets are left out, because they are damaged or unpack to too much, first at byte %zu\n",
			 first);
		EXPECT_IN(self->t.err, expected);
		EXPECT_IN(self->t.out, "0.000002000 cpu=0");
		RUN(EXIT_UNREADABLE, "check", "--strict", NULL);
	}
}

TEST_F(from_perfetto, no_room_to_unpack)
{
	const struct rlimit little = { 8192, 8192 };
	static unsigned char packed[PFILE_BYTES];
	static struct pfile inside;
	size_t bytes;

	for (inside.bytes = 0; inside.bytes < 16384;)
		simple_trace(&inside);
	bytes = zlib_packet(&inside, packed, sizeof(packed));
	pfile_packet(&self->p, 50, packed, bytes);
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &little));
	RUN(EXIT_UNWRITABLE, "info", "-q", NULL);
	EXPECT_IN(self->t.err, "fxt: cannot write a temporary file: File too large\n");
	EXPECT_NOT_IN(self->t.err, "no events of ftrace");
}

/* The beginning by which the format is known may end anywhere in the second packet. */
TEST_F(from_perfetto, second_packet_across_the_beginning)
{
	static const char zeros[PFILE_BYTES];
	struct pfile *p = &self->p;

	for (size_t bytes = FOREIGN_BYTES - 20; bytes < FOREIGN_BYTES; bytes++) {
		p->bytes = 0;
		pfile_packet(p, 900, zeros, bytes - 9);
		simple_trace(p);
		RUN(0, "info", "-q", NULL);
	}
}

TEST_F(from_perfetto, gzip)
{
	static unsigned char packed[PFILE_BYTES];
	z_stream z = { .avail_out = sizeof(packed), .next_out = packed };

	simple_trace(&self->p);
	z.next_in = self->p.data;
	z.avail_in = self->p.bytes;
	ASSERT_EQ(Z_OK, deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY));
	ASSERT_EQ(Z_STREAM_END, deflate(&z, Z_FINISH));
	deflateEnd(&z);
	ASSERT_EQ(0, pfile_run(&self->t, "check", NULL, NULL, packed, z.total_out)) TH_LOG("%s", self->t.err);
}

/* A recording that was cut off, as on a phone that was switched off. */
TEST_F(from_perfetto, truncated)
{
	size_t first;

	simple_trace(&self->p);
	first = self->p.bytes;
	ADD("cpu 1{@1500 a/50 1>b/51 @2500 b/51 1>a/50}}");
	self->p.bytes -= 5;
	DUMP(EXIT_DEVIATES);
	EXPECT_IN(self->t.err, "the packet is truncated or damaged");
	snprintf(self->path, sizeof(self->path), ": byte %zu: ", first);
	EXPECT_IN(self->t.err, self->path);
	EXPECT_IN(self->t.out, "0.000002000 cpu=0");
	RUN(EXIT_DEVIATES, "check", "--strict", NULL);
}

/* It is read in a process of its own, whose crash is an error of the file, too. */
#define EXPECT_NO_CRASH(bytes) do {						\
	struct tool t_;								\
	int status_ = pfile_run(&t_, "dump", "--from-format=perfetto", "-q", self->p.data, bytes);	\
										\
	EXPECT_TRUE(status_ == 0 || status_ == EXIT_DEVIATES || status_ == EXIT_UNREADABLE)	\
		TH_LOG("%d: %s", status_, t_.err);				\
	EXPECT_EQ(NULL, strstr(t_.err, "has crashed")) TH_LOG("%s", t_.err);	\
	tool_free(&t_);								\
} while (0)

/* Every byte of a trace is changed, or the trace ends before it. */
TEST_F(from_perfetto, damaged)
{
	struct pfile *p = &self->p;

	system_info(p, "6.1");
	snapshot(p, 500500, 5, 500);
	begin_compact(p);
	/* print, without text */
	PFILE(p, "@5000 three:6/43 1>a/50 2{1=5100 2=43 3{1=10}}}}");
	for (size_t i = 0; i < p->bytes; i++) {
		p->data[i] ^= 0xff;
		EXPECT_NO_CRASH(p->bytes);
		p->data[i] ^= 0xff;
		EXPECT_NO_CRASH(i + 1);
	}
}

/* What is inside of a packet ends early, or cannot be. */
TEST_F(from_perfetto, damaged_inside)
{
	struct pfile *p = &self->p;

	PFILE(p, "cpu 0{" TWO_SWITCHES);
	p->data[p->bytes++] = 3 << 3;	/* without its number */
	/* process_stats */
	PFILE(p, "}} 1{8=1500 2{1{1=5000000 3'beyond'}}} 1{9{1{1=50");
	p->data[p->bytes++] = 3 << 3;
	/* clock_snapshot */
	PFILE(p, "}}} 1{6{");
	p->data[p->bytes++] = 3 << 3;
	PFILE(p, "}}");
	DUMP(EXIT_DEVIATES);
	EXPECT_IN(self->t.out, "0.000002000 cpu=0");
	EXPECT_IN(self->t.err, ": 4 damaged packets or events are left out");
	RUN(EXIT_DEVIATES, "convert", "--to=fxt", "--strict");
}

TEST_F(from_perfetto, damaged_compact)
{
	simple_trace(&self->p);
	ADD("cpu 1{4{5'one' 1[500 100] 2[0 0] 3[40 41] 4[120 120] 6[0 1]}}}");
	DUMP(EXIT_DEVIATES);
	EXPECT_IN(self->t.out, "0.000000500 cpu=1");
	EXPECT_NOT_IN(self->t.out, "0.000000600 cpu=1");
	EXPECT_IN(self->t.err, ": 1 damaged packets or events are left out");
	RUN(EXIT_DEVIATES, "convert", "--to=fxt", "--strict");
}

/* --- there and back --------------------------------------------------------------------------- */

/*
 * Runs and waits as numbers that other rows would change; without both ends, where Perfetto cannot
 * express that a run went on before or goes on after. These are what its trace_processor calculates
 * of the packets, with the same SQL (snapshot of August 2026).
 */
#define INSIDE	"ts BETWEEN 5000001000000 AND 5000015000000"

static const struct {
	const char *sql;
	int64_t expected;
} sums[] = {
	{ "SELECT count(*) FROM sched WHERE " INSIDE, 9480 },
	{ "SELECT sum(dur * (cpu + 1) + ts % 65536 * tid) FROM sched JOIN thread USING (utid) "
	  "WHERE " INSIDE, 289841749198 },
	{ "SELECT sum(s.ts % 65536 * t.tid + s.dur) FROM thread_state s JOIN thread t USING (utid) "
	  "WHERE s.state = 'R' AND t.tid > 0 AND s." INSIDE, 225615277767 },
};

static void expect_sums(struct __test_metadata *_metadata, const char *path)
{
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		EXPECT_EQ(sums[i].expected, database_number(path, "%s", sums[i].sql))
			TH_LOG("%s", sums[i].sql);
	}
	unlink(path);
}

TEST_F(from_perfetto, there_and_back)
{
	struct tool direct, perfetto, back;
	char out[100], archive[64];
	struct memory m;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 20000, 3));
	ASSERT_EQ(0, memory_map(&m));
	snprintf(out, sizeof(out), "--output=%s", self->path);
	ASSERT_EQ(0, tool_run(&direct, ARGS("convert", "-q", "--to=sqlite", out,
					    memory_path(&m, archive)))) TH_LOG("%s", direct.err);
	expect_sums(_metadata, self->path);
	ASSERT_EQ(0, convert(&perfetto, "perfetto", "-q", &m)) TH_LOG("%s", perfetto.err);
	ASSERT_EQ(0, pfile_run(&back, "convert", "--to=sqlite", out, perfetto.out,
			       perfetto.out_bytes)) TH_LOG("%s", back.err);
	expect_sums(_metadata, self->path);
}
