// SPDX-License-Identifier: GPL-2.0-or-later
/* sched_args.c - see sched_args.h. */
#include "sched_args.h"

static void switch_argument(struct fxt_switch *sw, const struct fxt_arg *arg)
{
	switch (arg->name.known) {
	case FXT_STR_OUTGOING_WEIGHT:
		sw->has_out_weight = arg->type == FXT_ARG_INT32;
		sw->out_weight = sw->has_out_weight ? arg->i64 : 0;
		sw->bad_weight |= !sw->has_out_weight;
		break;
	case FXT_STR_INCOMING_WEIGHT:
		sw->has_in_weight = arg->type == FXT_ARG_INT32;
		sw->in_weight = sw->has_in_weight ? arg->i64 : 0;
		sw->bad_weight |= !sw->has_in_weight;
		break;
	case FXT_STR_STATE:
		sw->letter = arg->type == FXT_ARG_STRING && arg->text.length == 1 ?
			     arg->text.bytes[0] : 0;
		break;
	case FXT_STR_UNKNOWN:
		sw->unknown = arg->type == FXT_ARG_STRING ? fxt_reason_of(arg->text.known) : 0;
		break;
	}
}

static void wakeup_argument(struct fxt_wakeup *w, const struct fxt_arg *arg)
{
	switch (arg->name.known) {
	case FXT_STR_WEIGHT:
		w->has_weight = arg->type == FXT_ARG_INT32;
		w->weight = w->has_weight ? arg->i64 : 0;
		w->bad_weight |= !w->has_weight;
		break;
	case FXT_STR_WAKER:
		w->has_waker = arg->type == FXT_ARG_KOID;
		w->waker = w->has_waker ? arg->u64 : 0;
		w->bad_waker |= !w->has_waker;
		break;
	case FXT_STR_UNKNOWN:
		w->unknown = arg->type == FXT_ARG_STRING ? fxt_reason_of(arg->text.known) : 0;
		break;
	case FXT_STR_IRQ:
		w->has_irq = arg->type == FXT_ARG_STRING;
		w->irq = w->has_irq ? fxt_irq_of(arg->text.known) : FXT_SCHED_IRQ_NONE;
		w->bad_irq |= !w->has_irq;
		break;
	case FXT_STR_INTERRUPTED:
		w->has_interrupted = arg->type == FXT_ARG_KOID;
		w->interrupted = w->has_interrupted ? arg->u64 : 0;
		w->bad_irq |= !w->has_interrupted;
		break;
	}
}

void fxt_sched_arguments(struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		if (c->kind == FXT_KIND_CONTEXT_SWITCH)
			switch_argument(&c->sw, &c->args[i]);
		else
			wakeup_argument(&c->wakeup, &c->args[i]);
	}
}
