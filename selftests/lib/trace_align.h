/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligns the traces of two tracers that ran at the same time. Their clocks and starting times
 * differ, but both see the events of a CPU in the same order. So two marker threads run on each
 * CPU, one at the beginning and one at the end, and the events between these have to be the same.
 */
#ifndef SELFTESTS_TRACE_ALIGN_H
#define SELFTESTS_TRACE_ALIGN_H

#include "trace.h"
#include "workload.h"

struct markers {
	unsigned int count;
	int cpus[MAX_CPUS];
	pid_t begin[MAX_CPUS];
	pid_t end[MAX_CPUS];
};

/* Run the first or the second marker of every CPU. */
int markers_run(struct markers *m, bool end);

/* events of one stream between the markers, including these */
struct window {
	const struct trace_event *from;
	const struct trace_event *to;	/* the event after the last */
};

/* @i: index in markers.cpus */
int window_find(const struct trace *t, const struct markers *m, unsigned int i,
		struct window *w, struct why *why);

/*
 * Can two tracers see different states of one thread? Before 5.18 a tracer reads the state from the
 * task, where a waker on another CPU may already have changed it, and tracers read it one after the
 * other.
 */
bool state_may_change(void);

#endif /* SELFTESTS_TRACE_ALIGN_H */
