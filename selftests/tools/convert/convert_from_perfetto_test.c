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

#include "cases.h"
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

/* --- files ---------------------------------------------------------------------------------- */

#define TWO_SWITCHES	"@1000 a/50 1>b/51 @2000 b/51 1>a/50"

static void simple_trace(struct pfile *p)
{
	PFILE(p, "cpu 0{" TWO_SWITCHES "}}");
}

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

	PFILE(p, "1{45{1{3'6.1'}}} 1{6{1{1=5 2=500} 1{1=6 2=500500}}}");
	PFILE(p, "cpu 6{4{5'zero:6' 5'one:6' 5'two:6' 5'three:6' 1[500 100 500 100] 2[0 1 2 0] "
		 "3[40 41 42 43] 4[120 120 120 120] 6[0 1 2 3]}");
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

/*
 * From a database that the trace is converted to, as Perfetto's tests ask for them: "runs" gives
 * CPU, begin, duration and thread of each run, "threads" id, process and name of each thread.
 */
static char *answer_case(struct case_run *r, const char *question)
{
	const char *sql = !strcmp(question, "runs") ?
		"SELECT group_concat(cpu || ',' || ts || ',' || dur || ',' || tid, char(10)) FROM "
		"(SELECT * FROM sched JOIN thread USING (utid) WHERE dur >= 0 ORDER BY cpu, ts)" :
		"SELECT group_concat(tid || ',' || ifnull(pid, 'NULL') || ',' || name, char(10)) "
		"FROM (SELECT tid, pid, thread.name AS name FROM thread "
		"LEFT JOIN process USING (upid) WHERE tid > 0 ORDER BY tid, pid)";
	char out[100], *path = out + strlen("--output="), text[1024];
	struct tool t;
	int status;

	if (strcmp(question, "runs") && strcmp(question, "threads"))
		return NULL;
	snprintf(out, sizeof(out), "--output=/tmp/from_perfetto.%d.db", getpid());
	status = tool_run(&t, ARGS("convert", "--to=sqlite", out, r->path));
	if (!status)
		database_text(path, text, sizeof(text), sql);
	unlink(path);
	return status ? t.err : strdup(text);
}

CASES("from_perfetto", answer_case)
