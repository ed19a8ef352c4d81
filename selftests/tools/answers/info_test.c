// SPDX-License-Identifier: GPL-2.0-or-later
/* fxt info of valid and truncated archives, and the messages of fxt for wrong usage. */
#include "harness.h"


#include <fxt/fxt_sched.h>

#include "archive_builder.h"
#include "generate.h"
#include "collector.h"
#include "event_story.h"
#include "json_get.h"
#include "sched_story.h"
#include "tool.h"

#define RECORDS	20000
#define CPUS	3

FIXTURE(info)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 16];
	struct tool t;
	struct json_object *j;
};

FIXTURE_SETUP(info)
{
	self->j = NULL;
	self->t = (struct tool){ 0 };
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
}

FIXTURE_TEARDOWN(info)
{
	dir_remove(self->dir);
}

static int make(const char *path, unsigned int flags, uint64_t records)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	ret = records ? generate_sched(fd, records, CPUS) : generate_all(fd, flags);
	close(fd);
	return ret;
}

static int64_t sum_of_kinds(struct json_object *j, const char *what)
{
	int64_t sum = 0;

	json_object_object_foreach(member(j, "kinds"), key, value) {
		(void)key;
		sum += number(value, what);
	}
	return sum;
}

#define RUN(...)							\
	tool_run(&self->t, ARGS(__VA_ARGS__))

#define PARSE() do {							\
	self->j = json_tokener_parse(self->t.out);			\
	ASSERT_NE(NULL, self->j) TH_LOG("%.400s", self->t.out);		\
	EXPECT_EQ(number(self->j, "records"), sum_of_kinds(self->j, "records"));	\
	EXPECT_EQ(number(self->j, "bytes"), sum_of_kinds(self->j, "bytes"));	\
} while (0)

TEST_F(info, recording)
{
	struct json_object *streams, *s;
	struct stat st;
	int64_t written = 0;

	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, stat(self->path, &st));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	EXPECT_STREQ(self->path, text_in(self->j, "file"));
	EXPECT_EQ(st.st_size, number(self->j, "bytes"));
	EXPECT_STREQ("none", text_in(self->j, "compression"));
	EXPECT_STREQ("native", text_in(self->j, "byte_order"));
	EXPECT_EQ(RECORDS, number(member(member(self->j, "kinds"), "context_switch"), "records") +
		  number(member(member(self->j, "kinds"), "thread_wakeup"), "records"));
	EXPECT_EQ(CPUS, (int)json_object_array_length(member(self->j, "cpus")));
	EXPECT_EQ(number(self->j, "last_ns") - number(self->j, "first_ns"),
		  number(self->j, "duration_ns"));
	EXPECT_LT(0, number(self->j, "duration_ns"));
	streams = member(self->j, "streams");
	ASSERT_EQ(CPUS + 1, (int)json_object_array_length(streams));
	for (size_t i = 0; i <= CPUS; i++) {
		s = json_object_array_get_idx(streams, i);
		EXPECT_EQ(0, number(s, "lost"));
		if (number(s, "stream") != FXT_LEDGER_STREAM_NAMES)
			written += number(s, "written");
	}
	EXPECT_EQ(RECORDS, written);
	EXPECT_EQ(0, number(self->j, "skipped"));
	EXPECT_STREQ(FXT_SCHED_PROVIDER_NAME,
		     text_in(json_object_array_get_idx(member(self->j, "providers"), 0), "name"));
}

static int make_part(const char *path, const struct generate_wishes *wishes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	ret = generate_part(fd, wishes);
	close(fd);
	return ret;
}

TEST_F(info, segment)
{
	struct json_object *streams, *s;
	int64_t before = 0, written = 0;

	ASSERT_EQ(0, make_part(self->path, &(struct generate_wishes){
		.records = RECORDS, .cpus = CPUS, .before = 7000, .only_cpus = 2 }));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	streams = member(self->j, "streams");
	ASSERT_EQ(CPUS + 1, (int)json_object_array_length(streams));
	for (size_t i = 0; i <= CPUS; i++) {
		s = json_object_array_get_idx(streams, i);
		if (number(s, "stream") == FXT_LEDGER_STREAM_NAMES)
			continue;
		written += number(s, "written");
		before += number(s, "before");
	}
	EXPECT_EQ(number(member(member(self->j, "kinds"), "context_switch"), "records") +
		  number(member(member(self->j, "kinds"), "thread_wakeup"), "records"), written);
	EXPECT_LT(3000, before);
	EXPECT_GT(7000, before);
	EXPECT_EQ(0, (int)json_object_array_length(member(self->j, "triggers")));
	EXPECT_EQ(NULL, member(self->j, "complete_from_ns"));
	EXPECT_STREQ("cpus 0-1", text_in(member(self->j, "session"), "filter"));
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_IN(self->t.out, "\nfilter      cpus 0-1\n");
	EXPECT_IN(self->t.out, "\nsegment     2\n");
	EXPECT_IN(self->t.out, "\npart of a recording: ");
	EXPECT_NOT_IN(self->t.out, "complete");
	EXPECT_NOT_IN(self->t.out, "epoch");
	ASSERT_EQ(0, RUN("dump", self->path));
	EXPECT_IN(self->t.out, " stream=0 ledger=opening sequence=");
}

