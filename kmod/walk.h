/* SPDX-License-Identifier: GPL-2.0 */
/*
 * walk.h - a walk over all existing threads.
 */
#ifndef FXT_KMOD_WALK_H
#define FXT_KMOD_WALK_H

struct task_struct;

/**
 * typedef fxt_visit - what a walk does with each thread
 * @p: the thread; valid during the call
 * @arg: the argument of fxt_walk()
 *
 * Context: rcu_read_lock() is held.
 */
typedef void fxt_visit(struct task_struct *p, void *arg);

void fxt_walk(fxt_visit *visit, void *arg);

#endif /* FXT_KMOD_WALK_H */
