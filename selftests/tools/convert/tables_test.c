// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt convert --to csv` and `--to sqlite`: the tables agree with the archive's words and with the
 * rules for any schedule; both outputs have the same rows. A run that fails, also with `--to
 * parquet`, leaves no files and changes none.
 */
#include "libfxt/fxt_reader.h"
#include "generate.h"
#include "tables_fixture.h"

/* --- texts that a spreadsheet takes for formulas -------------------------------------- */

static const char *csv_line(const char *dir, const char *name, const char *text)
{
	static char line[512];
	char path[PATH_ROOM];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, text))
			break;
	if (!f || feof(f))
		*line = '\0';
	if (f)
		fclose(f);
	return line;
}

static void put_formulas(FILE *f)
{
	put_preamble(f);
	put_thread_name(f, 10, 10, "=1+cmd", 6);
	put_thread_name(f, 20, 20, "+one", 4);
	put_thread_name(f, 30, 30, "-bash", 5);
	put_thread_name(f, 40, 40, "@SUM(A,B)", 9);
	put_thread_name(f, 50, 50, "'quoted", 7);
	put_thread_name(f, 60, 60, "a=b", 3);
	put_switch(f, 100, 0, 0, 10, fxt_sched_state(0, 0, 0));
}

TEST_F(tables, formulas_are_texts)
{
	static const char *const guarded[] = {
		"\"'=1+cmd\"", "\"'+one\"", "\"'-bash\"", "\"'@SUM(A,B)\"", "\"''quoted\"", ",a=b,",
	};

	put_formulas(self->f);
	convert_both(_metadata, self, 0);
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		EXPECT_STRNE("", csv_line(self->csv, "thread.csv", guarded[i])) {
			TH_LOG("%s", guarded[i]);
		}
	}
	/* A negative number is not a formula: the duration of the slice without an end. */
	EXPECT_STRNE("", csv_line(self->csv, "sched.csv", ",-1,"));
	EXPECT_SQL(1, "SELECT count(*) FROM thread WHERE name = '=1+cmd'");
}

TEST_F(tables, raw_text)
{
	struct tool t;

	put_formulas(self->f);
	ASSERT_EQ(0, fflush(self->f));
	ASSERT_EQ(0, tool_run(&t, ARGS("convert", "--to", "csv", "--raw-text", "-o", self->csv,
				    self->archive))) {
		TH_LOG("%s", t.err);
	}
	EXPECT_STRNE("", csv_line(self->csv, "thread.csv", ",=1+cmd,"));
	EXPECT_STRNE("", csv_line(self->csv, "thread.csv", ",'quoted,"));
	EXPECT_EQ(EXIT_USAGE, tool_run(&t, ARGS("convert", "--to", "sqlite", "--raw-text", "-o",
						self->sqlite, self->archive)));
}

/* --- sched and thread_state ------------------------------------------------------- */

/* Two CPUs: 10 wakes 20; 20 wakes 10, which waits on the other CPU. */
static void put_schedule(FILE *f)
{
	struct fxt_sched_state preempted = fxt_sched_state(0, 0, 0);
	struct fxt_sched_state asleep = fxt_sched_state(1, 1, 0);
	struct fxt_sched_state disk = fxt_sched_state(1, FXT_LINUX_UNINTERRUPTIBLE, 0);

	put_preamble(f);
	put_thread_name(f, 10, 10, "ten", 3);
	put_thread_name(f, 20, 10, "twenty", 6);
	put_switch(f, 100, 0, 0, 10, preempted);
	put_switch(f, 110, 1, 0, 40, preempted);
	put_switch(f, 120, 1, 40, 0, asleep);
	put_wakeup(f, 150, 1, 20, 10);
	put_switch(f, 200, 0, 10, 0, asleep);
	put_switch(f, 210, 1, 0, 20, preempted);
	put_wakeup(f, 250, 0, 10, 20);
	put_switch(f, 260, 1, 20, 30, preempted);
	put_switch(f, 270, 1, 30, 20, disk);
	put_switch(f, 280, 1, 20, 0, asleep);
	put_switch(f, 300, 0, 0, 10, preempted);
	put_switch(f, 500, 0, 10, 0, fxt_sched_state(1, FXT_LINUX_DEAD, 0));
}

