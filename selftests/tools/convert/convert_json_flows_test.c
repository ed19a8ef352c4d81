// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flows of the Trace Event Format: SQLite has the arrows that Perfetto draws for the JSON, also
 * after a merge with another archive; the JSON comes back as it was.
 */
#include <sqlite3.h>

#include "collector.h"
#include "convert_json.h"

#define TEXT_BYTES	2048

FIXTURE(flows)
{
	char dir[RECORD_PATH];
	char trace[RECORD_PATH + 16];
	char other[RECORD_PATH + 16];
	char merged[RECORD_PATH + 16];
	char database[RECORD_PATH + 16];
	struct tool t;
};

FIXTURE_SETUP(flows)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->trace, sizeof(self->trace), "%s/x.json", self->dir);
	snprintf(self->other, sizeof(self->other), "%s/y.json", self->dir);
	snprintf(self->merged, sizeof(self->merged), "%s/merged.fxt", self->dir);
	snprintf(self->database, sizeof(self->database), "%s/x.db", self->dir);
}

FIXTURE_TEARDOWN(flows)
{
	dir_remove(self->dir);
}

static int save(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	return !f || fputs(text, f) < 0 || fclose(f);
}

/* Read the arrows, as the names of slices, in the order of names. Return: 0 or -1 */
static int arrows_of(FIXTURE_DATA(flows) *self, const char *path, char *to)
{
	sqlite3_stmt *s = NULL;
	sqlite3 *db;

	*to = '\0';
	unlink(self->database);
	if (tool_run(&self->t, ARGS("convert", "-q", "--to", "sqlite", "-o", self->database, path)))
		return -1;
	sqlite3_open_v2(self->database, &db, SQLITE_OPEN_READONLY, NULL);
	sqlite3_prepare_v2(db, "SELECT o.name, i.name FROM flow JOIN slice o ON o.id = slice_out JOIN slice i "
			   "ON i.id = slice_in ORDER BY o.name, i.name", -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW)
		to += sprintf(to, "%s>%s ", sqlite3_column_text(s, 0), sqlite3_column_text(s, 1));
	sqlite3_finalize(s);
	sqlite3_close(db);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char * const *)a, *(const char * const *)b);
}

/* Sort the events of a trace, one on each line, whose last characters may be commas. */
static void sort_lines(char *text, char *to)
{
	char *lines[128], *end;
	size_t count = 0;

	for (char *line = strtok(text, "\n"); line && count < 128; line = strtok(NULL, "\n")) {
		end = line + strlen(line);
		if (end > line && end[-1] == ',')
			end[-1] = '\0';
		if (!strncmp(line, "{\"ph\"", 5))
			lines[count++] = line;
	}
	qsort(lines, count, sizeof(*lines), by_text);
	for (size_t i = 0; i < count; i++)
		to += sprintf(to, "%s\n", lines[i]);
}

#define EXPECT_ARROWS(trace, arrows) expect_arrows(_metadata, self, trace, arrows)

static void expect_arrows(struct __test_metadata *_metadata, FIXTURE_DATA(flows) *self,
			  const char *trace, const char *arrows)
{
	static char copy[16384], before[16384], after[16384];
	char text[TEXT_BYTES];

	ASSERT_EQ(0, save(self->trace, trace));
	ASSERT_EQ(0, arrows_of(self, self->trace, text)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(arrows, text) TH_LOG("%s", trace);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("convert", "-q", "--to", "json", self->trace)));
	strcpy(copy, trace);
	sort_lines(copy, before);
	sort_lines(self->t.out, after);
	EXPECT_STREQ(before, after);
}

#define SLICE(pid, ts, dur, name)							\
	"{\"ph\":\"X\",\"pid\":" #pid ",\"tid\":" #pid ",\"ts\":" #ts ".000,\"dur\":" #dur ".000,\"name\":\"" name "\"},\n"
