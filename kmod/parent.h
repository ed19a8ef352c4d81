/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parent.h - the parent of a process.
 */
#ifndef FXT_KMOD_PARENT_H
#define FXT_KMOD_PARENT_H

#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/**
 * fxt_parent() - find the parent of a thread's process
 * @p: the thread
 *
 * It is the one that getppid(2) names, not a tracer. If the process has lost its parent, it
 * is the process that has adopted it.
 *
 * Context: any.
 *
 * Return: thread group id; 0 if @p has been released, or the parent is the idle thread.
 */
static inline u32 fxt_parent(const struct task_struct *p)
{
	u32 parent = 0;

	rcu_read_lock();
	/* A thread that has been released does not keep its parent's task_struct. */
	if (pid_alive(p))
		parent = rcu_dereference(p->real_parent)->tgid;
	rcu_read_unlock();
	return parent;
}

#endif /* FXT_KMOD_PARENT_H */
