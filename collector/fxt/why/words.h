/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - causes in words, the same in text and in JSON. */
#ifndef FXT_WHY_WORDS_H
#define FXT_WHY_WORDS_H

#include "account/causes.h"
#include "account/history.h"

/** why_cause_name() - the name of a cause: "running", "runnable" and so on */
const char *why_cause_name(enum why_cause cause);

/** why_detail_words() - why a part is unknown, or how a sleep ended; NULL of WHY_PLAIN */
const char *why_detail_words(const struct history *h, enum why_detail detail);

/** why_by_name() - the name of a thread, of an interrupt, of a cgroup; "unknown" */
const char *why_by_name(const struct history *h, const struct why_by *by);

/** why_by_kind() - "irq", "softirq", "throttled" and so on; NULL for threads */
const char *why_by_kind(const struct history *h, const struct why_by *by);

/** why_origin_words() - the subject of an interrupt, as "the disk"; NULL if unknown */
const char *why_origin_words(const struct history *h, const struct why_by *by);

/** why_is_message() - do CPUs send such interrupts to each other? */
bool why_is_message(const struct sched_origin *origin);

/**
 * why_function() - the function in which a thread slept, or from which it was woken
 * @turn: the turn that the wakeup began, or HISTORY_NONE
 * @of_waker: use the stack of the waker
 *
 * Return: the first function that is not of the scheduler itself; NULL if there is no stack.
 */
const char *why_function(const struct history *h, uint32_t turn, bool of_waker);

/**
 * why_caller() - likewise, of a lock: the function that wanted it, or gave it away
 *
 * Return: the first function that is none of the scheduler and of locks; NULL if there is no stack.
 */
const char *why_caller(const struct history *h, uint32_t turn, bool of_waker);

/** why_ended() - history_ended_by() of the turn that the wakeup began, or of HISTORY_NONE */
struct history_ended why_ended(const struct history *h, uint32_t turn);

/** why_work() - likewise, history_waker_work() */
const struct history_work *why_work(const struct history *h, uint32_t turn);

/**
 * why_through() - the interrupt by which the thread of a link woke another one
 * @turn: the turn that the wakeup began, or HISTORY_NONE
 *
 * Return: "a soft interrupt"; NULL if the thread itself woke the other.
 */
const char *why_through(const struct history *h, uint32_t turn);

#endif /* FXT_WHY_WORDS_H */
