// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - see events.h.
 *
 * In: groups of events; the kernel's types, which name its tracepoints. Out: programs to
 * load, attached to all tracepoints and functions of the groups.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include "bpf/custom.h"
#include "bpf/filter.h"
#include "bpf/frames.h"
#include "bpf/owner.h"
#include "bpf/ring.h"
#include "bpf/stack_config.h"
#include "bpf/fxt_sched.skel.h"
#include "source/cgroups.h"
#include "source/source.h"
#include "events.h"
#include "types.h"

/* The programs; several tracepoints can share one. */
enum event_program {
	IRQ_ENTRY,
	IRQ_EXIT,
	SOFTIRQ_ENTRY,
	SOFTIRQ_EXIT,
	VECTOR_ENTRY,
	VECTOR_EXIT,
	IPI_ENTRY,
	IPI_EXIT,
	MIGRATE,
	IDLE,
	IDLE_MISS,
	FREQUENCY,
	FREQUENCY_LIMITS,
	WORK_START,
	WORK_END,
	TASK_FORK,
	TASK_EXIT,
	TASK_PRIORITY,
	SYSCALL_ENTER,
	SYSCALL_EXIT,
	SYSCALL_END,
	SYSCALL_EXEC,
	RUN_QUEUE,
	PELT_CPU,
	PELT_THREAD,
	IPI_CPU,
	IPI_CPUS,
	SIGNAL_SENT,
	SIGNAL_TAKEN,
	THROTTLE,
	UNTHROTTLE,
	EVENT_PROGRAMS,
};

/**
 * struct hook - a tracepoint or a function of a group
 * @group: FXT_SCHED_EVENTS_*
 * @event: its name
 * @program: what is attached
 * @is_optional: the group is recorded without it if the kernel lacks it
 *
 * Ends of slices come before their beginnings: so no beginning stays behind that the
 * program of its end has not seen.
 */
struct hook {
	uint64_t group;
	const char *event;
	enum event_program program;
	bool is_optional;
};

#define VECTOR(name)							\
	{ FXT_SCHED_EVENTS_IRQ, name "_exit", VECTOR_EXIT, true },	\
	{ FXT_SCHED_EVENTS_IRQ, name "_entry", VECTOR_ENTRY, true }

static const struct hook hooks[] = {
	{ FXT_SCHED_EVENTS_IRQ, "irq_handler_exit", IRQ_EXIT, false },
	{ FXT_SCHED_EVENTS_IRQ, "irq_handler_entry", IRQ_ENTRY, false },
	{ FXT_SCHED_EVENTS_IRQ, "softirq_exit", SOFTIRQ_EXIT, false },
	{ FXT_SCHED_EVENTS_IRQ, "softirq_entry", SOFTIRQ_ENTRY, false },
	/* Those of x86 that this kernel is built with. */
	VECTOR("local_timer"), VECTOR("reschedule"), VECTOR("call_function"),
	VECTOR("call_function_single"), VECTOR("irq_work"), VECTOR("x86_platform_ipi"),
	VECTOR("thermal_apic"), VECTOR("error_apic"), VECTOR("spurious_apic"),
	VECTOR("threshold_apic"), VECTOR("deferred_error_apic"),
#ifdef __aarch64__
	{ FXT_SCHED_EVENTS_IRQ, "ipi_exit", IPI_EXIT, true },
	{ FXT_SCHED_EVENTS_IRQ, "ipi_entry", IPI_ENTRY, true },
#endif
	{ FXT_SCHED_EVENTS_MIGRATE, "sched_migrate_task", MIGRATE, false },
	{ FXT_SCHED_EVENTS_IDLE, "cpu_idle", IDLE, false },
	{ FXT_SCHED_EVENTS_IDLE, "cpu_idle_miss", IDLE_MISS, true },
	{ FXT_SCHED_EVENTS_FREQ, "cpu_frequency", FREQUENCY, false },
	{ FXT_SCHED_EVENTS_FREQ, "cpu_frequency_limits", FREQUENCY_LIMITS, false },
	{ FXT_SCHED_EVENTS_WORK, "workqueue_execute_end", WORK_END, false },
	{ FXT_SCHED_EVENTS_WORK, "workqueue_execute_start", WORK_START, false },
	{ FXT_SCHED_EVENTS_TASK, "sched_process_fork", TASK_FORK, false },
	{ FXT_SCHED_EVENTS_TASK, "sched_process_exit", TASK_EXIT, false },
	{ FXT_SCHED_EVENTS_TASK, "sched_pi_setprio", TASK_PRIORITY, false },
	{ FXT_SCHED_EVENTS_SYSCALL, "sched_process_exit", SYSCALL_END, false },
	{ FXT_SCHED_EVENTS_SYSCALL, "sched_process_exec", SYSCALL_EXEC, false },
	{ FXT_SCHED_EVENTS_SYSCALL, "sys_exit", SYSCALL_EXIT, false },
	{ FXT_SCHED_EVENTS_SYSCALL, "sys_enter", SYSCALL_ENTER, false },
	{ FXT_SCHED_EVENTS_LOAD, "sched_update_nr_running_tp", RUN_QUEUE, false },
	{ FXT_SCHED_EVENTS_LOAD, "pelt_cfs_tp", PELT_CPU, false },
	{ FXT_SCHED_EVENTS_LOAD, "pelt_se_tp", PELT_THREAD, false },
	{ FXT_SCHED_EVENTS_IPI, "ipi_send_cpu", IPI_CPU, false },
	{ FXT_SCHED_EVENTS_IPI, "ipi_send_cpumask", IPI_CPUS, false },
	{ FXT_SCHED_EVENTS_SIGNAL, "signal_generate", SIGNAL_SENT, false },
	{ FXT_SCHED_EVENTS_SIGNAL, "signal_deliver", SIGNAL_TAKEN, false },
	{ FXT_SCHED_EVENTS_THROTTLE, "unthrottle_cfs_rq", UNTHROTTLE, true },
	{ FXT_SCHED_EVENTS_THROTTLE, "throttle_cfs_rq", THROTTLE, true },
};

