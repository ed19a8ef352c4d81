// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - instants at which a signal is sent, and at which a thread takes one.
 *
 * In:  signal_generate, signal_deliver. Out: records in the stream of the CPU that they fire on.
 *
 * Context: the lock of the receiver's signals is held, so irqs are off, but not on PREEMPT_RT;
 * signals are sent in interrupts, too.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <trace/events/signal.h>

#include "event.h"
#include "probes.h"
#include "waker.h"

/* A signal counts with its sender and with its receiver, as a wakeup does. */
static struct task_struct *fxt_signal_side(struct fxt_session *ss, struct task_struct *target)
{
	if (!ss->filter.by_thread || fxt_filter_matches(&ss->filter, &ss->tasks, current))
		return current;
	return target;
}

static void fxt_probe_signal_generate(void *data, int signal, struct kernel_siginfo *info,
			       struct task_struct *target, int group, int result)
{
	struct fxt_session *ss = data;
	struct fxt_event event;
	unsigned long flags;
	u32 irq;

	local_irq_save(flags);
	if (fxt_event_begin(ss, &event, fxt_signal_side(ss, target), FXT_SCHED_SIGNAL_WORDS)) {
		irq = fxt_get(FXT_SCHED_WAKER_IRQ, fxt_waker());
		fxt_event_commit(&event, fxt_sched_put_signal(event.rec, event.time, current->pid,
							      current->tgid, signal, target->pid,
							      result, irq != FXT_SCHED_IRQ_NONE));
	}
	local_irq_restore(flags);
}

/* As the tracepoint's own record has it: of SIGKILL there is no info. */
static int fxt_signal_code(const struct kernel_siginfo *info)
{
	if (info == SEND_SIG_NOINFO)
		return SI_USER;
	return info == SEND_SIG_PRIV ? SI_KERNEL : info->si_code;
}

static void fxt_probe_signal_deliver(void *data, int signal, struct kernel_siginfo *info,
			      struct k_sigaction *action)
{
	struct fxt_session *ss = data;
	struct fxt_event event;
	unsigned long flags;

	local_irq_save(flags);
	if (fxt_event_begin(ss, &event, current, FXT_SCHED_DELIVERY_WORDS))
		fxt_event_commit(&event, fxt_sched_put_delivery(event.rec, event.time,
								current->pid, current->tgid,
								signal, fxt_signal_code(info),
								action->sa.sa_handler != SIG_DFL));
	local_irq_restore(flags);
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_signal(void)
{
	check_trace_callback_type_signal_generate(fxt_probe_signal_generate);
	check_trace_callback_type_signal_deliver(fxt_probe_signal_deliver);
}

static struct fxt_probe fxt_signal_probes[] = {
	FXT_PROBE("signal_generate", fxt_probe_signal_generate),
	FXT_PROBE("signal_deliver", fxt_probe_signal_deliver),
};

const struct fxt_group fxt_signal_group =
	FXT_GROUP(FXT_SCHED_EVENTS_SIGNAL, fxt_signal_probes);
