// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * online.c - see online.h.
 *
 * No source tells when a CPU goes offline: its stream just ends. So the recorder looks a few
 * times a second, whenever it fetches all chunks. A CPU that is away for less is not noticed;
 * its stream then shows it idle.
 */
#include "archive/stitch.h"
#include "file.h"
#include "online.h"

void online_look(struct online *o, struct session *s)
{
	o->time = s->source->ops->now(s->source);
	cpus_read("online", &o->cpus);
}

int online_note(const struct online *o, struct session *s)
{
	const struct source_filter *filter = s->o->config.filter;
	struct cpus present;
	uint32_t cpu;
	int ret = 0;

	if (!o->cpus.count)
		return 0;
	cpus_read("present", &present);
	for (cpu = 0; cpu < present.end && !ret; cpu++)
		if (present.has[cpu] && !o->cpus.has[cpu] &&
		    (!filter || !filter->cpus || filter->has_cpu[cpu]))
			ret = stitch_offline(s->stitch, cpu, o->time);
	return ret ? session_write_failed(s, ret) : 0;
}