#define BOUND(pid, ts, dur, name, id, how)						\
	"{\"ph\":\"X\",\"pid\":" #pid ",\"tid\":" #pid ",\"ts\":" #ts ".000,\"dur\":" #dur ".000,\"name\":\"" name "\",\"bind_id\":\"" id "\"," how "},\n"
#define PART(phase, pid, ts, name, id)							\
	"{\"ph\":\"" phase "\",\"pid\":" #pid ",\"tid\":" #pid ",\"ts\":" #ts ".000,\"name\":\"" name "\",\"id\":\"" id "\"},\n"
#define END(pid, ts, name, id)								\
	"{\"ph\":\"f\",\"pid\":" #pid ",\"tid\":" #pid ",\"ts\":" #ts ".000,\"name\":\"" name "\",\"id\":\"" id "\",\"bp\":\"e\"},\n"
#define IN	"\"flow_in\":true"
#define OUT	"\"flow_out\":true"

/* Slices of three threads: a and b, c and d, e around f. */
#define SLICES	SLICE(1, 10, 10, "a") SLICE(1, 30, 10, "b") SLICE(2, 10, 10, "c") SLICE(2, 30, 10, "d") \
		SLICE(3, 50, 50, "e") SLICE(3, 60, 10, "f")

/* Without "bp":"e", a flow ends at the next slice of its thread, wherever that is in the file. */
TEST_F(flows, next_slice)
{
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("f", 2, 21, "m", "0x1") "]", "a>d ");
	EXPECT_ARROWS("[\n" PART("f", 2, 21, "m", "0x1") SLICES PART("s", 1, 11, "m", "0x1") "]", "a>d ");
	/* It does not matter whether it is in a slice, nor that slices begin in other threads. */
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("f", 2, 12, "m", "0x1") "]", "a>d ");
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("f", 3, 51, "m", "0x1") "]", "a>f ");
	/* The inner slice comes first in the file. */
	EXPECT_ARROWS("[\n" SLICE(3, 60, 10, "f") PART("s", 1, 11, "m", "0x1") PART("f", 3, 21, "m", "0x1")
		      SLICE(3, 50, 50, "e") SLICE(1, 10, 10, "a") "]", "a>e ");
	/* Two flows end there. There is no next slice. */
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("s", 1, 12, "n", "0x1")
		      PART("f", 2, 21, "m", "0x1") PART("f", 2, 22, "n", "0x1")
		      PART("s", 1, 31, "o", "0x9") PART("f", 2, 45, "o", "0x9") "]", "a>d a>d ");
}

/* Slices with "bind_id" are parts of a flow themselves. */
TEST_F(flows, slices_with_an_id)
{
	EXPECT_ARROWS("[\n" BOUND(1, 10, 10, "a", "0x1", OUT) BOUND(2, 30, 10, "b", "0x1", IN "," OUT)
		      BOUND(3, 50, 10, "c", "0x1", IN) "]", "a>b b>c ");
	EXPECT_ARROWS("[\n" BOUND(3, 50, 10, "c", "0x1", IN) BOUND(3, 40, 5, "b", "0x1", IN)
		      BOUND(1, 10, 10, "a", "0x1", OUT) "]", "a>b a>c ");
	/* The same id is another one in events of phases s, t and f. */
	EXPECT_ARROWS("[\n" SLICES BOUND(4, 5, 5, "g", "0x1", OUT) PART("s", 1, 11, "m", "0x1") END(2, 31, "m", "0x1")
		      BOUND(4, 90, 5, "h", "0x1", IN) "]", "a>d g>h ");
	EXPECT_ARROWS("[\n" BOUND(1, 10, 10, "a", "0x1", "\"flow_out\":false") BOUND(2, 30, 10, "b", "0x1", IN) "]", "");
}

/* Fields with the names of marks for flows stay. */
TEST_F(flows, fields_like_marks)
{
	EXPECT_ARROWS("[\n" BOUND(1, 10, 10, "a", "0x1", OUT ",\"bound\":true")
		      BOUND(2, 30, 10, "b", "0x1", IN ",\"moved\":5000000000") "]", "a>b ");
}

