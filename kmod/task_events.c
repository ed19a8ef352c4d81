// SPDX-License-Identifier: GPL-2.0
/*
 * task_events.c - instants in the lives of threads: they create others, end, and inherit
 * priorities.
 *
 * In:  sched_process_fork, sched_process_exit, sched_pi_setprio. Out: records in the stream
 * of the CPU that they fire on.
 *
 * Context: a thread that creates another one or ends does so with irqs on. Where a priority
 * is inherited irqs are off, and locks of the scheduler are held.
 */
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

static void fxt_probe_task_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct fxt_session *ss = data;
	struct fxt_event event;
	unsigned long flags;

	local_irq_save(flags);
	if (fxt_event_begin(ss, &event, parent, FXT_SCHED_FORK_WORDS))
		fxt_event_commit(&event, fxt_sched_put_fork(event.rec, event.time, parent->pid,
							    parent->tgid, child->pid));
	local_irq_restore(flags);
}

static void FXT_PROBE_EXIT(fxt_probe_task_exit)
{
	struct fxt_session *ss = data;
	struct fxt_event event;
	unsigned long flags;

	local_irq_save(flags);
	if (fxt_event_begin(ss, &event, p, FXT_SCHED_EXIT_WORDS))
		fxt_event_commit(&event, fxt_sched_put_exit(event.rec, event.time, p->pid,
							    p->tgid, p->exit_code));
	local_irq_restore(flags);
}

/* The new priority is computed as the tracepoint's own record does it. */
static void fxt_probe_task_priority(void *data, struct task_struct *p, struct task_struct *donor)
{
	struct fxt_session *ss = data;
	int to = donor ? min(p->normal_prio, donor->prio) : p->normal_prio;
	struct fxt_event event;

	lockdep_assert_irqs_disabled();
	if (fxt_event_begin(ss, &event, p, FXT_SCHED_PRIORITY_WORDS))
		fxt_event_commit(&event, fxt_sched_put_priority(event.rec, event.time, p->pid,
								p->tgid, p->prio, to));
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_task(void)
{
	check_trace_callback_type_sched_process_fork(fxt_probe_task_fork);
	check_trace_callback_type_sched_process_exit(fxt_probe_task_exit);
	check_trace_callback_type_sched_pi_setprio(fxt_probe_task_priority);
}

static struct fxt_probe fxt_task_probes[] = {
	FXT_PROBE("sched_process_fork", fxt_probe_task_fork),
	FXT_PROBE("sched_process_exit", fxt_probe_task_exit),
	FXT_PROBE("sched_pi_setprio", fxt_probe_task_priority),
};

const struct fxt_group fxt_task_group =
	FXT_GROUP(FXT_SCHED_EVENTS_TASK, fxt_task_probes);
