/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - the one word that begins and ends the recording for all CPUs.
 *
 * Probes are registered and unregistered one by one. They record an event only if its time is
 * covered by this word, so that the trace begins and ends at the same time on all CPUs: it has no
 * wakeup of a thread whose switch-out it lacks.
 *
 * Probes load the word without a barrier. They use nothing else that changes with it, and
 * what they then store into their stream cannot become visible before the load, because
 * the stores depend on it through a branch (control dependency). Code that looks back to the
 * beginning of the recording (trigger, slices) needs more: fxt_recording_is_on() and
 * fxt_recording_covers_slice().
 */
#ifndef FXT_KMOD_RECORDING_H
#define FXT_KMOD_RECORDING_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define FXT_RECORDING_ON	((s64)U64_MAX)

/* When switches and wakeups become records. */
struct fxt_recording {
	atomic64_t until;	/* ticks up to which they do: FXT_RECORDING_ON while no end is set,
				 * the time of the end once it is set, 0 when nothing is recorded.
				 * A trigger may set the end from a probe; all other changes are
				 * serialized (device.c) */
	u64 since;		/* ticks of the beginning of the recording; published by @until.
				 * What the probes noted before it does not count, because the
				 * recording does not show it */
};

/* Is an event at that time to be recorded? */
static __always_inline bool fxt_recording_covers(const struct fxt_recording *r, u64 now)
{
	return likely(now <= (u64)atomic64_read(&r->until));
}

/**
 * fxt_recording_covers_slice() - is a slice to be recorded?
 * @r: the recording
 * @begin: ticks; 0 if the probes have not seen it begin
 * @end: ticks
 *
 * Return: false also if it began before the recording, or during a previous one.
 */
static __always_inline bool fxt_recording_covers_slice(const struct fxt_recording *r,
						       u64 begin, u64 end)
{
	/* Pairs with the release in fxt_recording_begin(): @since is of this recording. */
	u64 until = atomic64_read_acquire(&r->until);

	return likely(end <= until) && likely(begin >= r->since);
}

/* Record from now on. Nothing is recorded yet. Context: may sleep; serialized (device.c). */
static inline void fxt_recording_begin(struct fxt_recording *r, u64 now)
{
	r->since = now;
	/*
	 * @since and the armed trigger before the word. Pairs with fxt_recording_is_on()
	 * and fxt_recording_covers_slice().
	 */
	atomic64_set_release(&r->until, FXT_RECORDING_ON);
}

/**
 * fxt_recording_is_on() - is the recording on, with no end set?
 * @r: the recording
 *
 * Return: if true, the caller sees all that was stored before fxt_recording_begin().
 */
static inline bool fxt_recording_is_on(const struct fxt_recording *r)
{
	/* Pairs with the release in fxt_recording_begin(). */
	return atomic64_read_acquire(&r->until) == FXT_RECORDING_ON;
}

/**
 * fxt_recording_set_end() - let the recording end at a time
 * @r: the recording
 * @time: ticks
 *
 * Return: true if the caller set the end, false if it was set before. The word only falls
 * while there is recording, so no CPU can begin to record again once an end is set.
 */
static inline bool fxt_recording_set_end(struct fxt_recording *r, u64 time)
{
	return atomic64_cmpxchg(&r->until, FXT_RECORDING_ON, time) == FXT_RECORDING_ON;
}

/**
 * fxt_recording_cut() - end the recording now, unless it has already ended
 * @r: the recording
 * @now: ticks
 *
 * Only a trigger can run at the same time; if it is first, it may have set a time in the
 * future. The caller then waits for the probes: fxt_probes_fence() orders the stores of
 * all probes that may have seen an older value before what the caller does next.
 *
 * Context: may sleep; serialized (device.c).
 */
static inline void fxt_recording_cut(struct fxt_recording *r, u64 now)
{
	if (!fxt_recording_set_end(r, now) && (u64)atomic64_read(&r->until) > now)
		atomic64_set(&r->until, now);
}

/**
 * fxt_recording_close() - record nothing, regardless of the time
 * @r: the recording, cut
 *
 * The clocks may step back by some ns, to before the cut.
 *
 * Context: may sleep; serialized (device.c); no probe runs that began before the cut.
 */
static inline void fxt_recording_close(struct fxt_recording *r)
{
	atomic64_set(&r->until, 0);
}

#endif /* FXT_KMOD_RECORDING_H */
