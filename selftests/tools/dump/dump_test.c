// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt dump`: the lines are exactly those written out here by hand; filters show exactly what a
 * search in all records finds; malformed records are shown at their place.
 */
#include "harness.h"

#include <json-c/json.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "dump_samples.h"
#include "generate.h"
#include "tool.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))

FIXTURE(dump)
{
	int fd;
	char path[64];
	struct tool t;
};

FIXTURE_SETUP(dump)
{
	self->t = (struct tool){ 0 };
	/* The descriptor stays open in the child, which opens the archive by this name. */
	self->fd = memfd_create("archive", 0);
	ASSERT_LE(0, self->fd);
	snprintf(self->path, sizeof(self->path), "/proc/self/fd/%d", self->fd);
}

FIXTURE_TEARDOWN(dump) { }

/* The samples as an archive, with the offset of each. */
static void write_samples(struct __test_metadata *_metadata, int fd, bool swapped,
			  uint64_t *offsets)
{
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open(&w, fd));
	if (swapped)
		ASSERT_EQ(0, fxt_writer_swap(w));
	for (size_t i = 0; i < ARRAY_LENGTH(samples); i++) {
		offsets[i] = fxt_writer_bytes(w);
		ASSERT_EQ(0, fxt_writer_record(w, &samples[i].c)) TH_LOG("%s", samples[i].line);
	}
	ASSERT_EQ(0, fxt_writer_close(w));
}

static int run(FIXTURE_DATA(dump) *self, const char *options)
{
	const char *args[16] = { "dump" };
	char *copy = strdup(options), *rest = copy, *word;
	int n = 1;

	while ((word = strsep(&rest, " ")) && n < 14)
		if (*word)
			args[n++] = word;
	args[n] = self->path;
	tool_run(&self->t, args);
	return self->t.status;
}

static char *take_offset(char *line, uint64_t *offset)
{
	char *end;

	*offset = strtoull(line, &end, 10);
	return end > line && *end == ' ' ? end + 1 : NULL;
}

/* --- text ------------------------------------------------------------------------ */

TEST_F(dump, text_of_every_kind)
{
	uint64_t offsets[ARRAY_LENGTH(samples)], offset;
	char *rest, *line, *text;

	write_samples(_metadata, self->fd, false, offsets);
	ASSERT_EQ(0, run(self, "")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	rest = self->t.out;
	for (size_t i = 0; i < ARRAY_LENGTH(samples); i++) {
		line = strsep(&rest, "\n");
		ASSERT_NE(NULL, line);
		text = take_offset(line, &offset);
		ASSERT_NE(NULL, text);
		EXPECT_EQ(offsets[i], offset);
		EXPECT_STREQ(samples[i].line, text);
	}
	EXPECT_STREQ("", rest);
}

/* The same lines, but the order of a ledger's words is unknown. */
TEST_F(dump, text_of_the_other_byte_order)
{
	uint64_t offsets[ARRAY_LENGTH(samples)], offset;
	char *rest, *line, *text;

	write_samples(_metadata, self->fd, true, offsets);
	ASSERT_EQ(0, run(self, "")) TH_LOG("%s", self->t.err);
	rest = self->t.out;
	for (size_t i = 0; i < ARRAY_LENGTH(samples); i++) {
		line = strsep(&rest, "\n");
		ASSERT_NE(NULL, line);
		text = take_offset(line, &offset);
		ASSERT_NE(NULL, text);
		if (samples[i].c.kind != FXT_KIND_BLOB)
			EXPECT_STREQ(samples[i].line, text);
		EXPECT_NOT_IN(text, "stream=");
	}
}

TEST_F(dump, into_a_file)
{
	uint64_t offsets[ARRAY_LENGTH(samples)];
	int out = memfd_create("out", 0);
	char option[64], *text;
	struct stat st;

	write_samples(_metadata, self->fd, false, offsets);
	ASSERT_EQ(0, run(self, "--json"));
	text = strdup(self->t.out);
	snprintf(option, sizeof(option), "--json -o /proc/self/fd/%d", out);
	ASSERT_EQ(0, run(self, option)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.out);
	ASSERT_EQ(0, fstat(out, &st));
	ASSERT_EQ((off_t)strlen(text), st.st_size);
	self->t.out = calloc(1, st.st_size + 1);
	ASSERT_EQ(st.st_size, pread(out, self->t.out, st.st_size, 0));
	EXPECT_STREQ(text, self->t.out);
	close(out);
}

/* --- filters --------------------------------------------------------------------- */

static void expect_kinds(struct __test_metadata *_metadata, FIXTURE_DATA(dump) *self,
			 const char *options, const char *kinds)
{
	char seen[2048] = "", *rest, *line, *text;
	uint64_t offset;

	ASSERT_EQ(*kinds || !strcmp(options, "--type unknown") ? 0 : 1, run(self, options))
		TH_LOG("%s: %s", options, self->t.err);
	for (rest = self->t.out; (line = strsep(&rest, "\n")) && *line;) {
		text = take_offset(line, &offset);
		ASSERT_NE(NULL, text);
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s%.*s",
			 *seen ? " " : "", (int)strcspn(text, " "), text);
	}
	EXPECT_STREQ(kinds, seen) TH_LOG("%s", options);
}

