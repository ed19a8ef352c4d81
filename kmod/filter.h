/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - which events are recorded.
 *
 * In:  the session's configuration; new and renamed threads. Out: yes or no for each switch
 * and wakeup, before anything is written or counted.
 *
 * Whether a thread matches by process and by name changes rarely and is needed at every
 * event, so the result is kept in struct fxt_task. It is kept as reasons for a refusal, so
 * that a thread without a slot (there was no memory for it) is recorded rather than
 * missed. An event's result is newer than that of the walk over all existing threads,
 * which therefore only fills in unknown ones. task_table.h says why that needs no lock.
 *
 * A thread's cgroup is looked up at each event, so that moves between cgroups need not be
 * followed.
 */
#ifndef FXT_KMOD_FILTER_H
#define FXT_KMOD_FILTER_H

#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <fxt/fxt_glob.h>

#include "task_table.h"

struct fxt_config;
struct fxt_pids;
struct fxt_reason;

/* struct fxt_task.refused */
#define FXT_REFUSED_PID		1U	/* its process is not in the filter */
#define FXT_REFUSED_COMM	2U	/* its name does not match */
#define FXT_REFUSED_ANY		(FXT_REFUSED_PID | FXT_REFUSED_COMM)
#define FXT_REFUSED_KNOWN	4U	/* the filter was evaluated; not a reason by itself */

/*
 * Which events a session records.
 *
 * The filter by CPU is in the streams: fxt_stream.cpu_traced.
 */
struct fxt_filter {
	bool active;		/* there is a filter of some kind */
	bool by_thread;		/* there is a filter of threads: by process, name or cgroup */
	bool by_comm;		/* there is a filter by name: it must match @comm */
	const struct fxt_pids *pids;	/* the processes, of the session's configuration */
	struct fxt_glob comm;	/* the pattern */
	/* a thread must be in it or below it; NULL for all. A reference is held */
	struct cgroup *cgroup;
};

int fxt_filter_open(struct fxt_filter *f, const struct fxt_config *config,
		    struct fxt_reason *reason);
void fxt_filter_close(struct fxt_filter *f);
void fxt_filter_populate(const struct fxt_filter *f, struct fxt_task_table *tasks);
void fxt_filter_new(const struct fxt_filter *f, struct fxt_task_table *tasks,
		    const struct task_struct *p);
void fxt_filter_rename(const struct fxt_filter *f, struct fxt_task_table *tasks,
		       const struct task_struct *p, const char *comm);

#ifdef CONFIG_CGROUPS

static __always_inline bool fxt_in_cgroup(struct task_struct *p, struct cgroup *cgroup)
{
	return cgroup_is_descendant(task_dfl_cgroup(p), cgroup);
}

#else

static __always_inline bool fxt_in_cgroup(struct task_struct *p, struct cgroup *cgroup)
{
	return true;
}

#endif

/*
 * Does a thread match? The idle threads do not match a filter of threads. Context: interrupts or
 * preemption disabled.
 */
static __always_inline bool fxt_filter_matches(const struct fxt_filter *f,
					       const struct fxt_task_table *tasks,
					       struct task_struct *p)
{
	const struct fxt_task *task;

	if (!f->by_thread)
		return true;
	task = fxt_task_find(tasks, p->pid);
	if (!p->pid || (task && READ_ONCE(task->refused) & FXT_REFUSED_ANY))
		return false;
	return !f->cgroup || fxt_in_cgroup(p, f->cgroup);
}

#endif /* FXT_KMOD_FILTER_H */
