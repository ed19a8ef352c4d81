/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.h - the clocks that time stamps come from.
 *
 * All count from boot. The kernel's fast clocks may be read in any context; the
 * processor's time-stamp counter is offered where there is one to rely on.
 */
#ifndef FXT_KMOD_CLOCK_H
#define FXT_KMOD_CLOCK_H

#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "session.h"

#ifdef CONFIG_X86_TSC

#include <asm/tsc.h>
#include <asm/msr.h>

static __always_inline u64 fxt_tsc(void)
{
	return rdtsc_ordered();
}

/* Ticks per second, or 0 if CPUs may not agree on the counter. */
static inline u64 fxt_tsc_frequency(void)
{
	return check_tsc_unstable() ? 0 : (u64)tsc_khz * 1000;
}

/* @ns: of at most some years: the product has 128 bits, the result 64 */
static inline u64 fxt_ns_to_ticks(u64 ns, u64 ticks_per_second)
{
	return mul_u64_u64_div_u64(ns, ticks_per_second, NSEC_PER_SEC);
}

#else

static __always_inline u64 fxt_tsc(void)
{
	return 0;
}

static inline u64 fxt_tsc_frequency(void)
{
	return 0;
}

/* All other clocks count nanoseconds. */
static inline u64 fxt_ns_to_ticks(u64 ns, u64 ticks_per_second)
{
	return ns;
}

#endif

/**
 * fxt_clock_now() - the time of a session's clock
 * @ss: the session
 *
 * Context: any.
 *
 * Return: ticks since boot.
 */
static __always_inline u64 fxt_clock_now(const struct fxt_session *ss)
{
	if (ss->clock == FXT_CLOCK_BOOT)
		return ktime_get_boot_fast_ns();
	if (ss->clock == FXT_CLOCK_MONO)
		return ktime_get_mono_fast_ns();
	return fxt_tsc() - ss->tsc_offset;
}

#endif /* FXT_KMOD_CLOCK_H */
