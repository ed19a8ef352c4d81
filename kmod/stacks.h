/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stacks.h - backtraces: where threads blocked, and what woke them.
 */
#ifndef FXT_KMOD_STACKS_H
#define FXT_KMOD_STACKS_H

#include <linux/types.h>

#include <fxt/fxt_unknown.h>

#include "session.h"

struct fxt_reason;
struct task_struct;

int fxt_stacks_check(u32 what, struct fxt_reason *reason);
void fxt_stack_out(struct fxt_session *ss, struct task_struct *prev,
		   enum fxt_thread_state state, u64 now);
void fxt_stack_in(struct fxt_session *ss, struct fxt_stream *s, struct task_struct *next,
		  u64 since, u64 now);
void fxt_stack_waking(struct fxt_session *ss, struct task_struct *p, u32 waker,
		      unsigned long caller);

/**
 * fxt_stack_take() - take the time when a thread that is switched in was switched out
 * @ss: the session
 * @tid: thread id
 *
 * Also while nothing is recorded, so that no stack is of an earlier switch.
 *
 * Context: the run queue lock is held.
 *
 * Return: ticks; 0 if the stack is not wanted.
 */
static __always_inline u64 fxt_stack_take(const struct fxt_session *ss, pid_t tid)
{
	u64 *off = ss->config.stacks ? fxt_task_off(&ss->tasks, tid) : NULL;
	u64 since;

	if (!off || !*off)
		return 0;
	since = *off;
	WRITE_ONCE(*off, 0);
	return since;
}

#endif /* FXT_KMOD_STACKS_H */