TEST_F(tables, schedule)
{
	put_schedule(self->f);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(10, "SELECT count(*) FROM sched");
	EXPECT_SQL(2, "SELECT count(*) FROM sched_slice WHERE dur = -1");
	EXPECT_SQL(2, "SELECT count(*) FROM sched WHERE dur = -1");
	EXPECT_SQL(1, "SELECT count(*) FROM sched JOIN thread USING (utid) WHERE tid = 10 AND "
		      "ts = 100 AND dur = 100 AND cpu = 0 AND end_state = 'S' AND priority = 1024");
	EXPECT_SQL(1, "SELECT count(*) FROM sched JOIN thread USING (utid) WHERE tid = 30 AND "
		      "ts = 260 AND dur = 10 AND cpu = 1 AND end_state = 'D'");
	EXPECT_SQL(1, "SELECT count(*) FROM sched JOIN thread USING (utid) WHERE tid = 20 AND "
		      "ts = 210 AND dur = 50 AND end_state = 'R+'");
	EXPECT_SQL(100 + 90, "SELECT sum(dur) FROM sched WHERE utid = 0 AND ts < 280");
	EXPECT_SQL(2, "SELECT count(*) FROM thread JOIN process USING (upid) WHERE pid = 10 "
		      "AND thread.name IN ('ten', 'twenty')");
	EXPECT_SQL(1, "SELECT is_main_thread FROM thread WHERE tid = 10");
	EXPECT_SQL(0, "SELECT is_main_thread FROM thread WHERE tid = 20");
	EXPECT_SQL(0, "SELECT utid FROM thread WHERE is_idle = 1 AND tid = 0");
	EXPECT_SQL(100, "SELECT start_ts FROM trace_bounds");
	EXPECT_SQL(500, "SELECT end_ts FROM trace_bounds");
}

TEST_F(tables, wakers)
{
	put_schedule(self->f);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(100, "SELECT w.ts FROM thread_state r JOIN thread_state w ON "
			"w.id = r.waker_id WHERE r.ts = 150 AND r.dur = 60 AND r.state = 'R'");
	EXPECT_SQL(210, "SELECT w.ts FROM thread_state r JOIN thread_state w ON "
			"w.id = r.waker_id WHERE r.ts = 250 AND r.dur = 50 AND r.state = 'R'");
	EXPECT_SQL(2, "SELECT count(*) FROM thread_state r JOIN thread_state w ON "
		      "w.id = r.waker_id WHERE r.waker_utid = w.utid AND w.state = 'Running'");
	EXPECT_SQL(2, "SELECT count(*) FROM thread_state WHERE waker_utid IS NOT NULL");
}

/* 20 is woken while 10 runs, and by an interrupt; then by 10 itself. */
TEST_F(tables, interrupts)
{
	const struct fxt_sched_state preempted = { FXT_THREAD_NEW, 0 };
	const struct fxt_sched_state asleep = { FXT_THREAD_BLOCKED, 0 };
	FILE *f = self->f;

	put_preamble(f);
	put_thread_name(f, 10, 10, "ten", 3);
	put_thread_name(f, 20, 10, "twenty", 6);
	put_switch(f, 100, 0, 0, 10, preempted);
	put_switch(f, 110, 1, 20, 0, asleep);
	put_wakeup(f, 150, 1, 20, fxt_sched_waker(10, FXT_SCHED_IRQ_SOFT));
	put_switch(f, 160, 1, 0, 20, preempted);
	put_switch(f, 170, 1, 20, 0, asleep);
	put_wakeup(f, 180, 1, 20, fxt_sched_waker(10, FXT_SCHED_IRQ_NONE));
	put_switch(f, 190, 1, 0, 20, preempted);
	put_switch(f, 200, 1, 20, 0, asleep);
	put_wakeup(f, 210, 1, 20, fxt_sched_waker(0, FXT_SCHED_IRQ_NONE));
	put_switch(f, 220, 1, 0, 20, preempted);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(3, "SELECT count(*) FROM thread_state WHERE state = 'R'");
	EXPECT_SQL(150, "SELECT ts FROM thread_state WHERE irq_context = 1 AND waker_utid IS NULL "
			"AND waker_id IS NULL");
	EXPECT_SQL(180, "SELECT ts FROM thread_state JOIN thread ON thread.utid = waker_utid "
			"WHERE irq_context = 0 AND tid = 10");
	EXPECT_SQL(210, "SELECT ts FROM thread_state WHERE state = 'R' AND irq_context IS NULL "
			"AND waker_utid IS NULL");
}

