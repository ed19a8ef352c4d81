// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verbs_test.c - all verbs of fxt on a recording of each source: they agree on
 * what is in it.
 */
#include <json-c/json.h>
#include <sqlite3.h>

#include "fixture.h"
#include "tool.h"

SOURCE_FIXTURE(verbs);

#define RUN(tool, ...)							\
	tool_run(tool, (const char *[]){ __VA_ARGS__, NULL })

/* What a verb must print of the recording. */
struct tally {
	uint64_t switches;
	uint64_t wakeups;
};

static int record_load_of(struct collector *c, const char *dir, const char *source,
			  struct trace *t, struct why *why)
{
	struct pair pair = { .rounds = 50 };
	int cpus[MAX_CPUS];

	if (!allowed_cpus(cpus))
		return complain(why, "no CPU is allowed");
	pair.ends[0].cpu = cpus[0];
	pair.ends[1].cpu = cpus[0];
	if (record_begin(c, dir, source, NULL, why))
		return -1;
	if (pairs_run(&pair, 1))
		return complain(why, "the load did not run");
	return record_load(c, t, why);
}

static struct tally tally_of(const struct trace *t)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	struct tally n = { 0 };

	trace_for_each_event(t, s, e) {
		n.switches += !e->is_wakeup;
		n.wakeups += e->is_wakeup;
	}
	return n;
}

/* Lines that hold a text. */
static uint64_t lines_with(const char *text, const char *what)
{
	uint64_t n = 0;

	for (text = strstr(text, what); text; text = strstr(text, what)) {
		n++;
		text = strchr(text, '\n');
		if (!text)
			break;
	}
	return n;
}

static int64_t records_of(struct json_object *info, const char *kind)
{
	struct json_object *j;

	if (!json_object_object_get_ex(info, "kinds", &j) ||
	    !json_object_object_get_ex(j, kind, &j) ||
	    !json_object_object_get_ex(j, "records", &j))
		return -1;
	return json_object_get_int64(j);
}

static int64_t query(const char *path, const char *sql)
{
	sqlite3_stmt *statement;
	int64_t value = -1;
	sqlite3 *db;

	if (!sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) &&
	    !sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) {
		if (sqlite3_step(statement) == SQLITE_ROW)
			value = sqlite3_column_int64(statement, 0);
		sqlite3_finalize(statement);
	}
	sqlite3_close(db);
	return value;
}

/* The time of an event in the middle, ns. */
static uint64_t middle_of(const struct trace *t)
{
	const struct trace_stream *s, *most = t->streams;

	for (s = t->streams; s < t->streams + t->stream_count; s++)
		if (s->event_count > most->event_count)
			most = s;
	return most->event_count ? fxt_ticks_to_ns(most->events[most->event_count / 2].time,
						   t->ticks_per_second) : 0;
}

static uint64_t switches_of(const char *path)
{
	uint64_t n = 0;
	struct tool t;

	if (!RUN(&t, "dump", path))
		n = lines_with(t.out, " context_switch ");
	tool_free(&t);
	return n;
}

