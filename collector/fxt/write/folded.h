/* SPDX-License-Identifier: GPL-2.0-or-later */
/* folded.h - lines for tools that draw flame graphs: NAME;FUNCTION;... and a number. */
#ifndef FXT_WRITE_FOLDED_H
#define FXT_WRITE_FOLDED_H

#include "liboutput/out.h"
#include "sched/functions.h"

/**
 * folded_line() - print a line, the outermost function first
 * @name: of the thread; empty if it has none
 * @stack: of sched_functions()
 * @number: how much the stack counts
 */
void folded_line(struct out *o, const char *name, struct sched_symbols *symbols,
		 const struct fxt_call_stack *stack, uint64_t number);

#endif /* FXT_WRITE_FOLDED_H */
