// SPDX-License-Identifier: GPL-2.0-only
/*
 * events.c - slices of threads and of idle CPUs, and instants; irq.c has the interrupts of a CPU.
 *
 * In:  the tracepoints of the groups at the end.
 * Out: records in the stream of the CPU that they fire on, which need not be the one that they
 *      name.
 *
 * Context: any, with locks of the scheduler or of signals held; NMIs for interrupts that are sent.
 * In idle loops of old kernels RCU is not watching, so nothing about idle states uses RCU here.
 */
#include <linux/bits.h>
#include <linux/compat.h>
#include <linux/cpufreq.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <asm/syscall.h>
#include <trace/events/ipi.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/syscalls.h>
#include <trace/events/workqueue.h>

#include "compat.h"
#include "event.h"
#include "label.h"
#include "probes.h"
#include "util.h"

/*
 * --- slices of threads: system calls, and work items on kworkers ---
 *
 * These sleep and move between CPUs, so their beginnings are kept by thread id. Kworkers make no
 * system calls.
 *
 * Context: the thread; from 6.13 on system calls with preemption enabled.
 */

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
		return fxt_slice_end(ss, e, current, begun, words);
	fxt_slice_lose(ss);
	return false;
}

static void fxt_probe_syscall_enter(void *data, struct pt_regs *regs, long nr)
{
	fxt_thread_begin(data);
}

/*
 * The number is that at the end: an exec may change the word size of a process, and the kernel then
 * changes the number, too. A return from a signal handler has none, and is not recorded; the next
 * call replaces its beginning. Calls that do not return are not recorded either.
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
 * Work queues of bottom halves run work items in soft interrupts, which irq.c records; the current
 * thread is not the worker then.
 */
static void fxt_probe_work_start(void *data, struct work_struct *work)
{
	if (fxt_irq() == FXT_SCHED_IRQ_NONE)
		fxt_thread_begin(data);
}

/* The work item may have been freed. Only the address of its function is used. */
static void fxt_probe_work_end(void *data, struct work_struct *work, work_func_t function)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	struct fxt_event e;

	if (fxt_irq() != FXT_SCHED_IRQ_NONE)
		return;
	/* With interrupts enabled, because that can take some microseconds. */
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

	if (open->idle && fxt_slice_end(ss, &e, current, &open->idle, FXT_SCHED_IDLE_WORDS))
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

/* --- moves to other CPUs --- */

/*
 * The filter must keep the thread and one of the two CPUs. The migration of a thread that is being
 * woken is part of its wakeup, unless the group is recorded.
 */
static void fxt_probe_migrate(void *data, struct task_struct *p, int to)
{
	struct fxt_session *ss = data;
	int from = task_cpu(p);
	struct fxt_event e;

	if (!(ss->config.events & FXT_SCHED_EVENTS_MIGRATE) && fxt_task_blocked(p))
		return;
	local_irq_save(e.flags);
	if (fxt_event_is_due(ss, &e) && fxt_keeps(ss, p) &&
	    (per_cpu_ptr(ss->cpus, from)->cpu_traced || per_cpu_ptr(ss->cpus, to)->cpu_traced) &&
	    fxt_event_reserve(&e, FXT_SCHED_MIGRATE_WORDS))
		fxt_stream_commit(e.s, e.rec, e.time,
				  fxt_sched_put_migrate(e.rec, e.time, p->pid, p->tgid, from, to));
	local_irq_restore(e.flags);
}

/* --- beginnings, ends and priorities --- */

static void fxt_probe_task_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct fxt_event e;

	if (fxt_event_begin(data, &e, parent, FXT_SCHED_FORK_WORDS))
		fxt_event_end(&e, fxt_sched_put_fork(e.rec, e.time, parent->pid, parent->tgid,
						     child->pid));
}

static void FXT_PROBE_EXIT(fxt_probe_task_exit)
{
	struct fxt_event e;

	if (fxt_event_begin(data, &e, p, FXT_SCHED_EXIT_WORDS))
		fxt_event_end(&e, fxt_sched_put_exit(e.rec, e.time, p->pid, p->tgid,
						     p->exit_code));
}

