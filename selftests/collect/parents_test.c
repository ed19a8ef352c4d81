// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parents of processes and the CPUs of threads: a process keeps its first known parent as long as
 * it lives.
 */
#include "archive/task_events.h"
#include "names/proc.h"
#include "names_fixture.h"

#define P	NOBODY
#define PS	"5000000"

/* @what, @time: as in struct fxt_sched_event */
static int note_child(FIXTURE_DATA(names) *self, uint32_t id, uint32_t parent,
		      const char *name, uint32_t what, uint64_t time)
{
	char text[FXT_SCHED_COMM_SIZE] = "";
	struct fxt_sched_comm comm;
	__u64 rec[FXT_SCHED_TASK_WORDS];
	__u32 words, records;

	snprintf(text, sizeof(text), "%s", name);
	comm = fxt_sched_comm(text);
	words = fxt_sched_put_task(rec, id, id, parent, &comm,
				   (struct fxt_sched_event){ what, time }, &records);
	return names_note(self->n, rec, words * FXT_WORD);
}

#define CHILD(id, parent, name, what, time) \
	ASSERT_EQ(0, note_child(self, id, parent, name, what, time))

TEST_F(names, parents)
{
	CHILD(P, 1, "found", 0, 0);
	CHILD(P + 1, P, "born", FXT_STR_FORK, 5);
	CHILD(P + 2, 0, "orphan", FXT_STR_FORK, 6);
	EXPECT_STREQ("p " PS " [found]\nt " PS " [found] process=" PS " parent=1\n"
		     "p 5000001 [born]\n"
		     "t 5000001 [born] process=5000001 parent=" PS " fork=5\n"
		     "p 5000002 [orphan]\n"
		     "t 5000002 [orphan] process=5000002 fork=6\n", written(self));
}

/* When its parent ends, a process gets another one, which the records of renames name. */
TEST_F(names, the_first_parent_stays)
{
	CHILD(P, P + 7, "sh", FXT_STR_FORK, 5);
	CHILD(P, 1, "ls", FXT_STR_RENAME, 6);
	CHILD(P, 1, "ls", FXT_STR_EXEC, 7);
	CHILD(P, 1, "ls", 0, 0);
	CHILD(P, 0, "cat", FXT_STR_RENAME, 8);
	EXPECT_STREQ("p " PS " [cat]\nt " PS " [cat] process=" PS " parent=5000007 fork=5\n",
		     written(self));
}

TEST_F(names, a_parent_that_is_known_later)
{
	NOTE(P, P, "sh");
	CHILD(P, 0, "ls", FXT_STR_RENAME, 6);
	CHILD(P, 1, "ls", 0, 0);
	NOTE(P + 1, P + 1, "sh");
	CHILD(P + 1, 2, "ls", FXT_STR_EXEC, 7);
	EXPECT_STREQ("p " PS " [ls]\nt " PS " [ls] process=" PS " parent=1\n"
		     "p 5000001 [ls]\nt 5000001 [ls] process=5000001 parent=2\n", written(self));
}

/*
 * An id belongs to another process after a fork, after its process was found ended, or if a thread
 * had it before.
 */
TEST_F(names, another_process_has_another_parent)
{
	CHILD(P, P + 7, "same", FXT_STR_FORK, 5);
	CHILD(P, P + 8, "same", FXT_STR_FORK, 6);
	CHILD(P + 1, P + 7, "same", 0, 0);
	NOTE(P + 2, P, "same");
	names_forget(self->n);
	CHILD(P + 1, P + 8, "same", 0, 0);
	CHILD(P + 2, P + 8, "same", 0, 0);
	EXPECT_STREQ("p " PS " [same]\nt " PS " [same] process=" PS " parent=5000008 fork=6\n"
		     "p 5000001 [same]\nt 5000001 [same] process=5000001 parent=5000008\n"
		     "p 5000002 [same]\nt 5000002 [same] process=5000002 parent=5000008\n",
		     written(self));
}

static int add_life(void *arg, const struct names_event *e)
{
	return task_events_add(arg, e);
}

/* The archive names the former process of the id, with its own parent. */
TEST_F(names, parents_of_former_processes)
{
	struct task_events l = { .count = 0 };

	names_on_event(self->n, add_life, &l);
	CHILD(P, 7, "old", FXT_STR_FORK, 5);
	CHILD(P, 8, "new", FXT_STR_FORK, 6);
	archive_begin(self);
	EXPECT_EQ(0, reuses_write_names(&l, self->w, 0));
	EXPECT_STREQ("p " PS " [old]\nt " PS " [old] process=" PS " parent=7 fork=5\n",
		     archive_text(self));
	task_events_free(&l);
}

