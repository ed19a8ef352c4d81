// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The edges of parts that fxt cut writes, and the seams of fxt merge, in stories of CPUs that one
 * thread has all the time. A part shows which thread has each CPU where it begins and ends; its
 * report and its tables are those of the same time of the whole; where parts meet, a merge shows no
 * marks.
 */
#include <json-c/json.h>

#include <fxt/fxt_before.h>

#include "cut_fixture.h"
#include "generate.h"

#define TEST_SECONDS	300	/* each runs fxt a hundred times */
#define BOTH	8	/* time in ms at which the story of tell_hog() ends */

/* 31 has cpu 1 from 1 to 8 ms. 11 and 12 take turns on cpu 0, for which 13 waits from 2 ms on. */
static void tell_hog(FIXTURE_DATA(cut) *self, bool has_marks)
{
	story_session(&self->s, "host here\nsource bpf\nmoves runnable\nclock boot\n");
	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; name 13 starved; "
			"name 31 hog; 0@1ms");
	if (has_marks)
		story_mark(&self->s, 1 * MS, 0, FXT_STR_BEGIN, 11);
	STORY(&self->s, "1ms 11>12; 3ms 12>11; 5ms 11>12; 7ms 12>11; 1@2ms");
	if (has_marks)
		story_mark(&self->s, 1 * MS, 1, FXT_STR_BEGIN, 31);
	story_wake(&self->s, 2 * MS, 0, 13, 31);
	if (has_marks) {
		STORY(&self->s, "% end 11 on 0; % end 31 on 1", BOTH * MS, BOTH * MS);
	} else {
		story_switch(&self->s, BOTH * MS, 31, 0, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, BOTH * MS);
	save(self);
}

static bool has_mark(const struct gathered *g, uint32_t kind, uint64_t time, uint16_t cpu,
		     uint64_t thread)
{
	for (const struct gathered_event *e = g->marks; e < g->marks + g->mark_count; e++)
		if (e->unknown == kind && e->time == time && e->cpu == cpu &&
		    (fxt_mark_is_begin(kind) ? e->thread : e->other) == thread)
			return true;
	return false;
}

#define EXPECT_MARK(kind, ms, cpu, thread)						\
	EXPECT_TRUE(has_mark(&self->g, FXT_STR_##kind, ms, cpu, thread))

TEST_F(cut, marks_of_a_recording_with_marks)
{
	tell_hog(self, true);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, "--from", "0.004", "--to", "0.006")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(4U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 4 * MS, 0, 11);
	EXPECT_MARK(BEGIN, 4 * MS, 1, 31);
	EXPECT_MARK(END, 6 * MS, 0, 12);
	EXPECT_MARK(END, 6 * MS, 1, 31);
	EXPECT_NE(NULL, gathered_name(&self->g, FXT_OBJECT_THREAD, 31));
	/* Without limits, the part has the archive's own marks. */
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(4U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 1 * MS, 1, 31);
	EXPECT_MARK(END, 8 * MS, 1, 31);
}

/* The first switch says which thread has had the CPU until then. */
TEST_F(cut, marks_of_a_recording_without_marks)
{
	tell_hog(self, false);
	ASSERT_EQ(0, cut(self, "--from", "0.004", "--to", "0.006")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_MARK(BEGIN, 4 * MS, 0, 11);
	EXPECT_MARK(BEGIN, 4 * MS, 1, 31);
	EXPECT_MARK(END, 6 * MS, 0, 12);
	EXPECT_MARK(END, 6 * MS, 1, 31);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0U, self->g.mark_count);
}

TEST_F(cut, marks_are_selected)
{
	tell_hog(self, true);
	ASSERT_EQ(0, cut(self, "--from", "0.004", "--cpu", "1")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 4 * MS, 1, 31);
	EXPECT_MARK(END, 8 * MS, 1, 31);
	ASSERT_EQ(0, cut(self, "--from", "0.004", "--pid", "11")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 4 * MS, 0, 11);
	EXPECT_MARK(END, 8 * MS, 0, 11);
	EXPECT_EQ(NULL, gathered_name(&self->g, FXT_OBJECT_THREAD, 31));
}

/* After a loss, it is unknown which thread has the CPU. */
TEST_F(cut, no_mark_after_a_loss)
{
	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11; lose 0 5 @4ms; 4ms 12>11; "
			"8ms 11>0 S; end 9ms");
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.003", "--to", "0.006")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(1U, self->g.mark_count);
	EXPECT_MARK(END, 6 * MS, 0, 11);
}

