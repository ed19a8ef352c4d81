// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report: call stacks. A sleep counts for its stack until the wakeup; stacks in the same
 * functions are one; without symbols they have addresses; folded lines are sums by name; neither
 * interrupted code nor threads that wait for work are blamed.
 */
#include <zlib.h>

#include "event_story.h"
#include "json_get.h"
#include "libperfetto/wire.h"
#include "report_print_fixture.h"

#define MS	1000000ULL

REPORT_FIXTURE(stacks);

/* A return address at the very end of a function belongs to that function's call. */
static const uint64_t in_read[] = { 0xffffffff81000010, 0xffffffff81000200 };
static const uint64_t in_read_again[] = { 0xffffffff81000020, 0xffffffff81000150 };
static const uint64_t in_wake[] = { 0xffffffff81000410, 0xffffffff81000310 };

static const char symbols[] =
	"k ffffffff81000300 ffffffff81000400 do_wake\n"
	"k ffffffff81000100 ffffffff81000200 ksys_read\n"
	"k ffffffff81000000 ffffffff81000100 pipe_read [pipe]\n"
	"k ffffffff81000400 ffffffff81000500 bpf_trace_run1\n";

/* 11 sleeps from 2 to 5 ms and from 7 to 8 ms in one function, and is preempted from 9 to 12 ms. */
static void tell(struct story *s)
{
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "pi;ng");
	STORY(s, "name 12 other; 0@1ms 0>11; 2ms 11>0 S");
	event_stack(s, 5 * MS, 11, 11, in_wake, 2);
	STORY(s, "5ms wake 11 by irq on 0; 6ms 0>11");
	event_stack(s, 6 * MS, 11, 11, in_read, 2);
	STORY(s, "7ms 11>0 S; 8ms wake 11 by irq on 0; 8ms 0>11");
	event_stack(s, 8 * MS, 11, 11, in_read_again, 2);
	STORY(s, "8ms wake 12 by 11 on 0; 9ms 11>12; 12ms 12>11 S");
	event_stack(s, 12 * MS, 11, 11, in_read, 2);
	story_end(s, 20 * MS);
}

static struct json_object *list(FIXTURE_DATA(stacks) *self, const char *name)
{
	self->j = json_tokener_parse(self->t.out);
	return json_object_object_get(json_object_object_get(self->j, "stacks"), name);
}

/* Return: "NAME COUNT TOTAL(ms) LONGEST(ms) FUNCTION..." of the first element. */
static const char *first(struct json_object *list)
{
	struct json_object *stack = json_object_array_get_idx(list, 0), *functions;
	static char text[512];
	size_t i, used;

	if (!stack)
		return "(none)";
	functions = json_object_object_get(stack, "functions");
	used = snprintf(text, sizeof(text), "%s %d %d %d",
			json_object_get_string(json_object_object_get(stack, "longest_name")),
			(int)number(stack, "count"), (int)(number(stack, "total_ns") / MS),
			(int)(number(stack, "longest_ns") / MS));
	for (i = 0; i < json_object_array_length(functions); i++)
		used += snprintf(text + used, sizeof(text) - used, " %s",
				 json_object_get_string(json_object_array_get_idx(functions, i)));
	return text;
}

TEST_F(stacks, sums_are_by_function)
{
	tell(&self->s);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("pi;ng 2 4 3 pipe_read [pipe] ksys_read", first(list(self, "slept")));
	EXPECT_EQ(1U, json_object_array_length(list(self, "slept")));
	EXPECT_STREQ("pi;ng 1 3 3 pipe_read [pipe] ksys_read", first(list(self, "preempted")));
	EXPECT_STREQ("pi;ng 1 3 3 do_wake", first(list(self, "wakers")));
}

TEST_F(stacks, text_has_them)
{
	tell(&self->s);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	GOLDEN("Where threads blocked");
	GOLDEN("Where threads were preempted");
	GOLDEN("Functions that blocked");
	GOLDEN("What woke threads, and how long they had slept");
}

