// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * zstd_frames.c - see zstd_frames.h.
 *
 * Threads take frames from the source in order, and each decompresses its frames completely. So a
 * thread has work for a millisecond or more, and what it leaves to the reader is the same as if it
 * were alone.
 *
 * A place belongs to one side at a time: to the thread that fills it, then to the reader. Either
 * side gives it away under the lock.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "zstd_frames.h"

#define PIECE		4096		/* a call that finds damage loses up to this much output */
#define READ_BYTES	(256U << 10)
#define PACKED_MOST	(4U << 20)	/* of one frame */
#define HUGE_PAGE	(2U << 20)
#define PLACE_BYTES	(3 * HUGE_PAGE)	/* a frame of fxt-collect has 4.5 MiB at most */
#define TOGETHER	(128U << 10)	/* small frames share a place, up to so many bytes of them */

#define THREADS_MOST	2U		/* with more, they would wait for the reader */
#define PLACES_MOST	(THREADS_MOST + 2)

struct place {
	ZSTD_DStream *zstd;
	unsigned char *packed;		/* frames, @packed_bytes of them */
	size_t packed_bytes;
	/* offset of @packed in the source; later, of the frame that does not fit, if any */
	uint64_t at;
	unsigned char *data;		/* @bytes of contents */
	size_t bytes;
	ssize_t error;			/* after the contents: 0, or -EBADMSG */
	bool is_last;			/* a frame after them does not fit */
	bool is_ready;			/* the reader may have it */
};

struct fxt_frames {
	fxt_source_fn read;
	void *source;
	/* bytes of the source from @used to @held; of the thread that has set @is_reading */
	unsigned char *input;
	size_t used;
	size_t held;
	uint64_t source_bytes;		/* read so far */
	bool has_ended;			/* the source has no more bytes */
	/* one for each thread, including the reader, and one that the reader empties */
	unsigned int place_count;
	unsigned int most_threads;	/* to create; @thread_count exist */
	unsigned int thread_count;
	pthread_t threads[THREADS_MOST];
	pthread_mutex_t lock;		/* protects what follows, except the contents of places */
	pthread_cond_t changed;		/* signaled with every change */
	bool is_reading;		/* a thread takes frames from the source */
	/* places taken so far; number N is places[N % @place_count] */
	uint64_t taken;
	uint64_t next;			/* number of the reader's place */
	bool is_over;			/* take no more frames */
	ssize_t error;			/* of the source; it comes after all places */
	size_t copied;	/* bytes that the reader has from its place; only the reader uses it */
	struct place places[PLACES_MOST];
};

ssize_t fxt_unzstd(ZSTD_DStream *zstd, ZSTD_inBuffer *in, void *to, size_t bytes, bool *within)
{
	ZSTD_outBuffer out = { to, bytes < PIECE ? bytes : PIECE, 0 };
	size_t ret = ZSTD_decompressStream(zstd, &out, in);

	if (ZSTD_isError(ret))
		return -EBADMSG;
	*within = ret;
	return out.pos;
}

/* --- from the source to a place --------------------------------------------------------- */

/* Return: 0, or a negative errno of the source. */
static ssize_t read_more(struct fxt_frames *f)
{
	size_t room = PACKED_MOST - (f->held - f->used);
	ssize_t n;

	memmove(f->input, f->input + f->used, f->held - f->used);
	f->held -= f->used;
	f->used = 0;
	n = f->read(f->source, f->input + f->held, room < READ_BYTES ? room : READ_BYTES);
	if (n < 0)
		return n;
	f->held += n;
	f->source_bytes += n;
	f->has_ended = !n;
	return 0;
}

/* Return: bytes of the next frame; 0 if it is incomplete or too large; a negative errno. */
static ssize_t next_frame(struct fxt_frames *f)
{
	ssize_t ret;
	size_t n;

	for (;;) {
		n = ZSTD_findFrameCompressedSize(f->input + f->used, f->held - f->used);
		if (!ZSTD_isError(n))
			return n;
		if (f->has_ended || f->held - f->used == PACKED_MOST)
			return 0;
		ret = read_more(f);
		if (ret)
			return ret;
	}
}

static bool make_room(struct place *p)
{
	if (p->data)
		return true;
	p->zstd = ZSTD_createDStream();
	p->packed = malloc(PACKED_MOST);
	p->data = aligned_alloc(HUGE_PAGE, PLACE_BYTES);
	if (!p->zstd || !p->packed || !p->data)
		return false;
	/* Without this, missing TLB entries take a tenth of the time. */
	madvise(p->data, PLACE_BYTES, MADV_HUGEPAGE);
	return true;
}

/* Take a frame, or several small ones. Return: as next_frame(); 0 without memory, too. */
static ssize_t copy_frames(struct fxt_frames *f, struct place *p)
{
	ssize_t n;

	if (!make_room(p))
		return 0;
	p->at = f->source_bytes - (f->held - f->used);
	p->packed_bytes = 0;
	do {
		n = next_frame(f);
		if (n <= 0 || (p->packed_bytes && p->packed_bytes + n > TOGETHER))
			break;
		memcpy(p->packed + p->packed_bytes, f->input + f->used, n);
		f->used += n;
		p->packed_bytes += n;
	} while (p->packed_bytes < TOGETHER);
	return p->packed_bytes ? (ssize_t)p->packed_bytes : n;
}

