/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.h - the clocks that time stamps come from.
 *
 * All count from boot. The kernel's fast clocks may be read in any context; the
 * processor's time-stamp counter is offered where there is one to rely on. It is
 * also what the kernel's clocks are made of on most machines: there the probes
 * make the same nanoseconds of it themselves, in a third of the instructions that
 * calling the kernel takes. See clock.c.
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

/**
 * struct fxt_timebase - how to make nanoseconds of the time-stamp counter
 * @done: changes that were completed
 * @cycle_last: the counter at the last change
 * @cycles_max: that many later the product would have too many bits
 * @nsec: nanoseconds then, beyond @base, shifted left by @shift
 * @base: nanoseconds of the session's clock
 * @mult: nanoseconds per count, shifted left by @shift
 * @shift: bits
 * @begun: changes that were begun; more than @done while all this is not valid
 */
struct fxt_timebase {
	unsigned long done;
	u64 cycle_last;
	u64 cycles_max;
	u64 nsec;
	u64 base;
	u32 mult;
	u32 shift;
	unsigned long begun;
};

extern struct fxt_timebase fxt_timebase;

/**
 * fxt_timebase_read() - what the kernel's clock would say, without a call
 * @now: set to nanoseconds of the clock that fxt_clock_start() was called for
 *
 * Context: any.
 *
 * Return: false if the kernel has to be asked, for this waits for nobody.
 */
static __always_inline bool fxt_timebase_read(u64 *now)
{
	const struct fxt_timebase *b = &fxt_timebase;
	unsigned long done = READ_ONCE(b->done);
	u64 ns;

	/* Pairs with the second barrier in fxt_timebase_update(). */
	smp_rmb();
	/* Plain loads, which cost less: what they saw half changed is not used. */
	ns = fxt_tsc() - data_race(b->cycle_last);
	/* The machine stood still, or another CPU's counter is ahead of this one's. */
	if (unlikely(ns > data_race(b->cycles_max)))
		return false;
	/* Likewise. */
	ns = data_race(((ns * b->mult + b->nsec) >> b->shift) + b->base);
	/* Made here, not where it is needed: till then its parts would take registers. */
	asm volatile("" : "+r" (ns));
	*now = ns;
	/* Pairs with the first one. */
	smp_rmb();
	return likely(READ_ONCE(b->begun) == done);
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

static inline bool fxt_timebase_read(u64 *now)
{
	return false;
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

/**
 * fxt_clock_read() - the same, as a probe for one kind of clock reads it
 * @ss: the session; fxt_clock_start() has been called
 * @tsc: its clock is the time-stamp counter
 * @now: set to ticks since boot
 *
 * Context: any.
 *
 * Return: false if only fxt_clock_now() can tell.
 */
static __always_inline bool fxt_clock_read(const struct fxt_session *ss,
					   const bool tsc, u64 *now)
{
	if (IS_ENABLED(CONFIG_X86_TSC) && !tsc)
		return fxt_timebase_read(now);
	*now = tsc ? fxt_tsc() - ss->tsc_offset : fxt_clock_now(ss);
	return true;
}

int fxt_clock_start(const struct fxt_session *ss);
void fxt_clock_stop(const struct fxt_session *ss);

/**
 * fxt_now() - the time of a record
 * @ss: the session
 * @s: the stream that the record goes into
 *
 * Return: ticks; never before the newest record of the stream.
 */
static __always_inline u64 fxt_now(const struct fxt_session *ss,
				   const struct fxt_stream *s)
{
	u64 now = fxt_clock_now(ss);

	/* The fast clocks may step back some ns when NTP changes their rate. */
	return unlikely(now < s->last) ? s->last : now;
}

#endif /* FXT_KMOD_CLOCK_H */
