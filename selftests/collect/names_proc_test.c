// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names from /proc: gaps, full names, command lines, cgroups; from an artificial /proc with
 * contents as kernels and programs produce them, and once from the real one.
 */
#include <pthread.h>

#include "names/proc.h"
#include "names_fixture.h"

#define P	NOBODY
#define PS	"5000000"

/* The name that names_finish() adds for process P with this command line. */
#define EXPECT_BETTER(comm, cmdline, expected) do {				\
	ASSERT_EQ(0, reopen(self));						\
	NOTE(P, P, comm);							\
	PROC(P, "cmdline", cmdline);						\
	EXPECT_STRNE("failed", written(self));					\
	EXPECT_STREQ(expected, finished(self));					\
} while (0)

/* --- gaps ------------------------------------------------------------------------- */

TEST_F(names, gaps_are_filled)
{
	NOTE(P, P, "named");
	proc_comm(self->dir, P, P, "not asked\n");
	proc_comm(self->dir, P, P + 1, "thread\n");
	proc_bytes(self->dir, "self/task/17/comm", "no number\n", 10);
	proc_bytes(self->dir, "5000002/task/5000002/stat", "no comm", 7);
	proc_bytes(self->dir, "5000003/task/5000003/comm", "", 0);
	proc_bytes(self->dir, "5000004/stat", "no tasks", 8);
	proc_bytes(self->dir, "uptime", "1", 1);
	EXPECT_EQ(0, names_fill_gaps(self->n));
	EXPECT_STREQ("p " PS " [named]\nt " PS " [named] process=" PS "\n"
		     "t 5000001 [thread] process=" PS "\n", written(self));
	EXPECT_STREQ("", finished(self));
	/* A later task is not in the archive. */
	proc_comm(self->dir, P, P + 2, "later\n");
	EXPECT_EQ(0, names_fill_gaps(self->n));
	EXPECT_STREQ("t 5000002 [later] process=" PS "\n", finished(self));
}

TEST_F(names, everybody_is_asked)
{
	NOTE(P, P, "before");
	NOTE(P + 1, P, "stays");
	NOTE(P + 2, P, "gone");
	NOTE(P + 3, P, "kworker/0:1");
	NOTE(P + 4, P, "kworker/0:2");
	NOTE(P + 5, P, "kworker/u16:0-x");
	EXPECT_STRNE("", written(self));
	proc_comm(self->dir, P, P, "after\n");
	proc_comm(self->dir, P, P + 1, "stays\n");
	proc_comm(self->dir, P, P + 3, "kworker/0:1-events\n");
	proc_comm(self->dir, P, P + 4, "kworker/0:2+mm_percpu_wq\n");
	proc_comm(self->dir, P, P + 5, "kworker/u16:0-x-events_unbound\n");
	proc_comm(self->dir, P, P + 6, "new\n");
	EXPECT_EQ(0, names_ask_proc(self->n));
	EXPECT_STREQ("p " PS " [after]\nt " PS " [after] process=" PS "\n"
		     "t 5000006 [new] process=" PS "\n", finished(self));
}

/* Ids of another pid namespace would name other tasks. */
TEST_F(names, nobody_is_asked_in_a_container)
{
	NOTE(P, P, "before");
	EXPECT_STRNE("", written(self));
	proc_bytes(self->dir, "self/ns/pid", "", 0);
	proc_comm(self->dir, P, P, "after\n");
	EXPECT_EQ(0, names_ask_proc(self->n));
	EXPECT_STREQ("", finished(self));
}

/* One task of this comm, filled in. */
#define EXPECT_GAP(comm, name) do {						\
	ASSERT_EQ(0, reopen(self));						\
	proc_comm(self->dir, P, P, comm);					\
	ASSERT_EQ(0, names_fill_gaps(self->n));					\
	EXPECT_STREQ("p " PS " [" name "]\nt " PS " [" name "] process=" PS "\n", \
		     written(self));						\
} while (0)

