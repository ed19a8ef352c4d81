// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * priorities.c - inherited priorities in the JSON report.
 *
 *  inherited_priorities: of threads shown: list of tid, nth, name, count, own_prio (the least
 *    urgent one that it was raised from), best_prio (the most urgent one that it inherited)
 */
#include <inttypes.h>

#include "priorities.h"

static void put_priority(struct json *j, const char *name, int32_t prio)
{
	json_key(j, name);
	out_printf(j->o, "%" PRId32, prio);
}

void report_json_priorities(struct json *j, const struct report *r, size_t top)
{
	const struct report_kernel *k = &r->kernel;
	size_t i;

	if (!k->has[KERNEL_PRIORITY])
		return;
	json_key(j, "inherited_priorities");
	json_begin(j, '[');
	for (i = 0; i < k->inherited_count && i < top; i++) {
		const struct report_inherited *in = k->inherited[i];

		json_item(j);
		json_begin(j, '{');
		json_number(j, "tid", in->thread->sched->koid);
		json_number(j, "nth", in->thread->sched->nth);
		json_thread_name(j, "name", in->thread);
		json_number(j, "count", in->count);
		put_priority(j, "own_prio", in->own);
		put_priority(j, "best_prio", in->best);
		json_end(j, '}');
	}
	json_end(j, ']');
}
