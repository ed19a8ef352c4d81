/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses.h - the addresses in the stacks of an archive.
 *
 * In:  frames of stacks.
 * Out: each address once, with the process that it is in.
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

/**
 * struct address - an address that occurs
 * @at: fxt_sched_frame_address() of the frame
 * @process: its process id; 0: it is in the kernel
 * @first: the earliest time of a stack that has it
 * @last: the latest
 */
struct address {
	uint64_t at;
	uint64_t process;
	uint64_t first;
	uint64_t last;
};

/**
 * struct addresses - a hash table; initialize with zeros, except for @left_out and @arg
 * @slots: addresses, 0 where there is none
 * @room: slots, a power of two, or 0
 * @count: addresses
 * @processes: number of addresses of each process
 * @each: limit of the addresses of a process; 0: ADDRESSES_EACH
 * @frames_left_out: frames whose address had no room, and addresses that were removed
 * @left_out: called with each of these addresses, with @arg; may be NULL
 * @user_of: returns the user of a process when its first address is added; may be NULL
 */
struct addresses {
	struct address *slots;
	size_t room;
	size_t count;
	struct map processes;
	size_t each;
	uint64_t frames_left_out;
	void (*left_out)(void *arg, const struct address *a);
	void *arg;
	uint32_t (*user_of)(uint32_t process);
};

/**
 * addresses_add() - add the frame of a stack
 * @a: the addresses
 * @process: of the stack
 * @frame: address to which a function returns
 * @time: of the stack
 *
 * There is room for ADDRESSES_MOST addresses. When it is used up, the processes that have the most
 * addresses lose some.
 *
 * Return: 0 or -ENOMEM
 */
int addresses_add(struct addresses *a, uint64_t process, uint64_t frame, uint64_t time);

/**
 * addresses_sort() - sort addresses by process and address to the beginning of @slots
 *
 * Those of the kernel come first. No address may be added after this.
 */
void addresses_sort(struct addresses *a);

/** addresses_find() - an address after addresses_sort(); NULL if there is none */
const struct address *addresses_find(const struct addresses *a, uint64_t process, uint64_t at);

/** addresses_user() - the user of a process that has addresses; 0 if that is not known */
uint32_t addresses_user(const struct addresses *a, uint64_t process);

/** addresses_free() - forget all addresses, and keep @left_out, @arg and @user_of */
void addresses_free(struct addresses *a);

#endif /* LIBSYM_ADDRESSES_H */
