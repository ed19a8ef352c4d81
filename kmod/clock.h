/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clocks of the time stamps.
 *
 * All clocks count from boot. The kernel's fast clocks can be read in any context. The
 * processor's time-stamp counter (TSC) is offered where it is reliable.
 */
#ifndef FXT_KMOD_CLOCK_H
#define FXT_KMOD_CLOCK_H

#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

#include <linux/fxt_sched.h>

#ifdef FXT_TIMEBASE
#include "timebase.h"
#endif

/*
 * Ids beside the kernel's: the time-stamp counter; for fxt_clock_read() also kernel clocks that are
 * read by a call.
 */
#define FXT_CLOCK_TSC		(-1)
#define FXT_CLOCK_BOOT_CALLED	(-2)
#define FXT_CLOCK_MONO_CALLED	(-3)

/*
 * FXT_CLOCKS(CLOCK, ...) - CLOCK(kind, id, ...) for each way in which fast probes read a clock.
 * Each has probes of its own, see record.h.
 */
#define FXT_CLOCKS(CLOCK, ...)							\
	FXT_CLOCKS_INLINE(CLOCK, ##__VA_ARGS__)					\
	CLOCK(boot_called, FXT_CLOCK_BOOT_CALLED, ##__VA_ARGS__)		\
	CLOCK(mono_called, FXT_CLOCK_MONO_CALLED, ##__VA_ARGS__)

#if defined(CONFIG_X86_TSC) && defined(FXT_TIMEBASE)
#define FXT_CLOCKS_INLINE(CLOCK, ...)						\
	CLOCK(boot, CLOCK_BOOTTIME, ##__VA_ARGS__)				\
	CLOCK(mono, CLOCK_MONOTONIC, ##__VA_ARGS__)				\
	CLOCK(tsc, FXT_CLOCK_TSC, ##__VA_ARGS__)
#elif defined(CONFIG_X86_TSC)
#define FXT_CLOCKS_INLINE(CLOCK, ...)						\
	CLOCK(tsc, FXT_CLOCK_TSC, ##__VA_ARGS__)
#else
#define FXT_CLOCKS_INLINE(CLOCK, ...)
#endif

#define FXT_PROBES_OF_CLOCK(kind, id)	FXT_PROBES_##kind,

/* The kinds of probes, see record.h. */
enum fxt_probes {
	FXT_PROBES_SLOW,
	FXT_CLOCKS(FXT_PROBES_OF_CLOCK)
	FXT_PROBES_COUNT
};

struct fxt_clock {
	u64 tsc_offset;	/* the time-stamp counter's value at boot; only for FXT_CLOCK_TSC */
	clockid_t id;
	u32 khz;	/* thousands of ticks per second */
};

struct fxt_tsc_clock {	/* used if the clock of the session is the time-stamp counter */
	struct fxt_clock *clock;	/* NULL if the session has another clock */
	struct list_head list;		/* links all such clocks */
};

#ifdef CONFIG_X86_TSC

#include <asm/tsc.h>
#include <asm/msr.h>

static __always_inline u64 fxt_tsc(void)
{
	return rdtsc_ordered();
}

/* 0 if the counters of CPUs may differ. */
static inline u32 fxt_tsc_khz(void)
{
	return check_tsc_unstable() ? 0 : tsc_khz;
}

/* ns to ticks: at most some years, so that the result fits 64 bits. The product has 128. */
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

static inline u64 fxt_clock_ticks(const struct fxt_clock *clock, u64 ns)
{
	return ns;
}

#endif

/*
 * Read a clock that was started. @id: as of the clock, or FXT_CLOCK_*_CALLED; a constant in each
 * caller. Return: false if the caller must use fxt_clock_now().
 */
static __always_inline bool fxt_clock_read(const struct fxt_clock *clock,
					   const clockid_t id, u64 *now)
{
	if (id == FXT_CLOCK_TSC) {
		*now = fxt_tsc() - clock->tsc_offset;
		return true;
	}
#ifdef FXT_TIMEBASE
	if (id == FXT_CLOCK_BOOT_CALLED)
		return fxt_timebase_call(&fxt_timebase_boot_called, now);
	if (id == FXT_CLOCK_MONO_CALLED)
		return fxt_timebase_call(&fxt_timebase_mono_called, now);
#ifdef CONFIG_X86_TSC
	return fxt_timebase_read(id == CLOCK_BOOTTIME ? &fxt_timebase_boot :
							&fxt_timebase_mono, now);
#endif
#endif
	*now = id == FXT_CLOCK_BOOT_CALLED ? ktime_get_boot_fast_ns() : ktime_get_mono_fast_ns();
	return true;
}

static inline bool fxt_clock_is_usable(clockid_t id)
{
	return id != FXT_CLOCK_TSC || fxt_tsc_khz();
}

void fxt_clock_init(struct fxt_clock *clock, struct fxt_tsc_clock *tsc, clockid_t id);
void fxt_clock_exit(struct fxt_tsc_clock *tsc);
u64 fxt_clock_now(const struct fxt_clock *clock);
int fxt_clock_start(const struct fxt_clock *clock);
void fxt_clock_stop(const struct fxt_clock *clock);
enum fxt_probes fxt_clock_probes(const struct fxt_clock *clock);

#endif /* FXT_KMOD_CLOCK_H */