#define EVENTS	"instant counter duration_begin duration_end duration_complete "	\
		"async_begin async_instant async_end flow_begin flow_step flow_end"
#define PROFILER "module mmap backtrace"

TEST_F(dump, filters)
{
	static const struct {
		const char *options, *kinds;
	} filters[] = {
		{ "--type log", "log" },
		{ "--type=blob,magic", "magic blob blob" },
		{ "--type string --type magic", "magic string string" },
		{ "--type event", EVENTS },
		{ "--type metadata", "magic provider_info provider_section provider_event" },
		{ "--type object", "userspace_object kernel_object kernel_object kernel_object" },
		{ "--type scheduling", "legacy_context_switch context_switch thread_wakeup" },
		{ "--type profiler,large_blob", PROFILER " large_blob" },
		{ "--type unknown", "" },
		{ "--from 5", "log " PROFILER " large_blob" },
		{ "--from 5.000000001", PROFILER " large_blob" },
		{ "--from 6.0", "large_blob" },
		{ "--from 6.000000001", "" },
		{ "--to 1", "instant" },
		{ "--to 0.999999999", "" },
		{ "--from 4 --to 4.000001", "legacy_context_switch context_switch" },
		{ "--from +3.000002 --to +4", "thread_wakeup log" },
		{ "--from 0 --to 18446744073.7 --type large_blob", "large_blob" },
		{ "--from +18446744073.709551615", "" },
		{ "--to +18446744073.709551615 --type log", "log" },
		{ "--cpu 300", "context_switch" },
		{ "--cpu 0-6,8-299", "legacy_context_switch" },
		{ "--cpu 0-65535", "legacy_context_switch context_switch thread_wakeup" },
		{ "--cpu 6 --cpu 7", "legacy_context_switch thread_wakeup" },
		{ "--cpu 0-7 --type thread_wakeup", "thread_wakeup" },
		{ "--tid 31", "context_switch thread_wakeup" },
		{ "--tid 21", "kernel_object legacy_context_switch context_switch thread_wakeup" },
		{ "--tid 12", "log" },
		{ "--tid 12,31", "context_switch thread_wakeup log" },
		{ "--tid 20", "" },
		{ "--tid 11", "thread " EVENTS " legacy_context_switch " PROFILER " large_blob" },
		{ "--pid 20", "kernel_object kernel_object legacy_context_switch context_switch "
			      "thread_wakeup" },
		{ "--pid 20 --type context_switch", "context_switch" },
		{ "--pid 31", "" },
		{ "--pid 10", "thread " EVENTS " userspace_object legacy_context_switch log "
			      PROFILER " large_blob" },
		{ "--pid 10 --tid 12", "log" },
		{ "--pid 20 --cpu 7 --from 4", "thread_wakeup" },
		{ "--pid 20 --from +3.000001", "context_switch thread_wakeup" },
		{ "--pid 99,20 --tid 31 --to 4.000001", "context_switch" },
	};
	uint64_t offsets[ARRAY_LENGTH(samples)];

	write_samples(_metadata, self->fd, false, offsets);
	for (size_t i = 0; i < ARRAY_LENGTH(filters); i++)
		expect_kinds(_metadata, self, filters[i].options, filters[i].kinds);
}

