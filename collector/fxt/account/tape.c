// SPDX-License-Identifier: GPL-2.0-or-later
/* tape.c - see tape.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libfxt/array.h"
#include "tape.h"

#define IN_MEMORY	(32U << 20)	/* bytes of chunks kept in memory */
#define WARM		2		/* chunks before the newest that may still be written */

void tape_open(struct tape *s, size_t size)
{
	*s = (struct tape){ .size = size, .fd = -1 };
}

static size_t chunk_bytes(const struct tape *s)
{
	return s->size << TAPE_BITS;
}

static size_t first_in_file(const struct tape *s)
{
	return IN_MEMORY / chunk_bytes(s) + 1;
}

static int open_file(struct tape *s)
{
	const char *dir = getenv("TMPDIR");

	dir = dir && *dir ? dir : "/tmp";
	s->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return s->fd < 0 ? -errno : 0;
}

/* Reserve the room in the file system, so that a full disk is an error now and not SIGBUS later. */
static void *map_file(struct tape *s)
{
	size_t bytes = chunk_bytes(s);
	off_t at = (off_t)(s->chunk_count - first_in_file(s)) * (off_t)bytes;
	void *chunk;

	s->error = s->fd < 0 ? open_file(s) : 0;
	s->error = s->error ? s->error : -posix_fallocate(s->fd, at, bytes);
	if (s->error)
		return MAP_FAILED;
	chunk = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, at);
	if (s->chunk_count > first_in_file(s) + WARM)
		madvise(s->chunks[s->chunk_count - WARM - 1], bytes, MADV_DONTNEED);
	return chunk;
}

int tape_grow(struct tape *s)
{
	void *chunk;

	if (s->error)
		return s->error;
	if (array_grow(s->chunks, s->chunk_count))
		return s->error = -ENOMEM;
	chunk = s->chunk_count < first_in_file(s) ?
		mmap(NULL, chunk_bytes(s), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : map_file(s);
	if (chunk == MAP_FAILED)
		return s->error = s->error ? s->error : -ENOMEM;
	/* There will be more: fewer faults are enough. Kernels before 5.14 do without. */
	if (s->chunk_count)
		madvise(chunk, chunk_bytes(s), s->chunk_count < first_in_file(s) ?
			MADV_HUGEPAGE : MADV_POPULATE_WRITE);
	s->chunks[s->chunk_count++] = chunk;
	return 0;
}

void tape_leave(const struct tape *s, uint64_t number)
{
	size_t chunk = number >> TAPE_BITS;

	if (chunk >= first_in_file(s) && chunk < s->chunk_count)
		madvise(s->chunks[chunk], chunk_bytes(s), MADV_DONTNEED);
}

void tape_close(struct tape *s)
{
	size_t i;

	for (i = 0; i < s->chunk_count; i++)
		munmap(s->chunks[i], chunk_bytes(s));
	free(s->chunks);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct tape){ .fd = -1 };
}
