// SPDX-License-Identifier: GPL-2.0-or-later
/* stream.c - see stream.h. */
#include <errno.h>
#include <stdlib.h>

#include "stream.h"

struct sched_stream *sched_stream_get(struct sched_model *m, uint32_t id)
{
	struct sched_stream **bigger, *s = m->streams[id];
	size_t room = m->stream_room ? m->stream_room * 2 : 64;

	if (s)
		return s;
	if (m->stream_count == m->stream_room) {
		bigger = realloc(m->stream_list, room * sizeof(*bigger));
		if (!bigger)
			return NULL;
		m->stream_list = bigger;
		m->stream_room = room;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->id = id;
	s->in = SCHED_NOBODY;
	m->streams[id] = s;
	m->stream_list[m->stream_count++] = s;
	return s;
}

void sched_cpu_add(struct sched_model *m, uint16_t number)
{
	struct sched_cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu) {
		m->error = -ENOMEM;
		return;
	}
	cpu->number = number;
	cpu->next = m->cpu_list;
	m->cpu_list = cpu;
	m->cpus[number] = cpu;
	m->totals.cpus++;
}
