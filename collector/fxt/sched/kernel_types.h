/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel_types.h - interrupts, idle states, migrations, frequencies and work items, as the
 * model reports them.
 *
 * A slice is reported when it ends, in the order of time. An interrupt is reported in pieces,
 * too: those of its time in which no other interrupt interrupted it and the thread that it
 * interrupted was on the CPU. So the pieces of all interrupts never overlap on a CPU, and
 * their sum is what interrupts took.
 */
#ifndef FXT_SCHED_KERNEL_TYPES_H
#define FXT_SCHED_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel_event.h"

#define SCHED_SOURCE_BYTES	64	/* of a name, terminated; longer ones are truncated */

struct sched_thread;

/**
 * struct sched_source - what slices of one kind are of: an interrupt, a state, a function
 * @what: enum kernel_event_what
 * @number: of the interrupt, vector, soft interrupt or idle state
 * @id: number of the source in the order in which they were first seen, from 0
 * @user: for the caller
 */
struct sched_source {
	uint8_t what;
	uint32_t number;
	uint32_t id;
	uint64_t user;
	char name[SCHED_SOURCE_BYTES];
};

/**
 * struct sched_slice - an interrupt, an idle state or a work item has ended
 * @from: ns; @to is when it ended
 * @own: ns of an interrupt in all its pieces; else @to - @from
 * @thread: the thread that an interrupt interrupted, NULL if unknown; the kworker
 */
struct sched_slice {
	struct sched_source *source;
	uint64_t from;
	uint64_t to;
	uint64_t own;
	struct sched_thread *thread;
	uint16_t cpu;
};

/** struct sched_piece - a part of an interrupt, see above; before its slice */
struct sched_piece {
	const struct sched_slice *slice;
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

/** struct sched_move - a thread moved from a run queue to another */
struct sched_move {
	uint64_t time;		/* ns */
	struct sched_thread *thread;
	uint16_t from;
	uint16_t to;
};

/** struct sched_frequency - a CPU has this frequency from now on */
struct sched_frequency {
	uint64_t time;		/* ns */
	uint32_t khz;
	uint16_t cpu;
};

#endif /* FXT_SCHED_KERNEL_TYPES_H */
