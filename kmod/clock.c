// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - starting and stopping the use of a clock.
 *
 * If a suspend resets or stops the time-stamp counter, the offsets of clocks that are the counter
 * itself are adjusted: fxt_tsc_resume().
 */
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/syscore_ops.h>

#include "clock.h"
#include "compat.h"

/* The kernel may have found the counter unreliable since the session was configured. */
static int fxt_tsc_start(void)
{
	return fxt_tsc_khz() ? 0 : -EOPNOTSUPP;
}

#ifdef FXT_TIMEBASE

/*
 * Prepare fast reads. Context: may sleep. Return: 0; -EOPNOTSUPP if the time-stamp counter has
 * become unreliable; another negative errno.
 */
int fxt_clock_start(const struct fxt_clock *clock)
{
	return clock->id == FXT_CLOCK_TSC ? fxt_tsc_start() : fxt_timebase_start();
}

/* Context: may sleep; no probe runs. */
void fxt_clock_stop(const struct fxt_clock *clock)
{
	if (clock->id != FXT_CLOCK_TSC)
		fxt_timebase_stop();
}

#else

int fxt_clock_start(const struct fxt_clock *clock)
{
	return clock->id == FXT_CLOCK_TSC ? fxt_tsc_start() : 0;
}

void fxt_clock_stop(const struct fxt_clock *clock)
{
}

#endif

/* The fast probes that read the clock in the fewest instructions now. Context: any. */
enum fxt_probes fxt_clock_probes(const struct fxt_clock *clock)
{
#ifdef CONFIG_X86_TSC
	if (clock->id == FXT_CLOCK_TSC)
		return FXT_PROBES_tsc;
#ifdef FXT_TIMEBASE
	if (fxt_counter_is_inline())
		return clock->id == CLOCK_MONOTONIC ? FXT_PROBES_mono : FXT_PROBES_boot;
#endif
#endif
	return clock->id == CLOCK_MONOTONIC ? FXT_PROBES_mono_called : FXT_PROBES_boot_called;
}

/* Return: ticks since boot. Context: any. */
u64 fxt_clock_now(const struct fxt_clock *clock)
{
	const bool is_mono = clock->id == CLOCK_MONOTONIC;
	u64 __maybe_unused now;

	if (clock->id == FXT_CLOCK_TSC)
		return fxt_tsc() - clock->tsc_offset;
#if defined(CONFIG_X86_TSC) && defined(FXT_TIMEBASE)
	if (likely(fxt_timebase_read(is_mono ? &fxt_timebase_mono : &fxt_timebase_boot, &now)))
		return now;
#endif
	return is_mono ? ktime_get_mono_fast_ns() : ktime_get_boot_fast_ns();
}

#ifdef CONFIG_X86_TSC

/*
 * Clocks that are the counter. The list changes under both locks. At a suspend another CPU may hold
 * the mutex, whose owner does not run; nobody can hold the spinlock.
 */
static LIST_HEAD(fxt_tsc_clocks);
static DEFINE_MUTEX(fxt_tsc_lock);
static DEFINE_RAW_SPINLOCK(fxt_tsc_list_lock);

/* At the suspend: the counter, and CLOCK_BOOTTIME in ns. */
static u64 fxt_tsc_asleep;
static u64 fxt_boot_asleep;

/*
 * The kernel calls these two on the last CPU with interrupts disabled, so nobody reads a clock or
 * changes the list. The kernel's clock runs in both: it was registered before.
 */
static int fxt_tsc_suspend(FXT_SYSCORE_DATA)
{
	fxt_tsc_asleep = fxt_tsc();
	fxt_boot_asleep = ktime_get_boot_fast_ns();
	return 0;
}

/* Ticks continue where they were, plus the time of the suspend. */
static void fxt_tsc_resume(FXT_SYSCORE_DATA)
{
	u64 slept = ktime_get_boot_fast_ns() - fxt_boot_asleep;
	u64 counted = fxt_tsc() - fxt_tsc_asleep;
	struct fxt_tsc_clock *tsc;

	list_for_each_entry(tsc, &fxt_tsc_clocks, list)
		tsc->clock->tsc_offset += counted - fxt_clock_ticks(tsc->clock, slept);
}

static struct syscore_ops fxt_tsc_syscore_ops = {
	.suspend = fxt_tsc_suspend,
	.resume = fxt_tsc_resume,
};

static struct syscore fxt_tsc_syscore = {
	.ops = &fxt_tsc_syscore_ops,
};

static void fxt_tsc_add(struct fxt_tsc_clock *tsc, struct fxt_clock *clock)
{
	mutex_lock(&fxt_tsc_lock);
	tsc->clock = clock;
	if (list_empty(&fxt_tsc_clocks))
		register_syscore(&fxt_tsc_syscore);
	/* A suspend from here on must adjust the offset. */
	raw_spin_lock_irq(&fxt_tsc_list_lock);
	/* Tick 0 is boot, as with the other clocks. */
	clock->tsc_offset = fxt_tsc() - fxt_clock_ticks(clock, ktime_get_boot_fast_ns());
	list_add(&tsc->list, &fxt_tsc_clocks);
	raw_spin_unlock_irq(&fxt_tsc_list_lock);
	mutex_unlock(&fxt_tsc_lock);
}

static void fxt_tsc_remove(struct fxt_tsc_clock *tsc)
{
	mutex_lock(&fxt_tsc_lock);
	raw_spin_lock_irq(&fxt_tsc_list_lock);
	list_del(&tsc->list);
	raw_spin_unlock_irq(&fxt_tsc_list_lock);
	if (list_empty(&fxt_tsc_clocks))
		unregister_syscore(&fxt_tsc_syscore);
	mutex_unlock(&fxt_tsc_lock);
}

#else

static void fxt_tsc_add(struct fxt_tsc_clock *tsc, struct fxt_clock *clock)
{
}

static void fxt_tsc_remove(struct fxt_tsc_clock *tsc)
{
}

#endif

/* @tsc: for the time-stamp counter. Context: may sleep. */
void fxt_clock_init(struct fxt_clock *clock, struct fxt_tsc_clock *tsc, clockid_t id)
{
	clock->id = id;
	clock->khz = USEC_PER_SEC;
	if (id != FXT_CLOCK_TSC)
		return;
	clock->khz = fxt_tsc_khz();
	fxt_tsc_add(tsc, clock);
}

/* Context: may sleep; nobody reads the clock any more. */
void fxt_clock_exit(struct fxt_tsc_clock *tsc)
{
	if (tsc->clock)
		fxt_tsc_remove(tsc);
}
