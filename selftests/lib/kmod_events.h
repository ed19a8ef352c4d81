/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event records of a session of the module. Each has been checked word by word against
 * fxt_catalogue.h, and is on the right track.
 */
#ifndef SELFTESTS_KMOD_EVENTS_H
#define SELFTESTS_KMOD_EVENTS_H

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched_event.h>
#include <fxt/fxt_sched_load.h>

#include "kmod_stream.h"

struct kmod_event {
	uint64_t kind;	/* the group that it belongs to, FXT_SCHED_EVENTS_* */
	uint32_t stream;	/* number of the CPU that wrote it */
	bool is_slice;	/* it has a beginning, and an end */
	/*
	 * index of its name; for the name of a handler FXT_STR_IRQ, for that of a function
	 * FXT_STR_WORK or FXT_STR_IPI
	 */
	uint32_t name;
	char label[FXT_SCHED_LABEL_BYTES + 1];	/* that name of a handler or function */
	uint64_t begin;	/* ticks */
	uint64_t end;	/* ticks; equal to @begin for an instant */
	uint64_t thread;	/* koid */
	/* values of its arguments, in their order; signed ones of 32 bits are not extended */
	uint64_t args[FXT_ARGS_MAX];
};

struct kmod_events {
	size_t count;	/* number of them */
	struct kmod_event *all;	/* the events, CPU by CPU, in the order of their streams */
};

int kmod_events_take(struct kmod_events *events, const struct kmod_streams *streams,
		     struct why *why);

void kmod_events_free(struct kmod_events *events);

uint64_t kmod_events_count(const struct kmod_events *events, uint32_t cpu, uint32_t first,
			   uint32_t last);

/* of these groups, FXT_SCHED_EVENTS_* */
unsigned int kmod_events_count_kind(const struct kmod_events *events, uint64_t kinds);

/*
 * Check that slices of a CPU, in the order of their ends, are disjoint or nested. Work items and
 * system calls are excluded, because they sleep.
 */
int kmod_events_check_nesting(const struct kmod_events *events, struct why *why);

#define kmod_for_each_event(events, e)						\
	for (e = (events)->all; e < (events)->all + (events)->count; e++)

#endif /* SELFTESTS_KMOD_EVENTS_H */