/* Return: "NAME IRQ COUNT TOTAL(ms) LONGEST(ms) FUNCTIONS" of each element, one per line. */
static const char *wakers_of(struct json_object *list)
{
	struct json_object *all, *w;
	static char text[512];
	size_t i, used = 0;

	text[0] = '\0';
	all = json_object_object_get(json_object_array_get_idx(list, 0), "wakers");
	for (i = 0; all && i < json_object_array_length(all); i++) {
		w = json_object_array_get_idx(all, i);
		used += snprintf(text + used, sizeof(text) - used, "%s %s %d %d %d %s\n",
				 json_object_get_string(json_object_object_get(w, "name")),
				 json_object_get_string(json_object_object_get(w, "irq")),
				 (int)number(w, "count"), (int)(number(w, "total_ns") / MS),
				 (int)(number(w, "longest_ns") / MS),
				 json_object_get_string(json_object_object_get(w, "functions")));
	}
	return text;
}

TEST_F(stacks, sleeps_have_who_woke_them)
{
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 ping; name 12 worker; name 13 worker; 0@1ms 0>11; 2ms 11>12 S");
	event_stack(s, 4 * MS, 11, 11, in_wake, 2);
	STORY(s, "4ms wake 11 by 12 on 0; 5ms 12>11");
	event_stack(s, 5 * MS, 11, 11, in_read, 2);
	story_switch(s, 6 * MS, 11, 13, FXT_THREAD_BLOCKED);
	event_stack(s, 9 * MS, 11, 11, in_wake, 2);
	STORY(s, "9ms wake 11 by 13 on 0; 9ms 13>11");
	event_stack(s, 9 * MS, 11, 11, in_read_again, 2);
	STORY(s, "10ms 11>12 S; 11ms wake 11 by softirq on 0; 12ms 12>11");
	event_stack(s, 12 * MS, 11, 11, in_read, 2);
	story_end(s, 20 * MS);
	event_symbols(s, symbols);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("ping 3 6 3 pipe_read [pipe] ksys_read", first(list(self, "slept")));
	EXPECT_STREQ("worker (null) 2 5 3 [ \"do_wake\" ]\n(null) soft 1 1 1 (null)\n",
		     wakers_of(list(self, "slept")));
	EXPECT_STREQ("", wakers_of(list(self, "wakers")));
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	GOLDEN("Where threads blocked");
}

/* Return: "NAME SELF(ms) SELF_COUNT TOTAL(ms) COUNT LONGEST(ms)" of each element, one per line. */
static const char *sums(struct json_object *list)
{
	static char text[512];
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *f = json_object_array_get_idx(list, i);

		used += snprintf(text + used, sizeof(text) - used, "%s %d %d %d %d %d\n",
				 json_object_get_string(json_object_object_get(f, "name")),
				 (int)(number(f, "self_ns") / MS), (int)number(f, "self_count"),
				 (int)(number(f, "total_ns") / MS), (int)number(f, "count"),
				 (int)(number(f, "longest_ns") / MS));
	}
	return text;
}

/* A function that calls itself counts once. */
TEST_F(stacks, functions_add_up)
{
	static const uint64_t deep[] = { 0xffffffff81000150, 0xffffffff81000350,
					 0xffffffff81000360, 0xffffffff81000370 };

	STORY(&self->s, "0@1ms 0>11; 2ms 11>0 S; 5ms wake 11 by irq; 6ms 0>11");
	event_stack(&self->s, 6 * MS, 11, 11, in_read, 2);
	STORY(&self->s, "7ms 11>0 S; 12ms wake 11 by irq on 0; 12ms 0>11");
	event_stack(&self->s, 12 * MS, 11, 11, deep, 4);
	story_end(&self->s, 20 * MS);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("ksys_read 5 1 8 2 5\npipe_read [pipe] 3 1 3 1 3\ndo_wake 0 0 5 1 5\n",
		     sums(list(self, "slept_functions")));
	EXPECT_NE(NULL, strstr(self->t.out,
		"{\"name\":\"ksys_read\",\"self_ns\":5000000,\"self_count\":1,\"total_ns\":8000000,"
		"\"count\":2,\"longest_ns\":5000000,\"longest_time_ns\":12000000,"
		"\"longest_thread\":11,\"longest_name\":null}")) TH_LOG("%s", self->t.out);
	EXPECT_STREQ("", sums(list(self, "preempted_functions")));
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	GOLDEN("Functions that blocked");
}

