/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_trigger.h - causes of a trigger, and when a wait that is not over fires a latency trigger.
 *
 * Waits are checked at the switch that ends them. A thread that gets no CPU has no such switch. So
 * a timer of the module, or the collector with BPF, searches for waits periodically. Searching all
 * threads each time would cost too much. So thread ids are in groups, and each group has a byte,
 * which wakeups set, and which a search clears once no thread of the group waits:
 *
 *  - A wakeup first stores its time in the thread's element. Then it stores FXT_WAITS_WOKEN to the
 *    byte, unless the byte is that already. There is no barrier between the two.
 *  - A search changes FXT_WAITS_WOKEN to FXT_WAITS_SEEN, and checks the group's threads. If the
 *    byte was FXT_WAITS_SEEN before, and no thread waits, it changes the byte to FXT_WAITS_NONE,
 *    unless a wakeup changes it at the same time. A wakeup that still saw FXT_WAITS_WOKEN has
 *    stored its time by the next search, milliseconds later.
 */
#ifndef FXT_FXT_TRIGGER_H
#define FXT_FXT_TRIGGER_H

#include <linux/types.h>

/* One more cause than in enum fxt_sched_cause: a run queue was too long. */
#define FXT_SCHED_CAUSE_RUNNABLE	3

#define FXT_SCHED_CAUSES		4

#define FXT_WAITS_NONE		0
#define FXT_WAITS_WOKEN		1
#define FXT_WAITS_SEEN		2

/* Thread ids in a group. */
#define FXT_WAITS_GROUP		64U

/* A wait that goes on fires the trigger late by at most this, in ns, or a quarter of the limit. */
#define FXT_TRIGGER_LATE_NS	10000000ULL

/*
 * The time between two searches for waits. @latency: the trigger's limit, ns. Return: ns; half of
 * the time by which a trigger may be late.
 */
static inline __u64 fxt_trigger_period(__u64 latency)
{
	__u64 late = latency / 4;

	return (late < FXT_TRIGGER_LATE_NS ? FXT_TRIGGER_LATE_NS : late) / 2;
}

/* A thread of the group is woken. @group: the byte of the group */
static inline void fxt_waits_wake(__u8 *group)
{
	if (*(volatile __u8 *)group != FXT_WAITS_WOKEN)
		*(volatile __u8 *)group = FXT_WAITS_WOKEN;
}

#endif /* FXT_FXT_TRIGGER_H */
