// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instants of execs and renames, from the records of names: each event is reported once, with old
 * and new name; the written instants are equal.
 */
#include "names_fixture.h"
#include "fxt-collect/archive/task_events.h"

/* One line for each event: "exec 5 101/100 [before] [after]". */
struct told {
	char text[2048];
	size_t length;
	int ret;
};

static int print_event(void *arg, const struct names_event *e)
{
	struct told *t = arg;

	t->length += snprintf(t->text + t->length, sizeof(t->text) - t->length,
			      "%s %ju +%u/+%u [%.16s] [%.16s]\n", e->what == FXT_STR_EXEC ? "exec" :
			      e->what == FXT_STR_FORK ? "fork" :
			      e->what == FXT_STR_RENAME ? "rename" : "?", (uintmax_t)e->time,
			      e->thread - NOBODY, e->process - NOBODY, e->before, e->after);
	return t->ret;
}

static size_t event_words(__u64 *rec, uint32_t id, uint32_t process, const char *name,
			  uint32_t what, uint64_t time)
{
	char comm[FXT_SCHED_COMM_SIZE] = "";
	struct fxt_sched_comm c;
	__u32 records;

	snprintf(comm, sizeof(comm), "%s", name);
	c = fxt_sched_comm(comm);
	return fxt_sched_put_task(rec, id, process, 0, &c,
				  (struct fxt_sched_event){ what, time }, &records);
}

/* Ids are counted from NOBODY on. */
static int happen(struct names *n, uint32_t id, uint32_t process, const char *name,
		  uint32_t what, uint64_t time)
{
	__u64 rec[FXT_SCHED_TASK_WORDS];
	size_t words = event_words(rec, NOBODY + id, NOBODY + process, name, what, time);

	return names_note(n, rec, words * FXT_WORD);
}

