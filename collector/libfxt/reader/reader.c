// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader.c - the walk over an archive. The API is fxt_reader.h.
 *
 * Bytes flow from the stream into a window of words that is moved on whenever
 * the next record might not lie wholly in it. Every access is held against the
 * end of its record, and every record against the end of the archive, so that
 * no archive whatever can lead astray.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/foreign.h"
#include "reader.h"

#define DEFAULT_TABLE_BYTES	(256UL << 20)

static int place(const struct fxt_deviation *d, char *text)
{
	return snprintf(text, ERROR_BYTES, "byte %" PRIu64 ": record %" PRIu64 ": %s: ",
			d->offset, d->record, d->field);
}

int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
{
	int fatal = lost || r->o.strict ? -EBADMSG : 0;
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.lost = lost,
		.field = field,
		.text = r->error,
	};
	va_list args;
	int n;

	if (r->quiet)
		return fatal;
	r->totals.deviations++;
	r->attention = true;
	r->odd = true;
	r->deviates = true;
	r->lost |= lost;
	/* Nobody would see the text of a later one. */
	if (!r->o.deviation && !r->o.strict && r->error[0])
		return fatal;
	n = place(&d, r->error);
	va_start(args, format);
	vsnprintf(r->error + n, sizeof(r->error) - n, format, args);
	va_end(args);
	if (r->o.deviation)
		r->o.deviation(r->o.arg, &d);
	return fatal;
}

int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
{
	char text[ERROR_BYTES];
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.note = true,
		.field = field,
		.text = text,
	};
	va_list args;
	int n;

	if (r->quiet || !r->o.deviation)
		return 0;
	n = place(&d, text);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	r->o.deviation(r->o.arg, &d);
	return 0;
}

int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field,
		      uint64_t words)
{
	if (r->quiet)
		return 0;
	r->attention = true;
	r->odd = true;
	return fxt_note(r, offset, FXT_DEV_TRAILING, field,
			"%" PRIu64 " words after the last one that is defined", words);
}

/* The window's bytes move on; what is not a whole word yet stays behind end. */
static void keep_from(struct fxt_reader *r, size_t keep)
{
	size_t bytes = (r->end - keep) * FXT_WORD + r->tail;

	if (!keep)
		return;
	memmove(r->window, r->window + keep, bytes);
	r->base += (uint64_t)keep * FXT_WORD;
	r->end -= keep;
	r->at -= keep;
	r->last -= r->last < keep ? r->last : keep;
}

/*
 * The records end where the stream does: tell if it was before its own end. Only
 * here, because the window was filled when there were records to come.
 */
static int tell_failure(struct fxt_reader *r)
{
	int error = r->failed;

	r->failed = 0;
	if (!error)
		return 0;
	if (error == -EBADMSG)
		return fxt_deviate(r, r->base + r->end * FXT_WORD + r->tail,
				   FXT_DEV_COMPRESSION, false, "compression", "%s",
				   fxt_stream_error(r->stream));
	snprintf(r->error, sizeof(r->error), "cannot read on after byte %" PRIu64 ": %s",
		 r->base + r->end * FXT_WORD + r->tail, strerror(-error));
	return error;
}

static void report_progress(struct fxt_reader *r)
{
	uint64_t size, bytes = fxt_stream_source(r->stream, &size);

	r->o.progress(r->o.progress_arg, bytes, size);
}

void fxt_fill(struct fxt_reader *r, size_t keep, size_t words)
{
	size_t room, bytes;
	ssize_t n;

	if (words > WINDOW_WORDS)
		words = WINDOW_WORDS;
	if (r->end - keep >= words || r->ended)
		return;
	keep_from(r, keep);
	while (r->end < words && !r->ended) {
		room = (WINDOW_WORDS - r->end) * FXT_WORD - r->tail;
		bytes = words * FXT_WORD > READ_BYTES ? room : READ_BYTES;
		bytes = bytes < room ? bytes : room;
		n = fxt_stream_read(r->stream,
				    (char *)(r->window + r->end) + r->tail, bytes);
		if (n < 0)
			r->failed = n;
		r->ended = n <= 0;
		r->tail += n > 0 ? n : 0;
		r->end += r->tail / FXT_WORD;
		r->tail %= FXT_WORD;
		if (r->o.progress)
			report_progress(r);
	}
}

/* What does not begin with a magic number may be known otherwise. */
static const char *find_foreign(struct fxt_reader *r)
{
	fxt_fill(r, 0, FXT_FOREIGN_BYTES / FXT_WORD);
	return fxt_foreign(r->window, r->end * FXT_WORD + r->tail);
}

