/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reuse.h - two threads with one id at once.
 *
 * The kernel gives the id of a dying thread away before its last switch. Until then its
 * successor may run beside it, before it and after it.
 */
#ifndef FXT_SCHED_REUSE_H
#define FXT_SCHED_REUSE_H

#include "data.h"

/**
 * sched_reuse_in() - which of the two comes in?
 * @m: the model
 * @s: the stream whose first event is @e
 * @e: the switch
 * @t: the successor, which overlaps
 */
struct sched_thread *sched_reuse_in(const struct sched_model *m, const struct sched_stream *s,
				    const struct sched_event *e, struct sched_thread *t)
	__attribute__((cold));

/**
 * sched_reuse_out() - does the earlier one leave its CPU, and not the successor @t?
 * @t: the thread that is found by the id
 * @current: the thread that was switched in on this CPU; NULL: unknown
 * @e: the switch
 */
bool sched_reuse_out(const struct sched_thread *t, const struct sched_thread *current,
		     const struct sched_event *e)
	__attribute__((cold));

/**
 * sched_reuse_dies() - the successor @t dies on a CPU, or the earlier one does
 *
 * No event distinguishes them if both were runnable there. The earlier one dies, because it
 * has only its last switch left.
 */
struct sched_thread *sched_reuse_dies(struct sched_thread *t) __attribute__((cold));

/**
 * sched_follow_itself() - a thread is switched in where it is switched out
 *
 * Return: the thread that is switched in; NULL: no memory.
 */
struct sched_thread *sched_follow_itself(struct sched_model *m, const struct sched_event *e,
					 struct sched_thread *t)
	__attribute__((cold));

/** sched_tell_itself() - report a switch from a thread to itself */
void sched_tell_itself(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

#endif /* FXT_SCHED_REUSE_H */