/* Both sides of an instant have together what the recording has. */
TEST_F_TIMEOUT(verbs, cut, TEST_SECONDS)
{
	char when[48], first[RECORD_PATH + 16], second[RECORD_PATH + 16];
	uint64_t ns, a, b;
	struct tool t;

	NEEDS_SOURCE();
	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	snprintf(first, sizeof(first), "%s/first.fxt.zst", self->dir);
	snprintf(second, sizeof(second), "%s/second.fxt.zst", self->dir);
	ns = middle_of(&self->t);
	snprintf(when, sizeof(when), "%lu.%09lu", ns / 1000000000, ns % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--from", when, "-o", second, self->c.output))
		TH_LOG("%s", t.err);
	tool_free(&t);
	snprintf(when, sizeof(when), "%lu.%09lu", (ns - 1) / 1000000000, (ns - 1) % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--to", when, "-o", first, self->c.output))
		TH_LOG("%s", t.err);
	tool_free(&t);
	EXPECT_EQ(0, RUN(&t, "check", first, second)) TH_LOG("%s", t.out);
	tool_free(&t);
	a = switches_of(first);
	b = switches_of(second);
	EXPECT_LT(0U, a);
	EXPECT_LT(0U, b);
	EXPECT_EQ(tally_of(&self->t).switches, a + b);
}

/* Parts become the whole again; and beside itself it is twice as much. */
TEST_F_TIMEOUT(verbs, merge, TEST_SECONDS)
{
	char when[48], first[RECORD_PATH + 16], second[RECORD_PATH + 16];
	char whole[RECORD_PATH + 16], twice[RECORD_PATH + 16];
	uint64_t ns, switches;
	struct tool t;

	NEEDS_SOURCE();
	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	switches = tally_of(&self->t).switches;
	snprintf(first, sizeof(first), "%s/first.fxt", self->dir);
	snprintf(second, sizeof(second), "%s/second.fxt", self->dir);
	snprintf(whole, sizeof(whole), "%s/whole.fxt", self->dir);
	snprintf(twice, sizeof(twice), "%s/twice.fxt.gz", self->dir);
	ns = middle_of(&self->t);
	snprintf(when, sizeof(when), "%lu.%09lu", ns / 1000000000, ns % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--from", when, "-o", second, self->c.output));
	tool_free(&t);
	snprintf(when, sizeof(when), "%lu.%09lu", (ns - 1) / 1000000000, (ns - 1) % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--to", when, "-o", first, self->c.output));
	tool_free(&t);
	ASSERT_EQ(0, RUN(&t, "merge", "-o", whole, second, first)) TH_LOG("%s", t.err);
	EXPECT_STREQ("", t.err);
	tool_free(&t);
	ASSERT_EQ(0, RUN(&t, "merge", "-o", twice, whole, self->c.output)) TH_LOG("%s", t.err);
	/* They are of one boot, so their clocks are known. */
	EXPECT_STREQ("", t.err);
	tool_free(&t);
	EXPECT_EQ(0, RUN(&t, "check", whole, twice)) TH_LOG("%s", t.out);
	tool_free(&t);
	EXPECT_EQ(switches, switches_of(whole));
	EXPECT_EQ(2 * switches, switches_of(twice));
}

TEST_F_TIMEOUT(verbs, agree, TEST_SECONDS)
{
	char path[RECORD_PATH + 32];
	struct json_object *j;
	struct tally n;
	struct tool t;

	NEEDS_SOURCE();
	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	n = tally_of(&self->t);
	ASSERT_LT(100U, n.switches);

	ASSERT_EQ(0, RUN(&t, "info", "--json", self->c.output)) TH_LOG("%s", t.err);
	j = json_tokener_parse(t.out);
	EXPECT_EQ((int64_t)n.switches, records_of(j, "context_switch"));
	EXPECT_EQ((int64_t)n.wakeups, records_of(j, "thread_wakeup"));
	json_object_put(j);
	tool_free(&t);

	ASSERT_EQ(0, RUN(&t, "dump", self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(n.switches, lines_with(t.out, " context_switch "));
	EXPECT_EQ(n.wakeups, lines_with(t.out, " thread_wakeup "));
	tool_free(&t);

	ASSERT_EQ(0, RUN(&t, "report", self->c.output)) TH_LOG("%s", t.err);
	snprintf(path, sizeof(path), " %lu switches, %lu wakeups, 0 records lost",
		 n.switches, n.wakeups);
	EXPECT_NE(NULL, strstr(t.out, path)) TH_LOG("%s", t.out);
	tool_free(&t);

	ASSERT_EQ(0, RUN(&t, "convert", "--to", "ftrace", self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(n.switches, lines_with(t.out, ": sched_switch: "));
	EXPECT_EQ(n.wakeups, lines_with(t.out, ": sched_wakeup: "));
	tool_free(&t);

	ASSERT_EQ(0, RUN(&t, "convert", "--to", "json", "--with-ftrace", self->c.output))
		TH_LOG("%s", t.err);
	j = json_tokener_parse(t.out);
	EXPECT_NE(NULL, j);
	json_object_put(j);
	tool_free(&t);

	snprintf(path, sizeof(path), "%s/csv", self->dir);
	EXPECT_EQ(0, RUN(&t, "convert", "--to", "csv", "-o", path, self->c.output))
		TH_LOG("%s", t.err);
	tool_free(&t);

	snprintf(path, sizeof(path), "%s/x.db", self->dir);
	ASSERT_EQ(0, RUN(&t, "convert", "--to", "sqlite", "-o", path, self->c.output))
		TH_LOG("%s", t.err);
	EXPECT_EQ((int64_t)n.switches, query(path,
					     "SELECT value FROM stats WHERE name = 'fxt_switches'"));
	EXPECT_EQ((int64_t)n.wakeups, query(path,
					    "SELECT value FROM stats WHERE name = 'fxt_wakeups'"));
	EXPECT_LE((int64_t)n.switches, query(path, "SELECT count(*) FROM sched"));
	tool_free(&t);

	snprintf(path, sizeof(path), "%s/again.fxt", self->dir);
	ASSERT_EQ(0, RUN(&t, "convert", "--to", "fxt", "-o", path, self->c.output))
		TH_LOG("%s", t.err);
	tool_free(&t);
	EXPECT_EQ(0, RUN(&t, "check", path)) TH_LOG("%s", t.out);
	tool_free(&t);
}

TEST_HARNESS_MAIN
