// SPDX-License-Identifier: GPL-2.0-or-later
/* unpack.c - see unpack.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "unpack.h"

#define ROOM_BYTES	(256U << 10)	/* several of the longest records, which are of 64 KB */

static int open_unpack(struct perf_unpack *u)
{
	u->room = malloc(ROOM_BYTES);
	u->zstd = u->room ? ZSTD_createDStream() : NULL;
	return u->zstd ? 0 : -ENOMEM;
}

int perf_unpack_more(struct perf_unpack *u, struct perf_bytes *packed, struct perf_bytes *records)
{
	ZSTD_inBuffer in = { packed->data, packed->size, 0 };
	ZSTD_outBuffer out = { NULL, ROOM_BYTES, u->bytes };
	size_t ret;

	if (!u->zstd && open_unpack(u))
		return -ENOMEM;
	out.dst = u->room;
	ret = ZSTD_decompressStream(u->zstd, &out, &in);
	if (ZSTD_isError(ret))
		return ZSTD_getErrorCode(ret) == ZSTD_error_memory_allocation ? -ENOMEM : -EBADMSG;
	u->bytes = out.pos;
	*packed = (struct perf_bytes){ packed->data + in.pos, packed->size - in.pos };
	*records = (struct perf_bytes){ u->room, u->bytes };
	/* If the room is full, zstd may hold back more. */
	return packed->size || out.pos == out.size;
}

void perf_unpack_used(struct perf_unpack *u, size_t bytes)
{
	u->bytes -= bytes;
	memmove(u->room, u->room + bytes, u->bytes);
}

void perf_unpack_close(struct perf_unpack *u)
{
	ZSTD_freeDStream(u->zstd);
	free(u->room);
}
