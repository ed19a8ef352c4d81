// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - see events.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "stacks.h"

/* In the column of moments, and in page/events.js. */
enum moment_kind { MOMENT_FORK, MOMENT_EXIT, MOMENT_PRIORITY, MOMENT_IPI, MOMENT_MOVE };

/* In the column of counters, and in page/events.js. */
enum counter_kind { COUNTER_RUN_QUEUE, COUNTER_UTILIZATION, COUNTER_FREQUENCY };

static int note_source(struct report_html *h, const struct sched_source *source)
{
	size_t room = h->source_room ? h->source_room : 64;
	const struct sched_source **more;

	while (room <= source->id)
		room *= 2;
	if (room > h->source_room) {
		more = reallocarray(h->sources, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + h->source_room, 0, (room - h->source_room) * sizeof(*more));
		h->sources = more;
		h->source_room = room;
	}
	h->sources[source->id] = source;
	return 0;
}

int html_take_slice(void *arg, const struct sched_slice *slice)
{
	uint8_t what = slice->source->what;
	bool is_of_thread = what == KERNEL_WORK || what == KERNEL_SYSCALL;
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_SLICES];

	html_begin_at(h, slice->from);
	if (note_source(h, slice->source) ||
	    (is_of_thread && !html_thread_of(h, slice->thread)))
		return -ENOMEM;
	spool_i64(s, slice->to - h->slice);
	spool_u64(s, slice->to - slice->from);
	spool_u64(s, slice->source->id);
	spool_u64(s, slice->cpu);
	spool_u64(s, is_of_thread ? slice->thread->id + 1 : 0);
	h->slice = slice->to;
	h->slices++;
	return 0;
}

/* --- moments ---------------------------------------------------------------------------- */

static int put_moment(struct report_html *h, uint64_t time, enum moment_kind kind, uint16_t cpu,
		      const struct sched_thread *thread)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	html_begin_at(h, time);
	if (!html_thread_of(h, thread))
		return -ENOMEM;
	spool_i64(s, time - h->moment);
	spool_u64(s, kind);
	spool_u64(s, cpu);
	spool_u64(s, thread->id);
	h->moment = time;
	h->moments++;
	return 0;
}

static int take_ipi(struct report_html *h, const struct sched_moment *m)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (note_source(h, m->source) || put_moment(h, m->time, MOMENT_IPI, m->cpu, m->thread))
		return -ENOMEM;
	spool_i64(s, m->args.ipi.cpu == KERNEL_EVENT_NO_CPU ? 0 : m->args.ipi.cpu + 1);
	spool_i64(s, m->args.ipi.count);
	spool_u64(s, m->source->id);
	return 0;
}

static int take_act(struct report_html *h, const struct sched_moment *m, enum moment_kind kind,
		    int32_t before, int32_t after)
{
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (put_moment(h, m->time, kind, m->cpu, m->thread))
		return -ENOMEM;
	spool_i64(s, before);
	spool_i64(s, after);
	return 0;
}

int html_take_move(void *arg, const struct sched_move *move)
{
	struct report_html *h = arg;
	struct spool *s = &h->columns[HTML_MOMENTS];

	if (put_moment(h, move->time, MOMENT_MOVE, move->to, move->thread))
		return -ENOMEM;
	spool_i64(s, move->from);
	spool_i64(s, move->to);
	return 0;
}

/* --- counters ----------------------------------------------------------------------------- */

static int put_value(struct report_html *h, uint64_t time, enum counter_kind kind, uint16_t cpu,
		     uint32_t value)
{
	struct spool *s = &h->columns[HTML_COUNTERS];

	html_begin_at(h, time);
	spool_i64(s, time - h->counter);
	spool_u64(s, kind);
	spool_u64(s, cpu);
	spool_u64(s, value);
	h->counter = time;
	h->counters++;
	return 0;
}

int html_take_frequency(void *arg, const struct sched_frequency *f)
{
	return put_value(arg, f->time, COUNTER_FREQUENCY, f->cpu, f->khz);
}

int html_take_moment(void *arg, const struct sched_moment *m)
{
	switch (m->what) {
	case KERNEL_RUN_QUEUE:
		return put_value(arg, m->time, COUNTER_RUN_QUEUE, m->cpu,
				 m->args.run_queue.threads);
	case KERNEL_PELT:
		return put_value(arg, m->time, COUNTER_UTILIZATION, m->cpu, m->args.pelt.util);
	case KERNEL_IPI:
		return take_ipi(arg, m);
	case KERNEL_FORK:
		return take_act(arg, m, MOMENT_FORK, 0, 0);
	case KERNEL_EXIT:
		return take_act(arg, m, MOMENT_EXIT, m->args.exit.code,
				m->args.exit.signal);
	case KERNEL_PRIORITY:
		return take_act(arg, m, MOMENT_PRIORITY, m->args.priority.before,
				m->args.priority.after);
	case KERNEL_STACK:
		return html_take_stack(arg, m);
	default:
		return 0;
	}
}

/* --- the page ------------------------------------------------------------------------------ */

static void print_source(struct out *o, const struct sched_source *source)
{
	const char *name = source->path ? source->path : source->name;

	out_printf(o, "[\"%s\",", kernel_event_name(source->what));
	out_json(o, name, strlen(name));
	out_char(o, ',');
	out_json_u64(o, source->number);
	out_char(o, ']');
}

void html_print_events(const struct report_html *h, struct out *o)
{
	size_t i;

	out_str(o, ",\"slices\":");
	out_json_u64(o, h->slices);
	out_str(o, ",\"moments\":");
	out_json_u64(o, h->moments);
	out_str(o, ",\"counters\":");
	out_json_u64(o, h->counters);
	out_str(o, ",\"sources\":[");
	for (i = 0; i < h->source_room; i++) {
		out_str(o, i ? "," : "");
		if (h->sources[i])
			print_source(o, h->sources[i]);
		else
			out_str(o, "null");
	}
	out_char(o, ']');
}
