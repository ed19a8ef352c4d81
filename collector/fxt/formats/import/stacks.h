/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - the call chains of a trace, as stacks.
 *
 * In: the call chain of the current thread in switches and wakeups.
 * Out: backtraces as <fxt/fxt_sched_stack.h> defines them: of a thread that slept or was
 * preempted, after the switch that switches it in; of a waker, before the wakeup.
 */
#ifndef FXT_FORMATS_IMPORT_STACKS_H
#define FXT_FORMATS_IMPORT_STACKS_H

#include "archive.h"
#include "event.h"
#include "threads.h"

/** trace_stack_keep() - a thread is switched out: its call chain is that of the event. 0 or -ENOMEM */
int trace_stack_keep(struct trace_thread *thread, const struct trace_event *e);

/** trace_stack_drop() - the call chain that was kept is not where the thread is */
void trace_stack_drop(struct trace_thread *thread);

/**
 * trace_stack_in() - write the stack of a thread that was just switched in
 * @a: the archive, with the switch
 * @t: the threads
 * @e: the switch
 * @in: the thread, @e->other
 *
 * Return: 0 or a negative errno.
 */
int trace_stack_in(struct trace_archive *a, struct trace_threads *t, const struct trace_event *e,
		   struct trace_thread *in);

/** trace_stack_waker() - write the stack of what wakes @e->thread. Return: 0 or a negative errno */
int trace_stack_waker(struct trace_archive *a, struct trace_threads *t,
		      const struct trace_event *e);

#endif /* FXT_FORMATS_IMPORT_STACKS_H */