TEST_F(dump, filtered_json)
{
	uint64_t offsets[ARRAY_LENGTH(samples)];
	json_object *o, *kind;

	write_samples(_metadata, self->fd, false, offsets);
	ASSERT_EQ(0, run(self, "--json --cpu 300"));
	o = json_tokener_parse(self->t.out);
	ASSERT_TRUE(json_object_object_get_ex(o, "kind", &kind));
	EXPECT_STREQ("context_switch", json_object_get_string(kind));
	EXPECT_EQ(self->t.out_bytes - 1, strcspn(self->t.out, "\n"));
}

struct wish {
	uint64_t pid, tid, from, to;
	uint16_t cpu;
};

#define MAX_THREAD	100000

static bool is_wish(const struct fxt_content *c, const struct wish *w, const uint64_t *process)
{
	bool is_switch = c->kind == FXT_KIND_CONTEXT_SWITCH;
	uint64_t a = is_switch ? c->sw.out : c->wakeup.thread;
	uint64_t b = is_switch ? c->sw.in : c->wakeup.waker;

	return c->time >= w->from && c->time <= w->to &&
	       (is_switch ? c->sw.cpu : c->wakeup.cpu) == w->cpu &&
	       (a == w->tid || b == w->tid) &&
	       (process[a % MAX_THREAD] == w->pid || process[b % MAX_THREAD] == w->pid);
}

static size_t search(const char *path, const struct wish *w, uint64_t *offsets, size_t room)
{
	static uint64_t process[MAX_THREAD];
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;
	size_t count = 0;

	if (fxt_reader_open(&r, path, NULL))
		return 0;
	while (fxt_reader_next(r, &rec) > 0) {
		if (fxt_reader_content(r, &rec, &c))
			continue;
		if (c.kind == FXT_KIND_KERNEL_OBJECT && c.arg_count)
			process[c.object % MAX_THREAD] = c.args[0].u64;
		if ((c.kind == FXT_KIND_CONTEXT_SWITCH || c.kind == FXT_KIND_THREAD_WAKEUP) &&
		    is_wish(&c, w, process) && count < room)
			offsets[count++] = rec.offset;
	}
	fxt_reader_close(r);
	return count;
}

/* Choose the middle one of all switches, and the process of its outgoing thread. */
static void choose(struct __test_metadata *_metadata, const char *path, struct wish *w)
{
	static uint64_t process[MAX_THREAD];
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;
	unsigned int seen = 0;

	ASSERT_EQ(0, fxt_reader_open(&r, path, NULL));
	while (fxt_reader_next(r, &rec) > 0 && seen < 5000) {
		ASSERT_EQ(0, fxt_reader_content(r, &rec, &c));
		if (c.kind == FXT_KIND_KERNEL_OBJECT && c.arg_count)
			process[c.object % MAX_THREAD] = c.args[0].u64;
		if (c.kind == FXT_KIND_CONTEXT_SWITCH && c.sw.out && process[c.sw.out % MAX_THREAD])
			seen++;
	}
	ASSERT_EQ(5000U, seen);
	*w = (struct wish){ process[c.sw.out], c.sw.out, c.time - 50000000, c.time + 50000000,
			    c.sw.cpu };
	fxt_reader_close(r);
}

