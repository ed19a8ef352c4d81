// SPDX-License-Identifier: GPL-2.0-or-later
/* pack.c - see pack.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "liboutput/out.h"
#include "terminal/memory.h"
#include "pack.h"

#define ROOM_BYTES	(256U << 10)
#define FRAME_BYTES	(4U << 20)	/* readers decompress frames of this size in parallel */
#define GZIP_WINDOW	(15 + 16)	/* for zlib: the largest window, in gzip's format */
#define GZIP_MEMORY	8

struct pack {
	ZSTD_CCtx *zstd;	/* NULL unless this compression is used */
	size_t frame_bytes;	/* in the open frame of zstd */
	z_stream gzip;
	bool is_gzip;
	struct out out;
	char room[ROOM_BYTES];
};

static bool ends_with(const char *path, const char *ending)
{
	size_t length = strlen(path), n = strlen(ending);

	return length > n && !strcmp(path + length - n, ending);
}

static bool is_zstd(const char *path)
{
	return ends_with(path, ".zst") || ends_with(path, ".zstd");
}

static bool is_gzip(const char *path)
{
	return ends_with(path, ".gz");
}

bool pack_compresses(const char *path)
{
	return is_zstd(path) || is_gzip(path);
}

struct pack *pack_open(const char *path, int fd)
{
	struct pack *p = new_zero(struct pack);

	if (path && is_zstd(path)) {
		p->zstd = must(ZSTD_createCCtx());
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
	} else if (path && is_gzip(path)) {
		p->is_gzip = true;
		must_fit(deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
				      GZIP_MEMORY, Z_DEFAULT_STRATEGY));
	}
	out_open(&p->out, fd);
	return p;
}

static int put_zstd(struct pack *p, const void *data, size_t bytes, bool end)
{
	ZSTD_inBuffer in = { data, bytes, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { p->room, ROOM_BYTES, 0 };

		left = ZSTD_compressStream2(p->zstd, &out, &in,
					    end ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -ENOMEM;
		out_bytes(&p->out, p->room, out.pos);
	} while (!p->out.error && (end ? left : in.pos < in.size));
	return p->out.error;
}

static int write_zstd(struct pack *p, const void *data, size_t bytes)
{
	int ret = put_zstd(p, data, bytes, false);

	p->frame_bytes += bytes;
	if (ret || p->frame_bytes < FRAME_BYTES)
		return ret;
	p->frame_bytes = 0;
	return put_zstd(p, NULL, 0, true);
}

static int put_gzip(struct pack *p, const void *data, size_t bytes, bool end)
{
	p->gzip.next_in = (Bytef *)data;
	p->gzip.avail_in = bytes;
	do {
		p->gzip.next_out = (Bytef *)p->room;
		p->gzip.avail_out = ROOM_BYTES;
		deflate(&p->gzip, end ? Z_FINISH : Z_NO_FLUSH);
		out_bytes(&p->out, p->room, ROOM_BYTES - p->gzip.avail_out);
	} while (!p->out.error && !p->gzip.avail_out);
	return p->out.error;
}

int pack_write(void *arg, const void *data, size_t bytes)
{
	struct pack *p = arg;

	if (p->zstd)
		return write_zstd(p, data, bytes);
	if (p->is_gzip)
		return put_gzip(p, data, bytes, false);
	out_bytes(&p->out, data, bytes);
	return p->out.error;
}

int pack_close(struct pack *p)
{
	int ret = 0, closed;

	if (!p)
		return 0;
	if (p->zstd)
		ret = put_zstd(p, NULL, 0, true);
	else if (p->is_gzip)
		ret = put_gzip(p, NULL, 0, true);
	closed = out_close(&p->out);
	if (p->is_gzip)
		deflateEnd(&p->gzip);
	ZSTD_freeCCtx(p->zstd);
	free(p);
	return ret ? ret : closed;
}
