/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_rename.h - rate limits of renames, the same for both sources.
 *
 * A thread can rename itself a million times a second without privileges. So renames are limited
 * per thread, and per user on each CPU, because threads are cheap to create. Nor may renames fill
 * the buffers: half of each is reserved for forks and execs.
 *
 * A rename beyond the limits is folded: it is counted, but not recorded, and the thread is marked.
 * The name of a marked thread is recorded when the thread ends, or when the collector next reads
 * the names of all threads. So an archive may lack intermediate names of a thread, but never the
 * newest.
 *
 * A rate is stored as the time up to which it is used up, in units of the time per rename. That
 * time may be up to a burst ahead of now. It is never 0: a rename uses up two units if the time
 * would wrap around to 0.
 */
#ifndef FXT_FXT_RENAME_H
#define FXT_FXT_RENAME_H

#include "fxt_word.h"

/* Per thread: 119 a second; 15 bits of time last for 275 s. */
#define FXT_RENAME_THREAD_SHIFT	23
#define FXT_RENAME_THREAD_MASK	0x7fffU
#define FXT_RENAME_THREAD_BURST	100U
#define FXT_RENAME_FOLDED	0x8000U	/* mark: no record has the newest name */

/* Per user on a CPU: 1907 a second. */
#define FXT_RENAME_USER_SHIFT	19
#define FXT_RENAME_USER_MASK	0xffffffffU
#define FXT_RENAME_USER_BURST	1000U
#define FXT_RENAME_USER_BITS	6	/* users whose ids have the same hash share a rate */
#define FXT_RENAME_USERS	(1U << FXT_RENAME_USER_BITS)

/* The clocks of CPUs differ: a time up to this far beyond the burst counts as ahead, not as old. */
#define FXT_RENAME_SLACK	4U

/*
 * Use up the time of one rename. @until: time up to which the rate is used up; 0 if no rename was
 * counted yet. @now: in the same units. @mask: the bits of a time. @burst: how far @until may be
 * ahead
 *
 * Times wrap around, so an old @until may appear to be ahead. If it is ahead by more than the
 * burst, it counts as old; if not, the rest of the burst is smaller than it should be.
 *
 * Return: the new @until, or 0 if the rate is exceeded.
 */
static __always_inline __u32 fxt_rename_add(__u32 until, __u32 now, __u32 mask,
					    __u32 burst)
{
	__u32 ahead = until ? (until - now) & mask : 0;

	if (ahead >= burst + FXT_RENAME_SLACK)
		ahead = 0;
	else if (ahead >= burst)
		return 0;
	until = (now + ahead + 1) & mask;
	return until ? until : 1;
}

/* The index of a user in a table of FXT_RENAME_USERS. */
static __always_inline __u32 fxt_rename_user(__u32 uid)
{
	return uid * 0x9e3779b1U >> (32 - FXT_RENAME_USER_BITS);
}

/*
 * Is a rename recorded? Counts it. @thread: the thread's rate and mark; updated. @user: the user's
 * rate on this CPU; updated. @ns: the time of any clock that does not stop. @room: less than half
 * of the buffer is in use
 *
 * Other CPUs may store to @thread and @user meanwhile; then a rename too many may be recorded.
 *
 * Return: 0 to fold the rename.
 */
static __always_inline int fxt_rename_fits(__u16 *thread, __u32 *user, __u64 ns,
					   int room)
{
	__u32 of_thread = *thread & FXT_RENAME_THREAD_MASK, of_user;

	of_thread = fxt_rename_add(of_thread,
				   (__u32)(ns >> FXT_RENAME_THREAD_SHIFT) &
				   FXT_RENAME_THREAD_MASK,
				   FXT_RENAME_THREAD_MASK, FXT_RENAME_THREAD_BURST);
	of_user = fxt_rename_add(*user, (__u32)(ns >> FXT_RENAME_USER_SHIFT),
				 FXT_RENAME_USER_MASK, FXT_RENAME_USER_BURST);
	if (!room || !of_thread || !of_user) {
		*thread |= FXT_RENAME_FOLDED;
		return 0;
	}
	*thread = of_thread;
	*user = of_user;
	return 1;
}

#endif /* FXT_FXT_RENAME_H */
