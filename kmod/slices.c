// SPDX-License-Identifier: GPL-2.0
/*
 * slices.c - slices of threads: system calls, and work items on kworkers.
 *
 * In:  sys_enter, sys_exit, workqueue_execute_start, workqueue_execute_end.
 * Out: records in the stream of the CPU that the call or the work item ends on.
 *
 * Both sleep and move, and others then run on the same CPU. So the begin time is kept by thread id.
 * Kworkers make no system calls.
 *
 * Context: the thread, irqs on; from 6.13 on system calls with preemption on.
 */
#include <linux/compat.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include <trace/events/syscalls.h>
#include <trace/events/workqueue.h>

#include "event.h"
#include "label.h"
#include "probes.h"
#include "waker.h"

static __always_inline void fxt_slice_begin(struct fxt_session *ss)
{
	u64 *begun = fxt_task_begun(&ss->tasks, current->pid);
	unsigned long flags;

	if (!begun)
		return;
	local_irq_save(flags);
	*begun = fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock);
	local_irq_restore(flags);
}

/**
 * struct fxt_slice - a slice of the current thread that ends now
 * @s: this CPU's stream
 * @begin: ticks
 * @end: ticks
 * @rec: where its record goes
 */
struct fxt_slice {
	struct fxt_stream *s;
	u64 begin;
	u64 end;
	u64 *rec;
};

/*
 * Find room for the record, of at most @words, if the slice is to be recorded. Context: irqs off,
 * until the commit.
 */
static __always_inline bool fxt_slice_end(struct fxt_session *ss, struct fxt_slice *slice,
					  unsigned int words)
{
	u64 *begun = fxt_task_begun(&ss->tasks, current->pid);

	if (!begun) {
		fxt_event_lose(ss);
		return false;
	}
	slice->s = this_cpu_ptr(ss->cpus);
	slice->begin = *begun;
	slice->end = fxt_event_end(ss, slice->s, slice->begin);
	*begun = 0;
	if (!fxt_recording_covers_slice(&ss->recording, slice->begin, slice->end) ||
	    !fxt_event_keeps_here(ss, slice->s))
		return false;
	slice->rec = fxt_event_reserve(slice->s, slice->end, words);
	return likely(slice->rec);
}

static __always_inline void fxt_slice_commit(const struct fxt_slice *slice, unsigned int words)
{
	fxt_stream_commit(slice->s, slice->rec, slice->end, words);
}

/* --- system calls --- */

static void fxt_probe_syscall_enter(void *data, struct pt_regs *regs, long nr)
{
	fxt_slice_begin(data);
}

/*
 * The number is that at the end: an exec may have made a process of the other word size, and the
 * kernel then changes the number, too. A return from a signal handler has none, and is not
 * recorded; the next call replaces its beginning. Neither are calls that do not return.
 */
static void fxt_probe_syscall_exit(void *data, struct pt_regs *regs, long ret)
{
	int nr = syscall_get_nr(current, regs);
	struct fxt_slice slice;
	unsigned long flags;

	local_irq_save(flags);
	if (nr >= 0 && fxt_slice_end(data, &slice, FXT_SCHED_SYSCALL_WORDS))
		fxt_slice_commit(&slice, fxt_sched_put_syscall(slice.rec, slice.begin, slice.end,
							       current->pid, current->tgid, nr,
							       !in_compat_syscall(), ret));
	local_irq_restore(flags);
}

/* --- work items --- */

/*
 * Work queues of bottom halves execute their work items in soft interrupts, which irq.c records;
 * there the current thread is not the worker.
 */
static void fxt_probe_work_start(void *data, struct work_struct *work)
{
	if (fxt_irq() == FXT_SCHED_IRQ_NONE)
		fxt_slice_begin(data);
}

/* The work item may have been freed: only the address of its function is used, for its name. */
static void fxt_probe_work_end(void *data, struct work_struct *work, work_func_t function)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	struct fxt_slice slice;
	unsigned long flags;

	if (fxt_irq() != FXT_SCHED_IRQ_NONE)
		return;
	/* Looked up with irqs on, because that can take some microseconds. */
	name = fxt_function_name(ss->function_names, function, &room);
	local_irq_save(flags);
	if (fxt_slice_end(ss, &slice, FXT_SCHED_WORK_WORDS))
		fxt_slice_commit(&slice, fxt_sched_put_work(slice.rec, slice.begin, slice.end,
							    current->pid, current->tgid, name));
	local_irq_restore(flags);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_slices(void)
{
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	check_trace_callback_type_sys_enter(fxt_probe_syscall_enter);
	check_trace_callback_type_sys_exit(fxt_probe_syscall_exit);
#endif
	check_trace_callback_type_workqueue_execute_start(fxt_probe_work_start);
	check_trace_callback_type_workqueue_execute_end(fxt_probe_work_end);
}

static struct fxt_probe fxt_syscall_probes[] = {
	FXT_PROBE("sys_exit", fxt_probe_syscall_exit),
	FXT_PROBE("sys_enter", fxt_probe_syscall_enter),
};

const struct fxt_group fxt_syscall_group =
	FXT_GROUP(FXT_SCHED_EVENTS_SYSCALL, fxt_syscall_probes);

static struct fxt_probe fxt_work_probes[] = {
	FXT_PROBE("workqueue_execute_end", fxt_probe_work_end),
	FXT_PROBE("workqueue_execute_start", fxt_probe_work_start),
};

const struct fxt_group fxt_work_group = FXT_GROUP(FXT_SCHED_EVENTS_WORK, fxt_work_probes);