TEST_F(names, names_of_gaps)
{
	EXPECT_GAP("kworker/0:1H-events_highpri\n", "kworker/0:1H-ev");
	EXPECT_GAP("fifteen bytes 1\n", "fifteen bytes 1");
	EXPECT_GAP("no line end", "no line end");
	EXPECT_GAP("a\nb\n", "a\nb");
	EXPECT_GAP("\n", "");
	EXPECT_GAP("\xff\xc3\xa4\xe2\x82\n", "?\xc3\xa4??");
	/* The kernel truncates in the middle of a character. */
	EXPECT_GAP("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\n",
		   "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4?");
}

TEST_F(names, no_proc)
{
	self->o = (struct names_options){ .cmdline = true, .cgroups = true };
	ASSERT_EQ(0, reopen(self));
	dir_remove(self->dir);
	EXPECT_EQ(0, names_fill_gaps(self->n));
	NOTE(P, P, "fifteen bytes 1");
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("", finished(self));
}

/* --- full names ------------------------------------------------------------------- */

TEST_F(names, full_names)
{
	EXPECT_BETTER("systemd-network", "/usr/lib/systemd/systemd-networkd\0--x\0",
		      "p " PS " [systemd-networkd]\n");
	EXPECT_BETTER("systemd-network", "systemd-networkd", "p " PS " [systemd-networkd]\n");
	/* Nothing was truncated. */
	EXPECT_BETTER("fifteen-bytes-1", "/bin/fifteen-bytes-1\0", "");
	EXPECT_BETTER("systemd", "/lib/systemd/systemd-networkd\0", "");
	/* Another program, a title, invalid text, nothing. */
	EXPECT_BETTER("systemd-network", "/usr/bin/python3\0/bin/systemd-networkd\0", "");
	EXPECT_BETTER("systemd-network", "/usr/bin/another-program-of-a-long-name\0", "");
	EXPECT_BETTER("systemd-network", "systemd-networkd: idle\0", "");
	EXPECT_BETTER("systemd-network", "systemd-network\xff\xff\0", "");
	EXPECT_BETTER("systemd-network", "", "");
	EXPECT_BETTER("systemd-network", "/\0", "");
	/* Truncated in the middle of a character, which the full name completes. */
	EXPECT_BETTER("abcdefghijklmn\xc3", "/abcdefghijklmn\xc3\xa4z\0",
		      "p " PS " [abcdefghijklmn\xc3\xa4z]\n");
}

TEST_F(names, full_names_of_any_length)
{
	char path[20000], line[300];

	memset(path, 'x', sizeof(path));
	for (size_t i = 0; i + 256 < sizeof(path); i += 100)
		path[i] = '/';
	/* A file name of 255 bytes, and one that is too long. */
	path[sizeof(path) - 257] = '/';
	path[sizeof(path) - 1] = '\0';
	NOTE(P, P, "xxxxxxxxxxxxxxx");
	proc_file(self->dir, P, "cmdline", path + 19000, 1000);
	EXPECT_STRNE("failed", written(self));
	snprintf(line, sizeof(line), "p " PS " [%s]\n", path + sizeof(path) - 256);
	EXPECT_STREQ(line, finished(self));

	path[sizeof(path) - 257] = 'x';
	proc_file(self->dir, P, "cmdline", path + 19600, 400);
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("", finished(self));

	/* The end of the first word was not read. */
	memset(path, 'x', sizeof(path));
	path[16350] = '/';
	proc_file(self->dir, P, "cmdline", path, sizeof(path));
	EXPECT_STREQ("", finished(self));
}

TEST_F(names, processes_only)
{
	NOTE(P + 1, P, "systemd-network");
	PROC(P + 1, "cmdline", "systemd-networkd\0");
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("", finished(self));
}

/* --- command lines ---------------------------------------------------------------- */

#define TEN	"0123456789"
#define HUNDRED	TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

