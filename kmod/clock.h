/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.h - the clocks of the time stamps.
 *
 * All clocks count from boot. The kernel's fast clocks can be read in any context. The
 * processor's time-stamp counter (TSC) is offered where it is reliable. On most machines
 * the kernel derives its clocks from that counter; there the probes compute the same
 * nanoseconds inline, in a third of the instructions of a call into the kernel. See
 * clock.c. Where the kernel has another clock source when tracing starts, as it has on all other
 * architectures, they read that by a call, and compute the rest inline as well.
 */
#ifndef FXT_KMOD_CLOCK_H
#define FXT_KMOD_CLOCK_H

#include <linux/clocksource.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include <linux/fxt_sched.h>

/*
 * Used in place of a clock's id: the time-stamp counter; and by fxt_clock_read(), clocks of the
 * kernel whose source is read by a call.
 */
#define FXT_CLOCK_TSC		(-1)
#define FXT_CLOCK_BOOT_CALLED	(-2)
#define FXT_CLOCK_MONO_CALLED	(-3)

/**
 * struct fxt_clock - the clock of a session
 * @tsc_offset: the time-stamp counter's value at boot; only for FXT_CLOCK_TSC
 * @id: which clock
 * @khz: thousands of ticks per second
 */
struct fxt_clock {
	u64 tsc_offset;
	clockid_t id;
	u32 khz;
};

/**
 * struct fxt_tsc_clock - rarely needed data of a clock that is the time-stamp counter
 * @clock: the clock; NULL if it is another one
 * @list: of all such clocks
 */
struct fxt_tsc_clock {
	struct fxt_clock *clock;
	struct list_head list;
};

/**
 * struct fxt_timebase - how to convert a counter to nanoseconds
 * @done: completed changes
 * @cycle_last: the counter at the last change
 * @cycles_max: counts since then up to which the product fits 64 bits
 * @nsec: nanoseconds at the last change, beyond @base, shifted left by @shift
 * @base: nanoseconds of the clock
 * @mult: nanoseconds per count, shifted left by @shift; as wide as the product, so that it is an
 *	operand of the multiplication
 * @shift: bits
 * @begun: changes begun; differs from @done while the other fields are invalid
 * @source: the clock source
 * @mask: of its counts
 */
struct fxt_timebase {
	unsigned long done;
	u64 cycle_last;
	u64 cycles_max;
	u64 nsec;
	u64 base;
	u64 mult;
	u32 shift;
	unsigned long begun;
	struct clocksource *source;
	u64 mask;
};

/*
 * For any clock source; one for each clock of the kernel, so that sessions can use both at the same
 * time.
 */
extern struct fxt_timebase fxt_timebase_boot_called;
extern struct fxt_timebase fxt_timebase_mono_called;

/**
 * fxt_timebase_convert() - convert counts to nanoseconds
 * @b: of the clock
 * @done: loaded from it before anything else
 * @counts: since the last change
 * @now: set to nanoseconds
 *
 * data_race(), because READ_ONCE() costs seven to eleven instructions per record: the
 * compiler then does not use the fields as memory operands. A torn or repeated load is
 * harmless: a reader that saw a change in progress finds that @begun differs from @done,
 * and discards the result. @begun itself is an operand of the only comparison: one load.
 *
 * Return: false if the caller has to ask the kernel instead. This function never waits
 * for a change to complete.
 */
static __always_inline bool fxt_timebase_convert(const struct fxt_timebase *b,
						 unsigned long done, u64 counts, u64 *now)
{
	u64 ns = counts;

	/* The machine stood still, or another CPU's counter is ahead of this one's. */
	if (unlikely(ns > data_race(b->cycles_max)))
		return false;
	/* These may be old, too. */
	ns = data_race(((ns * b->mult + b->nsec) >> b->shift) + b->base);
	/* Compute it here: deferred to its use, its operands would occupy registers. */
	asm volatile("" : "+r" (ns));
	*now = ns;
	/* Pairs with the first barrier in fxt_timebase_set(). */
	smp_rmb();
	/* A change that begins after this load does not matter. */
	return likely(data_race(b->begun) == done);
}

/*
 * Read the kernel's clock with a call of its clock source only. @b is a constant in each caller.
 *
 * The kernel changes the source while all CPUs do nothing else (stop_machine()). A reader that can
 * be preempted may read a source that is no longer in use, which still counts; it then notices the
 * change, and discards the result.
 *
 * No barrier orders the counter with the load of @cycle_last. A count that is too old is negative,
 * which exceeds @cycles_max; one that is too new is as valid as any.
 *
 * Return: as above.
 */
