/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_stacks.h - call stacks of the threads that are shown. */
#ifndef FXT_REPORT_STACKS_H
#define FXT_REPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/stacks.h"
#include "sched/symbols.h"

struct report_thread;

enum report_stack_kind {
	REPORT_STACK_SLEPT,	/* where threads slept */
	REPORT_STACK_IDLE,	/* where kernel threads waited for work (state I) */
	REPORT_STACK_PREEMPTED,	/* where they were preempted */
	REPORT_STACK_WAKER,	/* what woke them, with the sleeps that it ended */
	REPORT_STACK_RAN,	/* what they ran, by samples */
	REPORT_STACK_KINDS
};

/* The time off its CPU of a thread, current or just ended. */
struct report_off {
	uint64_t since;	/* ns, of its switch-out */
	uint64_t woken;	/* ns, of its wakeup; 0 if there was none */
	uint64_t until;	/* ns, of its last switch-in */
	const struct fxt_call_stack *waker;	/* the stack of what woke it, NULL if unknown */
	const struct fxt_call_stack *from;	/* the same of the sleep that has ended */
	char state;	/* letter; 0: it is not, or since when is unknown */
	char left;	/* what @state was until it was switched in */
	bool has_ended;	/* at @until, and its stack has not been seen */
};

/* Sleeps, preemptions or samples. */
struct report_times {
	uint64_t ns;		/* sum of @count of them */
	uint64_t count;
	uint64_t longest;	/* ns of the (first) longest one, which @longest_thread was in */
	uint64_t longest_time;	/* ns, when it ended */
	const struct report_thread *longest_thread;
};

/* All stacks in the same functions. */
struct report_stack {
	/* Of beginnings of functions, where these are known. */
	const struct fxt_call_stack *stack;
	const struct report_thread *thread;	/* NULL if it is of several threads */
	struct report_times sum;
};

/* Those with most time first. */
struct report_stack_list {
	struct report_stack *all;
	size_t count;
};

struct report_function {
	char *name;		/* or its address if that is unknown */
	uint64_t self_ns;	/* sum over the @self_count stacks whose innermost function it is */
	uint64_t self_count;
	struct report_times sum;	/* of all stacks that it is in */
};

/* Sorted by @self_ns (wakers: by the sum), largest first. */
struct report_function_list {
	struct report_function *all;
	size_t count;
};

/* What woke threads that slept in one stack. */
struct report_waking {
	const struct fxt_call_stack *stack;	/* of struct report_stack */
	const struct fxt_call_stack *from;	/* the waker's stack, likewise; NULL if unknown */
	const struct report_thread *by;	/* or one of its name; NULL: unknown, or @irq */
	uint8_t irq;			/* enum fxt_sched_irq */
	uint64_t ns;			/* sum of @count sleeps */
	uint64_t count;
	uint64_t longest;
};

/* Call stacks of the threads that are shown. */
struct report_stacks {
	struct report_stack_list of_threads[REPORT_STACK_KINDS];	/* by thread, too */
	struct report_stack_list together[REPORT_STACK_KINDS];	/* by kind: a stack each */
	struct report_function_list functions[REPORT_STACK_KINDS];
	struct report_waking *wakings;	/* by stack; those with most time first */
	size_t waking_count;
	struct sched_symbols *symbols;	/* of the archive */
	bool has;			/* the archive has stacks */
	bool has_sleeps;		/* some of them are of sleeps */
	bool has_samples;		/* some of them are samples */
};

/*
 * Find the frames of a stack of @s that matter: why a thread slept, or (@is_waker) what woke one.
 * @begin is the innermost frame that is not of the tracer. @end excludes code that an interrupt
 * interrupted, because that did not wake the thread.
 */
void report_stack_range(const struct report_stacks *s, const struct fxt_call_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end);

/* What ended the sleeps in a stack; sets @count to their number. */
const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct fxt_call_stack *stack, size_t *count);

/* The lock that a thread waited for when that fired the trigger. */
struct report_trigger_lock {
	const struct sched_origin *of;	/* NULL: none, or unknown */
	const struct report_thread *holder;	/* NULL: unknown */
};

/*
 * Functions, innermost first, of a sleep, or of a wait for a lock, that fired the trigger; NULL:
 * unknown.
 */
struct report_trigger_stacks {
	const struct fxt_call_stack *slept;	/* where the thread slept */
	const struct fxt_call_stack *woken;	/* what woke it */
	const struct fxt_call_stack *held;	/* where the holder of the lock slept meanwhile */
	const char *holder_state;	/* what a holder that did not sleep did then; NULL: unknown */
};

#endif /* FXT_REPORT_STACKS_H */
