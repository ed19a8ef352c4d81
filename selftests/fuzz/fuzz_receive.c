// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer target: fxt receive; the last byte selects the length of the pieces in which bytes
 * come. Plain bytes yield the same result in one piece and in many; and an archive that the strict
 * reader reads to its end ends with a record.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "fxt-receive/receive.h"
#include "libfxt/fxt_reader.h"

/* More would only take the fuzzer's time. */
#define MOST		(4U << 20)

struct outcome {
	struct records records;
	struct unpack unpack;
	int ret;
};

static int take(void *arg, const void *data, size_t bytes)
{
	struct records *r = arg;
	int ret = records_add(r, data, bytes);

	assert(r->valid <= r->offset);
	return ret || r->offset <= MOST ? ret : -1;
}

static void receive(struct outcome *o, const uint8_t *data, size_t size, size_t step)
{
	size_t n, left;

	o->ret = unpack_open(&o->unpack, data);
	for (; !o->ret && size; data += n, size -= n) {
		left = n = size < step ? size : step;
		do
			o->ret = unpack_add(&o->unpack, data + n - left, &left, take, &o->records);
		while (!o->ret && (left || o->unpack.has_more));
	}
}

static bool reads_to_its_end(const uint8_t *data, size_t size)
{
	struct fxt_reader_options options = { .strict = true };
	struct fxt_reader *r = NULL;
	struct fxt_record rec;
	int ret = fxt_reader_open_memory(&r, data, size, &options);

	if (!ret)
		while ((ret = fxt_reader_next(r, &rec)) > 0)
			;
	fxt_reader_close(r);
	return !ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome *whole, *pieces;

	if (size <= UNPACK_MAGIC)
		return 0;
	size--;
	whole = calloc(1, sizeof(*whole));
	pieces = calloc(1, sizeof(*pieces));
	assert(whole && pieces);
	receive(whole, data, size, size);
	receive(pieces, data, size, 1 + data[size]);
	if (whole->unpack.kind == FXT_PLAIN) {
		assert(whole->ret == pieces->ret);
		assert(whole->records.valid == pieces->records.valid);
		assert(whole->records.open_count == pieces->records.open_count);
		assert(records_complete(&whole->records) == records_complete(&pieces->records));
		assert(!reads_to_its_end(data, size) ||
		       (!whole->ret && whole->records.valid == size));
	}
	unpack_close(&whole->unpack);
	unpack_close(&pieces->unpack);
	free(whole);
	free(pieces);
	return 0;
}
