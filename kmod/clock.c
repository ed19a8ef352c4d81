// SPDX-License-Identifier: GPL-2.0
/*
 * clock.c - a copy of the kernel's conversion of the time-stamp counter to nanoseconds,
 * from which clock.h computes the same time without a call.
 *
 * In:  the kernel's timekeeper, each time it changes. Out: fxt_timebase_boot and
 * fxt_timebase_mono, which are valid while a session has started its clock.
 *
 * The kernel calls the notifier under its own lock, so there is one writer, with irqs
 * off. A change takes effect for our readers within some ns of when it does for the
 * kernel's.
 *
 * The copy is invalid while the clock source is not the plain counter (but a hypervisor's
 * clock, or the replacement of an unstable counter); readers then call the kernel. No
 * reader runs while the kernel's clock is suspended, because no CPU schedules then.
 */
#include <linux/clocksource.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"

/**
 * fxt_clock_init() - set up a clock
 * @clock: the clock
 * @id: which one
 *
 * Context: may sleep.
 */
void fxt_clock_init(struct fxt_clock *clock, enum fxt_sched_clock id)
{
	clock->id = id;
	clock->khz = USEC_PER_SEC;
	if (id != FXT_SCHED_CLOCK_TSC)
		return;
	clock->khz = fxt_tsc_khz();
	/* Tick 0 is boot, as with the other clocks. */
	clock->tsc_offset = fxt_tsc() - fxt_clock_ticks(clock, ktime_get_boottime_ns());
}

#ifdef CONFIG_X86_TSC

struct fxt_timebase fxt_timebase_boot ____cacheline_aligned;
struct fxt_timebase fxt_timebase_mono ____cacheline_aligned;

static DEFINE_MUTEX(fxt_timebase_lock);
/* Sessions that have started their clock; under fxt_timebase_lock. */
static unsigned int fxt_timebase_users;

static void fxt_timebase_set(struct fxt_timebase *b, const struct tk_read_base *mono,
			     u64 base)
{
	WRITE_ONCE(b->begun, b->begun + 1);
	if (mono->clock->vdso_clock_mode != VDSO_CLOCKMODE_TSC)
		return;
	/* Pairs with the second barrier in fxt_timebase_read(). */
	smp_wmb();
	WRITE_ONCE(b->cycle_last, mono->cycle_last);
	/* The other half is left for the sum. */
	WRITE_ONCE(b->cycles_max, mono->clock->max_cycles / 2);
	WRITE_ONCE(b->nsec, mono->xtime_nsec);
	WRITE_ONCE(b->base, base);
	WRITE_ONCE(b->mult, mono->mult);
	WRITE_ONCE(b->shift, mono->shift);
	/* Pairs with the first barrier in fxt_timebase_read(). */
	smp_wmb();
	WRITE_ONCE(b->done, b->begun);
}

static int fxt_timebase_update(struct notifier_block *nb, unsigned long action,
			       void *data)
{
	const struct timekeeper *tk = data;
	const struct tk_read_base *mono = &tk->tkr_mono;

	fxt_timebase_set(&fxt_timebase_mono, mono, mono->base);
	fxt_timebase_set(&fxt_timebase_boot, mono, mono->base + tk->offs_boot);
	return NOTIFY_OK;
}

static struct notifier_block fxt_timebase_notifier = {
	.notifier_call = fxt_timebase_update,
};

/**
 * fxt_clock_start() - make a clock cheap to read
 * @clock: the clock
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno.
 */
int fxt_clock_start(const struct fxt_clock *clock)
{
	int ret = 0;

	if (clock->id == FXT_SCHED_CLOCK_TSC)
		return 0;
	mutex_lock(&fxt_timebase_lock);
	/* Registering also reports the present state. */
	if (!fxt_timebase_users)
		ret = pvclock_gtod_register_notifier(&fxt_timebase_notifier);
	if (!ret)
		fxt_timebase_users++;
	mutex_unlock(&fxt_timebase_lock);
	return ret;
}

/**
 * fxt_clock_stop() - undo fxt_clock_start()
 * @clock: the clock; no probe runs
 *
 * Context: may sleep.
 */
void fxt_clock_stop(const struct fxt_clock *clock)
{
	if (clock->id == FXT_SCHED_CLOCK_TSC)
		return;
	mutex_lock(&fxt_timebase_lock);
	if (!--fxt_timebase_users)
		pvclock_gtod_unregister_notifier(&fxt_timebase_notifier);
	mutex_unlock(&fxt_timebase_lock);
}

#else

int fxt_clock_start(const struct fxt_clock *clock)
{
	return 0;
}

void fxt_clock_stop(const struct fxt_clock *clock)
{
}

#endif
