/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tape.h - records of one size, possibly more than memory holds.
 *
 * In: records, one after the other.
 * Out: any of them by its number. The first ones are in memory, others in an unnamed temporary
 * file, whose pages the kernel may take back.
 */
#ifndef FXT_ACCOUNT_TAPE_H
#define FXT_ACCOUNT_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAPE_BITS	16	/* logarithm of the records in a chunk */

/* Begins with tape_open(), ends with tape_close(). */
struct tape {
	size_t size;		/* bytes of a record */
	size_t kept;		/* bytes kept in memory */
	uint64_t count;		/* of records */
	uint64_t room;		/* records for which there is memory */
	int fd;			/* of the temporary file; -1 until it is needed */
	char **chunks;
	size_t chunk_count;
	size_t in_file;		/* chunks in it; others come before and after them */
};

#define TAPE_MUCH	(256U << 20)
#define TAPE_LITTLE	(32U << 20)

/* Begin an empty tape of records of @size bytes; @kept bytes stay in memory. */
void tape_open(struct tape *s, size_t size, size_t kept);

/* Add @room. Without memory, report that and exit with VERB_UNWRITABLE. */
void tape_grow(struct tape *s);

/* As tape_at(). @size: of a record, where the compiler knows it */
static inline void *tape_at_size(const struct tape *s, uint64_t number, size_t size)
{
	return s->chunks[number >> TAPE_BITS] + (number & ((1U << TAPE_BITS) - 1)) * size;
}

/* A record by its number; valid until tape_close(). */
static inline void *tape_at(const struct tape *s, uint64_t number)
{
	return tape_at_size(s, number, s->size);
}

/* Add a record of zeros, whose number is @count before the call. */
static inline void *tape_add(struct tape *s)
{
	if (__builtin_expect(s->count >= s->room, 0))
		tape_grow(s);
	return tape_at(s, s->count++);
}

/* Remove all records, but keep their room; records added later are not zeroed. */
static inline void tape_empty(struct tape *s)
{
	s->count = 0;
}

/* Release the memory around a record that is not needed soon; its data stays in the file. */
void tape_leave(const struct tape *s, uint64_t number);

/* Does a walk that steps from record @number to @to leave a chunk? */
static inline bool tape_passed(uint64_t number, uint64_t to)
{
	return number >> TAPE_BITS != to >> TAPE_BITS;
}

void tape_close(struct tape *s);

#endif /* FXT_ACCOUNT_TAPE_H */
