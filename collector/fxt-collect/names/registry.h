/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registry.h - the table of tasks and of their names.
 */
#ifndef FXT_COLLECT_NAMES_REGISTRY_H
#define FXT_COLLECT_NAMES_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "names.h"

/**
 * struct task - a thread; the main thread stands for its process, too
 * @id: thread id
 * @process: process id; the main thread's is its own
 * @name: as the record had it, terminated
 * @cgroup: of a process that was asked under this name; NULL if unknown
 * @folded: ticks, of when it was found to have that name, of which no record tells; or 0
 * @written: thread and process are in the archive under this name
 * @cgroup_written: and the process with this cgroup
 * @since: ticks, of its fork, or when it was found
 * @is_forked: a record told of its fork
 * @is_later: its id was another one's before
 * @ended: the last names_forget() found it nowhere
 */
struct task {
	uint32_t id;
	uint32_t process;
	char name[FXT_SCHED_COMM_SIZE];
	char *cgroup;
	uint64_t since;
	bool is_forked;
	bool is_later;
	uint64_t folded;
	bool written;
	bool cgroup_written;
	bool ended;
};

/**
 * struct names - the registry
 * @options: what names look like
 * @proc: where /proc is mounted
 * @proc_is_ours: it shows our own pid namespace
 * @tasks: all tasks, in the order in which their ids were first seen
 * @count: of them
 * @room: for them
 * @slots: hash table of indices into @tasks, each plus 1; 0 is free
 * @slot_bits: it has 1 << slot_bits of them
 * @found: how many of @tasks names_found() has seen
 * @catch_up: as given to names_catch_up()
 * @prepared: names_prepare() was called, and names_write() not yet
 * @tell: as given to names_on_event(), NULL without; @tell_arg is for it
 * @content: the record that is being written
 */
struct names {
	struct names_options options;
	const char *proc;
	bool proc_is_ours;
	struct task *tasks;
	size_t count;
	size_t room;
	uint32_t *slots;
	unsigned int slot_bits;
	size_t found;
	uint64_t catch_up;
	bool prepared;
	int (*tell)(void *arg, const struct names_event *e);
	void *tell_arg;
	struct fxt_content content;
};

static inline bool task_is_process(const struct task *t)
{
	return t->id == t->process;
}

/** names_find() - the task of this id, or NULL */
struct task *names_find(const struct names *n, uint32_t id);

/**
 * names_keep() - shorten the registry to some of its tasks
 * @n: the registry; the first @count of @tasks are those to keep, in their order
 * @count: how many
 */
void names_keep(struct names *n, size_t count);

#endif /* FXT_COLLECT_NAMES_REGISTRY_H */
