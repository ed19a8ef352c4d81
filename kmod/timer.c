// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer.c - timers that expire, except the tick.
 *
 * In:  high-resolution timers and others, before their functions are called.
 * Out: records of fxt_sched_timer.h in the stream of the CPU.
 *
 * Context: interrupts disabled, or a soft interrupt; on PREEMPT_RT also a thread that serves it.
 */
#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <trace/events/timer.h>

#include <fxt/fxt_sched_timer.h>

#include "compat.h"
#include "event.h"
#include "label.h"
#include "probes.h"

/* The thread that sleeps until the timer expires; the timer's function clears it. */
static u32 fxt_sleeper(struct hrtimer *timer)
{
	const struct task_struct *p = container_of(timer, struct hrtimer_sleeper, timer)->task;

	return p ? p->pid : 0;
}

static void FXT_PROBE_HRTIMER(fxt_probe_hrtimer)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	struct fxt_event e;

	name = fxt_function_name(ss->function_names, ACCESS_PRIVATE(timer, function), &room);
	if (!fxt_sched_is_tick(name) && fxt_event_begin_of_any(ss, &e, FXT_SCHED_TIMER_WORDS))
		fxt_event_end(&e, fxt_sched_put_timer(e.rec, e.time, e.s->id, name,
						      fxt_sched_is_sleeper(name) ?
						      fxt_sleeper(timer) : 0));
}

/* The thread of a timeout is in a struct that the kernel does not show. Readers find it. */
static void fxt_probe_timer(void *data, struct timer_list *timer, unsigned long baseclk)
{
	struct fxt_session *ss = data;
	const struct fxt_sched_label *name;
	struct fxt_sched_label room;
	struct fxt_event e;

	name = fxt_function_name(ss->function_names, timer->function, &room);
	if (fxt_event_begin_of_any(ss, &e, FXT_SCHED_TIMER_WORDS))
		fxt_event_end(&e, fxt_sched_put_timer(e.rec, e.time, e.s->id, name, 0));
}

static struct fxt_probe fxt_timer_probes[] = {
	FXT_PROBE(hrtimer_expire_entry, fxt_probe_hrtimer),
	FXT_PROBE(timer_expire_entry, fxt_probe_timer),
};

const struct fxt_group fxt_timer_group = FXT_GROUP(FXT_SCHED_EVENTS_TIMER, fxt_timer_probes);
