// SPDX-License-Identifier: GPL-2.0-or-later
/* stream.c - see receive.h: an incoming archive: decompression, and a look at its records. */
#include <byteswap.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "receive.h"

/* --- decompression ------------------------------------------------------------------ */

#define PIECE		(64U << 10)
/* 8 MiB: what fxt-collect needs, and the most that one sender can make this process allocate. */
#define WINDOW_LOG	23

int unpack_open(struct unpack *u, const unsigned char *magic)
{
	uint64_t word;

	memcpy(&word, magic, sizeof(word));
	if (word == FXT_MAGIC_RECORD || word == bswap_64(FXT_MAGIC_RECORD))
		return 0;
	switch (fxt_compression_of(magic, UNPACK_MAGIC)) {
	case FXT_GZIP:
		/* 15 bits of window, and 16 for the header of gzip. */
		if (inflateInit2(&u->gzip, 15 + 16) != Z_OK)
			return -ENOMEM;
		u->kind = FXT_GZIP;
		return 0;
	case FXT_ZSTD:
		u->zstd = ZSTD_createDStream();
		if (!u->zstd)
			return -ENOMEM;
		ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
		u->kind = FXT_ZSTD;
		return 0;
	default:
		return -EBADMSG;
	}
}

void unpack_close(struct unpack *u)
{
	if (u->kind == FXT_GZIP)
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
 * Output may remain when all input is taken. At the end of a frame, none remains, and a call
 * without input would begin the next frame.
 */
static int unzstd(struct unpack *u, const void *data, size_t *bytes, unpack_sink *sink, void *arg)
{
	unsigned char piece[PIECE];
	ZSTD_inBuffer in = { data, *bytes, 0 };
	ZSTD_outBuffer out;
	size_t left, made = 0;
	int ret = 0;

	do {
		out = (ZSTD_outBuffer){ piece, sizeof(piece), 0 };
		left = ZSTD_decompressStream(u->zstd, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		u->within = left;
		u->has_more = left && out.pos == out.size;
		made += out.pos;
		ret = out.pos ? sink(arg, piece, out.pos) : 0;
	} while (!ret && (in.pos < in.size || u->has_more) && made < UNPACK_TURN);
	*bytes -= in.pos;
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

static int gunzip(struct unpack *u, const void *data, size_t *bytes, unpack_sink *sink, void *arg)
{
	unsigned char piece[PIECE];
	size_t n, made = 0;
	int ret;

	u->gzip.next_in = (unsigned char *)data;
	u->gzip.avail_in = *bytes;
	do {
		u->gzip.next_out = piece;
		u->gzip.avail_out = sizeof(piece);
		ret = inflate_one(u);
		n = sizeof(piece) - u->gzip.avail_out;
		u->has_more = u->within && n == sizeof(piece);
		made += n;
		if (!ret && n)
			ret = sink(arg, piece, n);
	} while (!ret && (u->gzip.avail_in || u->has_more) && made < UNPACK_TURN);
	*bytes = u->gzip.avail_in;
	return ret;
}

int unpack_add(struct unpack *u, const void *data, size_t *bytes, unpack_sink *sink, void *arg)
{
	size_t all = *bytes;

	if (!all && !u->has_more)
		return 0;
	switch (u->kind) {
	case FXT_GZIP:
		return gunzip(u, data, bytes, sink, arg);
	case FXT_ZSTD:
		return unzstd(u, data, bytes, sink, arg);
	default:
		*bytes = 0;
		return sink(arg, data, all);
	}
}

/* --- records ------------------------------------------------------------------------ */

static uint64_t size_of(uint64_t header)
{
	uint64_t field = fxt_get(FXT_TYPE, header) == FXT_RECORD_LARGE ? FXT_LARGE_SIZE :
									 FXT_SIZE;

	return fxt_get(field, header) * FXT_WORD;
}

static int begin_record(struct records *r)
{
	uint64_t header = r->head[0], size;

	if (!r->valid) {
		r->swapped = header == bswap_64(FXT_MAGIC_RECORD);
		if (header != FXT_MAGIC_RECORD && !r->swapped)
			return -EBADMSG;
	}
	size = size_of(r->swapped ? bswap_64(header) : header);
	if (!size)
		return -EBADMSG;
	r->left = size - FXT_WORD;
	return 0;
}

/* A stream is open from its first ledger to its closing one. */
static void note_ledger(struct records *r)
{
	struct fxt_ledger l;
	uint64_t bit, *word;
	bool was_open;

	if (r->head_bytes < sizeof(r->head) || r->swapped || !fxt_sched_get_ledger(r->head, &l))
		return;
	word = &r->open[l.stream / 64];
	bit = 1ULL << l.stream % 64;
	was_open = *word & bit;
	if (l.kind == FXT_LEDGER_CLOSING) {
		r->has_closed = true;
		*word &= ~bit;
		r->open_count -= was_open;
	} else {
		*word |= bit;
		r->open_count += !was_open;
	}
}

/* The description of a recording comes before its ledgers. */
static void note_session(struct records *r)
{
	static const char key[] = "collector ";

	r->is_own |= fxt_get(FXT_TYPE, r->head[0]) == FXT_RECORD_BLOB &&
		     fxt_get(FXT_BLOB_NAME, r->head[0]) == FXT_STR_SESSION &&
		     r->head_bytes == sizeof(r->head) &&
		     !memcmp(&r->head[1], key, sizeof(key) - 1);
}

static void end_record(struct records *r)
{
	note_ledger(r);
	note_session(r);
	r->valid = r->offset;
	r->head_bytes = 0;
}

/* How many of the next bytes belong to the current header, or to the rest of the record. */
static size_t wanted(const struct records *r, size_t bytes)
{
	uint64_t most = r->head_bytes < FXT_WORD ? FXT_WORD - r->head_bytes : r->left;

	return bytes < most ? bytes : most;
}

static void keep_head(struct records *r, const unsigned char *data, size_t bytes)
{
	size_t room = sizeof(r->head) - r->head_bytes;

	if (bytes > room)
		bytes = room;
	memcpy((unsigned char *)r->head + r->head_bytes, data, bytes);
	r->head_bytes += bytes;
}

int records_add(struct records *r, const void *data, size_t bytes)
{
	const unsigned char *p = data;
	bool in_header;
	size_t n;

	while (bytes) {
		in_header = r->head_bytes < FXT_WORD;
		n = wanted(r, bytes);
		keep_head(r, p, n);
		p += n;
		bytes -= n;
		r->offset += n;
		if (!in_header)
			r->left -= n;
		else if (r->head_bytes == FXT_WORD && begin_record(r))
			return -EBADMSG;
		if (r->head_bytes >= FXT_WORD && !r->left)
			end_record(r);
	}
	return 0;
}

const char *records_complete(const struct records *r)
{
	if (!r->offset)
		return "no record came";
	if (r->valid != r->offset)
		return "it ends in the middle of a record";
	return r->open_count || (r->is_own && !r->has_closed) ? "its end is missing" : NULL;
}
