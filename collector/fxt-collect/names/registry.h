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
#include "libfxt/map.h"
#include "names.h"

/**
 * struct task - a thread; the main thread also represents its process
 * @node: in the table
 * @id: thread id
 * @process: process id; the main thread's is its own
 * @parent: parent of the process, the first one known; 0 if unknown, or no main thread
 * @name: its name, terminated
 * @cgroup: cgroup of the process; NULL if unknown
 * @sight: what it did when the recording began, if it has a letter
 * @folded: ticks when a rundown found this name, which has no record; or 0
 * @written: the archive has the thread and the process with this name
 * @cgroup_written: and the process with this cgroup
 * @since: ticks of its fork, or when it was found
 * @is_forked: its fork has a record
 * @is_later: another thread had the id before
 * @ended: it had ended when names_forget() was called last
 */
struct task {
	struct map_node node;
	uint32_t id;
	uint32_t process;
	uint32_t parent;
	char name[FXT_SCHED_COMM_SIZE];
	char *cgroup;
	struct fxt_sched_sight sight;
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
 * @options: how tasks are named
 * @proc: mount point of /proc
 * @texts: reads command lines, NULL for none
 * @proc_is_ours: it shows our own pid namespace
 * @tasks: all tasks by their ids
 * @found: the last one that names_found() has marked, of those in the order of first sight
 * @catch_up: as given to names_catch_up()
 * @prepared: names_prepare() was called, and names_write() not since
 * @on_event: see names_on_event(), NULL without; @on_event_arg is its argument
 * @cpus: affinity_cpus(), when an archive was begun
 * @content: the record being written
 */
struct names {
	struct names_options options;
	const char *proc;
	struct texts *texts;
	bool proc_is_ours;
	struct map tasks;
	struct task *found;
	uint64_t catch_up;
	bool prepared;
	int (*on_event)(void *arg, const struct names_event *e);
	void *on_event_arg;
	unsigned int cpus;
	struct fxt_content content;
};

static inline bool task_is_process(const struct task *t)
{
	return t->id == t->process;
}

/** names_first() - the task that was seen first; NULL if there is none */
static inline struct task *names_first(const struct names *n)
{
	return n->tasks.oldest ? map_entry(n->tasks.oldest, struct task, node) : NULL;
}

/** names_next() - the task that was seen next; NULL after the last one */
static inline struct task *names_next(const struct task *t)
{
	return t->node.newer ? map_entry(t->node.newer, struct task, node) : NULL;
}

/** names_find() - the task of this id, or NULL */
struct task *names_find(const struct names *n, uint32_t id);

/** names_drop() - remove a task */
void names_drop(struct names *n, struct task *t);

#endif /* FXT_COLLECT_NAMES_REGISTRY_H */
