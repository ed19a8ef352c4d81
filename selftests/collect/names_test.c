// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of threads and processes, in any order of producers: each archive has the newest name of
 * each task, once.
 */
#include "names_fixture.h"

TEST_F(names, nobody)
{
	EXPECT_STREQ("", written(self));
	EXPECT_STREQ("", finished(self));
	EXPECT_EQ(0U, names_threads(self->n));
	EXPECT_EQ(0U, names_processes(self->n));
	names_close(NULL);
}

TEST_F(names, records_are_the_producers)
{
	static const char * const comms[] = {
		"", "a", "seven77", "eight888", "nine99999", "fifteen 15 15 1",
		"\xc3\xa4\xc3\xb6\xc3\xbc",
	};
	__u64 expected[2 * ARRAY_SIZE(comms) * FXT_SCHED_TASK_WORDS], got[512];
	size_t words = 0, begun, bytes;

	for (uint32_t i = 0; i < ARRAY_SIZE(comms); i++) {
		words += task_words(expected + words, NOBODY + i, NOBODY + i, comms[i]);
		words += task_words(expected + words, NOBODY + 100 + i, NOBODY + i, comms[i]);
	}
	ASSERT_EQ(0, names_note(self->n, expected, words * FXT_WORD));
	begun = archive_begin(self);
	ASSERT_EQ(0, names_write(self->n, self->w, false));
	ASSERT_EQ(0, fxt_writer_flush(self->w));
	bytes = fxt_writer_bytes(self->w) - begun;
	ASSERT_EQ(words * FXT_WORD, bytes);
	ASSERT_EQ((ssize_t)bytes, pread(self->fd, got, sizeof(got), begun));
	EXPECT_EQ(0, memcmp(expected, got, bytes));
	EXPECT_EQ(2 * ARRAY_SIZE(comms), names_threads(self->n));
	EXPECT_EQ(ARRAY_SIZE(comms), names_processes(self->n));
}

TEST_F(names, bytes_of_a_record_stay)
{
	/* Producers write no such name; it is passed on all the same. */
	__u64 rec[] = {
		fxt_kernel_object(3, FXT_OBJECT_PROCESS, fxt_string_ref_inline(3), 0),
		NOBODY, 0,
	};
	__u64 got[3];
	size_t begun;

	memcpy(&rec[2], "\xff\x01\xe2", 3);
	ASSERT_EQ(0, names_note(self->n, rec, sizeof(rec)));
	begun = archive_begin(self);
	ASSERT_EQ(0, names_write(self->n, self->w, false));
	ASSERT_EQ(0, fxt_writer_flush(self->w));
	ASSERT_EQ((ssize_t)sizeof(got), pread(self->fd, got, sizeof(got), begun));
	EXPECT_EQ(0, memcmp(rec, got, sizeof(got)));
}

TEST_F(names, the_newest_name_counts)
{
	NOTE(NOBODY, NOBODY, "bash");
	NOTE(NOBODY + 1, NOBODY, "bash");
	NOTE(NOBODY + 1, NOBODY, "worker");
	NOTE(NOBODY, NOBODY, "b");
	NOTE(NOBODY, NOBODY, "much longer");
	NOTE(NOBODY, NOBODY, "ls");
	EXPECT_STREQ("p 5000000 [ls]\n"
		     "t 5000000 [ls] process=5000000\n"
		     "t 5000001 [worker] process=5000000\n", written(self));
	EXPECT_EQ(2U, names_threads(self->n));
	EXPECT_EQ(1U, names_processes(self->n));
}

/* The thread that calls exec() takes the id of the main thread. */
TEST_F(names, exec_of_another_thread)
{
	NOTE(NOBODY, NOBODY, "main");
	NOTE(NOBODY + 5, NOBODY, "loader");
	EXPECT_STRNE("", written(self));
	CHUNK(NOBODY, NOBODY, "program");
	EXPECT_STREQ("", finished(self));
	EXPECT_STREQ("p 5000000 [program]\n"
		     "t 5000000 [program] process=5000000\n"
		     "t 5000005 [loader] process=5000000\n", written(self));
}

