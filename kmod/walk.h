/* SPDX-License-Identifier: GPL-2.0 */
/*
 * walk.h - all threads that there are, one after the other.
 */
#ifndef FXT_KMOD_WALK_H
#define FXT_KMOD_WALK_H

struct task_struct;

/**
 * typedef fxt_visit - what a walk does with each thread
 * @p: the thread; stays as long as the call lasts
 * @arg: as fxt_walk() got it
 *
 * Context: rcu_read_lock() is held.
 */
typedef void fxt_visit(struct task_struct *p, void *arg);

void fxt_walk(fxt_visit *visit, void *arg);

#endif /* FXT_KMOD_WALK_H */
