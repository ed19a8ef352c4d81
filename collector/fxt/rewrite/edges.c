// SPDX-License-Identifier: GPL-2.0-or-later
/* edges.c - see edges.h. */
#include <string.h>

#include <fxt/fxt_mark.h>

#include "edges.h"

/* Parts meet where one ends and another begins, or at the next tick, as those of fxt cut do. */
static bool joins(const struct edges_mark *end, const struct fxt_switch *sw, uint64_t ticks)
{
	return end->kind == FXT_STR_END && sw->unknown == FXT_STR_BEGIN &&
	       ticks - end->time <= 1 && end->thread == sw->in;
}

bool edges_take(struct edges *e, const struct streams_range *range, const struct fxt_switch *sw,
		uint64_t ticks)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	struct edges_mark *mark = is_begin ? &e->begin : &e->end;

	if (ticks < range->from || ticks > range->to)
		return false;
	if (joins(&e->end, sw, ticks)) {
		e->end.kind = 0;
		return false;
	}
	*mark = (struct edges_mark){
		.kind = sw->unknown, .time = ticks, .thread = is_begin ? sw->in : sw->out,
		.weight = is_begin ? sw->in_weight : sw->out_weight,
	};
	return true;
}

static struct fxt_text text_of(const char *s)
{
	return (struct fxt_text){ .bytes = s, .length = strlen(s) };
}

static const char *name_of(uint32_t kind)
{
	switch (kind) {
	case FXT_STR_BEGIN:
		return "begin";
	case FXT_STR_END:
		return "end";
	case FXT_STR_ONLINE:
		return "online";
	default:
		return "offline";
	}
}

void edges_content(const struct edges_mark *mark, uint16_t cpu, struct fxt_content *c)
{
	bool is_begin = fxt_mark_is_begin(mark->kind);
	struct fxt_switch sw = {
		.time = mark->time,
		.out = is_begin ? 0 : mark->thread,
		.in = is_begin ? mark->thread : 0,
		.out_weight = is_begin ? FXT_SCHED_WEIGHT_IDLE : mark->weight,
		.in_weight = is_begin ? mark->weight : FXT_SCHED_WEIGHT_IDLE,
		.cpu = cpu,
		.state = is_begin || !mark->thread ? FXT_THREAD_NEW : FXT_SCHED_STATE_UNKNOWN,
		.has_out_weight = true,
		.has_in_weight = true,
		.unknown = mark->kind,
	};

	*c = (struct fxt_content){ .kind = FXT_KIND_CONTEXT_SWITCH, .time = mark->time, .sw = sw,
				   .arg_count = 3 };
	c->args[0] = (struct fxt_arg){ .name = text_of("outgoing_weight"), .type = FXT_ARG_INT32,
				       .i64 = sw.out_weight };
	c->args[1] = (struct fxt_arg){ .name = text_of("incoming_weight"), .type = FXT_ARG_INT32,
				       .i64 = sw.in_weight };
	c->args[2] = (struct fxt_arg){ .name = text_of("unknown"), .type = FXT_ARG_STRING,
				       .text = text_of(name_of(mark->kind)) };
}
