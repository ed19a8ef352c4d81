// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - events of the kernel in the page: slices, what threads did, counters of CPUs.
 *
 * Events have sources: first one for each kind of <fxt/fxt_catalogue.h> but slices, then the
 * origins of slices and of interrupts that CPUs send.
 */
#include <string.h>

#include "data.h"
#include "sched/kernel_event.h"

_Static_assert(KERNEL_EVENTS <= HTML_FIRST_ORIGIN, "a source for each kind of event");

uint64_t html_source_of(struct report_html *h, const struct sched_origin *origin)
{
	h->origins = html_reach(h->origins, &h->origin_room, origin->id, sizeof(*h->origins));
	h->origins[origin->id] = origin;
	return HTML_FIRST_ORIGIN + origin->id;
}

int html_put_event(struct report_html *h, const struct html_event *e)
{
	html_begin_at(h, e->from);
	spool_delta(&h->columns[HTML_EVENT_END], e->to);
	spool_u64(&h->columns[HTML_EVENT_TIME], e->to - e->from);
	spool_u64(&h->columns[HTML_EVENT_SOURCE], e->source);
	spool_u64(&h->columns[HTML_EVENT_CPU], e->cpu);
	spool_u64(&h->columns[HTML_EVENT_THREAD],
		  e->thread ? html_thread_of(h, e->thread)->sched->id + 1 : e->track);
	spool_i64(&h->columns[HTML_EVENT_FIRST], e->first);
	spool_i64(&h->columns[HTML_EVENT_SECOND], e->second);
	h->events++;
	return 0;
}

int html_add_slice(void *arg, const struct sched_slice *slice)
{
	uint8_t what = slice->origin->what;
	bool is_unknown = slice->origin->is_futex && !slice->holder && !slice->waker;
	struct html_event e = {
		.from = slice->from, .to = slice->to, .cpu = slice->cpu,
		.thread = what == KERNEL_WORK || what == KERNEL_SYSCALL || what == KERNEL_LOCK ||
			  what == KERNEL_MEMORY ? slice->thread : NULL,
	};

	if (is_unknown || !html_has_room(arg, slice->to))
		return 0;
	e.source = html_source_of(arg, slice->origin);
	e.first = slice->pages < INT32_MAX ? slice->pages : INT32_MAX;
	if (slice->holder)
		e.first = html_thread_of(arg, slice->holder)->sched->id + 1;
	if (slice->waker)
		e.second = html_thread_of(arg, slice->waker)->sched->id + 1;
	return html_put_event(arg, &e);
}

int html_add_move(void *arg, const struct sched_move *move)
{
	struct html_event e = {
		.from = move->time, .to = move->time, .source = KERNEL_MIGRATE, .cpu = move->to,
		.thread = move->thread, .first = move->from, .second = move->to,
	};

	return html_has_room(arg, move->time) ? html_put_event(arg, &e) : 0;
}

/* It is in the row of the thread that submitted it, from the first queue on. */
int html_add_request(void *arg, const struct sched_request *r)
{
	uint64_t begin = r->queued ? r->queued : r->issued;
	struct html_event e = {
		.from = begin, .to = r->to, .cpu = r->cpu == HTML_NO_CPU ? 0 : r->cpu,
		.thread = r->thread, .first = r->bytes, .second = (r->issued - begin) / 1000,
	};

	if (!html_has_room(arg, r->to))
		return 0;
	e.source = html_source_of(arg, r->origin);
	return html_put_event(arg, &e);
}

int html_add_frequency(void *arg, const struct sched_frequency *f)
{
	struct html_event e = {
		.from = f->time, .to = f->time, .source = KERNEL_FREQUENCY, .cpu = f->cpu,
		.first = f->khz,
	};

	return html_has_room(arg, f->time) ? html_put_event(arg, &e) : 0;
}

static void begin_stack(struct report_html *h, const struct sched_moment *m, struct spool *s,
			enum report_stack_kind kind)
{
	uint32_t id = m->stack->id;

	html_begin_at(h, m->time);
	html_thread_of(h, m->thread);
	h->stacks = html_reach(h->stacks, &h->stack_room, id, sizeof(*h->stacks));
	h->stacks[id] = (struct html_stack){ m->stack, kind };
	spool_delta(s, m->time);
	spool_u64(s, m->thread->id);
	h->stack_events++;
}

