// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc.c - see proc.h.
 *
 * Tasks end at any time, and mount options hide those of others: unreadable data is unknown, not an
 * error.
 *
 * No process can delay reading its comm, stat or cgroup: the kernel takes spinlocks for them, and
 * the lock of all cgroups, but not the lock of the process's memory. It takes that for the command
 * line, which is therefore read elsewhere (texts.h).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libsym/texts.h"
#include "proc.h"

/* --- text ------------------------------------------------------------------------------- */

/* Length of the character at the head of @s if it is printable, else 0. */
static uint32_t shown_length(const unsigned char *s, size_t bytes)
{
	uint32_t length = fxt_utf8_length(s, bytes);

	if (length == 1 && (s[0] < 0x20 || s[0] == 0x7f))
		return 0;
	/* U+0080 to U+009F */
	if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0)
		return 0;
	return length;
}

void clean_text(char *to, size_t room, const char *from, size_t bytes)
{
	const unsigned char *s = (const unsigned char *)from;
	size_t used = 0, i, n;
	uint32_t length;

	for (i = 0; i < bytes; i += n) {
		length = shown_length(s + i, bytes - i);
		n = length ? length : 1;
		if (used + n >= room)
			break;
		if (length)
			memcpy(to + used, s + i, n);
		else
			to[used] = '?';
		used += n;
	}
	to[used] = '\0';
}

/* --- the CPUs that a thread may run on -------------------------------------------------- */

/*
 * sched_getaffinity(2) works for threads of all users, and is many times cheaper than /proc.
 * The kernel omits CPUs that are offline.
 */

unsigned int affinity_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 && names_fit_records() ? cpus : 0;
}

static bool is_in(const cpu_set_t *set, unsigned int cpu)
{
	return cpu < AFFINITY_CPUS && CPU_ISSET_S(cpu, AFFINITY_CPUS / 8, set);
}

void affinity_print(const cpu_set_t *set, char *list)
{
	const char *comma = "";
	unsigned int cpu, last;

	*list = '\0';
	for (cpu = 0; cpu < AFFINITY_CPUS; cpu = last + 1) {
		last = cpu;
		if (!is_in(set, cpu))
			continue;
		while (is_in(set, last + 1))
			last++;
		list += sprintf(list, "%s%u", comma, cpu);
		if (last > cpu)
			list += sprintf(list, "-%u", last);
		comma = ",";
	}
}

bool affinity_list(uint32_t thread, unsigned int cpus, char *list)
{
	cpu_set_t set[AFFINITY_CPUS / CPU_SETSIZE];
	unsigned int count;

	/* Id 0 would be the calling thread. */
	if (!cpus || !thread || sched_getaffinity(thread, sizeof(set), set))
		return false;
	count = CPU_COUNT_S(sizeof(set), set);
	if (!count || count >= cpus)
		return false;
	affinity_print(set, list);
	return true;
}

/* --- cgroups ---------------------------------------------------------------------------- */

/* Paths of cgroups, and labels that distinguish them. */

/* Appended by the kernel to the path of a removed cgroup that still has a zombie. */
#define DELETED		" (deleted)"

/* --- /proc/PID/cgroup ------------------------------------------------------------- */

/* "number:controllers:path" of v1, "0::path" of v2. */
struct line {
	char *controllers;
	char *path;
};

/* Remove one whole line from the head of *@text. */
static bool next_line(char **text, struct line *l)
{
	static const size_t deleted = sizeof(DELETED) - 1;
	char *end = strchr(*text, '\n'), *colon;

	if (!end)
		return false;
	*end = '\0';
	colon = strchr(*text, ':');
	l->controllers = colon ? colon + 1 : end;
	colon = strchr(l->controllers, ':');
	l->path = colon ? colon + 1 : end;
	if (colon)
		*colon = '\0';
	*text = end + 1;
	if ((size_t)(end - l->path) > deleted && !strcmp(end - deleted, DELETED))
		*(end - deleted) = '\0';
	return true;
}

/*
 * Rank of a line. Where v1 is in use, all processes are often in the root of v2, and in the root of
 * unused controllers. The CPU controller's path is that of throttled cgroups.
 */