#define HOOKS	(sizeof(hooks) / sizeof(hooks[0]))

_Static_assert(HOOKS <= EVENT_HOOKS, "all hooks have room");

/* Without hooks the collector's own counters remain: source/cgroups.h. */
static bool lacks_throttle(struct event_programs *e, const struct kernel_types *t, char *why,
			   size_t room)
{
	static const char * const functions[] = {
		"throttle_cfs_rq", "unthrottle_cfs_rq", NULL,
	};
	const char *lacks = cgroups_lack_quotas();

	e->functions = hook_find(functions, t);
	if (e->functions != HOOK_NONE || !lacks)
		return false;
	snprintf(why, room, "this kernel lets no program be attached to throttle_cfs_rq, and %s",
		 lacks);
	return true;
}

bool events_lacking(struct event_programs *e, const struct kernel_types *t, uint64_t group,
		    char *why, size_t room)
{
	size_t i;

	if (group == FXT_SCHED_EVENTS_THROTTLE)
		return lacks_throttle(e, t, why, room);
	for (i = 0; i < HOOKS; i++) {
		if (hooks[i].group != group || hooks[i].is_optional ||
		    kernel_types_have_event(t, hooks[i].event))
			continue;
		snprintf(why, room, "this kernel lacks the tracepoint %s", hooks[i].event);
		return true;
	}
	if (group == FXT_SCHED_EVENTS_WORK &&
	    libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_snprintf, NULL) != 1) {
		snprintf(why, room, "this kernel's BPF cannot tell the names of functions (Linux 5.13 or later is required)");
		return true;
	}
	if (group == FXT_SCHED_EVENTS_SYSCALL && !kernel_types_have_field(t, "pt_regs", "orig_ax") &&
	    !kernel_types_have_field(t, "pt_regs", "syscallno")) {
		snprintf(why, room, "BPF cannot tell the numbers of system calls on this architecture");
		return true;
	}
	return false;
}

bool events_interrupted(uint64_t groups)
{
	return groups & ~(FXT_SCHED_EVENTS_SCHED | FXT_SCHED_EVENTS_MIGRATE |
			  FXT_SCHED_EVENTS_LOAD | FXT_SCHED_EVENTS_THROTTLE |
			  FXT_SCHED_EVENTS_SIGNAL);
}

