/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - the events of perf.data in the order of time.
 *
 * In: events in file order. perf reads the buffers of the CPUs in turn; a mark ends each round.
 * Out: events by time. After a round nothing comes that is older than the newest event of the
 * round before it.
 */
#ifndef FXT_FORMATS_PERF_DATA_ORDER_H
#define FXT_FORMATS_PERF_DATA_ORDER_H

#include <stddef.h>

#include "formats/import/event.h"

#define PERF_ORDER_EVENTS	(1U << 20)	/* at most in memory: 180 MB */

struct perf_order_event {
	uint64_t number;
	struct trace_event e;
};

/**
 * struct perf_order - begins as zeros but for @take and @arg
 * @take: takes an event; 0 or a negative errno
 * @limit: ns, of the newest event of the last complete round
 * @newest: ns, of all events so far
 */
struct perf_order {
	int (*take)(void *arg, const struct trace_event *e);
	void *arg;
	struct perf_order_event *events;
	size_t count;
	size_t room;
	uint64_t number;
	uint64_t limit;
	uint64_t newest;
};

/** perf_order_add() - the frames of the event are freed after take(). Return: 0, -ENOMEM, or what take() returned */
int perf_order_add(struct perf_order *o, const struct trace_event *e);

/** perf_order_round() - a round ends. Return: as take() */
int perf_order_round(struct perf_order *o);

/** perf_order_finish() - no more events follow. Return: as take() */
int perf_order_finish(struct perf_order *o);

void perf_order_close(struct perf_order *o);

#endif /* FXT_FORMATS_PERF_DATA_ORDER_H */
