// SPDX-License-Identifier: GPL-2.0-or-later
/* names.c - see names.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "../lib/fxt_writer.h"
#include "names.h"

/* One bit per id. */
struct id_set {
	uint64_t *words;
	size_t size;		/* in words */
	uint64_t count;
};

/* The processes whose name fills what the kernel keeps of it. */
struct id_list {
	uint32_t *ids;
	size_t count;
	size_t room;
};

struct names {
	struct fxt_writer *w;
	struct id_set threads;
	struct id_set processes;
	struct id_list cut;
};

int names_open(struct names **n, struct fxt_writer *w)
{
	*n = calloc(1, sizeof(**n));
	if (!*n)
		return -ENOMEM;
	(*n)->w = w;
	return 0;
}

void names_close(struct names *n)
{
	if (!n)
		return;
	free(n->threads.words);
	free(n->processes.words);
	free(n->cut.ids);
	free(n);
}

static bool set_has(const struct id_set *s, uint64_t id)
{
	return id / 64 < s->size && s->words[id / 64] >> id % 64 & 1;
}

static int set_add(struct id_set *s, uint64_t id)
{
	if (set_has(s, id))
		return 0;
	if (id / 64 >= s->size) {
		size_t size = id / 64 * 2 + 64;
		uint64_t *words = realloc(s->words, size * sizeof(*words));

		if (!words)
			return -ENOMEM;
		memset(words + s->size, 0, (size - s->size) * sizeof(*words));
		s->words = words;
		s->size = size;
	}
	s->words[id / 64] |= 1ULL << id % 64;
	s->count++;
	return 0;
}

static int list_add(struct id_list *l, uint32_t id)
{
	if (l->count == l->room) {
		size_t room = l->room * 2 + 64;
		uint32_t *ids = realloc(l->ids, room * sizeof(*ids));

		if (!ids)
			return -ENOMEM;
		l->ids = ids;
		l->room = room;
	}
	l->ids[l->count++] = id;
	return 0;
}

static int note_object(struct names *n, const uint64_t *rec)
{
	uint64_t name = fxt_get(FXT_KERNEL_OBJECT_NAME, rec[0]);

	switch (fxt_get(FXT_KERNEL_OBJECT_TYPE, rec[0])) {
	case FXT_OBJECT_THREAD:
		return set_add(&n->threads, (uint32_t)rec[1]);
	case FXT_OBJECT_PROCESS:
		if (name == fxt_string_ref_inline(FXT_SCHED_COMM_SIZE - 1) &&
		    list_add(&n->cut, rec[1]))
			return -ENOMEM;
		return set_add(&n->processes, (uint32_t)rec[1]);
	}
	return 0;
}

int names_note(struct names *n, const void *records, size_t bytes)
{
	const uint64_t *rec = records, *end = rec + bytes / FXT_WORD;
	uint64_t size;
	int ret = 0;

	for (; rec < end && !ret; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (!size || size > (uint64_t)(end - rec))
			return -EBADMSG;
		if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_KERNEL_OBJECT && size >= 2)
			ret = note_object(n, rec);
	}
	return ret;
}

int names_emit(void *arg, const void *records, size_t bytes)
{
	struct names *n = arg;
	int ret = names_note(n, records, bytes);

	return ret ? ret : fxt_writer_put(n->w, records, bytes);
}

/* Read a small file of /proc: its length, or -1 if the task is gone. */
static ssize_t read_proc(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, room - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

static int fill_thread(struct names *n, uint32_t pid, uint32_t tid)
{
	char path[64], text[FXT_SCHED_COMM_SIZE + 1];
	__u64 rec[FXT_SCHED_TASK_WORDS];
	struct fxt_sched_comm comm;
	__u32 words, records;
	ssize_t length;

	if (set_has(&n->threads, tid))
		return 0;
	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
	length = read_proc(path, text, sizeof(text));
	if (length <= 0)
		return 0;
	if (text[length - 1] == '\n')
		text[length - 1] = '\0';
	comm = fxt_sched_comm(text);
	words = fxt_sched_put_task(rec, tid, pid, &comm, &records);
	return names_emit(n, rec, words * sizeof(*rec));
}

static uint32_t number(const char *name)
{
	char *end;
	unsigned long n = strtoul(name, &end, 10);

	return *end ? 0 : n;
}

static int fill_process(struct names *n, uint32_t pid)
{
	char path[64];
	struct dirent *d;
	uint32_t tid;
	DIR *dir;
	int ret = 0;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir))) {
		tid = number(d->d_name);
		if (tid)
			ret = fill_thread(n, pid, tid);
	}
	closedir(dir);
	return ret;
}

int names_fill_gaps(struct names *n)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	uint32_t pid;
	int ret = 0;

	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir))) {
		pid = number(d->d_name);
		if (pid)
			ret = fill_process(n, pid);
	}
	closedir(dir);
	return ret;
}

/*
 * The first word of the command line, without its directories, if it begins
 * with what the kernel kept. Programs that write titles there do not pass.
 */
static const char *full_name(uint32_t pid, char *cmdline, size_t room)
{
	char path[64], comm[FXT_SCHED_COMM_SIZE + 1];
	const char *base;

	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	if (read_proc(path, comm, sizeof(comm)) != FXT_SCHED_COMM_SIZE)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/cmdline", pid);
	if (read_proc(path, cmdline, room) <= 0)
		return NULL;
	base = strrchr(cmdline, '/');
	base = base ? base + 1 : cmdline;
	if (strncmp(base, comm, FXT_SCHED_COMM_SIZE - 1) || strpbrk(base, " \t\n"))
		return NULL;
	return base;
}

/* Streams are UTF-8; a name that is none keeps its short form. */
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

int names_lengthen(struct names *n)
{
	char cmdline[512];
	const char *name;
	size_t i;
	int ret = 0;

	for (i = 0; i < n->cut.count && !ret; i++) {
		name = full_name(n->cut.ids[i], cmdline, sizeof(cmdline));
		if (name && is_utf8(name))
			ret = fxt_writer_process(n->w, n->cut.ids[i], name);
	}
	return ret;
}

uint64_t names_threads(const struct names *n)
{
	return n->threads.count;
}

uint64_t names_processes(const struct names *n)
{
	return n->processes.count;
}
