/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - for how long threads were off their CPUs, by call stack; blocked.c adds it up.
 *
 * A sleep lasts from the switch-out to the wakeup, or to the switch-in if the wakeup is unknown;
 * a preemption from the switch-out to the switch-in. It belongs to the time and the CPU of the
 * switch-in.
 */
#ifndef FXT_REPORT_STATS_STACKS_H
#define FXT_REPORT_STATS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/stacks.h"
#include "sched/symbols.h"

#define REPORT_FRAME_BYTES	520

enum report_stack_kind {
	REPORT_STACK_SLEPT,	/* where threads slept */
	REPORT_STACK_IDLE,	/* where idle kernel threads (I) waited for work */
	REPORT_STACK_PREEMPTED,	/* where they were preempted */
	REPORT_STACK_WAKER,	/* what woke them, with the sleeps that it ended */
	REPORT_STACK_KINDS
};

struct report_thread;

/**
 * struct report_off - a thread is off its CPU, or has just been
 * @since: ns, of its switch-out
 * @woken: ns, of its wakeup; 0 if there was none
 * @ns: how long it was, once it has been switched in
 * @waker: the stack of what woke it, NULL if unknown
 * @from: the same of the sleep that has ended; @by woke it, NULL if unknown, or @irq did
 * @state: letter; 0: it is not, or since when is unknown
 * @has_ended: @ns is valid, and its stack has not been seen
 * @kind: enum report_stack_kind
 */
struct report_off {
	uint64_t since;
	uint64_t woken;
	uint64_t ns;
	const struct sched_stack *waker;
	const struct sched_stack *from;
	const struct report_thread *by;
	uint8_t irq;
	char state;
	bool has_ended;
	uint8_t kind;
};

/**
 * struct report_stack - a stack, by the functions that it is in
 * @stack: its frames are the beginnings of functions, or addresses if these are unknown
 * @thread: if it is of one thread
 * @ns: of all sleeps or preemptions together; @count of them
 * @longest: ns of the (first) longest one, which @longest_thread was in
 * @longest_time: ns, when it ended
 */
struct report_stack {
	const struct sched_stack *stack;
	const struct report_thread *thread;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
	uint64_t longest_time;
	const struct report_thread *longest_thread;
};

/** struct report_stack_list - those with most time first */
struct report_stack_list {
	struct report_stack *all;
	size_t count;
};

/**
 * struct report_function - a function that is in stacks
 * @name: or its address, if it has none
 * @self_ns: of stacks of which it is the innermost function; @self_count of these
 * @ns: of all stacks that it is in, like @count, @longest and so on of struct report_stack
 */
struct report_function {
	char *name;
	uint64_t self_ns;
	uint64_t self_count;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
	uint64_t longest_time;
	const struct report_thread *longest_thread;
};

/** struct report_function_list - those with most @self_ns first; of wakers those with most @ns */
struct report_function_list {
	struct report_function *all;
	size_t count;
};

/**
 * struct report_waking - what ended sleeps in a stack
 * @stack: of struct report_stack
 * @from: the waker's stack, likewise; NULL if unknown
 * @by: a thread that woke them, or one of its name; NULL if unknown, or an interrupt
 * @irq: enum fxt_sched_irq
 * @ns: of the sleeps; @count of them, the longest lasted @longest
 */
struct report_waking {
	const struct sched_stack *stack;
	const struct sched_stack *from;
	const struct report_thread *by;
	uint8_t irq;
	uint64_t ns;
	uint64_t count;
	uint64_t longest;
};

/**
 * struct report_stacks - of the threads that are shown
 * @of_threads: by kind: a thread and a stack each
 * @together: by kind: a stack each
 * @functions: by kind
 * @wakings: by stack, those with most time first; @waking_count of them
 * @symbols: of the archive
 * @has: the archive has stacks
 */
struct report_stacks {
	struct report_stack_list of_threads[REPORT_STACK_KINDS];
	struct report_stack_list together[REPORT_STACK_KINDS];
	struct report_function_list functions[REPORT_STACK_KINDS];
	struct report_waking *wakings;
	size_t waking_count;
	struct sched_symbols *symbols;
	bool has;
};

/**
 * report_stack_range() - the frames of a stack that say why a thread slept, or what woke one
 * @s: the stacks
 * @stack: one of them
 * @is_waker: it is of what woke a thread
 * @begin: the first of them, from the innermost on: it is not of the tracer
 * @end: after the last one; the callers of an interrupt, whose code it interrupted, did not
 *       wake the thread
 */
void report_stack_range(const struct report_stacks *s, const struct sched_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end);

/** report_wakings_of() - what ended the sleeps in a stack; @count of them */
const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct sched_stack *stack, size_t *count);

/**
 * report_frame_name() - the function of a frame
 * @s: the stacks
 * @stack: one of them
 * @i: number of the frame, 0 for the innermost
 * @text: room for the address of an unknown function
 *
 * Return: its name, or its address in hexadecimal.
 */
const char *report_frame_name(const struct report_stacks *s, const struct sched_stack *stack,
			      uint32_t i, char text[20]);

/**
 * report_recorded_name() - the same of a stack as it was recorded, whose frames are the addresses
 * to which functions return
 */
const char *report_recorded_name(const struct report_stacks *s, const struct sched_stack *stack,
				 uint32_t i, char text[20]);

#endif /* FXT_REPORT_STATS_STACKS_H */