TEST_F(names, not_parents)
{
	const uint64_t ref = fxt_string_ref_inline(1), process = fxt_arg_koid(2, FXT_STR_PROCESS);
	const __u64 others[][8] = {
		{ fxt_kernel_object(6, FXT_OBJECT_THREAD, ref, 2), P, 'a', process, P,
		  fxt_arg_koid(2, FXT_STR_PARENT) },
		{ fxt_kernel_object(7, FXT_OBJECT_THREAD, ref, 2), P, 'a', process, P,
		  fxt_arg_koid(2, FXT_STR_PARENT), 1ULL << 32 },
		{ fxt_kernel_object(7, FXT_OBJECT_THREAD, ref, 2), P, 'a', process, P,
		  fxt_arg_uint64(2, FXT_STR_PARENT), 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		EXPECT_EQ(0, names_note(self->n, others[i],
					fxt_get(FXT_SIZE, others[i][0]) * FXT_WORD));
	EXPECT_STREQ("p " PS " [a]\nt " PS " [a] process=" PS "\n", written(self));
}

#define STAT(id, text) \
	proc_bytes(self->dir, id "/task/" id "/stat", text, sizeof(text) - 1)

/* The name in the file may be anything; a thread has the parent of its process. */
TEST_F(names, parents_in_proc)
{
	proc_comm(self->dir, P, P, "a) S 9 (b\n");
	STAT(PS, PS " (a) S 9 (b) S 1 5000000 5000000 0 -1 4194560");
	proc_comm(self->dir, P, P + 1, "thread\n");
	proc_comm(self->dir, P + 2, P + 2, "cut\n");
	STAT("5000002", "5000002 (cut) S");
	proc_comm(self->dir, P + 3, P + 3, "hidden\n");
	proc_comm(self->dir, P + 4, P + 4, "init\n");
	STAT("5000004", "5000004 (init) S 0 1 1");
	EXPECT_EQ(0, names_fill_gaps(self->n));
	EXPECT_IN(written(self), " process=" PS " parent=1\n");
	EXPECT_IN(self->text, "[thread] process=" PS "\n");
	EXPECT_IN(self->text, "[cut] process=5000002\n");
	EXPECT_IN(self->text, "[hidden] process=5000003\n");
	EXPECT_IN(self->text, "[init] process=5000004\n");
}

/*
 * If a process was found before, the record of its fork may have been lost, so it gets the parent
 * in /proc.
 */
TEST_F(names, first_parents_and_proc)
{
	CHILD(P, 7, "known", FXT_STR_FORK, 5);
	NOTE(P + 1, P + 1, "found");
	proc_comm(self->dir, P, P, "known\n");
	STAT(PS, PS " (known) S 1 0 0");
	proc_comm(self->dir, P + 1, P + 1, "found\n");
	STAT("5000001", "5000001 (found) S 1 0 0");
	EXPECT_EQ(0, names_ask_proc(self->n));
	EXPECT_STREQ("p " PS " [known]\nt " PS " [known] process=" PS " parent=7 fork=5\n"
		     "p 5000001 [found]\nt 5000001 [found] process=5000001 parent=1\n",
		     written(self));
}

static const char *list_of(const unsigned int *cpus, size_t count)
{
	static char list[AFFINITY_LIST_ROOM];
	cpu_set_t set[AFFINITY_CPUS / CPU_SETSIZE];

	memset(set, 0, sizeof(set));
	for (size_t i = 0; i < count; i++)
		CPU_SET_S(cpus[i], sizeof(set), set);
	affinity_print(set, list);
	return list;
}

#define LIST(...) \
	list_of((unsigned int[]){ __VA_ARGS__ }, ARRAY_SIZE(((unsigned int[]){ __VA_ARGS__ })))

TEST(lists_of_cpus)
{
	static unsigned int every_second[AFFINITY_CPUS / 2];

	EXPECT_STREQ("0", LIST(0));
	EXPECT_STREQ("0-3,8", LIST(0, 1, 2, 3, 8));
	EXPECT_STREQ("1-2,63-64,1023-1024", LIST(1, 2, 63, 64, 1023, 1024));
	EXPECT_STREQ("7,8191", LIST(7, AFFINITY_CPUS - 1));
	EXPECT_STREQ("", list_of(NULL, 0));
	for (unsigned int i = 0; i < AFFINITY_CPUS / 2; i++)
		every_second[i] = 2 * i + 1;
	EXPECT_GT((size_t)AFFINITY_LIST_ROOM, strlen(list_of(every_second, AFFINITY_CPUS / 2)));
}

/* A thread that may run on all CPUs, one that may not, and one that has ended. */
TEST_F(names, cpus_of_threads)
{
	char expected[256];
	cpu_set_t set;
	pid_t pid;
	int cpu;

	ASSERT_EQ(0, sched_getaffinity(0, sizeof(set), &set));
	if (affinity_cpus() < 2 || CPU_COUNT(&set) != (int)affinity_cpus())
		SKIP(return, "one CPU, or another pid namespace than the first");
	pid = fork();
	while (!pid)
		pause();
	ASSERT_LT(0, pid);
	NOTE(pid, pid, "child");
	NOTE(NOBODY, pid, "ended");
	EXPECT_NOT_IN(written(self), "cpus");
	for (cpu = 0; !CPU_ISSET(cpu, &set); cpu++)
		;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	EXPECT_EQ(0, sched_setaffinity(pid, sizeof(set), &set));
	snprintf(expected, sizeof(expected),
		 "p %d [child]\nt %d [child] process=%d cpus=%d\nt %u [ended] process=%d\n",
		 pid, pid, pid, cpu, NOBODY, pid);
	EXPECT_STREQ(expected, written(self));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	EXPECT_NOT_IN(written(self), "cpus");
	/* Id 0 is no thread, although the kernel takes it for the caller. */
	NOTE(0, 0, "idle");
	EXPECT_NOT_IN(written(self), "cpus");
}
