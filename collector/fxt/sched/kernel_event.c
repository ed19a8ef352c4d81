// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel_event.c - see kernel_event.h. */
#include <stdbool.h>

#include "kernel_event.h"

static const struct fxt_arg *find(const struct fxt_content *c, uint16_t name, uint8_t type)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == name && c->args[i].type == type)
			return &c->args[i];
	return NULL;
}

static bool take_number(const struct fxt_content *c, uint16_t name, uint32_t *number)
{
	const struct fxt_arg *arg = find(c, name, FXT_ARG_UINT32);

	*number = arg ? arg->u64 : 0;
	return arg;
}

/* Take the CPU of the track that the kind of event has. */
static void take_track(struct kernel_event *e, const struct fxt_content *c, uint64_t process)
{
	e->cpu = kernel_event_track_cpu(c->thread.thread);
	if (c->thread.process != process || e->cpu == KERNEL_EVENT_NO_CPU ||
	    c->thread.thread != fxt_sched_cpu_track(process, e->cpu)) {
		e->cpu = KERNEL_EVENT_NO_CPU;
		e->fault = "an event is not on a track of its kind";
	}
}

static void take_irq(struct kernel_event *e, const struct fxt_content *c)
{
	uint16_t name = c->name.known;

	take_track(e, c, FXT_SCHED_KOID_IRQ);
	if (c->kind != FXT_KIND_DURATION_COMPLETE) {
		e->fault = "an interrupt is no slice";
	} else if (take_number(c, FXT_STR_IRQ, &e->number)) {
		e->what = KERNEL_IRQ;
	} else {
		e->what = KERNEL_VECTOR;
		e->number = name - FXT_STR_VECTOR_LOCAL_TIMER;
		if (name < FXT_STR_VECTOR_LOCAL_TIMER || name > FXT_STR_VECTOR_DEFERRED)
			e->fault = "an interrupt has neither a number nor a known name";
	}
}

static void take_softirq(struct kernel_event *e, const struct fxt_content *c)
{
	uint16_t name = c->name.known;

	e->what = KERNEL_SOFTIRQ;
	take_track(e, c, FXT_SCHED_KOID_SOFTIRQ);
	e->number = name - FXT_STR_SOFTIRQ_FIRST;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "a soft interrupt is no slice";
	else if (name < FXT_STR_SOFTIRQ_FIRST || name > FXT_STR_SOFTIRQ_LAST)
		e->fault = "a soft interrupt of unknown name";
}

static void take_idle(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_miss = c->kind == FXT_KIND_INSTANT && c->name.known == FXT_STR_IDLE_MISS;
	const struct fxt_arg *below = find(c, FXT_STR_BELOW, FXT_ARG_BOOL);

	e->what = is_miss ? KERNEL_IDLE_MISS : KERNEL_IDLE;
	take_track(e, c, FXT_SCHED_KOID_IDLE);
	e->to = below ? below->u64 : 0;
	if (!is_miss && c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "an idle state is no slice";
	else if (!take_number(c, FXT_STR_STATE, &e->number))
		e->fault = "an idle state without its number";
	else if (is_miss && !below)
		e->fault = "a missed idle state, and not which way";
}

static void take_work(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_WORK;
	e->thread = c->thread.thread;
	if (c->kind != FXT_KIND_DURATION_COMPLETE)
		e->fault = "a work item is no slice";
	else if (!c->name.length)
		e->fault = "a work item without its function";
	else if (!e->thread || e->thread >= FXT_SCHED_KOID_FREQUENCY)
		e->fault = "no thread executes a work item";
}

static void take_migrate(struct kernel_event *e, const struct fxt_content *c)
{
	e->what = KERNEL_MIGRATE;
	e->thread = c->thread.thread;
	if (!take_number(c, FXT_STR_FROM, &e->from) || !take_number(c, FXT_STR_TO, &e->to) ||
	    e->from >= KERNEL_EVENT_NO_CPU || e->to >= KERNEL_EVENT_NO_CPU)
		e->fault = "a migration without its CPUs";
	else if (!e->thread || e->thread >= FXT_SCHED_KOID_FREQUENCY)
		e->fault = "a thread migrates that cannot be";
}

static void take_frequency(struct kernel_event *e, const struct fxt_content *c)
{
	bool is_one = c->name.known == FXT_STR_FREQUENCY;

	e->what = is_one ? KERNEL_FREQUENCY : KERNEL_LIMITS;
	e->cpu = c->id < KERNEL_EVENT_NO_CPU ? c->id : KERNEL_EVENT_NO_CPU;
	if (!take_number(c, is_one ? FXT_STR_KHZ : FXT_STR_MIN_KHZ, &e->from) ||
	    (!is_one && !take_number(c, FXT_STR_MAX_KHZ, &e->to)))
		e->fault = "a frequency without its value";
	else if (e->cpu == KERNEL_EVENT_NO_CPU)
		e->fault = "a frequency of no CPU";
}

/* The category that all of fxt-sched has: only some of its events are the kernel's. */
static bool take_other(struct kernel_event *e, const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_INSTANT && c->name.known == FXT_STR_MIGRATE) {
		take_migrate(e, c);
		return true;
	}
	if (c->kind == FXT_KIND_COUNTER && (c->name.known == FXT_STR_FREQUENCY ||
					    c->name.known == FXT_STR_FREQUENCY_LIMITS)) {
		take_frequency(e, c);
		return true;
	}
	return false;
}

bool kernel_event_take(struct kernel_event *e, const struct fxt_provider *provider,
		       const struct fxt_content *c)
{
	bool is_taken = true;

	if (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_DURATION_COMPLETE ||
	    !fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME))
		return false;
	*e = (struct kernel_event){
		.begin = c->time,
		.end = c->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time,
		.cpu = KERNEL_EVENT_NO_CPU,
	};
	switch (c->category.known) {
	case FXT_STR_IRQ:
		take_irq(e, c);
		break;
	case FXT_STR_SOFTIRQ:
		take_softirq(e, c);
		break;
	case FXT_STR_IDLE:
		take_idle(e, c);
		break;
	case FXT_STR_WORK:
		take_work(e, c);
		break;
	default:
		is_taken = c->category.known == FXT_STR_CATEGORY && take_other(e, c);
	}
	if (is_taken && e->end < e->begin)
		e->fault = "a slice ends before it begins";
	return is_taken;
}

bool kernel_event_is_custom(const struct fxt_provider *provider, const struct fxt_content *c)
{
	return (c->kind == FXT_KIND_INSTANT || c->kind == FXT_KIND_COUNTER) &&
	       fxt_text_is(&provider->name, FXT_SCHED_PROVIDER_NAME) &&
	       fxt_text_is(&c->category, FXT_SCHED_CUSTOM_CATEGORY);
}

const char *kernel_event_name(enum kernel_event_what what)
{
	static const char * const names[KERNEL_EVENTS] = {
		[KERNEL_IRQ] = "irq", [KERNEL_VECTOR] = "vector",
		[KERNEL_SOFTIRQ] = "softirq", [KERNEL_IDLE] = "idle",
		[KERNEL_WORK] = "work", [KERNEL_IDLE_MISS] = "idle miss",
		[KERNEL_MIGRATE] = "migrate", [KERNEL_FREQUENCY] = "frequency",
		[KERNEL_LIMITS] = "frequency limits",
	};

	return names[what];
}
