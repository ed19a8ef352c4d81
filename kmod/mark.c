// SPDX-License-Identifier: GPL-2.0
/*
 * mark.c - finds which thread has a CPU at this moment.
 *
 * In:  the number of a CPU.
 * Out: the thread that an interrupt finds there, with its weight and the time, for the collector,
 * which makes a record of it (fxt_mark.h). A CPU that switches no threads would otherwise be
 * missing from the archive.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <linux/fxt_sched.h>

#include "record.h"
#include "session.h"

/* Argument of the interrupt. */
struct fxt_mark_call {
	struct fxt_session *ss;
	struct fxt_sched_mark *mark;	/* filled in */
	int ret;			/* 0 or -ENODATA */
};

/* Context: an interrupt, interrupts disabled, so no thread is switched in or out here. */
static void fxt_mark_here(void *info)
{
	struct fxt_mark_call *call = info;
	struct fxt_session *ss = call->ss;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (ss->filter.by_thread && !fxt_filter_matches(&ss->filter, &ss->tasks, current)) {
		call->ret = -ENODATA;
		return;
	}
	/* The switch that ends the thread's run gets a record, even if it stops matching. */
	if (ss->filter.by_thread)
		s->current_known = true;
	call->mark->thread = current->pid;
	call->mark->weight = fxt_slow_weight(ss, current);
	call->mark->time = fxt_stream_now(s, &ss->clock);
}

/**
 * fxt_mark_take() - which thread has a CPU?
 * @ss: the session
 * @mark: with the number of a CPU; the rest is filled in
 *
 * Context: may sleep; serialized (device.c).
 *
 * Return: 0; -EINVAL if @reserved is not 0, or if there is a filter by thread and no probes, which
 * know what threads match it; -ENXIO if the CPU is offline or does not exist; -ENODATA if the filter
 * keeps nothing of the CPU or of the thread.
 */
int fxt_mark_take(struct fxt_session *ss, struct fxt_sched_mark *mark)
{
	struct fxt_mark_call call = { .ss = ss, .mark = mark };
	int ret;

	if (mark->reserved || (ss->filter.by_thread && !ss->started))
		return -EINVAL;
	if (mark->cpu >= nr_cpu_ids || !cpu_possible(mark->cpu))
		return -ENXIO;
	/* Do not interrupt it: it may be isolated. */
	if (!per_cpu_ptr(ss->cpus, mark->cpu)->cpu_traced)
		return -ENODATA;
	ret = smp_call_function_single(mark->cpu, fxt_mark_here, &call, 1);
	return ret ? ret : call.ret;
}
