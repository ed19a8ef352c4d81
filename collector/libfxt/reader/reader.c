// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader.c - walk from record to record. The API is fxt_reader.h.
 *
 * In:  words in the window.
 * Out: one record after the other.
 *
 * The window moves on whenever the next record might not be completely in it. Every
 * access is checked against the end of its record, and every record against the end of
 * the archive, so that no archive can make the reader access other memory.
 */
#include <errno.h>
#include <errno.h>
#include <inttypes.h>

#include "deviation.h"
#include "kinds.h"
#include "payload.h"
#include "resync.h"
#include "tables.h"
#include "window.h"

const char *fxt_reader_error(const struct fxt_reader *r)
{
	return r->error;
}

const struct fxt_reader_totals *fxt_reader_totals(const struct fxt_reader *r)
{
	return &r->totals;
}

const char *fxt_reader_compression(const struct fxt_reader *r)
{
	return fxt_stream_compression(r->stream);
}

bool fxt_reader_swapped(const struct fxt_reader *r)
{
	return r->swapped;
}

uint64_t fxt_record_word(const struct fxt_reader *r, const struct fxt_record *rec,
			 uint32_t i)
{
	return from_archive(r, rec->words[i]);
}

/* The archive may end within a word. */
static int end_of_archive(struct fxt_reader *r)
{
	uint64_t offset = r->base + r->at * FXT_WORD;
	int ret;

	if (r->end_reported)
		return 0;
	r->end_reported = true;
	r->number = r->totals.records;
	r->totals.bytes = offset + r->tail;
	r->totals.skipped_bytes += r->tail;
	ret = fxt_window_failure(r);
	if (ret || !r->tail)
		return ret;
	return fxt_deviate(r, offset, FXT_DEV_PAST_END, false, "record header",
			   "incomplete word of %zu bytes at the end", r->tail);
}

/* The next record has no size, or extends beyond the end of the archive. */
static int past_end(struct fxt_reader *r, uint64_t size)
{
	uint64_t left = fxt_window_left(r, r->at), begin = r->base + r->at * FXT_WORD;
	int ret = size ? fxt_window_failure(r) : 0;

	if (ret)
		return ret;
	ret = fxt_deviate(r, begin, size ? FXT_DEV_PAST_END : FXT_DEV_SIZE_ZERO, true,
			  "record size", size ?
			  "record of %" PRIu64 " words, but the archive ends after %" PRIu64 :
			  "invalid record size 0", size, left);
	if (r->o.strict)
		return ret;
	r->totals.records++;
	fxt_resync(r, r->at + 1);
	fxt_count_skipped(r, r->base + r->at * FXT_WORD - begin);
	r->odd = false;
	r->lost = false;
	r->suspect = false;
	return 0;
}

/* Within a record that is unknown or makes no sense, others may begin at any byte. */
static size_t torn_at(const struct fxt_reader *r)
{
	uint64_t header = from_archive(r, r->window[r->last]);

	return r->lost || fxt_kind_of(r, header) == FXT_KIND_UNKNOWN ? fxt_torn_at(r) : 0;
}

/*
 * An odd record may not have been a record at all. Then the next one begins within the
 * words that it claimed.
 */
static void doubt_last(struct fxt_reader *r)
{
	size_t to = fxt_follows(r), torn = to == r->at ? torn_at(r) : 0;
	uint64_t begin = r->base + r->last * FXT_WORD, end = r->base + r->at * FXT_WORD;

	if (to == r->at && !torn)
		return;
	if (!r->lost) {
		fxt_deviate(r, begin, FXT_DEV_VALUE, true, "record size",
			    "%" PRIu64 " words, but other records begin within them",
			    (end - begin) / FXT_WORD);
		fxt_count_skipped(r, end - begin);
	}
	r->at = to;
	if (torn)
		fxt_window_realign(r, torn);
	r->totals.skipped_bytes -= end - (r->base + r->at * FXT_WORD);
}

bool fxt_reader_deviates(const struct fxt_reader *r)
{
	return r->deviates;
}

bool fxt_reader_confirm(struct fxt_reader *r, struct fxt_record *rec)
{
	size_t to;

	fxt_look_at(r, rec);
	if (r->o.strict || !r->whole)
		return true;
	to = fxt_follows(r);
	rec->words = r->window + r->last;
	return to == r->at && !torn_at(r);
}

/* Before the next record: finish the work that the current one left. */
static int leave_last(struct fxt_reader *r)
{
	int ret = 0;

	r->attention = r->swapped;
	r->decoded = false;
	r->deviates = false;
	r->payload_left = 0;
	if (r->words_left || r->payload_pad)
		ret = fxt_payload_skip(r);
	if (ret)
		return ret;
	if (r->o.strict)
		return r->lost ? -EBADMSG : 0;
	if (r->odd && r->whole)
		doubt_last(r);
	r->deviates = false;
	r->odd = false;
	r->lost = false;
	r->suspect = false;
	return 0;
}

