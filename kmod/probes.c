// SPDX-License-Identifier: GPL-2.0-only
/*
 * probes.c - registers and unregisters a session's probes in an order that loses nothing.
 *
 * In:  the groups of all files of probes; sessions that start and stop tracing.
 * Out: the registered probes that a session needs, with the session as their data; or why this
 *      kernel cannot serve it. Groups that no session has are not registered, and cost nothing.
 *
 * If a kernel lacks a tracepoint of a group, sessions cannot have that group. Optional tracepoints
 * only add to what their group records.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <linux/fxt_sched.h>

#include "clock.h"
#include "event.h"
#include "probes.h"
#include "session.h"
#include "util.h"

#define FXT_GROUP_ADDRESS(name)	&fxt_##name##_group,

/*
 * Registered in this order, unregistered in reverse. Wakeups come before switches: as long as
 * probes see threads go to sleep, they see their wakeups.
 */
static const struct fxt_group * const fxt_groups[] = {
	/* The first group learns about threads, and evaluates the filter for them. */
	&fxt_lifecycle_group,
	&fxt_wakeup_group, &fxt_bare_wakeup_group, &fxt_waking_group, &fxt_bare_waking_group,
	&fxt_switch_group, &fxt_bare_switch_group, &fxt_waking_switch_group,
	&fxt_bare_waking_switch_group,
	FXT_EVENT_GROUPS(FXT_GROUP_ADDRESS)
};

/* For the last groups, which users can choose. @group: index of fxt_groups[] */
static const char *fxt_group_name(unsigned int group)
{
#define FXT_GROUP_NAME(name)	#name,
	static const char * const names[] = { FXT_EVENT_GROUPS(FXT_GROUP_NAME) };

	return names[group - (ARRAY_SIZE(fxt_groups) - ARRAY_SIZE(names))];
}

static void fxt_match_tracepoint(struct tracepoint *tp, void *unused)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++)
		for (j = 0; j < fxt_groups[i]->count; j++)
			if (!strcmp(tp->name, fxt_groups[i]->probes[j].name))
				fxt_groups[i]->probes[j].tp = tp;
}

/* Return: the first required tracepoint that the kernel lacks; or NULL. */
static const char *fxt_group_lacks(const struct fxt_group *group)
{
	unsigned int i;

	for (i = 0; i < group->count; i++)
		if (!group->probes[i].tp && !group->probes[i].optional)
			return group->probes[i].name;
	return NULL;
}

/*
 * Most tracepoints are not exported to modules, so find them. Event groups may lack theirs.
 * Context: may sleep; once, when the module is loaded. Return: 0, or -ENOENT with a line in the
 * kernel log.
 */
int __init fxt_probes_find(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(fxt_match_tracepoint, NULL);
	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++) {
		if (fxt_groups[i]->events || !fxt_group_lacks(fxt_groups[i]))
			continue;
		pr_err("this kernel has no tracepoint %s, which the module requires\n",
		       fxt_group_lacks(fxt_groups[i]));
		return -ENOENT;
	}
	return 0;
}

/* Return: FXT_SCHED_EVENTS_* for which this kernel has the tracepoints. */
u64 fxt_groups_available(void)
{
	u64 known = 0, lacking = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++) {
		known |= fxt_groups[i]->events;
		if (fxt_group_lacks(fxt_groups[i]))
			lacking |= fxt_groups[i]->events;
	}
	return known & ~lacking;
}

/*
 * Can a session have these groups, FXT_SCHED_EVENTS_*? Return: 0; with a reason, -EINVAL for
 * unknown groups, -EOPNOTSUPP if this kernel lacks a tracepoint.
 */
int fxt_groups_check(u64 events, struct fxt_reason *reason)
{
	u64 unknown = events;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fxt_groups); i++) {
		const char *missing = fxt_group_lacks(fxt_groups[i]);

		unknown &= ~fxt_groups[i]->events;
		if (events & fxt_groups[i]->events && missing)
			return fxt_refuse(reason, -EOPNOTSUPP,
					  "events: group %s: this kernel has no tracepoint %s",
					  fxt_group_name(i), missing);
	}
	return !unknown ? 0 : fxt_refuse(reason, -EINVAL,
					 "events: the module does not know 0x%llx", unknown);
}

static bool fxt_group_is_on(const struct fxt_group *group, const struct fxt_session *ss)
{
	if (group->by_form)
		return ss->config.form == group->form;
	return !group->events || (ss->config.events & group->events &&
				  !(group->threadless && ss->filter.by_thread));
}

