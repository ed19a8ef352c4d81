/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeups.h - the wakeups of a trace.
 *
 * In: sched_waking, sched_wakeup, sched_wakeup_new and sched_migrate_task, in the order of time.
 * Out: one record for each time that a thread becomes runnable.
 *
 * The kernel has two events for a wakeup. At sched_waking, the current thread or interrupt is
 * the waker; at sched_wakeup the thread becomes runnable, perhaps on another CPU, where an
 * interrupt does it. The record is written at the second, with the waker of the first. Traces
 * with only one of these have the record there.
 *
 * sched_waking names the CPU on which the thread has run. If the kernel chooses another one, it
 * moves the thread before anything else happens on the CPU of the waker. So a record of
 * sched_waking waits for the next event there. If that is the move, it comes first, at the time
 * of sched_waking, because a thread that waits for a CPU is already on it.
 */
#ifndef FXT_FORMATS_IMPORT_WAKEUPS_H
#define FXT_FORMATS_IMPORT_WAKEUPS_H

#include "archive.h"
#include "event.h"
#include "threads.h"

/* A wakeup that waits, if @is_held. */
struct trace_held {
	uint64_t ns;
	uint32_t thread;
	uint32_t target;
	uint32_t waker;
	int32_t weight;
	bool is_held;
};

/**
 * struct trace_wakeups - begins as zeros but for @a and @threads
 * @has_events: the trace has sched_wakeup
 * @losses: that the trace had so far: states of threads from before them are uncertain
 * @held: by the CPU of the waker
 */
struct trace_wakeups {
	struct trace_archive *a;
	struct trace_threads *threads;
	bool has_events;
	uint32_t losses;
	struct trace_held *held;
};

/** trace_wakeup() - an event of a wakeup. Return: 0 or a negative errno */
int trace_wakeup(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_early() - a thread is switched in that was woken while it was being switched out
 * @w: the wakeups
 * @e: the switch
 * @in: the thread
 *
 * sched_waking comes before the switch then. The thread is runnable from its switch on.
 *
 * Return: 0 or a negative errno.
 */
int trace_wakeup_early(struct trace_wakeups *w, const struct trace_event *e,
		       struct trace_thread *in);

/** trace_wakeups_before() - an event is next on its CPU. Return: 0 or a negative errno */
int trace_wakeups_before(struct trace_wakeups *w, const struct trace_event *e);

/**
 * trace_wakeup_move() - a thread is moved, after trace_wakeups_before()
 *
 * Return: ns, when: at the wakeup that moves it, else at the time of the event.
 */
uint64_t trace_wakeup_move(struct trace_wakeups *w, const struct trace_event *e);

/** trace_wakeups_lost() - events of a CPU were lost. Return: 0 or a negative errno */
int trace_wakeups_lost(struct trace_wakeups *w, uint32_t cpu);

/** trace_wakeups_end() - the trace ends. Return: 0 or a negative errno */
int trace_wakeups_end(struct trace_wakeups *w);

void trace_wakeups_close(struct trace_wakeups *w);

#endif /* FXT_FORMATS_IMPORT_WAKEUPS_H */