TEST_F(names, ids_are_used_again)
{
	NOTE(NOBODY, NOBODY, "one");
	NOTE(NOBODY + 1, NOBODY, "one");
	NOTE(NOBODY + 2, NOBODY + 2, "two");
	EXPECT_EQ(2U, names_processes(self->n));
	/* The id of a thread becomes that of a process, and vice versa. */
	NOTE(NOBODY + 1, NOBODY + 1, "one");
	NOTE(NOBODY + 2, NOBODY + 1, "two");
	EXPECT_EQ(3U, names_threads(self->n));
	EXPECT_EQ(2U, names_processes(self->n));
	EXPECT_STREQ("p 5000000 [one]\n"
		     "t 5000000 [one] process=5000000\n"
		     "p 5000001 [one]\n"
		     "t 5000001 [one] process=5000001\n"
		     "t 5000002 [two] process=5000001\n", written(self));
	/* The id of a thread becomes that of a thread of another process. */
	NOTE(NOBODY + 2, NOBODY, "two");
	EXPECT_STREQ("t 5000002 [two] process=5000000\n", finished(self));
}

TEST_F(names, not_names)
{
	const uint64_t eight = fxt_string_ref_inline(8), process = fxt_arg_koid(2, FXT_STR_PROCESS);
	const __u64 others[][7] = {
		/* a name by index; one that is too long; a koid that is not an id */
		{ fxt_kernel_object(2, FXT_OBJECT_PROCESS, 7, 0), NOBODY },
		{ fxt_kernel_object(4, FXT_OBJECT_PROCESS, fxt_string_ref_inline(16), 0), NOBODY },
		{ fxt_kernel_object(3, FXT_OBJECT_PROCESS, eight, 0), NOBODY + (1ULL << 32) },
		/* too short for its name */
		{ fxt_kernel_object(2, FXT_OBJECT_PROCESS, eight, 0), NOBODY },
		{ fxt_kernel_object(1, FXT_OBJECT_PROCESS, 0, 0) },
		/* threads without a process */
		{ fxt_kernel_object(3, FXT_OBJECT_THREAD, eight, 0), NOBODY },
		{ fxt_kernel_object(4, FXT_OBJECT_THREAD, eight, 0), NOBODY, 0, process },
		{ fxt_kernel_object(5, FXT_OBJECT_THREAD, eight, 1), NOBODY, 0,
		  fxt_arg_koid(2, FXT_STR_WAKER), 1 },
		{ fxt_kernel_object(5, FXT_OBJECT_THREAD, eight, 1), NOBODY, 0, process,
		  1ULL << 32 },
		/* another object, another record */
		{ fxt_kernel_object(3, 17, eight, 0), NOBODY },
		{ fxt_userspace_object(3, 1, eight, 0), NOBODY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_EQ(0, names_note(self->n, others[i],
					fxt_get(FXT_SIZE, others[i][0]) * FXT_WORD));
		EXPECT_EQ(0U, names_threads(self->n)) {
			TH_LOG("record %zu", i);
		}
	}
}

TEST_F(names, not_records)
{
	__u64 rec[2 * FXT_SCHED_TASK_WORDS];
	size_t words = task_words(rec, NOBODY, NOBODY, "cut");

	EXPECT_EQ(-EBADMSG, names_note(self->n, rec, (words - 1) * FXT_WORD));
	EXPECT_EQ(1U, names_threads(self->n));
	EXPECT_EQ(-EBADMSG, names_note(self->n, rec, words * FXT_WORD - 1));
	EXPECT_EQ(-EBADMSG, names_noted_in_archive(self->n, rec, words * FXT_WORD + 4));
	rec[words] = 0;
	EXPECT_EQ(-EBADMSG, names_note(self->n, rec, (words + 1) * FXT_WORD));
	EXPECT_EQ(0, names_note(self->n, rec, 0));
}

#define MANY	100000U

/* Ids of all kinds: consecutive, far apart, and large. No thread of this machine has them. */
static uint32_t nth_id(uint32_t i)
{
	switch (i % 4) {
	case 0:
		return 5000000 + i;
	case 1:
		return i << 12 | 1 << 30;
	case 2:
		return UINT32_MAX - i;
	default:
		return 8000000 + i;
	}
}

TEST_F_TIMEOUT(names, many, 120)
{
	char name[16], line[128];
	uint32_t i, wrong = 0;
	const char *text;

	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		NOTE(nth_id(i), i % 2 ? nth_id(i - 1) : nth_id(i), name);
	}
	EXPECT_EQ(MANY, names_threads(self->n));
	EXPECT_EQ(MANY / 2, names_processes(self->n));
	text = written(self);
	ASSERT_NE(NULL, text);
	for (i = 0; i < MANY; i++) {
		if (i % 2)
			snprintf(line, sizeof(line), "t %u [n%u] process=%u\n", nth_id(i), i,
				 nth_id(i - 1));
		else
			snprintf(line, sizeof(line), "p %u [n%u]\nt %u [n%u] process=%u\n",
				 nth_id(i), i, nth_id(i), i, nth_id(i));
		if (strncmp(text, line, strlen(line))) {
			wrong++;
			break;
		}
		text += strlen(line);
	}
	EXPECT_EQ(0U, wrong) {
		TH_LOG("task %u: %.60s", i, text);
	}
	EXPECT_STREQ("", text);
	EXPECT_STREQ("", finished(self));
}

