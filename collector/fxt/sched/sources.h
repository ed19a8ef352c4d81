/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - event origins: interrupts, idle states, functions, system calls, cgroups.
 */
#ifndef FXT_SCHED_SOURCES_H
#define FXT_SCHED_SOURCES_H

#include "libfxt/map.h"
#include "kernel_types.h"

#define SCHED_SOURCES	65536U

_Static_assert(SCHED_SOURCES - 1 <= UINT16_MAX, "an event that waits keeps the id in 16 bits");

/**
 * struct sched_sources - all of an archive; all zero is none
 * @list: by id
 */
struct sched_sources {
	struct map map;
	struct sched_source **list;
	size_t count;
};

/**
 * sched_source_get() - find or make a source
 * @s: the sources
 * @what: enum kernel_event_what
 * @number: see kernel_event_number()
 * @name: its name
 *
 * There are SCHED_SOURCES at most; all further ones of a kind count as one.
 *
 * Return: NULL: no memory.
 */
struct sched_source *sched_source_get(struct sched_sources *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name);

void sched_sources_free(struct sched_sources *s);

#endif /* FXT_SCHED_SOURCES_H */
