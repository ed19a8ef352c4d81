// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc.c - see proc.h.
 *
 * The links in /proc/PID/map_files lead to what is mapped, even if it was removed or replaced
 * since, or is in another mount namespace. Many processes map the same files, whose build ids
 * are read once, by other processes: a file that keeps one of them waiting costs the process that
 * has mapped it its names. The list itself is read by another process, too (texts.h).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fxt/fxt_sched_stack.h>

#include "proc.h"

#define WAIT_MS		1000	/* for the build ids of a process's files */
#define WAIT_IN_ALL_MS	5000

/* A file whose build id is known. */
struct known {
	struct map_node node;
	uint64_t device;
	uint64_t inode;
	struct elf_id id;
};

/* One line of /proc/PID/maps. */
struct line {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	char *path;
};

/**
 * struct proc - a walk
 * @texts: reads lists of mappings, and its server files
 * @pid: of the process, as a name in /proc
 * @known: files
 * @lines: of the process, @count of them, whose files are not all known
 * @places: files that are asked for at once, @asked of them
 * @end: CLOCK_MONOTONIC ns when no more is asked
 */
struct proc {
	struct images *im;
	struct texts *texts;
	const char *pid;
	struct map known;
	struct line *lines;
	size_t count;
	size_t room;
	struct elf_place places[ELF_IDS_MOST];
	size_t asked;
	uint64_t end;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct known *find_known(const struct proc *proc, uint64_t device, uint64_t inode)
{
	uint64_t hash = map_hash(device, inode);
	struct map_node *n;
	struct known *k;

	for (n = map_first(&proc->known, hash); n; n = map_next(n, hash)) {
		k = map_entry(n, struct known, node);
		if (k->device == device && k->inode == inode)
			return k;
	}
	return NULL;
}

static int note_known(struct proc *proc, const struct elf_place *place)
{
	struct known *k = find_known(proc, place->device, place->inode);

	if (k) {
		k->id = place->id;
		return 0;
	}
	k = calloc(1, sizeof(*k));
	if (!k || map_reserve(&proc->known)) {
		free(k);
		return -ENOMEM;
	}
	*k = (struct known){ .device = place->device, .inode = place->inode, .id = place->id };
	map_add(&proc->known, &k->node, map_hash(place->device, place->inode));
	return 0;
}

/* Ask for those that were gathered. A file without an answer has no build id. */
static int ask(struct proc *proc)
{
	uint64_t now = now_ns();
	size_t i;
	int ret = 0;

	for (i = 0; i < proc->asked; i++)
		proc->places[i].id.bytes = 0;
	if (proc->asked && proc->texts->server && now < proc->end)
		elf_server_ids(proc->texts->server, proc->places, proc->asked, WAIT_MS);
	for (i = 0; i < proc->asked && !ret; i++)
		ret = note_known(proc, &proc->places[i]);
	proc->asked = 0;
	return ret;
}

/* Without CAP_SYS_ADMIN the link cannot be opened, but the path can, if it is the same file. */
static int gather(struct proc *proc, const struct line *l)
{
	struct elf_place *place;
	size_t i;

	if (!l->inode || strlen(l->path) >= sizeof(place->path) ||
	    find_known(proc, l->device, l->inode))
		return 0;
	for (i = 0; i < proc->asked; i++)
		if (proc->places[i].device == l->device && proc->places[i].inode == l->inode)
			return 0;
	place = &proc->places[proc->asked++];
	snprintf(place->first, sizeof(place->first), "/proc/%.10s/map_files/%" PRIx64 "-%" PRIx64,
		 proc->pid, l->start, l->end);
	strcpy(place->path, l->path);
	place->device = l->device;
	place->inode = l->inode;
	return proc->asked == ELF_IDS_MOST ? ask(proc) : 0;
}

/* Return: false if it is not executable. */
static bool parse(char *text, struct line *l)
{
	static const char deleted[] = " (deleted)";
	unsigned int major, minor;
	char flags[5];
	size_t length;
	int at = 0;

	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &l->start,
		   &l->end, flags, &l->offset, &major, &minor, &l->inode, &at) < 7 || !at ||
	    flags[2] != 'x')
		return false;
	l->device = (uint64_t)major << 32 | minor;
	l->path = text + at;
	length = strcspn(l->path, "\n");
	if (length > sizeof(deleted) - 1 &&
	    !strncmp(l->path + length - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1))
		length -= sizeof(deleted) - 1;
	l->path[length] = '\0';
	return true;
}