/* Context: the session's clock has been started. */
static enum fxt_probes fxt_probes_for(const struct fxt_session *ss)
{
	if (ss->filter.active || fxt_trigger_is_on(&ss->trigger) ||
	    ss->config.priorities || ss->config.stacks & FXT_STACKS_EVENTS)
		return FXT_PROBES_SLOW;
	return fxt_clock_probes(&ss->clock);
}

/* The probes may run until fxt_probes_finish(). */
static void fxt_unregister(const struct fxt_probe *probes, unsigned int count,
			   struct fxt_session *ss)
{
	while (count--)
		if (probes[count].tp)
			tracepoint_probe_unregister(probes[count].tp,
						    probes[count].func[ss->probes], ss);
}

/* All or none. */
static int fxt_group_register(const struct fxt_group *group, struct fxt_session *ss)
{
	const struct fxt_probe *probes = group->probes;
	unsigned int i;
	int ret;

	for (i = 0; fxt_group_is_on(group, ss) && i < group->count; i++) {
		if (!probes[i].tp)
			continue;
		ret = tracepoint_probe_register_prio(probes[i].tp, probes[i].func[ss->probes], ss,
						     TRACEPOINT_DEFAULT_PRIO + probes[i].is_first);
		if (!ret)
			continue;
		pr_err("cannot register the probe of %s: error %d\n", probes[i].name, ret);
		fxt_unregister(probes, i, ss);
		return ret;
	}
	return 0;
}

static void fxt_groups_unregister(struct fxt_session *ss, unsigned int count)
{
	while (count--)
		if (fxt_group_is_on(fxt_groups[count], ss))
			fxt_unregister(fxt_groups[count]->probes, fxt_groups[count]->count, ss);
}

/* Forget state of a previous trace. The probes have missed all events since. */
static void fxt_probes_clear(struct fxt_session *ss)
{
	int cpu;

	fxt_task_table_clear(&ss->tasks);
	fxt_saved_stacks_clear(&ss->saved_stacks);
	for_each_possible_cpu(cpu)
		memset(&per_cpu_ptr(ss->cpus, cpu)->open, 0, sizeof(struct fxt_event_cpu));
}

/* Context: may sleep; nothing is recorded yet. Return: 0 or a negative errno. */
int fxt_probes_start(struct fxt_session *ss)
{
	unsigned int i = 0;
	int ret;

	fxt_probes_clear(ss);
	ss->secret = get_random_u64();
	ret = fxt_clock_start(&ss->clock);
	if (ret)
		return ret;
	ss->probes = fxt_probes_for(ss);
	ret = fxt_group_register(&fxt_lifecycle_group, ss);
	if (ret)
		goto failed;
	/*
	 * From here on no new or renamed thread is missed, and no thread without a slot goes to
	 * sleep.
	 */
	i = 1;
	ret = fxt_task_table_populate(&ss->tasks);
	if (ret)
		goto failed;
	fxt_filter_populate(&ss->filter, &ss->tasks);
	for (; i < ARRAY_SIZE(fxt_groups); i++) {
		ret = fxt_group_register(fxt_groups[i], ss);
		if (ret)
			goto failed;
	}
	ret = fxt_samples_start(ss);
	if (!ret)
		return 0;
failed:
	fxt_groups_unregister(ss, i);
	fxt_probes_finish(ss);
	return ret;
}

static void fxt_fence_here(void *unused)
{
}

/*
 * Wait until no probe writes what an older value of the session allowed. A probe disables
 * interrupts before it checks that there is a recording, and enables them after its last store to a
 * stream. So an interrupt on each CPU comes after all earlier checks, and the caller sees their
 * stores. A grace period would do as well, but a machine without idle time can delay one as long as
 * its load lasts.
 *
 * A CPU on its way offline writes records without taking interrupts; there is none under
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

/* The probes may still run, and use the session's memory. Context: may sleep. */
void fxt_probes_stop(struct fxt_session *ss)
{
	fxt_samples_stop(ss);
	fxt_groups_unregister(ss, ARRAY_SIZE(fxt_groups));
}

/*
 * Wait for the last probes after fxt_probes_stop(). Context: may sleep, as long as a grace period
 * takes.
 */
void fxt_probes_finish(struct fxt_session *ss)
{
	tracepoint_synchronize_unregister();
	fxt_clock_stop(&ss->clock);
}