static void put_ledger(FILE *f, enum fxt_ledger_kind kind, uint32_t sequence,
		       uint64_t written, uint64_t lost)
{
	uint64_t rec[FXT_LEDGER_WORDS];

	fxt_sched_put_ledger((__u64 *)rec, &(struct fxt_ledger){
		0, kind, sequence, 500, 400, written, lost });
	fwrite(rec, FXT_WORD, FXT_LEDGER_WORDS, f);
}

TEST_F(tables, part)
{
	put_preamble(self->f);
	put(self->f, fxt_kernel_object(3, FXT_OBJECT_PROCESS, FXT_STR_WAKER, 1));
	put(self->f, 5);
	put(self->f, fxt_arg_string(1, FXT_STR_CGROUP, FXT_STR_LOST));
	put_thread_name(self->f, 7, 6, "seven", 5);
	put_ledger(self->f, FXT_LEDGER_OPENING, 7, 100, 10);
	put_ledger(self->f, FXT_LEDGER_CONTINUED, 6, 90, 8);
	put_switch(self->f, 500, 0, 0, 7, fxt_sched_state(0, 0, 0));
	put_ledger(self->f, FXT_LEDGER_CLOSING, 7, 104, 13);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(1, "SELECT count(*) FROM process WHERE pid = 5 AND name = 'waker' AND "
		      "cgroup = 'lost'");
	EXPECT_SQL(1, "SELECT count(*) FROM process WHERE pid = 6 AND cgroup IS NULL");
	EXPECT_SQL(100, "SELECT value FROM stats WHERE name = 'fxt_before'");
	EXPECT_SQL(4, "SELECT value FROM stats WHERE name = 'fxt_stream_written' AND idx = 0");
	EXPECT_SQL(3, "SELECT value FROM stats WHERE name = 'fxt_stream_lost' AND idx = 0");
}

/* Thread koids of other producers may only be unique within their process. */
TEST_F(tables, same_koids)
{
	put_preamble(self->f);
	put_instant(self->f, 1, 5, 7, FXT_STR_LOST);
	put_thread_name(self->f, 7, 5, "seven", 5);
	put_instant(self->f, 2, 6, 7, FXT_STR_LOST);
	put_instant(self->f, 3, 5, 7, FXT_STR_LOST);
	put_thread_name(self->f, 8, 6, "eight", 5);
	put_instant(self->f, 4, 5, 8, FXT_STR_LOST);
	put_switch(self->f, 5, 0, 0, 7, fxt_sched_state(0, 0, 0));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(5, "SELECT count(*) FROM thread");
	EXPECT_SQL(2, "SELECT count(*) FROM slice JOIN thread_track t ON t.id = track_id JOIN "
		      "thread USING (utid) JOIN process USING (upid) WHERE tid = 7 AND pid = 5 "
		      "AND thread.name = 'seven'");
	EXPECT_SQL(2, "SELECT count(*) FROM slice JOIN thread_track t ON t.id = track_id JOIN "
		      "thread USING (utid) JOIN process USING (upid) WHERE (tid = 7 AND pid = 6 "
		      "OR tid = 8 AND pid = 5) AND thread.name IS NULL");
	EXPECT_SQL(1, "SELECT count(*) FROM sched JOIN thread USING (utid) WHERE "
		      "name = 'seven' AND dur = -1");
}

/* Facts that the library's reader finds in the archive. */
struct facts {
	uint64_t switches;
	uint64_t first[64];	/* ns, of the first switch of a CPU */
	uint64_t last[64];
};