TEST_F(dump, filters_of_a_recording)
{
	const size_t room = 20000;
	uint64_t *expected = calloc(room, sizeof(*expected)), offset;
	char options[256], *rest, *line;
	size_t count, i = 0;
	struct wish w;

	ASSERT_EQ(0, generate_sched(self->fd, 20000, 3));
	choose(_metadata, self->path, &w);
	count = search(self->path, &w, expected, room);
	ASSERT_LT(0U, count);
	snprintf(options, sizeof(options),
		 "--type scheduling --pid %" PRIu64 " --tid %" PRIu64 " --cpu %u "
		 "--from %" PRIu64 ".%09u --to %" PRIu64 ".%09u", w.pid, w.tid, w.cpu,
		 w.from / 1000000000, (unsigned int)(w.from % 1000000000),
		 w.to / 1000000000, (unsigned int)(w.to % 1000000000));
	ASSERT_EQ(0, run(self, options)) TH_LOG("%s", self->t.err);
	for (rest = self->t.out; (line = strsep(&rest, "\n")) && *line; i++) {
		ASSERT_NE(NULL, take_offset(line, &offset));
		ASSERT_LT(i, count);
		EXPECT_EQ(expected[i], offset);
	}
	EXPECT_EQ(count, i) TH_LOG("%s", options);
}

/* --- malformed archives ------------------------------------------------------------ */

/* Records of a damaged archive; valid ones lie between them. */
static const uint64_t damaged[][4] = {
	{ 0x2000000000010038, 1000, 5 },	/* a wakeup without its argument */
	{ 0x1000000000010048, 2000, 5, 8 },	/* a switch without its argument */
	{ 0x100400000000003e, 1, 2 },		/* of type 14 */
	{ 0x2000010000000038, 3000, 6 },	/* a wakeup with a reserved bit */
};

#define SOUND		8	/* valid records between two damaged ones */

static void write_damaged(struct __test_metadata *_metadata, int fd)
{
	static const uint64_t magic = FXT_MAGIC_RECORD;
	static const uint64_t sound[] = { 0x2000000000000038, 9000, 7 };

	ASSERT_EQ(8, write(fd, &magic, 8));
	for (size_t i = 0; i < ARRAY_LENGTH(damaged); i++) {
		size_t bytes = fxt_get(FXT_SIZE, damaged[i][0]) * FXT_WORD;

		ASSERT_EQ((ssize_t)bytes, write(fd, damaged[i], bytes));
		for (int j = 0; j < SOUND; j++)
			ASSERT_EQ((ssize_t)sizeof(sound), write(fd, sound, sizeof(sound)));
	}
}

/* Return: the next line of a damaged record; @sound: number of lines of valid records before it. */
static char *next_damaged(char **rest, size_t *sound)
{
	char *line;

	while ((line = strsep(rest, "\n")) && *line) {
		if (!strstr(line, "waking_thread=7") && !strstr(line, "\"waking_thread\":7,"))
			return line;
		++*sound;
	}
	return NULL;
}

TEST_F(dump, malformed_in_place)
{
	static const char * const heads[] = {
		"0 magic -",
		"32 malformed - \"byte 32: record 1: ",
		"256 malformed - \"byte 256: record 10: ",
		"448 unknown - type=14 words=3 data=24:3e00000000000410",
		"664 malformed - \"byte 664: record 28: ",
		"664 thread_wakeup 0.000003000 cpu=0 waking_thread=6",
	};
	size_t i, sound = 0;
	char *rest, *line;

	write_damaged(_metadata, self->fd);
	EXPECT_EQ(1, run(self, ""));
	EXPECT_IN(self->t.err, "skipped");
	rest = self->t.out;
	for (i = 0; (line = next_damaged(&rest, &sound)); i++) {
		ASSERT_LT(i, ARRAY_LENGTH(heads)) TH_LOG("%s", line);
		EXPECT_EQ(0, strncmp(heads[i], line, strlen(heads[i]))) {
			TH_LOG("%s, and not %s", line, heads[i]);
		}
	}
	EXPECT_EQ(ARRAY_LENGTH(heads), i);
	EXPECT_EQ(ARRAY_LENGTH(damaged) * SOUND, sound);
}