TEST_F(names, what_is_missing_is_written_at_the_end)
{
	NOTE(NOBODY, NOBODY, "a");
	NOTE(NOBODY + 1, NOBODY + 1, "b");
	NOTE(NOBODY + 2, NOBODY + 1, "c");
	EXPECT_STRNE("", written(self));
	/* Known with this name; new; renamed; in the archive through a chunk. */
	NOTE(NOBODY, NOBODY, "a");
	NOTE(NOBODY + 3, NOBODY + 3, "new");
	NOTE(NOBODY + 1, NOBODY + 1, "renamed");
	CHUNK(NOBODY + 4, NOBODY + 4, "told");
	CHUNK(NOBODY + 2, NOBODY + 1, "told");
	EXPECT_STREQ("p 5000001 [renamed]\n"
		     "t 5000001 [renamed] process=5000001\n"
		     "p 5000003 [new]\n"
		     "t 5000003 [new] process=5000003\n", finished(self));
	EXPECT_STREQ("", finished(self));
	EXPECT_STREQ("p 5000000 [a]\n"
		     "t 5000000 [a] process=5000000\n"
		     "p 5000001 [renamed]\n"
		     "t 5000001 [renamed] process=5000001\n"
		     "t 5000002 [told] process=5000001\n"
		     "p 5000003 [new]\n"
		     "t 5000003 [new] process=5000003\n"
		     "p 5000004 [told]\n"
		     "t 5000004 [told] process=5000004\n", written(self));
	EXPECT_STREQ("", finished(self));
}

TEST_F(names, told_and_then_renamed)
{
	EXPECT_STREQ("", written(self));
	CHUNK(NOBODY, NOBODY, "a");
	NOTE(NOBODY, NOBODY, "a");
	EXPECT_STREQ("", finished(self));
	NOTE(NOBODY, NOBODY, "b");
	CHUNK(NOBODY, NOBODY, "b");
	EXPECT_STREQ("", finished(self));
	NOTE(NOBODY, NOBODY, "a");
	EXPECT_STREQ("p 5000000 [a]\nt 5000000 [a] process=5000000\n", finished(self));
}