static int64_t number_of(FIXTURE_DATA(flows) *self, const char *query)
{
	sqlite3_stmt *s = NULL;
	int64_t n = -1;
	sqlite3 *db;

	unlink(self->database);
	if (tool_run(&self->t, ARGS("convert", "-q", "--to", "sqlite", "-o", self->database, self->trace)))
		return -1;
	sqlite3_open_v2(self->database, &db, SQLITE_OPEN_READONLY, NULL);
	sqlite3_prepare_v2(db, query, -1, &s, NULL);
	if (sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return n;
}

/* More slices with ids than wait for those before them. */
TEST_F(flows, many_slices_with_ids)
{
	FILE *f = fopen(self->trace, "w");

	ASSERT_NE(NULL, f);
	fputs("[", f);
	for (int i = 0; i < 40000; i++) {
		fprintf(f, "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":2,\"name\":\"%d\",\"bind_id\":%d,%s},\n",
			i % 7 + 1, i * 10, i / 2, i / 2, i % 2 ? IN : OUT);
		/* The part that goes need not be the same kind of event as the one that comes. */
		if (i % 3 == 0)
			fprintf(f, "{\"ph\":\"X\",\"pid\":1,\"tid\":9,\"ts\":%d,\"dur\":2,\"name\":\"x\"},\n", i * 10 + 1);
	}
	fputs("]", f);
	ASSERT_EQ(0, fclose(f));
	EXPECT_EQ(20000, number_of(self, "SELECT count(*) FROM flow JOIN slice o ON o.id = slice_out "
				   "JOIN slice i ON i.id = slice_in WHERE o.name = i.name"))
		TH_LOG("%s", self->t.err);
}

/* Events that are nothing to flows do not delay their records more than readers wait. */
TEST_F(flows, between_counters)
{
	FILE *f = fopen(self->trace, "w");

	ASSERT_NE(NULL, f);
	fputs("[" SLICE(1, 10, 10, "a") PART("s", 1, 11, "m", "0x1") SLICE(2, 30, 10, "d") END(2, 31, "m", "0x1"), f);
	for (int i = 0; i < 100000; i++)
		fprintf(f, "{\"ph\":\"C\",\"pid\":1,\"ts\":%d,\"name\":\"c\",\"args\":{\"v\":%d}},\n",
			i + 50, i);
	fputs(SLICE(1, 200000, 10, "e") SLICE(2, 200000, 10, "f") "]", f);
	ASSERT_EQ(0, fclose(f));
	ASSERT_EQ(0, tool_run(&self->t, ARGS("dump", "-q", self->trace))) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "{ v=60000 }");
	EXPECT_LT(strstr(self->t.out, "flow_begin"), strstr(self->t.out, "{ v=60000 }"));
}

/* Category, name and id identify a flow, in all processes. */
TEST_F(flows, identity)
{
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("s", 2, 12, "n", "0x1")
		      END(1, 31, "n", "0x1") END(2, 32, "m", "0x1") "]", "a>d c>b ");
	/* A second begin is ignored, in whatever process, even after an end. */
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("s", 2, 12, "m", "0x1")
		      END(2, 32, "m", "0x1") PART("s", 2, 35, "m", "0x1") END(3, 62, "m", "0x1") "]", "a>d a>f ");
	/* Only a begin in a slice counts. */
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 5, "m", "0x1") PART("s", 2, 12, "m", "0x1")
		      END(1, 32, "m", "0x1") "]", "c>b ");
}

/* A flow may have several ends, and go on. Steps move it. */
TEST_F(flows, several_ends)
{
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") END(1, 31, "m", "0x1") END(2, 32, "m", "0x1")
		      END(3, 51, "m", "0x1") "]", "a>b a>d a>e ");
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") END(1, 31, "m", "0x1") PART("t", 2, 32, "m", "0x1")
		      PART("f", 3, 45, "m", "0x1") PART("f", 3, 46, "m", "0x1") END(3, 62, "m", "0x1") "]",
		      "a>b a>d d>e d>e d>f ");
	/* An end outside of slices ends nothing. */
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") END(4, 25, "m", "0x1") END(2, 32, "m", "0x1") "]",
		      "a>d ");
}