TEST_F(stacks, folded_lines_are_sums_by_name)
{
	tell(&self->s);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("pi_ng;ksys_read;pipe_read [pipe] 4000000\n", self->t.out);
}

/* The next field of a number in a message; fails at the end. */
static struct wire_field field_of(struct wire *m, uint32_t number)
{
	struct wire_field f;

	while (wire_next(m, &f))
		if (f.number == number)
			return f;
	return (struct wire_field){ 0 };
}

/* What fxt printed; empty if it is no gzip. */
static struct wire unpack(const struct tool *t, uint8_t *bytes, size_t room)
{
	z_stream z = {
		.next_in = (Bytef *)t->out, .avail_in = t->out_bytes, .next_out = bytes,
		.avail_out = room,
	};

	if (inflateInit2(&z, 15 + 16) || inflate(&z, Z_FINISH) != Z_STREAM_END || inflateEnd(&z))
		return (struct wire){ bytes, bytes };
	return (struct wire){ bytes, bytes + z.total_out };
}

static const char *text_at(struct wire profile, uint64_t number, char text[64])
{
	struct wire_field f;

	do {
		f = field_of(&profile, 6);
	} while (f.number && number--);
	snprintf(text, 64, "%.*s", (int)wire_bytes(&f.bytes), (const char *)f.bytes.at);
	return text;
}

/* Locations (4), or functions (5). */
static unsigned int count_fields(struct wire profile, uint32_t number)
{
	unsigned int count = 0;

	while (field_of(&profile, number).number)
		count++;
	return count;
}

/* "type/unit..., then the default type" of a profile. */
static const char *types_text(struct wire profile, char text[256])
{
	struct wire types = profile, one;
	struct wire_field f;
	char name[64];
	int n = 0, field;

	while ((f = field_of(&types, 1)).number)
		for (one = f.bytes, field = 1; field <= 2; field++)
			n += snprintf(text + n, 256 - n, "%s%s", text_at(profile, field_of(&one, field).value, name),
				      field == 1 ? "/" : " ");
	types = profile;
	snprintf(text + n, 256 - n, "%s", text_at(profile, field_of(&types, 14).value, name));
	return text;
}

/* "inner<outer name/tid slept times ns preempted times ns" of the next sample. */
static const char *sample_text(struct wire profile, struct wire *rest, char text[256])
{
	struct wire sample = field_of(rest, 2).bytes, values = sample, labels = sample, label;
	struct wire_field f;
	char name[64];
	int n = 0;

	while ((f = field_of(&sample, 1)).number)
		n += snprintf(text + n, 256 - n, "%s<", text_at(profile, f.value, name));
	label = field_of(&labels, 3).bytes;
	field_of(&label, 1);
	n += snprintf(text + n, 256 - n, " %s", text_at(profile, field_of(&label, 2).value, name));
	label = field_of(&labels, 3).bytes;
	n += snprintf(text + n, 256 - n, "/%s", text_at(profile, field_of(&label, 1).value, name));
	n += snprintf(text + n, 256 - n, " %" PRIu64, field_of(&label, 3).value);
	while ((f = field_of(&values, 2)).number)
		n += snprintf(text + n, 256 - n, " %" PRIu64, f.value);
	return text;
}

