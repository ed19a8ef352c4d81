/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grace.h - wait for what the kernel is in the middle of. */
#ifndef FXT_COLLECT_SOURCE_GRACE_H
#define FXT_COLLECT_SOURCE_GRACE_H

/**
 * grace_wait() - until all CPUs have left what they do with preemption off
 *
 * The end of an RCU grace period: what producers were writing is visible then, and
 * they see what was stored before. May take seconds on a busy machine. Where the
 * kernel refuses (nohz_full), it is given 100 ms, far more than any record takes.
 */
void grace_wait(void);

#endif /* FXT_COLLECT_SOURCE_GRACE_H */