/* As the tracepoint's own record has it. */
static void fxt_probe_task_priority(void *data, struct task_struct *p, struct task_struct *donor)
{
	int to = donor ? min(p->normal_prio, donor->prio) : p->normal_prio;
	struct fxt_event e;

	if (fxt_event_begin(data, &e, p, FXT_SCHED_PRIORITY_WORDS))
		fxt_event_end(&e, fxt_sched_put_priority(e.rec, e.time, p->pid, p->tgid, p->prio,
							 to));
}

/* --- signals --- */

/* Like a wakeup, a signal counts for its sender and its receiver. */
static void fxt_probe_signal_generate(void *data, int signal, struct kernel_siginfo *info,
				      struct task_struct *target, int group, int result)
{
	bool by_irq = fxt_get(FXT_SCHED_WAKER_IRQ, fxt_waker()) != FXT_SCHED_IRQ_NONE;
	struct fxt_event e;

	if (fxt_event_begin(data, &e, fxt_keeps(data, current) ? current : target,
			    FXT_SCHED_SIGNAL_WORDS))
		fxt_event_end(&e, fxt_sched_put_signal(e.rec, e.time, current->pid,
						       current->tgid, signal, target->pid,
						       result, by_irq));
}

/* As the tracepoint's own record has it. SIGKILL has no info. */
static int fxt_signal_code(const struct kernel_siginfo *info)
{
	if (info == SEND_SIG_NOINFO)
		return SI_USER;
	return info == SEND_SIG_PRIV ? SI_KERNEL : info->si_code;
}

static void fxt_probe_signal_deliver(void *data, int signal, struct kernel_siginfo *info,
				     struct k_sigaction *action)
{
	struct fxt_event e;

	if (fxt_event_begin(data, &e, current, FXT_SCHED_DELIVERY_WORDS))
		fxt_event_end(&e, fxt_sched_put_delivery(e.rec, e.time, current->pid,
							 current->tgid, signal,
							 fxt_signal_code(info),
							 action->sa.sa_handler != SIG_DFL));
}

/* --- interrupts that a CPU sends to others, or to itself --- */

#define FXT_IPI_MASK_CPUS	64U

/* An NMI may have interrupted a probe in the middle of a record, so only count. */
static void fxt_ipi_miss(struct fxt_session *ss)
{
	struct fxt_event e;

	if (fxt_event_is_due(ss, &e) && fxt_event_is_kept(ss, &e, current))
		this_cpu_inc(ss->cpus->missed);
}

static void fxt_ipi_count_missed(struct fxt_session *ss)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	unsigned long missed, flags;

	if (likely(!READ_ONCE(s->missed)))
		return;
	local_irq_save(flags);
	missed = this_cpu_xchg(ss->cpus->missed, 0);
	s->events += missed;
	s->lost += missed;
	local_irq_restore(flags);
}

struct fxt_ipi {
	struct fxt_event e;
	const struct fxt_sched_label *name;	/* of the function that the others call; or NULL */
	struct fxt_sched_label room;		/* memory for @name */
};

/* Like fxt_event_begin(). The module's own interrupts (util.h) are not recorded. */
static bool fxt_ipi_begin(struct fxt_session *ss, struct fxt_ipi *ipi, const void *function,
			  unsigned int words)
{
	if (unlikely(in_nmi())) {
		fxt_ipi_miss(ss);
		return false;
	}
	if (__this_cpu_read(fxt_self_ipi))
		return false;
	fxt_ipi_count_missed(ss);
	ipi->name = function ? fxt_function_name(ss->function_names, function, &ipi->room) : NULL;
	return fxt_event_begin(ss, &ipi->e, current, words);
}

static void fxt_probe_ipi_cpu(void *data, unsigned int cpu, unsigned long site, void *function)
{
	struct fxt_ipi ipi;

	if (fxt_ipi_begin(data, &ipi, function, FXT_SCHED_IPI_WORDS))
		fxt_event_end(&ipi.e, fxt_sched_put_ipi(ipi.e.rec, ipi.e.time, current->pid,
							current->tgid, cpu, ipi.name));
}

/* Other CPUs may change the mask meanwhile. */
static u64 fxt_first_cpus(const struct cpumask *cpus)
{
	unsigned int cpu;
	u64 first = 0;

	for_each_cpu(cpu, cpus) {
		if (cpu >= FXT_IPI_MASK_CPUS)
			break;
		first |= BIT_ULL(cpu);
	}
	return first;
}

