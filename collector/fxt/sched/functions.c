// SPDX-License-Identifier: GPL-2.0-or-later
/* functions.c - see functions.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_sched_stack.h>

#include "functions.h"
#include "terminal/memory.h"

static const char *name_of(const struct sched_symbol *symbol, uint64_t frame,
			   char text[SCHED_ADDRESS_BYTES])
{
	if (symbol)
		return symbol->name;
	snprintf(text, SCHED_ADDRESS_BYTES, "0x%" PRIx64, frame);
	return text;
}

const struct sched_symbol *sched_frame_symbol(struct sched_symbols *s,
					      const struct fxt_call_stack *stack, uint32_t i)
{
	return sched_symbol_find(s, stack->provider, stack->process,
				 fxt_sched_frame_address(stack->frames[i]));
}

const char *sched_frame_name(struct sched_symbols *s, const struct fxt_call_stack *stack, uint32_t i,
			     char text[SCHED_ADDRESS_BYTES])
{
	return name_of(sched_frame_symbol(s, stack, i), stack->frames[i], text);
}

const struct fxt_call_stack *sched_functions(struct fxt_call_stacks *to, struct sched_symbols *s,
					     const struct fxt_call_stack *stack, uint32_t begin,
					     uint32_t end)
{
	const struct fxt_call_stack *functions;
	const struct sched_symbol *symbol;
	uint64_t frames[FXT_MAX_FRAMES];
	bool is_of_process = false;
	uint32_t i, count = 0;

	for (i = begin; i < end; i++) {
		/* A zero may end a stack walked by frame pointers. */
		if (!stack->frames[i])
			continue;
		symbol = sched_frame_symbol(s, stack, i);
		/* Another process may have another function at the same address. */
		is_of_process |= !symbol && !fxt_sched_is_kernel(stack->frames[i]);
		frames[count++] = symbol ? symbol->place : stack->frames[i];
	}
	functions = fxt_call_stack_get(to, stack->provider, is_of_process ? stack->process : 0,
				       frames, count);
	must_fit(functions ? 0 : -ENOMEM);
	return functions;
}

const char *sched_function_name(struct sched_symbols *s, const struct fxt_call_stack *stack,
				uint32_t i, char text[SCHED_ADDRESS_BYTES])
{
	return name_of(sched_symbol_at(s, stack->provider, stack->frames[i]), stack->frames[i], text);
}