TEST_F(names, errors_of_writing_are_told)
{
	for (uint32_t i = 0; i < 10000; i++)
		NOTE(NOBODY + i, NOBODY + i, "a name of 15 byt");
	self->fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, fxt_writer_open(&self->w, self->fd));
	EXPECT_EQ(-ENOSPC, names_write(self->n, self->w, false));
	archive_end(self);

	self->fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ASSERT_EQ(0, fxt_writer_open(&self->w, self->fd));
	EXPECT_EQ(-ENOSPC, names_finish(self->n, self->w));
}

TEST_F(names, who_ended_is_forgotten)
{
	char mine[128];

	NOTE(NOBODY, NOBODY, "gone");
	NOTE(NOBODY + 1, NOBODY + 1, "in /proc");
	NOTE(getpid(), getpid(), "hidden");
	NOTE(NOBODY + 2, NOBODY, "gone, too");
	proc_comm(self->dir, NOBODY + 1, NOBODY + 1, "in /proc\n");
	snprintf(mine, sizeof(mine), "p 5000001 [in /proc]\n"
		 "t 5000001 [in /proc] process=5000001\n"
		 "p %u [hidden]\nt %u [hidden] process=%u\n", getpid(), getpid(), getpid());
	names_forget(self->n);
	EXPECT_EQ(4U, names_threads(self->n));
	names_forget(self->n);
	EXPECT_EQ(2U, names_threads(self->n));
	EXPECT_STREQ(mine, written(self));
	names_forget(self->n);
	EXPECT_STREQ(mine, written(self));
	/* Remaining tasks are found, and later ones are new. */
	NOTE(NOBODY + 1, NOBODY + 1, "renamed");
	NOTE(NOBODY, NOBODY, "new");
	EXPECT_STREQ("p 5000001 [renamed]\n"
		     "t 5000001 [renamed] process=5000001\n"
		     "p 5000000 [new]\n"
		     "t 5000000 [new] process=5000000\n", finished(self));
}

TEST_F(names, who_comes_again_stays)
{
	NOTE(NOBODY, NOBODY, "a");
	names_forget(self->n);
	NOTE(NOBODY, NOBODY, "a");
	names_forget(self->n);
	EXPECT_EQ(1U, names_threads(self->n));
	proc_comm(self->dir, NOBODY, NOBODY, "a\n");
	names_forget(self->n);
	dir_remove(self->dir);
	names_forget(self->n);
	EXPECT_EQ(1U, names_threads(self->n));
	names_forget(self->n);
	EXPECT_EQ(0U, names_threads(self->n));
}

/* If /proc shows our own ids, only getpgid() is used. */
TEST_F(names, whose_proc)
{
	char path[RECORD_PATH + 8], pid[16];

	snprintf(path, sizeof(path), "%s/self", self->dir);
	snprintf(pid, sizeof(pid), "%u", getpid() + 1);
	proc_comm(self->dir, NOBODY, NOBODY, "a\n");
	NOTE(NOBODY, NOBODY, "a");
	ASSERT_EQ(0, symlink(pid, path));
	names_forget(self->n);
	names_forget(self->n);
	EXPECT_EQ(1U, names_threads(self->n));
	ASSERT_EQ(0, unlink(path));
	snprintf(pid, sizeof(pid), "%u", getpid());
	ASSERT_EQ(0, symlink(pid, path));
	names_forget(self->n);
	EXPECT_EQ(1U, names_threads(self->n));
	names_forget(self->n);
	EXPECT_EQ(0U, names_threads(self->n));
}

TEST_F(names, many_ended)
{
	char name[16];

	for (uint32_t i = 0; i < 5000; i++)
		NOTE(NOBODY + i, NOBODY + i, "x");
	for (uint32_t i = 0; i < 5000; i += 7)
		proc_comm(self->dir, NOBODY + i, NOBODY + i, "x\n");
	names_forget(self->n);
	names_forget(self->n);
	EXPECT_EQ(5000U / 7 + 1, names_threads(self->n));
	for (uint32_t i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "y%u", i);
		NOTE(NOBODY + i, NOBODY + i, name);
	}
	EXPECT_EQ(5000U, names_threads(self->n));
}