static int add_line(struct proc *proc, const struct line *l)
{
	struct mapping m = {
		.kind = MAPPING_FILE, .start = l->start, .end = l->end, .offset = l->offset,
		.vaddr = FXT_SCHED_NO_VADDR,
	};
	const char *path = *l->path ? l->path : "//anon";
	const struct known *k = l->inode ? find_known(proc, l->device, l->inode) : NULL;
	const struct elf_id none = { .bytes = 0 };

	m.module = images_module(proc->im, path, strlen(path), k ? &k->id : &none);
	return m.module ? images_add(proc->im, strtoul(proc->pid, NULL, 10), &m) : -ENOMEM;
}

static int keep_line(struct proc *proc, const struct line *l)
{
	struct line *more;

	if (proc->count == proc->room) {
		more = reallocarray(proc->lines, proc->room ? 2 * proc->room : 64, sizeof(*more));
		if (!more)
			return -ENOMEM;
		proc->lines = more;
		proc->room = proc->room ? 2 * proc->room : 64;
	}
	proc->lines[proc->count] = *l;
	proc->lines[proc->count].path = strdup(l->path);
	if (!proc->lines[proc->count].path)
		return -ENOMEM;
	proc->count++;
	return 0;
}

static int take_line(void *arg, char *text)
{
	struct proc *proc = arg;
	struct line l;
	int ret;

	if (!parse(text, &l))
		return 0;
	ret = keep_line(proc, &l);
	return ret ? ret : gather(proc, &l);
}

/* All files of a process are asked for before its mappings are added. */
static int take_process(struct proc *proc, const char *pid)
{
	char path[64];
	size_t i;
	int ret;

	proc->pid = pid;
	snprintf(path, sizeof(path), "/proc/%.10s/maps", pid);
	ret = texts_lines(proc->texts, path, take_line, proc);
	/* It has ended, or keeps its list back. */
	ret = ret == -ENOMEM ? ret : ask(proc);
	for (i = 0; i < proc->count; i++) {
		if (!ret)
			ret = add_line(proc, &proc->lines[i]);
		free(proc->lines[i].path);
	}
	proc->count = 0;
	return ret;
}

static int take_all(struct proc *proc)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	while (dir && !ret && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			ret = take_process(proc, entry->d_name);
	if (dir)
		closedir(dir);
	return ret;
}

int proc_mappings(struct images *im, const struct source_filter *filter,
		  struct texts *texts)
{
	struct proc *proc = calloc(1, sizeof(*proc));
	struct map_node *n;
	unsigned int i;
	size_t from = 0;
	char pid[16];
	int ret = 0;

	if (!proc)
		return -ENOMEM;
	proc->im = im;
	proc->texts = texts;
	texts_begin(texts);
	proc->end = now_ns() + WAIT_IN_ALL_MS * 1000000ULL;
	if (!filter || !filter->pid_count)
		ret = take_all(proc);
	for (i = 0; filter && i < filter->pid_count && !ret; i++) {
		snprintf(pid, sizeof(pid), "%" PRIu32, filter->pids[i]);
		ret = take_process(proc, pid);
	}
	while ((n = map_take(&proc->known, &from)))
		free(map_entry(n, struct known, node));
	map_free(&proc->known);
	free(proc->lines);
	free(proc);
	return ret;
}