TEST_F(names, command_lines)
{
	self->o.cmdline = true;
	EXPECT_BETTER("python3", "/usr/bin/python3\0-m\0http.server\0",
		      "p " PS " [/usr/bin/python3 -m http.server]\n");
	EXPECT_BETTER("nginx", "nginx: worker process\0\0\0\0\0",
		      "p " PS " [nginx: worker process]\n");
	EXPECT_BETTER("postgres", "postgres: writer   ", "p " PS " [postgres: writer]\n");
	EXPECT_BETTER("sh", "sh\0-c\0\0a\0", "p " PS " [sh -c  a]\n");
	EXPECT_BETTER("sh", "sh\0-c\0one\ntwo\t\x1b[1m\x7f", "p " PS " [sh -c one?two??[1m?]\n");
	EXPECT_BETTER("sh", "sh\0\xc2\x80|\xc2\x9f|\xc2\xa0|\xc3\xa4",
		      "p " PS " [sh ??|??|\xc2\xa0|\xc3\xa4]\n");
	EXPECT_BETTER("sh", "sh\0\xff\xe2\x82|\xed\xa0\x80\0", "p " PS " [sh ???|???]\n");
	/* Kernel threads and zombies have none. */
	EXPECT_BETTER("kthreadd", "", "");
	EXPECT_BETTER("kthreadd", "\0\0 \0", "");
	/* The command line is equal to the name. */
	EXPECT_BETTER("cat", "cat\0", "");
}

TEST_F(names, command_lines_are_cut)
{
	self->o.cmdline = true;
	EXPECT_BETTER("x", HUNDRED TEN TEN "12345678", "p " PS " [" HUNDRED TEN TEN "12345678]\n");
	EXPECT_BETTER("x", HUNDRED TEN TEN "123456789", "p " PS " [" HUNDRED TEN TEN "12345678]\n");
	EXPECT_BETTER("x", HUNDRED TEN TEN "123456\xc3\xa4",
		      "p " PS " [" HUNDRED TEN TEN "123456\xc3\xa4]\n");
	EXPECT_BETTER("x", HUNDRED TEN TEN "1234567\xc3\xa4",
		      "p " PS " [" HUNDRED TEN TEN "1234567]\n");
	EXPECT_BETTER("x", HUNDRED TEN TEN "12345\xf0\x9f\x98\x80",
		      "p " PS " [" HUNDRED TEN TEN "12345]\n");
	EXPECT_BETTER("x", HUNDRED TEN TEN "1234567\xff\0" HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED,
		      "p " PS " [" HUNDRED TEN TEN "1234567?]\n");
}

/* --- cgroups ---------------------------------------------------------------------- */

/* The cgroup written for process P with this /proc/P/cgroup. */
#define EXPECT_CGROUP(text, expected) do {					\
	ASSERT_EQ(0, reopen(self));						\
	NOTE(P, P, "a");							\
	PROC(P, "cgroup", text);						\
	EXPECT_STREQ("p " PS " [a]" expected "\nt " PS " [a] process=" PS "\n",	\
		     written(self));						\
	EXPECT_STREQ("", finished(self));					\
} while (0)

TEST_F(names, cgroups)
{
	self->o.cgroups = true;
	EXPECT_CGROUP("0::/system.slice/cron.service\n", " cgroup=/system.slice/cron.service");
	EXPECT_CGROUP("0::/\n", " cgroup=/");
	EXPECT_CGROUP("0::/a (deleted)\n", " cgroup=/a");
	EXPECT_CGROUP("0::/a: b:c\n", " cgroup=/a: b:c");
	EXPECT_CGROUP("0::/../neighbour\n", " cgroup=/../neighbour");
	EXPECT_CGROUP("0::/a\xff\x01\n", " cgroup=/a??");
	/* Version 1: systemd's own, else the longest. */
	EXPECT_CGROUP("4:memory:/much/longer\n2:cpu,cpuacct:/x\n1:name=systemd:/s\n", " cgroup=/x");
	EXPECT_CGROUP("4:memory:/m\n3:pids:/the/longest\n2:cpuacct,cpu:/x\n1:name=systemd:/\n0::/v2\n",
		      " cgroup=/x");
	EXPECT_CGROUP("4:memory:/much/longer\n2:cpu,cpuacct:/\n1:name=systemd:/s\n", " cgroup=/s");
	EXPECT_CGROUP("4:memory:/m\n3:cpuset:/the/longest\n2:cpuacct:/x\n1:name=systemd:/\n",
		      " cgroup=/the/longest");
	EXPECT_CGROUP("4:memory:/first\n3:pids:/other\n", " cgroup=/first");
	EXPECT_CGROUP("4:memory:/\n1:name=systemd:/\n", " cgroup=/");
	/* Both: v2, unless it is the root. */
	EXPECT_CGROUP("4:memory:/much/longer\n1:name=systemd:/s\n0::/v2\n", " cgroup=/v2");
	EXPECT_CGROUP("4:memory:/m/n\n1:name=systemd:/s\n0::/\n", " cgroup=/s");
	EXPECT_CGROUP("4:memory:/m/n\n1:name=systemd:/\n0::/\n", " cgroup=/m/n");
	EXPECT_CGROUP("", "");
	EXPECT_CGROUP("0::/no end", "");
	EXPECT_CGROUP("0\n0:\n0::\n0::a\n\n:::\n", "");
	EXPECT_CGROUP("1:a:/x\n0::/cut", " cgroup=/x");
	self->o.cgroups = false;
	EXPECT_CGROUP("0::/a\n", "");
}

