/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses.h - the addresses in the stacks of an archive, each once, with the process that it is
 * in.
 */
#ifndef LIBSYM_ADDRESSES_H
#define LIBSYM_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/map.h"

#define ADDRESSES_MOST		(1U << 18)
#define ADDRESSES_EACH		(ADDRESSES_MOST / 4)	/* of one process, as long as there is room */
#define ADDRESSES_LEAST		256U			/* of one process, in any case */
#define ADDRESSES_KERNEL	(ADDRESSES_MOST / 4)	/* of the kernel */

struct address {
	uint64_t at;		/* fxt_sched_frame_address() */
	uint64_t process;	/* id; 0: the kernel */
	uint64_t first;		/* earliest time of a stack that has it */
	uint64_t last;		/* latest time */
};

/* A hash table. Initialize with zeros, except for @left_out and @arg. */
struct addresses {
	struct address *slots;	/* with zeros in free ones */
	size_t room;		/* slots; a power of two, or 0 */
	size_t count;
	struct map processes;	/* number of addresses of each */
	size_t each;		/* limit of addresses of a process; 0: ADDRESSES_EACH */
	/* whose address had no room, or was removed; @left_out is called with each */
	uint64_t frames_left_out;
	void (*left_out)(void *arg, const struct address *a);	/* may be NULL */
	void *arg;
	uint32_t (*user_of)(uint32_t process);	/* its user, at its first address; may be NULL */
};

/*
 * Add the frame of a stack of @process, at @time. @frame: return address
 *
 * There is room for ADDRESSES_MOST addresses. When it is used up, the processes that have the most
 * addresses lose some. Return: 0 or -ENOMEM.
 */
int addresses_add(struct addresses *a, uint64_t process, uint64_t frame, uint64_t time);

/*
 * Sort to the beginning of @slots by process and address, the kernel first. No address may be added
 * after this.
 */
void addresses_sort(struct addresses *a);

/* Call it after addresses_sort(). Return: NULL if there is none. */
const struct address *addresses_find(const struct addresses *a, uint64_t process, uint64_t at);

/* The user of a process that has addresses; 0 if unknown. */
uint32_t addresses_user(const struct addresses *a, uint64_t process);

/* Forget all addresses, but keep @left_out, @arg and @user_of. */
void addresses_free(struct addresses *a);

#endif /* LIBSYM_ADDRESSES_H */