/* --- reports of a part ----------------------------------------------------------------- */

/* Facts about the whole archive are not compared. */
static bool is_compared(const char *key)
{
	static const char *const others[] = {
		"file", "first_ns", "last_ns", "switches", "wakeups", "losses", "trigger",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(key, others[i]))
			return false;
	return true;
}

static void print_compared(FILE *f, struct json_object *j, bool is_whole)
{
	if (json_object_is_type(j, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(j); i++)
			print_compared(f, json_object_array_get_idx(j, i), false);
	} else if (json_object_is_type(j, json_type_object)) {
		json_object_object_foreach(j, key, value) {
			if (is_whole && !is_compared(key))
				continue;
			fprintf(f, " %s", key);
			print_compared(f, value, false);
		}
	} else {
		fprintf(f, "=%s", json_object_to_json_string(j));
	}
}

static char *report(FIXTURE_DATA(cut) *self, const char *path, const char *from, const char *to)
{
	const char *args[] = { "report", "--json", path, "--from", from, "--to", to, NULL };
	struct json_object *j;
	char *text = NULL;
	size_t bytes;
	FILE *f;

	if (!from)
		args[3] = NULL;
	tool_run(&self->t, args);
	j = json_tokener_parse(self->t.out);
	f = open_memstream(&text, &bytes);
	print_compared(f, j, true);
	fclose(f);
	return text;
}

static void drop_lines(char *text, const char *begin)
{
	char *line, *next;

	while ((line = strstr(text, begin))) {
		next = strchr(line + 1, '\n');
		memmove(line, next ? next : "", (next ? strlen(next) : 0) + 1);
	}
}

/*
 * Return: a report without facts about the whole archive: the counts above the threads, and losses.
 */
static char *report_text(FIXTURE_DATA(cut) *self, const char *path, const char *from,
			 const char *to)
{
	const char *args[] = { "report", path, "--from", from, "--to", to, NULL };
	char *text;

	if (!from)
		args[2] = NULL;
	tool_run(&self->t, args);
	text = strstr(self->t.out, " process");
	text = strdup(text ? text : self->t.out);
	drop_lines(text, "\nlost: ");
	drop_lines(text, "\n  cpu ");
	return text;
}

#define UTIDS	4096
#define COLUMNS	16

static void split(char *row, char *columns[COLUMNS])
{
	row[strcspn(row, "\n")] = '\0';
	for (size_t i = 0; i < COLUMNS; i++)
		columns[i] = row ? strsep(&row, ",") : "";
}

