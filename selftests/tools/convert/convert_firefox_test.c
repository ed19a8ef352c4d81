// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt convert --to firefox`: the profile is JSON as profiler.firefox.com reads it: all columns of
 * a table have its length, and all indexes are valid. States, events and counters are markers, runs
 * of CPUs and states are samples, unless threads were sampled.
 */
#include "event_story.h"
#include "json_get.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(firefox);

static const uint64_t in_read[] = { 0xffffffff81000010, 0xffffffff81000200 };
static const uint64_t in_wake[] = { 0xffffffff81000410, 0xffffffff81000310 };

static const char symbols[] =
	"k ffffffff81000300 ffffffff81000400 do_wake\n"
	"k ffffffff81000100 ffffffff81000200 ksys_read\n"
	"k ffffffff81000000 ffffffff81000100 pipe_read [pipe]\n"
	"k ffffffff81000400 ffffffff81000500 bpf_trace_run1\n";

/* 11 sleeps from 2 to 5 ms, waits until 6 ms, and is preempted from 9 to 12 ms. */
static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; 0@1ms 0>11; 2ms 11>0 S");
	event_stack(s, 5 * MS, 11, 11, in_wake, 2);
	STORY(s, "5ms wake 11 by 12 on 0; 6ms 0>11");
	event_stack(s, 6 * MS, 11, 11, in_read, 2);
	STORY(s, "8ms wake 12 by 11 on 0; 9ms 11>12; 12ms 12>11 S");
}

/* --- the parts of a profile ------------------------------------------------------------------- */

static struct json_object *at(struct json_object *array, int64_t i)
{
	return json_object_array_get_idx(array, i);
}

static int64_t index_at(struct json_object *table, const char *column, int64_t i)
{
	struct json_object *value = at(member(table, column), i);

	return value ? json_object_get_int64(value) : -1;
}

static const char *raw(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

static const char *string_at(struct json_object *profile, int64_t i)
{
	return json_object_get_string(at(member(member(profile, "shared"), "stringArray"), i));
}

static bool is_even(struct json_object *table)
{
	int64_t length = json_object_get_int64(member(table, "length"));

	json_object_object_foreach(table, key, column) {
		if (json_object_is_type(column, json_type_array) &&
		    (int64_t)json_object_array_length(column) != length) {
			fprintf(stderr, "# column %s\n", key);
			return false;
		}
	}
	return true;
}

static bool all_are_even(struct json_object *profile)
{
	struct json_object *threads = member(profile, "threads");

	json_object_object_foreach(member(profile, "shared"), key, table) {
		if (json_object_is_type(table, json_type_object) && !is_even(table)) {
			fprintf(stderr, "# table %s\n", key);
			return false;
		}
	}
	for (size_t i = 0; i < json_object_array_length(threads); i++)
		if (!is_even(member(at(threads, i), "markers")) ||
		    !is_even(member(at(threads, i), "samples")))
			return false;
	return true;
}

static struct json_object *convert(FIXTURE_DATA(firefox) *self, int status)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *profile;

	if (store(self) || FXT("convert", "--to", "firefox", self->path) != status)
		return NULL;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* The last byte is a line end. */
	profile = json_tokener_parse_ex(tok, self->t.out, self->t.out_bytes - 1);
	json_tokener_free(tok);
	if (!profile || !all_are_even(profile))
		return NULL;
	return profile;
}

static struct json_object *thread(struct json_object *profile, const char *name, int n)
{
	struct json_object *threads = member(profile, "threads");

	for (size_t i = 0; i < json_object_array_length(threads); i++)
		if (!strcmp(json_object_get_string(member(at(threads, i), "name")), name) && !n--)
			return at(threads, i);
	return NULL;
}

/* Write the functions of a stack, innermost first, each after a <. */
static size_t put_stack(struct json_object *profile, int64_t stack, char *text, size_t room)
{
	struct json_object *shared = member(profile, "shared"), *prefix;
	size_t n = 0;
	int64_t f;

	for (; n < room; stack = json_object_get_int64(prefix)) {
		f = index_at(member(shared, "frameTable"), "func",
			     index_at(member(shared, "stackTable"), "frame", stack));
		n += snprintf(text + n, room - n, "<%s",
			      string_at(profile, index_at(member(shared, "funcTable"), "name", f)));
		prefix = at(member(member(shared, "stackTable"), "prefix"), stack);
		if (!prefix)
			break;
	}
	return n;
}

