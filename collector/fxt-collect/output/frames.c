// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames.c - an archive as a sequence of compressed frames.
 *
 * In: bytes and boundaries of chunks. Out: frames of zstd or members of gzip, which any
 * decompressor reads as one stream. Invariants: each frame but the last ends at a chunk
 * boundary, and bytes older than FLUSH_NS can be read from the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frames.h"

/*
 * A frame cannot refer to data before it, so larger frames compress better. But the
 * archive can only be cut between frames, so size and duration are limited. The first
 * frames are smaller: a cut must not discard a whole short archive.
 */
#define FRAME_BYTES	(4U << 20)
#define FRAME_LEAST	(64U << 10)
#define FRAME_SHARE	4	/* of the archive so far */
#define FRAME_NS	2000000000ULL
/* Each flush costs some bytes. */
#define FLUSH_NS	500000000ULL

#define ROOM_BYTES	(256U << 10)

/*
 * Measured on records of 48 bytes: without match.h, higher levels of zstd gain a few
 * percent for half as much time again, and a minimal match of 4 bytes finds repetitions
 * that the default of 5 or more misses. For gzip, level 1 is a fourth larger, and levels
 * from 3 on cost more than they gain.
 */
#define ZSTD_LEVEL	1
#define ZSTD_MATCH	4
#define GZIP_LEVEL	2

#define GZIP_WINDOW	(15 + 16)	/* largest window, in gzip's format */
#define GZIP_MEMORY	8

enum how {
	MORE,
	FLUSH,
	END,
};

uint64_t output_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* --- the two libraries ------------------------------------------------------------ */

static int open_zstd(struct output_frames *f, int level)
{
	size_t ret;

	if (level < 0 || level > 19)
		return -EINVAL;
	f->zstd = ZSTD_createCCtx();
	if (!f->zstd)
		return -ENOMEM;
	ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel,
				     level ? level : ZSTD_LEVEL);
	/* With an explicit level, zstd finds matches itself. */
	if (!ZSTD_isError(ret) && !level) {
		f->match = malloc(sizeof(*f->match));
		if (!f->match)
			return -ENOMEM;
		if (!output_match_use(f->zstd, f->match))
			ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_minMatch, ZSTD_MATCH);
	}
	if (!ZSTD_isError(ret))
		ret = ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_checksumFlag, 1);
	return ZSTD_isError(ret) ? -EINVAL : 0;
}

static int open_gzip(struct output_frames *f, int level)
{
	switch (deflateInit2(&f->gzip, level ? level : GZIP_LEVEL, Z_DEFLATED,
			     GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY)) {
	case Z_OK:
		return 0;
	case Z_MEM_ERROR:
		return -ENOMEM;
	}
	return -EINVAL;
}

static int run_zstd(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	static const ZSTD_EndDirective directives[] = {
		[MORE] = ZSTD_e_continue, [FLUSH] = ZSTD_e_flush, [END] = ZSTD_e_end,
	};
	ZSTD_inBuffer in = { data, bytes, 0 };
	size_t left;
	int ret;

	do {
		ZSTD_outBuffer out = { f->room, ROOM_BYTES, 0 };

		left = ZSTD_compressStream2(f->zstd, &out, &in, directives[how]);
		if (ZSTD_isError(left))
			return -ENOMEM;
		ret = output_file_write(f->file, f->room, out.pos);
		if (ret)
			return ret;
	} while (how == MORE ? in.pos < in.size : left);
	return 0;
}

static int run_gzip(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	static const int flushes[] = {
		[MORE] = Z_NO_FLUSH, [FLUSH] = Z_SYNC_FLUSH, [END] = Z_FINISH,
	};
	int ret;

	f->gzip.next_in = (Bytef *)data;
	f->gzip.avail_in = bytes;
	do {
		f->gzip.next_out = f->room;
		f->gzip.avail_out = ROOM_BYTES;
		deflate(&f->gzip, flushes[how]);
		ret = output_file_write(f->file, f->room, ROOM_BYTES - f->gzip.avail_out);
		if (ret)
			return ret;
	} while (!f->gzip.avail_out);
	return how == END && deflateReset(&f->gzip) != Z_OK ? -EINVAL : 0;
}