/* The first word tells the byte order; only 2017's archives may lack it. */
static int read_magic(struct fxt_reader *r)
{
	const char *foreign;
	uint64_t word;
	int ret = 0;

	fxt_fill(r, 0, 1);
	if (!r->end)
		ret = tell_failure(r);
	if (ret)
		return ret;
	word = r->end ? r->window[0] : 0;
	r->swapped = word == bswap_64(FXT_MAGIC_RECORD);
	r->attention = r->swapped;
	if (word == FXT_MAGIC_RECORD || r->swapped || r->o.format_2017)
		return 0;
	foreign = find_foreign(r);
	if (!foreign && fxt_begins(r))
		return fxt_note(r, 0, FXT_DEV_NO_MAGIC, "magic number record",
				"there is none; event types are taken to be numbered as now");
	if (foreign)
		return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
				   "this is %s, not an FXT archive", foreign);
	return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
			   r->end ? "the first word is 0x%016" PRIx64 ", so this is no FXT archive" :
				    "there is not even a first word, so this is no FXT archive",
			   word);
}

static int open_stream(struct fxt_reader **out, int fd, const void *data,
		       size_t bytes, const struct fxt_reader_options *o)
{
	struct fxt_reader *r = calloc(1, sizeof(*r));
	int ret = r ? 0 : -ENOMEM;

	*out = r;
	if (ret)
		return ret;
	r->fd = -1;
	fxt_forget_shapes(r);
	if (o)
		r->o = *o;
	if (!r->o.max_table_bytes)
		r->o.max_table_bytes = DEFAULT_TABLE_BYTES;
	r->window = malloc((size_t)WINDOW_WORDS * FXT_WORD);
	ret = r->window ? fxt_tables_open(r) : -ENOMEM;
	if (!ret)
		ret = fxt_stream_open(&r->stream, fd, data, bytes);
	if (!ret)
		ret = read_magic(r);
	if (ret && ret != -EBADMSG) {
		fxt_reader_close(r);
		*out = NULL;
	}
	return ret;
}

int fxt_reader_open_fd(struct fxt_reader **r, int fd,
		       const struct fxt_reader_options *o)
{
	return open_stream(r, fd, NULL, 0, o);
}

int fxt_reader_open_memory(struct fxt_reader **r, const void *data, size_t bytes,
			   const struct fxt_reader_options *o)
{
	return open_stream(r, -1, data, bytes, o);
}

int fxt_reader_open(struct fxt_reader **r, const char *path,
		    const struct fxt_reader_options *o)
{
	int fd, ret;

	*r = NULL;
	if (!strcmp(path, "-"))
		return fxt_reader_open_fd(r, STDIN_FILENO, o);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fxt_reader_open_fd(r, fd, o);
	if (*r)
		(*r)->fd = fd;
	else
		close(fd);
	return ret;
}

void fxt_reader_close(struct fxt_reader *r)
{
	if (!r)
		return;
	fxt_tables_close(r);
	fxt_stream_close(r->stream);
	if (r->fd >= 0)
		close(r->fd);
	free(r->window);
	free(r);
}

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

/* Words of the archive behind the window's word @from, as far as is known. */
static uint64_t words_left(const struct fxt_reader *r, size_t from)
{
	uint64_t size = fxt_stream_size(r->stream), here = r->base + from * FXT_WORD;

	if (r->ended || size == FXT_SIZE_UNKNOWN)
		return r->ended ? r->end - from : UINT64_MAX;
	return size > here ? (size - here) / FXT_WORD : 0;
}

/* The rest of a large record passes by; its padding is looked at. */
static int skip_rest(struct fxt_reader *r)
{
	uint64_t pad = r->payload_pad;
	size_t words;
	int ret;

	while (r->rest) {
		r->at = r->end;
		fxt_fill(r, r->end, 1);
		words = r->end - r->at;
		if (!words) {
			uint64_t missing = r->rest;

			r->rest = 0;
			r->payload_pad = 0;
			r->totals.skipped++;
			ret = tell_failure(r);
			if (ret)
				return ret;
			return fxt_deviate(r, r->base + r->at * FXT_WORD,
					   FXT_DEV_PAST_END, false, "record size",
					   "the archive ends %" PRIu64 " words before the record does",
					   missing);
		}
		words = r->rest < words ? r->rest : words;
		r->at += words;
		r->rest -= words;
	}
	if (!pad)
		return 0;
	r->payload_pad = 0;
	return fxt_check_padding(r, r->base + (r->at - 1) * FXT_WORD, "payload stream",
				 r->window + r->at - 1, FXT_WORD - pad);
}

int fxt_reader_payload(struct fxt_reader *r, struct fxt_bytes *piece)
{
	uint64_t bytes;
	size_t words;
	int ret = 0;

	if (!r->payload_left)
		return 0;
	r->at = r->end;
	fxt_fill(r, r->end, 1);
	words = r->end - r->at;
	words = r->rest < words ? r->rest : words;
	if (!words)
		return skip_rest(r);
	bytes = words * FXT_WORD;
	bytes = bytes < r->payload_left ? bytes : r->payload_left;
	*piece = (struct fxt_bytes){ r->window + r->at, bytes };
	r->payload_left -= bytes;
	r->rest -= words;
	r->at += words;
	if (!r->rest && r->payload_pad)
		ret = skip_rest(r);
	return ret ? ret : 1;
}

