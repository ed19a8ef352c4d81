/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_cpu.h - what a CPU remembers of events: what has begun and has not ended.
 */
#ifndef FXT_KMOD_EVENT_CPU_H
#define FXT_KMOD_EVENT_CPU_H

#include <linux/interrupt.h>
#include <linux/string.h>
#include <linux/types.h>

/* A handler can serve other interrupts, of a device behind its own, whose handlers nest. */
#define FXT_HARD_NESTED	4
/* No time: clocks count from boot. */
#define FXT_HARD_NESTS	U64_MAX

/**
 * struct fxt_event_cpu - what a CPU remembers of events
 * @hard: ticks of the beginning of the hard interrupt; 0: none; FXT_HARD_NESTS: there are
 *	several, one within the other
 * @depth: how many, if they nest
 * @nested: ticks of the beginnings of these, the outermost first
 * @softirq: ticks of the beginnings of soft interrupts, by vector; 0: none
 * @idle: ticks of the beginning of the idle state; 0: none
 * @idle_state: its number
 *
 * Only the CPU uses it: all but @softirq with irqs off.
 */
struct fxt_event_cpu {
	u64 hard;
	u64 idle;
	u32 idle_state;
	u32 depth;
	u64 nested[FXT_HARD_NESTED];
	u64 softirq[NR_SOFTIRQS];
};

/* Forget everything. Context: no probe runs. */
static inline void fxt_event_cpu_clear(struct fxt_event_cpu *e)
{
	memset(e, 0, sizeof(*e));
}

#endif /* FXT_KMOD_EVENT_CPU_H */
