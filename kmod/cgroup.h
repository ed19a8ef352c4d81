/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroup.h - which cgroup of a thread is recorded.
 *
 * It is the thread's cgroup of the CPU controller of version 1, unless that is the root; otherwise
 * that of version 2. A process has the cgroup of its main thread. bpf/ has the same functions.
 */
#ifndef FXT_KMOD_CGROUP_H
#define FXT_KMOD_CGROUP_H

#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/* Context of the functions up to fxt_cgroup_changes(): rcu_read_lock() is held. */
static inline struct cgroup *fxt_cgroup_v2(const struct task_struct *p)
{
	return task_css_set_check(p, true)->dfl_cgrp;
}

static inline struct cgroup *fxt_cgroup_cpu(const struct task_struct *p)
{
#ifdef CONFIG_CGROUP_SCHED
	return task_css_check(p, cpu_cgrp_id, true)->cgroup;
#else
	return fxt_cgroup_v2(p);
#endif
}

/* NULL: the thread is in both roots. Another controller of version 1 may have one. */
static inline struct cgroup *fxt_cgroup(const struct task_struct *p)
{
	struct cgroup *v2 = fxt_cgroup_v2(p), *cpu = fxt_cgroup_cpu(p);

	if (cpu->root == v2->root)
		return v2;
	return cpu->level ? cpu : v2->level ? v2 : NULL;
}

/* Does a move to @to in one hierarchy change the recorded cgroup, @now? */
static inline bool fxt_cgroup_changes(const struct task_struct *p, const struct cgroup *to,
				      const struct cgroup *now)
{
	if (to->root == fxt_cgroup_cpu(p)->root)
		return true;
	return to->root == fxt_cgroup_v2(p)->root && (!now || now->root == to->root);
}

/*
 * Does a thread's cgroup differ from that of its process? With @of_parent, a main thread is
 * compared with the parent process. They differ if the thread moved alone, if its creator did, or
 * if it began elsewhere (CLONE_INTO_CGROUP).
 *
 * Context: any; takes rcu_read_lock().
 */
static inline bool fxt_cgroup_is_apart(const struct task_struct *p, bool of_parent)
{
	const struct task_struct *of = p->group_leader;
	bool is_apart;

	rcu_read_lock();
	if (of == p && of_parent)
		of = rcu_dereference(p->real_parent)->group_leader;
	is_apart = rcu_access_pointer(p->cgroups) != rcu_access_pointer(of->cgroups) &&
		   fxt_cgroup(p) != fxt_cgroup(of);
	rcu_read_unlock();
	return is_apart;
}

#endif /* FXT_KMOD_CGROUP_H */
