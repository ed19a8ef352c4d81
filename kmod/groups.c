// SPDX-License-Identifier: GPL-2.0
/*
 * groups.c - the groups of events beside switches and wakeups: which tracepoints each needs.
 *
 * In:  the events of a session's configuration. Out: the probes of the groups' own files,
 * registered; or why this kernel cannot serve the session. A group that no session has is not
 * registered, and costs nothing.
 *
 * Kernels may lack tracepoints of these groups. Then sessions cannot have the group, but the
 * module works. Optional tracepoints only add to what their group records.
 *
 * In each list the probe that ends a slice comes before the one that begins it. Probes are
 * registered in this order, and unregistered in reverse, so the end of each slice is seen
 * whose beginning was.
 */
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/ipi.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/syscalls.h>
#include <trace/events/workqueue.h>

#include <fxt/fxt_catalogue.h>

#include "compat.h"
#include "event.h"
#include "freq.h"
#include "groups.h"
#include "idle.h"
#include "ipi.h"
#include "irq.h"
#include "migrate.h"
#include "reason.h"
#include "session.h"
#include "signals.h"
#include "softirq.h"
#include "syscall.h"
#include "task_events.h"
#include "tracepoints.h"
#include "work.h"

/* A tracepoint with a probe of each kind: NAME_slow, NAME_boot, ... */
#define FXT_EVENT_PROBE(tracepoint, name)					\
	{ tracepoint, { name##_slow, name##_boot, name##_mono, name##_tsc } }

#define FXT_OPTIONAL_EVENT_PROBE(tracepoint, name)				\
	{ tracepoint, { name##_slow, name##_boot, name##_mono, name##_tsc },	\
	  .optional = true }

#define FXT_OPTIONAL_PROBE(tracepoint, func)					\
	{ tracepoint, { [0 ... FXT_PROBES_COUNT - 1] = func }, .optional = true }

#define FXT_VECTOR_EXIT(vector)							\
	FXT_OPTIONAL_EVENT_PROBE(vector "_exit", fxt_probe_vector_exit)

#define FXT_VECTOR_ENTRY(vector)						\
	FXT_OPTIONAL_EVENT_PROBE(vector "_entry", fxt_probe_vector_entry)

static struct fxt_probe fxt_irq_probes[] = {
	FXT_EVENT_PROBE("irq_handler_exit", fxt_probe_handler_exit),
	FXT_EVENT_PROBE("irq_handler_entry", fxt_probe_handler_entry),
	FXT_EVENT_PROBE("softirq_exit", fxt_probe_softirq_exit),
	FXT_EVENT_PROBE("softirq_entry", fxt_probe_softirq_entry),
#ifdef CONFIG_X86_LOCAL_APIC
	FXT_VECTOR_EXIT("local_timer"), FXT_VECTOR_ENTRY("local_timer"),
	FXT_VECTOR_EXIT("reschedule"), FXT_VECTOR_ENTRY("reschedule"),
	FXT_VECTOR_EXIT("call_function"), FXT_VECTOR_ENTRY("call_function"),
	FXT_VECTOR_EXIT("call_function_single"), FXT_VECTOR_ENTRY("call_function_single"),
	FXT_VECTOR_EXIT("irq_work"), FXT_VECTOR_ENTRY("irq_work"),
	FXT_VECTOR_EXIT("x86_platform_ipi"), FXT_VECTOR_ENTRY("x86_platform_ipi"),
	FXT_VECTOR_EXIT("thermal_apic"), FXT_VECTOR_ENTRY("thermal_apic"),
	FXT_VECTOR_EXIT("error_apic"), FXT_VECTOR_ENTRY("error_apic"),
	FXT_VECTOR_EXIT("spurious_apic"), FXT_VECTOR_ENTRY("spurious_apic"),
	FXT_VECTOR_EXIT("threshold_apic"), FXT_VECTOR_ENTRY("threshold_apic"),
	FXT_VECTOR_EXIT("deferred_error_apic"), FXT_VECTOR_ENTRY("deferred_error_apic"),
#endif
#ifdef CONFIG_ARM64
	FXT_PROBE("ipi_exit", fxt_probe_ipi_exit),
	FXT_PROBE("ipi_entry", fxt_probe_ipi_entry),
#endif
};

static struct fxt_probe fxt_migrate_probes[] = {
	FXT_PROBE("sched_migrate_task", fxt_probe_migrate),
};

static struct fxt_probe fxt_idle_probes[] = {
	FXT_EVENT_PROBE("cpu_idle", fxt_probe_idle),
	FXT_OPTIONAL_PROBE("cpu_idle_miss", fxt_probe_idle_miss),
};

static struct fxt_probe fxt_freq_probes[] = {
	FXT_PROBE("cpu_frequency", fxt_probe_frequency),
	FXT_OPTIONAL_PROBE("cpu_frequency_limits", fxt_probe_frequency_limits),
};

static struct fxt_probe fxt_work_probes[] = {
	FXT_PROBE("workqueue_execute_end", fxt_probe_work_end),
	FXT_PROBE("workqueue_execute_start", fxt_probe_work_start),
};

static struct fxt_probe fxt_task_probes[] = {
	FXT_PROBE("sched_process_fork", fxt_probe_task_fork),
	FXT_PROBE("sched_process_exit", fxt_probe_task_exit),
	FXT_PROBE("sched_pi_setprio", fxt_probe_task_priority),
};

static struct fxt_probe fxt_signal_probes[] = {
	FXT_PROBE("signal_generate", fxt_probe_signal_generate),
	FXT_PROBE("signal_deliver", fxt_probe_signal_deliver),
};

static struct fxt_probe fxt_syscall_probes[] = {
	FXT_PROBE("sys_exit", fxt_probe_syscall_exit),
	FXT_PROBE("sys_enter", fxt_probe_syscall_enter),
};

static struct fxt_probe fxt_ipi_probes[] = {
	FXT_PROBE("ipi_send_cpu", fxt_probe_ipi_cpu),
	FXT_PROBE("ipi_send_cpumask", fxt_probe_ipi_mask),
};

/**
 * struct fxt_group - a group of events
 * @events: FXT_SCHED_EVENTS_*
 * @probes: its probes
 * @count: number of them
 * @threadless: its events belong to no thread; a filter by thread keeps none of them
 */
struct fxt_group {
	u64 events;
	struct fxt_probe *probes;
	unsigned int count;
	bool threadless;
};

static const struct fxt_group fxt_groups[] = {
	{ FXT_SCHED_EVENTS_IRQ, fxt_irq_probes, ARRAY_SIZE(fxt_irq_probes) },
	{ FXT_SCHED_EVENTS_MIGRATE, fxt_migrate_probes, ARRAY_SIZE(fxt_migrate_probes) },
	{ FXT_SCHED_EVENTS_IDLE, fxt_idle_probes, ARRAY_SIZE(fxt_idle_probes), true },
	{ FXT_SCHED_EVENTS_FREQ, fxt_freq_probes, ARRAY_SIZE(fxt_freq_probes), true },
	{ FXT_SCHED_EVENTS_WORK, fxt_work_probes, ARRAY_SIZE(fxt_work_probes) },
	{ FXT_SCHED_EVENTS_TASK, fxt_task_probes, ARRAY_SIZE(fxt_task_probes) },
	{ FXT_SCHED_EVENTS_SIGNAL, fxt_signal_probes, ARRAY_SIZE(fxt_signal_probes) },
	{ FXT_SCHED_EVENTS_SYSCALL, fxt_syscall_probes, ARRAY_SIZE(fxt_syscall_probes) },
	{ FXT_SCHED_EVENTS_IPI, fxt_ipi_probes, ARRAY_SIZE(fxt_ipi_probes) },
};

#define FXT_GROUP_NAME(bit, name, ...)	case FXT_SCHED_EVENTS_##bit: return name;

static const char *fxt_group_name(const struct fxt_group *group)
{
	switch (group->events) {
	FXT_GROUPS(FXT_GROUP_NAME)
	default:
		return "?";
	}
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_groups(void)
{
	check_trace_callback_type_irq_handler_entry(fxt_probe_handler_entry_slow);
	check_trace_callback_type_irq_handler_entry(fxt_probe_handler_entry_boot);
	check_trace_callback_type_irq_handler_exit(fxt_probe_handler_exit_slow);
	check_trace_callback_type_irq_handler_exit(fxt_probe_handler_exit_boot);
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_slow);
	check_trace_callback_type_softirq_entry(fxt_probe_softirq_entry_boot);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_slow);
	check_trace_callback_type_softirq_exit(fxt_probe_softirq_exit_boot);
	check_trace_callback_type_sched_migrate_task(fxt_probe_migrate);
	check_trace_callback_type_cpu_idle(fxt_probe_idle_slow);
	check_trace_callback_type_cpu_idle(fxt_probe_idle_boot);
	FXT_CHECK_IDLE_MISS(fxt_probe_idle_miss);
	check_trace_callback_type_cpu_frequency(fxt_probe_frequency);
	check_trace_callback_type_cpu_frequency_limits(fxt_probe_frequency_limits);
	check_trace_callback_type_workqueue_execute_start(fxt_probe_work_start);
	check_trace_callback_type_workqueue_execute_end(fxt_probe_work_end);
	check_trace_callback_type_sched_process_fork(fxt_probe_task_fork);
	check_trace_callback_type_sched_process_exit(fxt_probe_task_exit);
	check_trace_callback_type_sched_pi_setprio(fxt_probe_task_priority);
	check_trace_callback_type_signal_generate(fxt_probe_signal_generate);
	check_trace_callback_type_signal_deliver(fxt_probe_signal_deliver);
	FXT_CHECK_IPI_CPU(fxt_probe_ipi_cpu);
	FXT_CHECK_IPI_MASK(fxt_probe_ipi_mask);
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	check_trace_callback_type_sys_enter(fxt_probe_syscall_enter);
	check_trace_callback_type_sys_exit(fxt_probe_syscall_exit);
#endif
}

/**
 * fxt_groups_find() - find the tracepoints of all groups, and prepare their probes
 *
 * Context: may sleep; once, when the module is loaded.
 */
void __init fxt_groups_find(void)
{
	unsigned int i;

	fxt_softirq_headers_fill();
#ifdef CONFIG_X86_LOCAL_APIC
	fxt_vector_headers_fill();
#endif
	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++)
		fxt_tracepoints_find(fxt_groups[i].probes, fxt_groups[i].count);
}

/**
 * fxt_groups_available() - which groups does this kernel have the tracepoints for?
 *
 * Context: any.
 *
 * Return: FXT_SCHED_EVENTS_*.
 */
u64 fxt_groups_available(void)
{
	u64 events = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++)
		if (!fxt_tracepoints_missing(fxt_groups[i].probes, fxt_groups[i].count))
			events |= fxt_groups[i].events;
	return events;
}

