/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - which events are recorded.
 *
 * In:  the session's configuration; new and renamed threads.
 * Out: yes or no for each switch and wakeup, before anything is written or counted.
 *
 * Every event needs to know whether a thread matches by process and name, which rarely changes, so
 * struct fxt_task keeps the result. It keeps reasons for a refusal: a thread without a slot (no
 * memory) is then recorded rather than missed. The walk over all existing threads fills in unknown
 * results only, because those of events are newer. task_table.h says why this needs no lock.
 *
 * A thread's cgroup is looked up at each event, so moves between cgroups need not be followed.
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
#define FXT_REFUSED_KNOWN	4U	/* not a reason: the filter was evaluated */

/* The filter by CPU is elsewhere: fxt_stream.cpu_traced. */
struct fxt_filter {
	bool active;
	bool by_thread;		/* by process, name or cgroup */
	bool by_comm;		/* by name: @comm */
	const struct fxt_pids *pids;	/* in the session's configuration */
	struct fxt_glob comm;
	/* with a reference; a thread must be in it or below; NULL for all */
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

/* The idle threads match no filter of threads. Context: interrupts or preemption disabled. */
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
