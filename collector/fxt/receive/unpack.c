// SPDX-License-Identifier: GPL-2.0-or-later
/* unpack.c - see unpack.h. */
#include <byteswap.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "unpack.h"

#define PIECE		(64U << 10)
/* 8 MiB: all that a sender uses; what one sender can make this process allocate. */
#define WINDOW_LOG	23

int unpack_open(struct unpack *u, const unsigned char *magic)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint64_t word;

	memcpy(&word, magic, sizeof(word));
	if (word == FXT_MAGIC_RECORD || word == bswap_64(FXT_MAGIC_RECORD))
		return 0;
	if (!memcmp(magic, gzip, sizeof(gzip))) {
		/* 15 bits of window, and 16 for the header of gzip. */
		if (inflateInit2(&u->gzip, 15 + 16) != Z_OK)
			return -ENOMEM;
		u->kind = UNPACK_GZIP;
		return 0;
	}
	if (memcmp(magic, zstd, sizeof(zstd)))
		return -EBADMSG;
	u->zstd = ZSTD_createDStream();
	if (!u->zstd)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
	u->kind = UNPACK_ZSTD;
	return 0;
}

void unpack_close(struct unpack *u)
{
	if (u->kind == UNPACK_GZIP)
		inflateEnd(&u->gzip);
	ZSTD_freeDStream(u->zstd);
	*u = (struct unpack){ 0 };
}

const char *unpack_extension(const struct unpack *u)
{
	static const char *const extensions[] = { ".fxt", ".fxt.gz", ".fxt.zst" };

	return extensions[u->kind];
}

/*
 * Output may remain when all input is taken. At the end of a frame none does, and a call
 * without input would begin the next one.
 */
static int unzstd(struct unpack *u, const void *data, size_t bytes, unpack_sink *sink,
		  void *arg)
{
	unsigned char piece[PIECE];
	ZSTD_inBuffer in = { data, bytes, 0 };
	ZSTD_outBuffer out;
	size_t left;
	int ret = 0;

	do {
		out = (ZSTD_outBuffer){ piece, sizeof(piece), 0 };
		left = ZSTD_decompressStream(u->zstd, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		u->within = left;
		ret = out.pos ? sink(arg, piece, out.pos) : 0;
	} while (!ret && (in.pos < in.size || (u->within && out.pos == out.size)));
	return ret;
}

static int inflate_one(struct unpack *u)
{
	int ret = inflate(&u->gzip, Z_NO_FLUSH);

	if (ret == Z_MEM_ERROR)
		return -ENOMEM;
	if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR)
		return -EBADMSG;
	u->within = ret != Z_STREAM_END;
	return ret == Z_STREAM_END && inflateReset(&u->gzip) != Z_OK ? -ENOMEM : 0;
}

static int gunzip(struct unpack *u, const void *data, size_t bytes, unpack_sink *sink,
		  void *arg)
{
	unsigned char piece[PIECE];
	size_t n;
	int ret;

	u->gzip.next_in = (unsigned char *)data;
	u->gzip.avail_in = bytes;
	do {
		u->gzip.next_out = piece;
		u->gzip.avail_out = sizeof(piece);
		ret = inflate_one(u);
		n = sizeof(piece) - u->gzip.avail_out;
		if (!ret && n)
			ret = sink(arg, piece, n);
	} while (!ret && (u->gzip.avail_in || (u->within && n == sizeof(piece))));
	return ret;
}

int unpack_add(struct unpack *u, const void *data, size_t bytes, unpack_sink *sink,
	       void *arg)
{
	if (!bytes)
		return 0;
	switch (u->kind) {
	case UNPACK_GZIP:
		return gunzip(u, data, bytes, sink, arg);
	case UNPACK_ZSTD:
		return unzstd(u, data, bytes, sink, arg);
	default:
		return sink(arg, data, bytes);
	}
}