/**
 * fxt_groups_check() - can a session have its groups on this kernel?
 * @events: FXT_SCHED_EVENTS_* of a session
 * @reason: says which group it cannot have, and why
 *
 * Context: any.
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int fxt_groups_check(u64 events, struct fxt_reason *reason)
{
	const struct fxt_group *group;
	const char *missing;

	for (group = fxt_groups; group < fxt_groups + ARRAY_SIZE(fxt_groups); group++) {
		if (!(events & group->events))
			continue;
		events &= ~group->events;
		missing = fxt_tracepoints_missing(group->probes, group->count);
		if (missing)
			return fxt_refuse(reason, -EOPNOTSUPP,
					  "events: group %s: this kernel has no tracepoint %s",
					  fxt_group_name(group), missing);
	}
	if (events)
		return fxt_refuse(reason, -EOPNOTSUPP,
				  "events: the module does not know 0x%llx", events);
	return 0;
}

static bool fxt_group_is_on(const struct fxt_group *group, const struct fxt_session *ss)
{
	return ss->config.events & group->events &&
	       !(group->threadless && ss->filter.by_thread);
}

static void fxt_groups_unregister_some(struct fxt_session *ss, unsigned int count)
{
	while (count--)
		if (fxt_group_is_on(&fxt_groups[count], ss))
			fxt_tracepoints_unregister(fxt_groups[count].probes,
						   fxt_groups[count].count, ss);
}

/**
 * fxt_groups_register() - register the probes of a session's groups; nothing is recorded yet
 * @ss: the session
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno.
 */
int fxt_groups_register(struct fxt_session *ss)
{
	unsigned int i;
	int cpu, ret;

	/* Slices that a previous trace has seen begin, and not end. */
	for_each_possible_cpu(cpu)
		fxt_event_cpu_clear(&per_cpu_ptr(ss->cpus, cpu)->open);
	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++) {
		if (!fxt_group_is_on(&fxt_groups[i], ss))
			continue;
		ret = fxt_tracepoints_register(fxt_groups[i].probes, fxt_groups[i].count, ss);
		if (ret) {
			fxt_groups_unregister_some(ss, i);
			return ret;
		}
	}
	return 0;
}

/**
 * fxt_groups_unregister() - undo fxt_groups_register(); the probes may still run
 * @ss: the session
 *
 * Context: may sleep.
 */
void fxt_groups_unregister(struct fxt_session *ss)
{
	fxt_groups_unregister_some(ss, ARRAY_SIZE(fxt_groups));
}
