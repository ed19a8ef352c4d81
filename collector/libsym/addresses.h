/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses.h - the addresses that the stacks of an archive have.
 *
 * In:  chunks of CPUs. Out: each address once.
 */
#ifndef FXT_COLLECT_SYMBOLS_ADDRESSES_H
#define FXT_COLLECT_SYMBOLS_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

struct chunk;

/**
 * struct addresses - a hash table; all zero is an empty one
 * @slots: addresses, 0 where there is none
 * @room: slots, a power of two, or 0
 * @count: addresses
 */
struct addresses {
	uint64_t *slots;
	size_t room;
	size_t count;
};

/**
 * addresses_chunk() - add those of a chunk
 * @a: the addresses
 * @c: the chunk; its records are whole
 *
 * Adds fxt_sched_frame_address() of each frame. Beyond a million addresses the rest is left
 * out, and has no names.
 *
 * Return: 0 or -ENOMEM.
 */
int addresses_chunk(struct addresses *a, const struct chunk *c);

/** addresses_sort() - in ascending order at the beginning of @slots; then add no more */
void addresses_sort(struct addresses *a);

/** addresses_free() - forget all */
void addresses_free(struct addresses *a);

#endif /* FXT_COLLECT_SYMBOLS_ADDRESSES_H */
