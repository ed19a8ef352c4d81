/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses.h - the addresses that the stacks of an archive have.
 *
 * In:  frames of stacks. Out: each address once, with the process that it is in.
 */
#ifndef LIBSYM_ADDRESSES_H
#define LIBSYM_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * struct addresses - a hash table; all zero is an empty one
 * @slots: addresses, 0 where there is none
 * @room: slots, a power of two, or 0
 * @count: addresses
 */
struct addresses {
	struct address *slots;
	size_t room;
	size_t count;
};

/**
 * addresses_add() - add the frame of a stack
 * @a: the addresses
 * @process: of the stack
 * @frame: address to which a function returns
 * @time: of the stack
 *
 * Beyond a quarter of a million addresses the rest is left out, and has no names.
 *
 * Return: 0 or -ENOMEM.
 */
int addresses_add(struct addresses *a, uint64_t process, uint64_t frame, uint64_t time);

/**
 * addresses_sort() - by process and address, at the beginning of @slots; then add no more
 *
 * Those of the kernel come first.
 */
void addresses_sort(struct addresses *a);

/** addresses_free() - forget all */
void addresses_free(struct addresses *a);

#endif /* LIBSYM_ADDRESSES_H */
