// SPDX-License-Identifier: GPL-2.0-or-later
/* records.c - see records.h. */
#include <byteswap.h>
#include <errno.h>
#include <string.h>

#include "records.h"

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

	if (r->head_bytes < sizeof(r->head) || r->swapped ||
	    !fxt_sched_get_ledger(r->head, &l))
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

/* How many of the next bytes belong to what is being collected: the header, or the rest. */
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