static FILE *open_table(const char *dir, const char *name)
{
	char path[2 * RECORD_PATH];
	char row[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.csv", dir, name);
	f = fopen(path, "re");
	if (f && !fgets(row, sizeof(row), f))	/* the names of columns */
		rewind(f);
	return f;
}

static void read_tids(const char *dir, char tids[UTIDS][12])
{
	FILE *f = open_table(dir, "thread");
	char row[512], *columns[COLUMNS];
	unsigned long utid;

	while (f && fgets(row, sizeof(row), f)) {
		split(row, columns);
		utid = strtoul(columns[0], NULL, 10);
		if (utid < UTIDS)
			snprintf(tids[utid], sizeof(tids[utid]), "%s", columns[1]);
	}
	if (f)
		fclose(f);
}

/* Print the rows of a table that overlap a time, clipped to it. */
static void print_rows(FILE *to, const char *dir, const char *name, uint64_t first, uint64_t last)
{
	static char tids[UTIDS][12];
	FILE *f = open_table(dir, name);
	char row[512], *columns[COLUMNS];
	bool is_sched = !strcmp(name, "sched");
	uint64_t begin, end;
	int64_t ns;

	read_tids(dir, tids);
	while (f && fgets(row, sizeof(row), f)) {
		split(row, columns);
		begin = strtoull(columns[1], NULL, 10);
		ns = *columns[2] ? strtoll(columns[2], NULL, 10) : -1;
		end = ns < 0 || begin + ns > last ? last : begin + ns;
		begin = begin < first ? first : begin;
		if (begin >= end)
			continue;
		fprintf(to, "%020ju %ju thread %s cpu %s", (uintmax_t)begin, (uintmax_t)end,
			tids[strtoul(columns[4], NULL, 10) % UTIDS], columns[3]);
		if (is_sched)
			fprintf(to, " priority %s, then %s\n", columns[6],
				end < last ? columns[5] : "more");
		else
			fprintf(to, " %s, woken by %s %s\n", columns[5], *columns[8] ?
				tids[strtoul(columns[8], NULL, 10) % UTIDS] : "", columns[10]);
	}
	if (f)
		fclose(f);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort rows by time, because rows that were clipped may be in another order. */
static char *sorted(char *text)
{
	char *lines[40000], *all = NULL, *next = text;
	size_t count = 0, i, bytes;
	FILE *f = open_memstream(&all, &bytes);

	while (*next && count < ARRAY_SIZE(lines))
		lines[count++] = strsep(&next, "\n");
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (i = 0; i < count; i++)
		fprintf(f, "%s\n", lines[i]);
	fclose(f);
	return all;
}

/* Return: the runs and states of threads within a time, from the tables of an archive. */
static char *tables(FIXTURE_DATA(cut) *self, const char *path, uint64_t from, uint64_t to)
{
	char dir[RECORD_PATH + 32], *text = NULL;
	size_t bytes;
	FILE *f;

	snprintf(dir, sizeof(dir), "%s/tables", self->dir);
	if (RUN(&self->t, "convert", "-q", "--to", "csv", "-o", dir, path))
		return strdup(self->t.err);
	f = open_memstream(&text, &bytes);
	print_rows(f, dir, "sched", from, to);
	print_rows(f, dir, "thread_state", from, to);
	fclose(f);
	dir_remove(dir);
	return sorted(text);
}

static void same_report(struct __test_metadata *_metadata, FIXTURE_DATA(cut) *self,
			uint64_t from, uint64_t to)
{
	char first[32], last[32], *whole, *part;

	snprintf(first, sizeof(first), "%ju.%09ju", (uintmax_t)(from / 1000000000),
		 (uintmax_t)(from % 1000000000));
	snprintf(last, sizeof(last), "%ju.%09ju", (uintmax_t)(to / 1000000000),
		 (uintmax_t)(to % 1000000000));
	ASSERT_EQ(0, RUN(&self->t, "cut", "--force", "--from", first, "--to", last, "-o",
			 self->out, self->in)) TH_LOG("%s to %s: %s", first, last, self->t.err);
	EXPECT_EQ(0, RUN(&self->t, "check", "-q", self->out)) TH_LOG("%s to %s: %s", first, last,
								     self->t.out);
	whole = report(self, self->in, first, last);
	part = report(self, self->out, NULL, NULL);
	EXPECT_STREQ(whole, part) TH_LOG("from %s to %s", first, last);
	whole = report_text(self, self->in, first, last);
	part = report_text(self, self->out, NULL, NULL);
	EXPECT_STREQ(whole, part) TH_LOG("from %s to %s", first, last);
	whole = tables(self, self->in, from, to);
	part = tables(self, self->out, from, to);
	EXPECT_STREQ(whole, part) TH_LOG("from %s to %s", first, last);
}

TEST_F_TIMEOUT(cut, reports_of_a_hog, TEST_SECONDS)
{
	static const uint64_t at[] = { 1 * MS, 2 * MS, 3 * MS, 4500000, 5 * MS, 7 * MS - 1, BOTH * MS };

	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		for (size_t k = i + 1; k < ARRAY_SIZE(at); k++) {
			story_restart(&self->s);
			tell_hog(self, true);
			same_report(_metadata, self, at[i], at[k]);
			/* Without a mark, the hog goes to sleep at the very end. */
			if (at[k] == BOTH * MS)
				continue;
			story_restart(&self->s);
			tell_hog(self, false);
			same_report(_metadata, self, at[i], at[k]);
		}
}

/* Losses after a part do not affect it, and a part may begin within a loss. */
TEST_F(cut, reports_beside_a_loss)
{
	static const uint64_t at[][2] = {
		{ 3 * MS, 4 * MS }, { 3 * MS, 5500000 }, { 5500000, 8 * MS }, { 7 * MS, 9 * MS },
	};

	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; name 13 thirteen; "
			"0@1ms 0>11; 2ms 11>12 S; 2000001 wake 13 by 12; lose 0 5 @6ms; "
			"6ms wake 11 by 12; 7ms 12>11 S; 9ms 11>0 S; end 9ms");
	save(self);
	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		same_report(_metadata, self, at[i][0], at[i][1]);
}

/*
 * 21 is switched out on cpu 0 at 5 ms, while the next thread with its id, which was born at 3 ms,
 * runs on cpu 1. With @is_forked, the first one was born at 1 ms.
 */
static void tell_reuse(struct story *s, bool is_forked)
{
	STORY(s, "names@1; name 11 parent");
	if (is_forked)
		story_fork(s, 21, 21, "first", 1 * MS);
	else
		story_name(s, 21, 21, "first");
	STORY(s, "3ms 21/21 begins second; 0@1ms begin 0; 1ms wake 21; 2ms 0>21; 5ms 21>0 Z; "
		 "9ms end 0; 1@3000001; 1ms begin 11; 3000001 wake 21 by 11; 4ms 11>21; "
		 "8ms 21>11 S; 9ms end 11; end 9ms");
}

static uint64_t run_of(FIXTURE_DATA(cut) *self, const char *name)
{
	struct json_object *j, *threads, *thread;
	uint64_t run = 0;

	tool_run(&self->t, ARGS("report", "--json", self->out));
	j = json_tokener_parse(self->t.out);
	threads = json_object_object_get(j, "threads");
	for (size_t i = 0; threads && i < json_object_array_length(threads); i++) {
		thread = json_object_array_get_idx(threads, i);
		if (!strcmp(json_object_get_string(json_object_object_get(thread, "name")), name))
			run += json_object_get_uint64(json_object_object_get(thread, "run_ns"));
	}
	return run;
}

/* The thread that has a CPU where a part begins is not the one that was born meanwhile. */
TEST_F(cut, part_from_a_birth)
{
	static const int64_t after[] = { -1, 0, 1, MS / 2, MS + MS / 2 };
	int64_t second;		/* ns that it has run then */
	char at[32];

	for (size_t i = 0; i < 2 * ARRAY_SIZE(after); i++) {
		int64_t k = after[i / 2];

		second = k > (int64_t)MS ? k - (int64_t)MS : 0;
		story_restart(&self->s);
		tell_reuse(&self->s, i % 2);
		save(self);
		snprintf(at, sizeof(at), "0.%09lld", (long long)(3 * MS + k));
		ASSERT_CUT("--force", "--from", at);
		EXPECT_EQ(2 * MS - k, run_of(self, "first")) TH_LOG("from %s", at);
		EXPECT_EQ(4 * MS - second, run_of(self, "second")) TH_LOG("from %s", at);
		ASSERT_CUT("--force", "--to", at);
		EXPECT_EQ(1 * MS + k, run_of(self, "first")) TH_LOG("to %s", at);
		EXPECT_EQ((uint64_t)second, run_of(self, "second")) TH_LOG("to %s", at);
	}
}

/* A thread may wait during many switches before a part begins. */
TEST_F(cut, reports_of_a_long_wait)
{
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; name 13 starved; "
		 "0@1ms 0>11; 1000001 wake 13 by 11");
	for (unsigned int i = 1; i < 6000; i++)
		story_switch(s, 1 * MS + i * 1000, i & 1 ? 11 : 12, i & 1 ? 12 : 11, FXT_THREAD_NEW);
	STORY(s, "8ms 12>13 S; end 9ms");
	save(self);
	same_report(_metadata, self, 6 * MS, 8 * MS);
}

