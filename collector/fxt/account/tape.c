// SPDX-License-Identifier: GPL-2.0-or-later
/* tape.c - see tape.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tape.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/progress.h"

#define PORTION_BITS	10		/* logarithm of the records that memory grows by */
#define WARM		2		/* chunks before the newest that may still be written */

void tape_open(struct tape *s, size_t size, size_t kept)
{
	*s = (struct tape){ .size = size, .kept = kept, .fd = -1 };
}

static size_t chunk_bytes(const struct tape *s)
{
	return s->size << TAPE_BITS;
}

static size_t first_in_file(const struct tape *s)
{
	return s->kept / chunk_bytes(s) + 1;
}

static void no_room(int error)
{
	progress_interrupt();
	message("fxt: %scannot keep what its threads did: %s; check memory, and the free space in $TMPDIR, or /tmp\n",
		memory_subject(), strerror(error));
	exit(VERB_UNWRITABLE);
}

static void open_file(struct tape *s)
{
	const char *dir = getenv("TMPDIR");

	dir = dir && *dir ? dir : "/tmp";
	s->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (s->fd < 0)
		no_room(errno);
}

/* A full disk is an error now, not SIGBUS later. */
static void write_chunk(struct tape *s, const char *chunk, off_t at)
{
	size_t done, bytes = chunk_bytes(s);
	ssize_t n;

	if (s->fd < 0)
		open_file(s);
	for (done = 0; done < bytes; done += n > 0 ? n : 0) {
		n = pwrite(s->fd, chunk + done, bytes - done, at + (off_t)done);
		if (n < 0 && errno != EINTR)
			no_room(errno);
	}
}

static void *map_chunk(const struct tape *s, void *at, int prot, int flags, off_t offset)
{
	void *chunk = mmap(at, chunk_bytes(s), prot, flags, flags & MAP_ANONYMOUS ? -1 : s->fd,
			   offset);

	if (chunk == MAP_FAILED)
		no_room(errno);
	return chunk;
}

/*
 * Move the first chunk that is not needed soon to the file, and give its memory to a new chunk:
 * without page faults, the same few pages hold one chunk after the other.
 */
static void *recycle(struct tape *s)
{
	size_t bytes = chunk_bytes(s);
	char *old = s->chunks[first_in_file(s) + s->in_file], *chunk;
	off_t at = (off_t)s->in_file * (off_t)bytes;

	write_chunk(s, old, at);
	chunk = map_chunk(s, NULL, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (mremap(old, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, chunk) == MAP_FAILED)
		no_room(errno);
	s->in_file++;
	memset(chunk, 0, bytes);
	map_chunk(s, old, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, at);
	return chunk;
}

/* Small pages: the kernel clears huge ones more slowly than it takes all faults. */
static void *new_chunk(struct tape *s)
{
	if (s->chunk_count > first_in_file(s) + s->in_file + WARM)
		return recycle(s);
	return map_chunk(s, NULL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
}

static void add_chunk(struct tape *s)
{
	/* Users keep numbers in 32 bits. */
	if (s->count >> TAPE_BITS >= (uint64_t)UINT32_MAX >> TAPE_BITS)
		no_room(EOVERFLOW);
	array_more(s->chunks, s->chunk_count);
	s->chunks[s->chunk_count] = new_chunk(s);
	s->chunk_count++;
}

/* Making many pages at once takes half the time of single faults. */
void tape_grow(struct tape *s)
{
	if (s->count >> TAPE_BITS >= s->chunk_count)
		add_chunk(s);
#ifdef MADV_POPULATE_WRITE
	madvise(tape_at(s, s->count), s->size << PORTION_BITS, MADV_POPULATE_WRITE);
#endif
	s->room += 1U << PORTION_BITS;
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
