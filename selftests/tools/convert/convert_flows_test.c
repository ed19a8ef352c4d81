// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flows and asynchronous operations whose ids are local to a process, or used again. SQLite, JSON
 * and packets of Perfetto have the arrows according to the rule that is written here, and check
 * finds events without a partner; operations contain their events.
 */
#include <sqlite3.h>

#include "collector.h"
#include "convert_json.h"
#include "perfetto_lines.h"

#define EVENTS		60
#define ARROWS		2048	/* bytes of text */

/* A part of a flow, in a slice of its own. The part's place determines time and slice. */
struct part {
	enum fxt_kind kind;
	uint64_t process;
	uint64_t id;
};

FIXTURE(flows)
{
	char dir[RECORD_PATH];
	char database[RECORD_PATH + 16];
	struct memory m;
	struct fxt_writer *w;
	struct tool t;
	struct json j;
};

FIXTURE_SETUP(flows)
{
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->database, sizeof(self->database), "%s/x.db", self->dir);
	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
}

FIXTURE_TEARDOWN(flows)
{
	dir_remove(self->dir);
}

/* --- the rule ---------------------------------------------------------------------------- */

/* Is the flow that begins at @from still open at @at? @flow: for each part before @at, its begin */
static bool is_open(const struct part *p, const int *flow, int from, int at)
{
	for (int i = from + 1; i < at; i++)
		if (p[i].kind == FXT_KIND_FLOW_END && flow[i] == from)
			return false;
	return true;
}

/*
 * Return: the begin of the flow of part @at; -1 for none. It is the open begin of the same process
 * and id, or else the only begin since a flow of that id ended, if only one process has one.
 */
static int rule(const struct part *p, const int *flow, int at)
{
	int i, since = 0, other = -1;

	for (i = at - 1; i >= 0; i--)
		if (p[i].kind == FXT_KIND_FLOW_BEGIN && flow[i] == i && p[i].process == p[at].process &&
		    p[i].id == p[at].id && is_open(p, flow, i, at))
			return i;
	if (p[at].kind == FXT_KIND_FLOW_BEGIN)
		return at;
	for (i = 0; i < at; i++)
		if (p[i].kind == FXT_KIND_FLOW_END && p[i].id == p[at].id && flow[i] >= 0)
			since = i + 1;
	for (i = since; i < at; i++) {
		if (p[i].kind != FXT_KIND_FLOW_BEGIN || flow[i] != i || p[i].id != p[at].id)
			continue;
		if (other >= 0)
			return -1;
		other = i;
	}
	return other;
}

/*
 * Write the arrows between parts, in the order of the parts they point to. Return: the number of
 * parts without a flow.
 */
static unsigned int arrows_of(const struct part *p, int count, char text[ARROWS])
{
	int flow[EVENTS], last[EVENTS], i;
	unsigned int dropped = 0;

	*text = '\0';
	for (i = 0; i < count; i++) {
		flow[i] = rule(p, flow, i);
		/* A second begin is not a part of the flow. */
		if (flow[i] < 0 || (p[i].kind == FXT_KIND_FLOW_BEGIN && flow[i] != i)) {
			dropped++;
			continue;
		}
		if (flow[i] != i)
			text += sprintf(text, "%d>%d ", last[flow[i]], i);
		last[flow[i]] = i;
	}
	return dropped;
}

/* --- what programs make of it ------------------------------------------------------------ */

#define TIME_OF(place)	(100 + 10 * (uint64_t)(place))
#define PLACE_OF(time)	((int)(((time) - 100) / 10))

static int write_part(struct fxt_writer *w, const struct part *p, int place)
{
	struct fxt_content c = an_event(FXT_KIND_DURATION_COMPLETE, TIME_OF(place) - 1, "slice");
	int ret;

	c.thread = (struct fxt_thread_id){ .process = p->process, .thread = p->process + 1 };
	c.end = TIME_OF(place) + 1;
	ret = fxt_writer_record(w, &c);
	c.kind = p->kind;
	c.time = TIME_OF(place);
	c.id = p->id;
	c.name = TEXT("flow");
	return ret ? ret : fxt_writer_record(w, &c);
}

