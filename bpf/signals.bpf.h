/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals.bpf.h - signals: who sends which signal to whom, and which signals a thread takes.
 *
 * In:  the tracepoints of the group.
 * Out: instants on the current thread, in the ring of its CPU.
 *
 * Context: the lock of the receiver's signals is held. So interrupts are off, except on PREEMPT_RT.
 */
#ifndef BPF_SIGNALS_BPF_H
#define BPF_SIGNALS_BPF_H

#include <bpf/bpf_core_read.h>

#include "context.bpf.h"
#include "events.bpf.h"
#include "nested.bpf.h"
#include "fxt/fxt_sched.h"

/* The filter keeps a signal if sender or receiver matches, like a wakeup. */
static __always_inline int on_signal_sent(__u32 signal, struct task_struct *target, __u32 result)
{
	/* A hard interrupt may send a signal, too. Nothing interrupts that. */
	bool nested = fxt_sched_irq(read_preempt_count(context)) != FXT_SCHED_IRQ_HARD;
	struct task_struct *sender = (void *)bpf_get_current_task();
	__u64 id = bpf_get_current_pid_tgid();
	unsigned long flags;
	struct place at;
	__u64 *rec;

	if (!is_recording() || !(keeps_thread(sender) || keeps_thread(target)))
		return 0;
	ring_find(&at);
	if (nested ? nested_begin(&at, &flags) : ring_begin(&at, extras))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_signal(rec, at.time, id, id >> 32, signal,
						      BPF_CORE_READ(target, pid), result,
						      fxt_get(FXT_SCHED_WAKER_IRQ,
							      current_waker(context))));
	if (nested)
		nested_end(&at, &flags);
	return 0;
}

#define SEND_SIG_NOINFO	0		/* in place of an address, e.g. of SIGKILL */
#define SEND_SIG_PRIV	1
#define SI_USER		0
#define SI_KERNEL	0x80

/* The code as in the kernel's own record of the event. */
static __always_inline __s32 signal_code(struct kernel_siginfo *info)
{
	switch ((__u64)info) {
	case SEND_SIG_NOINFO:
		return SI_USER;
	case SEND_SIG_PRIV:
		return SI_KERNEL;
	default:
		return BPF_CORE_READ(info, si_code);
	}
}

static __always_inline int on_signal_taken(__u32 signal, struct kernel_siginfo *info,
					   struct k_sigaction *action)
{
	__u64 id = bpf_get_current_pid_tgid();
	unsigned long flags;
	struct place at;
	__u64 *rec;

	if (!is_recording() || !keeps_thread((void *)bpf_get_current_task()))
		return 0;
	ring_find(&at);
	if (nested_begin(&at, &flags))
		return 0;
	rec = ring_reserve(&at, FXT_RING_EVENTS);
	if (rec)
		ring_commit(&at, fxt_sched_put_delivery(rec, at.time, id, id >> 32, signal,
							signal_code(info),
							!!BPF_CORE_READ(action, sa.sa_handler)));
	nested_end(&at, &flags);
	return 0;
}

#endif /* BPF_SIGNALS_BPF_H */