/* @direct: reads with plain loads; if attached to a function, it is by fentry */
static struct bpf_program *program_of(struct fxt_sched_bpf *skel, enum event_program program,
				      bool direct)
{
	struct bpf_program * const all[EVENT_PROGRAMS] = {
		[IRQ_ENTRY] = skel->progs.on_irq_handler_entry,
		[IRQ_EXIT] = direct ? skel->progs.on_irq_handler_exit_btf :
				      skel->progs.on_irq_handler_exit_raw,
		[SOFTIRQ_ENTRY] = skel->progs.on_softirq_entry,
		[SOFTIRQ_EXIT] = skel->progs.on_softirq_exit,
		[VECTOR_ENTRY] = skel->progs.on_vector_entries,
		[VECTOR_EXIT] = skel->progs.on_vector_exits,
		[IPI_ENTRY] = skel->progs.on_ipi_entry,
		[IPI_EXIT] = skel->progs.on_ipi_exit,
		[MIGRATE] = direct ? skel->progs.on_sched_migrate_task_btf :
				     skel->progs.on_sched_migrate_task_raw,
		[IDLE] = skel->progs.on_cpu_idle,
		[IDLE_MISS] = skel->progs.on_cpu_idle_miss,
		[FREQUENCY] = skel->progs.on_cpu_frequency,
		[FREQUENCY_LIMITS] = skel->progs.on_cpu_frequency_limits,
		[WORK_START] = skel->progs.on_workqueue_execute_start,
		[WORK_END] = skel->progs.on_workqueue_execute_end,
		[TASK_FORK] = skel->progs.on_task_fork,
		[TASK_EXIT] = skel->progs.on_task_exit,
		[TASK_PRIORITY] = skel->progs.on_task_priority,
		[SYSCALL_ENTER] = skel->progs.on_sys_enter,
		[SYSCALL_EXIT] = skel->progs.on_sys_exit,
		[SYSCALL_END] = skel->progs.on_syscall_end,
		[SYSCALL_EXEC] = skel->progs.on_syscall_exec,
		[RUN_QUEUE] = skel->progs.on_nr_running,
		[PELT_CPU] = skel->progs.on_pelt_cpu,
		[PELT_THREAD] = skel->progs.on_pelt_thread,
		[IPI_CPU] = skel->progs.on_ipi_cpu,
		[IPI_CPUS] = skel->progs.on_ipi_cpus,
		[SIGNAL_SENT] = skel->progs.on_signal_generate,
		[SIGNAL_TAKEN] = skel->progs.on_signal_deliver,
		[THROTTLE] = direct ? skel->progs.on_throttle_cfs_rq_fentry :
				      skel->progs.on_throttle_cfs_rq_kprobe,
		[UNTHROTTLE] = direct ? skel->progs.on_unthrottle_cfs_rq_fentry :
					skel->progs.on_unthrottle_cfs_rq_kprobe,
	};

	return all[program];
}

/* The others are tracepoints. */
static bool is_function(const struct hook *h)
{
	return h->program == THROTTLE || h->program == UNTHROTTLE;
}

static bool has_hook(const struct event_programs *e, const struct kernel_types *t,
		     const struct hook *h)
{
	return is_function(h) ? e->functions != HOOK_NONE : kernel_types_have_event(t, h->event);
}

void events_choose(struct event_programs *e, struct fxt_sched_bpf *skel,
		   const struct kernel_types *t, const struct source_config *c, bool direct)
{
	/* Averages of threads are too many unless some processes are selected. */
	bool of_threads = c->filter && c->filter->pid_count;
	size_t i;

	e->direct = direct;
	for (i = 0; i < EVENT_PROGRAMS; i++) {
		bpf_program__set_autoload(program_of(skel, i, false), false);
		bpf_program__set_autoload(program_of(skel, i, true), false);
	}
	for (i = 0; i < HOOKS; i++) {
		e->progs[i] = NULL;
		if (!(hooks[i].group & c->events) || !has_hook(e, t, &hooks[i]) ||
		    (hooks[i].program == PELT_THREAD && !of_threads))
			continue;
		e->progs[i] = program_of(skel, hooks[i].program,
					 is_function(&hooks[i]) ? e->functions == HOOK_FENTRY :
								direct);
		bpf_program__set_autoload(e->progs[i], true);
	}
}

static struct bpf_link *attach(const struct bpf_program *prog, const char *event)
{
	switch (bpf_program__expected_attach_type(prog)) {
	case BPF_TRACE_RAW_TP:
	case BPF_TRACE_FENTRY:
		return bpf_program__attach_trace(prog);
	default:
		if (bpf_program__type(prog) == BPF_PROG_TYPE_KPROBE)
			return bpf_program__attach_kprobe(prog, false, event);
		return bpf_program__attach_raw_tracepoint(prog, event);
	}
}

int events_attach(struct event_programs *e)
{
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		if (!e->progs[i] || e->links[i])
			continue;
		e->links[i] = attach(e->progs[i], hooks[i].event);
		if (!e->links[i])
			return -errno;
	}
	return 0;
}

void events_detach(struct event_programs *e)
{
	size_t i;

	for (i = 0; i < HOOKS; i++) {
		bpf_link__destroy(e->links[i]);
		e->links[i] = NULL;
	}
}

void events_each(const struct event_programs *e,
		 void (*visit)(const struct bpf_program *prog, void *arg), void *arg)
{
	size_t i, j;

	for (i = 0; i < HOOKS; i++) {
		/* Once, however many tracepoints it is attached to. */
		for (j = 0; j < i && e->progs[j] != e->progs[i]; j++)
			;
		if (e->progs[i] && j == i)
			visit(e->progs[i], arg);
	}
}
