// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that had the same id one after the other: Perfetto gets the end of each life just before
 * the next one, and names on both sides; the head of a later archive has the names of the threads
 * that had an id when it began.
 */
#include "libperfetto/perfetto.h"
#include "archive/task_events.h"
#include "names_fixture.h"

static struct names_event event(uint32_t what, uint64_t time, const char *before, const char *after)
{
	struct names_event e = {
		.what = what, .time = time, .thread = NOBODY, .process = NOBODY,
		.before_process = NOBODY, .is_later = true,
	};

	snprintf(e.before, sizeof(e.before), "%s", before);
	snprintf(e.after, sizeof(e.after), "%s", after);
	return e;
}

static void add(struct task_events *l, uint32_t what, uint64_t time, const char *before,
		const char *after)
{
	struct names_event e = event(what, time, before, after);

	if (task_events_add(l, &e))
		abort();
}

static void print_packets(void *arg, const struct fxt_record *rec,
			  const struct fxt_content *c, FILE *f)
{
	Perfetto__ArchiveTrace *trace = perfetto__archive_trace__unpack(NULL, c->blob.bytes, c->blob.data);

	if (!trace)
		abort();
	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__ArchivePacket *p = trace->packet[i];

		if (p->timestamp_clock_id != 6 || !p->trusted_packet_sequence_id)
			fprintf(f, "packet of another clock\n");
		for (size_t k = 0; k < p->ftrace_events->n_event; k++) {
			const Perfetto__ArchiveEvent *e = p->ftrace_events->event[k];

			if (e->task_rename)
				fprintf(f, "%ju rename +%d %s\n", (uintmax_t)e->timestamp,
					e->task_rename->pid - NOBODY, e->task_rename->newcomm);
			if (e->sched_process_free)
				fprintf(f, "%ju free +%d\n", (uintmax_t)e->timestamp,
					e->sched_process_free->pid - NOBODY);
		}
	}
	perfetto__archive_trace__free_unpacked(trace, NULL);
}

static const char *packets(FIXTURE_DATA(names) *self)
{
	self->text = print_records(self->w, self->fd, KIND(BLOB), print_packets, NULL);
	return self->text;
}

TEST_F(names, lives_for_perfetto)
{
	struct task_events l = { 0 };

	archive_begin(self);
	EXPECT_EQ(0, reuses_write(&l, self->w, 1000000000));
	add(&l, FXT_STR_FORK, 1000, "prog-aaa", "sh");
	add(&l, FXT_STR_EXEC, 1100, "prog-bbb", "prog-bbb");
	EXPECT_EQ(0, reuses_write(&l, self->w, 1000000000));
	EXPECT_STREQ("998 rename +0 prog-aaa\n999 free +0\n1000 rename +0 sh\n"
		     "1100 rename +0 prog-bbb\n", packets(self));
	/* Each event is written once, in ns like other times of the archive. */
	add(&l, FXT_STR_FORK, 4000, "", "x");
	EXPECT_EQ(0, reuses_write(&l, self->w, 2000000000));
	EXPECT_STREQ("998 rename +0 prog-aaa\n999 free +0\n1000 rename +0 sh\n"
		     "1100 rename +0 prog-bbb\n1999 free +0\n2000 rename +0 x\n", packets(self));
	task_events_free(&l);
}

/* More events than fit into a record, and more than are kept. */
TEST_F(names, many_lives)
{
	struct task_events l = { 0 };
	const char *text;
	size_t i, lines = 0;

	archive_begin(self);
	for (i = 0; i < TASK_EVENTS_MOST + 10; i++)
		add(&l, FXT_STR_FORK, 1000 + i, "fifteen letters", "of 15 letters..");
	EXPECT_EQ(0, reuses_write(&l, self->w, 1000000000));
	text = packets(self);
	ASSERT_NE(NULL, text);
	EXPECT_EQ(0, strncmp(text, "1008 rename", 11));
	for (; *text; text++)
		lines += *text == '\n';
	EXPECT_EQ((size_t)3 * TASK_EVENTS_MOST, lines);
	task_events_free(&l);
}

/* A later archive has only the events since its beginning. */
TEST_F(names, former_owners)
{
	struct names_event found = event(FXT_STR_FORK, 2000, "prog-bbb", "sh");
	struct task_events l = { 0 };

	found.before_fork = 1000;
	add(&l, FXT_STR_FORK, 1000, "prog-aaa", "prog-bbb");
	ASSERT_EQ(0, task_events_add(&l, &found));
	add(&l, FXT_STR_RENAME, 2100, "sh", "prog-ccc");
	archive_begin(self);
	EXPECT_EQ(0, reuses_write_names(&l, self->w, 1001));
	EXPECT_STREQ("p 5000000 [prog-bbb]\nt 5000000 [prog-bbb] process=5000000 fork=1000\n",
		     archive_text(self));
	EXPECT_EQ(0, reuses_write(&l, self->w, 1000000000));
	EXPECT_STREQ("1998 rename +0 prog-bbb\n1999 free +0\n2000 rename +0 sh\n"
		     "2100 rename +0 prog-ccc\n", packets(self));
	task_events_free(&l);
}
