// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream.c - see stream.h.
 *
 * Plain files are read, not mapped: copying costs little compared with the page faults of
 * a mapping, memory stays bounded, pipes work the same way, and a file that shrinks
 * meanwhile ends early instead of killing the reader with SIGBUS.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "stream.h"

#define INPUT_BYTES	(128U << 10)	/* compressed data read at once */
#define ZSTD_PIECE	4096		/* output that is lost with a call that finds damage */

enum compression { PLAIN, GZIP, ZSTD };

struct fxt_stream {
	enum compression compression;
	int fd;
	const unsigned char *memory;	/* when fd is -1 */
	size_t left;			/* bytes at memory */
	uint64_t size;			/* decompressed, or FXT_SIZE_UNKNOWN */
	uint64_t source_size;		/* 0 if unknown */
	uint64_t taken;			/* bytes read from the source */
	const char *error;
	bool ended;			/* the source has no more bytes */
	bool within;			/* a member or frame is incomplete */
	z_stream gzip;
	ZSTD_DStream *zstd;
	size_t used;			/* bytes of input consumed */
	size_t held;			/* bytes of input in total */
	unsigned char input[INPUT_BYTES];
};

/* Read as many bytes as the source has available. */
static ssize_t read_source(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n;

	if (s->fd < 0) {
		n = bytes < s->left ? bytes : s->left;
		if (!n)
			return 0;
		memcpy(to, s->memory, n);
		s->memory += n;
		s->left -= n;
		s->taken += n;
		return n;
	}
	do {
		n = read(s->fd, to, bytes);
	} while (n < 0 && errno == EINTR);
	s->taken += n > 0 ? n : 0;
	return n < 0 ? -errno : n;
}

/* Read more input after the bytes that are not consumed yet. Sets ended at the end. */
static int refill(struct fxt_stream *s)
{
	ssize_t n;

	memmove(s->input, s->input + s->used, s->held - s->used);
	s->held -= s->used;
	s->used = 0;
	n = read_source(s, s->input + s->held, INPUT_BYTES - s->held);
	if (n < 0)
		return n;
	s->held += n;
	s->ended = !n;
	return 0;
}

static int begin_compression(struct fxt_stream *s)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };
	static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (s->held >= sizeof(gzip) && !memcmp(s->input, gzip, sizeof(gzip))) {
		/* 15 bits of window, and 16 for the header of gzip. */
		if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
			return -ENOMEM;
		s->compression = GZIP;
	} else if (s->held >= sizeof(zstd) && !memcmp(s->input, zstd, sizeof(zstd))) {
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return -ENOMEM;
		s->compression = ZSTD;
	}
	return 0;
}

static void note_size(struct fxt_stream *s, size_t bytes)
{
	struct stat st;
	off_t at;

	s->size = FXT_SIZE_UNKNOWN;
	if (s->fd < 0) {
		s->size = bytes;
		return;
	}
	at = lseek(s->fd, 0, SEEK_CUR);
	if (at >= 0 && !fstat(s->fd, &st) && S_ISREG(st.st_mode) && st.st_size >= at)
		s->size = st.st_size - at;
}

int fxt_stream_open(struct fxt_stream **out, int fd, const void *data, size_t bytes)
{
	struct fxt_stream *s = calloc(1, sizeof(*s));
	int ret = 0;

	*out = s;
	if (!s)
		return -ENOMEM;
	s->fd = fd;
	s->memory = data;
	s->left = bytes;
	note_size(s, bytes);
	s->source_size = s->size == FXT_SIZE_UNKNOWN ? 0 : s->size;
	/* A pipe may return the magic number byte by byte. */
	while (!ret && !s->ended && s->held < sizeof(uint64_t))
		ret = refill(s);
	if (!ret)
		ret = begin_compression(s);
	if (s->compression != PLAIN)
		s->size = FXT_SIZE_UNKNOWN;
	if (ret) {
		fxt_stream_close(s);
		*out = NULL;
	}
	return ret;
}

void fxt_stream_close(struct fxt_stream *s)
{
	if (!s)
		return;
	if (s->compression == GZIP)
		inflateEnd(&s->gzip);
	ZSTD_freeDStream(s->zstd);
	free(s);
}

static ssize_t bad(struct fxt_stream *s, const char *error)
{
	s->error = error;
	return -EBADMSG;
}

/* One step of decompression. Sets within while more input must follow. */
static ssize_t inflate_some(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n;
	int ret;

	s->gzip.next_in = s->input + s->used;
	s->gzip.avail_in = s->held - s->used;
	s->gzip.next_out = to;
	s->gzip.avail_out = bytes;
	ret = inflate(&s->gzip, Z_NO_FLUSH);
	s->used = s->held - s->gzip.avail_in;
	s->within = ret != Z_STREAM_END;
	if (ret == Z_STREAM_END && inflateReset(&s->gzip) != Z_OK)
		return bad(s, "cannot reset gzip");
	if (ret == Z_MEM_ERROR)
		return -ENOMEM;
	n = bytes - s->gzip.avail_out;
	if (ret == Z_OK || ret == Z_STREAM_END || ret == Z_BUF_ERROR)
		return n;
	/* Return the output before the damage first, and the error with the next call. */
	ret = bad(s, "gzip data are damaged");
	return n ? n : ret;
}

static ssize_t unzstd_some(struct fxt_stream *s, void *to, size_t bytes)
{
	ZSTD_inBuffer in = { s->input + s->used, s->held - s->used, 0 };
	ZSTD_outBuffer out = { to, bytes < ZSTD_PIECE ? bytes : ZSTD_PIECE, 0 };
	size_t ret = ZSTD_decompressStream(s->zstd, &out, &in);

	s->used += in.pos;
	if (ZSTD_isError(ret))
		return bad(s, "zstd data are damaged");
	s->within = ret;
	return out.pos;
}

static ssize_t decompress(struct fxt_stream *s, void *to, size_t bytes)
{
	ssize_t n;
	int ret;

	for (;;) {
		if (s->used == s->held) {
			ret = s->ended ? 0 : refill(s);
			if (ret)
				return ret;
		}
		if (s->used == s->held && !s->within)
			return 0;
		n = s->compression == GZIP ? inflate_some(s, to, bytes) :
					     unzstd_some(s, to, bytes);
		if (n)
			return n;
		/* There is neither output nor more input. */
		if (s->ended && s->used == s->held && s->within)
			return bad(s, s->compression == GZIP ? "gzip data are truncated" :
							       "zstd data are truncated");
	}
}

ssize_t fxt_stream_read(struct fxt_stream *s, void *to, size_t bytes)
{
	size_t held = s->held - s->used;

	if (s->compression != PLAIN)
		return s->error ? -EBADMSG : decompress(s, to, bytes);
	if (!held)
		return s->ended ? 0 : read_source(s, to, bytes);
	if (bytes > held)
		bytes = held;
	memcpy(to, s->input + s->used, bytes);
	s->used += bytes;
	return bytes;
}

uint64_t fxt_stream_size(const struct fxt_stream *s)
{
	return s->size;
}

uint64_t fxt_stream_source(const struct fxt_stream *s, uint64_t *size)
{
	*size = s->source_size;
	return s->taken;
}

const char *fxt_stream_compression(const struct fxt_stream *s)
{
	static const char *const names[] = { "none", "gzip", "zstd" };

	return names[s->compression];
}

const char *fxt_stream_error(const struct fxt_stream *s)
{
	return s->error;
}
