// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hide.c - hides what other threads did, if processes are selected. See cut.h.
 *
 * In: switches and wakeups of an archive of our producers.
 * Out: the same records as in a recording filtered by these processes. A thread of another process
 * runs from a switch that it shares with a kept thread until its next switch; whatever else it does
 * is unknown (<fxt/fxt_unknown.h>).
 */
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/text.h"
#include "cut.h"

static struct fxt_arg *find_arg(struct fxt_content *content, uint16_t name)
{
	unsigned int i;

	for (i = 0; i < content->arg_count; i++)
		if (content->args[i].name.known == name)
			return &content->args[i];
	return NULL;
}

static void drop(struct fxt_content *content, uint16_t name)
{
	struct fxt_arg *arg = find_arg(content, name), *end = content->args + content->arg_count;

	if (!arg)
		return;
	memmove(arg, arg + 1, (end - arg - 1) * sizeof(*arg));
	content->arg_count--;
}

/* The idle weight marks a hidden thread, also in recordings without weights. */
static void set_idle_weight(struct fxt_content *content, uint16_t name)
{
	struct fxt_arg *arg = find_arg(content, name);

	if (!arg && content->arg_count < FXT_MAX_ARGS) {
		arg = &content->args[content->arg_count++];
		*arg = (struct fxt_arg){ .name = fxt_known_text(name), .type = FXT_ARG_INT32 };
	}
	if (arg)
		arg->i64 = FXT_SCHED_WEIGHT_IDLE;
}

static void say_filtered(struct fxt_content *content)
{
	if (content->arg_count < FXT_MAX_ARGS && !find_arg(content, FXT_STR_UNKNOWN))
		content->args[content->arg_count++] = (struct fxt_arg){
			.name = fxt_known_text(FXT_STR_UNKNOWN), .type = FXT_ARG_STRING,
			.text = fxt_known_text(FXT_STR_FILTERED),
		};
}

static bool is_by_process(const struct cut *c)
{
	return c->filter.pids.count && c->has_ledgers;
}

bool cut_ends_run(const struct cut *c, const struct fxt_content *content)
{
	return is_by_process(c) && content->kind == FXT_KIND_CONTEXT_SWITCH &&
	       (!c->filter.by_cpu || filter_cpu_wanted(&c->filter, content)) &&
	       c->shown[content->sw.cpu];
}

static void hide_of_switch(struct cut *c, struct fxt_content *content)
{
	struct fxt_switch *sw = &content->sw;
	bool has_in = filter_thread_is_of(&c->filter, sw->in, content->time);

	if (filter_thread_is_of(&c->filter, sw->out, content->time)) {
		c->shown[sw->cpu] = !fxt_switch_hides_in(sw);
		return;
	}
	c->shown[sw->cpu] = has_in;
	if (sw->out && sw->state < FXT_THREAD_DYING) {
		sw->state = FXT_SCHED_STATE_UNKNOWN;
		sw->unknown = FXT_STR_FILTERED;
		drop(content, FXT_STR_STATE);
	}
	if (!has_in) {
		sw->in = 0;
		sw->unknown = FXT_STR_FILTERED;
		set_idle_weight(content, FXT_STR_INCOMING_WEIGHT);
	}
	if (sw->unknown)
		say_filtered(content);
}

void cut_hide(struct cut *c, struct fxt_content *content)
{
	if (!is_by_process(c))
		return;
	if (content->kind == FXT_KIND_CONTEXT_SWITCH) {
		hide_of_switch(c, content);
	} else if (content->kind == FXT_KIND_THREAD_WAKEUP &&
		   !filter_thread_is_of(&c->filter, content->wakeup.thread, content->time)) {
		set_idle_weight(content, FXT_STR_WEIGHT);
		say_filtered(content);
	}
}