static int read_facts(const char *path, struct facts *facts)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	struct fxt_switch sw;
	int ret;

	memset(facts, 0, sizeof(*facts));
	ret = fxt_reader_open(&r, path, NULL);
	while (!ret && (ret = fxt_reader_next(r, &rec)) > 0) {
		ret = 0;
		if (rec.kind != FXT_KIND_CONTEXT_SWITCH)
			continue;
		ret = fxt_reader_switch(r, &rec, &sw);
		if (!facts->last[sw.cpu % 64])
			facts->first[sw.cpu % 64] = sw.time;
		facts->last[sw.cpu % 64] = sw.time;
		facts->switches++;
	}
	fxt_reader_close(r);
	return ret;
}

/* In any schedule, runs fill each CPU's time, and states fill each thread's life. */
TEST_F(tables, sums)
{
	struct facts facts;
	char query[256];

	ASSERT_EQ(0, generate_sched(fileno(self->f), 60000, 4));
	convert_both(_metadata, self, 0);
	ASSERT_EQ(0, read_facts(self->archive, &facts));
	/* On each CPU, a thread runs from the beginning to the first switch, which adds a row. */
	EXPECT_SQL(facts.switches + 4, "SELECT count(*) FROM sched");
	EXPECT_SQL(4, "SELECT count(*) FROM sched WHERE dur = -1");
	for (int cpu = 0; cpu < 4; cpu++) {
		snprintf(query, sizeof(query),
			 "SELECT sum(dur) FROM sched WHERE dur >= 0 AND cpu = %d AND ts >= %ju",
			 cpu, (uintmax_t)facts.first[cpu]);
		EXPECT_SQL(facts.last[cpu] - facts.first[cpu], query);
	}
	EXPECT_SQL(0, "SELECT count(*) FROM (SELECT ts + dur AS end, lead(ts) OVER (PARTITION "
		      "BY cpu ORDER BY ts, id) AS next FROM sched) WHERE end <> next");
	EXPECT_SQL(0, "SELECT count(*) FROM (SELECT ts + dur AS end, lead(ts) OVER (PARTITION "
		      "BY utid ORDER BY ts, id) AS next FROM thread_state) WHERE end <> next");
	EXPECT_SQL(0, "SELECT count(*) FROM (SELECT ts, dur, cpu, utid FROM sched WHERE utid "
		      "EXCEPT SELECT ts, dur, cpu, utid FROM thread_state WHERE "
		      "state = 'Running')");
	EXPECT_SQL(0, "SELECT (SELECT count(*) FROM sched WHERE utid) - (SELECT count(*) FROM "
		      "thread_state WHERE state = 'Running')");
	EXPECT_SQL(0, "SELECT count(*) FROM thread_state r JOIN thread_state w ON "
		      "w.id = r.waker_id WHERE w.utid <> r.waker_utid OR w.ts > r.ts OR "
		      "w.state <> 'Running' OR (w.dur >= 0 AND w.ts + w.dur < r.ts)");
	EXPECT_SQL(0, "SELECT count(*) FROM thread_state WHERE waker_id IS NOT NULL AND "
		      "waker_id NOT IN (SELECT id FROM thread_state)");
	EXPECT_SQL(0, "SELECT (SELECT count(*) FROM thread_state WHERE waker_utid AND waker_id IS "
		      "NULL) - (SELECT value FROM stats WHERE name = 'fxt_waker_id_unknown')");
	EXPECT_GT(20, ask(self, "SELECT value FROM stats WHERE name = 'fxt_waker_id_unknown'"));
	EXPECT_LT(10000, ask(self, "SELECT count(waker_id) FROM thread_state"));
	EXPECT_SQL(0, "SELECT count(*) FROM stats WHERE severity <> 'info' AND value <> 0");
	EXPECT_SQL(facts.switches, "SELECT value FROM stats WHERE description = 'context_switch'");
	EXPECT_SQL(0, "SELECT sum(value) FROM stats WHERE name = 'fxt_stream_lost'");
	EXPECT_SQL(0, "SELECT (SELECT sum(value) FROM stats WHERE name = 'fxt_stream_written') - "
		      "(SELECT value FROM stats WHERE name = 'fxt_written')");
}

