// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * proc.c - see proc.h.
 *
 * The links in /proc/PID/map_files lead to what is mapped, even if it was removed or replaced
 * since, or is in another mount namespace. Many processes map the same files, whose build ids
 * are read once.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched_stack.h>

#include "proc.h"

/* A file whose build id is known. */
struct known {
	struct map_node node;
	uint64_t device;
	uint64_t inode;
	struct elf_id id;
};

struct proc {
	struct images *im;
	struct map known;
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

/* Without CAP_SYS_ADMIN the link cannot be opened, but the path can, if it is the same file. */
static int open_mapped(const char *pid, const struct line *l)
{
	struct stat st;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%" PRIx64 "-%" PRIx64, pid, l->start,
		 l->end);
	fd = elf_open_regular(path);
	if (fd >= 0)
		return fd;
	fd = elf_open_regular(l->path);
	if (fd < 0 || (!fstat(fd, &st) && st.st_ino == l->inode))
		return fd;
	close(fd);
	return -1;
}

static int id_of(struct proc *proc, const char *pid, const struct line *l, struct elf_id *id)
{
	uint64_t hash = map_hash(l->device, l->inode);
	struct map_node *n;
	struct known *k;
	int fd;

	for (n = map_first(&proc->known, hash); n; n = map_next(n, hash)) {
		k = map_entry(n, struct known, node);
		if (k->device == l->device && k->inode == l->inode) {
			*id = k->id;
			return 0;
		}
	}
	id->bytes = 0;
	fd = open_mapped(pid, l);
	if (fd < 0)
		return 0;
	elf_read_id(fd, id);
	close(fd);
	k = calloc(1, sizeof(*k));
	if (!k || map_reserve(&proc->known)) {
		free(k);
		return -ENOMEM;
	}
	*k = (struct known){ .device = l->device, .inode = l->inode, .id = *id };
	map_add(&proc->known, &k->node, hash);
	return 0;
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

static int take_line(struct proc *proc, const char *pid, const struct line *l)
{
	struct mapping m = {
		.kind = MAPPING_FILE, .start = l->start, .end = l->end, .offset = l->offset,
		.vaddr = FXT_SCHED_NO_VADDR,
	};
	const char *path = *l->path ? l->path : "//anon";
	struct elf_id id = { .bytes = 0 };
	int ret = l->inode ? id_of(proc, pid, l, &id) : 0;

	if (ret)
		return ret;
	m.module = images_module(proc->im, path, strlen(path), &id);
	return m.module ? images_add(proc->im, strtoul(pid, NULL, 10), &m) : -ENOMEM;
}

static int take_process(struct proc *proc, const char *pid)
{
	char path[64], *text = NULL;
	size_t size = 0;
	struct line l;
	int ret = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (!ret && getline(&text, &size, f) > 0)
		if (parse(text, &l))
			ret = take_line(proc, pid, &l);
	free(text);
	fclose(f);
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

int proc_mappings(struct images *im, const struct source_filter *filter)
{
	struct proc proc = { .im = im };
	struct map_node *n;
	unsigned int i;
	size_t from = 0;
	char pid[16];
	int ret = 0;

	if (!filter || !filter->pid_count)
		ret = take_all(&proc);
	for (i = 0; filter && i < filter->pid_count && !ret; i++) {
		snprintf(pid, sizeof(pid), "%" PRIu32, filter->pids[i]);
		ret = take_process(&proc, pid);
	}
	while ((n = map_take(&proc.known, &from)))
		free(map_entry(n, struct known, node));
	map_free(&proc.known);
	return ret;
}
