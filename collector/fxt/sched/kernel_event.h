/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_event.h - events of the kernel beside switches and wakeups, taken out of records.
 *
 * In: event records (type 4), decoded.
 * Out: the interrupt, idle state, migration, frequency or work item that one is, as
 * <fxt/fxt_sched_event.h> writes it. They are told by their category and name, whatever
 * indices the archive has for these, and only in records of our provider.
 */
#ifndef FXT_SCHED_KERNEL_EVENT_H
#define FXT_SCHED_KERNEL_EVENT_H

#include <fxt/fxt_sched_custom.h>

#include "libfxt/fxt_reader.h"

#define KERNEL_EVENT_NO_CPU	0xffff

enum kernel_event_what {
	KERNEL_IRQ,		/* a slice: an interrupt of a device */
	KERNEL_VECTOR,		/* a slice: an interrupt of the CPU itself */
	KERNEL_SOFTIRQ,		/* a slice */
	KERNEL_IDLE,		/* a slice: an idle state */
	KERNEL_WORK,		/* a slice: a work item */
	KERNEL_IDLE_MISS,	/* a moment */
	KERNEL_MIGRATE,		/* a moment: a thread moves to another CPU's run queue */
	KERNEL_FREQUENCY,	/* a value */
	KERNEL_LIMITS,		/* two values: limits of the frequency */
	KERNEL_EVENTS
};

/**
 * struct kernel_event - what a record says
 * @what: enum kernel_event_what
 * @fault: what is wrong in it, NULL if our producers may write it
 * @begin: ticks
 * @end: ticks; @begin, if it is no slice
 * @cpu: whose it is; KERNEL_EVENT_NO_CPU of migrations and work items
 * @thread: koid of the thread that is moved or executes the work item
 * @number: of the interrupt, vector, soft interrupt or idle state
 * @from: of a migration, the CPU before; of frequencies kHz, or the lower limit
 * @to: of a migration, the CPU after; of limits the upper one; of an idle miss, whether
 *	a deeper state was better
 */
struct kernel_event {
	uint8_t what;
	const char *fault;
	uint64_t begin;
	uint64_t end;
	uint16_t cpu;
	uint64_t thread;
	uint32_t number;
	uint32_t from;
	uint32_t to;
};

/**
 * kernel_event_take() - which event of the kernel is a record?
 * @e: set to it
 * @provider: of the record
 * @c: its content
 *
 * Return: false if it is none. An event of a kind that this version does not know is none,
 * unless it is on a track of those kinds.
 */
bool kernel_event_take(struct kernel_event *e, const struct fxt_provider *provider,
		       const struct fxt_content *c);

/**
 * kernel_event_is_custom() - is a record an event of a tracepoint that the user chose?
 * @provider: of the record
 * @c: its content
 *
 * The ledger of its CPU counts it.
 */
bool kernel_event_is_custom(const struct fxt_provider *provider, const struct fxt_content *c);

/** kernel_event_name() - "irq", "vector", "softirq", "idle", "work" and so on */
const char *kernel_event_name(enum kernel_event_what what);

/** kernel_event_is_irq() - an interrupt, hard or soft */
static inline bool kernel_event_is_irq(uint8_t what)
{
	return what <= KERNEL_SOFTIRQ;
}

static inline bool kernel_event_is_slice(uint8_t what)
{
	return what <= KERNEL_WORK;
}

/** kernel_event_track() - of a koid between the tracks of events and those of losses */
static inline bool kernel_event_has_track(uint64_t koid)
{
	return koid >= FXT_SCHED_KOID_FREQUENCY && koid < FXT_SCHED_KOID_LOSS;
}

/** kernel_event_track_cpu() - the CPU of a track's thread; KERNEL_EVENT_NO_CPU: a process */
static inline uint16_t kernel_event_track_cpu(uint64_t koid)
{
	uint64_t n = koid & 0xffff;

	return n ? n - 1 : KERNEL_EVENT_NO_CPU;
}

#endif /* FXT_SCHED_KERNEL_EVENT_H */