#define HAPPEN(id, process, name, what, time) \
	ASSERT_EQ(0, happen(self->n, id, process, name, FXT_STR_ ## what, time))

TEST_F(names, events)
{
	struct told t = { .length = 0 };

	names_on_event(self->n, print_event, &t);
	/* The first name of a thread, found or forked, is not an event. */
	NOTE(NOBODY, NOBODY, "bash");
	HAPPEN(1, 0, "bash", FORK, 4);
	EXPECT_STREQ("", t.text);
	HAPPEN(1, 0, "worker", RENAME, 5);
	HAPPEN(0, 0, "ls", RENAME, 6);
	HAPPEN(0, 0, "ls", EXEC, 7);
	HAPPEN(0, 0, "sl", RENAME, 8);
	HAPPEN(1, 1, "alone", EXEC, UINT64_MAX);
	HAPPEN(1, 1, "alone", RENAME, 0);
	HAPPEN(1, 1, "", RENAME, 1);
	HAPPEN(1, 1, "of fifteen byte", RENAME, 2);
	HAPPEN(1, 1, "a", RENAME, 3);
	EXPECT_STREQ("rename 5 +1/+0 [bash] [worker]\n"
		     "rename 6 +0/+0 [bash] [ls]\n"
		     "exec 7 +0/+0 [ls] [ls]\n"
		     "rename 8 +0/+0 [ls] [sl]\n"
		     "exec 18446744073709551615 +1/+1 [worker] [alone]\n"
		     "rename 0 +1/+1 [alone] [alone]\n"
		     "rename 1 +1/+1 [alone] []\n"
		     "rename 2 +1/+1 [] [of fifteen byte]\n"
		     "rename 3 +1/+1 [of fifteen byte] [a]\n", t.text);
	EXPECT_STREQ("p 5000000 [sl]\nt 5000000 [sl] process=5000000\n"
		     "p 5000001 [a]\nt 5000001 [a] process=5000001 fork=4\n", written(self));
}

TEST_F(names, events_of_strangers)
{
	struct told t = { .length = 0 };

	names_on_event(self->n, print_event, &t);
	HAPPEN(0, 0, "main", RENAME, 5);
	HAPPEN(1, 0, "thread", EXEC, 6);
	HAPPEN(2, 0, "other", RENAME, 7);
	EXPECT_STREQ("rename 5 +0/+0 [] [main]\n"
		     "exec 6 +1/+0 [] [thread]\n"
		     "rename 7 +2/+0 [] [other]\n", t.text);
}

/* After a thread has ended, its id belongs to another thread. */
TEST_F(names, events_of_ids_used_again)
{
	struct told t = { .length = 0 };

	names_on_event(self->n, print_event, &t);
	NOTE(NOBODY, NOBODY, "gone");
	NOTE(NOBODY + 1, NOBODY + 1, "here");
	proc_comm(self->dir, NOBODY + 1, NOBODY + 1, "here\n");
	names_forget(self->n);
	HAPPEN(0, 0, "new", RENAME, 5);
	HAPPEN(1, 1, "still here", RENAME, 6);
	HAPPEN(0, 0, "newer", RENAME, 7);
	EXPECT_STREQ("rename 5 +0/+0 [] [new]\n"
		     "rename 6 +1/+1 [here] [still here]\n"
		     "rename 7 +0/+0 [new] [newer]\n", t.text);
}

/*
 * A fork before a thread was found is its own; a later one is of another thread, and is
 * reported with the former thread's data, even if the name is the same.
 */
TEST_F(names, events_of_forks)
{
	struct told t = { .length = 0 };

	names_on_event(self->n, print_event, &t);
	NOTE(NOBODY, NOBODY, "sh");
	names_found(self->n, 10);
	HAPPEN(0, 0, "sh", FORK, 10);
	EXPECT_STREQ("", t.text);
	HAPPEN(0, 0, "sh", FORK, 11);
	HAPPEN(0, 0, "ls", RENAME, 12);
	HAPPEN(1, 0, "new", FORK, 13);
	HAPPEN(0, 0, "sh", FORK, 14);
	EXPECT_STREQ("fork 11 +0/+0 [sh] [sh]\n"
		     "rename 12 +0/+0 [sh] [ls]\n"
		     "fork 14 +0/+0 [ls] [sh]\n", t.text);
	/* The next archive begins with the thread's name and fork. */
	EXPECT_STREQ("p 5000000 [sh]\nt 5000000 [sh] process=5000000 fork=14\n"
		     "t 5000001 [new] process=5000000 fork=13\n", written(self));
}

static int count_later(void *arg, const struct names_event *e)
{
	*(unsigned int *)arg += e->is_later;
	return 0;
}

/* Only the fork of a reused id begins another life; this includes processes. */
TEST_F(names, later_lives)
{
	unsigned int later = 0;

	names_on_event(self->n, count_later, &later);
	HAPPEN(0, 0, "sh", FORK, 10);
	HAPPEN(0, 0, "true", RENAME, 11);
	HAPPEN(1, 0, "thread", FORK, 12);
	HAPPEN(1, 0, "worker", RENAME, 13);
	EXPECT_EQ(0U, later);
	HAPPEN(0, 0, "sh", FORK, 14);
	HAPPEN(0, 0, "false", RENAME, 15);
	EXPECT_EQ(2U, later);
}

/* Many in one call, and a single process record, which is not an event. */
TEST_F(names, events_in_a_row)
{
	__u64 rec[7 * FXT_SCHED_TASK_WORDS], lone[2 * FXT_SCHED_TASK_WORDS];
	struct told t = { .length = 0 };
	size_t words = 0;

	names_on_event(self->n, print_event, &t);
	NOTE(NOBODY, NOBODY, "one");
	NOTE(NOBODY + 1, NOBODY + 1, "other");
	words += event_words(rec, NOBODY, NOBODY, "two", FXT_STR_RENAME, 1);
	words += event_words(rec + words, NOBODY, NOBODY, "three", FXT_STR_RENAME, 2);
	words += event_words(rec + words, NOBODY + 1, NOBODY + 1, "more", FXT_STR_RENAME, 3);
	words += event_words(rec + words, NOBODY, NOBODY, "three", FXT_STR_EXEC, 4);
	words += event_words(rec + words, NOBODY, NOBODY, "born", FXT_STR_FORK, 5);
	words += event_words(rec + words, NOBODY + 2, NOBODY, "stranger", FXT_STR_RENAME, 5);
	ASSERT_EQ(0, names_note(self->n, rec, words * FXT_WORD));
	/* A process record without a following thread record leaves nothing behind. */
	event_words(lone, NOBODY, NOBODY, "process", FXT_STR_RENAME, 6);
	words = fxt_get(FXT_SIZE, lone[0]);
	words += event_words(lone + words, NOBODY + 2, NOBODY, "other", FXT_STR_RENAME, 6);
	ASSERT_EQ(0, names_note(self->n, lone, words * FXT_WORD));
	HAPPEN(0, 0, "end", RENAME, 7);
	EXPECT_STREQ("rename 1 +0/+0 [one] [two]\n"
		     "rename 2 +0/+0 [two] [three]\n"
		     "rename 3 +1/+1 [other] [more]\n"
		     "exec 4 +0/+0 [three] [three]\n"
		     "fork 5 +0/+0 [three] [born]\n"
		     "rename 5 +2/+0 [] [stranger]\n"
		     "rename 6 +2/+0 [stranger] [other]\n"
		     "rename 7 +0/+0 [process] [end]\n", t.text);
}

/*
 * Events in a chunk of the archive are reported, too. An error of the callback is passed on;
 * without a callback, nothing is reported.
 */
TEST_F(names, events_are_told)
{
	__u64 chunk[FXT_LEDGER_WORDS + 2 * FXT_SCHED_TASK_WORDS];
	struct fxt_ledger ledger = { .stream = FXT_LEDGER_STREAM_NAMES };
	struct told t = { .length = 0 };
	size_t words = FXT_LEDGER_WORDS;

	HAPPEN(0, 0, "nobody asks", RENAME, 1);
	names_on_event(self->n, print_event, &t);
	fxt_sched_put_ledger(chunk, &ledger);
	words += event_words(chunk + words, NOBODY, NOBODY, "a", FXT_STR_RENAME, 2);
	words += event_words(chunk + words, NOBODY, NOBODY, "b", FXT_STR_RENAME, 3);
	ASSERT_EQ(0, names_noted_in_archive(self->n, chunk, words * FXT_WORD));
	EXPECT_STREQ("rename 2 +0/+0 [nobody asks] [a]\nrename 3 +0/+0 [a] [b]\n", t.text);
	t.ret = -ENOMEM;
	EXPECT_EQ(-ENOMEM, names_noted_in_archive(self->n, chunk, words * FXT_WORD));
	EXPECT_STREQ("rename 2 +0/+0 [nobody asks] [a]\nrename 3 +0/+0 [a] [b]\n"
		     "rename 2 +0/+0 [b] [a]\n", t.text);
	names_on_event(self->n, NULL, NULL);
	EXPECT_EQ(0, names_note(self->n, chunk + FXT_LEDGER_WORDS,
				(words - FXT_LEDGER_WORDS) * FXT_WORD));
}

/* Records with other arguments are not events, but their names are noted. */
TEST_F(names, not_events)
{
	const uint64_t ref = fxt_string_ref_inline(1), koid = fxt_arg_koid(2, FXT_STR_PROCESS);
	const __u64 others[][8] = {
		{ fxt_kernel_object(7, FXT_OBJECT_THREAD, ref, 2), NOBODY, 'a', koid, NOBODY,
		  fxt_arg_uint64(2, FXT_STR_COMM), 5 },
		{ fxt_kernel_object(7, FXT_OBJECT_THREAD, ref, 2), NOBODY, 'a', koid, NOBODY,
		  fxt_arg_koid(2, FXT_STR_EXEC), 5 },
		{ fxt_kernel_object(6, FXT_OBJECT_THREAD, ref, 2), NOBODY, 'a', koid, NOBODY,
		  fxt_arg_uint64(2, FXT_STR_EXEC), 5 },
	};
	struct told t = { .length = 0 };

	names_on_event(self->n, print_event, &t);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		EXPECT_EQ(0, names_note(self->n, others[i],
					fxt_get(FXT_SIZE, others[i][0]) * FXT_WORD));
	EXPECT_STREQ("", t.text);
	EXPECT_EQ(1U, names_threads(self->n));
}

static void add(struct task_events *i, uint32_t what, uint64_t time, const char *before,
		const char *after)
{
	struct names_event e = { .what = what, .time = time, .thread = 101, .process = 100 };

	snprintf(e.before, sizeof(e.before), "%s", before);
	snprintf(e.after, sizeof(e.after), "%s", after);
	if (task_events_add(i, &e))
		abort();
}

static void print_instant(void *arg, const struct fxt_record *rec,
			  const struct fxt_content *c, FILE *f)
{
	fprintf(f, "%.*s:%.*s %ju %ju/%ju", c->category.length, c->category.bytes,
		c->name.length, c->name.bytes, (uintmax_t)c->time,
		(uintmax_t)c->thread.thread, (uintmax_t)c->thread.process);
	for (const struct fxt_arg *a = c->args; a < c->args + c->arg_count; a++)
		fprintf(f, " %.*s=[%.*s]", a->name.length, a->name.bytes,
			a->type == FXT_ARG_STRING ? a->text.length : 0, a->text.bytes);
	fputc('\n', f);
}

/* The instants of the archive so far, in self->text, or NULL. */
static const char *instants_text(FIXTURE_DATA(names) *self)
{
	self->text = print_records(self->w, self->fd, KIND(INSTANT), print_instant, NULL);
	return self->text;
}

TEST_F(names, instants)
{
	struct task_events i = { 0 };

	archive_begin(self);
	EXPECT_EQ(0, instants_write(&i, self->w, 0));
	add(&i, FXT_STR_RENAME, 7, "bash", "ls");
	add(&i, FXT_STR_EXEC, 8, "ls", "ls");
	add(&i, FXT_STR_RENAME, 9, "same", "same");
	add(&i, FXT_STR_RENAME, 10, "", "stranger");
	add(&i, FXT_STR_RENAME, 11, "named", "");
	add(&i, FXT_STR_EXEC, 12, "", "");
	add(&i, FXT_STR_RENAME, 13, "", "");
	add(&i, FXT_STR_RENAME, 4, "fifteen letters", "of 15 letters..");
	EXPECT_EQ(0, instants_write(&i, self->w, 0));
	EXPECT_STREQ("fxt_sched:rename 7 101/100 oldcomm=[bash] newcomm=[ls]\n"
		     "fxt_sched:exec 8 101/100 comm=[ls]\n"
		     "fxt_sched:rename 10 101/100 newcomm=[stranger]\n"
		     "fxt_sched:rename 11 101/100 oldcomm=[named]\n"
		     "fxt_sched:exec 12 101/100\n"
		     "fxt_sched:rename 4 101/100 oldcomm=[fifteen letters] newcomm=[of 15 letters..]\n",
		     instants_text(self));
	EXPECT_EQ(0U, i.count);
	task_events_free(&i);
}

TEST_F(names, instants_from)
{
	struct task_events i = { 0 };

	archive_begin(self);
	add(&i, FXT_STR_EXEC, 99, "", "before");
	add(&i, FXT_STR_EXEC, 100, "", "at once");
	add(&i, FXT_STR_EXEC, 98, "", "late");
	add(&i, FXT_STR_EXEC, 101, "", "after");
	EXPECT_EQ(0, instants_write(&i, self->w, 100));
	EXPECT_EQ(0, instants_write(&i, self->w, 0));
	EXPECT_STREQ("fxt_sched:exec 100 101/100 comm=[at once]\n"
		     "fxt_sched:exec 101 101/100 comm=[after]\n", instants_text(self));
	task_events_free(&i);
	EXPECT_EQ(NULL, i.events);
	add(&i, FXT_STR_EXEC, 1, "", "again");
	EXPECT_EQ(1U, i.count);
	task_events_free(&i);
	EXPECT_EQ(0U, i.count);
	EXPECT_EQ(0, instants_write(&i, self->w, 0));
	task_events_free(&i);
}

/* The newest are kept, in order, wherever the ring begins. */
TEST_F(names, instants_are_limited)
{
	static const uint64_t extra[] = { 0, 1, 1000, TASK_EVENTS_MOST + 7, 5 * TASK_EVENTS_MOST };
	struct task_events i = { 0 };
	uint64_t time, first;
	const char *text;
	char line[64];

	for (size_t n = 0; n < ARRAY_SIZE(extra); n++) {
		if (self->w)
			archive_end(self);
		archive_begin(self);
		for (time = 0; time < TASK_EVENTS_MOST + extra[n]; time++)
			add(&i, FXT_STR_EXEC, time, "", "x");
		ASSERT_EQ(TASK_EVENTS_MOST, i.count);
		ASSERT_EQ(0, instants_write(&i, self->w, 0));
		text = instants_text(self);
		ASSERT_NE(NULL, text);
		first = extra[n];
		for (time = first; time < TASK_EVENTS_MOST + extra[n]; time++) {
			snprintf(line, sizeof(line), "fxt_sched:exec %ju 101/100 comm=[x]\n",
				 (uintmax_t)time);
			ASSERT_EQ(0, strncmp(text, line, strlen(line))) {
				TH_LOG("%zu: %ju: %.60s", n, (uintmax_t)time, text);
			}
			text += strlen(line);
		}
		EXPECT_STREQ("", text);
		/* The list continues after the ring was written. */
		add(&i, FXT_STR_EXEC, 1, "", "y");
		ASSERT_EQ(0, instants_write(&i, self->w, 0));
	}
	task_events_free(&i);
}

static int refuse(void *arg, const void *data, size_t bytes)
{
	return -ENOSPC;
}

TEST_F(names, instants_that_cannot_be_written)
{
	struct task_events i = { 0 };
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open_sink(&w, refuse, NULL));
	for (uint32_t n = 0; n < TASK_EVENTS_MOST; n++)
		add(&i, FXT_STR_EXEC, n, "", "x");
	EXPECT_EQ(-ENOSPC, instants_write(&i, w, 0));
	EXPECT_EQ(-ENOSPC, fxt_writer_close(w));
	task_events_free(&i);
}

/* Both together, as in a recording. */
TEST_F(names, instants_of_events)
{
	struct task_events i = { 0 };

	archive_begin(self);
	names_on_event(self->n, task_events_add, &i);
	NOTE(NOBODY, NOBODY, "bash");
	HAPPEN(0, 0, "ls", RENAME, 5);
	HAPPEN(0, 0, "ls", EXEC, 6);
	HAPPEN(1, 0, "stranger", RENAME, 7);
	ASSERT_EQ(0, instants_write(&i, self->w, 6));
	EXPECT_STREQ("fxt_sched:exec 6 5000000/5000000 comm=[ls]\n"
		     "fxt_sched:rename 7 5000001/5000000 newcomm=[stranger]\n",
		     instants_text(self));
	task_events_free(&i);
}