/* --- slices, counters, flows ---------------------------------------------------------- */

TEST_F(tables, slices)
{
	put_preamble(self->f);
	put_event(self->f, FXT_EVENT_DURATION_BEGIN, 10, "outer", 0);
	/* Complete events are written at their end, so nested ones come first. */
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 13, "leaf", 14);
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 12, "same", 15);
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 12, "inner", 18);
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 18, "next", 19);
	put_event(self->f, FXT_EVENT_INSTANT, 19, "point", 0);
	put_event(self->f, FXT_EVENT_DURATION_END, 20, "outer", 0);
	put_event(self->f, FXT_EVENT_DURATION_END, 21, "never begun", 0);
	put_event(self->f, FXT_EVENT_ASYNC_BEGIN, 22, "async", 1);
	put_event(self->f, FXT_EVENT_ASYNC_BEGIN, 23, "async", 2);
	put_event(self->f, FXT_EVENT_ASYNC_INSTANT, 24, "async", 1);
	put_event(self->f, FXT_EVENT_ASYNC_END, 25, "async", 1);
	put_event(self->f, FXT_EVENT_DURATION_BEGIN, 30, "open", 0);
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 31, "last", 32);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(11, "SELECT count(*) FROM slice");
	EXPECT_SQL(10, "SELECT dur FROM slice WHERE name = 'outer' AND depth = 0 AND ts = 10 "
		       "AND parent_id IS NULL AND category = 'fxt_sched'");
	EXPECT_SQL(1, "SELECT s.depth FROM slice s JOIN slice p ON s.parent_id = p.id WHERE "
		      "s.name = 'inner' AND s.dur = 6 AND p.name = 'outer'");
	EXPECT_SQL(2, "SELECT s.depth FROM slice s JOIN slice p ON s.parent_id = p.id WHERE "
		      "s.name = 'same' AND s.dur = 3 AND p.name = 'inner'");
	EXPECT_SQL(3, "SELECT s.depth FROM slice s JOIN slice p ON s.parent_id = p.id WHERE "
		      "s.name = 'leaf' AND s.dur = 1 AND p.name = 'same'");
	EXPECT_SQL(1, "SELECT depth FROM slice WHERE name = 'next' AND dur = 1");
	EXPECT_SQL(1, "SELECT depth FROM slice WHERE name = 'point' AND dur = 0");
	EXPECT_SQL(-1, "SELECT dur FROM slice WHERE name = 'open' AND depth = 0");
	EXPECT_SQL(1, "SELECT depth FROM slice WHERE name = 'last' AND dur = 1");
	EXPECT_SQL(3, "SELECT dur FROM slice WHERE name = 'async' AND ts = 22");
	EXPECT_SQL(-1, "SELECT dur FROM slice WHERE name = 'async' AND ts = 23");
	EXPECT_SQL(1, "SELECT depth FROM slice WHERE name = 'async' AND ts = 24");
	EXPECT_SQL(3, "SELECT count(DISTINCT track_id) FROM slice");
	EXPECT_SQL(7, "SELECT tid FROM thread_track JOIN thread USING (utid) WHERE thread_track.id "
		      "= (SELECT track_id FROM slice WHERE name = 'outer')");
	EXPECT_SQL(2, "SELECT count(*) FROM process_track JOIN process USING (upid) WHERE pid = 5");
	EXPECT_SQL(1, "SELECT value FROM stats WHERE name = 'slice_end_without_begin'");
	EXPECT_SQL(11, "SELECT count(*) FROM slice JOIN args USING (arg_set_id) WHERE "
		       "key = 'records' AND int_value = ts AND value_type = 'uint'");
	/* Arguments of an end event belong to the same slice. */
	EXPECT_SQL(2, "SELECT count(*) FROM slice JOIN args USING (arg_set_id) WHERE "
		      "int_value = ts + dur AND dur > 0");
	EXPECT_SQL(0, "SELECT count(*) FROM (SELECT ts, lag(ts) OVER (ORDER BY id) AS before "
		      "FROM slice) WHERE before > ts");
}