static void fxt_probe_ipi_mask(void *data, const struct cpumask *cpus, unsigned long site,
			       void *function)
{
	struct fxt_ipi ipi;

	if (fxt_ipi_begin(data, &ipi, function, FXT_SCHED_IPI_MASK_WORDS))
		fxt_event_end(&ipi.e, fxt_sched_put_ipi_mask(ipi.e.rec, ipi.e.time, current->pid,
							     current->tgid, cpumask_weight(cpus),
							     fxt_first_cpus(cpus), ipi.name));
}

/* --- frequencies --- */

/* @max_khz: as of fxt_sched_put_frequency() */
static void fxt_write_frequency(struct fxt_session *ss, u32 cpu, u32 khz, u32 max_khz)
{
	struct fxt_event e;

	if (cpu >= nr_cpu_ids || !per_cpu_ptr(ss->cpus, cpu)->cpu_traced)
		return;
	local_irq_save(e.flags);
	if (fxt_event_is_due(ss, &e) && fxt_event_reserve(&e, FXT_SCHED_FREQUENCY_WORDS))
		fxt_stream_commit(e.s, e.rec, e.time,
				  fxt_sched_put_frequency(e.rec, e.time, cpu, khz, max_khz));
	local_irq_restore(e.flags);
}

static void fxt_probe_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	fxt_write_frequency(data, cpu, khz, 0);
}

/* For all CPUs of the policy. The record names the first, as the tracepoint does. */
static void fxt_probe_frequency_limits(void *data, struct cpufreq_policy *policy)
{
	/* A limit of 0 would make it the record of a frequency. */
	fxt_write_frequency(data, policy->cpu, policy->min, max(policy->max, 1U));
}

/* --- the groups --- */

/* Kernels without this option have no such tracepoints, and no session has the group. */
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

static struct fxt_probe fxt_migrate_probes[] = {
	FXT_PROBE(sched_migrate_task, fxt_probe_migrate),
};

static struct fxt_probe fxt_task_probes[] = {
	FXT_PROBE(sched_process_fork, fxt_probe_task_fork),
	FXT_PROBE(sched_process_exit, fxt_probe_task_exit),
	FXT_PROBE(sched_pi_setprio, fxt_probe_task_priority),
};

static struct fxt_probe fxt_signal_probes[] = {
	FXT_PROBE(signal_generate, fxt_probe_signal_generate),
	FXT_PROBE(signal_deliver, fxt_probe_signal_deliver),
};

static struct fxt_probe fxt_ipi_probes[] = {
	FXT_IPI_PROBE(ipi_send_cpu, fxt_probe_ipi_cpu),
	FXT_IPI_PROBE(ipi_send_cpumask, fxt_probe_ipi_mask),
};

static struct fxt_probe fxt_freq_probes[] = {
	FXT_PROBE(cpu_frequency, fxt_probe_frequency),
	FXT_PROBE(cpu_frequency_limits, fxt_probe_frequency_limits, .optional = true),
};

const struct fxt_group fxt_syscall_group = FXT_GROUP(FXT_SCHED_EVENTS_SYSCALL, fxt_syscall_probes);
const struct fxt_group fxt_work_group = FXT_GROUP(FXT_SCHED_EVENTS_WORK, fxt_work_probes);
const struct fxt_group fxt_idle_group =
	FXT_GROUP(FXT_SCHED_EVENTS_IDLE, fxt_idle_probes, .threadless = true);
const struct fxt_group fxt_migrate_group =
	FXT_GROUP(FXT_SCHED_EVENTS_MIGRATE | FXT_SCHED_EVENTS_MOVES, fxt_migrate_probes);
const struct fxt_group fxt_task_group = FXT_GROUP(FXT_SCHED_EVENTS_TASK, fxt_task_probes);
const struct fxt_group fxt_signal_group = FXT_GROUP(FXT_SCHED_EVENTS_SIGNAL, fxt_signal_probes);
const struct fxt_group fxt_ipi_group = FXT_GROUP(FXT_SCHED_EVENTS_IPI, fxt_ipi_probes);
const struct fxt_group fxt_freq_group =
	FXT_GROUP(FXT_SCHED_EVENTS_FREQ, fxt_freq_probes, .threadless = true);
