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

/* Write a chunk to the file. A full disk is an error now, not SIGBUS later. */
static int write_chunk(struct tape *s, const char *chunk, off_t at)
{
	size_t done, bytes = chunk_bytes(s);
	ssize_t n;

	s->error = s->fd < 0 ? open_file(s) : 0;
	for (done = 0; done < bytes && !s->error; done += n > 0 ? n : 0) {
		n = pwrite(s->fd, chunk + done, bytes - done, at + (off_t)done);
		if (n < 0 && errno != EINTR)
			s->error = -errno;
	}
	return s->error;
}

/*
 * Move the first chunk that is not needed soon to the file, and its memory to a new chunk: the same
 * few pages take all chunks, without a fault for each.
 */
static void *recycle(struct tape *s)
{
	size_t bytes = chunk_bytes(s);
	char *old = s->chunks[first_in_file(s) + s->in_file], *chunk;
	off_t at = (off_t)s->in_file * (off_t)bytes;

	if (write_chunk(s, old, at))
		return MAP_FAILED;
	chunk = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk == MAP_FAILED ||
	    mremap(old, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, chunk) == MAP_FAILED)
		return MAP_FAILED;
	s->in_file++;
	memset(chunk, 0, bytes);
	if (mmap(old, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, s->fd, at) ==
	    MAP_FAILED)
		s->error = -errno;
	return chunk;
}

static void *new_chunk(struct tape *s)
{
	void *chunk;

	if (s->chunk_count > first_in_file(s) + s->in_file + WARM)
		return recycle(s);
	chunk = mmap(NULL, chunk_bytes(s), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	/* There will be more: fewer faults are enough. */
	if (chunk != MAP_FAILED && s->chunk_count)
		madvise(chunk, chunk_bytes(s), MADV_HUGEPAGE);
	return chunk;
}

int tape_grow(struct tape *s)
{
	void *chunk;

	if (s->error)
		return s->error;
	if (array_grow(s->chunks, s->chunk_count))
		return s->error = -ENOMEM;
	chunk = new_chunk(s);
	if (chunk == MAP_FAILED)
		return s->error = s->error ? s->error : -ENOMEM;
	s->chunks[s->chunk_count++] = chunk;
	return s->error;
}

void tape_leave(const struct tape *s, uint64_t number)
{
	size_t chunk = number >> TAPE_BITS;

	if (chunk >= first_in_file(s) && chunk < first_in_file(s) + s->in_file)
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