static inline void set_record(struct fxt_reader *r, struct fxt_record *rec,
			      uint64_t header, uint64_t size, enum fxt_kind kind)
{
	rec->offset = r->base + r->at * FXT_WORD;
	rec->number = r->totals.records;
	rec->words = r->window + r->at;
	rec->size = size;
	rec->held = size;
	rec->type = fxt_get(FXT_TYPE, header);
	rec->kind = kind;
	rec->provider = &r->current->public;
}

/* A record of an unknown kind is odd even if the caller does not decode it. */
static void look_at_new(struct fxt_reader *r, const struct fxt_record *rec)
{
	fxt_look_at(r, rec);
	r->odd = rec->kind == FXT_KIND_UNKNOWN;
	r->attention |= r->odd;
}

/* A large record: return as much of it as fits into the window. */
static int next_large(struct fxt_reader *r, struct fxt_record *rec, uint64_t header)
{
	uint64_t size = fxt_get(FXT_LARGE_SIZE, header);
	size_t held = size < WINDOW_WORDS ? size : WINDOW_WORDS;

	fxt_window_fill(r, r->at, held);
	if (!size || size > fxt_window_left(r, r->at))
		return past_end(r, size);
	set_record(r, rec, header, size, fxt_kind_of(r, header));
	rec->held = r->end - r->at < held ? r->end - r->at : held;
	r->at += rec->held;
	r->words_left = size - rec->held;
	r->attention = true;
	return 1;
}

/* Apply a record that changes how the reader interprets the following ones. */
static int take_effect(struct fxt_reader *r, struct fxt_record *rec)
{
	int ret = fxt_reader_content(r, rec, &r->scratch);

	if (!ret) {
		ret = fxt_tables_apply(r, rec, &r->scratch);
		if (ret == -EBADMSG)
			fxt_count_skipped(r, rec->size * FXT_WORD);
	}
	if (ret == -EBADMSG && r->o.skipped)
		r->o.skipped(r->o.arg, rec);
	if (ret && ret != -ENOTSUP)
		return ret == -EBADMSG && !r->o.strict ? 0 : ret;
	rec->provider = &r->current->public;
	return 1;
}

/* Return: 1: a record; 0: skipped one, try again; -errno. */
static int next_at(struct fxt_reader *r, struct fxt_record *rec)
{
	uint64_t header = from_archive(r, r->window[r->at]), size;
	int ret;

	r->number = r->totals.records;
	if (fxt_get(FXT_TYPE, header) == FXT_RECORD_LARGE) {
		ret = next_large(r, rec, header);
		if (ret <= 0)
			return ret;
	} else {
		size = fxt_get(FXT_SIZE, header);
		if (!size || size > r->end - r->at)
			return past_end(r, size);
		set_record(r, rec, header, size, fxt_kind_of(r, header));
		r->at += size;
	}
	look_at_new(r, rec);
	r->totals.records++;
	r->totals.bytes = rec->offset + rec->size * FXT_WORD;
	return rec->type <= FXT_RECORD_THREAD ? take_effect(r, rec) : 1;
}

/*
 * The fast path for nearly all records: of a type that changes no table, completely in
 * the window, after a record that left no work, in the byte order of this machine. The
 * reader does not make such a record the current one until the caller decodes it.
 */
static inline bool next_fast(struct fxt_reader *r, struct fxt_record *rec)
{
	uint64_t header, size;
	enum fxt_kind kind;

	if (r->attention || r->end - r->at < FXT_MAX_RECORD_WORDS)
		return false;
	header = r->window[r->at];
	size = fxt_get(FXT_SIZE, header);
	kind = fxt_kind_of_plain(r, header);
	if (kind < FXT_KIND_INSTANT || kind > FXT_KIND_BACKTRACE || !size)
		return false;
	set_record(r, rec, header, size, kind);
	r->totals.records++;
	r->at += size;
	r->totals.bytes = rec->offset + size * FXT_WORD;
	return true;
}

/* Out of line, so that the fast path does not save the registers that this one uses. */
static __attribute__((noinline)) int next_slow(struct fxt_reader *r, struct fxt_record *rec)
{
	int ret;

	do {
		ret = leave_last(r);
		if (ret)
			return ret;
		if (r->end - r->at < FXT_MAX_RECORD_WORDS)
			fxt_window_fill(r, r->at, FXT_MAX_RECORD_WORDS);
		if (r->at == r->end)
			return end_of_archive(r);
		ret = next_at(r, rec);
	} while (!ret);
	return ret;
}

int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec)
{
	return __builtin_expect(next_fast(r, rec), 1) ? 1 : next_slow(r, rec);
}
