// SPDX-License-Identifier: GPL-2.0
/*
 * clock.c - keeps a copy of how the kernel makes nanoseconds of the time-stamp
 * counter, for clock.h to do the same without a call.
 *
 * What flows in: the kernel's timekeeper, each time that it changes. What flows
 * out: fxt_timebase. The kernel tells of changes under its own lock, so there is
 * one writer, with irqs off, and what it tells takes effect for our readers within
 * some ns of when it does for those of the kernel.
 *
 * A clock source that is not the plain counter (a hypervisor's, or what replaced a
 * counter that was found unstable) leaves the copy invalid, and readers call the
 * kernel. Nobody reads between the suspending of the kernel's clock and its
 * resuming, for no CPU schedules then.
 */
#include <linux/clocksource.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"

#ifdef CONFIG_X86_TSC

struct fxt_timebase fxt_timebase ____cacheline_aligned;
/* Of the session that is on. */
static bool fxt_timebase_boot;

static int fxt_timebase_update(struct notifier_block *nb, unsigned long action,
			       void *data)
{
	const struct timekeeper *tk = data;
	const struct tk_read_base *mono = &tk->tkr_mono;
	struct fxt_timebase *b = &fxt_timebase;
	u64 base = mono->base + (fxt_timebase_boot ? tk->offs_boot : 0);

	WRITE_ONCE(b->begun, b->begun + 1);
	if (mono->clock->vdso_clock_mode != VDSO_CLOCKMODE_TSC)
		return NOTIFY_OK;
	/* Pairs with the second barrier in fxt_timebase_read(). */
	smp_wmb();
	WRITE_ONCE(b->cycle_last, mono->cycle_last);
	/* Half of it is left for what is added. */
	WRITE_ONCE(b->cycles_max, mono->clock->max_cycles / 2);
	WRITE_ONCE(b->nsec, mono->xtime_nsec);
	WRITE_ONCE(b->base, base);
	WRITE_ONCE(b->mult, mono->mult);
	WRITE_ONCE(b->shift, mono->shift);
	/* Pairs with the first one. */
	smp_wmb();
	WRITE_ONCE(b->done, b->begun);
	return NOTIFY_OK;
}

static struct notifier_block fxt_timebase_notifier = {
	.notifier_call = fxt_timebase_update,
};

/**
 * fxt_clock_start() - make a session's clock cheap to read
 * @ss: the session, its clock set; the only one that is on
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno.
 */
int fxt_clock_start(const struct fxt_session *ss)
{
	if (ss->clock == FXT_CLOCK_TSC)
		return 0;
	fxt_timebase_boot = ss->clock == FXT_CLOCK_BOOT;
	/* This tells of the present state as well. */
	return pvclock_gtod_register_notifier(&fxt_timebase_notifier);
}

/**
 * fxt_clock_stop() - undo fxt_clock_start()
 * @ss: the session; no probe runs
 *
 * Context: may sleep.
 */
void fxt_clock_stop(const struct fxt_session *ss)
{
	if (ss->clock != FXT_CLOCK_TSC)
		pvclock_gtod_unregister_notifier(&fxt_timebase_notifier);
}

#else

int fxt_clock_start(const struct fxt_session *ss)
{
	return 0;
}

void fxt_clock_stop(const struct fxt_session *ss)
{
}

#endif
