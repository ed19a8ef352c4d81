// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.c - see kernel.h.
 *
 * Archives do not have all that the kernel's lines have: what an interrupt's handler returned,
 * the address of a work item, the arguments of a system call, who interrupts a CPU, and what was
 * told about a signal. The first is written as the most usual value, the others as 0; the handler
 * of a signal as 1 if the program has one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "sched/kernel_types.h"
#include "kernel.h"

#define NOT_IDLE	UINT32_MAX	/* PWR_EVENT_EXIT */

/* x86's vectors, in the order of FXT_STR_VECTOR_*, with their numbers there. */
static const struct {
	const char *name;
	unsigned int number;
} vectors[] = {
	{ "local_timer", 0xec }, { "reschedule", 0xfd }, { "call_function", 0xfc },
	{ "call_function_single", 0xfb }, { "irq_work", 0xf6 }, { "x86_platform_ipi", 0xf7 },
	{ "thermal_apic", 0xfa }, { "error_apic", 0xfe }, { "spurious_apic", 0xff },
	{ "threshold_apic", 0xf9 }, { "deferred_error_apic", 0xf4 },
};

static const struct ftrace_thread *runs_on(const struct ftrace_text *t, uint16_t cpu)
{
	static const struct ftrace_thread idle;

	return t->runs[cpu] ? t->runs[cpu] : &idle;
}

/* A name of the archive, which could end the line. */
static void put_name(struct ftrace_text *t, const char *name)
{
	struct ftrace_comm comm;

	ftrace_comm(t, &comm, name, strlen(name));
	out_bytes(t->o, comm.text, comm.text_length);
}

static void put_irq(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_HARD, e->ns,
			is_entry ? "irq_handler_entry: irq=" : "irq_handler_exit: irq=");
	out_u64(t->o, e->args.irq.number);
	if (is_entry) {
		out_str(t->o, " name=");
		put_name(t, ftrace_source(t, e)->name);
	} else {
		out_str(t->o, " ret=handled");
	}
}

static void put_vector(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	char event[48];
	uint32_t n = e->args.irq.number;

	/* Only a known one is taken. */
	snprintf(event, sizeof(event), "%s_%s: vector=%u", vectors[n].name,
		 is_entry ? "entry" : "exit", vectors[n].number);
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_HARD, e->ns, event);
}

static void put_softirq(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_SOFT, e->ns,
			is_entry ? "softirq_entry: vec=" : "softirq_exit: vec=");
	out_u64(t->o, e->args.irq.number);
	out_str(t->o, " [action=");
	put_name(t, ftrace_source(t, e)->name);
	out_char(t->o, ']');
}

static void put_idle(struct ftrace_text *t, const struct ftrace_event *e, bool is_entry)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"cpu_idle: state=");
	out_u64(t->o, is_entry ? e->args.idle.state : NOT_IDLE);
	out_str(t->o, " cpu_id=");
	out_u64(t->o, e->cpu);
}

static void put_work(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread, bool is_entry)
{
	ftrace_put_head(t, thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_entry ? "workqueue_execute_start: work struct 0000000000000000: function " :
				   "workqueue_execute_end: work struct 0000000000000000: function ");
	put_name(t, ftrace_source(t, e)->name);
}

/* It may have begun on another CPU than that on which it ended. */
static void put_syscall(struct ftrace_text *t, const struct ftrace_event *e,
			const struct ftrace_thread *thread, bool is_entry)
{
	uint16_t cpu = is_entry && thread->runs ? thread->cpu : e->cpu;

	ftrace_put_head(t, thread, cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_entry ? "sys_enter: NR " : "sys_exit: NR ");
	out_u64(t->o, e->args.syscall.number);
	if (is_entry)
		out_str(t->o, " (0, 0, 0, 0, 0, 0)");
	else
		out_printf(t->o, " = %" PRId64, e->args.syscall.ret);
}

static void put_slice(struct ftrace_text *t, const struct ftrace_event *e,
		      const struct ftrace_thread *thread, bool is_entry)
{
	switch (e->what) {
	case KERNEL_IRQ:
		put_irq(t, e, is_entry);
		break;
	case KERNEL_VECTOR:
		put_vector(t, e, is_entry);
		break;
	case KERNEL_SOFTIRQ:
		put_softirq(t, e, is_entry);
		break;
	case KERNEL_IDLE:
		put_idle(t, e, is_entry);
		break;
	case KERNEL_SYSCALL:
		put_syscall(t, e, thread, is_entry);
		break;
	default:
		put_work(t, e, thread, is_entry);
	}
}

static void put_migration(struct ftrace_text *t, const struct ftrace_event *e,
			  const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_migrate_task: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " prio=%" PRIi32 " orig_cpu=%" PRIu32 " dest_cpu=%" PRIu32,
		   thread->koid, thread->prio, e->args.migrate.from_cpu, e->args.migrate.to_cpu);
}

static void put_fork(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread, const struct ftrace_thread *child)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_process_fork: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " child_comm=", thread->koid);
	ftrace_put_comm(t, child, e->cpu);
	out_printf(t->o, " child_pid=%" PRIu64, child->koid);
}

