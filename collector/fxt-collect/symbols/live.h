/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - what processes map while recording, and which processes fork, exec and exit.
 *
 * In: the kernel's perf events. Out: mappings, with build ids; a process needs to live for no
 * longer than it takes to map its program.
 */
#ifndef FXT_COLLECT_SYMBOLS_LIVE_H
#define FXT_COLLECT_SYMBOLS_LIVE_H

#include <stdbool.h>

#include "libsym/images.h"
#include "source/source.h"

/**
 * struct live_maps - the events of all CPUs; all zero is none
 * @fds: descriptors, @count of them, with the memory of each in @rings
 * @bytes: of the records in a ring
 * @is_old: the kernel does not count per event what it lost
 * @told: events for which a ring had no room, by the records that say so
 */
struct live_maps {
	int *fds;
	void **rings;
	unsigned int count;
	size_t bytes;
	bool is_old;
	uint64_t told;
};

/** live_maps_open() - begin; takes CAP_PERFMON. Return: 0 or a negative errno */
int live_maps_open(struct live_maps *l, enum clock_kind clock);

/** live_maps_read() - take what there is. Return: 0 or -ENOMEM */
int live_maps_read(struct live_maps *l, struct images *im);

/**
 * live_maps_lost() - events since live_maps_open() for which a ring had no room
 *
 * Before Linux 6.0, those after the last event that was read are unknown.
 */
uint64_t live_maps_lost(const struct live_maps *l);

void live_maps_close(struct live_maps *l);

#endif /* FXT_COLLECT_SYMBOLS_LIVE_H */