static int put_stack(struct report_html *h, const struct sched_moment *m)
{
	struct spool *s = &h->columns[HTML_STACKS];

	begin_stack(h, m, s, m->is_in ? REPORT_STACK_SLEPT : REPORT_STACK_WAKER);
	spool_u64(s, 2 * (uint64_t)m->stack->id + m->is_in);
	return 0;
}

static int put_sample(struct report_html *h, const struct sched_moment *m)
{
	struct spool *s = &h->columns[HTML_SAMPLES];

	begin_stack(h, m, s, REPORT_STACK_RAN);
	spool_u64(s, m->stack->id);
	spool_u64(s, m->args.sample.ns);
	return 0;
}

/* Return: does the page show moments of this kind? */
static bool set_values(struct report_html *h, struct html_event *e, const struct sched_moment *m)
{
	switch (m->what) {
	case KERNEL_RUN_QUEUE:
		e->first = m->args.run_queue.threads;
		return true;
	case KERNEL_PELT:
		e->first = m->args.pelt.util;
		return true;
	case KERNEL_STEAL:
		e->first = m->args.steal.grown < INT32_MAX * 1000ULL ? m->args.steal.grown / 1000 : 0;
		return e->first;
	case KERNEL_IPI:
		e->source = html_source_of(h, m->origin);
		e->first = m->args.ipi.cpu == KERNEL_EVENT_NO_CPU ? 0 : m->args.ipi.cpu + 1;
		e->second = m->args.ipi.count;
		return true;
	case KERNEL_TIMER:
		e->source = html_source_of(h, m->origin);
		return true;
	case KERNEL_DATA:
		e->source = html_source_of(h, m->origin);
		e->first = m->args.data.local_port | (uint32_t)m->args.data.remote_port << 16;
		e->second = m->args.data.bytes;
		return true;
	case KERNEL_FORK:
		return true;
	case KERNEL_EXIT:
		e->first = m->args.exit.code;
		e->second = m->args.exit.signal;
		return true;
	case KERNEL_PRIORITY:
		e->first = m->args.priority.before;
		e->second = m->args.priority.after;
		return true;
	case KERNEL_SIGNAL:
		h->has_signals = true;
		html_begin_at(h, m->time);
		e->first = m->args.signal.number | m->args.signal.result << 8 |
			   m->args.signal.is_by_irq << 16;
		e->second = html_thread_of(h, m->target)->sched->id;
		return true;
	case KERNEL_DELIVERY:
		e->first = m->args.delivery.number;
		e->second = m->args.delivery.is_handled;
		return true;
	default:
		return false;
	}
}

int html_add_moment(void *arg, const struct sched_moment *m)
{
	struct html_event e = {
		.from = m->time, .to = m->time, .source = m->what, .cpu = m->cpu,
		.thread = m->thread,
	};

	if (!html_has_room(arg, m->time))
		return 0;
	if (m->what == KERNEL_STACK)
		return put_stack(arg, m);
	if (m->what == KERNEL_SAMPLE)
		return put_sample(arg, m);
	return set_values(arg, &e, m) ? html_put_event(arg, &e) : 0;
}

void html_put_source(struct json *j, const char *kind, const char *name, size_t length, uint64_t number)
{
	json_object(j, NULL);
	json_string(j, "kind", kind);
	json_string_of(j, "name", name, length);
	json_number(j, "number", number);
	json_end(j, '}');
}

static const char *kind_of(const struct sched_origin *o)
{
	return o->is_futex && !sched_origin_is_lock(o) ? "futex" : kernel_event_name(o->what);
}

void html_put_sources(const struct report_html *h, struct json *j)
{
	const struct sched_origin *o;
	const char *name;
	size_t i;

	for (i = 0; i < HTML_FIRST_ORIGIN; i++) {
		if (i < KERNEL_STACK && !kernel_event_is_slice(i))
			html_put_source(j, kernel_event_name(i), kernel_event_name(i),
					strlen(kernel_event_name(i)), 0);
		else
			json_null(j, NULL);
	}
	for (i = 0; i < h->origin_room; i++) {
		o = h->origins[i];
		name = o && o->path ? o->path : o ? o->name : NULL;
		if (o)
			html_put_source(j, kind_of(o), name, strlen(name), o->number);
		else
			json_null(j, NULL);
	}
}

void html_put_signal_results(const struct report_html *h, struct json *j)
{
	const char *name;
	size_t i;

	json_array(j, "signal_results");
	for (i = 0; h->has_signals && (name = report_signal_result(i)); i++)
		json_string(j, NULL, name);
	json_end(j, ']');
}
