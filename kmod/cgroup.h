/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroup.h - which of a thread's cgroups archives have.
 *
 * That is its cgroup of the CPU controller of version 1, unless it is the root; else that of
 * version 2. A process has that of its main thread. The program of BPF has the same functions.
 */
#ifndef FXT_KMOD_CGROUP_H
#define FXT_KMOD_CGROUP_H

#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/* Context of these functions, down to fxt_cgroup_changes(): rcu_read_lock() is held. */
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

/* Return: NULL if another controller of version 1 may have one. */
static inline struct cgroup *fxt_cgroup(const struct task_struct *p)
{
	struct cgroup *v2 = fxt_cgroup_v2(p), *cpu = fxt_cgroup_cpu(p);

	if (cpu->root == v2->root)
		return v2;
	return cpu->level ? cpu : v2->level ? v2 : NULL;
}

/* Has a thread that moved to @to in one hierarchy another cgroup? @now: fxt_cgroup() */
static inline bool fxt_cgroup_changes(const struct task_struct *p, const struct cgroup *to,
				      const struct cgroup *now)
{
	if (to->root == fxt_cgroup_cpu(p)->root)
		return true;
	return to->root == fxt_cgroup_v2(p)->root && (!now || now->root == to->root);
}

/*
 * Is a thread in another cgroup than its process? With @of_parent, a main thread in another one
 * than the process that is its parent? Either it has moved alone, or its creator had, or it began
 * there (CLONE_INTO_CGROUP).
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
