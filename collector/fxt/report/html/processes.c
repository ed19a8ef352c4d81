// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * processes.c - see processes.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "processes.h"

static int make_room(struct report_html *h, size_t id)
{
	size_t room = h->process_room ? h->process_room : 256;
	const struct sched_process **more;

	while (room <= id)
		room *= 2;
	if (room == h->process_room)
		return 0;
	more = reallocarray(h->processes, room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more + h->process_room, 0, (room - h->process_room) * sizeof(*more));
	h->processes = more;
	h->process_room = room;
	return 0;
}

bool html_has_process(const struct report_html *h, const struct sched_process *p)
{
	return p && p->id < h->process_room && h->processes[p->id];
}

int html_note_processes(struct report_html *h)
{
	const struct sched_process *p;
	size_t i;

	for (i = 0; i < h->room; i++) {
		p = h->threads[i].sched ? h->threads[i].sched->owner : NULL;
		if (!p || !p->parent_koid)
			continue;
		/* Up to one whose ancestors are known already, which ends circles, too. */
		for (; p && !html_has_process(h, p); p = p->parent) {
			if (make_room(h, p->id))
				return -ENOMEM;
			h->processes[p->id] = p;
		}
	}
	return 0;
}

static void print_process(struct out *o, const struct sched_process *p)
{
	/* Names of processes also have the cgroup, which would make a chain of them long. */
	const char *name = p->leader && *p->leader->name ? p->leader->name : p->name;

	out_char(o, '[');
	out_json_u64(o, p->koid);
	out_char(o, ',');
	out_json(o, name, strlen(name));
	if (p->parent) {
		out_char(o, ',');
		out_u64(o, p->parent->id);
	} else if (p->parent_koid) {
		out_str(o, ",null,");
		out_json_u64(o, p->parent_koid);
	}
	out_char(o, ']');
}

void html_print_processes(const struct report_html *h, struct out *o)
{
	size_t i;

	out_str(o, ",\"processes\":[");
	for (i = 0; i < h->process_room; i++) {
		out_str(o, i ? "," : "");
		if (h->processes[i])
			print_process(o, h->processes[i]);
		else
			out_str(o, "null");
	}
	out_char(o, ']');
}