static void arrows_of_database(const char *path, char text[ARROWS])
{
	sqlite3_stmt *s = NULL;
	sqlite3 *db;

	*text = '\0';
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	sqlite3_prepare_v2(db, "SELECT o.ts, i.ts FROM flow JOIN slice o ON o.id = slice_out JOIN slice i "
			   "ON i.id = slice_in ORDER BY i.ts", -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW)
		text += sprintf(text, "%d>%d ", PLACE_OF(sqlite3_column_int64(s, 0) + 1),
				PLACE_OF(sqlite3_column_int64(s, 1) + 1));
	sqlite3_finalize(s);
	sqlite3_close(db);
}

/* Readers of the JSON join the parts that have one id, whatever their process. */
static void arrows_of_json(const struct json *j, char to[ARROWS])
{
	int last[4 * EVENTS + 1];
	unsigned long id;
	char phase;
	int place;

	memset(last, -1, sizeof(last));
	*to = '\0';
	for (size_t i = 0; i < j->count; i++) {
		phase = *text(event(j, i), "ph");
		if (!strchr("stf", phase))
			continue;
		id = strtoul(text(event(j, i), "id"), NULL, 16);
		place = PLACE_OF(ns(event(j, i), "ts"));
		if (id > 4 * EVENTS || (phase == 's') == (last[id] >= 0))
			continue;
		if (phase != 's')
			to += sprintf(to, "%d>%d ", last[id], place);
		last[id] = place;
	}
}

/* In Perfetto, a flow begins with the first part of its id and ends with a terminating part. */
static void arrows_of_packets(const struct tool *t, char text[ARROWS])
{
	char *lines = lines_of(t, 11), *line = lines, ends[8];
	int last[4 * EVENTS + 1], place;
	unsigned long ns, id;

	memset(last, -1, sizeof(last));
	*text = '\0';
	for (; line && *line; line = strchr(line, '\n'), line += !!line) {
		*ends = '\0';
		if (sscanf(line, "%lu instant flow flow %lu%7[^\n]", &ns, &id, ends) < 2 || id > 4 * EVENTS)
			continue;
		place = PLACE_OF(ns);
		if (last[id] >= 0)
			text += sprintf(text, "%d>%d ", last[id], place);
		last[id] = *ends ? -1 : place;
	}
}

static int to_database(FIXTURE_DATA(flows) *self)
{
	char path[64];

	unlink(self->database);
	return tool_run(&self->t, ARGS("convert", "--to", "sqlite", "-o", self->database,
				       memory_path(&self->m, path)));
}

static long drops_of_check(FIXTURE_DATA(flows) *self)
{
	char path[64];
	long n = 0;

	if (tool_run(&self->t, ARGS("check", "--only=perfetto", "--all",
				    memory_path(&self->m, path))) > 1)
		return -1;
	for (const char *at = self->t.out; (at = strstr(at, "[perfetto flow]")); at++)
		n++;
	return n;
}

#define EXPECT_ALIKE(parts, count) expect_alike(_metadata, self, parts, count)

static void expect_alike(struct __test_metadata *_metadata, FIXTURE_DATA(flows) *self,
			 const struct part *p, int count)
{
	char expected[ARROWS], text[ARROWS];
	unsigned int dropped = arrows_of(p, count, expected);

	ASSERT_EQ(0, end_archive(&self->m, self->w));
	ASSERT_EQ(0, to_database(self)) TH_LOG("%s", self->t.err);
	arrows_of_database(self->database, text);
	EXPECT_STREQ(expected, text) TH_LOG("SQLite");
	ASSERT_EQ(0, json_convert(&self->j, NULL, &self->m));
	arrows_of_json(&self->j, text);
	EXPECT_STREQ(expected, text) TH_LOG("JSON");
	ASSERT_EQ(0, convert(&self->t, "perfetto", NULL, &self->m));
	arrows_of_packets(&self->t, text);
	EXPECT_STREQ(expected, text) TH_LOG("packets");
	EXPECT_EQ((long)dropped, drops_of_check(self));
	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
}

#define BEGIN(process)	{ FXT_KIND_FLOW_BEGIN, process, 7 }
#define STEP(process)	{ FXT_KIND_FLOW_STEP, process, 7 }
#define END(process)	{ FXT_KIND_FLOW_END, process, 7 }

