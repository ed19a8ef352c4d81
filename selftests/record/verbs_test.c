// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All commands of fxt agree on the content of a recording, its parts, and the parts merged again.
 */
#include <json-c/json.h>

#include "cgroup.h"
#include "database.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(verbs);

#define RUN(tool, ...)							\
	tool_run(tool, ARGS(__VA_ARGS__))

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
	    !json_object_object_get_ex(j, kind, &j) || !json_object_object_get_ex(j, "records", &j))
		return -1;
	return json_object_get_int64(j);
}

static uint64_t middle_of(const struct trace *t)
{
	const struct trace_stream *s, *most = t->streams;

	for (s = t->streams; s < t->streams + t->stream_count; s++)
		if (s->event_count > most->event_count)
			most = s;
	return most->event_count ? fxt_ticks_to_ns(most->events[most->event_count / 2].time,
						   t->ticks_per_second) : 0;
}

/* Marks are context switch records, too, but not switches. */
static uint64_t switches_in(const char *dump)
{
	return lines_with(dump, " context_switch ") - lines_with(dump, "unknown=\"begin\"") -
	       lines_with(dump, "unknown=\"end\"");
}

static uint64_t switches_of(const char *path)
{
	uint64_t n = 0;
	struct tool t;

	if (!RUN(&t, "dump", path))
		n = switches_in(t.out);
	return n;
}

