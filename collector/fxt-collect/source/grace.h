/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grace.h - wait for an RCU grace period. */
#ifndef FXT_COLLECT_SOURCE_GRACE_H
#define FXT_COLLECT_SOURCE_GRACE_H

/**
 * grace_wait() - wait until all CPUs have left their sections with preemption disabled
 *
 * The end of an RCU grace period: afterwards, earlier stores of producers are visible,
 * and later producers see earlier stores of the caller. May sleep for seconds on a busy
 * machine. Where the kernel refuses membarrier(2) (nohz_full), waits 100 ms, far longer
 * than writing any record takes.
 */
void grace_wait(void);

#endif /* FXT_COLLECT_SOURCE_GRACE_H */