TEST_F(flows, one_id)
{
	static const struct {
		struct part parts[8];
		int count;
		const char *arrows;
	} traces[] = {
		/* Two processes, each with its own flow; one of them never ends. */
		{ { BEGIN(1), BEGIN(3), END(1), END(3) }, 4, "0>2 1>3 " },
		{ { BEGIN(1), BEGIN(3), END(3) }, 3, "1>2 " },
		/* A flow goes from process to process, but not if two of them began the id. */
		{ { BEGIN(1), STEP(3), END(5) }, 3, "0>1 1>2 " },
		{ { BEGIN(1), BEGIN(3), STEP(5), END(1), END(3) }, 5, "0>3 1>4 " },
		/* The id is reused, in the same process or in another one. */
		{ { BEGIN(1), STEP(1), END(1), BEGIN(1), END(1) }, 5, "0>1 1>2 3>4 " },
		{ { BEGIN(1), END(3), BEGIN(3), END(1) }, 4, "0>1 2>3 " },
		/* A second begin is ignored; then there is nothing left to continue or to end. */
		{ { BEGIN(1), BEGIN(1), END(1), END(1), STEP(3) }, 5, "0>2 " },
	};
	char text[ARROWS];

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		arrows_of(traces[i].parts, traces[i].count, text);
		EXPECT_STREQ(traces[i].arrows, text) TH_LOG("trace %zu", i);
		for (int k = 0; k < traces[i].count; k++)
			ASSERT_EQ(0, write_part(self->w, &traces[i].parts[k], k));
		EXPECT_ALIKE(traces[i].parts, traces[i].count);
	}
}

/* There are few ids, local to their process, so that they collide. */
TEST_F(flows, random_traces)
{
	enum { TRACES = 40 };
	struct part parts[EVENTS];

	for (unsigned int seed = 0; seed < TRACES; seed++) {
		srandom(seed);
		for (int i = 0; i < EVENTS; i++)
			parts[i] = (struct part){ FXT_KIND_FLOW_BEGIN + random() % 3,
						  1 + 2 * (random() % 3), 1 + random() % 4 };
		for (int i = 0; i < EVENTS; i++) {
			int place = seed & 1 ? EVENTS - 1 - i : i;

			ASSERT_EQ(0, write_part(self->w, &parts[place], place));
		}
		EXPECT_ALIKE(parts, EVENTS);
	}
}

/* An arrow points from the slice that began earlier, as Perfetto's do. */
TEST_F(flows, later_part_in_earlier_slice)
{
	struct fxt_content c = an_event(FXT_KIND_DURATION_COMPLETE, 10, "long");
	char text[ARROWS];

	c.end = 1000;
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	ASSERT_EQ(0, write_part(self->w, &(struct part){ FXT_KIND_FLOW_BEGIN, 1, 7 }, 3));
	c.kind = FXT_KIND_FLOW_END;
	c.time = 500;
	c.id = 7;
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	ASSERT_EQ(0, end_archive(&self->m, self->w));
	ASSERT_EQ(0, to_database(self));
	arrows_of_database(self->database, text);
	EXPECT_STREQ("-8>3 ", text);
}

/* To Perfetto, an ended slice is the topmost one until the next, and an instant is a slice. */
TEST_F(flows, topmost_slice)
{
	struct fxt_content c = an_event(FXT_KIND_DURATION_COMPLETE, TIME_OF(0), "slice");
	char text[ARROWS];

	c.end = TIME_OF(1);
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	c.kind = FXT_KIND_FLOW_BEGIN;
	c.time = TIME_OF(2);
	c.id = 7;
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	c.kind = FXT_KIND_INSTANT;
	c.time = TIME_OF(4) - 1;
	c.name = TEXT("instant");
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	c.kind = FXT_KIND_FLOW_END;
	c.time = TIME_OF(5);
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	ASSERT_EQ(0, end_archive(&self->m, self->w));
	ASSERT_EQ(0, to_database(self));
	arrows_of_database(self->database, text);
	EXPECT_STREQ("0>4 ", text);
}

/* --- asynchronous operations --------------------------------------------------------------- */

static int write_async(struct fxt_writer *w, enum fxt_kind kind, uint64_t time, uint64_t process,
		       uint64_t id, const char *name)
{
	struct fxt_content c = an_event(kind, time, name);

	c.thread = (struct fxt_thread_id){ .process = process, .thread = process + 1 };
	c.id = id;
	return fxt_writer_record(w, &c);
}

