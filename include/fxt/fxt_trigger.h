/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_trigger.h - when a wait that is not over fires a latency trigger.
 *
 * A thread that gets no CPU has no switch that ends its wait. So somebody looks for waits from
 * time to time. Looking at all threads each time would cost too much. Thread ids are in groups,
 * and each group has a byte that wakeups set, and that is cleared once no thread waits:
 *
 *  - A wakeup stores its time in the thread's place and then, if the byte is not
 *    FXT_WAITS_WOKEN, FXT_WAITS_WOKEN in it. No barrier is between the two.
 *  - A look turns FXT_WAITS_WOKEN into FXT_WAITS_SEEN, and looks at the group's threads. If the
 *    byte was FXT_WAITS_SEEN before, and no thread waits, it turns it into FXT_WAITS_NONE, but
 *    not if a wakeup changes it meanwhile. A wakeup that still saw FXT_WAITS_WOKEN has stored its
 *    time by the next look, milliseconds later.
 */
#ifndef FXT_FXT_TRIGGER_H
#define FXT_FXT_TRIGGER_H

#include <linux/types.h>

#define FXT_WAITS_NONE		0
#define FXT_WAITS_WOKEN		1
#define FXT_WAITS_SEEN		2

/* Thread ids of a group. */
#define FXT_WAITS_GROUP		64U

/* A wait that is not over fires the trigger at most this late, ns, or a quarter of its limit. */
#define FXT_TRIGGER_LATE_NS	10000000ULL

/**
 * fxt_trigger_period() - the time from one look for waits to the next
 * @latency: the trigger's limit, ns
 *
 * Return: ns; half of what a trigger may be late.
 */
static inline __u64 fxt_trigger_period(__u64 latency)
{
	__u64 late = latency / 4;

	return (late < FXT_TRIGGER_LATE_NS ? FXT_TRIGGER_LATE_NS : late) / 2;
}

/* The byte of a group, at a wakeup. */
static inline void fxt_waits_wake(__u8 *group)
{
	if (*(volatile __u8 *)group != FXT_WAITS_WOKEN)
		*(volatile __u8 *)group = FXT_WAITS_WOKEN;
}

#endif /* FXT_FXT_TRIGGER_H */