/* Together, the parts before and after an instant have all records of the recording. */
SOURCE_TEST(verbs, cut)
{
	char when[48], first[RECORD_PATH + 16], second[RECORD_PATH + 16];
	uint64_t ns, a, b;
	struct tool t;

	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	snprintf(first, sizeof(first), "%s/first.fxt.zst", self->dir);
	snprintf(second, sizeof(second), "%s/second.fxt.zst", self->dir);
	ns = middle_of(&self->t);
	snprintf(when, sizeof(when), "%lu.%09lu", ns / 1000000000, ns % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--from", when, "-o", second, self->c.output))
		TH_LOG("%s", t.err);
	snprintf(when, sizeof(when), "%lu.%09lu", (ns - 1) / 1000000000, (ns - 1) % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--to", when, "-o", first, self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(0, RUN(&t, "check", first, second)) TH_LOG("%s", t.out);
	a = switches_of(first);
	b = switches_of(second);
	EXPECT_LT(0U, a);
	EXPECT_LT(0U, b);
	EXPECT_EQ(tally_of(&self->t).switches, a + b);
}

/* Merged parts equal the whole; a recording merged with itself has everything twice. */
SOURCE_TEST(verbs, merge)
{
	char when[48], first[RECORD_PATH + 16], second[RECORD_PATH + 16];
	char whole[RECORD_PATH + 16], twice[RECORD_PATH + 16];
	uint64_t ns, switches;
	struct tool t;

	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	switches = tally_of(&self->t).switches;
	snprintf(first, sizeof(first), "%s/first.fxt", self->dir);
	snprintf(second, sizeof(second), "%s/second.fxt", self->dir);
	snprintf(whole, sizeof(whole), "%s/whole.fxt", self->dir);
	snprintf(twice, sizeof(twice), "%s/twice.fxt.gz", self->dir);
	ns = middle_of(&self->t);
	snprintf(when, sizeof(when), "%lu.%09lu", ns / 1000000000, ns % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--from", when, "-o", second, self->c.output));
	snprintf(when, sizeof(when), "%lu.%09lu", (ns - 1) / 1000000000, (ns - 1) % 1000000000);
	ASSERT_EQ(0, RUN(&t, "cut", "--to", when, "-o", first, self->c.output));
	ASSERT_EQ(0, RUN(&t, "merge", "-o", whole, second, first)) TH_LOG("%s", t.err);
	EXPECT_STREQ("", t.err);
	ASSERT_EQ(0, RUN(&t, "merge", "-o", twice, whole, self->c.output)) TH_LOG("%s", t.err);
	/*
	 * Both have one boot id, so their clocks are known. Events that both have are in the result
	 * twice.
	 */
	EXPECT_IN(t.err, "overlap in time");
	EXPECT_NOT_IN(t.err, "clock");
	EXPECT_EQ(0, RUN(&t, "check", whole, twice)) TH_LOG("%s", t.out);
	EXPECT_EQ(switches, switches_of(whole));
	EXPECT_EQ(2 * switches, switches_of(twice));
}

SOURCE_TEST(verbs, agree)
{
	char path[RECORD_PATH + 32];
	struct json_object *j;
	struct tally n;
	struct tool t;

	ASSERT_FINE(record_load_of(&self->c, self->dir, self->source, &self->t, &self->why));
	n = tally_of(&self->t);
	ASSERT_LT(100U, n.switches);

	ASSERT_EQ(0, RUN(&t, "info", "--json", self->c.output)) TH_LOG("%s", t.err);
	j = json_tokener_parse(t.out);
	EXPECT_EQ((int64_t)(n.switches + self->t.edge_count), records_of(j, "context_switch"));
	EXPECT_EQ((int64_t)n.wakeups, records_of(j, "thread_wakeup"));

	ASSERT_EQ(0, RUN(&t, "dump", self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(n.switches, switches_in(t.out));
	EXPECT_EQ(n.wakeups, lines_with(t.out, " thread_wakeup "));

	ASSERT_EQ(0, RUN(&t, "report", "--all", self->c.output)) TH_LOG("%s", t.err);
	snprintf(path, sizeof(path), " %lu switches, %lu wakeups, 0 records lost",
		 n.switches, n.wakeups);
	EXPECT_IN(t.out, path);

	ASSERT_EQ(0, RUN(&t, "convert", "--to", "ftrace", self->c.output)) TH_LOG("%s", t.err);
	EXPECT_EQ(n.switches, lines_with(t.out, ": sched_switch: "));
	EXPECT_EQ(n.wakeups, lines_with(t.out, ": sched_wakeup: "));

	ASSERT_EQ(0, RUN(&t, "convert", "--to", "json", "--with-ftrace", self->c.output))
		TH_LOG("%s", t.err);
	j = json_tokener_parse(t.out);
	EXPECT_NE(NULL, j);

	snprintf(path, sizeof(path), "%s/csv", self->dir);
	EXPECT_EQ(0, RUN(&t, "convert", "--to", "csv", "-o", path, self->c.output))
		TH_LOG("%s", t.err);

	snprintf(path, sizeof(path), "%s/x.db", self->dir);
	ASSERT_EQ(0, RUN(&t, "convert", "--to", "sqlite", "-o", path, self->c.output))
		TH_LOG("%s", t.err);
	EXPECT_EQ((int64_t)n.switches, database_number(path,
					     "SELECT value FROM stats WHERE name = 'fxt_switches'"));
	EXPECT_EQ((int64_t)n.wakeups, database_number(path,
					    "SELECT value FROM stats WHERE name = 'fxt_wakeups'"));
	EXPECT_LE((int64_t)n.switches, database_number(path, "SELECT count(*) FROM sched"));

	snprintf(path, sizeof(path), "%s/again.fxt", self->dir);
	ASSERT_EQ(0, RUN(&t, "convert", "--to", "fxt", "-o", path, self->c.output))
		TH_LOG("%s", t.err);
	EXPECT_EQ(0, RUN(&t, "check", path)) TH_LOG("%s", t.out);
}

#define BUSY_NS		1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int be_throttled(const struct cgroup *cgroup, int cpu)
{
	uint64_t end = now_ns() + BUSY_NS;
	pid_t pid = fork();
	int status;

	if (!pid) {
		pin(cpu);
		if (cgroup_enter(cgroup, 0))
			_exit(1);
		while (now_ns() < end)
			;
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

/* Return: a field, in ns, of the element of a report's list whose @key is @id. */
static int64_t reported(struct json_object *report, const char *list, const char *key,
			int64_t id, const char *field)
{
	struct json_object *all, *j;

	if (!json_object_object_get_ex(report, list, &all))
		return -1;
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		j = json_object_array_get_idx(all, i);
		if (json_object_get_int64(json_object_object_get(j, key)) == id)
			return json_object_get_int64(json_object_object_get(j, field));
	}
	return -1;
}

/* No thread preempts the throttled one: the reports show that its CPU was idle meanwhile. */
SOURCE_TEST(verbs, throttled_cgroup)
{
	struct json_object *j, *held;
	const char *missing;
	struct cgroup cgroup;
	int cpus[MAX_CPUS];
	int64_t idle, all;
	struct tool t;

	ASSERT_NE(0U, allowed_cpus(cpus));
	missing = cgroup_make(&cgroup, self->dir, true);
	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_BEGIN(NULL);
	EXPECT_EQ(0, be_throttled(&cgroup, cpus[0]));
	cgroup_remove(&cgroup);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	ASSERT_EQ(0, RUN(&t, "report", "--all", "--json", self->c.output)) TH_LOG("%s", t.err);
	j = json_tokener_parse(t.out);
	idle = reported(j, "cpus", "cpu", cpus[0], "idle_ns");
	all = json_object_get_int64(json_object_object_get(j, "to_ns")) -
	      json_object_get_int64(json_object_object_get(j, "from_ns"));
	held = json_object_object_get(j, "held_off");
	if (idle < all / 4 * 3)
		SKIP(return, "CPU %d has other work to do", cpus[0]);
	EXPECT_LE(1, json_object_get_int64(json_object_object_get(held, "count")));
	EXPECT_LT((int64_t)BUSY_NS / 2, json_object_get_int64(json_object_object_get(held, "sum_ns")));

	ASSERT_EQ(0, RUN(&t, "report", "--all", "--tables", self->c.output)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "held off, perhaps throttled: record with -e throttle");
	EXPECT_IN(t.out, "  held off  cpu ");
}
