/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_rename.h - which renames become records, the same for both sources.
 *
 * A thread can rename itself a million times a second, and needs no privilege for it.
 * So renames have a rate: for each thread, and for all threads of a user on a CPU,
 * because threads are cheap to make. And they may not fill the buffers: one half is
 * for forks and execs. A rename beyond that is folded: no record is written, which
 * is counted, and the thread is marked. The mark is answered with the name that the
 * thread has then, when it ends or when the collector next reads the names of all
 * threads. So what is missing are names that a thread has had for a while, never the
 * newest.
 *
 * The rate is kept as the time up to which it is used up, in units of the time that
 * one rename stands for. The time may lie up to a burst ahead. It is never 0: where
 * times wrap around, a rename may use up two units.
 */
#ifndef FXT_FXT_RENAME_H
#define FXT_FXT_RENAME_H

#include "fxt_word.h"

/* Of a thread: 119 a second; 15 bits of time are enough, for 275 s. */
#define FXT_RENAME_THREAD_SHIFT	23
#define FXT_RENAME_THREAD_MASK	0x7fffU
#define FXT_RENAME_THREAD_BURST	100U
#define FXT_RENAME_FOLDED	0x8000U	/* beside it: the newest name is in no record */

/* Of a user on a CPU: 1907 a second. */
#define FXT_RENAME_USER_SHIFT	19
#define FXT_RENAME_USER_MASK	0xffffffffU
#define FXT_RENAME_USER_BURST	1000U
#define FXT_RENAME_USER_BITS	6	/* users whose ids have the same hash share */
#define FXT_RENAME_USERS	(1U << FXT_RENAME_USER_BITS)

/* CPUs' clocks may differ: a time so far beyond the burst is not one of the past. */
#define FXT_RENAME_SLACK	4U

/**
 * fxt_rename_add() - use up the time of one rename
 * @until: up to when the rate is used up, 0 for nothing yet
 * @now: the time, in the same units
 * @mask: of the bits that a time has
 * @burst: how far @until may be ahead
 *
 * Times wrap around. One that comes to lie ahead by that is taken for an old one,
 * unless it lies ahead by no more than the burst: then the thread has less left of it.
 *
 * Return: @until after that, or 0 if the rate is exceeded.
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

/** fxt_rename_user() - the place of a user in a table of FXT_RENAME_USERS */
static __always_inline __u32 fxt_rename_user(__u32 uid)
{
	return uid * 0x9e3779b1U >> (32 - FXT_RENAME_USER_BITS);
}

/**
 * fxt_rename_fits() - is there to be a record of a rename? If so, that is noted
 * @thread: the thread's rate; FXT_RENAME_FOLDED is as it should be afterwards
 * @user: the user's on this CPU
 * @ns: the time; any clock that does not stop
 * @room: less than half of the buffer is in use
 *
 * Both may be stored to by others meanwhile: then one too many may pass.
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