static void put_exit(struct ftrace_text *t, const struct ftrace_event *e,
		     const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_process_exit: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " prio=%" PRIi32, thread->koid, thread->prio);
}

static void put_priority(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			"sched_pi_setprio: comm=");
	ftrace_put_comm(t, thread, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " oldprio=%" PRIi32 " newprio=%" PRIi32, thread->koid,
		   e->args.priority.before, e->args.priority.after);
}

static void put_ipi(struct ftrace_text *t, const struct ftrace_event *e)
{
	bool is_one = e->args.ipi.cpu != KERNEL_EVENT_NO_CPU;
	uint64_t mask = e->args.ipi.mask;

	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns,
			is_one ? "ipi_send_cpu: cpu=" : "ipi_send_cpumask: cpumask=");
	if (is_one)
		out_u64(t->o, e->args.ipi.cpu);
	else
		out_printf(t->o, "%08" PRIx32 ",%08" PRIx32, (uint32_t)(mask >> 32),
			   (uint32_t)mask);
	out_str(t->o, " callsite=0x0 callback=");
	if (e->has_source)
		put_name(t, ftrace_source(t, e)->name);
	else
		out_str(t->o, "0x0");
}

static void put_signal(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *target)
{
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu,
			e->args.signal.is_by_irq ? FXT_SCHED_IRQ_HARD : FXT_SCHED_IRQ_NONE, e->ns,
			"signal_generate: sig=");
	out_u64(t->o, e->args.signal.number);
	out_str(t->o, " errno=0 code=0 comm=");
	ftrace_put_comm(t, target, e->cpu);
	out_printf(t->o, " pid=%" PRIu64 " grp=0 res=%u", target->koid, e->args.signal.result);
}

static void put_delivery(struct ftrace_text *t, const struct ftrace_event *e,
			 const struct ftrace_thread *thread)
{
	ftrace_put_head(t, thread, e->cpu, FXT_SCHED_IRQ_NONE, e->ns, "signal_deliver: sig=");
	out_printf(t->o, "%" PRIu32 " errno=0 code=%" PRIi32 " sa_handler=%u sa_flags=0",
		   e->args.delivery.number, e->args.delivery.code, e->args.delivery.is_handled);
}

static void put_value(struct ftrace_text *t, const struct ftrace_event *e)
{
	char event[80];

	switch (e->what) {
	case KERNEL_FREQUENCY:
		snprintf(event, sizeof(event), "cpu_frequency: state=%" PRIu32 " cpu_id=%u",
			 e->args.frequency.khz, e->cpu);
		break;
	case KERNEL_LIMITS:
		snprintf(event, sizeof(event), "cpu_frequency_limits: min=%" PRIu32 " max=%" PRIu32 " cpu_id=%u",
			 e->args.limits.min_khz, e->args.limits.max_khz, e->cpu);
		break;
	default:
		snprintf(event, sizeof(event), "cpu_idle_miss: cpu_id=%u state=%" PRIu32 " type=%s",
			 e->cpu, e->args.idle_miss.state,
			 e->args.idle_miss.is_below ? "below" : "above");
	}
	ftrace_put_head(t, runs_on(t, e->cpu), e->cpu, FXT_SCHED_IRQ_NONE, e->ns, event);
}

static void put_moment(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	switch (e->what) {
	case KERNEL_MIGRATE:
		put_migration(t, e, thread);
		break;
	case KERNEL_FORK:
		put_fork(t, e, thread, other);
		break;
	case KERNEL_EXIT:
		put_exit(t, e, thread);
		break;
	case KERNEL_PRIORITY:
		put_priority(t, e, thread);
		break;
	case KERNEL_IPI:
		put_ipi(t, e);
		break;
	case KERNEL_SIGNAL:
		put_signal(t, e, other);
		break;
	case KERNEL_DELIVERY:
		put_delivery(t, e, thread);
		break;
	default:
		put_value(t, e);
	}
}

static void put_kernel(struct ftrace_text *t, const struct ftrace_event *e,
		       const struct ftrace_thread *thread, const struct ftrace_thread *other)
{
	if (e->kind == FTRACE_MOMENT)
		put_moment(t, e, thread, other);
	else
		put_slice(t, e, thread, e->kind == FTRACE_ENTRY);
	ftrace_put_end(t);
}

/* A line of a system call has its number. */
static bool has_line(const struct kernel_event *e)
{
	return kernel_event_is_as(e->what, FXT_AS_FTRACE) &&
	       (e->what != KERNEL_SYSCALL || e->args.syscall.number != KERNEL_EVENT_NO_NUMBER);
}

const struct ftrace_sink ftrace_lines = {
	.begin		= ftrace_put_header,
	.put_switch	= ftrace_put_switch,
	.put_wakeup	= ftrace_put_wakeup,
	.put_mark	= ftrace_put_mark,
	.put_newtask	= ftrace_put_newtask,
	.put_rename	= ftrace_put_rename,
	.put_kernel	= put_kernel,
	.takes		= has_line,
};
