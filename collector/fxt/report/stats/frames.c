// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames.c - the functions that call stacks are in.
 *
 * In: stacks as they were recorded, and the symbols of the archive. Out: stacks of the beginnings
 * of functions, without what led to the tracer; names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "internal.h"

/* What leads from the tracepoint to the program that took the stack. */
static const char * const of_tracer[] = {
	"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_", NULL
};

/* Where interrupts enter the kernel: on x86, and on arm64 until Linux 5.10 and since. */
static const char * const of_interrupts[] = {
	"asm_sysvec_", "asm_common_interrupt", "el1_irq", "el0_irq", "el1h_64_irq", "el0t_64_irq",
	"el0t_32_irq", NULL
};

static bool begins_with(const struct sched_symbol *symbol, const char * const *begins)
{
	for (; symbol && *begins; begins++)
		if (!strncmp(symbol->name, *begins, strlen(*begins)))
			return true;
	return false;
}

static const struct sched_symbol *symbol_of(const struct report_stacks *s,
					    const struct sched_stack *stack, uint32_t i)
{
	return sched_symbol_find(s->symbols, stack->provider, stack->process,
				 fxt_sched_frame_address(stack->frames[i]));
}

void report_stack_range(const struct report_stacks *s, const struct sched_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end)
{
	const struct sched_symbol *symbol;
	uint32_t i;

	*begin = 0;
	*end = stack->count;
	for (i = 0; i < *end; i++) {
		symbol = symbol_of(s, stack, i);
		if (begins_with(symbol, of_tracer))
			*begin = i + 1;
		else if (is_waker && begins_with(symbol, of_interrupts))
			*end = i + 1;
	}
}

/* The same stack with the beginnings of its functions. */
const struct sched_stack *engine_stack_functions(struct report_engine *e,
						 const struct sched_stack *stack, bool is_waker)
{
	const struct report_stacks *s = &e->report.stacks;
	const struct sched_symbol *symbol;
	uint64_t frames[FXT_MAX_FRAMES];
	bool is_of_process = false;
	uint32_t i, end, count = 0;

	report_stack_range(s, stack, is_waker, &i, &end);
	for (; i < end; i++) {
		/* Frame pointers may end with it. */
		if (!stack->frames[i])
			continue;
		symbol = symbol_of(s, stack, i);
		/* The same number may be another function in another process. */
		is_of_process |= !symbol && !fxt_sched_is_kernel(stack->frames[i]);
		frames[count++] = symbol ? symbol->place : stack->frames[i];
	}
	return sched_stack_get(&e->functions, stack->provider, is_of_process ? stack->process : 0,
			       frames, count);
}

static const char *name_of(const struct sched_symbol *symbol, uint64_t frame, char text[20])
{
	if (symbol)
		return symbol->name;
	snprintf(text, 20, "0x%" PRIx64, frame);
	return text;
}

const char *report_frame_name(const struct report_stacks *s, const struct sched_stack *stack,
			      uint32_t i, char text[20])
{
	return name_of(sched_symbol_find(s->symbols, stack->provider, stack->process,
					 stack->frames[i]),
		       stack->frames[i], text);
}

const char *report_recorded_name(const struct report_stacks *s, const struct sched_stack *stack,
				 uint32_t i, char text[20])
{
	return name_of(symbol_of(s, stack, i), stack->frames[i], text);
}