TEST_F(tables, depth)
{
	put_preamble(self->f);
	for (int i = 0; i < 600; i++)
		put_event(self->f, FXT_EVENT_DURATION_BEGIN, 1000 + i, "deep", 0);
	for (int i = 0; i < 600; i++)
		put_event(self->f, FXT_EVENT_DURATION_END, 2599 - 599 + i, "deep", 0);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(512, "SELECT count(*) FROM slice");
	EXPECT_SQL(511, "SELECT max(depth) FROM slice");
	EXPECT_SQL(512, "SELECT count(*) FROM slice WHERE ts + dur = 2599 - (ts - 1000)");
	EXPECT_SQL(88, "SELECT value FROM stats WHERE name = 'slice_max_depth_exceeded'");
	EXPECT_SQL(0, "SELECT value FROM stats WHERE name = 'slice_end_without_begin'");
}

TEST_F(tables, counters_and_flows)
{
	put_preamble(self->f);
	put_event(self->f, FXT_EVENT_DURATION_BEGIN, 10, "from", 0);
	put_event(self->f, FXT_EVENT_FLOW_BEGIN, 12, "flow", 77);
	put_event(self->f, FXT_EVENT_DURATION_END, 12, "", 0);
	/* A complete slice still encloses an event at its very end. */
	put_event(self->f, FXT_EVENT_DURATION_COMPLETE, 13, "over", 14);
	put_event(self->f, FXT_EVENT_FLOW_STEP, 14, "flow", 77);
	put_event(self->f, FXT_EVENT_DURATION_BEGIN, 15, "to", 0);
	put_event(self->f, FXT_EVENT_FLOW_END, 15, "flow", 77);
	put_event(self->f, FXT_EVENT_FLOW_STEP, 16, "flow", 77);
	put_event(self->f, FXT_EVENT_DURATION_END, 16, "", 0);
	put_event(self->f, FXT_EVENT_FLOW_BEGIN, 17, "flow", 78);
	/* It has not begun, and is in no slice: one reason counts, as in Perfetto. */
	put_event(self->f, FXT_EVENT_FLOW_END, 18, "flow", 79);
	for (int i = 20; i < 30; i++)
		put_event(self->f, FXT_EVENT_COUNTER, i, "count", i & 1);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(1, "SELECT count(*) FROM flow JOIN slice f ON f.id = slice_out JOIN slice t ON "
		      "t.id = slice_in WHERE f.name = 'from' AND t.name = 'over'");
	EXPECT_SQL(1, "SELECT count(*) FROM flow JOIN slice f ON f.id = slice_out JOIN slice t ON "
		      "t.id = slice_in WHERE f.name = 'over' AND t.name = 'to'");
	EXPECT_SQL(2, "SELECT count(*) FROM flow");
	EXPECT_SQL(1, "SELECT value FROM stats WHERE name = 'flow_step_without_start'");
	EXPECT_SQL(1, "SELECT value FROM stats WHERE name = 'flow_no_enclosing_slice'");
	EXPECT_SQL(1, "SELECT value FROM stats WHERE name = 'flow_end_without_start'");
	EXPECT_SQL(1, "SELECT count(*) FROM counter_track WHERE name = 'count:records:0'");
	EXPECT_SQL(1, "SELECT count(*) FROM track WHERE name = 'count:records:1'");
	EXPECT_SQL(5, "SELECT count(*) FROM counter JOIN process_counter_track t ON "
		      "t.id = track_id WHERE t.name = 'count:records:1' AND ts & 1");
	EXPECT_SQL(10, "SELECT count(*) FROM counter JOIN process_counter_track t ON "
		       "t.id = track_id JOIN process USING (upid) WHERE value = ts AND pid = 5");
}

/* --- text ---------------------------------------------------------------------------- */

