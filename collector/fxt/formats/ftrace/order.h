/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - events in the order of time.
 *
 * In: events in file order, in which the streams of CPUs follow one another chunk by chunk.
 * Out: the earliest of the events in memory. So all events come in order if none follows
 * FTRACE_ORDER_EVENTS or more events after one of a later time; that number also bounds
 * memory.
 */
#ifndef FXT_FORMATS_FTRACE_ORDER_H
#define FXT_FORMATS_FTRACE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/kernel_event.h"

#define FTRACE_ORDER_EVENTS	(1U << 20)	/* 52 MiB, 12 more if each is earlier than the one before */
#define FTRACE_ORDER_RUNS	8		/* that events are added to */

enum ftrace_event_kind {
	FTRACE_SWITCH,
	FTRACE_WAKEUP,
	FTRACE_MARK,		/* who has a CPU where its recording begins or ends */
	FTRACE_RENAME,
	FTRACE_ENTRY,		/* a slice of the kernel begins */
	FTRACE_EXIT,		/* it ends */
	FTRACE_MOMENT,		/* another event of the kernel */
};

/* The order of events of the same time: slices that end later begin earlier. */
enum ftrace_rank {
	FTRACE_FIRST,		/* in file order */
	FTRACE_BEGINS,		/* in reverse file order: a slice is written when it ends */
	FTRACE_ENDS,		/* of slices that end when they begin, in file order */
};

/**
 * struct ftrace_event - an event
 * @number: in file order; decides between events of the same time
 * @thread: koid: outgoing, woken, renamed; of marks, the thread that has the CPU
 * @other: koid: incoming thread, waker, or the thread interrupted by the waking interrupt
 * @name: of renames, the new name; the owner of the heap frees it
 * @prio: the kernel's priority of @thread
 * @other_prio: the same of the incoming thread
 * @state: of switches, a letter as in sched/types.h; of wakeups SCHED_UNKNOWN if
 *	the length of the wait is unknown
 * @irq: of wakeups, enum fxt_sched_irq
 * @args: of the kernel's other events
 * @cpu: on which it is, or whose value
 * @source: if @has_source, the id of what a slice is of, or what interrupted CPUs have to call
 * @what: of the kernel's other events, enum kernel_event_what; of marks, their kind
 * @rank: enum ftrace_rank
 * @has_other: @other is known; else the incoming thread, or the waker, is unknown
 */
struct ftrace_event {
	uint64_t ns;
	uint64_t number;
	uint64_t thread;
	union {
		struct {
			union {
				uint64_t other;
				void *name;
			};
			int32_t prio;
			int32_t other_prio;
		};
		union kernel_args args;
	};
	uint16_t cpu;
	uint16_t source;
	uint8_t kind;
	char state;
	union {
		uint8_t irq;
		uint8_t what;
	};
	uint8_t rank : 6;
	bool has_source : 1;
	bool has_other : 1;
};

/**
 * struct ftrace_order - the events in memory; all zero is empty
 * @events: in places that do not change, numbered from 1
 * @next: the place after an event's in its run, or after a free place; 0: none
 * @free: a place that an event has left
 * @used: places that were ever used, of @room
 * @heap: the places of the first events of runs, the earliest at the top
 * @recent: the places of the last events of the runs that grew lately, the latest first
 * @count: events
 *
 * A run is a list of events that are in order. An archive consists of chunks in order, so runs are
 * few, and most events cost one comparison when they come, and a few when they go.
 */
struct ftrace_order {
	struct ftrace_event *events;
	uint32_t *next;
	uint32_t free;
	uint32_t used;
	uint32_t room;
	uint32_t *heap;
	uint32_t runs;
	uint32_t run_room;
	uint32_t recent[FTRACE_ORDER_RUNS];
	size_t count;
};

/** ftrace_order_add() - there is room. Return: 0 or -ENOMEM */
int ftrace_order_add(struct ftrace_order *q, const struct ftrace_event *e);

/** ftrace_order_take() - take the earliest event. Return: false if there is none */
bool ftrace_order_take(struct ftrace_order *q, struct ftrace_event *e);

/** ftrace_order_free() - free the memory; events are lost */
void ftrace_order_free(struct ftrace_order *q);

static inline bool ftrace_order_is_full(const struct ftrace_order *q)
{
	return q->count == FTRACE_ORDER_EVENTS;
}

#endif /* FXT_FORMATS_FTRACE_ORDER_H */
