/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stack_record.h - backtraces: where threads blocked, and what woke them.
 */
#ifndef FXT_KMOD_STACK_RECORD_H
#define FXT_KMOD_STACK_RECORD_H

#include <linux/types.h>

#include <fxt/fxt_unknown.h>

struct fxt_session;
struct fxt_stream;
struct task_struct;

void fxt_stack_out(struct fxt_session *ss, struct task_struct *prev,
		   enum fxt_thread_state state, u64 now);
void fxt_stack_in(struct fxt_session *ss, struct fxt_stream *s, struct task_struct *next,
		  u64 since, u64 now, enum fxt_sched_kept verdict);
void fxt_stack_waking(struct fxt_session *ss, struct task_struct *p, u32 waker,
		      unsigned long caller);

#endif /* FXT_KMOD_STACK_RECORD_H */