static const char *string_of(json_object *o, const char *name)
{
	json_object *value = NULL;

	json_object_object_get_ex(o, name, &value);
	return value ? json_object_get_string(value) : "(none)";
}

TEST_F(dump, malformed_as_json)
{
	static const char * const expected[][5] = {
		/* kind, offset, deviation, lost, type */
		{ "magic", "0", "(none)", "(none)", "(none)" },
		{ "malformed", "32", "too-short", "true", "(none)" },
		{ "malformed", "256", "too-short", "true", "(none)" },
		{ "unknown", "448", "(none)", "(none)", "14" },
		{ "malformed", "664", "reserved-bits", "false", "(none)" },
		{ "thread_wakeup", "664", "(none)", "(none)", "(none)" },
	};
	static const char * const names[] = { "kind", "offset", "deviation", "lost", "type" };
	size_t i, sound = 0;
	char *rest, *line;
	json_object *o;

	write_damaged(_metadata, self->fd);
	EXPECT_EQ(1, run(self, "--json"));
	rest = self->t.out;
	for (i = 0; (line = next_damaged(&rest, &sound)); i++) {
		o = json_tokener_parse(line);
		ASSERT_NE(NULL, o);
		ASSERT_LT(i, ARRAY_LENGTH(expected));
		for (size_t j = 0; j < ARRAY_LENGTH(names); j++)
			EXPECT_STREQ(expected[i][j], string_of(o, names[j])) TH_LOG("%s", line);
	}
	EXPECT_EQ(ARRAY_LENGTH(expected), i);
}

/* Filters do not hide malformed records, unless these are inside records that are not shown. */
TEST_F(dump, malformed_and_filtered)
{
	write_damaged(_metadata, self->fd);
	EXPECT_EQ(1, run(self, "--type context_switch"));
	EXPECT_IN(self->t.out, "256 malformed");
	EXPECT_NOT_IN(self->t.out, "32 malformed");
	EXPECT_NOT_IN(self->t.out, "magic");
}

TEST_F(dump, strict)
{
	write_damaged(_metadata, self->fd);
	EXPECT_EQ(1, run(self, "--strict"));
	EXPECT_EQ(0, strncmp("0 magic -\n32 malformed - \"", self->t.out, 26));
	EXPECT_EQ(self->t.out_bytes - 1, strlen("0 magic -\n") + strcspn(self->t.out + 10, "\n"));
	EXPECT_IN(self->t.err, "byte 32");
}

/* This record is readable, and would be shown without --strict. */
TEST_F(dump, strict_of_what_makes_sense)
{
	static const uint64_t archive[] = {
		FXT_MAGIC_RECORD, 0x2000010000000038, 3000, 6, 0x2000000000000038, 4000, 7,
	};

	ASSERT_EQ((ssize_t)sizeof(archive), write(self->fd, archive, sizeof(archive)));
	EXPECT_EQ(1, run(self, "--strict"));
	EXPECT_NOT_IN(self->t.out, "thread_wakeup");
	EXPECT_IN(self->t.out, "\n8 malformed");
	EXPECT_IN(self->t.err, "byte 8");
}