TEST_F(tables, quoting)
{
	static const char name[] = "a,b\"c\nd\re";
	char path[PATH_ROOM + 16], line[256] = "";
	FILE *f;

	put_preamble(self->f);
	put_thread_name(self->f, 7, 5, name, sizeof(name) - 1);
	put_thread_name(self->f, 8, 5, "\"", 1);
	put_event(self->f, FXT_EVENT_INSTANT, 1, "x,\"y\"\nz", 0);
	put_event(self->f, FXT_EVENT_INSTANT, 2, "", 0);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(1, "SELECT name = 'a,b\"c' || char(10) || 'd' || char(13) || 'e' FROM thread "
		      "WHERE tid = 7");
	EXPECT_SQL(1, "SELECT name = '\"' FROM thread WHERE tid = 8");
	EXPECT_SQL(1, "SELECT name = 'x,\"y\"' || char(10) || 'z' FROM slice WHERE ts = 1");
	EXPECT_SQL(1, "SELECT name = '' FROM slice WHERE ts = 2");
	snprintf(path, sizeof(path), "%s/slice.csv", self->csv);
	f = fopen(path, "r");
	ASSERT_NE(NULL, f);
	line[fread(line, 1, sizeof(line) - 1, f)] = 0;
	fclose(f);
	EXPECT_IN(line, ",\"x,\"\"y\"\"\nz\",0,");
	EXPECT_IN(line, ",fxt_sched,\"\",0,");
	EXPECT_EQ(0, strncmp(line, "id,ts,dur,track_id,category,name,depth,parent_id,"
				   "arg_set_id\n", 60));
}

/* Strings of a producer may be any bytes, but tables contain text. */
TEST_F(tables, no_utf8)
{
	put_preamble(self->f);
	put_thread_name(self->f, 7, 5, "a\xff\xc3z", 4);
	put_thread_name(self->f, 8, 5, "gr\xc3\xbc\xc3", 5);
	put_instant(self->f, 1, 5, 7, fxt_string_ref_inline(3));
	put_stream(self->f, "a\0b", 3);
	convert_both(_metadata, self, 0);
	EXPECT_SQL(1, "SELECT name = 'a' || char(65533, 65533) || 'z' FROM thread WHERE tid = 7");
	EXPECT_SQL(1, "SELECT name = 'gr' || char(252, 65533) FROM thread WHERE tid = 8");
	EXPECT_SQL(1, "SELECT name = 'a' || char(65533) || 'b' FROM slice");
}

/* --- everything that a format has, and failures ------------------------------------------ */

TEST_F(tables, every_kind)
{
	ASSERT_EQ(0, generate_all(fileno(self->f), 0));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(0, "SELECT value FROM stats WHERE name = 'fxt_records_skipped'");
	EXPECT_SQL(0, "SELECT (SELECT sum(value) FROM stats WHERE name = 'fxt_records_of_kind') - "
		      "(SELECT value FROM stats WHERE name = 'fxt_records')");
	EXPECT_LT(0, ask(self, "SELECT count(*) FROM slice"));
	EXPECT_LT(0, ask(self, "SELECT count(*) FROM counter"));
	EXPECT_LT(0, ask(self, "SELECT count(*) FROM args"));
	EXPECT_SQL(2, "SELECT count(*) FROM metadata WHERE name = 'fxt_provider'");
}

TEST_F(tables, every_kind_swapped)
{
	ASSERT_EQ(0, generate_all(fileno(self->f), GENERATE_SWAPPED));
	convert_both(_metadata, self, 0);
	EXPECT_SQL(1, "SELECT int_value FROM metadata WHERE name = 'fxt_other_byte_order'");
}

TEST_F(tables, existing_outputs)
{
	char path[PATH_ROOM + 16];
	FILE *f;

	put_schedule(self->f);
	f = fopen(self->sqlite, "w");
	fputs("mine", f);
	fclose(f);
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "sqlite", self->sqlite));
	f = fopen(self->sqlite, "r");
	EXPECT_EQ('m', getc(f));
	fclose(f);
	ASSERT_EQ(0, mkdir(self->csv, 0777));
	EXPECT_EQ(0, convert(self, "csv", self->csv));
	EXPECT_EQ(TABLE_COUNT, entries(self->csv));
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", self->sqlite));
	snprintf(path, sizeof(path), "%s", self->dir);
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", path));
	snprintf(path, sizeof(path), "%s/none/x", self->dir);
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", path));
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "sqlite", path));
	EXPECT_EQ(EXIT_USAGE, convert(self, "csv", "-"));
	EXPECT_EQ(EXIT_USAGE, convert(self, "sqlite", "-"));
	EXPECT_EQ(3, entries(self->dir));
}

