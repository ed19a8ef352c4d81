// SPDX-License-Identifier: GPL-2.0-only
/*
 * timebase.c - copies the kernel's conversions of its counter.
 *
 * In:  the kernel's timekeeper, each time it changes.
 * Out: fxt_timebase_boot, fxt_timebase_mono and so on, while a session has started its clock.
 *
 * The kernel calls the notifier under its own lock, so there is one writer, with interrupts
 * disabled. A change takes effect for our readers within some ns of when it does for the kernel's.
 *
 * The first two exist on x86. They are invalid while no session uses them, and while the clock
 * source is not the plain counter (but a hypervisor's clock, or the replacement of an unstable
 * counter); readers then call the kernel. The others work with any clock source. No reader runs
 * while the kernel's clock is suspended, because no CPU schedules then.
 */
#include <linux/clocksource.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "timebase.h"

struct fxt_timebase fxt_timebase_boot_called ____cacheline_aligned;
struct fxt_timebase fxt_timebase_mono_called ____cacheline_aligned;

static DEFINE_MUTEX(fxt_timebase_lock);
/* Clocks that were started and not stopped; under fxt_timebase_lock. */
static unsigned int fxt_timebase_users;

static void fxt_timebase_set(struct fxt_timebase *b, const struct tk_read_base *mono,
			     u64 base)
{
	WRITE_ONCE(b->begun, b->begun + 1);
	/* Pairs with the barrier in fxt_timebase_convert(). */
	smp_wmb();
	WRITE_ONCE(b->cycle_last, mono->cycle_last);
	/* Leave the other half of the range for the sum. */
	WRITE_ONCE(b->cycles_max, mono->clock->max_cycles / 2);
	WRITE_ONCE(b->nsec, mono->xtime_nsec);
	WRITE_ONCE(b->base, base);
	WRITE_ONCE(b->mult, mono->mult);
	WRITE_ONCE(b->shift, mono->shift);
	WRITE_ONCE(b->source, mono->clock);
	WRITE_ONCE(b->mask, mono->mask);
	/* Pairs with the acquires in fxt_timebase_read() and fxt_timebase_call(). */
	smp_wmb();
	WRITE_ONCE(b->done, b->begun);
}

#ifdef CONFIG_X86_TSC

struct fxt_timebase fxt_timebase_boot ____cacheline_aligned;
struct fxt_timebase fxt_timebase_mono ____cacheline_aligned;

static void fxt_timebase_invalidate(struct fxt_timebase *b)
{
	WRITE_ONCE(b->begun, b->done + 1);
}

static void fxt_timebase_forget_tsc(void)
{
	fxt_timebase_invalidate(&fxt_timebase_mono);
	fxt_timebase_invalidate(&fxt_timebase_boot);
}

/* @boot: ns of CLOCK_BOOTTIME */
static void fxt_timebase_update_tsc(const struct tk_read_base *mono, u64 boot)
{
	if (mono->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC) {
		fxt_timebase_set(&fxt_timebase_mono, mono, mono->base);
		fxt_timebase_set(&fxt_timebase_boot, mono, boot);
	} else {
		fxt_timebase_forget_tsc();
	}
}

/*
 * Can fxt_timebase_read() be used now? This only matters for speed: the kernel's clock source may
 * change at any moment. Context: any.
 */
bool fxt_counter_is_inline(void)
{
	return READ_ONCE(fxt_timebase_boot.begun) == READ_ONCE(fxt_timebase_boot.done);
}

#else

static void fxt_timebase_forget_tsc(void)
{
}

static void fxt_timebase_update_tsc(const struct tk_read_base *mono, u64 boot)
{
}

bool fxt_counter_is_inline(void)
{
	return false;
}

#endif

static int fxt_timebase_update(struct notifier_block *nb, unsigned long action,
			       void *data)
{
	const struct timekeeper *tk = data;
	const struct tk_read_base *mono = &tk->tkr_mono;
	u64 boot = mono->base + tk->offs_boot;

	fxt_timebase_update_tsc(mono, boot);
	fxt_timebase_set(&fxt_timebase_mono_called, mono, mono->base);
	fxt_timebase_set(&fxt_timebase_boot_called, mono, boot);
	return NOTIFY_OK;
}

static struct notifier_block fxt_timebase_notifier = {
	.notifier_call = fxt_timebase_update,
};

/* Keep the copies up to date. Context: may sleep. Return: 0 or a negative errno. */
int fxt_timebase_start(void)
{
	int ret = 0;

	mutex_lock(&fxt_timebase_lock);
	/* Registering also reports the present state. */
	if (!fxt_timebase_users)
		ret = pvclock_gtod_register_notifier(&fxt_timebase_notifier);
	if (!ret)
		fxt_timebase_users++;
	mutex_unlock(&fxt_timebase_lock);
	return ret;
}

/* Context: may sleep. */
void fxt_timebase_stop(void)
{
	mutex_lock(&fxt_timebase_lock);
	if (!--fxt_timebase_users) {
		pvclock_gtod_unregister_notifier(&fxt_timebase_notifier);
		fxt_timebase_forget_tsc();
	}
	mutex_unlock(&fxt_timebase_lock);
}
