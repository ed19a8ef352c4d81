// SPDX-License-Identifier: GPL-2.0
/*
 * instants.c - instants of threads: migrations, forks, exits, inherited priorities, signals sent
 * and delivered.
 *
 * In:  sched_migrate_task; sched_process_fork, sched_process_exit, sched_pi_setprio;
 * signal_generate, signal_deliver.
 * Out: records in the stream of the CPU that they fire on, which is often neither of the two that a
 * thread moves between.
 *
 * Context: where a thread moves or a priority is inherited irqs are off, and locks of the
 * scheduler are held. A thread that creates another one or ends does so with irqs on. The lock
 * of the receiver's signals is held, so irqs are off, but not on PREEMPT_RT; signals are sent in
 * interrupts, too.
 */
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>

#include "compat.h"
#include "event.h"
#include "probes.h"
#include "waker.h"

/* --- moves to other CPUs --- */

/* The filter must keep the thread and one of the two CPUs. */
static bool fxt_keeps_migrate(struct fxt_session *ss, struct task_struct *p, int from, int to)
{
	if (!per_cpu_ptr(ss->cpus, from)->cpu_traced && !per_cpu_ptr(ss->cpus, to)->cpu_traced)
		return false;
	return !ss->filter.by_thread || fxt_filter_matches(&ss->filter, &ss->tasks, p);
}

static void fxt_probe_migrate(void *data, struct task_struct *p, int to)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_stream_now(s, &ss->clock), *rec;
	int from = task_cpu(p);

	lockdep_assert_irqs_disabled();
	if (!fxt_recording_covers(&ss->recording, now) || !fxt_keeps_migrate(ss, p, from, to))
		return;
	rec = fxt_event_reserve(s, now, FXT_SCHED_MIGRATE_WORDS);
	if (likely(rec))
		fxt_stream_commit(s, rec, now,
				  fxt_sched_put_migrate(rec, now, p->pid, p->tgid, from, to));
}

/* --- beginnings, ends and priorities --- */

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

/* --- signals --- */

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

/* --- the groups --- */

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_instants(void)
{
	check_trace_callback_type_sched_migrate_task(fxt_probe_migrate);
	check_trace_callback_type_sched_process_fork(fxt_probe_task_fork);
	check_trace_callback_type_sched_process_exit(fxt_probe_task_exit);
	check_trace_callback_type_sched_pi_setprio(fxt_probe_task_priority);
	check_trace_callback_type_signal_generate(fxt_probe_signal_generate);
	check_trace_callback_type_signal_deliver(fxt_probe_signal_deliver);
}

static struct fxt_probe fxt_migrate_probes[] = {
	FXT_PROBE("sched_migrate_task", fxt_probe_migrate),
};

const struct fxt_group fxt_migrate_group =
	FXT_GROUP(FXT_SCHED_EVENTS_MIGRATE, fxt_migrate_probes);

static struct fxt_probe fxt_task_probes[] = {
	FXT_PROBE("sched_process_fork", fxt_probe_task_fork),
	FXT_PROBE("sched_process_exit", fxt_probe_task_exit),
	FXT_PROBE("sched_pi_setprio", fxt_probe_task_priority),
};

const struct fxt_group fxt_task_group =
	FXT_GROUP(FXT_SCHED_EVENTS_TASK, fxt_task_probes);

static struct fxt_probe fxt_signal_probes[] = {
	FXT_PROBE("signal_generate", fxt_probe_signal_generate),
	FXT_PROBE("signal_deliver", fxt_probe_signal_deliver),
};

const struct fxt_group fxt_signal_group =
	FXT_GROUP(FXT_SCHED_EVENTS_SIGNAL, fxt_signal_probes);
