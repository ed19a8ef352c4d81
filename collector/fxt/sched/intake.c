// SPDX-License-Identifier: GPL-2.0-or-later
/* intake.c - see intake.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "intake.h"
#include "order.h"
#include "stream.h"

struct sched_stream *sched_stray_stream(struct sched_model *m, const struct fxt_record *rec,
					uint32_t id)
{
	struct sched_stream *s = sched_stream_get(m, id);

	/* Foreign archives have no ledgers, even when merged with ours. */
	if (!fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		m->has_others = true;
	else if (!m->stray++)
		m->stray_offset = rec->offset;
	if (!s)
		m->error = -ENOMEM;
	return s;
}


/* --- what an event is of --------------------------------------------------------------- */

/* A name for what the archive has none of. */
static struct fxt_text name_of(const struct kernel_event *e, const struct fxt_text *name,
			       char *text, size_t room)
{
	if (e->what == KERNEL_SYSCALL && name->known == FXT_STR_SYSCALL)
		snprintf(text, room, "syscall %" PRIu64, e->args.syscall.number);
	else if (e->what == KERNEL_THROTTLE)
		snprintf(text, room, "cgroup %" PRIu64, e->args.throttle.cgroup);
	else if (e->what == KERNEL_IPI && name->known == FXT_STR_IPI)
		snprintf(text, room, "(reschedule, irq work)");
	else
		return *name;
	return (struct fxt_text){ .bytes = text, .length = strlen(text) };
}

static struct sched_source *source_of(struct sched_model *m, const struct kernel_event *e,
				      const struct fxt_text *name)
{
	char text[SCHED_SOURCE_BYTES];
	struct fxt_text its = name_of(e, name, text, sizeof(text));
	uint64_t number = kernel_event_number(e);
	struct sched_source *source = sched_source_get(&m->sources, e->what, number, &its);

	if (!source)
		m->error = -ENOMEM;
	else if (e->what == KERNEL_THROTTLE && source->number == number)
		source->track = fxt_sched_throttle_track(number, e->cpu);
	return source;
}

/* --- queue ----------------------------------------------------------------------------- */

/* @begin: ns; @end likewise; @stack: NULL of other events */
static int queue_event(struct sched_model *m, struct sched_stream *s, uint64_t offset,
		       uint64_t begin, uint64_t end, const struct kernel_event *e,
		       const struct fxt_text *name, const struct sched_stack *stack)
{
	struct sched_source *source = NULL;
	struct sched_event *event;

	if (kernel_event_has_source(e->what))
		source = source_of(m, e, name);
	event = m->error ? NULL : sched_order_room(m, s);
	if (!event)
		return m->error;
	m->kernel_events++;
	*event = (struct sched_event){
		.time = end,
		.offset = offset,
		.a = e->thread,
		.args = e->args,
		.cpu = e->cpu,
		.source = source ? source->id : 0,
		.kind = SCHED_EVENT_KERNEL,
		.what = e->what,
	};
	if (kernel_event_is_slice(e->what)) {
		event->begin = begin;
		event->error = e->what == KERNEL_SYSCALL ?
			       kernel_event_errno(e->args.syscall.ret) : 0;
	} else if (stack) {
		event->stack = stack;
	}
	if (s != m->stream)
		sched_queue_insert(m, s, end);
	else
		sched_queue_added(s, end);
	return m->error;
}

/* Only the report asks for the frames of stacks. NULL of other events. */
static const struct sched_stack *stack_of(struct sched_model *m, const struct fxt_record *rec,
					  const struct fxt_content *c)
{
	const struct sched_stack *stack;

	if (c->kind != FXT_KIND_BACKTRACE || !m->ops->moment)
		return NULL;
	stack = sched_stack_get(&m->stacks, rec->provider->id, c->thread.process, c->frames,
				c->frame_count);
	if (!stack)
		m->error = -ENOMEM;
	return stack;
}

/* A slice stands in its stream at its end, when it was written. */
int sched_take_event(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c, const struct kernel_event *e)
{
	struct sched_stream *s = m->stream;
	uint64_t begin = sched_ns_of(rec, e->begin), end;

	if (!sched_is_of_cpu(s))
		s = sched_stray_stream(m, rec, e->cpu == SCHED_NO_CPU ? SCHED_STREAM_WAKEUPS :
									  e->cpu);
	if (m->error)
		return m->error;
	end = s == m->stream ? sched_take_in_order(m, s, rec, e->end) : sched_ns_of(rec, e->end);
	m->totals.events[e->what]++;
	if (e->fault)
		sched_tell(m, SCHED_EVENT, true, 1, rec->offset, end, "%s", e->fault);
	/* Nothing depends on these, and they are many. */
	else if (e->what == KERNEL_LIMITS ||
		 (e->what == KERNEL_STACK && !m->ops->moment && !m->ops->finding) ||
		 (e->what == KERNEL_PELT && (!m->ops->moment || e->cpu == SCHED_NO_CPU)))
		return m->error;
	else if (s == m->stream && e->what <= KERNEL_IDLE && e->cpu != s->id)
		sched_tell(m, SCHED_WRONG_STREAM, true, 1, rec->offset, end,
			   "cpu %u: an event stands in the stream of cpu %u", e->cpu, s->id);
	else
		return queue_event(m, s, rec->offset, begin, end, e, &c->name,
				   stack_of(m, rec, c));
	return m->error;
}
