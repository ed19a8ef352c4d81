/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - causes in words, the same in text and in JSON. */
#ifndef FXT_WHY_WORDS_H
#define FXT_WHY_WORDS_H

#include "account/causes.h"
#include "account/history.h"

/* "running", "runnable" and so on */
const char *why_cause_name(enum why_cause cause);

/* Why a part is unknown, or how a sleep ended; NULL for WHY_PLAIN. */
const char *why_detail_words(const struct history *h, enum why_detail detail);

/* The name of a thread, an interrupt or a cgroup; or "unknown". */
const char *why_by_name(const struct history *h, const struct why_by *by);

/* "irq", "softirq", "throttled" and so on; NULL for threads */
const char *why_by_kind(const struct history *h, const struct why_by *by);

/* The subject of an interrupt, such as "the disk"; NULL if unknown. */
const char *why_origin_words(const struct history *h, const struct why_by *by);

/* Do CPUs send such interrupts to each other? */
bool why_is_message(const struct sched_origin *origin);

/*
 * The function in which a thread slept, or if @of_waker from which it was woken: the first one
 * outside of the scheduler; NULL without a stack. @turn: began with the wakeup, or HISTORY_NONE
 */
const char *why_function(const struct history *h, uint32_t turn, bool of_waker);

/*
 * Likewise for a lock: the first function outside of the scheduler and of locks, NULL without a
 * stack.
 */
const char *why_caller(const struct history *h, uint32_t turn, bool of_waker);

/* history_ended_by() of the turn that the wakeup began, or of HISTORY_NONE. */
struct history_ended why_ended(const struct history *h, uint32_t turn);

/* Likewise history_lock_before(); NULL also if that is not known to be a lock. */
const struct history_lock *why_lock(const struct history *h, uint32_t turn);

/*
 * The lock that a thread waited for when that fired the trigger and went on, in a sleep that is not
 * over and goes back to @from. Of @lock, only the origin and the holder are set. Return: is there
 * one?
 */
bool why_open_lock(const struct history *h, uint32_t thread, uint64_t from,
		   struct history_lock *lock);

/* Likewise history_waker_work(). */
const struct history_work *why_work(const struct history *h, uint32_t turn);

/*
 * The interrupt by which a link's thread woke another one, e.g. "a soft interrupt"; NULL if the
 * thread itself woke it. @turn: began with the wakeup, or HISTORY_NONE
 */
const char *why_through(const struct history *h, uint32_t turn);

#endif /* FXT_WHY_WORDS_H */
