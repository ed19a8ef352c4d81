/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * states.h - the states of threads in sched_switch.
 *
 * In: numbers, whose bits differ between kernels; letters, as the kernel prints them.
 * Out: letters of today, and states of the format.
 */
#ifndef FXT_FORMATS_IMPORT_STATES_H
#define FXT_FORMATS_IMPORT_STATES_H

#include <stdint.h>

#include <fxt/fxt_sched.h>

#define TRACE_STATES	16U	/* more have no meaning for fxt */

/**
 * struct trace_states - what a kernel's numbers mean
 * @all: the letter of each bit, in the order in which the kernel prints them
 * @count: of them
 * @preempted: bits of a thread that was preempted
 */
struct trace_states {
	struct trace_state_bits {
		uint64_t bits;
		char letter;
	} all[TRACE_STATES];
	unsigned int count;
	uint64_t preempted;
};

/**
 * trace_states_any - for numbers of an unknown kernel
 *
 * The bits of 4.14 and later, and those of earlier kernels that cannot be mistaken for them. 64 is
 * a dead thread before 4.14 and a parked one since: its state is unknown.
 */
extern const struct trace_states trace_states_any;

/** trace_state_letter() - of a number; '?' if it has no meaning */
char trace_state_letter(const struct trace_states *s, uint64_t number);

/** trace_state_of() - of a letter; FXT_SCHED_STATE_UNKNOWN if it has no meaning */
struct fxt_sched_state trace_state_of(char letter);

#endif /* FXT_FORMATS_IMPORT_STATES_H */
