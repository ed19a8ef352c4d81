/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.bpf.h - which switches and wakeups are recorded.
 *
 * A thread's process and name are evaluated when they can change: at its first wakeup and at
 * renames. A walk over all tasks evaluates existing threads. The table of threads has the results.
 * Cgroups are read at each event, because anyone can move a thread at any time.
 */
#ifndef BPF_FILTER_BPF_H
#define BPF_FILTER_BPF_H

#include <bpf/bpf_core_read.h>

#include "config.h"
#include "fxt/fxt_unknown.h"
#include "kernel_types.h"
#include "threads.bpf.h"

const volatile struct fxt_bpf_filter filter;

/* @comm may be longer than a comm; the kernel truncates it in the same way. */
static __always_inline bool name_matches(const volatile struct fxt_glob *pattern,
					 const char *comm)
{
	const struct fxt_glob *p = (const struct fxt_glob *)pattern;
	char name[FXT_SCHED_COMM_SIZE] = {};

	/* Hide the pattern from the compiler, which would otherwise assume that it has zeros. */
	barrier_var(p);
	bpf_probe_read_kernel_str(name, sizeof(name), comm);
	return fxt_glob_match(p, name);
}

/* --- evaluation: first wakeup, rename, the walk ------------------------------------- */

static __always_inline bool has_pid(__u32 tgid)
{
	__u32 i;

	for (i = 0; i < FXT_BPF_PIDS && i < filter.pid_count; i++)
		if (filter.pids[i] == tgid)
			return true;
	return false;
}

/*
 * Evaluate a new thread, at sched_wakeup_new; sched_process_fork does not fire for workers of
 * io_uring and vhost. The element still has the values of a dead thread with the same id. A new
 * process inherits by_pid from its creator, which is current; a new thread inherits it from the
 * leader of its process. The walk may not have reached that process or leader yet, so their process
 * ids are compared, too.
 */
static __always_inline void filter_new(struct task_struct *p)
{
	__u32 tid = p->pid, tgid = p->tgid;
	__u64 current = bpf_get_current_pid_tgid();
	struct thread *thread = find_thread(tid), *like;

	if (!thread)
		return;
	if (filter.by_pid) {
		like = find_thread(tid == tgid ? (__u32)current : tgid);
		thread->by_pid = (like && like->by_pid) ||
				 has_pid(tid == tgid ? current >> 32 : tgid);
	}
	if (filter.by_comm)
		thread->by_name = name_matches(&filter.comm, p->comm) ?
				  NAME_MATCHES : NAME_DIFFERS;
}

static __always_inline void filter_renamed(struct task_struct *p, const char *comm)
{
	struct thread *thread;

	if (!filter.by_comm)
		return;
	thread = find_thread(p->pid);
	if (thread)
		thread->by_name = name_matches(&filter.comm, comm) ?
				  NAME_MATCHES : NAME_DIFFERS;
}

/* It may be renamed at the same time. */
static __always_inline void filter_first(struct task_struct *p)
{
	struct thread *thread = find_thread(p->pid);

	if (!thread)
		return;
	if (filter.by_pid && has_pid(p->tgid))
		thread->by_pid = 1;
	if (filter.by_comm)
		thread->by_first_name = name_matches(&filter.comm, p->comm);
}

/* --- lookup: each event -------------------------------------------------------- */

/*
 * Is the cgroup that of the filter, or below it? Only the helper can read elements of a flexible
 * array.
 */
static __always_inline bool filter_has_cgroup(struct cgroup *cgroup, const bool direct)
{
	struct cgroup___old *old = (void *)cgroup;
	__u32 level = filter.cgroup_level;
	struct cgroup *ancestor = NULL;
	__u64 id = 0;

	if (READ(direct, cgroup, level) < (int)level)
		return false;
	if (bpf_core_field_exists(cgroup->ancestors)) {
		bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				      (void *)cgroup->ancestors +
				      level * sizeof(ancestor));
		id = BPF_CORE_READ(ancestor, kn, id);
	} else {
		bpf_probe_read_kernel(&id, sizeof(id), (void *)old->ancestor_ids +
				      level * sizeof(id));
	}
	return id == filter.cgroup_id;
}

static __always_inline bool is_in_cgroup(struct task_struct *p, const bool direct)
{
	return filter_has_cgroup(direct ? p->cgroups->dfl_cgrp :
					  BPF_CORE_READ(p, cgroups, dfl_cgrp), direct);
}

static __always_inline bool is_by_name(const struct thread *thread)
{
	if (thread->by_name == NAME_UNKNOWN)
		return thread->by_first_name;
	return thread->by_name == NAME_MATCHES;
}

/*
 * A thread that is not in the table may match. Its switches are recorded rather than missed, and
 * its wakeups count as lost, as without a filter.
 */
static __always_inline bool filter_has_thread(struct task_struct *p, const struct thread *thread,
					      const bool direct)
{
	if (filter.by_pid && thread && !thread->by_pid)
		return false;
	if (filter.by_comm && thread && !is_by_name(thread))
		return false;
	return !filter.by_cgroup || is_in_cgroup(p, direct);
}

/*
 * The mask bounds the CPU number for the verifier. A comparison would not if the compiler then uses
 * another copy of the number.
 */
static __always_inline bool filter_has_cpu(__u32 cpu)
{
	return !filter.by_cpu || filter.has_cpu[cpu & (FXT_BPF_CPUS - 1)];
}

/*
 * Which parts of a switch are recorded? @direct: both threads can be read with plain loads.
 *
 * Return: the parts; FXT_SCHED_KEPT_OUT if neither thread matches. Callers know whether the records
 * show the outgoing thread's run; if not, they record nothing.
 */
static __always_inline enum fxt_sched_kept
filter_keeps_switch(struct task_struct *prev, struct task_struct *next, const bool direct)
{
	if (!filter_has_cpu(bpf_get_smp_processor_id()))
		return FXT_SCHED_KEPT_NOT;
	if (!filter.threads ||
	    filter_has_thread(prev, find_thread(READ(direct, prev, pid)), direct))
		return FXT_SCHED_KEPT_ALL;
	if (filter_has_thread(next, find_thread(READ(direct, next, pid)), direct))
		return FXT_SCHED_KEPT_IN;
	return FXT_SCHED_KEPT_OUT;
}

/* Set WAKER_MATCHES if the waker is a thread that matches. */
static __always_inline __u32 filter_waker(__u32 waker)
{
	if (filter.threads && fxt_sched_waker_is_thread(waker) &&
	    filter_has_thread((void *)bpf_get_current_task(), find_thread(waker), PROBED))
		waker |= WAKER_MATCHES;
	return waker;
}

/*
 * Is a wakeup recorded? @thread: the element of @p, or NULL. @waker: filter_waker() when the waker
 * was current. @cpu: the CPU whose run queue @p was put on.
 *
 * Return: FXT_SCHED_KEPT_NOT, FXT_SCHED_KEPT_ALL, or FXT_SCHED_KEPT_OUT if only the waker matches.
 */
static __always_inline enum fxt_sched_kept
filter_keeps_wakeup(struct task_struct *p, const struct thread *thread, __u32 waker,
		    __u32 cpu)
{
	if (!filter_has_cpu(cpu))
		return FXT_SCHED_KEPT_NOT;
	if (!filter.threads || filter_has_thread(p, thread, DIRECT))
		return FXT_SCHED_KEPT_ALL;
	return waker & WAKER_MATCHES ? FXT_SCHED_KEPT_OUT : FXT_SCHED_KEPT_NOT;
}

#endif /* BPF_FILTER_BPF_H */
