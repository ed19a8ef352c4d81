/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - the events of a text in the order of time.
 *
 * In: events in the order of lines. Programs that print or join texts may write some lines late.
 * Out: events by time, as far as no event is late by more than FTRACE_WINDOW events; those of the
 * same time in the order of lines.
 */
#ifndef FXT_FORMATS_FTRACE_WINDOW_H
#define FXT_FORMATS_FTRACE_WINDOW_H

#include <stddef.h>

#include "formats/import/event.h"

#define FTRACE_WINDOW	65536U	/* events in memory: 12 MB */

struct ftrace_window_event {
	uint64_t number;
	struct trace_event e;
};

/**
 * struct ftrace_window - begins as zeros but for @take, @late and @arg
 * @take: takes an event; 0 or a negative errno
 * @late: likewise, an event that is older than the last one taken
 * @all: places of events; @unused: those without an event
 * @ring: places of events that came in order; @ring_first: of the oldest
 * @heap: of those that came late, the oldest first
 * @newest: ns, of all events so far; @taken: of the last one taken
 * @disordered: events that are older than one before them
 */
struct ftrace_window {
	int (*take)(void *arg, const struct trace_event *e);
	int (*late)(void *arg, const struct trace_event *e);
	void *arg;
	struct ftrace_window_event *all;
	uint32_t *unused;
	uint32_t *ring;
	uint32_t *heap;
	uint32_t ring_first;
	uint32_t ring_count;
	uint32_t heap_count;
	uint64_t number;
	uint64_t newest;
	uint64_t taken;
	uint64_t disordered;
};

/** ftrace_window_add() - an event. Return: 0, -ENOMEM, or what take() or late() returned */
int ftrace_window_add(struct ftrace_window *w, const struct trace_event *e);

/** ftrace_window_finish() - no more events follow. Return: as take() */
int ftrace_window_finish(struct ftrace_window *w);

void ftrace_window_close(struct ftrace_window *w);

#endif /* FXT_FORMATS_FTRACE_WINDOW_H */