/* A file may grow to only a few bytes, as on a full disk. */
TEST_F(tables, no_room)
{
	static const rlim_t sizes[] = { 1, 100, 5000, 70000, 300000 };

	ASSERT_EQ(0, generate_sched(fileno(self->f), 20000, 2));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->file_size = sizes[i];
		EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", self->csv));
		EXPECT_EQ(1, entries(self->dir));
		EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "sqlite", self->sqlite));
		EXPECT_EQ(1, entries(self->dir));
	}
	/* A directory that existed before is kept, but empty. */
	ASSERT_EQ(0, mkdir(self->csv, 0777));
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", self->csv));
	EXPECT_EQ(0, entries(self->csv));
}

TEST_F(tables, bad_archives)
{
	put_schedule(self->f);
	/* Neither of these names was registered. The event keeps everything else. */
	put_instant(self->f, 600, 5, 7, fxt_string_ref_index(900));
	put(self->f, fxt_blob(1, fxt_string_ref_index(900), 0, FXT_BLOB_DATA));
	self->strict = true;
	EXPECT_EQ(EXIT_DEVIATES, convert(self, "csv", self->csv));
	EXPECT_EQ(EXIT_DEVIATES, convert(self, "sqlite", self->sqlite));
	EXPECT_EQ(1, entries(self->dir));
	self->strict = false;
	convert_both(_metadata, self, EXIT_DEVIATES);
	EXPECT_SQL(1, "SELECT value FROM stats WHERE name = 'fxt_records_skipped'");
	EXPECT_SQL(10, "SELECT count(*) FROM sched");
}

TEST_F(tables, no_archive)
{
	unlink(self->archive);
	EXPECT_EQ(EXIT_UNREADABLE, convert(self, "csv", self->csv));
	EXPECT_EQ(EXIT_UNREADABLE, convert(self, "sqlite", self->sqlite));
	EXPECT_EQ(0, entries(self->dir));
}

/* parquet.sh reads the files of successful runs. */
TEST_F(tables, parquet_failures)
{
	static const rlim_t sizes[] = { 1, 100, 5000, 30000 };
	char parquet[PATH_ROOM + 16];

	snprintf(parquet, sizeof(parquet), "%s/parquet", self->dir);
	ASSERT_EQ(0, generate_sched(fileno(self->f), 20000, 2));
	EXPECT_EQ(EXIT_USAGE, convert(self, "parquet", "-"));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		self->file_size = sizes[i];
		EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "parquet", parquet));
		EXPECT_EQ(1, entries(self->dir));
	}
	self->file_size = 0;
	ASSERT_EQ(0, mkdir(parquet, 0777));
	EXPECT_EQ(0, convert(self, "parquet", parquet));
	EXPECT_EQ(TABLE_COUNT, entries(parquet));
	/* The old directory is kept. Neither kind of table replaces a directory of the other. */
	EXPECT_EQ(0, convert(self, "parquet", parquet));
	EXPECT_EQ(3, entries(self->dir));
	EXPECT_EQ(EXIT_UNWRITABLE, convert(self, "csv", parquet));
	EXPECT_EQ(TABLE_COUNT, entries(parquet));
}

TEST_F(tables, parquet_bad_archives)
{
	put_schedule(self->f);
	put(self->f, fxt_blob(1, fxt_string_ref_index(900), 0, FXT_BLOB_DATA));
	self->strict = true;
	EXPECT_EQ(EXIT_DEVIATES, convert(self, "parquet", self->csv));
	EXPECT_EQ(1, entries(self->dir));
	self->strict = false;
	EXPECT_EQ(EXIT_DEVIATES, convert(self, "parquet", self->csv));
	EXPECT_EQ(TABLE_COUNT, entries(self->csv));
	unlink(self->archive);
	EXPECT_EQ(EXIT_UNREADABLE, convert(self, "parquet", self->csv));
	EXPECT_EQ(TABLE_COUNT, entries(self->csv));
}
