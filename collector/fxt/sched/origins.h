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
	struct map aliases;
	struct sched_alias **alias_list;	/* by id */
	size_t alias_count;
};

/* A thread has a futex that a thread of another process slept for. */
struct sched_alias {
	struct map_node node;
	struct sched_origin *of;
	uint64_t waker;			/* koid: it woke the other one */
	uint64_t address;		/* in its process */
	uint32_t id;
	uint64_t first;			/* ns, of the first and the last sleep */
	uint64_t last;
	const struct sched_thread *life;	/* the last one known that had the koid */
	uint64_t *others;		/* ns, of the first sleep that each one ended */
	size_t other_count;
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

/*
 * Note that thread @waker, of another process, woke a thread by a futex that it has at @address.
 * @ns: when that sleep was over. Return: NULL if there are too many
 */
struct sched_alias *sched_origin_alias(struct sched_origins *s, struct sched_origin *of,
				       uint64_t waker, uint64_t address, uint64_t ns);

/* Note that @life had the koid of the waker when the sleep was over at @ns. */
void sched_alias_used(struct sched_alias *a, const struct sched_thread *life, uint64_t ns);

/* Note that two origins are of one futex. The older one stands for both. */
void sched_origin_join(struct sched_origin *a, struct sched_origin *b);

void sched_origins_free(struct sched_origins *s);

#endif /* FXT_SCHED_ORIGINS_H */
