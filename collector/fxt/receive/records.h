/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records.h - follow the records of an archive that comes piece by piece.
 *
 * In: the bytes of an archive, plain, in pieces of any length.
 * Out: where its last whole record ends, and whether it is complete.
 *
 * The library's reader asks for bytes and waits for them; a receiver of many archives
 * cannot. This needs the sizes of records and the ledgers only, and no memory that grows.
 */
#ifndef FXT_RECEIVE_RECORDS_H
#define FXT_RECEIVE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#define RECORDS_STREAMS	(FXT_LEDGER_STREAM_NAMES + 1)

/**
 * struct records - an archive so far; begins as zero
 * @offset: bytes so far
 * @valid: bytes up to the end of the last whole record
 * @left: bytes of the current record that are to come; 0 between records and while its
 *	header is incomplete
 * @head: the first words of the current record
 * @head_bytes: how many bytes of them have come
 * @swapped: the archive has the other byte order
 * @is_own: fxt-collect has made it, so it ends with closing ledgers
 * @has_closed: a stream has ended
 * @open: a bit for each stream that has begun and not ended
 * @open_count: number of those
 */
struct records {
	uint64_t offset;
	uint64_t valid;
	uint64_t left;
	__u64 head[FXT_LEDGER_WORDS];
	size_t head_bytes;
	bool swapped;
	bool is_own;
	bool has_closed;
	uint64_t open[RECORDS_STREAMS / 64];
	unsigned int open_count;
};

/**
 * records_add() - take the next piece
 * @r: the archive
 * @data: the piece
 * @bytes: its length
 *
 * Return: 0, or -EBADMSG if the record at @r->valid cannot be one.
 */
int records_add(struct records *r, const void *data, size_t bytes);

/**
 * records_complete() - may the archive end here?
 *
 * Return: NULL, or what is missing: the rest of a record, or the closing ledger of a
 * stream. An archive without ledgers, of another program, may end after each record.
 */
const char *records_complete(const struct records *r);

#endif /* FXT_RECEIVE_RECORDS_H */
