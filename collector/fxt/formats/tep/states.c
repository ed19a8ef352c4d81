// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * states.c - see states.h.
 *
 * A print format as
 *	REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|",
 *		{ 1, "S" }, { 2, "D" }, ...) : "R", REC->prev_state & 1024 ? "+" : ""
 * has the letters in the flags, and the bit of a preempted thread in the condition before "+".
 */
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "states.h"

#define DEPTH	64	/* of expressions; deeper ones have no meaning */

static bool is_op(const struct tep_print_arg *arg, const char *op)
{
	return arg && arg->type == TEP_PRINT_OP && arg->op.op && !strcmp(arg->op.op, op);
}

/* Return: is it a constant? */
static bool evaluate(const struct tep_print_arg *arg, int depth, uint64_t *n)
{
	uint64_t left, right;
	char *end;

	if (!arg || depth == DEPTH)
		return false;
	if (arg->type == TEP_PRINT_TYPE)
		return evaluate(arg->typecast.item, depth + 1, n);
	if (arg->type == TEP_PRINT_ATOM) {
		*n = strtoull(arg->atom.atom, &end, 0);
		return end != arg->atom.atom;
	}
	if (arg->type != TEP_PRINT_OP || !evaluate(arg->op.left, depth + 1, &left) ||
	    !evaluate(arg->op.right, depth + 1, &right))
		return false;
	if (is_op(arg, "|"))
		*n = left | right;
	else if (is_op(arg, "+"))
		*n = left + right;
	else if (is_op(arg, "-"))
		*n = left - right;
	else if (is_op(arg, "<<") && right < 64)
		*n = left << right;
	else
		return false;
	return true;
}

static void take_flags(const struct tep_print_flag_sym *flag, struct trace_states *s)
{
	for (s->count = 0; flag && s->count < TRACE_STATES; flag = flag->next)
		s->all[s->count++] = (struct trace_state_bits){
			.bits = strtoull(flag->value, NULL, 0), .letter = flag->str[0],
		};
}

/* "CONDITION ? X : Y" is an operator of the condition and of "X : Y". */
static void take_preempted(const struct tep_print_arg *arg, struct trace_states *s)
{
	const struct tep_print_arg *plus = is_op(arg->op.right, ":") ? arg->op.right->op.left : NULL;
	uint64_t bits;

	if (!plus || plus->type != TEP_PRINT_ATOM || strcmp(plus->atom.atom, "+"))
		return;
	if (is_op(arg->op.left, "&") && evaluate(arg->op.left->op.right, 0, &bits))
		s->preempted = bits;
}

static void find(const struct tep_print_arg *arg, int depth, struct trace_states *s)
{
	if (!arg || depth == DEPTH)
		return;
	if (arg->type == TEP_PRINT_FLAGS)
		take_flags(arg->flags.flags, s);
	if (arg->type != TEP_PRINT_OP)
		return;
	if (is_op(arg, "?"))
		take_preempted(arg, s);
	find(arg->op.left, depth + 1, s);
	find(arg->op.right, depth + 1, s);
}

struct trace_states tep_states(const struct tep_event *event)
{
	const struct tep_print_arg *arg = event ? event->print_fmt.args : NULL;
	struct trace_states s = { .count = 0 };

	for (; arg; arg = arg->next)
		find(arg, 0, &s);
	return s.count ? s : trace_states_any;
}
