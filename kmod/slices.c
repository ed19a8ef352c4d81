// SPDX-License-Identifier: GPL-2.0
/*
 * slices.c - slices of threads and of idle CPUs: system calls, work items on kworkers, idle states.
 *
 * In:  sys_enter, sys_exit, workqueue_execute_start, workqueue_execute_end, cpu_idle; and
 * cpu_idle_miss, where another idle state would have been better.
 * Out: records in the stream of the CPU that the slice ends on.
 *
 * System calls and work items sleep and move, and others then run on the same CPU. So the time
 * when they begin is kept by thread id. Kworkers make no system calls.
 *
 * Context: the thread; from 6.13 on system calls with preemption enabled. Old kernels have idle
 * loops in which RCU is not watching, so nothing about idle states uses RCU here; the tracepoints
 * see to their own use of it.
 */
#include <linux/compat.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include <trace/events/power.h>
#include <trace/events/syscalls.h>
#include <trace/events/workqueue.h>

#include "compat.h"
#include "event.h"
#include "label.h"
#include "probes.h"
#include "waker.h"

/* --- slices of threads --- */

static void fxt_thread_begin(struct fxt_session *ss)
{
	u64 *begun = fxt_task_begun(&ss->tasks, current->pid);
	unsigned long flags;

	if (!begun)
		return;
	local_irq_save(flags);
	*begun = fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock);
	local_irq_restore(flags);
}

/* Context and return: as of fxt_slice_end(). */
static __always_inline bool fxt_thread_end(struct fxt_session *ss, struct fxt_event *e,
					   unsigned int words)
{
	u64 *begun = fxt_task_begun(&ss->tasks, current->pid);

	if (likely(begun))
		return fxt_slice_end(ss, e, begun, words);
	fxt_slice_lose(ss);
	return false;
}

static void fxt_probe_syscall_enter(void *data, struct pt_regs *regs, long nr)
{
	fxt_thread_begin(data);
}

/*
 * The number is that at the end: an exec may have made a process of the other word size, and the
 * kernel then changes the number, too. A return from a signal handler has none, and is not
 * recorded; the next call replaces its beginning. Neither are calls that do not return.
 */
static void fxt_probe_syscall_exit(void *data, struct pt_regs *regs, long ret)
{
	int nr = syscall_get_nr(current, regs);
	struct fxt_event e;

	if (nr >= 0 && fxt_thread_end(data, &e, FXT_SCHED_SYSCALL_WORDS))
		fxt_event_end(&e, fxt_sched_put_syscall(e.rec, e.begin, e.time, current->pid,
							current->tgid, nr, !in_compat_syscall(),
							ret));
}

/*
 * Work queues of bottom halves execute their work items in soft interrupts, which irq.c records;
 * there the current thread is not the worker.
 */
static void fxt_probe_work_start(void *data, struct work_struct *work)
{
	if (fxt_irq() == FXT_SCHED_IRQ_NONE)
		fxt_thread_begin(data);
}

/* The work item may have been freed: only the address of its function is used, for its name. */
static void fxt_probe_work_end(void *data, struct work_struct *work, work_func_t function)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	struct fxt_event e;

	if (fxt_irq() != FXT_SCHED_IRQ_NONE)
		return;
	/* Looked up with interrupts enabled, because that can take some microseconds. */
	name = fxt_function_name(ss->function_names, function, &room);
	if (fxt_thread_end(ss, &e, FXT_SCHED_WORK_WORDS))
		fxt_event_end(&e, fxt_sched_put_work(e.rec, e.begin, e.time, current->pid,
						     current->tgid, name));
}

/* --- idle states --- */

static void fxt_probe_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	struct fxt_event_cpu *open = &s->open;
	struct fxt_event e;

	if (open->idle && fxt_slice_end(ss, &e, &open->idle, FXT_SCHED_IDLE_WORDS))
		fxt_event_end(&e, fxt_sched_put_idle(e.rec, e.begin, e.time, s->id,
						     open->idle_state));
	if (state == (u32)PWR_EVENT_EXIT)
		return;
	open->idle = fxt_stream_now(s, &ss->clock);
	open->idle_state = state;
}

static void fxt_probe_idle_miss(void *data, unsigned int cpu, unsigned int state, bool below)
{
	struct fxt_event e;

	if (fxt_event_begin(data, &e, current, FXT_SCHED_IDLE_MISS_WORDS))
		fxt_event_end(&e, fxt_sched_put_idle_miss(e.rec, e.time, e.s->id, state, below));
}

/* --- the groups --- */

/* Without this option the kernel has no such tracepoints, so no session has the group. */
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
#define FXT_SYSCALL_PROBE	FXT_PROBE
#else
#define FXT_SYSCALL_PROBE	FXT_UNCHECKED_PROBE
#endif

static struct fxt_probe fxt_syscall_probes[] = {
	FXT_SYSCALL_PROBE(sys_exit, fxt_probe_syscall_exit),
	FXT_SYSCALL_PROBE(sys_enter, fxt_probe_syscall_enter),
};

static struct fxt_probe fxt_work_probes[] = {
	FXT_PROBE(workqueue_execute_end, fxt_probe_work_end),
	FXT_PROBE(workqueue_execute_start, fxt_probe_work_start),
};

static struct fxt_probe fxt_idle_probes[] = {
	FXT_PROBE(cpu_idle, fxt_probe_idle),
	FXT_IDLE_MISS_PROBE(cpu_idle_miss, fxt_probe_idle_miss, .optional = true),
};

const struct fxt_group fxt_syscall_group = FXT_GROUP(FXT_SCHED_EVENTS_SYSCALL, fxt_syscall_probes);
const struct fxt_group fxt_work_group = FXT_GROUP(FXT_SCHED_EVENTS_WORK, fxt_work_probes);
const struct fxt_group fxt_idle_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IDLE, fxt_idle_probes, .threadless = true);