TEST_F_TIMEOUT(cut, reports_of_many_switches, TEST_SECONDS)
{
	const uint64_t begin = 5000000000000;
	int fd = open(self->in, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unsigned int i, seed = 1;
	uint64_t from, length;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_sched(fd, 3000, 3));
	close(fd);
	for (i = 0; i < 20; i++) {
		from = begin + rand_r(&seed) % 2000000;
		length = rand_r(&seed) % 500000;
		same_report(_metadata, self, from, from + length);
	}
}

/* Where a part begins, some waiting threads have wakers with stacks. */
TEST_F(cut, reports_of_stacks)
{
	int fd = open(self->in, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_stacks(fd));
	close(fd);
	for (uint64_t from = 5500000; from < 16 * MS; from += MS)
		same_report(_metadata, self, from, from + 10 * MS);
}

/* --- parts of earlier versions ------------------------------------------------------------ */

/*
 * Tell the BLOB of a part that begins at 5 ms, as @version wrote it. 13 slept, 12 waits for cpu 0.
 */
static void tell_before(struct story *s, uint64_t version)
{
	const uint64_t events[][FXT_BEFORE_WORDS] = {
		{ 2 * MS, 13, 0, fxt_before_word(0, 'S', 0, 0), 0 },
		{ 3 * MS, 12, 11, fxt_before_word(0, 0, 0, 0), fxt_before_weight(STORY_WEIGHT) },
	};
	const size_t words = version == 1 ? FXT_BEFORE_WORDS - 1 : FXT_BEFORE_WORDS;
	const size_t payload = FXT_BEFORE_HEAD_WORDS + ARRAY_SIZE(events) * words;
	const size_t name = fxt_stream_words(strlen(FXT_SCHED_BEFORE));

	BUILD(&s->b, fxt_blob(1 + name + payload, fxt_string_ref_inline(strlen(FXT_SCHED_BEFORE)),
			      payload * FXT_WORD, FXT_BLOB_DATA));
	BUILD_TEXT(&s->b, FXT_SCHED_BEFORE);
	BUILD(&s->b, version, 5 * MS, 0);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		build_words(&s->b, events[i], words);
}

