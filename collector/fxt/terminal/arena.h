/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.h - memory that is freed all at once. */
#ifndef FXT_TERMINAL_ARENA_H
#define FXT_TERMINAL_ARENA_H

#include "memory.h"

#define ARENA_CHUNK	(256 << 10)	/* fresh from the kernel, so it need not be cleared */
#define ARENA_ALIGN	16

/* Initialize with zeros. */
struct arena {
	struct arena_chunk {
		struct arena_chunk *older;
		_Alignas(ARENA_ALIGN) char bytes[];
	} *newest;
	char *at;
	size_t left;
};

/* @bytes of zeros. */
static inline void *arena_zero(struct arena *a, size_t bytes)
{
	struct arena_chunk *chunk;
	char *at;

	bytes = (bytes + !bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (bytes > a->left) {
		a->left = bytes > ARENA_CHUNK ? bytes : ARENA_CHUNK;
		chunk = must(calloc(1, sizeof(*chunk) + a->left));
		chunk->older = a->newest;
		a->newest = chunk;
		a->at = chunk->bytes;
	}
	at = a->at;
	a->at += bytes;
	a->left -= bytes;
	return at;
}

/* Zeroed memory for one @type, or for @count of them. */
#define arena_new(arena, type)		((type *)arena_zero(arena, sizeof(type)))
#define arena_array(arena, type, count)	((type *)arena_zero(arena, (count) * sizeof(type)))

static inline char *arena_text(struct arena *a, const char *text)
{
	return memcpy(arena_zero(a, strlen(text) + 1), text, strlen(text));
}

/* Doubles each time; the smaller arrays before take at most as much again. */
static inline void *arena_grown(struct arena *a, void *list, size_t count, size_t size)
{
	if (count & (count - 1))
		return list;
	return count ? memcpy(arena_zero(a, 2 * count * size), list, count * size) :
		       arena_zero(a, size);
}

/* Make room for one more in an array that only this enlarges. */
#define arena_more(arena, list, count) \
	((list) = arena_grown(arena, list, count, sizeof(*(list))))

static inline void arena_free(struct arena *a)
{
	struct arena_chunk *chunk;

	while ((chunk = a->newest)) {
		a->newest = chunk->older;
		free(chunk);
	}
}

#endif /* FXT_TERMINAL_ARENA_H */
