/* SPDX-License-Identifier: GPL-2.0-or-later */
/* origins.h - event origins: interrupts, idle states, functions, system calls, cgroups. */
#ifndef FXT_SCHED_ORIGINS_H
#define FXT_SCHED_ORIGINS_H

#include "libfxt/map.h"
#include "kernel_types.h"

#define SCHED_ORIGINS	65536U

_Static_assert(SCHED_ORIGINS - 1 <= UINT16_MAX, "an event that waits keeps the id in 16 bits");

/* All origins in an archive; initialize with zeros. */
struct sched_origins {
	struct map map;
	struct sched_origin **list;	/* by id */
	size_t count;
	size_t many;			/* of these: locks, and data of sockets */
};

/*
 * Find or add an origin. @number: kernel_event_number(); @name: from the record; origins with the
 * same number may differ in their names.
 *
 * There are at most SCHED_ORIGINS, and half as many locks and data of sockets; further ones of a
 * kind count as one.
 */
struct sched_origin *sched_origin_get(struct sched_origins *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name);

/*
 * Likewise for a futex; further ones do not count with the kernel's locks. @address is one of
 * @process, a koid
 */
struct sched_origin *sched_origin_get_futex(struct sched_origins *s, uint64_t process,
					    uint64_t address, const struct fxt_text *name);

void sched_origins_free(struct sched_origins *s);

#endif /* FXT_SCHED_ORIGINS_H */