enum worth {
	NO_PATH,
	ROOT,
	SOME_V1,
	SYSTEMD_V1,
	V2,
	CPU_V1,
};

/* Is it the line of the CPU controller: "2:cpu,cpuacct:/path"? */
static bool has_cpu(const char *controllers)
{
	static const char cpu[] = "cpu";
	const size_t length = sizeof(cpu) - 1;
	const char *end;

	for (;; controllers = end + 1) {
		end = controllers + strcspn(controllers, ",");
		if (end - controllers == length && !memcmp(controllers, cpu, length))
			return true;
		if (!*end)
			return false;
	}
}

static enum worth worth_of(const struct line *l)
{
	if (l->path[0] != '/')
		return NO_PATH;
	if (!l->path[1])
		return ROOT;
	if (!*l->controllers)
		return V2;
	if (has_cpu(l->controllers))
		return CPU_V1;
	return strcmp(l->controllers, "name=systemd") ? SOME_V1 : SYSTEMD_V1;
}

char *cgroup_of(char *text)
{
	enum worth worth, best_worth = NO_PATH;
	char *best = NULL;
	struct line l;

	while (next_line(&text, &l)) {
		worth = worth_of(&l);
		if (worth > best_worth ||
		    (worth == SOME_V1 && best_worth == SOME_V1 &&
		     strlen(l.path) > strlen(best))) {
			best = l.path;
			best_worth = worth;
		}
	}
	return best;
}

/* --- components ------------------------------------------------------------------- */

int cgroup_compare(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b);

	while (i && j) {
		i--;
		j--;
		if (a[i] != b[j])
			return (unsigned char)a[i] < (unsigned char)b[j] ? -1 : 1;
	}
	return i ? 1 : j ? -1 : 0;
}

/* Each component begins with a slash. */
size_t cgroup_common(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), components = 0;

	while (i && j && a[i - 1] == b[j - 1]) {
		i--;
		j--;
		components += a[i] == '/';
	}
	return components;
}

void cgroup_label(const char *cgroup, size_t skip, char *label)
{
	size_t end = strlen(cgroup), begin;

	for (;; end = begin - 1) {
		for (begin = end; begin && cgroup[begin - 1] != '/'; begin--)
			;
		if (!skip-- || !begin)
			break;
	}
	clean_text(label, NAMES_LABEL_ROOM, cgroup + begin, end - begin);
	if (!*label)
		strcpy(label, "/");
}

/* --- tasks ------------------------------------------------------------------------------ */

/* The inode number of /proc/self/ns/pid there, since Linux 3.8 (PROC_PID_INIT_INO). */
#define NAMES_INITIAL_PID_NAMESPACE	0xeffffffcU

/* Sizes of paths below /proc, and of the files read. */
#define PATH_ROOM	256
#define TEXT_ROOM	16384
#define STAT_ROOM	512		/* for the first fields */

/* Read a small file of /proc, terminated. Return: its length, or -1 if the task has ended */
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

static ssize_t read_cmdline(const struct names *n, uint32_t id, char *text, size_t room)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%s/%u/cmdline", n->proc, id);
	return n->texts ? texts_read(n->texts, path, text, room) : -1;
}

/* --- which tasks exist ----------------------------------------------------------------- */

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
 * getpgid() works for threads of all users, also hidden ones, and is many times cheaper than /proc.
 * But in a container, /proc may be the host's.
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

/* The second field after the name, which may contain anything. Return: 0 if it is unknown */
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

/* 0 for directory entries that are not threads. */
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

static int fill_names(struct names *n, bool all)
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
	return fill_names(n, false);
}

/* A /proc that lacks this process is the host's. */
static bool has_other_ids(const struct names *n)
{
	char path[PATH_ROOM];
	struct stat st;

	snprintf(path, sizeof(path), "%s/self/ns/pid", n->proc);
	return !stat(path, &st) && st.st_ino != NAMES_INITIAL_PID_NAMESPACE;
}

int names_ask_proc(struct names *n)
{
	return has_other_ids(n) ? 0 : fill_names(n, true);
}

/* --- names of tasks ---------------------------------------------------------------- */

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
	/* One or two bytes read become at least one. */
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
