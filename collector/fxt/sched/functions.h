/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * functions.h - the functions of stacks.
 *
 * In: recorded stacks, whose frames are return addresses; the symbols of the archive.
 * Out: stacks of functions, which are equal if their functions are, wherever these called each
 * other; names.
 */
#ifndef FXT_SCHED_FUNCTIONS_H
#define FXT_SCHED_FUNCTIONS_H

#include "libfxt/stacks.h"
#include "symbols.h"

#define SCHED_ADDRESS_BYTES	20	/* room for an address as text */

/* The function of a frame of a recorded stack; NULL if unknown. */
const struct sched_symbol *sched_frame_symbol(struct sched_symbols *s,
					      const struct fxt_call_stack *stack, uint32_t i);

/*
 * The name of the function of a frame of a recorded stack; if it is unknown, @text with its
 * address.
 * @i: 0 for the innermost frame
 */
const char *sched_frame_name(struct sched_symbols *s, const struct fxt_call_stack *stack, uint32_t i,
			     char text[SCHED_ADDRESS_BYTES]);

/*
 * Find or add in @to the stack of the functions of a recorded stack, from frame @begin up to @end.
 */
const struct fxt_call_stack *sched_functions(struct fxt_call_stacks *to, struct sched_symbols *s,
					     const struct fxt_call_stack *stack, uint32_t begin,
					     uint32_t end);

/* As sched_frame_name(), for a stack from sched_functions(). */
const char *sched_function_name(struct sched_symbols *s, const struct fxt_call_stack *stack,
				uint32_t i, char text[SCHED_ADDRESS_BYTES]);

#endif /* FXT_SCHED_FUNCTIONS_H */