static __always_inline bool fxt_timebase_call(const struct fxt_timebase *b, u64 *now)
{
	/* As in fxt_timebase_read(); also before the load of @source, and before its counter is read. */
	unsigned long done = smp_load_acquire(&b->done);
	struct clocksource *source = READ_ONCE(b->source);
	u64 counts;

	/* The fields may change now: @begun shows that. */
	counts = source->read(source) - data_race(b->cycle_last);
	/* Compute it here: otherwise @mask would not be an operand, but loaded before. */
	asm volatile("" : "+r" (counts));
	counts &= data_race(b->mask);
	return fxt_timebase_convert(b, done, counts, now);
}

#ifdef CONFIG_X86_TSC

#include <asm/tsc.h>
#include <asm/msr.h>

static __always_inline u64 fxt_tsc(void)
{
	return rdtsc_ordered();
}

/* As above, while the clock source is the counter. */
extern struct fxt_timebase fxt_timebase_boot;
extern struct fxt_timebase fxt_timebase_mono;

/* Read the kernel's clock without a call. @b is a constant in each caller. Return: as above. */
static __always_inline bool fxt_timebase_read(const struct fxt_timebase *b, u64 *now)
{
	/* Before all other fields. Pairs with the second barrier in fxt_timebase_set(). */
	unsigned long done = smp_load_acquire(&b->done);

	/* The fields may change now: @begun shows that. */
	return fxt_timebase_convert(b, done, fxt_tsc() - data_race(b->cycle_last), now);
}

/* 0 if the counters of CPUs may differ. */
static inline u32 fxt_tsc_khz(void)
{
	return check_tsc_unstable() ? 0 : tsc_khz;
}

/*
 * Convert nanoseconds to ticks: at most some years, so that the result fits 64 bits; the product
 * has 128.
 */
static inline u64 fxt_clock_ticks(const struct fxt_clock *clock, u64 ns)
{
	return mul_u64_u64_div_u64(ns, (u64)clock->khz * 1000, NSEC_PER_SEC);
}

#else

static __always_inline u64 fxt_tsc(void)
{
	return 0;
}

static inline u32 fxt_tsc_khz(void)
{
	return 0;
}

/* All other clocks count nanoseconds. */
static inline u64 fxt_clock_ticks(const struct fxt_clock *clock, u64 ns)
{
	return ns;
}

#endif

/* Read a clock. Return: ticks since boot. */
static __always_inline u64 fxt_clock_now(const struct fxt_clock *clock)
{
	if (clock->id == CLOCK_BOOTTIME)
		return ktime_get_boot_fast_ns();
	if (clock->id == CLOCK_MONOTONIC)
		return ktime_get_mono_fast_ns();
	return fxt_tsc() - clock->tsc_offset;
}

/**
 * fxt_clock_read() - read a clock inline, if that is possible
 * @clock: the clock; fxt_clock_start() has been called
 * @id: which one it is, or FXT_CLOCK_*_CALLED; a constant in each caller
 * @now: set to ticks since boot
 *
 * Return: false if the caller has to use fxt_clock_now().
 */
static __always_inline bool fxt_clock_read(const struct fxt_clock *clock,
					   const clockid_t id, u64 *now)
{
	if (id == FXT_CLOCK_TSC) {
		*now = fxt_tsc() - clock->tsc_offset;
		return true;
	}
	if (id == FXT_CLOCK_BOOT_CALLED)
		return fxt_timebase_call(&fxt_timebase_boot_called, now);
	if (id == FXT_CLOCK_MONO_CALLED)
		return fxt_timebase_call(&fxt_timebase_mono_called, now);
#ifdef CONFIG_X86_TSC
	return fxt_timebase_read(id == CLOCK_BOOTTIME ? &fxt_timebase_boot :
							      &fxt_timebase_mono, now);
#else
	/* No session has these probes, see fxt_clock_is_inline(). */
	return false;
#endif
}

/* Does this machine have the clock? */
static inline bool fxt_clock_is_usable(clockid_t id)
{
	return id != FXT_CLOCK_TSC || fxt_tsc_khz();
}

void fxt_clock_init(struct fxt_clock *clock, struct fxt_tsc_clock *tsc, clockid_t id);
void fxt_clock_exit(struct fxt_tsc_clock *tsc);
int fxt_clock_start(const struct fxt_clock *clock);
void fxt_clock_stop(const struct fxt_clock *clock);
bool fxt_clock_is_inline(const struct fxt_clock *clock);

#endif /* FXT_KMOD_CLOCK_H */