/* Return: the time after @key, in ns; the text has it in seconds. */
static uint64_t moment(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	unsigned long long s, ns;

	if (!at || sscanf(at + strlen(key), "%llu.%9llu s\n", &s, &ns) != 2)
		return 0;
	return s * 1000000000 + ns;
}

static int save(const struct story *s, const char *path)
{
	size_t bytes = built_bytes(&s->b);
	FILE *f = fopen(path, "we");
	bool done = f && fwrite(s->b.words, 1, bytes, f) == bytes;

	return f && !fclose(f) && done ? 0 : -1;
}

TEST_F(info, trigger_that_goes_on)
{
	struct json_object *trigger;
	struct story s = { 0 };

	story_begin(&s);
	story_trigger_open(&s, 21000000, 12, 1, 7000000);
	ASSERT_EQ(0, save(&s, self->path));
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_IN(self->t.out, " waited 7.000 ms, and was still waiting, on cpu 1 at ");
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	trigger = json_object_array_get_idx(member(self->j, "triggers"), 0);
	EXPECT_TRUE(json_object_get_boolean(member(trigger, "open")));
}

TEST_F(info, causes)
{
	static const struct {
		uint16_t cause;
		const char *text, *name, *key;
	} causes[] = {
		{ FXT_STR_LATENCY, " waited 7.000 ms on cpu 1 at ", "latency", "latency_ns" },
		{ FXT_STR_IRQ, " was interrupted for 7.000 ms by a hard interrupt on cpu 1 at ", "irq",
		  "latency_ns" },
		{ FXT_STR_SOFTIRQ, " was interrupted for 7.000 ms by a soft interrupt on cpu 1 at ",
		  "softirq", "latency_ns" },
		{ FXT_STR_RUNNABLE, " ran while 7000000 threads were runnable on cpu 1 at ",
		  "runnable", "runnable" },
	};
	struct json_object *trigger;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		struct story s = { 0 };

		story_begin(&s);
		story_trigger_of(&s, causes[i].cause, 21000000, 12, 1, 7000000);
		ASSERT_EQ(0, save(&s, self->path));
		build_free(&s.b);
		ASSERT_EQ(0, RUN("info", self->path));
		EXPECT_IN(self->t.out, causes[i].text);
		ASSERT_EQ(0, RUN("info", "--json", self->path));
		PARSE();
		trigger = json_object_array_get_idx(member(self->j, "triggers"), 0);
		EXPECT_STREQ(causes[i].name, text_in(trigger, "cause"));
		EXPECT_EQ(7000000, number(trigger, causes[i].key));
		self->j = NULL;
	}
}

TEST_F(info, snapshot)
{
	struct json_object *trigger;
	char line[128];

	ASSERT_EQ(0, make_part(self->path, &(struct generate_wishes){
		.records = 3 * RECORDS, .cpus = CPUS, .before = 3 * RECORDS,
		.snapshot = true, .only_cpus = 3, .only_processes = 2 }));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	ASSERT_EQ(1, (int)json_object_array_length(member(self->j, "triggers")));
	trigger = json_object_array_get_idx(member(self->j, "triggers"), 0);
	EXPECT_LE(1000, number(trigger, "thread"));
	EXPECT_LT(0, number(trigger, "latency_ns"));
	EXPECT_LE(number(self->j, "first_ns"), number(trigger, "time_ns"));
	EXPECT_GE(number(self->j, "last_ns"), number(trigger, "time_ns"));
	EXPECT_LT(number(self->j, "first_ns"), number(self->j, "complete_from_ns"));
	EXPECT_STREQ("cpus 0-2\npids 1000,1004", text_in(member(self->j, "session"), "filter"));
	ASSERT_EQ(0, RUN("info", self->path));
	snprintf(line, sizeof(line), "\ntrigger: thread %jd (%s) waited %.3f ms on cpu %jd at ",
		 (intmax_t)number(trigger, "thread"), text_in(trigger, "name"),
		 number(trigger, "latency_ns") / 1e6, (intmax_t)number(trigger, "cpu"));
	EXPECT_EQ(number(trigger, "time_ns"), (int64_t)moment(self->t.out, line))
		TH_LOG("%s in %s", line, self->t.out);
	EXPECT_NE(NULL, strchr(text_in(trigger, "name"), '-'));
	EXPECT_EQ(number(self->j, "complete_from_ns"),
		  (int64_t)moment(self->t.out, "\ncomplete from: "));
	EXPECT_IN(self->t.out, "\nmode        flight-recorder\n");
	EXPECT_IN(self->t.out, "\nfilter      cpus 0-2\nfilter      pids 1000,1004\n");
	EXPECT_IN(self->t.out, "\nsnapshot    1\n");
}

