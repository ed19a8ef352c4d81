/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registry.h - the table of tasks and of their names. */
#ifndef FXT_COLLECT_NAMES_REGISTRY_H
#define FXT_COLLECT_NAMES_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "names.h"

/* A thread; the main thread also represents its process. */
struct task {
	struct map_node node;
	uint32_t id;
	uint32_t process;	/* the main thread's is its own id */
	uint32_t parent;	/* of its process, the first known; 0: unknown, or no main thread */
	char name[FXT_SCHED_COMM_SIZE];
	char *cgroup;		/* of its process, or its own if it @is_apart; NULL if unknown */
	struct fxt_sched_sight sight;	/* when the recording began, if it has a letter */
	uint64_t since;		/* ticks of its fork, or when it was found */
	bool is_forked;		/* its fork has a record */
	bool is_later;		/* another thread had the id before */
	uint64_t folded;	/* ticks when a rundown found this name, which has no record; or 0 */
	bool is_apart;		/* no main thread, and in another cgroup than that */
	bool is_elsewhere;	/* not where its process or parent is, even if unknown */
	bool has_apart;		/* a main thread; others of its process may be in other cgroups */
	bool written;		/* the archive has the thread and the process with this name */
	bool cgroup_written;	/* and the process, or @is_apart, with this cgroup */
	bool ended;		/* it had ended when names_forget() was called last */
};

struct names {
	struct names_options options;
	const char *proc;	/* mount point of /proc */
	struct texts *texts;	/* reads command lines, NULL for none */
	bool proc_is_ours;	/* it shows our own pid namespace */
	struct map tasks;	/* by their ids */
	struct task *found;	/* the last one that names_found() has marked, by first sight */
	uint64_t catch_up;	/* as given to names_catch_up() */
	bool prepared;		/* names_prepare() was called, and names_write() not since */
	int (*on_event)(void *arg, const struct names_event *e);
	void *on_event_arg;
	unsigned int cpus;	/* affinity_cpus(), when an archive was begun */
	struct fxt_content content;	/* the record being written */
};

static inline bool task_is_process(const struct task *t)
{
	return t->id == t->process;
}

/* In the order in which they were seen; NULL at the end. */
static inline struct task *names_first(const struct names *n)
{
	return n->tasks.oldest ? map_entry(n->tasks.oldest, struct task, node) : NULL;
}

static inline struct task *names_next(const struct task *t)
{
	return t->node.newer ? map_entry(t->node.newer, struct task, node) : NULL;
}

struct task *names_find(const struct names *n, uint32_t id);

void names_drop(struct names *n, struct task *t);

#endif /* FXT_COLLECT_NAMES_REGISTRY_H */