TEST_F(names, a_long_cgroup)
{
	char text[4096] = "0::", line[8192];
	size_t i;

	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	for (i = strlen(text); i < sizeof(text) - 2; i++)
		text[i] = i % 100 == 3 ? '/' : 'g';
	text[i] = '\n';
	proc_file(self->dir, P, "cgroup", text, i + 1);
	NOTE(P, P, "a");
	text[i] = '\0';
	snprintf(line, sizeof(line), "p " PS " [a] cgroup=%s\n", text + 3);
	EXPECT_EQ(0, strncmp(written(self), line, strlen(line)));
}

TEST_F(names, cgroups_of_those_that_came)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "old");
	NOTE(P + 1, P, "thread");
	PROC(P, "cgroup", "0::/a\n");
	PROC(P + 1, "cgroup", "0::/threads are not asked\n");
	EXPECT_STREQ("p " PS " [old] cgroup=/a\nt " PS " [old] process=" PS "\n"
		     "t 5000001 [thread] process=" PS "\n", written(self));
	EXPECT_EQ(NULL, names_find(self->n, P + 1)->cgroup);
	/*
	 * New processes, in the archive or not; a renamed one; a moved one, which only the next
	 * archive shows.
	 */
	CHUNK(P + 2, P + 2, "told");
	NOTE(P + 3, P + 3, "untold");
	CHUNK(P + 4, P + 4, "gone");
	PROC(P, "cgroup", "0::/moved\n");
	PROC(P + 2, "cgroup", "0::/b\n");
	PROC(P + 3, "cgroup", "0::/c\n");
	EXPECT_STREQ("p 5000003 [untold] cgroup=/c\n"
		     "t 5000003 [untold] process=5000003\n"
		     "p 5000002 [told] cgroup=/b\n", finished(self));
	EXPECT_STREQ("", finished(self));
	CHUNK(P, P, "renamed");
	EXPECT_STREQ("p " PS " [renamed] cgroup=/moved\n", finished(self));
	EXPECT_STREQ("", finished(self));
	PROC(P, "cgroup", "0::/again\n");
	EXPECT_STREQ("", finished(self));
	EXPECT_IN(written(self), "p " PS " [renamed] cgroup=/again\n");
}

static int note_move(struct names *n, uint32_t id, uint32_t process, bool alone, uint32_t what,
		     const char *path)
{
	const struct fxt_sched_attach a = {
		.tid = id, .tgid = process, .alone = alone, .event = { what, 1000 }, .path = path,
		.bytes = *path ? strlen(path) : FXT_SCHED_PATH_SIZE,
	};
	const char name[FXT_SCHED_COMM_SIZE] = "moved";
	struct fxt_sched_comm comm = fxt_sched_comm(name);
	__u64 rec[FXT_SCHED_ATTACH_WORDS];
	__u32 records;

	return names_noted_in_archive(n, rec, fxt_sched_put_attach(rec, &a, &comm, &records) *
				      FXT_WORD);
}

#define MOVE(id, process, alone, what, path) \
	ASSERT_EQ(0, note_move(self->n, id, process, alone, FXT_STR_##what, path))

/* Threads stay where their main thread leaves them. */
TEST_F(names, cgroups_of_those_that_stay)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "moved");
	NOTE(P + 1, P, "stays");
	PROC(P, "cgroup", "0::/a\n");
	EXPECT_STRNE("failed", written(self));
	MOVE(P, P, true, ATTACH, "/b");
	EXPECT_STREQ("", finished(self));
	PROC(P, "cgroup", "0::/b\n");
	EXPECT_STREQ("p " PS " [moved] cgroup=/b\nt " PS " [moved] process=" PS "\n"
		     "t 5000001 [stays] process=" PS " cgroup=/a\n", written(self));
	MOVE(P, P, false, ATTACH, "/c");
	EXPECT_IN(written(self), "t 5000001 [stays] process=" PS "\n");
}