/* The archive has ended, perhaps within a word. */
static int end_of_archive(struct fxt_reader *r)
{
	uint64_t offset = r->base + r->at * FXT_WORD;
	int ret;

	if (r->finished)
		return 0;
	r->finished = true;
	r->number = r->totals.records;
	r->totals.bytes = offset + r->tail;
	r->totals.skipped_bytes += r->tail;
	ret = tell_failure(r);
	if (ret || !r->tail)
		return ret;
	return fxt_deviate(r, offset, FXT_DEV_PAST_END, false, "record header",
			   "%zu bytes that are no whole word at the end", r->tail);
}

/* The record that begins at @at is said to be longer than what is left. */
static int past_end(struct fxt_reader *r, uint64_t size)
{
	uint64_t left = words_left(r, r->at), begin = r->base + r->at * FXT_WORD;
	int ret = size ? tell_failure(r) : 0;

	if (ret)
		return ret;
	ret = fxt_deviate(r, begin, size ? FXT_DEV_PAST_END : FXT_DEV_SIZE_ZERO, true,
			  "record size", size ?
			  "record of %" PRIu64 " words, but the archive ends after %" PRIu64 :
			  "record of size 0, which has no end", size, left);
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

/* Of what makes no sense, or is not known, others may begin at any byte. */
static size_t torn_at(const struct fxt_reader *r)
{
	uint64_t header = from_archive(r, r->window[r->last]);

	return r->lost || fxt_kind_of(r, header) == FXT_KIND_UNKNOWN ? fxt_torn_at(r) : 0;
}

/*
 * Something was odd about the last record: it may have been none, and the next
 * one begin within what it took for its own.
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
		fxt_realign(r, torn);
	r->totals.skipped_bytes -= end - (r->base + r->at * FXT_WORD);
}

bool fxt_reader_deviates(const struct fxt_reader *r)
{
	return r->deviates;
}

bool fxt_reader_confirm(struct fxt_reader *r, struct fxt_record *rec)
{
	size_t to;

	fxt_reader_look_at(r, rec);
	if (r->o.strict || !r->whole)
		return true;
	to = fxt_follows(r);
	rec->words = r->window + r->last;
	return to == r->at && !torn_at(r);
}

/* Before the next record: the last one may have left things to do. */
static int leave_last(struct fxt_reader *r)
{
	int ret = 0;

	r->attention = r->swapped;
	r->decoded = false;
	r->deviates = false;
	r->payload_left = 0;
	if (r->rest || r->payload_pad)
		ret = skip_rest(r);
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

void fxt_reader_look_at(struct fxt_reader *r, const struct fxt_record *rec)
{
	r->number = rec->number;
	r->last = rec->words - r->window;
	r->whole = rec->held == rec->size;
}

/* One of a kind that is not known is odd even if nobody takes it apart. */
static void look_at_new(struct fxt_reader *r, const struct fxt_record *rec)
{
	fxt_reader_look_at(r, rec);
	r->odd = rec->kind == FXT_KIND_UNKNOWN;
	r->attention |= r->odd;
}

/* A large record: as much of it as the window holds. */
static int next_large(struct fxt_reader *r, struct fxt_record *rec, uint64_t header)
{
	uint64_t size = fxt_get(FXT_LARGE_SIZE, header);
	size_t held = size < WINDOW_WORDS ? size : WINDOW_WORDS;

	fxt_fill(r, r->at, held);
	if (!size || size > words_left(r, r->at))
		return past_end(r, size);
	set_record(r, rec, header, size, fxt_kind_of(r, header));
	rec->held = r->end - r->at < held ? r->end - r->at : held;
	r->at += rec->held;
	r->rest = size - rec->held;
	r->attention = true;
	return 1;
}

/* Those that change how the next ones are to be read. */
static int take_effect(struct fxt_reader *r, struct fxt_record *rec)
{
	int ret = fxt_reader_content(r, rec, &r->scratch);

	if (!ret) {
		ret = fxt_tables_apply(r, rec, &r->scratch);
		if (ret == -EBADMSG)
			fxt_count_skipped(r, rec->size * FXT_WORD);
	}
	if (ret && ret != -ENOTSUP)
		return ret == -EBADMSG && !r->o.strict ? 0 : ret;
	rec->provider = &r->current->public;
	return 1;
}

/* 1: a record; 0: none there, try on; -errno. */
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
 * Nearly all records: of a type that changes nothing, wholly in the window, after
 * one that has left nothing to do, in the byte order of this machine. The reader
 * looks at such a one only when it is asked to take it apart.
 */
static inline bool next_plain(struct fxt_reader *r, struct fxt_record *rec)
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

/* Apart, so that those need not save the registers that this one uses. */
static __attribute__((noinline)) int next_any(struct fxt_reader *r, struct fxt_record *rec)
{
	int ret;

	do {
		ret = leave_last(r);
		if (ret)
			return ret;
		if (r->end - r->at < FXT_MAX_RECORD_WORDS)
			fxt_fill(r, r->at, FXT_MAX_RECORD_WORDS);
		if (r->at == r->end)
			return end_of_archive(r);
		ret = next_at(r, rec);
	} while (!ret);
	return ret;
}

int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec)
{
	return __builtin_expect(next_plain(r, rec), 1) ? 1 : next_any(r, rec);
}