/* Return: "NAME BEGIN..END DATA", and its stack. */
static const char *marker(struct json_object *profile, struct json_object *thread, int64_t i,
			  char text[512])
{
	struct json_object *m = member(thread, "markers"), *data = at(member(m, "data"), i), *cause;
	char stack[256] = "";

	if (i >= json_object_get_int64(member(m, "length")))
		return "";
	cause = member(data, "cause");
	if (cause)
		put_stack(profile, json_object_get_int64(member(cause, "stack")), stack,
			  sizeof(stack));
	json_object_object_del(data, "cause");
	snprintf(text, 512, "%s %s..%s %s%s", string_at(profile, index_at(m, "name", i)),
		 raw(at(member(m, "startTime"), i)), raw(at(member(m, "endTime"), i)), raw(data), stack);
	return text;
}

/* Return: "TIME WEIGHT CPU" of a sample, and its stack. */
static const char *sample(struct json_object *profile, struct json_object *thread, int64_t i,
			  char text[512])
{
	struct json_object *s = member(thread, "samples");
	size_t n;

	if (i >= json_object_get_int64(member(s, "length")))
		return "";
	n = snprintf(text, 512, "%s %s %s ", raw(at(member(s, "time"), i)),
		     raw(at(member(s, "weight"), i)), raw(at(member(s, "threadCPUDelta"), i)));
	put_stack(profile, index_at(s, "stack", i), text + n, 512 - n);
	return text;
}

static const char *category(struct json_object *profile, struct json_object *thread, int64_t i)
{
	struct json_object *all = member(member(profile, "meta"), "categories");

	return json_object_get_string(member(at(all, index_at(member(thread, "markers"), "category",
							       i)), "name"));
}

/* --- tests ------------------------------------------------------------------------------------ */

TEST_F(firefox, states_are_markers)
{
	static const char *const markers[] = {
		"running 0..1 {\"type\":\"Run\",\"cpu\":0}",
		"sleep 1..4 {\"type\":\"Sleep\",\"endedBy\":\"twelve 12\"}<pipe_read [pipe]<ksys_read",
		"runnable 4..5 {\"type\":\"Wait\",\"cpu\":0,\"wokenBy\":\"twelve 12\"}<do_wake",
		"running 5..8 {\"type\":\"Run\",\"cpu\":0}",
		"preempted 8..11 {\"type\":\"Wait\",\"cpu\":0}",
		"running 11..null {\"type\":\"Run\",\"cpu\":0}",
		"",
	};
	struct json_object *profile, *eleven;
	char text[512];

	tell(&self->s);
	event_symbols(&self->s, symbols);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	eleven = thread(profile, "eleven", 0);
	ASSERT_NE(NULL, eleven);
	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++)
		EXPECT_STREQ(markers[i], marker(profile, eleven, i, text));
	EXPECT_STREQ("Running", category(profile, eleven, 0));
	EXPECT_STREQ("Sleeping", category(profile, eleven, 1));
	EXPECT_STREQ("Runnable", category(profile, eleven, 2));
	EXPECT_EQ(2, index_at(member(eleven, "markers"), "phase", 5));
	EXPECT_STREQ("\"11\"", raw(member(eleven, "tid")));
	EXPECT_STREQ("\"11\"", raw(member(thread(profile, "twelve", 0), "pid")));
	EXPECT_STREQ("true", raw(member(eleven, "isMainThread")));
	EXPECT_STREQ("false", raw(member(thread(profile, "twelve", 0), "isMainThread")));
	json_object_put(profile);
}

