// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - the events of a trace of another tracer that begin or end slices. See import.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_writer.h"
#include "terminal/memory.h"
#include "import.h"

#define NOT_IDLE	UINT32_MAX	/* PWR_EVENT_EXIT */

enum track {
	TRACK_IRQ,
	TRACK_SOFTIRQ,
	TRACK_IDLE,
};

/* Before the first track of a kind, also name their process. */
static void name_track(struct trace_slices *s, enum track track, uint32_t cpu)
{
	static const struct {
		uint64_t process;
		const char *name;
		const char *thread;
	} kinds[] = {
		[TRACK_IRQ] = { FXT_SCHED_KOID_IRQ, "interrupts", "irq cpu" },
		[TRACK_SOFTIRQ] = { FXT_SCHED_KOID_SOFTIRQ, "soft interrupts", "softirq cpu" },
		[TRACK_IDLE] = { FXT_SCHED_KOID_IDLE, "idle states", "idle cpu" },
	};
	uint64_t process = kinds[track].process;
	char name[32];

	if (s->tracks[cpu] & 1U << track)
		return;
	s->tracks[cpu] |= 1U << track;
	if (!s->is_named[track])
		fxt_writer_process(s->a->w, process, kinds[track].name);
	s->is_named[track] = true;
	snprintf(name, sizeof(name), "%s %" PRIu32, kinds[track].thread, cpu);
	fxt_writer_thread(s->a->w, fxt_sched_cpu_track(process, cpu), process, FXT_STR_PROCESS,
			  name);
}

struct fxt_sched_label trace_label(const struct trace_name *name)
{
	struct fxt_sched_label label = { { 0 }, 0 };
	size_t bytes = strlen(name->bytes);

	memcpy(label.words, name->bytes, bytes);
	fxt_sched_label_finish(&label, bytes);
	return label;
}

static void put_irq(struct trace_slices *s, const struct trace_event *e, struct trace_cpu_slices *c)
{
	struct fxt_sched_label label = trace_label(&c->irq_name);
	__u64 *rec = trace_archive_room(s->a, e->cpu);

	c->irq_name.bytes[0] = '\0';
	name_track(s, TRACK_IRQ, e->cpu);
	trace_archive_add(s->a, e->cpu, e->ns,
			  fxt_sched_put_irq(rec, c->irq_begin, e->ns, e->cpu, c->irq, &label), 1);
}

static void put_vector(struct trace_slices *s, const struct trace_event *e,
		       struct trace_cpu_slices *c)
{
	__u64 *rec = trace_archive_room(s->a, e->cpu);

	name_track(s, TRACK_IRQ, e->cpu);
	trace_archive_add(s->a, e->cpu, e->ns,
			  fxt_sched_put_cpu_slice(rec, c->vector_begin, e->ns, FXT_SCHED_KOID_IRQ,
						  e->cpu, FXT_STR_IRQ, c->vector), 1);
	c->vector = 0;
}

static void put_softirq(struct trace_slices *s, const struct trace_event *e,
			struct trace_cpu_slices *c)
{
	__u64 *rec = trace_archive_room(s->a, e->cpu);

	c->in_softirq = false;
	name_track(s, TRACK_SOFTIRQ, e->cpu);
	trace_archive_add(s->a, e->cpu, e->ns,
			  fxt_sched_put_cpu_slice(rec, c->softirq_begin, e->ns,
						  FXT_SCHED_KOID_SOFTIRQ, e->cpu, FXT_STR_SOFTIRQ,
						  FXT_STR_SOFTIRQ_FIRST + c->softirq), 1);
}

static void note_idle(struct trace_slices *s, const struct trace_event *e,
		      struct trace_cpu_slices *c)
{
	if (c->is_idle && e->ns >= c->idle_begin) {
		__u64 *rec = trace_archive_room(s->a, e->cpu);

		name_track(s, TRACK_IDLE, e->cpu);
		trace_archive_add(s->a, e->cpu, e->ns,
				  fxt_sched_put_idle(rec, c->idle_begin, e->ns, e->cpu, c->idle), 1);
	}
	c->is_idle = e->value != NOT_IDLE;
	c->idle = e->value;
	c->idle_begin = e->ns;
}

static void note_idle_miss(struct trace_slices *s, const struct trace_event *e)
{
	__u64 *rec = trace_archive_room(s->a, e->cpu);

	name_track(s, TRACK_IDLE, e->cpu);
	trace_archive_add(s->a, e->cpu, e->ns,
			  fxt_sched_put_idle_miss(rec, e->ns, e->from, e->most, e->value), 1);
}

/* A kernel worker executes one work item at a time, even while it is off the CPU. */
static void note_work(struct trace_slices *s, const struct trace_event *e)
{
	struct trace_thread *worker = trace_thread(s->threads, e->on);
	struct fxt_sched_label label;
	__u64 *rec;

	if (e->what == TRACE_WORK_BEGIN) {
		if (!worker->work)
			worker->work = must(malloc(sizeof(*worker->work)));
		*worker->work = (struct trace_work){ e->ns, s->wakeups->losses, e->name };
		return;
	}
	/* After a loss on any CPU, another item may end here. */
	if (!worker->work || e->ns < worker->work->begin ||
	    worker->work->losses != s->wakeups->losses)
		return;
	label = trace_label(&worker->work->function);
	rec = trace_archive_room(s->a, e->cpu);
	trace_archive_add(s->a, e->cpu, e->ns,
			  fxt_sched_put_work(rec, worker->work->begin, e->ns, e->on,
					     trace_thread_process(s->threads, e->on), &label), 1);
	free(worker->work);
	worker->work = NULL;
}

/* Interrupts of devices and of the CPU itself, and soft interrupts. */
static void note_irq(struct trace_slices *s, const struct trace_event *e,
		     struct trace_cpu_slices *c)
{
	switch (e->what) {
	case TRACE_IRQ_ENTRY:
		c->irq = e->value;
		c->irq_begin = e->ns;
		c->irq_name = e->name;
		break;
	case TRACE_IRQ_EXIT:
		if (c->irq_name.bytes[0] && c->irq == e->value && e->ns >= c->irq_begin)
			put_irq(s, e, c);
		break;
	case TRACE_VECTOR_ENTRY:
		c->vector = e->value;
		c->vector_begin = e->ns;
		break;
	case TRACE_VECTOR_EXIT:
		if (c->vector && c->vector == e->value && e->ns >= c->vector_begin)
			put_vector(s, e, c);
		break;
	case TRACE_SOFTIRQ_ENTRY:
		c->softirq = e->value;
		c->softirq_begin = e->ns;
		c->in_softirq = e->value <= FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST;
		break;
	default:
		if (c->in_softirq && c->softirq == e->value && e->ns >= c->softirq_begin)
			put_softirq(s, e, c);
	}
}

void trace_slice(struct trace_slices *s, const struct trace_event *e)
{
	if (!s->cpus)
		s->cpus = must(calloc(TRACE_CPUS, sizeof(*s->cpus)));
	switch (e->what) {
	case TRACE_IDLE:
		note_idle(s, e, &s->cpus[e->cpu]);
		break;
	case TRACE_IDLE_MISS:
		note_idle_miss(s, e);
		break;
	case TRACE_WORK_BEGIN:
	case TRACE_WORK_END:
		note_work(s, e);
		break;
	default:
		note_irq(s, e, &s->cpus[e->cpu]);
	}
}