/* To Perfetto, an ended slice is the topmost one until the next, and an instant is a slice. */
TEST_F(flows, topmost_slice)
{
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 21, "m", "0x1") END(3, 75, "m", "0x1") "]", "a>f ");
	EXPECT_ARROWS("[\n" SLICES PART("s", 1, 11, "m", "0x1") PART("f", 2, 22, "m", "0x1")
		      "{\"ph\":\"i\",\"pid\":2,\"tid\":2,\"ts\":24.000,\"name\":\"i\",\"s\":\"t\"}\n]", "a>i ");
	EXPECT_ARROWS("[\n{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":10.000,\"name\":\"a\"},\n"
		      "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":20.000},\n"
		      PART("s", 1, 21, "m", "0x1") SLICE(2, 30, 10, "d") END(2, 31, "m", "0x1") "]", "");
}

/*
 * The arrows of flow_events_json_v1.json and _v2.json in the tests of Perfetto, with other names.
 */
TEST_F(flows, examples_of_perfetto)
{
	EXPECT_ARROWS("[\n" SLICE(1, 3002, 10, "a") PART("s", 1, 3002, "i", "0x402") SLICE(2, 0, 10, "b")
		      PART("s", 2, 1, "i", "0x403") PART("f", 3, 1001, "i", "0x403") SLICE(3, 1002, 100, "c")
		      SLICE(4, 3200, 500, "d") PART("t", 4, 3220, "i", "0x402") PART("f", 5, 3330, "i", "0x402")
		      SLICE(5, 3331, 400, "e") "]", "a>d b>c d>e ");
	EXPECT_ARROWS("[\n" BOUND(1, 3002, 10, "a", "0x402", OUT) BOUND(2, 0, 10, "b", "0x403", OUT ",\"flow_in\":false")
		      BOUND(3, 1001, 100, "c", "0x403", IN) BOUND(4, 3200, 500, "d", "0x402", IN "," OUT)
		      BOUND(5, 3331, 400, "e", "0x402", IN) BOUND(3, 3333, 997, "f", "0x402", IN) "]",
		      "a>d b>c d>e d>f ");
}

/* Random slices, instants and parts of flows; Perfetto (main after v58.2) has these arrows. */
TEST_F(flows, random_trace)
{
	char path[4096], text[TEXT_BYTES];

	ASSERT_EQ(0, arrows_of(self, built_path(path, sizeof(path), "vectors/flows.json"), text))
		TH_LOG("%s", self->t.err);
	EXPECT_STREQ("s10>s15 s21>s15 s21>s15 s23>s26 s25>s7 s3>s10 s3>s15 s3>s24 s3>s27 s3>s28 "
		     "s4>s34 s4>s5 s7>s16 s8>s32 ", text);
}

/* Flows of two traces with equal ids stay apart when they are merged. */
TEST_F(flows, merged)
{
	static const char trace[] = "[\n" SLICES BOUND(4, 5, 5, "g", "0x1", OUT) BOUND(4, 90, 5, "h", "0x1", IN)
		PART("s", 1, 11, "m", "0x1") PART("f", 2, 21, "m", "0x1") END(3, 51, "m", "0x1") "]";
	char text[TEXT_BYTES], offset[RECORD_PATH + 32];

	ASSERT_EQ(0, save(self->trace, trace));
	ASSERT_EQ(0, save(self->other, trace));
	snprintf(offset, sizeof(offset), "--offset=%s=+0", self->other);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("merge", "-q", "--same-machine", self->other, offset, "-o",
					     self->merged, self->trace, self->other)))
		TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, arrows_of(self, self->merged, text)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("a>d a>d a>e a>e g>h g>h ", text);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("convert", "-q", "--to", "json", "-o", self->other, "--force",
					     self->merged)));
	ASSERT_EQ(0, arrows_of(self, self->other, text)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("a>d a>d a>e a>e g>h g>h ", text);
}