/* A thread, and a type of samples, may be called as a function is. */
TEST_F(stacks, profiles_of_pprof_have_sleeps_and_preemptions)
{
	uint8_t bytes[4096];
	struct wire profile, rest;
	char text[256];

	tell(&self->s);
	event_symbols(&self->s, "k ffffffff81000100 ffffffff81000200 pi;ng\n"
		      "k ffffffff81000000 ffffffff81000100 slept\n");
	ASSERT_EQ(0, REPORT("--pprof")) TH_LOG("%s", self->t.err);
	profile = rest = unpack(&self->t, bytes, sizeof(bytes));
	EXPECT_STREQ("slept<pi;ng< pi;ng/tid 11 2 4000000 0 0",
		     sample_text(profile, &rest, text));
	EXPECT_STREQ("slept<pi;ng< pi;ng/tid 11 0 0 1 3000000",
		     sample_text(profile, &rest, text));
	EXPECT_EQ(0U, field_of(&rest, 2).number);
	EXPECT_EQ(2U, count_fields(profile, 4));
	EXPECT_EQ(2U, count_fields(profile, 5));
	EXPECT_STREQ("", text_at(profile, 0, text));
	EXPECT_STREQ("times_slept/count slept/nanoseconds times_preempted/count "
		     "preempted/nanoseconds slept", types_text(profile, text));
	rest = profile;
	EXPECT_EQ(19 * MS, field_of(&rest, 10).value);
}

/* Readers accept nothing else than UTF-8, and print it. */
TEST_F(stacks, profiles_of_pprof_are_utf8)
{
	uint8_t bytes[4096];
	struct wire profile, rest;
	char text[256];

	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "m\xc3\xbc\xe2\x80\xae\x1b\xe6\x97");
	STORY(&self->s, "0@1ms 0>11; 2ms 11>0 S; 5ms wake 11 by irq on 0; 6ms 0>11");
	event_stack(&self->s, 6 * MS, 11, 11, in_read, 1);
	story_end(&self->s, 20 * MS);
	ASSERT_EQ(0, REPORT("--pprof")) TH_LOG("%s", self->t.err);
	profile = rest = unpack(&self->t, bytes, sizeof(bytes));
	EXPECT_STREQ("0xffffffff81000010< m\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd/tid 11 1 3000000 0 0",
		     sample_text(profile, &rest, text));
}

TEST_F(stacks, preemptions_are_enough_for_a_profile)
{
	uint8_t bytes[4096];
	struct wire profile, rest;
	char text[256];

	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; 0@1ms 0>11; 9ms 11>12; 12ms 12>11 S");
	event_stack(&self->s, 12 * MS, 11, 11, in_read, 1);
	story_end(&self->s, 20 * MS);
	ASSERT_EQ(0, REPORT("--pprof")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	profile = rest = unpack(&self->t, bytes, sizeof(bytes));
	EXPECT_STREQ("0xffffffff81000010< eleven/tid 11 0 0 1 3000000", sample_text(profile, &rest, text));
	EXPECT_EQ(1, REPORT("--folded"));
	EXPECT_IN(self->t.err, "what is selected has no call stacks of sleeps for --folded;");
	EXPECT_EQ(1, REPORT("--pprof", "--comm", "twelve"));
	EXPECT_IN(self->t.err, "what is selected has no call stacks of sleeps or preemptions for --pprof;");
}

/* A sleep fired the trigger and went on. It is no sleep of known length, nor what woke a thread. */
TEST_F(stacks, sleep_that_fired_the_trigger)
{
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; name 12 twelve; 0@1ms 0>11; 2ms 11>12 S");
	event_asleep(s, 60 * MS, 11, 11, in_read, 1);
	STORY(s, "61ms wake 12 by irq; end 65ms");
	story_trigger_open_of(s, FXT_STR_SLEEP, 59 * MS, 11, 0, 57 * MS);
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "  eleven/11 slept for 57.0ms, in 0xffffffff81000010, which fired");
	EXPECT_IN(self->t.out, "eleven/11\n          slept in 0xffffffff81000010\n");
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\"open\":true,\"slept_in\":[\"0xffffffff81000010\"],"
		  "\"woken_from\":null,\"held_in\":null,\"cause\":\"sleep\"");
	EXPECT_EQ(1, REPORT("--folded"));
	ASSERT_EQ(0, FXT("check", self->path)) TH_LOG("%s", self->t.out);
}

