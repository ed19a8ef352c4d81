// SPDX-License-Identifier: GPL-2.0
/*
 * work.c - slices of work items on kworkers.
 *
 * In:  workqueue_execute_start, workqueue_execute_end. Out: records in the stream of the CPU
 * that the work item ends on.
 *
 * A kworker can sleep in a work item, while others execute theirs on the same CPU. So the
 * time of the beginning is kept by thread id. The work item may have been freed at the end:
 * only the address of its function is used, for its name.
 *
 * Context: a kworker, irqs on. Work queues of bottom halves execute their work items in soft
 * interrupts, which softirq.c records; there the current thread is not the worker.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <trace/events/workqueue.h>

#include "event.h"
#include "label.h"
#include "probes.h"
#include "waker.h"

static void fxt_probe_work_start(void *data, struct work_struct *work)
{
	struct fxt_session *ss = data;
	unsigned long flags;
	u64 *begin;

	if (fxt_irq() != FXT_SCHED_IRQ_NONE)
		return;
	begin = fxt_task_begun(&ss->tasks, current->pid);
	if (!begin)
		return;
	local_irq_save(flags);
	*begin = fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock);
	local_irq_restore(flags);
}

/* Context: irqs off. */
static void fxt_work_end(struct fxt_session *ss, u64 begin, const struct fxt_sched_label *name)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 end = fxt_event_end(ss, s, begin), *rec;

	if (!fxt_recording_covers_slice(&ss->recording, begin, end) ||
	    !fxt_event_keeps_here(ss, s))
		return;
	rec = fxt_event_reserve(s, end, FXT_SCHED_WORK_WORDS);
	if (likely(rec))
		fxt_stream_commit(s, rec, end,
				  fxt_sched_put_work(rec, begin, end, current->pid,
						     current->tgid, name));
}

static void fxt_probe_work_end(void *data, struct work_struct *work, work_func_t function)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	unsigned long flags;
	u64 *begin;

	if (fxt_irq() != FXT_SCHED_IRQ_NONE)
		return;
	begin = fxt_task_begun(&ss->tasks, current->pid);
	/* Looked up with irqs on, because that can take some microseconds. */
	name = fxt_function_name(ss->function_names, function, &room);
	local_irq_save(flags);
	if (begin) {
		fxt_work_end(ss, *begin, name);
		*begin = 0;
	} else {
		fxt_event_lose(ss);
	}
	local_irq_restore(flags);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_work(void)
{
	check_trace_callback_type_workqueue_execute_start(fxt_probe_work_start);
	check_trace_callback_type_workqueue_execute_end(fxt_probe_work_end);
}

static struct fxt_probe fxt_work_probes[] = {
	FXT_PROBE("workqueue_execute_end", fxt_probe_work_end),
	FXT_PROBE("workqueue_execute_start", fxt_probe_work_start),
};

const struct fxt_group fxt_work_group =
	FXT_GROUP(FXT_SCHED_EVENTS_WORK, fxt_work_probes);