/* A thread whose cgroup has no path keeps that state with another name, until it is looked up. */
TEST_F(names, cgroup_of_a_renamed_thread)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "main");
	EXPECT_STRNE("failed", written(self));
	MOVE(P + 1, P, true, ATTACH, "");
	CHUNK(P + 1, P, "renamed");
	EXPECT_IN(written(self), "t 5000001 [renamed] process=" PS " cgroup=\n");
	PROC(P + 1, "cgroup", "0::/a\n");
	EXPECT_STREQ("t 5000001 [renamed] process=" PS " cgroup=/a\n", finished(self));
	EXPECT_STREQ("", finished(self));
	CHUNK(P + 1, P, "again");
	EXPECT_IN(written(self), "t 5000001 [again] process=" PS " cgroup=/a\n");
}

/* A process that began elsewhere than its parent, and has ended. */
TEST_F(names, unknown_cgroup_of_a_process)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	MOVE(P, P, false, FORK, "");
	EXPECT_IN(written(self), "p " PS " [moved] cgroup=\n");
}

TEST_F(names, the_cgroup_of_one_that_is_gone)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "a");
	PROC(P, "cgroup", "0::/a\n");
	EXPECT_STRNE("failed", written(self));
	dir_remove(self->dir);
	EXPECT_STREQ("", finished(self));
	NOTE(P, P, "a");
	EXPECT_STREQ("p " PS " [a] cgroup=/a\nt " PS " [a] process=" PS "\n", written(self));
	/* Another process gets the id: with another name, or after the first one has ended. */
	CHUNK(P, P, "b");
	EXPECT_STREQ("", finished(self));
	EXPECT_STREQ("p " PS " [b]\nt " PS " [b] process=" PS "\n", written(self));
	PROC(P, "cgroup", "0::/b\n");
	EXPECT_STREQ("p " PS " [b] cgroup=/b\n", finished(self));
	dir_remove(self->dir);
	names_forget(self->n);
	EXPECT_STREQ("p " PS " [b] cgroup=/b\nt " PS " [b] process=" PS "\n", written(self));
	NOTE(P, P, "b");
	EXPECT_STREQ("p " PS " [b]\nt " PS " [b] process=" PS "\n", written(self));
}

/* --- shared names ----------------------------------------------------------------- */

/* Processes P, P + 1 and so on with these names and cgroups; NULL-terminated. */
static int add_processes(FIXTURE_DATA(names) *self, const char *const (*p)[2])
{
	char text[512];
	int ret = reopen(self);

	for (uint32_t id = P; (*p)[0] && !ret; id++, p++) {
		ret = note_one(self->n, id, id, (*p)[0]);
		proc_file(self->dir, id, "stat", "alive", 5);
		if (!(*p)[1])
			continue;
		snprintf(text, sizeof(text), "0::%s\n", (*p)[1]);
		proc_file(self->dir, id, "cgroup", text, strlen(text));
	}
	return ret || !strcmp(written(self), "failed");
}

#define EXPECT_SHARED(expected, ...) do {					\
	static const char * const processes[][2] = { __VA_ARGS__, { NULL, NULL } }; \
										\
	dir_remove(self->dir);							\
	ASSERT_EQ(0, add_processes(self, processes));				\
	EXPECT_STREQ(expected, finished(self));					\
} while (0)

