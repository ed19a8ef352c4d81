// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - see slices.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slices.h"

#define NOT_IDLE	UINT32_MAX	/* PWR_EVENT_EXIT */

enum track {
	TRACK_IRQ,
	TRACK_SOFTIRQ,
	TRACK_IDLE,
};

/* Name the track of a CPU, and before the first one its process. */
static int name_track(struct trace_slices *s, enum track track, uint32_t cpu)
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
	int ret = 0;

	if (s->tracks[cpu] & 1U << track)
		return 0;
	s->tracks[cpu] |= 1U << track;
	if (!s->is_named[track])
		ret = trace_archive_process(s->a, process, kinds[track].name);
	s->is_named[track] = true;
	snprintf(name, sizeof(name), "%s %" PRIu32, kinds[track].thread, cpu);
	return ret ? ret : trace_archive_track(s->a, fxt_sched_cpu_track(process, cpu), process,
					       name);
}

static struct fxt_sched_label label_of(const struct trace_name *name)
{
	struct fxt_sched_label label = { { 0 }, 0 };
	size_t i;

	for (i = 0; i < sizeof(name->bytes) - 1 && name->bytes[i]; i++)
		((char *)label.words)[i] = (unsigned char)name->bytes[i] < 0x80 ? name->bytes[i] : '?';
	label.bytes = i;
	return label;
}

static int put_irq(struct trace_slices *s, const struct trace_event *e, struct trace_cpu_slices *c)
{
	struct fxt_sched_label label = label_of(&c->irq_name);
	int ret = name_track(s, TRACK_IRQ, e->cpu);
	__u64 *rec = (__u64 *)trace_archive_room(s->a, e->cpu);

	c->irq_name.bytes[0] = '\0';
	if (!rec || ret)
		return ret ? ret : -ENOMEM;
	return trace_archive_add(s->a, e->cpu, e->ns,
				 fxt_sched_put_irq(rec, c->irq_begin, e->ns, e->cpu, c->irq, &label), 1);
}

static int put_softirq(struct trace_slices *s, const struct trace_event *e,
		       struct trace_cpu_slices *c)
{
	int ret = name_track(s, TRACK_SOFTIRQ, e->cpu);
	__u64 *rec = (__u64 *)trace_archive_room(s->a, e->cpu);

	c->in_softirq = false;
	if (!rec || ret)
		return ret ? ret : -ENOMEM;
	return trace_archive_add(s->a, e->cpu, e->ns,
				 fxt_sched_put_cpu_slice(rec, c->softirq_begin, e->ns,
							 FXT_SCHED_KOID_SOFTIRQ, e->cpu,
							 FXT_STR_SOFTIRQ,
							 FXT_STR_SOFTIRQ_FIRST + c->softirq), 1);
}

static int put_idle(struct trace_slices *s, const struct trace_event *e, struct trace_cpu_slices *c)
{
	int ret = name_track(s, TRACK_IDLE, e->cpu);
	__u64 *rec = (__u64 *)trace_archive_room(s->a, e->cpu);

	c->is_idle = false;
	if (!rec || ret)
		return ret ? ret : -ENOMEM;
	return trace_archive_add(s->a, e->cpu, e->ns,
				 fxt_sched_put_idle(rec, c->idle_begin, e->ns, e->cpu, c->idle), 1);
}

static int take_idle(struct trace_slices *s, const struct trace_event *e, struct trace_cpu_slices *c)
{
	int ret = c->is_idle && e->ns >= c->idle_begin ? put_idle(s, e, c) : 0;

	c->is_idle = e->value != NOT_IDLE;
	c->idle = e->value;
	c->idle_begin = e->ns;
	return ret;
}

/* An exit without its entry is the end of a slice that began before the trace. */
int trace_slice(struct trace_slices *s, const struct trace_event *e)
{
	struct trace_cpu_slices *c;

	if (!s->cpus)
		s->cpus = calloc(TRACE_CPUS, sizeof(*s->cpus));
	if (!s->cpus)
		return -ENOMEM;
	c = &s->cpus[e->cpu];
	switch (e->what) {
	case TRACE_IRQ_ENTRY:
		c->irq = e->value;
		c->irq_begin = e->ns;
		c->irq_name = e->name;
		return 0;
	case TRACE_IRQ_EXIT:
		return c->irq_name.bytes[0] && c->irq == e->value && e->ns >= c->irq_begin ?
		       put_irq(s, e, c) : 0;
	case TRACE_SOFTIRQ_ENTRY:
		c->softirq = e->value;
		c->softirq_begin = e->ns;
		c->in_softirq = e->value <= FXT_STR_SOFTIRQ_LAST - FXT_STR_SOFTIRQ_FIRST;
		return 0;
	case TRACE_SOFTIRQ_EXIT:
		return c->in_softirq && c->softirq == e->value && e->ns >= c->softirq_begin ?
		       put_softirq(s, e, c) : 0;
	default:
		return take_idle(s, e, c);
	}
}

void trace_slices_lost(struct trace_slices *s, uint32_t cpu)
{
	if (s->cpus)
		memset(&s->cpus[cpu], 0, sizeof(s->cpus[cpu]));
}

void trace_slices_close(struct trace_slices *s)
{
	free(s->cpus);
}