/* The archive is truncated within a sub-buffer; its instant is not a mark. */
TEST_F(info, torn_part)
{
	struct json_object *stream;
	struct story s = { .streams[0] = { .written = 100, .lost = 10, .last = 900 } };
	FILE *f = fopen(self->path, "w");

	ASSERT_NE(NULL, f);
	story_begin(&s);
	story_ledger(&s, 0, FXT_LEDGER_OPENING, 7, 900);
	BUILD(&s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			      FXT_STR_CATEGORY, FXT_STR_TRIGGER),
	      900, FXT_SCHED_KOID_LOSS, fxt_sched_loss_koid(0));
	s.streams[0].written = 90;
	s.streams[0].lost = 8;
	story_ledger(&s, 0, FXT_LEDGER_CONTINUED, 6, 500);
	fwrite(s.b.words, 1, built_bytes(&s.b), f);
	fclose(f);
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	stream = json_object_array_get_idx(member(self->j, "streams"), 0);
	EXPECT_EQ(100, number(stream, "before"));
	EXPECT_EQ(0, number(stream, "written"));
	EXPECT_EQ(0, number(stream, "lost"));
	EXPECT_EQ(0, (int)json_object_array_length(member(self->j, "triggers")));
}

/* Unknown lines are shown unchanged, escaped, even those without a value. */
TEST_F(info, session)
{
	static const char text[] = "host h\nnew line of \x1b words\nalone\n\nepoch 1\n"
				   "a-very-long-key x\ntrigger latency>5ms:comm=x\nhost second";
	struct built b = { 0 };
	FILE *f = fopen(self->path, "w");

	ASSERT_NE(NULL, f);
	BUILD(&b, FXT_MAGIC_RECORD);
	build_string(&b, FXT_STR_SESSION, "fxt_sched.session");
	BUILD(&b, fxt_blob(1 + fxt_stream_words(strlen(text)), FXT_STR_SESSION, strlen(text),
			   FXT_BLOB_DATA));
	BUILD_TEXT(&b, text);
	fwrite(b.words, 1, built_bytes(&b), f);
	fclose(f);
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_IN(self->t.out, "\nhost        h\nhost        second\n"
			  "trigger     latency>5ms:comm=x\nnew         line of \\x1b words\n"
			  "alone\na-very-long-key x\n\n");
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	EXPECT_STREQ("h\nsecond", text_in(member(self->j, "session"), "host"));
}

/* --- CPUs ------------------------------------------------------------------------------- */

/*
 * From 0 to 100 ms, 31 has CPU 0 all the time; CPU 1 is offline from 30 to 70 ms, else idle; CPU 2
 * is idle until 20 ms, loses records until 60 ms, and then runs 21; CPU 3 has no records.
 */
static void tell_cpus(struct story *s)
{
	story_begin(s);
	STORY(s, "names@1; name 21 late; name 31 hog");
	for (unsigned int i = 0; i < 4; i++)
		story_chunk(s, i, 1);
	s->now = &s->streams[0];
	STORY(s, "1 begin 31 on 0; 100000001 end 31 on 0; 1@1 begin 0; 30000001 offline 0; "
		 "70000001 online 0; 100000001 end 0; 2@1 begin 0; 10000001 0>21; "
		 "20000001 21>0 S; lose 2 5 @60000001; 60000001 0>21; 100000001 end 21; "
		 "end 100000001");
}

