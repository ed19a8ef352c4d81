// SPDX-License-Identifier: GPL-2.0
/*
 * clock.c - a copy of the kernel's conversion of its counter to nanoseconds, from which clock.h
 * computes the same time: without a call if the counter is the time-stamp counter, else with one
 * that only reads the counter.
 *
 * In:  the kernel's timekeeper, each time it changes.
 * Out: fxt_timebase_boot, fxt_timebase_mono and so on, while a session has started its clock.
 *
 * The kernel calls the notifier under its own lock, so there is one writer, with irqs
 * off. A change takes effect for our readers within some ns of when it does for the
 * kernel's.
 *
 * The first two exist on x86. They are invalid while the clock source is not the plain counter (but
 * a hypervisor's clock, or the replacement of an unstable counter); readers then call the kernel.
 * Sessions that start meanwhile use the others, which work with any clock source, see
 * fxt_clock_is_inline(). No reader runs while the kernel's clock is suspended, because no CPU
 * schedules then.
 *
 * If the machine resets or stops the counter during suspend, the offsets of the clocks that are the
 * counter itself are adjusted: see fxt_tsc_resume().
 */
#include <linux/clocksource.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/syscore_ops.h>
#include <linux/timekeeper_internal.h>

#include "clock.h"
#include "compat.h"

struct fxt_timebase fxt_timebase_boot_called ____cacheline_aligned;
struct fxt_timebase fxt_timebase_mono_called ____cacheline_aligned;

static DEFINE_MUTEX(fxt_timebase_lock);
/* Sessions that have started their clock; under fxt_timebase_lock. */
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

/* Until the next fxt_timebase_set(). */
static void fxt_timebase_invalidate(struct fxt_timebase *b)
{
	WRITE_ONCE(b->begun, b->done + 1);
}

/* @boot: nanoseconds of CLOCK_BOOTTIME */
static void fxt_timebase_update_tsc(const struct tk_read_base *mono, u64 boot)
{
	/* Is the clock source the plain counter? */
	if (mono->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC) {
		fxt_timebase_set(&fxt_timebase_mono, mono, mono->base);
		fxt_timebase_set(&fxt_timebase_boot, mono, boot);
	} else {
		fxt_timebase_invalidate(&fxt_timebase_mono);
		fxt_timebase_invalidate(&fxt_timebase_boot);
	}
}

static bool fxt_counter_is_inline(void)
{
	return READ_ONCE(fxt_timebase_boot.begun) == READ_ONCE(fxt_timebase_boot.done);
}

#else

static void fxt_timebase_update_tsc(const struct tk_read_base *mono, u64 boot)
{
}

static bool fxt_counter_is_inline(void)
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

/* Make a clock cheap to read. Context: may sleep. Return: 0 or a negative errno. */
int fxt_clock_start(const struct fxt_clock *clock)
{
	int ret = 0;

	if (clock->id == FXT_CLOCK_TSC)
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

/* Undo fxt_clock_start(). Context: may sleep; no probe runs. */
void fxt_clock_stop(const struct fxt_clock *clock)
{
	if (clock->id == FXT_CLOCK_TSC)
		return;
	mutex_lock(&fxt_timebase_lock);
	if (!--fxt_timebase_users)
		pvclock_gtod_unregister_notifier(&fxt_timebase_notifier);
	mutex_unlock(&fxt_timebase_lock);
}

/**
 * fxt_clock_is_inline() - can a clock be read without a call?
 * @clock: the clock; fxt_clock_start() has been called
 *
 * The answer only matters for speed: the kernel's clock source may change at any moment, even now.
 * Inline readers that find the copy invalid call the kernel, in more instructions.
 *
 * Context: any.
 */
bool fxt_clock_is_inline(const struct fxt_clock *clock)
{
	return clock->id == FXT_CLOCK_TSC || fxt_counter_is_inline();
}

#ifdef CONFIG_X86_TSC

/* Clocks that are the counter; under fxt_tsc_lock. */
static LIST_HEAD(fxt_tsc_clocks);
static DEFINE_MUTEX(fxt_tsc_lock);

/* Values when the machine was suspended: the counter, and CLOCK_BOOTTIME in ns. */
static u64 fxt_tsc_asleep;
static u64 fxt_boot_asleep;

/*
 * The kernel calls these two on the last CPU, with irqs off: nobody reads a clock. Tasks are
 * frozen, which needs fxt_tsc_lock to be free. The kernel's clock runs in both, because it was
 * registered before.
 */
static int fxt_tsc_suspend(FXT_SYSCORE_DATA)
{
	fxt_tsc_asleep = fxt_tsc();
	fxt_boot_asleep = ktime_get_boot_fast_ns();
	return 0;
}

/* Ticks continue where they were, plus the time that the machine was suspended. */
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
	/* Tick 0 is boot, as with the other clocks. */
	clock->tsc_offset = fxt_tsc() - fxt_clock_ticks(clock, ktime_get_boottime_ns());
	if (list_empty(&fxt_tsc_clocks))
		register_syscore(&fxt_tsc_syscore);
	list_add(&tsc->list, &fxt_tsc_clocks);
	mutex_unlock(&fxt_tsc_lock);
}

static void fxt_tsc_remove(struct fxt_tsc_clock *tsc)
{
	mutex_lock(&fxt_tsc_lock);
	list_del(&tsc->list);
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

/**
 * fxt_clock_init() - set up a clock
 * @clock: the clock
 * @tsc: what it needs if it is the time-stamp counter
 * @id: which one
 *
 * Context: may sleep.
 */
void fxt_clock_init(struct fxt_clock *clock, struct fxt_tsc_clock *tsc, clockid_t id)
{
	clock->id = id;
	clock->khz = USEC_PER_SEC;
	if (id != FXT_CLOCK_TSC)
		return;
	clock->khz = fxt_tsc_khz();
	fxt_tsc_add(tsc, clock);
}

/* Undo fxt_clock_init(). Context: may sleep; nobody reads the clock any more. */
void fxt_clock_exit(struct fxt_tsc_clock *tsc)
{
	if (tsc->clock)
		fxt_tsc_remove(tsc);
}
