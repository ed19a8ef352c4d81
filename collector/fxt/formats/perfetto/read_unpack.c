// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read_unpack.c - the compressed packets of a trace of Perfetto. See trace.h.
 *
 * A compressed packet contains whole packets, compressed with zlib or zstd.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "libperfetto/wire.h"
#include "terminal/memory.h"
#include "trace.h"

#define PACKET_ZLIB	50
#define PACKET_ZSTD	133

#define CHUNK		(64U << 10)
/* Perfetto compresses packets of up to 1 MiB, to about a tenth. */
#define PACKET_MOST	(4U << 20)
#define UNPACKED_MOST	(64U << 20)	/* plus RATIO_MOST times the size of the file */
#define RATIO_MOST	64U

struct unpack {
	int fd;
	int error;	/* of writing */
	size_t used;
	uint8_t out[CHUNK];
};

static void flush(struct unpack *u)
{
	size_t done = 0;
	ssize_t n;

	while (!u->error && done < u->used) {
		n = write(u->fd, u->out + done, u->used - done);
		if (n < 0 && errno != EINTR)
			u->error = -errno;
		done += n > 0 ? n : 0;
	}
	u->used = 0;
}

static void put(struct unpack *u, const uint8_t *data, size_t bytes)
{
	size_t n;

	for (; bytes && !u->error; data += n, bytes -= n) {
		n = bytes < CHUNK - u->used ? bytes : CHUNK - u->used;
		memcpy(u->out + u->used, data, n);
		u->used += n;
		if (u->used == CHUNK)
			flush(u);
	}
}

/*
 * Unpack to memory, so that nothing of a damaged packet is written. Returns NULL if it is damaged.
 */
static uint8_t *inflate_packet(struct wire packed, size_t *bytes)
{
	z_stream z = { .next_in = (Bytef *)packed.at, .avail_in = wire_bytes(&packed) };
	uint8_t *all = NULL;
	size_t room = 0;
	int ret = inflateInit(&z);

	for (*bytes = 0; ret == Z_OK && *bytes < PACKET_MOST; *bytes = z.total_out) {
		array_hold(all, room, *bytes + CHUNK);
		z.next_out = all + *bytes;
		z.avail_out = CHUNK;
		ret = inflate(&z, Z_NO_FLUSH);
	}
	inflateEnd(&z);
	if (ret == Z_STREAM_END)
		return all;
	free(all);
	return NULL;
}

static uint8_t *unzstd_packet(struct wire packed, size_t *bytes)
{
	ZSTD_inBuffer in = { packed.at, wire_bytes(&packed), 0 };
	ZSTD_DStream *z = must(ZSTD_createDStream());
	ZSTD_outBuffer out = { 0 };
	uint8_t *all = NULL;
	size_t room = 0, ret = 1;

	for (*bytes = 0; ret && !ZSTD_isError(ret) && *bytes < PACKET_MOST; *bytes = out.pos) {
		array_hold(all, room, *bytes + CHUNK);
		out = (ZSTD_outBuffer){ all, *bytes + CHUNK, *bytes };
		ret = ZSTD_decompressStream(z, &out, &in);
		if (ret && in.pos == in.size && out.pos < out.size)
			break;
	}
	*bytes = out.pos;
	ZSTD_freeDStream(z);
	if (!ret)
		return all;
	free(all);
	return NULL;
}

/* Returns the compressed field of a packet, or 0. */
static uint32_t find_packed(struct wire packet, struct wire *packed)
{
	struct wire_field f;

	while (wire_next(&packet, &f)) {
		if (f.type == WIRE_BYTES && (f.number == PACKET_ZLIB || f.number == PACKET_ZSTD)) {
			*packed = f.bytes;
			return f.number;
		}
	}
	return 0;
}

static bool has_packed(struct wire all)
{
	struct wire_field f;
	struct wire packed;

	while (wire_next(&all, &f))
		if (f.type == WIRE_BYTES && find_packed(f.bytes, &packed))
			return true;
	return false;
}

int read_unpack(struct wire all, int fd, struct read_unpacked *result)
{
	uint64_t room = UNPACKED_MOST + (uint64_t)RATIO_MOST * wire_bytes(&all);
	const uint8_t *begin = all.at;
	struct unpack *u;
	struct wire_field f;
	const uint8_t *at;
	uint8_t *plain;
	size_t bytes;
	int ret;

	if (!has_packed(all))
		return 0;
	u = new_zero(struct unpack);
	u->fd = fd;
	for (at = all.at; !u->error && wire_next(&all, &f); at = all.at) {
		struct wire packed;
		uint32_t how = f.type == WIRE_BYTES ? find_packed(f.bytes, &packed) : 0;

		if (!how) {
			put(u, at, all.at - at);
			continue;
		}
		plain = how == PACKET_ZLIB ? inflate_packet(packed, &bytes) : unzstd_packet(packed, &bytes);
		if (plain && bytes <= room) {
			put(u, plain, bytes);
			room -= bytes;
		} else if (!result->damaged++) {
			result->first = at - begin;
		}
		free(plain);
	}
	/* Damage is reported when the result is read. */
	put(u, all.at, wire_bytes(&all));
	flush(u);
	ret = u->error ? u->error : 1;
	free(u);
	return ret;
}