TEST_F(info, cpus)
{
	static const int64_t expected[4][4] = {
		{ 100 * MS, 0, 0, 0 },
		{ 0, 60 * MS, 40 * MS, 0 },
		{ 50 * MS, 10 * MS, 0, 40 * MS },
		{ 0, 0, 0, 100 * MS },
	};
	struct json_object *list, *cpu;
	struct story s = { 0 };

	tell_cpus(&s);
	ASSERT_EQ(0, save(&s, self->path));
	build_free(&s.b);
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	list = member(self->j, "cpu_times");
	ASSERT_EQ(4, (int)json_object_array_length(list)) TH_LOG("%s", self->t.out);
	EXPECT_EQ(4, (int)json_object_array_length(member(self->j, "cpus")));
	for (size_t i = 0; i < 4; i++) {
		cpu = json_object_array_get_idx(list, i);
		EXPECT_EQ((int64_t)i, number(cpu, "cpu"));
		EXPECT_EQ(expected[i][0], number(cpu, "busy_ns")) TH_LOG("%s", self->t.out);
		EXPECT_EQ(expected[i][1], number(cpu, "idle_ns"));
		EXPECT_EQ(expected[i][2], number(cpu, "offline_ns"));
		EXPECT_EQ(expected[i][3], number(cpu, "unknown_ns"));
	}
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_IN(self->t.out, "\n"
		"       cpu     busy     idle  offline  unknown\n"
		"         0  100.00%    0.00%    0.00%    0.00%\n"
		"         1    0.00%   60.00%   40.00%    0.00%\n"
		"         2   50.00%   10.00%    0.00%   40.00%\n"
		"         3    0.00%    0.00%    0.00%  100.00%\n\n");
}

static void same_as_report(struct __test_metadata *_metadata, FIXTURE_DATA(info) *self)
{
	static const char *const keys[] = { "cpu", "busy_ns", "idle_ns", "offline_ns", "unknown_ns" };
	struct json_object *report, *theirs, *ours;

	ASSERT_EQ(0, RUN("report", "--json", self->path));
	report = json_tokener_parse(self->t.out);
	theirs = member(report, "cpus");
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	ours = member(self->j, "cpu_times");
	ASSERT_LT(0, (int)json_object_array_length(theirs));
	ASSERT_EQ(json_object_array_length(theirs), json_object_array_length(ours));
	for (size_t i = 0; i < json_object_array_length(ours); i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			EXPECT_EQ(number(json_object_array_get_idx(theirs, i), keys[k]),
				  number(json_object_array_get_idx(ours, i), keys[k]))
				TH_LOG("member %d of CPU %d", (int)k, (int)i);
		}
	self->j = NULL;
}

/*
 * Events of CPU 0 last longer than its switches and marks; nothing depends on the limits of its
 * frequency. Some records are out of place: a switch of CPU 0 in the stream of CPU 1, and one
 * before the end of an idle state that precedes it. Return: the end of the archive, in ns.
 */
static uint64_t tell_events(struct story *s)
{
	story_begin(s);
	STORY(s, "names@1; name 21 late; 0@1 begin 21; 5ms 21>0 S; 5ms-6ms idle 2; "
		 "6ms 0>21; 10ms 21>0 S; 11ms-12ms softirq 3; 30ms 0>21; 31ms-32ms timer; "
		 "lose 0 5 @40ms; 40ms 21>0 S; 40ms-50ms idle 2; 49ms 0>21; 60ms-90ms irq 5 disk");
	event_frequency(s, 100 * MS, 0, 800000, 900000);
	STORY(s, "1@1 begin 0");
	story_state(s, 20 * MS, 0, 0, 21, (struct fxt_sched_state){ FXT_THREAD_NEW });
	return 90 * MS;
}

TEST_F(info, cpus_with_events)
{
	struct json_object *cpu;
	struct story s = { 0 };
	uint64_t end = tell_events(&s);

	ASSERT_EQ(0, save(&s, self->path));
	build_free(&s.b);
	same_as_report(_metadata, self);
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	cpu = json_object_array_get_idx(member(self->j, "cpu_times"), 0);
	EXPECT_EQ(9 * MS - 1 + 2 * MS + 40 * MS, (uint64_t)number(cpu, "busy_ns"))
		TH_LOG("%s", self->t.out);
	EXPECT_EQ(21 * MS, (uint64_t)number(cpu, "idle_ns"));
	EXPECT_EQ(18 * MS, (uint64_t)number(cpu, "unknown_ns"));
	cpu = json_object_array_get_idx(member(self->j, "cpu_times"), 1);
	EXPECT_EQ(end - 1, (uint64_t)number(cpu, "idle_ns"));
}