static int run(struct output_frames *f, const void *data, size_t bytes, enum how how)
{
	return f->compression == COMPRESSION_ZSTD ? run_zstd(f, data, bytes, how) :
						    run_gzip(f, data, bytes, how);
}

int output_frames_open(struct output_frames *f, enum compression compression, int level)
{
	int ret;

	memset(f, 0, sizeof(*f));
	f->compression = compression;
	f->room = malloc(ROOM_BYTES);
	if (!f->room)
		return -ENOMEM;
	ret = compression == COMPRESSION_ZSTD ? open_zstd(f, level) : open_gzip(f, level);
	if (ret)
		output_frames_close(f);
	return ret;
}

void output_frames_close(struct output_frames *f)
{
	ZSTD_freeCCtx(f->zstd);
	/* No effect if deflateInit2() was not called. */
	deflateEnd(&f->gzip);
	free(f->match);
	free(f->room);
}

/* --- frames ------------------------------------------------------------------------ */

static int bring_up_to_date(struct output_frames *f, enum how how)
{
	int ret = run(f, NULL, 0, how);

	if (ret)
		return ret;
	__atomic_store_n(&f->flushed, f->archive, __ATOMIC_RELAXED);
	f->flushed_at = output_now();
	return 0;
}

int output_frames_write(struct output_frames *f, const void *data, size_t bytes)
{
	if (!bytes)
		return 0;
	if (!f->held)
		f->began = output_now();
	f->held += bytes;
	f->archive += bytes;
	f->at_boundary = false;
	return run(f, data, bytes, MORE);
}

int output_frames_boundary(struct output_frames *f)
{
	f->at_boundary = true;
	return output_frames_tend(f);
}

static void begin_frame(struct output_frames *f)
{
	if (f->match)
		output_match_begin(f->match);
}

int output_frames_end(struct output_frames *f)
{
	int ret;

	if (!f->held)
		return 0;
	ret = bring_up_to_date(f, END);
	if (ret)
		return ret;
	f->held = 0;
	begin_frame(f);
	if (f->at_boundary)
		output_marks_add(f->marks, f->archive, f->file->bytes);
	return 0;
}

static bool is_large(const struct output_frames *f)
{
	return f->held >= FRAME_BYTES ||
	       (f->held >= FRAME_LEAST && f->held >= f->archive / FRAME_SHARE);
}

int output_frames_tend(struct output_frames *f)
{
	uint64_t now;

	if (!f->held || !f->at_boundary)
		return 0;
	now = output_now();
	if (is_large(f) || now - f->began >= FRAME_NS)
		return output_frames_end(f);
	if (f->flushed == f->archive)
		return 0;
	/* The reader of a pipe waits for the data. */
	if (!f->file->file.regular || now - f->flushed_at >= FLUSH_NS)
		return bring_up_to_date(f, FLUSH);
	return 0;
}

uint64_t output_frames_due(const struct output_frames *f)
{
	uint64_t end = f->began + FRAME_NS, flush = f->flushed_at + FLUSH_NS;

	if (!f->held || !f->at_boundary)
		return UINT64_MAX;
	return f->flushed != f->archive && flush < end ? flush : end;
}

void output_frames_restart(struct output_frames *f, uint64_t archive)
{
	if (f->compression == COMPRESSION_ZSTD)
		ZSTD_CCtx_reset(f->zstd, ZSTD_reset_session_only);
	else
		deflateReset(&f->gzip);
	begin_frame(f);
	f->archive = archive;
	f->flushed = archive;
	f->held = 0;
	f->at_boundary = true;
}