static void tell_part(FIXTURE_DATA(cut) *self, uint64_t version)
{
	story_restart(&self->s);
	tell_before(&self->s, version);
	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; name 13 thirteen");
	self->s.streams[0] = (struct story_stream){ 5 * MS, 100, 0, 7 };
	STORY(&self->s, "opening 0 #7 @5ms; 0@6ms wake 13 by 11; 7ms 11>12 S; 8ms 12>13 S; "
			"end 9ms");
	save(self);
}

/* Version 1 lacks the weights of waiting threads, which are then those that they run with. */
TEST_F(cut, part_of_version_1)
{
	char *present, *first;

	tell_part(self, FXT_BEFORE_VERSION);
	EXPECT_SOUND(self->in);
	present = report(self, self->in, NULL, NULL);
	tell_part(self, 1);
	EXPECT_SOUND(self->in);
	first = report(self, self->in, NULL, NULL);
	/* 12 waited from 3 to 7 ms. */
	EXPECT_IN(first, "time_ns=7000000 latency_ns=4000000 kind=\"woken\"");
	EXPECT_STREQ(present, first);
}

/* --- seams ------------------------------------------------------------------------------- */

TEST_F(cut, parts_become_one)
{
	char first[RECORD_PATH + 32], *whole, *merged;

	snprintf(first, sizeof(first), "%s/first.fxt", self->dir);
	tell_hog(self, true);
	ASSERT_EQ(0, cut(self, "--from", "0.004000001", NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, RUN(&self->t, "cut", "--to", "0.004", "-o", first, self->in));
	whole = report(self, self->in, NULL, NULL);
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->in, "--force", first, self->out))
		TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, gather(&self->g, self->in));
	EXPECT_EQ(4U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 1 * MS, 0, 11);
	EXPECT_MARK(BEGIN, 1 * MS, 1, 31);
	EXPECT_MARK(END, 8 * MS, 0, 11);
	EXPECT_MARK(END, 8 * MS, 1, 31);
	merged = report(self, self->in, NULL, NULL);
	EXPECT_STREQ(whole, merged);
}

