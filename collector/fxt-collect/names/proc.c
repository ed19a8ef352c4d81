// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc.c - what /proc says of tasks.
 *
 * In: ids. Out: names of unnamed tasks, full names, command lines, cgroups. Tasks end at
 * any time, and mount options hide those of others: unreadable data is unknown, not an
 * error.
 *
 * No process can hold back its comm, stat or cgroup: the kernel takes spinlocks for them, and the
 * lock of all cgroups, but not that of the process's memory. It takes that for the command line,
 * so this is read elsewhere (texts.h).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libsym/texts.h"
#include "cgroup.h"
#include "proc.h"
#include "registry.h"
#include "text.h"

/* Sizes of paths below /proc, and of the files read. */
#define PATH_ROOM	256
#define TEXT_ROOM	16384
#define STAT_ROOM	512		/* for the first fields */

/* Read a small file of /proc, terminated. Return: its length, or -1 if the task has ended. */
static ssize_t read_at(int dir, const char *path, char *text, size_t room)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, room - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

static ssize_t read_of(const struct names *n, uint32_t id, const char *file, char *text,
		       size_t room)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%s/%u/%s", n->proc, id, file);
	return read_at(AT_FDCWD, path, text, room);
}

/* Return: as read_at() */
static ssize_t read_cmdline(const struct names *n, uint32_t id, char *text, size_t room)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%s/%u/cmdline", n->proc, id);
	return n->texts ? texts_read(n->texts, path, text, room) : -1;
}

/* --- who is there ----------------------------------------------------------------- */

bool names_fit_records(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == NAMES_INITIAL_PID_NAMESPACE;
}

void names_look_at_proc(struct names *n)
{
	char path[PATH_ROOM], target[16];
	ssize_t length;

	snprintf(path, sizeof(path), "%s/self", n->proc);
	length = readlink(path, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	n->proc_is_ours = atoi(target) == getpid();
}

/*
 * getpgid() works for threads of all users, also hidden ones, and is many times cheaper
 * than /proc. But in a container, /proc may be the host's.
 */
bool names_exists(const struct names *n, uint32_t id)
{
	char path[PATH_ROOM];

	if (getpgid(id) >= 0 || errno != ESRCH)
		return true;
	if (n->proc_is_ours)
		return false;
	snprintf(path, sizeof(path), "%s/%u", n->proc, id);
	return !access(path, F_OK);
}

/* "kworker/0:1-events" is the name of a kernel worker and its current work. */
static bool adds_to(const char *text, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(name, "kworker/", 8) && !strncmp(text, name, length) &&
	       (text[length] == '-' || text[length] == '+');
}

/*
 * The parent of a process, 0 if unknown. It is the second field after the name, which may
 * contain anything.
 */
static uint32_t ask_parent(int dir, uint32_t pid)
{
	char path[32], text[STAT_ROOM], *end;
	unsigned int parent;

	snprintf(path, sizeof(path), "%u/stat", pid);
	if (read_at(dir, path, text, sizeof(text)) <= 0)
		return 0;
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %u", &parent) == 1 ? parent : 0;
}

/* @dir: /proc/PID/task; @all: also threads with a name, which may have changed */
static int fill_thread(struct names *n, int dir, uint32_t pid, uint32_t tid, bool all)
{
	char path[32], text[FXT_SCHED_COMM_SIZE + 1];
	const struct task *known = names_find(n, tid);
	__u64 rec[FXT_SCHED_TASK_WORDS];
	struct fxt_sched_comm comm;
	__u32 words, records, parent = 0;
	ssize_t length;

	if (known && !all)
		return 0;
	snprintf(path, sizeof(path), "%u/comm", tid);
	length = read_at(dir, path, text, sizeof(text));
	if (length <= 0 || (known && adds_to(text, known->name)))
		return 0;
	if (text[length - 1] == '\n')
		text[length - 1] = '\0';
	/* For kernel workers, the file can be longer than a name; it is truncated. */
	comm = fxt_sched_comm(text);
	if (tid == pid && !(known && known->parent))
		parent = ask_parent(dir, pid);
	words = fxt_sched_put_task(rec, tid, pid, parent, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	return names_note(n, rec, words * sizeof(*rec));
}

/* Parse a thread id; 0 for other directory entries. */
static uint32_t number(const char *name)
{
	return strtoul(name, NULL, 10);
}

static int fill_process(struct names *n, uint32_t pid, bool all)
{
	char path[PATH_ROOM];
	struct dirent *d;
	uint32_t tid;
	DIR *dir;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/%u/task", n->proc, pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir))) {
		tid = number(d->d_name);
		if (tid)
			ret = fill_thread(n, dirfd(dir), pid, tid, all);
	}
	closedir(dir);
	return ret;
}

static int fill(struct names *n, bool all)
{
	DIR *dir = opendir(n->proc);
	struct dirent *d;
	uint32_t pid;
	int ret = 0;

	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir))) {
		pid = number(d->d_name);
		if (pid)
			ret = fill_process(n, pid, all);
	}
	closedir(dir);
	return ret;
}

