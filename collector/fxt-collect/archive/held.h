/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held.h - chunks, kept until they can be written.
 */
#ifndef FXT_COLLECT_ARCHIVE_HELD_H
#define FXT_COLLECT_ARCHIVE_HELD_H

#include <stdbool.h>
#include <stddef.h>

#include "source/source.h"

/**
 * struct held - copies of chunks; initialized with zeros
 * @bytes: each a struct chunk and its records
 * @used: bytes in use
 * @room: bytes allocated
 */
struct held {
	unsigned char *bytes;
	size_t used;
	size_t room;
};

/** held_add() - keep a copy of a chunk; 0 or -ENOMEM */
int held_add(struct held *h, const struct chunk *c);

/**
 * held_next() - the chunks, oldest first
 * @h: the chunks
 * @at: 0 before the first call
 * @c: set to the chunk, valid until held_add() or held_free()
 *
 * Return: false after the last one.
 */
bool held_next(const struct held *h, size_t *at, struct chunk *c);

/** held_drop() - drop the first @bytes, up to where held_next() has come */
void held_drop(struct held *h, size_t bytes);

/** held_free() - drop all */
void held_free(struct held *h);

#endif /* FXT_COLLECT_ARCHIVE_HELD_H */