/* Samples of another kind of stack than was asked for are never a surprise. */
TEST_F(stacks, samples_are_chosen_by_the_archive)
{
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; name 12 twelve; 0@1ms 0>11");
	event_sample(s, 2 * MS, 11, 11, in_read, 1);
	story_switch(s, 3 * MS, 11, 0, FXT_THREAD_BLOCKED);
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("eleven;0xffffffff81000010 1000000\n", self->t.out);
	STORY(s, "8ms wake 12 by irq on 0; 9ms 0>12; 10ms 12>0 S; 11ms wake 12 by irq on 0; "
		 "12ms 0>12");
	event_stack(s, 12 * MS, 12, 12, in_read, 1);
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("twelve;0xffffffff81000010 1000000\n", self->t.out);
	EXPECT_EQ(1, REPORT("--folded", "--comm", "eleven"));
	EXPECT_IN(self->t.err, "what is selected has no call stacks of sleeps for --folded;");
}

TEST_F(stacks, profiles_need_stacks)
{
	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11; 2ms 11>0 S; end 3ms");
	EXPECT_EQ(1, REPORT("--pprof"));
	EXPECT_IN(self->t.err, "it has no call stacks of sleeps or preemptions for --pprof");
	EXPECT_EQ(2, REPORT("--pprof", "--json"));
	EXPECT_IN(self->t.err, "give only one of");
}

TEST_F(stacks, functions_without_a_name_have_addresses)
{
	tell(&self->s);
	event_symbols(&self->s, "k ffffffff81000000\nk x y z\nk 2 1 backwards\n"
		    "k ffffffff81000000 ffffffff81000100 \n"
		    "k ffffffff81000000 ffffffff81000100 bad\x01name\n"
		    "u ffffffff81000000 ffffffff81000100 later\n"
		    "k 10000000000000000 20000000000000000 overflow\nk");
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(2U, json_object_array_length(list(self, "slept")));
	EXPECT_STREQ("pi;ng 1 3 3 0xffffffff81000010 0xffffffff81000200",
		     first(list(self, "slept")));
}

/* The thread sleeps for 1 ms from @from ms on, and is switched in with these frames. */
static void sleep_in(struct story *s, uint64_t from, uint32_t tid, const uint64_t *frames,
		     uint32_t count)
{
	story_switch(s, from * MS, 0, tid, FXT_THREAD_NEW);
	STORY(s, "% %>0 S; % wake % by irq on 0; % 0>%", from * MS + 1, tid, (from + 1) * MS, tid,
		 (from + 2) * MS, tid);
	event_stack(s, (from + 2) * MS, tid, tid, frames, count);
	story_switch(s, (from + 2) * MS + 1, tid, 0, FXT_THREAD_BLOCKED);
}

/*
 * A function without a name is a place in a file, the same in all processes that map the file. An
 * address outside of files stays an address.
 */
TEST_F(stacks, functions_without_a_name_have_places)
{
	static const uint64_t one[] = { 0xffffffffc0000012, 0x401235, 0x20000 };
	static const uint64_t two[] = { 0xffffffffc0000012, 0x7f0000001235 };
	static const uint64_t edge[] = { 0x402000, 0x402001 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; name 12 twelve");
	event_module(s, 0, 0, 1, "nvme", 0xffffffffc0000000, 0x1000);
	event_module(s, 0, 0, 2, "[kernel.kallsyms]", 0xffffffff81000000, 0x1000);
	event_module(s, 0, 11, 1, "/usr/lib/libfoo.so", 0x400001, 0x2000);
	event_module(s, 0, 12, 1, "/usr/lib/libfoo.so", 0x7f0000000001, 0x2000);
	event_module(s, 1 * MS, 12, 2, "/usr/lib/lib\x01" "bar.so", 0x500000, 0x1000);
	story_chunk(s, 0, 1 * MS);
	sleep_in(s, 1, 11, one, 3);
	sleep_in(s, 4, 12, two, 2);
	sleep_in(s, 7, 11, edge, 2);
	event_symbols(s, "k ffffffff81000000 ffffffff81000100 other\n");
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("eleven;0x20000;libfoo.so+0x1234;[nvme]+0x12 999999\n"
		     "eleven;libfoo.so+0x2000;libfoo.so+0x1fff 999999\n"
		     "twelve;libfoo.so+0x1234;[nvme]+0x12 999999\n", self->t.out);
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	GOLDEN("Where threads blocked");
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\"name\":\"[nvme]+0x12\",");
}

