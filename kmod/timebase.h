/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timebase.h - the kernel's clocks, read inline with a copy of the kernel's conversion.
 *
 * On most machines the kernel derives its clocks from the time-stamp counter. There the probes
 * compute the same nanoseconds without a call, in a third of the instructions. With another clock
 * source when tracing starts, as on all other architectures, they read it by a call, and compute
 * the rest inline.
 *
 * This needs linux/timekeeper_internal.h, which is for the kernel's timekeeping only. So a kernel's
 * tree does not have it: scripts/intree.sh leaves out all that depends on FXT_TIMEBASE, and the
 * probes call the kernel for the time.
 */
#ifndef FXT_KMOD_TIMEBASE_H
#define FXT_KMOD_TIMEBASE_H

#include <linux/clocksource.h>
#include <linux/types.h>
#include <asm/barrier.h>

#ifdef CONFIG_X86_TSC
#include <asm/tsc.h>
#include <asm/msr.h>
#endif

struct fxt_timebase {
	unsigned long done;	/* completed changes */
	u64 cycle_last;		/* of the counter, at the last change */
	u64 cycles_max;		/* up to so many counts since then the product fits 64 bits */
	u64 nsec;	/* at the last change, beyond @base, shifted left by @shift */
	u64 base;		/* ns of the clock */
	/*
	 * ns per count, shifted left by @shift; as wide as the product, so that it is an operand of
	 * the multiplication
	 */
	u64 mult;
	u32 shift;		/* bits */
	/* changes begun; if it differs from @done, the other fields are invalid */
	unsigned long begun;
	struct clocksource *source;
	u64 mask;		/* of the counts of @source */
};

/* For any clock source; one per clock of the kernel, so that sessions can use both at once. */
extern struct fxt_timebase fxt_timebase_boot_called;
extern struct fxt_timebase fxt_timebase_mono_called;

/**
 * fxt_timebase_convert() - convert counts to nanoseconds
 * @b: the conversion of the clock
 * @done: @b->done, loaded before anything else
 * @counts: since the last change
 * @now: set to nanoseconds
 *
 * data_race(), because READ_ONCE() costs seven to eleven instructions per record: the compiler then
 * does not use the fields as memory operands. A torn or repeated load is harmless: a reader that
 * saw a change in progress finds that @begun differs from @done, and discards the result. @begun
 * itself is an operand of the only comparison: one load.
 *
 * Return: false if the caller has to ask the kernel instead. This function never waits for a change
 * to complete.
 */
static __always_inline bool fxt_timebase_convert(const struct fxt_timebase *b,
						 unsigned long done, u64 counts, u64 *now)
{
	u64 ns = counts;

	/* The machine stood still, or another CPU's counter is ahead. */
	if (unlikely(ns > data_race(b->cycles_max)))
		return false;
	/* These may be old as well. */
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
 * Read a clock of the kernel with one call, of its clock source. @b is a constant in each caller.
 *
 * The kernel changes the source while all CPUs do nothing else (stop_machine()). A reader that was
 * preempted may read the previous source, which still counts; it then notices the change, and
 * discards the result.
 *
 * No barrier orders the counter with the load of @cycle_last. A count that is too old is negative,
 * which exceeds @cycles_max; one that is too new is as valid as any.
 *
 * Return: as of fxt_timebase_convert().
 */
static __always_inline bool fxt_timebase_call(const struct fxt_timebase *b, u64 *now)
{
	/* As in fxt_timebase_read(); also before @source is loaded, and its counter read. */
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

/* The same while the clock source is the counter. */
extern struct fxt_timebase fxt_timebase_boot;
extern struct fxt_timebase fxt_timebase_mono;

/*
 * Read a clock of the kernel without a call. @b is a constant in each caller. Return: as of
 * fxt_timebase_convert().
 */
static __always_inline bool fxt_timebase_read(const struct fxt_timebase *b, u64 *now)
{
	/* Before all other fields. Pairs with the second barrier in fxt_timebase_set(). */
	unsigned long done = smp_load_acquire(&b->done);

	/* The fields may change now: @begun shows that. */
	return fxt_timebase_convert(b, done, rdtsc_ordered() - data_race(b->cycle_last), now);
}

#endif

int fxt_timebase_start(void);
void fxt_timebase_stop(void);
bool fxt_counter_is_inline(void);

#endif /* FXT_KMOD_TIMEBASE_H */
