/* SPDX-License-Identifier: GPL-2.0 */
/*
 * filter.h - which records are wanted.
 *
 * What flows in: the session's parameters, threads as they are born and renamed.
 * What flows out: yes or no for each switch and wakeup, before anything is
 * written or counted.
 *
 * Whether a thread matches by process and by name changes rarely and is asked
 * for all the time, so it is kept in struct fxt_sleeper: as reasons against it,
 * so that one of which nothing is known (there was no memory for its place) is
 * recorded rather than missed. What an event has stored is newer than what the walk
 * over all existing threads finds, which therefore only fills in what is not known
 * yet. See sleepers.h for why that needs no lock.
 *
 * A thread's cgroup is asked for at each event: moves between cgroups need not be
 * followed then.
 */
#ifndef FXT_KMOD_FILTER_H
#define FXT_KMOD_FILTER_H

#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/types.h>

#include <fxt/fxt_glob.h>

#include "sleepers.h"

struct fxt_session;

/* struct fxt_sleeper.refused */
#define FXT_REFUSED_PID		1U	/* of no process that is asked for */
#define FXT_REFUSED_COMM	2U	/* its name does not match */
#define FXT_REFUSED_ANY		(FXT_REFUSED_PID | FXT_REFUSED_COMM)
#define FXT_REFUSED_KNOWN	4U	/* it was judged; no reason by itself */

/**
 * struct fxt_filter - what a session records
 * @active: there is one of any kind
 * @by_thread: threads are asked for, by process, name or cgroup
 * @by_comm: by name: it must match @comm
 * @comm: the pattern
 * @cgroup: a thread must be in it or below it; NULL for all. A reference is held
 *
 * The CPUs are in the streams: fxt_stream.kept.
 */
struct fxt_filter {
	bool active;
	bool by_thread;
	bool by_comm;
	struct fxt_glob comm;
	struct cgroup *cgroup;
};

int fxt_filter_open(struct fxt_session *ss);
void fxt_filter_close(struct fxt_session *ss);
void fxt_filter_populate(struct fxt_session *ss);
void fxt_filter_new(struct fxt_session *ss, const struct task_struct *p);
void fxt_filter_rename(struct fxt_session *ss, const struct task_struct *p,
		       const char *comm);

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

/**
 * fxt_filter_matches() - does a thread match?
 * @f: the filter, by threads
 * @sleepers: the table
 * @p: the thread; the idle threads match nothing
 *
 * Context: irqs or preemption off.
 */
static __always_inline bool fxt_filter_matches(const struct fxt_filter *f,
					       struct fxt_sleepers *sleepers,
					       struct task_struct *p)
{
	const struct fxt_sleeper *sleeper = fxt_sleeper(sleepers, p->pid);

	if (!p->pid || (sleeper && READ_ONCE(sleeper->refused) & FXT_REFUSED_ANY))
		return false;
	return !f->cgroup || fxt_in_cgroup(p, f->cgroup);
}

#endif /* FXT_KMOD_FILTER_H */