static int count_of(const char *text, const char *what)
{
	int n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* So do operations whose ids are fields, if the ids of processes are texts, too. */
TEST_F(flows, merged_fields)
{
#define OPERATION(ph, ts, id) \
	"{\"ph\":\"" ph "\",\"pid\":\"p\",\"tid\":\"t\",\"ts\":" ts ",\"cat\":\"c\",\"name\":\"o\"," id "},\n"
#define GLOBAL	"\"id2\":{\"global\":\"0x7\"}"
#define WORD	"\"id\":\"word\""
	static const char trace[] = "[\n" OPERATION("b", "1", GLOBAL) OPERATION("e", "2", GLOBAL)
		OPERATION("b", "3", WORD) OPERATION("e", "4", WORD) "]";
	char offset[RECORD_PATH + 32];

	ASSERT_EQ(0, save(self->trace, trace));
	ASSERT_EQ(0, save(self->other, trace));
	snprintf(offset, sizeof(offset), "--offset=%s=+0", self->other);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("merge", "-q", "--same-machine", self->other, offset, "-o",
					     self->merged, self->trace, self->other)))
		TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, tool_run(&self->t, ARGS("convert", "-q", "--to", "json", self->merged)));
	EXPECT_EQ(2, count_of(self->t.out, GLOBAL)) TH_LOG("%s", self->t.out);
	EXPECT_EQ(2, count_of(self->t.out, "\"id2\":{\"global\":\"0x1000000000007\"}"));
	EXPECT_EQ(2, count_of(self->t.out, WORD));
}

/* FXT has no flows between asynchronous operations. */
TEST_F(flows, of_operations)
{
	ASSERT_EQ(0, save(self->trace, "[{\"ph\":\"b\",\"pid\":1,\"ts\":1,\"id\":1,\"name\":\"o\",\"bind_id\":1,\"flow_out\":true}]"));
	EXPECT_EQ(0, tool_run(&self->t, ARGS("info", "-q", self->trace)));
	EXPECT_IN(self->t.err, ": 1 flows from and to asynchronous operations, which FXT does not have\n");
}

/* Category and id identify an operation; in FXT, its id does. */
TEST_F(flows, operations_of_two_categories)
{
	ASSERT_EQ(0, save(self->trace, "[{\"ph\":\"b\",\"pid\":1,\"ts\":1,\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"o\"},\n"
			  "{\"ph\":\"b\",\"pid\":1,\"ts\":2,\"id\":\"0x1\",\"cat\":\"d\",\"name\":\"o\"},\n"
			  "{\"ph\":\"e\",\"pid\":1,\"ts\":5,\"id\":\"0x1\",\"cat\":\"c\",\"name\":\"o\"},\n"
			  "{\"ph\":\"e\",\"pid\":1,\"ts\":9,\"id\":\"0x1\",\"cat\":\"d\",\"name\":\"o\"}]"));
	EXPECT_EQ(0, tool_run(&self->t, ARGS("report", "--no-pager", "-q", self->trace)));
	EXPECT_IN(self->t.out, "       2 11.0us  7.00us        0.000002000  o\n");
}

/* More ends than can wait are counted, and memory is bounded. */
TEST_F(flows, too_many_ends_wait)
{
	FILE *f = fopen(self->trace, "w");

	ASSERT_NE(NULL, f);
	fputs("[" SLICE(1, 10, 10, "a") PART("s", 1, 11, "m", "0x1"), f);
	for (int i = 0; i < 70000; i++)
		fputs(PART("f", 2, 21, "m", "0x1"), f);
	fputs(SLICE(2, 30, 10, "d") "]", f);
	ASSERT_EQ(0, fclose(f));
	EXPECT_EQ(EXIT_DEVIATES, tool_run(&self->t, ARGS("info", "-q", self->trace)));
	EXPECT_IN(self->t.err, "parts of flows that are in no flow, because too much waits or is too far away\n");
}
