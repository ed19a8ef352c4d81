// SPDX-License-Identifier: GPL-2.0
/*
 * probes.c - a session's probes, registered and unregistered in an order that loses nothing.
 *
 * In:  sessions that start and stop tracing. Out: the probes of switch.c, wakeup.c,
 * lifecycle.c and of the session's event groups (groups.c), registered.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "clock.h"
#include "groups.h"
#include "lifecycle.h"
#include "probes.h"
#include "session.h"
#include "switch.h"
#include "tracepoints.h"
#include "wakeup.h"

/* Probes that learn about threads, and evaluate the filter for them. */
static struct fxt_probe fxt_lifecycle_probes[] = {
	FXT_PROBE("sched_process_fork", fxt_probe_fork),
	FXT_PROBE("sched_process_exec", fxt_probe_exec),
	FXT_PROBE("task_rename", fxt_probe_rename),
	FXT_PROBE("sched_process_exit", fxt_probe_exit),
	FXT_PROBE("sched_wakeup_new", fxt_probe_wakeup_new),
};

/*
 * Registered in this order, unregistered in reverse.
 *
 * Wakeups come before switches: as long as the probes see threads go to sleep, they see
 * their wakeups. sched_wakeup comes before sched_waking: what the latter notes about a
 * sleeping thread, the wakeup clears. If the wakeup were missed, the thread would count as
 * blocked until its next one, which need not be from sleep: a thread can be preempted on
 * its way to sleep, and woken on its run queue.
 */
static struct fxt_probe fxt_sched_probes[] = {
	{ "sched_wakeup",
	  { fxt_probe_wakeup_slow, fxt_probe_wakeup_boot, fxt_probe_wakeup_mono,
	    fxt_probe_wakeup_tsc } },
	{ "sched_waking",
	  { fxt_probe_waking_slow, fxt_probe_waking_fast, fxt_probe_waking_fast,
	    fxt_probe_waking_fast } },
	{ "sched_switch",
	  { fxt_probe_switch_slow, fxt_probe_switch_boot, fxt_probe_switch_mono,
	    fxt_probe_switch_tsc } },
};

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_probes(void)
{
	check_trace_callback_type_sched_process_fork(fxt_probe_fork);
	check_trace_callback_type_sched_process_exec(fxt_probe_exec);
	check_trace_callback_type_task_rename(fxt_probe_rename);
	check_trace_callback_type_sched_process_exit(fxt_probe_exit);
	check_trace_callback_type_sched_waking(fxt_probe_waking_slow);
	check_trace_callback_type_sched_waking(fxt_probe_waking_fast);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_slow);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_boot);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_mono);
	check_trace_callback_type_sched_wakeup(fxt_probe_wakeup_tsc);
	check_trace_callback_type_sched_wakeup_new(fxt_probe_wakeup_new);
	check_trace_callback_type_sched_switch(fxt_probe_switch_slow);
	check_trace_callback_type_sched_switch(fxt_probe_switch_boot);
	check_trace_callback_type_sched_switch(fxt_probe_switch_mono);
	check_trace_callback_type_sched_switch(fxt_probe_switch_tsc);
}

static int fxt_probes_missing(const struct fxt_probe *probes, unsigned int count)
{
	const char *missing = fxt_tracepoints_missing(probes, count);

	if (!missing)
		return 0;
	pr_err("this kernel has no tracepoint %s, which the module requires\n", missing);
	return -ENOENT;
}

/**
 * fxt_probes_find() - find the tracepoints
 *
 * Context: may sleep; once, when the module is loaded.
 *
 * Return: 0, or -ENOENT with a line in the kernel log. Event groups may lack theirs.
 */
int __init fxt_probes_find(void)
{
	int ret;

	fxt_tracepoints_find(fxt_lifecycle_probes, ARRAY_SIZE(fxt_lifecycle_probes));
	fxt_tracepoints_find(fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes));
	fxt_groups_find();
	ret = fxt_probes_missing(fxt_lifecycle_probes, ARRAY_SIZE(fxt_lifecycle_probes));
	if (!ret)
		ret = fxt_probes_missing(fxt_sched_probes,
					 ARRAY_SIZE(fxt_sched_probes));
	return ret;
}

/**
 * fxt_probes_start() - register the probes; nothing is recorded yet
 * @ss: the session
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno.
 */
int fxt_probes_start(struct fxt_session *ss)
{
	int ret;

	/* Its content is of a previous trace. The probes have missed all events since. */
	fxt_task_table_clear(&ss->tasks);
	fxt_saved_stacks_clear(&ss->stacks.saved);
	ret = fxt_clock_start(&ss->clock);
	if (ret)
		return ret;
	ret = fxt_tracepoints_register(fxt_lifecycle_probes, ARRAY_SIZE(fxt_lifecycle_probes), ss);
	if (ret)
		goto out;
	/*
	 * Here no new or renamed thread is missed any more, and no thread goes to sleep
	 * without a slot yet.
	 */
	ret = fxt_task_table_populate(&ss->tasks);
	if (ret)
		goto unregister_lifecycle;
	fxt_filter_populate(&ss->filter, &ss->tasks);
	ret = fxt_tracepoints_register(fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes), ss);
	if (ret)
		goto unregister_lifecycle;
	ret = fxt_groups_register(ss);
	if (!ret)
		return 0;
	fxt_tracepoints_unregister(fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes), ss);
unregister_lifecycle:
	fxt_tracepoints_unregister(fxt_lifecycle_probes, ARRAY_SIZE(fxt_lifecycle_probes), ss);
out:
	fxt_probes_finish(ss);
	return ret;
}

static void fxt_fence_here(void *unused)
{
}

/**
 * fxt_probes_fence() - wait until no probe writes what an older value of the session allowed
 *
 * A probe turns irqs off before it looks whether there is a recording, and on again after its
 * last store to a stream. So an interrupt on each CPU comes after all that has looked before,
 * and its caller sees their stores. A grace period would do as well, but a machine without idle
 * time can delay one for as long as its load lasts.
 *
 * A CPU that is on its way offline writes records without taking interrupts; there is none under
 * cpus_read_lock().
 *
 * Context: may sleep.
 */
void fxt_probes_fence(void)
{
	cpus_read_lock();
	on_each_cpu(fxt_fence_here, NULL, 1);
	cpus_read_unlock();
}

/**
 * fxt_probes_stop() - unregister the probes; they may still run, and use the session's memory
 * @ss: the session
 *
 * Context: may sleep.
 */
void fxt_probes_stop(struct fxt_session *ss)
{
	fxt_groups_unregister(ss);
	fxt_tracepoints_unregister(fxt_sched_probes, ARRAY_SIZE(fxt_sched_probes), ss);
	fxt_tracepoints_unregister(fxt_lifecycle_probes, ARRAY_SIZE(fxt_lifecycle_probes), ss);
}

/**
 * fxt_probes_finish() - wait for the last of the probes that fxt_probes_stop() unregistered
 * @ss: the session
 *
 * Context: may sleep, as long as a grace period takes.
 */
void fxt_probes_finish(struct fxt_session *ss)
{
	tracepoint_synchronize_unregister();
	fxt_clock_stop(&ss->clock);
}