int names_fill_gaps(struct names *n)
{
	return fill(n, false);
}

/* A /proc without this process is the host's. */
static bool has_other_ids(const struct names *n)
{
	char path[PATH_ROOM];
	struct stat st;

	snprintf(path, sizeof(path), "%s/self/ns/pid", n->proc);
	return !stat(path, &st) && st.st_ino != NAMES_INITIAL_PID_NAMESPACE;
}

int names_ask_proc(struct names *n)
{
	return has_other_ids(n) ? 0 : fill(n, true);
}

/* --- what they are ---------------------------------------------------------------- */

int names_ask_cgroup(const struct names *n, struct task *t)
{
	char text[TEXT_ROOM], *path, *cgroup;
	size_t length;

	if (read_of(n, t->id, "cgroup", text, sizeof(text)) <= 0)
		return 0;
	path = cgroup_of(text);
	if (!path || (t->cgroup && !strcmp(t->cgroup, path)))
		return 0;
	length = strlen(path);
	cgroup = malloc(length + 1);
	if (!cgroup)
		return -ENOMEM;
	clean_text(cgroup, length + 1, path, length);
	free(t->cgroup);
	t->cgroup = cgroup;
	return 0;
}

/* Strings must be UTF-8; an invalid name keeps its short form. */
static bool is_utf8(const char *text)
{
	size_t left = strlen(text);
	uint32_t n;

	for (; left; text += n, left -= n) {
		n = fxt_utf8_length((const unsigned char *)text, left);
		if (!n)
			return false;
	}
	return true;
}

bool names_ask_full(const struct names *n, const struct task *t, char *name)
{
	char text[TEXT_ROOM];
	struct fxt_sched_comm comm;
	const char *base;
	ssize_t length;

	/* Most names were not truncated and need no lookup. */
	if (strlen(t->name) < FXT_SCHED_COMM_SIZE - 1)
		return false;
	length = read_cmdline(n, t->id, text, sizeof(text));
	if (length <= 0 || strlen(text) == sizeof(text) - 1)
		return false;
	base = strrchr(text, '/');
	base = base ? base + 1 : text;
	comm = fxt_sched_comm(base);
	if (memcmp(comm.words, t->name, FXT_SCHED_COMM_SIZE) ||
	    strlen(base) >= NAMES_FULL_ROOM || strpbrk(base, " \t\n") || !is_utf8(base))
		return false;
	strcpy(name, base);
	return true;
}

bool names_ask_cmdline(const struct names *n, const struct task *t, char *name)
{
	/* Each one or two bytes read become at least one. */
	char text[4 * NAMES_CMDLINE_ROOM];
	ssize_t length = read_cmdline(n, t->id, text, sizeof(text)), i;

	/* Programs that write a title there pad it with zeros or blanks. */
	while (length > 0 && (!text[length - 1] || text[length - 1] == ' '))
		length--;
	if (length <= 0)
		return false;
	for (i = 0; i < length; i++)
		if (!text[i])
			text[i] = ' ';
	clean_text(name, NAMES_CMDLINE_ROOM, text, length);
	return true;
}