TEST_F(info, cpus_as_in_report)
{
	char part[RECORD_PATH + 16];
	struct story s = { 0 };

	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	same_as_report(_metadata, self);
	ASSERT_EQ(0, make_part(self->path, &(struct generate_wishes){
		.records = RECORDS, .cpus = CPUS, .before = 7000, .only_cpus = 2 }));
	same_as_report(_metadata, self);
	tell_cpus(&s);
	ASSERT_EQ(0, save(&s, self->path));
	build_free(&s.b);
	same_as_report(_metadata, self);
	/* A part describes events from before it, which do not count. */
	snprintf(part, sizeof(part), "%s/y.fxt", self->dir);
	ASSERT_EQ(0, RUN("cut", "--from", "+15ms", "--to", "+80ms", "-o", part, self->path));
	ASSERT_EQ(0, rename(part, self->path));
	same_as_report(_metadata, self);
}

TEST_F(info, every_kind)
{
	ASSERT_EQ(0, make(self->path, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	/* All kinds except the undefined one. */
	EXPECT_EQ(30, json_object_object_length(member(self->j, "kinds")));
	EXPECT_EQ(2, (int)json_object_array_length(member(self->j, "providers")));
}

TEST_F(info, other_byte_order)
{
	struct json_object *native;

	ASSERT_EQ(0, make(self->path, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	native = json_tokener_parse(self->t.out);
	ASSERT_EQ(0, make(self->path, GENERATE_SWAPPED, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	EXPECT_STREQ("swapped", text_in(self->j, "byte_order"));
	json_object_object_del(native, "byte_order");
	json_object_object_del(self->j, "byte_order");
	EXPECT_TRUE(json_object_equal(native, self->j)) TH_LOG("%.600s", self->t.out);
}

TEST_F(info, text)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_IN(self->t.out, "\nCPUs        3 (0-2)\n");
	EXPECT_IN(self->t.out, "\ncontext_switch ");
	EXPECT_IN(self->t.out, "losses: 0 of ");
	EXPECT_NOT_IN(self->t.out, "malformed");
	EXPECT_STREQ("", self->t.err);
}

TEST_F(info, several_archives)
{
	char other[RECORD_PATH + 16], *line;

	snprintf(other, sizeof(other), "%s/y.fxt", self->dir);
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, make(other, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path, other));
	line = strchr(self->t.out, '\n');
	ASSERT_NE(NULL, line);
	self->j = json_tokener_parse(line + 1);
	EXPECT_STREQ(other, text_in(self->j, "file"));
	/* A missing file does not hide the others. */
	EXPECT_EQ(3, RUN("info", "--json", "/nonexistent", self->path));
	EXPECT_IN(self->t.err, "cannot read /nonexistent: No such file");
	EXPECT_IN(self->t.out, self->path);
}

TEST_F(info, torn)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, truncate(self->path, 100004));
	EXPECT_EQ(1, RUN("info", "--json", self->path));
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_LT(0, number(self->j, "skipped_bytes"));
	EXPECT_EQ(100004, number(self->j, "bytes"));
	EXPECT_IN(self->t.err, "were skipped, first byte ");
	EXPECT_EQ(1, RUN("info", "--strict", self->path));
	EXPECT_IN(self->t.err, "without --strict");
}

TEST_F(info, unreadable)
{
	int fd = open(self->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ASSERT_EQ(10, write(fd, "not an fxt", 10));
	close(fd);
	EXPECT_EQ(3, RUN("info", self->path));
	EXPECT_IN(self->t.err, "not an FXT archive");
	EXPECT_STREQ("", self->t.out);
	EXPECT_EQ(3, RUN("info", self->dir));
	EXPECT_IN(self->t.err, "Is a directory");
}

TEST_F(info, usage)
{
	EXPECT_EQ(2, RUN("info", "--nonsense", "x"));
	EXPECT_IN(self->t.err, "--nonsense");
	EXPECT_EQ(2, RUN("info", "--format=2016", "x"));
	EXPECT_EQ(2, RUN("nonsense"));
	EXPECT_IN(self->t.err, "unknown command");
	EXPECT_EQ(0, RUN("info", "--help"));
	EXPECT_EQ(0, RUN("--help"));
	EXPECT_IN(self->t.out, "exit status");
}

TEST_F(info, standard_output_full)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, setenv("ARCHIVE", self->path, 1));
	ASSERT_EQ(0, setenv("TOOL", tool_path(), 1));
	EXPECT_EQ(4, WEXITSTATUS(system("\"$TOOL\" info \"$ARCHIVE\" >/dev/full 2>/dev/null")));
}
