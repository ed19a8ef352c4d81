// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoints.c - finding tracepoints, registering and unregistering lists of probes.
 *
 * In:  lists of names of tracepoints and their probes. Out: probes that are registered,
 * with the session as their data.
 *
 * Context of all functions: may sleep.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "session.h"
#include "tracepoints.h"

/**
 * struct fxt_probe_list - arguments of fxt_match_tracepoint()
 * @probes: the list
 * @count: its length
 */
struct fxt_probe_list {
	struct fxt_probe *probes;
	unsigned int count;
};

static void fxt_match_tracepoint(struct tracepoint *tp, void *priv)
{
	const struct fxt_probe_list *list = priv;
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (!strcmp(tp->name, list->probes[i].name))
			list->probes[i].tp = tp;
}

/**
 * fxt_tracepoints_find() - find the tracepoints, most of which are not exported to modules
 * @probes: the list
 * @count: its length
 */
void fxt_tracepoints_find(struct fxt_probe *probes, unsigned int count)
{
	struct fxt_probe_list list = { probes, count };

	for_each_kernel_tracepoint(fxt_match_tracepoint, &list);
}

/**
 * fxt_tracepoints_missing() - does the kernel lack a tracepoint of the list?
 * @probes: the list
 * @count: its length
 *
 * Return: the name of the first one that it lacks, and that is not optional, or NULL.
 */
const char *fxt_tracepoints_missing(const struct fxt_probe *probes, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!probes[i].tp && !probes[i].optional)
			return probes[i].name;
	return NULL;
}

/* The probe that the session registers. */
static void *fxt_probe_func(const struct fxt_probe *probe,
			    const struct fxt_session *ss)
{
	enum fxt_probes which = FXT_PROBES_FAST_BOOT;

	if (ss->filter.active || fxt_trigger_is_on(&ss->trigger) ||
	    ss->config.priorities || ss->stacks.what)
		which = FXT_PROBES_SLOW;
	else if (ss->clock.id == FXT_SCHED_CLOCK_TSC)
		which = FXT_PROBES_FAST_TSC;
	else if (ss->clock.id == CLOCK_MONOTONIC)
		which = FXT_PROBES_FAST_MONO;
	return probe->func[which];
}

/**
 * fxt_tracepoints_unregister() - unregister the probes, in reverse order
 * @probes: the list
 * @count: its length
 * @ss: the session
 *
 * They may still run; see fxt_probes_wait().
 */
void fxt_tracepoints_unregister(const struct fxt_probe *probes, unsigned int count,
				struct fxt_session *ss)
{
	while (count--)
		if (probes[count].tp)
			tracepoint_probe_unregister(probes[count].tp,
						    fxt_probe_func(&probes[count], ss), ss);
}

/**
 * fxt_tracepoints_register() - register the probes, all or none
 * @probes: the list
 * @count: its length
 * @ss: the session
 *
 * Return: 0, or a negative errno with a line in the kernel log.
 */
int fxt_tracepoints_register(const struct fxt_probe *probes, unsigned int count,
			     struct fxt_session *ss)
{
	unsigned int i;
	int ret;

	for (i = 0; i < count; i++) {
		if (!probes[i].tp)
			continue;
		ret = tracepoint_probe_register(probes[i].tp,
						fxt_probe_func(&probes[i], ss), ss);
		if (!ret)
			continue;
		pr_err("cannot register the probe of %s: error %d\n",
		       probes[i].name, ret);
		fxt_tracepoints_unregister(probes, i, ss);
		return ret;
	}
	return 0;
}