/* Parts of a busy recording, each of which begins at the end of the previous one. */
TEST_F(cut, many_parts_become_one)
{
	const uint64_t begin = 5000000000000, end = begin + 2600000;
	static const uint64_t at[] = { 0, 300000, 1000001, 1000500, 2000000, 2600000 };
	char path[5][RECORD_PATH + 32], first[32], last[32], *whole, *merged;
	int fd = open(self->in, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_sched(fd, 3000, 3));
	close(fd);
	for (unsigned int i = 0; i < 5; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/%u.fxt", self->dir, i);
		snprintf(first, sizeof(first), "5000.%09ju", (uintmax_t)(at[i] + !!i));
		snprintf(last, sizeof(last), "5000.%09ju", (uintmax_t)at[i + 1]);
		ASSERT_EQ(0, RUN(&self->t, "cut", "--from", first, "--to", last, "-o", path[i],
				 self->in)) TH_LOG("%s", self->t.err);
	}
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->out, path[0], path[1], path[2], path[3],
			 path[4])) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	whole = report(self, self->in, NULL, NULL);
	merged = report(self, self->out, NULL, NULL);
	EXPECT_STREQ(whole, merged);
	whole = tables(self, self->in, begin, end);
	merged = tables(self, self->out, begin, end);
	EXPECT_STREQ(whole, merged);
}

TEST_F(cut, segments_become_one)
{
	char path[2][RECORD_PATH + 32];
	struct story *s = &self->s;

	for (unsigned int i = 0; i < 2; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/%u.fxt", self->dir, i);
		story_restart(s);
		story_session(s, "host here\nclock boot\nboot 1\n");
		STORY(s, "names@1; name 11 eleven; name 31 hog");
		s->streams[0] = (struct story_stream){ i * 2 * MS, i, 0, i };
		if (i)
			story_ledger(s, 0, FXT_LEDGER_OPENING, s->streams[0].sequence++, 4 * MS);
		else
			story_chunk(s, 0, 2 * MS);
		story_mark(s, (i ? 4 : 2) * MS, 0, FXT_STR_BEGIN, i ? 31 : 11);
		if (!i)
			story_switch(s, 2 * MS, 11, 31, FXT_THREAD_NEW);
		story_mark(s, (i ? 8 : 4) * MS, 0, FXT_STR_END, 31);
		s->streams[0].sequence = 1;
		story_end(s, (i ? 8 : 4) * MS);
		save_file(path[i], s->b.words, built_bytes(&s->b));
		EXPECT_SOUND(path[i]);
	}
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->out, path[0], path[1]))
		TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_EQ(2U, self->g.mark_count);
	EXPECT_MARK(BEGIN, 2 * MS, 0, 11);
	EXPECT_MARK(END, 8 * MS, 0, 31);
}