/* Find out what comes before damage, or before a frame that does not fit. */
static void unpack_in_steps(struct place *p)
{
	ZSTD_inBuffer in = { p->packed, p->packed_bytes, 0 };
	size_t used = 0, begin = 0;
	bool within = false;
	ssize_t n;

	ZSTD_initDStream(p->zstd);
	p->bytes = 0;
	while (within || in.pos < in.size) {
		if (used == PLACE_BYTES) {
			/* The reader gets what is before this frame. */
			p->is_last = true;
			p->at += begin;
			return;
		}
		n = fxt_unzstd(p->zstd, &in, p->data + used, PLACE_BYTES - used, &within);
		if (n < 0) {
			p->error = n;
			p->bytes = used;
			return;
		}
		used += n;
		if (!within) {
			p->bytes = used;
			begin = in.pos;
		}
	}
}

static void unpack(struct place *p)
{
	size_t n = ZSTD_decompressDCtx(p->zstd, p->data, PLACE_BYTES, p->packed, p->packed_bytes);

	p->error = 0;
	p->is_last = false;
	if (ZSTD_isError(n))
		unpack_in_steps(p);
	else
		p->bytes = n;
}

/* --- threads ---------------------------------------------------------------------------- */

static bool can_read(const struct fxt_frames *f)
{
	return !f->is_over && !f->is_reading && f->taken - f->next < f->place_count;
}

/* Context: the lock is held, and released meanwhile. */
static void fill_place(struct fxt_frames *f)
{
	struct place *p = &f->places[f->taken % f->place_count];
	ssize_t ret;

	f->is_reading = true;
	p->is_ready = false;
	pthread_mutex_unlock(&f->lock);
	ret = copy_frames(f, p);
	pthread_mutex_lock(&f->lock);
	f->is_reading = false;
	if (ret <= 0) {
		f->is_over = true;
		f->error = ret;
	} else {
		f->taken++;
	}
	pthread_cond_broadcast(&f->changed);
	if (ret <= 0)
		return;
	pthread_mutex_unlock(&f->lock);
	unpack(p);
	pthread_mutex_lock(&f->lock);
	p->is_ready = true;
	pthread_cond_broadcast(&f->changed);
}

static void *run(void *arg)
{
	struct fxt_frames *f = arg;

	pthread_mutex_lock(&f->lock);
	while (!f->is_over) {
		if (can_read(f))
			fill_place(f);
		else
			pthread_cond_wait(&f->changed, &f->lock);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

static void start_threads(struct fxt_frames *f)
{
	while (f->thread_count < f->most_threads &&
	       !pthread_create(&f->threads[f->thread_count], NULL, run, f))
		f->thread_count++;
	f->most_threads = f->thread_count;
}

struct fxt_frames *fxt_frames_open(fxt_source_fn read, void *source, unsigned int threads)
{
	struct fxt_frames *f = calloc(1, sizeof(*f));

	if (f)
		f->input = malloc(PACKED_MOST);
	if (!f || !f->input) {
		free(f);
		return NULL;
	}
	f->read = read;
	f->source = source;
	f->most_threads = threads < THREADS_MOST ? threads : THREADS_MOST;
	f->place_count = f->most_threads + 2;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	return f;
}

/* Bytes of the source that were read, but belong to no place before the next one. */
static size_t unread(const struct fxt_frames *f)
{
	if (f->taken == f->next)
		return f->held - f->used;
	return f->source_bytes - f->places[f->next % f->place_count].at;
}

size_t fxt_frames_close(struct fxt_frames *f)
{
	size_t left;
	unsigned int i;

	pthread_mutex_lock(&f->lock);
	f->is_over = true;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	for (i = 0; i < f->thread_count; i++)
		pthread_join(f->threads[i], NULL);
	left = unread(f);
	for (i = 0; i < f->place_count; i++) {
		ZSTD_freeDStream(f->places[i].zstd);
		free(f->places[i].packed);
		free(f->places[i].data);
	}
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f->input);
	free(f);
	return left;
}

/* --- the reader ------------------------------------------------------------------------- */

/* Return: the next place; NULL if there is none. */
static struct place *wait_for_place(struct fxt_frames *f)
{
	struct place *p = &f->places[f->next % f->place_count];

	pthread_mutex_lock(&f->lock);
	while (f->taken == f->next ? !f->is_over : !p->is_ready) {
		if (can_read(f))
			fill_place(f);
		else
			pthread_cond_wait(&f->changed, &f->lock);
	}
	if (f->taken == f->next)
		p = NULL;
	pthread_mutex_unlock(&f->lock);
	return p;
}

static void give_place_back(struct fxt_frames *f)
{
	f->copied = 0;
	pthread_mutex_lock(&f->lock);
	f->next++;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

ssize_t fxt_frames_read(struct fxt_frames *f, void *to, size_t bytes)
{
	struct place *p;
	size_t left;

	for (;;) {
		p = wait_for_place(f);
		if (!p)
			return f->error;
		left = p->bytes - f->copied;
		if (left)
			break;
		if (p->error || p->is_last)
			return p->error;
		give_place_back(f);
	}
	bytes = bytes < left ? bytes : left;
	memcpy(to, p->data + f->copied, bytes);
	f->copied += bytes;
	if (f->thread_count < f->most_threads)
		start_threads(f);
	return bytes;
}