static void slices_of_database(const char *path, char text[ARROWS])
{
	sqlite3_stmt *s = NULL;
	sqlite3 *db;

	*text = '\0';
	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	sqlite3_prepare_v2(db, "SELECT s.name, s.dur, s.depth, ifnull(p.name, '-') FROM slice s LEFT JOIN "
			   "slice p ON p.id = s.parent_id ORDER BY s.ts, s.depth", -1, &s, NULL);
	while (sqlite3_step(s) == SQLITE_ROW)
		text += sprintf(text, "%s %d %d %s\n", sqlite3_column_text(s, 0), sqlite3_column_int(s, 1),
				sqlite3_column_int(s, 2), sqlite3_column_text(s, 3));
	sqlite3_finalize(s);
	sqlite3_close(db);
}

/* Each event is b, n or e and TIME:PROCESS:ID:NAME. */
static int write_events(struct fxt_writer *w, const char *events)
{
	unsigned int time, process, id;
	char kind[2], name[8];
	int bytes, ret = 0;

	for (; !ret && sscanf(events, " %1[bne]%u:%u:%u:%7s%n", kind, &time, &process, &id, name,
			      &bytes) == 5; events += bytes)
		ret = write_async(w, *kind == 'b' ? FXT_KIND_ASYNC_BEGIN : *kind == 'n' ?
				  FXT_KIND_ASYNC_INSTANT : FXT_KIND_ASYNC_END,
				  time, process, id, name);
	return !ret && *events ? -EBADMSG : ret;
}

/* Write a letter for the id of each event of an operation: each new id is the next letter. */
static void letters_of_json(const struct json *j, char *to)
{
	const char *ids[EVENTS];
	int count = 0, at;

	for (size_t i = 0; i < j->count; i++) {
		if (!strchr("bne", *text(event(j, i), "ph")))
			continue;
		for (at = 0; at < count && strcmp(ids[at], text(event(j, i), "id")); at++)
			;
		if (at == count)
			ids[count++] = text(event(j, i), "id");
		*to++ = 'a' + at;
	}
	*to = '\0';
}

/* @tracks: tracks of the packets in time order, each new track is the next letter */
static void expect_operations(struct __test_metadata *_metadata, FIXTURE_DATA(flows) *self,
			      const char *events, const char *slices, const char *tracks)
{
	char text[ARROWS], *letters;

	ASSERT_EQ(0, write_events(self->w, events));
	ASSERT_EQ(0, end_archive(&self->m, self->w));
	ASSERT_EQ(0, to_database(self)) TH_LOG("%s", self->t.err);
	slices_of_database(self->database, text);
	EXPECT_STREQ(slices, text);
	ASSERT_EQ(0, convert(&self->t, "perfetto", NULL, &self->m));
	letters = tracks_of(&self->t);
	EXPECT_STREQ(tracks, letters);
	ASSERT_EQ(0, json_convert(&self->j, NULL, &self->m));
	letters_of_json(&self->j, text);
	EXPECT_EQ(strlen(text), strspn(text, "a"));
	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
}

TEST_F(flows, operations)
{
	static const struct {
		const char *events;
		const char *slices;
		const char *tracks;
	} cases[] = {
		{ "b10:1:1:op e30:5:1:op", "op 20 0 -\n", "aa" },
		{ "b10:1:1:op n20:1:1:moment e30:1:1:op", "op 20 0 -\nmoment 0 1 op\n", "aaa" },
		{ "e40:1:1:outer n25:1:1:moment b20:1:1:inner b10:1:1:outer e30:1:1:inner",
		  "outer 30 0 -\ninner 10 1 outer\nmoment 0 2 inner\n", "aaaaa" },
		/* The id means the same in all processes. Then it is reused, with another name. */
		{ "b10:1:1:op b20:5:1:op n25:1:1:moment e30:1:1:op e40:9:1:op b50:9:1:op "
		  "e60:9:1:other",
		  "op 30 0 -\nop 10 1 op\nmoment 0 2 op\nop -1 0 -\n", "aaaaaaa" },
		/* The operations overlap, so the later one ends with the other. */
		{ "b10:1:1:a b20:1:1:b e30:1:1:a e45:1:1:b", "a 20 0 -\nb 10 1 a\n", "aaaa" },
	};
	char text[ARROWS];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_operations(_metadata, self, cases[i].events, cases[i].slices,
				  cases[i].tracks);

	/*
	 * Another id gets the track, on which an operation is open, because its end did not match.
	 */
	ASSERT_EQ(0, write_events(self->w, "b10:1:1:a e20:1:1:b b30:1:2:a e40:1:2:a"));
	ASSERT_EQ(0, end_archive(&self->m, self->w));
	ASSERT_EQ(0, to_database(self)) TH_LOG("%s", self->t.err);
	slices_of_database(self->database, text);
	EXPECT_STREQ("a -1 0 -\na 10 1 a\n", text);
	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
}