/*
 * Two programs had one process id, one after the other, and their files overlap. Only what one of
 * them had at an address can name it. The collector knows of more: at 0x400500 and 0x400501 there
 * was something else at times.
 */
TEST_F(stacks, files_of_reused_ids_name_nothing)
{
	static const uint64_t frames[] = { 0x400601, 0x400502, 0x400501, 0x401010, 0x403011 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven");
	event_module(s, 0, 11, 1, "/bin/alpha", 0x400000, 0x2000);
	event_module(s, 5 * MS, 11, 2, "/bin/beta", 0x401000, 0x4000);
	event_module(s, 6 * MS, 11, 2, "/bin/beta", 0x402000, 0x1000);
	event_module(s, 6 * MS, 11, 3, "/bin/alpha", 0x400000, 0x1000);
	story_chunk(s, 0, 1 * MS);
	sleep_in(s, 1, 11, frames, 5);
	event_symbols(s, "x 11 400500 400502\n");
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("eleven;beta+0x2011;0x401010;0x400501;0x400502;alpha+0x601 999999\n",
		     self->t.out);
}

/* Three parts of a recording, in which two programs had one process id, as fxt merge joins them. */
TEST_F(stacks, functions_of_reused_ids_name_nothing)
{
	static const uint64_t frames[] = { 0x403010, 0x402010, 0x401010, 0x404050 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; 0@1ms");
	sleep_in(s, 1, 11, frames, 4);
	event_symbols(s, "u 11 404040 404100 exit [alpha]\nx 11 404030 404071\n");
	event_symbols(s, "u 11 401000 401100 start [alpha]\nu 11 402000 402100 work [alpha]\n");
	event_symbols(s, "u 11 401080 401180 main [beta]\nu 11 403000 403100 read [beta]\n");
	event_symbols(s, "u 11 402000 402100 work [alpha]\n");
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("eleven;0x404050;0x401010;work [alpha];read [beta] 999999\n", self->t.out);
}

/* Words that look like the numbers which the reader gives to lines without a name are frames. */
TEST_F(stacks, frames_are_any_words)
{
	static const uint64_t frames[] = { 0x8000000000000000, 0x8000000000000001, 0x403010 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; 0@1ms");
	sleep_in(s, 1, 11, frames, 3);
	event_symbols(s, "x 11 1 2\nk 5 6 five\nu 11 403000 403100 read [beta]\n");
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("eleven;read [beta];0x8000000000000001;0x8000000000000000 999999\n",
		     self->t.out);
}

/* Each process has the same function at another address. A frame 0 ends a stack. */
TEST_F(stacks, processes_have_functions_of_their_own)
{
	static const uint64_t one[] = { 0xffffffff81000010, 0x401010, 0 };
	static const uint64_t two[] = { 0xffffffff81000010, 0x7f0001000010 };
	static const uint64_t three[] = { 0xffffffff81000010, 0x401010 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 one; name 12 two; name 13 three; 0@1ms");
	sleep_in(s, 10, 11, one, 3);
	sleep_in(s, 20, 12, two, 2);
	sleep_in(s, 30, 12, two, 2);
	sleep_in(s, 40, 13, three, 2);
	story_end(s, 50 * MS);
	event_symbols(s, "u 12 7f0001000000 7f0001000100 work [program]\n"
			 "k ffffffff81000000 ffffffff81000100 pipe_read\n"
			 "u 11 401000 401100 work [program]\nu 11 401000\nu 0 401000 401100 no\n"
			 "u 99999999999999999999 401000 401100 no\nu 13x 401000 401100 no\n"
			 "u 13 401100 401000 no\nu 13 zz 401100 no\n");
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(2U, json_object_array_length(list(self, "slept")));
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("one;work [program];pipe_read 999999\n"
		     "three;0x401010;pipe_read 999999\n"
		     "two;work [program];pipe_read 1999998\n", self->t.out);
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	GOLDEN("Where threads blocked");
}

/*
 * A timer interrupt wakes the thread twice, from different interrupted code. Then a thread wakes
 * it, by a soft interrupt in a call of its own.
 */
TEST_F(stacks, interrupted_code_wakes_nobody)
{
	static const uint64_t irq_in_read[] = { 0xffffffff81000310, 0xffffffff81000610,
						0xffffffff81000510, 0xffffffff81000010 };
	static const uint64_t irq_in_program[] = { 0xffffffff81000310, 0xffffffff81000610,
						   0xffffffff81000510, 0x401010 };
	static const uint64_t call[] = { 0xffffffff81000310, 0xffffffff81000610,
					 0xffffffff81000110 };
	static const uint64_t * const wakers[] = { irq_in_read, irq_in_program, call };
	static const uint32_t counts[] = { 4, 4, 3 };
	struct story *s = &self->s;

	STORY(s, "0@1ms 0>11");
	for (uint64_t i = 0; i < 3; i++) {
		story_switch(s, (10 * i + 2) * MS, 11, 0, FXT_THREAD_BLOCKED);
		event_stack(s, (10 * i + 5) * MS, 11, 11, wakers[i], counts[i]);
		STORY(s, "% wake 11 by softirq on 0; % 0>11", (10 * i + 5) * MS, (10 * i + 5) * MS);
		event_stack(s, (10 * i + 5) * MS, 11, 11, in_read, 2);
	}
	story_end(s, 40 * MS);
	event_symbols(s, "k ffffffff81000000 ffffffff81000100 pipe_read\n"
			 "k ffffffff81000100 ffffffff81000200 sys_send\n"
			 "k ffffffff81000300 ffffffff81000400 do_wake\n"
			 "k ffffffff81000500 ffffffff81000600 asm_sysvec_timer\n"
			 "k ffffffff81000600 ffffffff81000700 do_softirq\n");
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("(null) soft 2 6 3 [ \"do_wake\", \"do_softirq\", \"asm_sysvec_timer\" ]\n"
		     "(null) soft 1 3 3 [ \"do_wake\", \"do_softirq\", \"sys_send\" ]\n",
		     wakers_of(list(self, "slept")));
	EXPECT_EQ(2U, json_object_array_length(list(self, "wakers")));
}

/* Waiting for work is no loss, however long it takes, so a sleep of 1 ms comes first. */
TEST_F(stacks, idle_kernel_threads_are_apart)
{
	static const struct fxt_sched_state idle = { FXT_THREAD_BLOCKED, FXT_STR_STATE_I };

	STORY(&self->s, "names@1; name 11 program; name 12 kworker; 0@1ms");
	sleep_in(&self->s, 1, 11, in_read, 2);
	story_switch(&self->s, 4 * MS, 0, 12, FXT_THREAD_NEW);
	story_state(&self->s, 5 * MS, 0, 12, 0, idle);
	event_stack(&self->s, 25 * MS, 12, 12, in_wake, 2);
	STORY(&self->s, "25ms wake 12 by irq on 0; 25ms 0>12");
	event_stack(&self->s, 25 * MS, 12, 12, in_read_again, 2);
	story_end(&self->s, 30 * MS);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("program 1 0 0 pipe_read [pipe] ksys_read", first(list(self, "slept")));
	EXPECT_STREQ("kworker 1 20 20 pipe_read [pipe] ksys_read", first(list(self, "idle")));
	EXPECT_EQ(0U, json_object_array_length(list(self, "wakers")));
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("not listed: idle kernel threads, 1 sleep, 20.0ms");
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("program;ksys_read;pipe_read [pipe] 999999\n", self->t.out);
}

TEST_F(stacks, only_threads_that_are_shown)
{
	tell(&self->s);
	event_symbols(&self->s, symbols);
	ASSERT_EQ(0, REPORT("--json", "--comm", "other")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0U, json_object_array_length(list(self, "slept")));
	ASSERT_EQ(0, REPORT("--json", "--from", "0.007")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("pi;ng 1 1 1 pipe_read [pipe] ksys_read", first(list(self, "slept")));
}

TEST_F(stacks, none_without_stacks)
{
	STORY(&self->s, "0@1ms 0>11; end 2ms");
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_NO("Where threads");
}
