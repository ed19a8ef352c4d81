/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tape.h - records of one size, more of them than memory may hold.
 *
 * In: records, one after the other. Out: each of them by its number, in any order.
 * The first ones are in memory, the others in a temporary file without a name, whose pages the
 * kernel may take back.
 */
#ifndef FXT_HISTORY_TAPE_H
#define FXT_HISTORY_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAPE_BITS	16	/* records of a chunk, as a power of two */

/**
 * struct tape - all of them; begins with tape_open(), ends with tape_close()
 * @size: bytes of a record
 * @count: of records
 * @error: the first negative errno; nothing is added after it
 * @fd: of the temporary file; -1 until it is needed
 */
struct tape {
	size_t size;
	uint64_t count;
	int error;
	int fd;
	char **chunks;
	size_t chunk_count;
};

/** tape_open() - begin with no record; @size: bytes of each */
void tape_open(struct tape *s, size_t size);

/** tape_grow() - add a chunk. Return: 0 or a negative errno, which stays */
int tape_grow(struct tape *s);

/** tape_at() - a record; the pointer is valid until tape_close() */
static inline void *tape_at(const struct tape *s, uint64_t number)
{
	return s->chunks[number >> TAPE_BITS] +
	       (number & ((1U << TAPE_BITS) - 1)) * s->size;
}

/**
 * tape_add() - add a record of zeros
 *
 * Return: it, whose number was @count before; NULL if there is no room, see @error.
 */
static inline void *tape_add(struct tape *s)
{
	if (__builtin_expect(s->count >> TAPE_BITS >= s->chunk_count, 0) && tape_grow(s))
		return NULL;
	return tape_at(s, s->count++);
}

/** tape_empty() - remove all records, but keep the room; those that are added later are not zero */
static inline void tape_empty(struct tape *s)
{
	s->count = 0;
}

/** tape_leave() - nobody needs a record and its neighbours soon: let go of memory, but keep them */
void tape_leave(const struct tape *s, uint64_t number);

/** tape_passed() - is the walk from record @number on to the next one, @to, through a chunk? */
static inline bool tape_passed(uint64_t number, uint64_t to)
{
	return number >> TAPE_BITS != to >> TAPE_BITS;
}

void tape_close(struct tape *s);

#endif /* FXT_HISTORY_TAPE_H */