/*
 * Events of random ids, names and processes, and the slices that trace_processor_shell of Perfetto
 * (commit ec5d16b1) has of an archive of them.
 */
static const struct {
	const char *events;
	const char *slices;
} random_operations[] = {
	{ "n16:1:3:w e19:2:3:v n20:3:3:w e23:3:2:u b26:1:3:u b34:3:3:w n37:2:2:w "
	  "b45:3:1:w e47:2:1:w n54:3:2:v e57:1:3:u",
	  "w 0 0 -\nw 0 0 -\nu 31 0 -\nw -1 1 u\nw 0 0 -\nw 2 0 -\nv 0 0 -\n" },
	{ "b14:3:3:w e16:3:3:w b18:2:1:u b19:1:1:w n22:3:2:u n29:3:3:w n36:1:3:u "
	  "b38:2:3:u e46:2:3:v n50:3:2:u b58:1:2:w e63:1:1:w e65:2:1:u",
	  "w 2 0 -\nu 47 0 -\nw 44 1 u\nu 0 0 -\nw 0 0 -\nu 0 0 -\nu -1 0 -\nu 0 0 -\nw -1 0 -\n" },
	{ "b16:3:1:v b22:2:2:u e25:1:1:v e32:3:2:w b36:3:3:v e41:1:3:u b47:3:3:v "
	  "n55:3:2:w b60:3:3:v e66:2:2:u e74:2:3:u b78:1:3:u e84:3:3:v b85:1:2:w",
	  "v 9 0 -\nu 44 0 -\nv -1 0 -\nv -1 1 v\nw 0 1 u\nv 24 2 v\nu -1 3 v\nw -1 0 -\n" },
	{ "n11:3:2:u b16:1:2:v e23:2:2:v e28:3:3:u e31:2:2:v e33:2:2:u b36:2:1:u "
	  "b42:1:3:v n50:3:2:w e55:2:1:u b58:2:1:u n62:2:3:u e65:2:3:w",
	  "u 0 0 -\nv 7 0 -\nu 19 0 -\nv -1 0 -\nw 0 0 -\nu -1 0 -\nu 0 1 v\n" },
	{ "e17:2:1:v e19:2:3:u b24:2:1:w n28:1:1:u b34:1:1:u b42:1:2:v e44:1:1:w "
	  "e46:3:2:v e51:1:3:v b54:1:3:u b62:1:3:v",
	  "w 20 0 -\nu 0 1 w\nu -1 1 w\nv 4 0 -\nu -1 0 -\nv -1 1 u\n" },
	{ "e15:3:2:w b18:2:3:v n19:2:1:w e27:2:3:v e30:3:3:v e37:3:2:u b39:1:2:v "
	  "b41:3:1:u n46:3:2:u e51:3:1:v n58:1:3:w n60:1:2:u e63:2:2:v",
	  "v 9 0 -\nw 0 0 -\nv 24 0 -\nu -1 0 -\nu 0 1 v\nw 0 0 -\nu 0 1 v\n" },
};

TEST_F(flows, operations_as_in_perfetto)
{
	char text[ARROWS];

	for (size_t i = 0; i < sizeof(random_operations) / sizeof(random_operations[0]); i++) {
		ASSERT_EQ(0, write_events(self->w, random_operations[i].events));
		ASSERT_EQ(0, end_archive(&self->m, self->w));
		ASSERT_EQ(0, to_database(self)) TH_LOG("%s", self->t.err);
		slices_of_database(self->database, text);
		EXPECT_STREQ(random_operations[i].slices, text) TH_LOG("events %zu", i);
		ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	}
}