/* The line of a truncated payload is complete nevertheless, in a pipe too. */
TEST_F(dump, cut_payload)
{
	static char archive[1 << 22];
	ssize_t bytes;
	char *line, *rest;
	json_object *o;
	int lines = 0;

	ASSERT_EQ(0, generate_all(self->fd, 0));
	bytes = pread(self->fd, archive, sizeof(archive), 0);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	/* Cut in the middle of the second large blob of 1500001 bytes. */
	for (ssize_t cut = bytes - 160000; cut > bytes - 400000; cut -= 79999) {
		const char * const args[] = { "dump", "--json", "-", NULL };
		int fds[2];

		ASSERT_EQ(0, pipe(fds));
		if (!fork()) {
			close(fds[0]);
			_exit(write(fds[1], archive, cut) != cut);
		}
		close(fds[1]);
		EXPECT_GE(1, tool_run_from(&self->t, args, fds[0]));
		close(fds[0]);
		EXPECT_TRUE(!*self->t.err || !strncmp("fxt: ", self->t.err, 5)) {
			TH_LOG("%s", self->t.err);
		}
		line = strstr(self->t.out, "\"kind\":\"large_blob_no_metadata\"");
		ASSERT_NE(NULL, line);
		line = strstr(line, "\"size\":1500001,");
		ASSERT_NE(NULL, line);
		EXPECT_IN(line, "\"deviation\":\"past-end\"");
		for (rest = self->t.out; (line = strsep(&rest, "\n")) && *line; lines++) {
			o = json_tokener_parse(line);
			ASSERT_NE(NULL, o) TH_LOG("%.100s", line);
		}
		EXPECT_STREQ("", line);
	}
	EXPECT_LT(100, lines);
}

/* --- usage -------------------------------------------------------------------------- */

TEST_F(dump, wrong_usage)
{
	static const char * const wrong[] = {
		"--type", "--type foo", "--type log,", "--type ,", "--bogus", "-x", "--from x",
		"--from 1.", "--from 1.5x", "--from -1", "--to +", "--to 1x",
		"--from 18446744074", "--pid x", "--pid 1,", "--pid -1", "--tid 18446744073709551616",
		"--cpu 65536", "--cpu 3-1", "--cpu 1-", "--cpu a", "--format=2018", "--json=1",
		"another.fxt",
	};

	ASSERT_EQ(0, generate_all(self->fd, 0));
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		/* Options that need a value would take the path for it. */
		EXPECT_EQ(2, run(self, wrong[i])) TH_LOG("%s", wrong[i]);
		EXPECT_STREQ("", self->t.out);
		EXPECT_EQ(0, strncmp("fxt: dump: ", self->t.err, 11));
		EXPECT_EQ(strlen(self->t.err) - 1, strcspn(self->t.err, "\n"));
	}
}

TEST_F(dump, no_archive)
{
	EXPECT_EQ(2, tool_run(&self->t, ARGS("dump")));
	EXPECT_EQ(3, tool_run(&self->t, ARGS("dump", "/nonexistent")));
	EXPECT_IN(self->t.err, "/nonexistent");
	ASSERT_EQ(8, write(self->fd, "no magic", 8));
	EXPECT_EQ(3, run(self, ""));
	EXPECT_STREQ("", self->t.out);
}

TEST_F(dump, help)
{
	EXPECT_EQ(0, run(self, "--help"));
	EXPECT_EQ(0, strncmp("usage: fxt dump", self->t.out, 15));
}

TEST_F(dump, unwritable)
{
	ASSERT_EQ(0, generate_all(self->fd, 0));
	EXPECT_EQ(4, run(self, "-o /dev/full"));
	EXPECT_EQ(4, run(self, "-o /nonexistent/file"));
	EXPECT_EQ(4, run(self, "--json --type magic -o /dev/full"));
}

/* Opening the output would have emptied it. */
TEST_F(dump, onto_itself)
{
	char option[80];
	struct stat before, after;

	ASSERT_EQ(0, generate_all(self->fd, 0));
	ASSERT_EQ(0, fstat(self->fd, &before));
	snprintf(option, sizeof(option), "-o %s", self->path);
	EXPECT_EQ(2, run(self, option));
	ASSERT_EQ(0, fstat(self->fd, &after));
	EXPECT_EQ(before.st_size, after.st_size);
}