TEST_F(firefox, states_are_samples_with_their_stacks)
{
	static const char *const samples[] = {
		"0 1 0 <running", "1 3 1000000 <pipe_read [pipe]<ksys_read", "4 1 0 <runnable",
		"5 3 0 <running", "8 3 3000000 <preempted", "11 8 0 <running", "19 0 8000000 <running",
		"",
	};
	struct json_object *profile;
	char text[512];

	tell(&self->s);
	event_symbols(&self->s, symbols);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		EXPECT_STREQ(samples[i], sample(profile, thread(profile, "eleven", 0), i, text));
	EXPECT_STREQ("\"tracing-ms\"", raw(member(member(thread(profile, "eleven", 0), "samples"),
						  "weightType")));
	json_object_put(profile);
}

/* Samples of runs are all samples; states keep their stacks. */
TEST_F(firefox, samples_of_runs)
{
	struct json_object *profile, *eleven;
	char text[512];

	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11");
	event_sample(&self->s, 3 * MS, 11, 11, in_read, 2);
	STORY(&self->s, "5ms 11>0 S; 7ms wake 11 by irq on 0; 7ms 0>11");
	event_stack(&self->s, 7 * MS, 11, 11, in_read, 1);
	event_sample(&self->s, 8 * MS, 11, 11, in_read, 2);
	event_symbols(&self->s, symbols);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	eleven = thread(profile, "eleven", 0);
	EXPECT_STREQ("2 1 0 <pipe_read [pipe]<ksys_read", sample(profile, eleven, 0, text));
	EXPECT_STREQ("7 1 3000000 <pipe_read [pipe]<ksys_read", sample(profile, eleven, 1, text));
	EXPECT_STREQ("", sample(profile, eleven, 2, text));
	EXPECT_STREQ("sleep 4..6 {\"type\":\"Sleep\",\"endedBy\":\"an interrupt\"}<pipe_read [pipe]",
		     marker(profile, eleven, 1, text));
	json_object_put(profile);
}

TEST_F(firefox, cpus_are_threads)
{
	static const char *const samples[] = {
		"0 1 0 <eleven 11", "1 4 1000000 <idle", "5 3 0 <eleven 11", "8 3 3000000 <twelve 12",
		"11 8 3000000 <eleven 11", "19 0 8000000 <eleven 11", "",
	};
	struct json_object *profile, *cpu;
	char text[512];

	tell(&self->s);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	cpu = thread(profile, "cpu 0", 0);
	ASSERT_NE(NULL, cpu);
	EXPECT_STREQ("\"CPUs\"", raw(member(cpu, "processName")));
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		EXPECT_STREQ(samples[i], sample(profile, cpu, i, text));
	json_object_put(profile);
}

/* Events are on their thread, or on the first thread of their process. */
TEST_F(firefox, events_are_markers)
{
	struct json_object *profile, *of;
	char text[512];

	event_syscall_name(&self->s, EVENT_READ, "read");
	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11");
	event_request(&self->s, 2 * MS, 11, 7, "vda", 0, 4096);
	event_syscall(&self->s, MS + 500, 3 * MS, 11, 11, EVENT_READ, -4);
	event_completion(&self->s, 5 * MS, 7, "vda", 0);
	event_frequency(&self->s, 6 * MS, 0, 1200000, 0);
	event_tracks(&self->s, 0);
	event_object(&self->s, FXT_OBJECT_THREAD, fxt_sched_cpu_track(FXT_SCHED_KOID_BLOCK, 0),
		     FXT_SCHED_KOID_BLOCK, "requests");
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	of = thread(profile, "eleven", 0);
	EXPECT_STREQ("read 0.000500..2 {\"type\":\"Event\",\"category\":\"syscall\","
		     "\"arguments\":\"ret=-4\"}", marker(profile, of, 1, text));
	EXPECT_STREQ("Events", category(profile, of, 1));
	marker(profile, thread(profile, "requests", 0), 0, text);
	text[strlen("vda 1..4 {\"type\":\"Event\",\"category\":\"block\"")] = '\0';
	EXPECT_STREQ("vda 1..4 {\"type\":\"Event\",\"category\":\"block\"", text);
	EXPECT_STREQ("frequency:kHz:0 5..5 {\"type\":\"Counter\",\"value\":1200000.0}",
		     marker(profile, thread(profile, "frequencies", 0), 0, text));
	json_object_put(profile);
}

