/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tape.h - records of one size, possibly more than memory holds.
 *
 * In: records, one after the other.
 * Out: any of them by its number. The first ones are in memory, the others in a temporary file
 * without a name, whose pages the kernel may take back.
 */
#ifndef FXT_ACCOUNT_TAPE_H
#define FXT_ACCOUNT_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAPE_BITS	16	/* logarithm of the records in a chunk */

/**
 * struct tape - a list of records; begins with tape_open(), ends with tape_close()
 * @size: bytes of a record
 * @count: of records
 * @error: the first negative errno, after which nothing is added
 * @fd: of the temporary file; -1 until it is needed
 * @in_file: chunks in it; some of the others come before them, some after
 */
struct tape {
	size_t size;
	uint64_t count;
	int error;
	int fd;
	char **chunks;
	size_t chunk_count;
	size_t in_file;
};

/** tape_open() - begin an empty tape of records of @size bytes */
void tape_open(struct tape *s, size_t size);

/** tape_grow() - add a chunk. Return: 0 or a negative errno, which becomes @error */
int tape_grow(struct tape *s);

/** tape_at() - a record by its number; the pointer is valid until tape_close() */
static inline void *tape_at(const struct tape *s, uint64_t number)
{
	return s->chunks[number >> TAPE_BITS] +
	       (number & ((1U << TAPE_BITS) - 1)) * s->size;
}

/**
 * tape_add() - add a record of zeros
 *
 * Return: the record, whose number is @count before the call; NULL if there is no room, see @error.
 */
static inline void *tape_add(struct tape *s)
{
	if (__builtin_expect(s->count >> TAPE_BITS >= s->chunk_count, 0) && tape_grow(s))
		return NULL;
	return tape_at(s, s->count++);
}

/** tape_empty() - remove all records, but keep their room; records added later are not zeroed */
static inline void tape_empty(struct tape *s)
{
	s->count = 0;
}

/**
 * tape_leave() - release the memory around a record that is not needed soon; its data stays in the
 * file
 */
void tape_leave(const struct tape *s, uint64_t number);

/** tape_passed() - does a walk that steps from record @number to @to leave a chunk? */
static inline bool tape_passed(uint64_t number, uint64_t to)
{
	return number >> TAPE_BITS != to >> TAPE_BITS;
}

void tape_close(struct tape *s);

#endif /* FXT_ACCOUNT_TAPE_H */
