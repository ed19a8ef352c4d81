// SPDX-License-Identifier: GPL-2.0-only
/*
 * steal.c - time in which the hypervisor ran something else on a CPU.
 *
 * In:  the kernel's count of it for each CPU, as in /proc/stat; sched_switch.
 * Out: a counter in the stream of the CPU if the count has grown since the last switch.
 *
 * The kernel counts at its ticks, so up to a tick of the growth can be from before the run that the
 * switch ends.
 *
 * Context: as in switch.c.
 */
#include <linux/kernel_stat.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include <fxt/fxt_sched_load.h>

#include "compat.h"
#include "event.h"
#include "probes.h"

u64 fxt_steal_now(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
}

static void FXT_PROBE_SWITCH(fxt_probe_steal)
{
	struct fxt_session *ss = data;
	u64 *known = &this_cpu_ptr(ss->cpus)->open.steal, now = fxt_steal_now();
	struct fxt_event e;

	if (likely(now == *known))
		return;
	*known = now;
	if (fxt_event_begin(ss, &e, prev, FXT_SCHED_STEAL_WORDS))
		fxt_event_end(&e, fxt_sched_put_steal(e.rec, e.time, e.s->id, now,
						      FXT_STR_CATEGORY));
}

/* First, so that the record precedes that of the switch. */
static struct fxt_probe fxt_steal_probes[] = {
	FXT_PROBE(sched_switch, fxt_probe_steal, .is_first = true),
};

const struct fxt_group fxt_steal_group =
	FXT_GROUP(FXT_SCHED_EVENTS_STEAL, fxt_steal_probes, .threadless = true);