TEST_F(names, shared_names)
{
	self->o.cgroups = true;
	EXPECT_SHARED("p 5000000 [sh [a]] cgroup=/a\n"
		      "p 5000001 [sh [b]] cgroup=/b\n", { "sh", "/a" }, { "sh", "/b" });
	/* There is nothing to distinguish if only one cgroup is known for a name. */
	EXPECT_SHARED("", { "sh", "/a" }, { "sh", "/a" }, { "sh", NULL }, { "bash", "/b" });
	/* Several in each; others are unchanged. */
	EXPECT_SHARED("p 5000001 [sh [a]] cgroup=/a\n"
		      "p 5000004 [sh [a]] cgroup=/a\n"
		      "p 5000002 [sh [b]] cgroup=/x/b\n",
		      { "a", "/a" }, { "sh", "/a" }, { "sh", "/x/b" }, { "sh", NULL },
		      { "sh", "/a" }, { "z", "/b" });
	/* The root has no last component, and neither has what is left of the shorter path. */
	EXPECT_SHARED("p 5000001 [sh [/]] cgroup=/\n"
		      "p 5000000 [sh [a]] cgroup=/a\n", { "sh", "/a" }, { "sh", "/" });
	EXPECT_SHARED("p 5000000 [sh [/]] cgroup=/init\n"
		      "p 5000001 [sh [a]] cgroup=/a/init\n",
		      { "sh", "/init" }, { "sh", "/a/init" });
}

TEST_F(names, the_component_that_tells_them_apart)
{
	self->o.cgroups = true;
	EXPECT_SHARED("p 5000000 [sh [a]] cgroup=/a/init\n"
		      "p 5000001 [sh [b]] cgroup=/b/init\n",
		      { "sh", "/a/init" }, { "sh", "/b/init" });
	/* The same bytes at the end are not the same component. */
	EXPECT_SHARED("p 5000000 [sh [init]] cgroup=/a/init\n"
		      "p 5000001 [sh [xinit]] cgroup=/a/xinit\n",
		      { "sh", "/a/init" }, { "sh", "/a/xinit" });
	EXPECT_SHARED("p 5000001 [sh [main]] cgroup=/x/a/main\n"
		      "p 5000000 [sh [a]] cgroup=/x/a/init\n"
		      "p 5000002 [sh [b]] cgroup=/x/b/init\n",
		      { "sh", "/x/a/init" }, { "sh", "/x/a/main" }, { "sh", "/x/b/init" });
	EXPECT_SHARED("p 5000001 [sh [one]] cgroup=/one/a/init\n"
		      "p 5000000 [sh [two]] cgroup=/two/a/init\n"
		      "p 5000002 [sh [b]] cgroup=/two/b/init\n",
		      { "sh", "/two/a/init" }, { "sh", "/one/a/init" }, { "sh", "/two/b/init" });
	/* At most 24 bytes, whole characters. */
	EXPECT_SHARED("p 5000000 [sh [docker-0123456789abcdef0]]"
		      " cgroup=/docker-" TEN "abcdef0123.scope\n"
		      "p 5000001 [sh [docker-0123456789abcdef]]"
		      " cgroup=/docker-" TEN "abcdef\xc3\xa4.scope\n",
		      { "sh", "/docker-" TEN "abcdef0123.scope" },
		      { "sh", "/docker-" TEN "abcdef\xc3\xa4.scope" });
}

/* Ended processes are in the archive as well. */
TEST_F(names, shared_with_one_that_is_gone)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "sh");
	PROC(P, "cgroup", "0::/a\n");
	EXPECT_STRNE("failed", written(self));
	dir_remove(self->dir);
	CHUNK(P + 1, P + 1, "sh");
	PROC(P + 1, "cgroup", "0::/b\n");
	EXPECT_STREQ("p " PS " [sh [a]] cgroup=/a\np 5000001 [sh [b]] cgroup=/b\n", finished(self));
}

/* Displayed names are compared, not the kernel's. */
TEST_F(names, shared_better_names)
{
	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	NOTE(P, P, "systemd-network");
	NOTE(P + 1, P + 1, "systemd-network");
	NOTE(P + 2, P + 2, "systemd-network");
	PROC(P, "cmdline", "/lib/systemd-networkd\0");
	PROC(P, "cgroup", "0::/a\n");
	PROC(P + 1, "cgroup", "0::/b\n");
	PROC(P + 2, "cmdline", "/bin/systemd-networkd\0x\0");
	PROC(P + 2, "cgroup", "0::/c\n");
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("p " PS " [systemd-networkd [a]] cgroup=/a\n"
		     "p 5000002 [systemd-networkd [c]] cgroup=/c\n", finished(self));

	self->o.cmdline = true;
	EXPECT_SHARED("p 5000000 [sh [a]] cgroup=/a\n"
		      "p 5000001 [sh [b]] cgroup=/b\n", { "sh", "/a" }, { "sh", "/b" });
	PROC(P + 1, "cmdline", HUNDRED HUNDRED);
	PROC(P, "cmdline", HUNDRED HUNDRED "x");
	EXPECT_STREQ("p " PS " [" HUNDRED TEN TEN "01234567 [a]] cgroup=/a\n"
		     "p 5000001 [" HUNDRED TEN TEN "01234567 [b]] cgroup=/b\n", finished(self));
	PROC(P, "cmdline", "x\0");
	EXPECT_STREQ("p 5000001 [" HUNDRED TEN TEN "01234567] cgroup=/b\n"
		     "p " PS " [x] cgroup=/a\n", finished(self));
}

