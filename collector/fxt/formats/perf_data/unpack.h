/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - the records that `perf record -z` compressed.
 *
 * In: the bodies of records COMPRESSED and COMPRESSED2. All of a file are one stream of zstd.
 * Out: records of the kernel. One may begin in a body and end in the next one.
 *
 * Must hold: memory is bounded, whatever the stream says.
 */
#ifndef FXT_FORMATS_PERF_DATA_UNPACK_H
#define FXT_FORMATS_PERF_DATA_UNPACK_H

#include "file.h"

/**
 * struct perf_unpack - begins as zeros
 * @zstd: ZSTD_DStream
 * @room: what was unpacked and not yet used
 * @bytes: number of bytes in @room
 */
struct perf_unpack {
	void *zstd;
	uint8_t *room;
	size_t bytes;
};

/**
 * perf_unpack_more() - unpack as much as there is room for
 * @u: state
 * @packed: what was unpacked of it is removed
 * @records: set to what is unpacked, which begins with a record; valid until the next call
 *
 * The caller uses all complete records and calls perf_unpack_used().
 *
 * Return: 1 if it has to be called again for @packed; 0 if not; -EBADMSG if the stream is
 * damaged; -ENOMEM.
 */
int perf_unpack_more(struct perf_unpack *u, struct perf_bytes *packed, struct perf_bytes *records);

/** perf_unpack_used() - remove the first @bytes */
void perf_unpack_used(struct perf_unpack *u, size_t bytes);

void perf_unpack_close(struct perf_unpack *u);

#endif /* FXT_FORMATS_PERF_DATA_UNPACK_H */
