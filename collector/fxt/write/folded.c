// SPDX-License-Identifier: GPL-2.0-or-later
/* folded.c - see folded.h. */
#include "folded.h"

/* Replace bytes in a name that would end a frame or the line. */
static void put_name(struct out *o, const char *name)
{
	for (; *name; name++)
		out_char(o, *name == ';' || (unsigned char)*name < ' ' ? '_' : *name);
}

void folded_line(struct out *o, const char *name, struct sched_symbols *symbols,
		 const struct fxt_call_stack *stack, uint64_t number)
{
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;

	put_name(o, *name ? name : "(unknown)");
	for (i = stack->count; i--; ) {
		out_char(o, ';');
		put_name(o, sched_function_name(symbols, stack, i, text));
	}
	out_char(o, ' ');
	out_u64(o, number);
	out_char(o, '\n');
}