/* --- the real /proc --------------------------------------------------------------- */

struct thread {
	pthread_barrier_t barrier;
	pid_t tid;
};

static void *be_there(void *arg)
{
	struct thread *t = arg;

	prctl(PR_SET_NAME, "names_test_2");
	t->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&t->barrier);
	pthread_barrier_wait(&t->barrier);
	return NULL;
}

TEST_F(names, of_this_process)
{
	char line[512], text[16384], *path;
	const char *all;
	struct thread t;
	pthread_t thread;
	FILE *f;

	self->o.cgroups = true;
	ASSERT_EQ(0, reopen(self));
	self->n->proc = "/proc";
	prctl(PR_SET_NAME, "names_test_1");
	pthread_barrier_init(&t.barrier, NULL, 2);
	ASSERT_EQ(0, pthread_create(&thread, NULL, be_there, &t));
	pthread_barrier_wait(&t.barrier);
	EXPECT_EQ(0, names_fill_gaps(self->n));
	all = written(self);
	pthread_barrier_wait(&t.barrier);
	pthread_join(thread, NULL);

	f = fopen("/proc/self/cgroup", "r");
	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	path = cgroup_of(text);
	snprintf(line, sizeof(line), "p %u [names_test_1]%s%.400s\n", getpid(),
		 path ? " cgroup=" : "", path ? path : "");
	EXPECT_IN(all, line);
	snprintf(line, sizeof(line), "t %u [names_test_2] process=%u\n", t.tid, getpid());
	EXPECT_IN(all, line);
	EXPECT_LE(2U, names_threads(self->n));
	EXPECT_STRNE("failed", finished(self));
	names_forget(self->n);
	names_forget(self->n);
	EXPECT_NE(NULL, names_find(self->n, getpid()));
	EXPECT_EQ(NULL, names_find(self->n, t.tid));
}

/* --- processes that keep their command lines back ------------------------------------ */

#define SILENT	20	/* processes: more than are waited for */

/* As /proc/PID/cmdline of a process whose memory is locked: a FIFO that nobody writes to. */
static int keep_back(const char *dir, uint32_t id)
{
	char path[2 * RECORD_PATH];

	proc_file(dir, id, "stat", "", 0);
	snprintf(path, sizeof(path), "%s/%u/cmdline", dir, id);
	return mkfifo(path, 0600);
}

/* If the registry waited for them, the timeout would end the test. */
TEST_F(names, command_lines_that_do_not_come)
{
	NOTE(P, P, "systemd-network");
	PROC(P, "cmdline", "/lib/systemd-networkd\0");
	NOTE(P + 1, P + 1, "systemd-network");
	ASSERT_EQ(0, keep_back(self->dir, P + 1));
	NOTE(P + 2, P + 2, "systemd-network");
	PROC(P + 2, "cmdline", "/lib/systemd-networkd2\0");
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("p " PS " [systemd-networkd]\np 5000002 [systemd-networkd2]\n",
		     finished(self));
	EXPECT_EQ(1U, self->texts.late);
	for (uint32_t i = 10; i < 10 + SILENT; i++) {
		NOTE(P + i, P + i, "systemd-network");
		ASSERT_EQ(0, keep_back(self->dir, P + i));
	}
	EXPECT_STRNE("failed", written(self));
	EXPECT_STREQ("p " PS " [systemd-networkd]\np 5000002 [systemd-networkd2]\n",
		     finished(self));
	EXPECT_EQ(2U + SILENT, self->texts.late);
}
