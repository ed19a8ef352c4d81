// SPDX-License-Identifier: GPL-2.0-or-later
/* name.c - see name.h. */
#include <string.h>

#include "label.h"
#include "name.h"

unsigned int text_name(const struct text *t, const char *name, unsigned int width)
{
	return out_safe_fit(t->o, name, strlen(name), width);
}

unsigned int text_thread(const struct text *t, const struct report_thread *thread,
			 unsigned int width)
{
	struct report_label id = report_id_label(thread->sched->koid);
	unsigned int taken = strlen(id.text) + 1;

	if (!thread->sched->koid)
		return text_name(t, report_name(thread), width);
	taken += text_name(t, report_name(thread), width - taken);
	out_printf(t->o, "/%s", id.text);
	return taken;
}

void text_pad(const struct text *t, unsigned int taken, unsigned int width)
{
	out_printf(t->o, "%*s", taken < width ? (int)(width - taken) : 0, "");
}
