// SPDX-License-Identifier: GPL-2.0
/*
 * syscall.c - slices of system calls.
 *
 * In:  sys_enter, sys_exit. Out: records in the stream of the CPU that the call ends on.
 *
 * The time of the beginning is kept by thread id, because calls sleep and move. The number
 * is that at the end: an exec may have made a process of the other word size, and the kernel
 * then changes the number, too. A return from a signal handler has none, and is not
 * recorded; neither are calls that do not return.
 *
 * Context: process context, irqs on; from 6.13 on with preemption on.
 */
#include <linux/compat.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include <trace/events/syscalls.h>

#include "event.h"
#include "probes.h"

static void fxt_probe_syscall_enter(void *data, struct pt_regs *regs, long nr)
{
	struct fxt_session *ss = data;
	u64 *begin = fxt_task_begun(&ss->tasks, current->pid);
	unsigned long flags;

	if (!begin)
		return;
	local_irq_save(flags);
	*begin = fxt_stream_now(this_cpu_ptr(ss->cpus), &ss->clock);
	local_irq_restore(flags);
}

/* Context: irqs off. */
static void fxt_syscall_end(struct fxt_session *ss, u64 begin, u32 nr, s64 ret)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 end = fxt_event_end(ss, s, begin), *rec;

	if (!fxt_recording_covers_slice(&ss->recording, begin, end) ||
	    !fxt_event_keeps_here(ss, s))
		return;
	rec = fxt_event_reserve(s, end, FXT_SCHED_SYSCALL_WORDS);
	if (likely(rec))
		fxt_stream_commit(s, rec, end,
				  fxt_sched_put_syscall(rec, begin, end, current->pid,
							current->tgid, nr,
							!in_compat_syscall(), ret));
}

static void fxt_probe_syscall_exit(void *data, struct pt_regs *regs, long ret)
{
	struct fxt_session *ss = data;
	u64 *begin = fxt_task_begun(&ss->tasks, current->pid);
	int nr = syscall_get_nr(current, regs);
	unsigned long flags;

	local_irq_save(flags);
	if (nr >= 0 && begin)
		fxt_syscall_end(ss, *begin, nr, ret);
	else if (nr >= 0)
		fxt_event_lose(ss);
	if (begin)
		*begin = 0;
	local_irq_restore(flags);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_syscall(void)
{
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	check_trace_callback_type_sys_enter(fxt_probe_syscall_enter);
	check_trace_callback_type_sys_exit(fxt_probe_syscall_exit);
#endif
}

static struct fxt_probe fxt_syscall_probes[] = {
	FXT_PROBE("sys_exit", fxt_probe_syscall_exit),
	FXT_PROBE("sys_enter", fxt_probe_syscall_enter),
};

const struct fxt_group fxt_syscall_group =
	FXT_GROUP(FXT_SCHED_EVENTS_SYSCALL, fxt_syscall_probes);
