/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions.h - the functions that stacks are in.
 *
 * In: recorded stacks, whose frames are return addresses; the symbols of the archive.
 * Out: stacks whose frames are places of functions, so that two stacks are equal if their functions
 * are, wherever these called each other; names.
 */
#ifndef FXT_SCHED_FUNCTIONS_H
#define FXT_SCHED_FUNCTIONS_H

#include "libfxt/stacks.h"
#include "symbols.h"

#define SCHED_ADDRESS_BYTES	20	/* room for an address as text */

/** sched_frame_symbol() - the function of a frame of a recorded stack; NULL if it is unknown */
const struct sched_symbol *sched_frame_symbol(struct sched_symbols *s,
					      const struct fxt_call_stack *stack, uint32_t i);

/**
 * sched_frame_name() - the name of the function of a frame of a recorded stack
 * @i: number of the frame, 0 for the innermost
 * @text: room for the address of an unknown function
 *
 * Return: its name, or its address in hexadecimal.
 */
const char *sched_frame_name(struct sched_symbols *s, const struct fxt_call_stack *stack, uint32_t i,
			     char text[SCHED_ADDRESS_BYTES]);

/**
 * sched_functions() - find or add the stack of the functions of a recorded stack
 * @to: where it is kept
 * @begin: the first frame that counts
 * @end: the end of those that do
 */
const struct fxt_call_stack *sched_functions(struct fxt_call_stacks *to, struct sched_symbols *s,
					     const struct fxt_call_stack *stack, uint32_t begin,
					     uint32_t end);

/** sched_function_name() - as sched_frame_name(), of a stack that sched_functions() returned */
const char *sched_function_name(struct sched_symbols *s, const struct fxt_call_stack *stack,
				uint32_t i, char text[SCHED_ADDRESS_BYTES]);

#endif /* FXT_SCHED_FUNCTIONS_H */