static void put_operation(struct story *s, uint64_t process, uint64_t thread, uint64_t id)
{
	BUILD(&s->b, fxt_event(5, FXT_EVENT_ASYNC_BEGIN, 0, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
			       FXT_STR_LOST), 4 * MS, process, thread, id);
	BUILD(&s->b, fxt_event(5, FXT_EVENT_ASYNC_END, 0, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
			       FXT_STR_LOST), 5 * MS, process, thread, id);
}

/* The koid of a process may be 0. No other thread of an unknown process has the events. */
TEST_F(firefox, events_of_unknown_processes)
{
	struct json_object *profile, *of;
	char text[512];

	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11; 2ms 11>12 S; 3ms 12>0 S");
	put_operation(&self->s, 0, 98, 1);
	put_operation(&self->s, 0, 0, 2);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	for (int i = 0; i < 2; i++) {
		of = thread(profile, "unknown process", i);
		ASSERT_NE(NULL, of);
		EXPECT_IN(marker(profile, of, 0, text), "lost 3..4 {\"type\":\"Event\"");
	}
	json_object_put(profile);
}

/* A sleep that fired a trigger and went on has its own stack, its wait has that of the waker. */
TEST_F(firefox, stack_of_a_sleep_that_goes_on)
{
	struct json_object *profile, *eleven;
	char text[512];

	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; 0@1ms 0>11; 2ms 11>0 S");
	event_asleep(&self->s, 4 * MS, 11, 11, in_read, 2);
	event_stack(&self->s, 5 * MS, 11, 11, in_wake, 2);
	STORY(&self->s, "5ms wake 11 by 12 on 0; 6ms 0>11");
	event_symbols(&self->s, symbols);
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	eleven = thread(profile, "eleven", 0);
	EXPECT_IN(marker(profile, eleven, 1, text), "}<pipe_read [pipe]<ksys_read");
	EXPECT_IN(marker(profile, eleven, 2, text), "}<do_wake");
	json_object_put(profile);
}

TEST_F(firefox, omits_and_counts)
{
	struct json_object *profile;

	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11");
	event_stack(&self->s, 3 * MS, 11, 11, in_read, 2);
	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_FLOW_BEGIN, 0, FXT_THREAD_REF_INLINE,
				    FXT_STR_CATEGORY, FXT_STR_LOST), 4 * MS, 11, 11, 1);
	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_FLOW_END, 0, FXT_THREAD_REF_INLINE,
				    FXT_STR_CATEGORY, FXT_STR_LOST), 5 * MS, 11, 11, 1);
	BUILD(&self->s.b, fxt_kernel_object(3, 5, fxt_string_ref_inline(3), 0), 77);
	BUILD_TEXT(&self->s.b, "job");
	story_end(&self->s, 20 * MS);
	profile = convert(self, 0);
	ASSERT_NE(NULL, profile) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "cannot be written as a profile of Firefox and are omitted: "
		  "1 objects other than threads and processes, 1 call stacks that belong to no");
	json_object_put(profile);
}

/* The extension selects the format and the compression; results of fxt are replaced. */
TEST_F(firefox, extensions)
{
	static const char *const endings[] = { "profile.json", "profile.json.gz", "profile.json.zst" };
	char dir[] = "/tmp/fxt-firefox.XXXXXX", path[64], command[128];

	tell(&self->s);
	story_end(&self->s, 20 * MS);
	ASSERT_EQ(0, store(self));
	ASSERT_NE(NULL, mkdtemp(dir));
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/a.%s", dir, endings[i]);
		EXPECT_EQ(0, FXT("convert", "-o", path, self->path)) TH_LOG("%s", self->t.err);
		EXPECT_EQ(0, FXT("convert", "-o", path, self->path)) TH_LOG("%s", self->t.err);
		snprintf(command, sizeof(command), "%s %s | grep -q '^{\"meta\":{\"importedFrom\"'",
			 i == 0 ? "cat" : i == 1 ? "zcat" : "zstdcat", path);
		EXPECT_EQ(0, system(command)) TH_LOG("%s", command);
		/*
		 * It is no trace of the Trace Event Format, whose extension is the end of this one.
		 */
		EXPECT_EQ(4, FXT("convert", "--to", "json", "-o", path, self->path));
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	EXPECT_EQ(0, system(command));
}
