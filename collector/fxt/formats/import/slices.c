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
static void name_track(struct trace *t, enum track track, uint32_t cpu)
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

	if (t->slices.tracks[cpu] & 1U << track)
		return;
	t->slices.tracks[cpu] |= 1U << track;
	if (!t->slices.is_named[track])
		fxt_writer_process(t->a.w, process, kinds[track].name);
	t->slices.is_named[track] = true;
	snprintf(name, sizeof(name), "%s %" PRIu32, kinds[track].thread, cpu);
	fxt_writer_thread(t->a.w, fxt_sched_cpu_track(process, cpu), process, FXT_STR_PROCESS, name);
}

struct fxt_sched_label trace_label(const struct trace_name *name)
{
	struct fxt_sched_label label = { { 0 }, 0 };
	size_t bytes = strlen(name->bytes);

	memcpy(label.words, name->bytes, bytes);
	fxt_sched_label_finish(&label, bytes);
	return label;
}

static void put(struct trace *t, const struct trace_event *e, enum track track, uint32_t words)
{
	name_track(t, track, e->cpu);
	trace_put(t, e, words);
}

static void note_idle(struct trace *t, const struct trace_event *e, struct trace_cpu_slices *c)
{
	if (c->is_idle && e->ns >= c->idle_begin)
		put(t, e, TRACK_IDLE,
		    fxt_sched_put_idle(trace_room(t, e), c->idle_begin, e->ns, e->cpu, c->idle));
	c->is_idle = e->value != NOT_IDLE;
	c->idle = e->value;
	c->idle_begin = e->ns;
}

/* A kernel worker executes one work item at a time, even while it is off the CPU. */
static void note_work(struct trace *t, const struct trace_event *e)
{
	struct trace_thread *worker = trace_thread(t, e->on);
	struct fxt_sched_label label;

	if (e->what == TRACE_WORK_BEGIN) {
		if (!worker->work)
			worker->work = must(malloc(sizeof(*worker->work)));
		*worker->work = (struct trace_work){ e->ns, t->wakeups.losses, e->name };
		return;
	}
	/* After a loss on any CPU, another item may end here. */
	if (!worker->work || e->ns < worker->work->begin ||
	    worker->work->losses != t->wakeups.losses)
		return;
	label = trace_label(&worker->work->function);
	trace_put(t, e, fxt_sched_put_work(trace_room(t, e), worker->work->begin, e->ns, e->on,
					   trace_thread_process(t, e->on), &label));
	free(worker->work);
	worker->work = NULL;
}

static void end_irq(struct trace *t, const struct trace_event *e, struct trace_cpu_slices *c)
{
	struct fxt_sched_label label = trace_label(&c->irq_name);

	if (!c->irq_name.bytes[0] || c->irq != e->value || e->ns < c->irq_begin)
		return;
	c->irq_name.bytes[0] = '\0';
	put(t, e, TRACK_IRQ,
	    fxt_sched_put_irq(trace_room(t, e), c->irq_begin, e->ns, e->cpu, c->irq, &label));
}

static void end_vector(struct trace *t, const struct trace_event *e, struct trace_cpu_slices *c)
{
	if (!c->vector || c->vector != e->value || e->ns < c->vector_begin)
		return;
	put(t, e, TRACK_IRQ,
	    fxt_sched_put_cpu_slice(trace_room(t, e), c->vector_begin, e->ns, FXT_SCHED_KOID_IRQ,
				    e->cpu, FXT_STR_IRQ, c->vector));
	c->vector = 0;
}

static void end_softirq(struct trace *t, const struct trace_event *e, struct trace_cpu_slices *c)
{
	if (!c->in_softirq || c->softirq != e->value || e->ns < c->softirq_begin)
		return;
	c->in_softirq = false;
	put(t, e, TRACK_SOFTIRQ,
	    fxt_sched_put_cpu_slice(trace_room(t, e), c->softirq_begin, e->ns,
				    FXT_SCHED_KOID_SOFTIRQ, e->cpu, FXT_STR_SOFTIRQ,
				    FXT_STR_SOFTIRQ_FIRST + c->softirq));
}

void trace_slice(struct trace *t, const struct trace_event *e)
{
	struct trace_cpu_slices *c;

	if (!t->slices.cpus)
		t->slices.cpus = must(calloc(TRACE_CPUS, sizeof(*t->slices.cpus)));
	c = &t->slices.cpus[e->cpu];
	switch (e->what) {
	case TRACE_IDLE:
		note_idle(t, e, c);
		break;
	case TRACE_IDLE_MISS:
		put(t, e, TRACK_IDLE, fxt_sched_put_idle_miss(trace_room(t, e), e->ns, e->from,
							      e->most, e->value));
		break;
	case TRACE_WORK_BEGIN:
	case TRACE_WORK_END:
		note_work(t, e);
		break;
	case TRACE_IRQ_ENTRY:
		c->irq = e->value;
		c->irq_begin = e->ns;
		c->irq_name = e->name;
		break;
	case TRACE_IRQ_EXIT:
		end_irq(t, e, c);
		break;
	case TRACE_VECTOR_ENTRY:
		c->vector = e->value;
		c->vector_begin = e->ns;
		break;
	case TRACE_VECTOR_EXIT:
		end_vector(t, e, c);
		break;
	case TRACE_SOFTIRQ_ENTRY:
		c->softirq = e->value;
		c->softirq_begin = e->ns;
		c->in_softirq = e->value <= FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST;
		break;
	default:
		end_softirq(t, e, c);
	}
}
