// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader.c - walks from record to record. The API is fxt_reader.h.
 *
 * The window moves on whenever the next record might not be completely in it. Every access is
 * checked against the end of its record, and every record against the end of the archive, so that
 * no archive can make the reader access other memory.
 */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/foreign.h"
#include "state.h"
#include "tables.h"

/* --- large records ---------------------------------------------------------------------- */

/* The part of a large record that does not fit into the window, see fxt_reader_payload(). */

/*
 * Skip the rest of a large record, and check its padding. The window does not hold all of it.
 * Return: as fxt_reader_next().
 */
static int fxt_payload_skip(struct fxt_reader *r)
{
	uint64_t pad = r->payload_pad;
	size_t words;
	int ret;

	while (r->words_left) {
		r->at = r->end;
		fxt_window_fill(r, r->end, 1);
		words = r->end - r->at;
		if (!words) {
			uint64_t missing = r->words_left;

			r->words_left = 0;
			r->payload_pad = 0;
			r->totals.skipped++;
			ret = fxt_window_failure(r);
			if (ret)
				return ret;
			return fxt_deviate(r, r->base + r->at * FXT_WORD,
					   FXT_DEV_PAST_END, false, "record size",
					   "the archive ends %" PRIu64 " words before the record does",
					   missing);
		}
		words = r->words_left < words ? r->words_left : words;
		r->at += words;
		r->words_left -= words;
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
	fxt_window_fill(r, r->end, 1);
	words = r->end - r->at;
	words = r->words_left < words ? r->words_left : words;
	if (!words)
		return fxt_payload_skip(r);
	bytes = words * FXT_WORD;
	bytes = bytes < r->payload_left ? bytes : r->payload_left;
	*piece = (struct fxt_bytes){ r->window + r->at, bytes };
	r->payload_left -= bytes;
	r->words_left -= words;
	r->at += words;
	if (!r->words_left && r->payload_pad)
		ret = fxt_payload_skip(r);
	return ret ? ret : 1;
}

/* --- the next record after damage ------------------------------------------------------- */

/*
 * Find the next place after damage where records follow one another: several plausible headers form
 * a chain, each at the place that the previous one's size points to. A shorter chain counts if it
 * leads exactly to the archive's end. A header has 20 to 40 bits that must be right, so three
 * plausible headers in a row hardly occur by chance.
 */

#define CHAIN		3	/* headers in a row */
#define LOOKAHEAD	((CHAIN + 1) * FXT_MAX_RECORD_WORDS)

enum exactness {
	AT_LEAST,	/* later versions of the format may add words */
	EXACT,
	EXACT_WITHOUT_ARGS,
};

/* The header of a plausible record; fields are masks, 0: none. */
struct form {
	uint64_t reserved;	/* must be zero */
	uint64_t words;		/* least size without what follows; 0: too much to guess */
	uint64_t threads[2];	/* refs of threads, */
	uint64_t process;	/* of a process, */
	uint64_t strings[2];	/* of strings, */
	uint64_t streams[2];	/* lengths of streams, in bytes, */
	uint64_t args;		/* number of arguments or other words */
	enum exactness is_exact;
};

#define EVENT(size) {							\
	.words = size, .threads = { FXT_EVENT_THREAD },			\
	.strings = { FXT_EVENT_CATEGORY, FXT_EVENT_NAME }, .args = FXT_EVENT_ARGS, \
	.is_exact = EXACT_WITHOUT_ARGS }

static const struct form forms[FXT_KIND_COUNT] = {
	[FXT_KIND_PROVIDER_INFO] = { FXT_PROVIDER_INFO_RESERVED, 1,
		.streams = { FXT_PROVIDER_NAME_LENGTH }, .is_exact = EXACT },
	[FXT_KIND_PROVIDER_SECTION] = { FXT_PROVIDER_SECTION_RESERVED, 1, .is_exact = EXACT },
	[FXT_KIND_PROVIDER_EVENT] = { FXT_PROVIDER_EVENT_RESERVED, 1, .is_exact = EXACT },
	[FXT_KIND_MAGIC] = { ~FXT_MAGIC_RECORD, 1, .is_exact = EXACT },
	[FXT_KIND_INITIALIZATION] = { FXT_INITIALIZATION_RESERVED, FXT_INITIALIZATION_WORDS,
		.is_exact = EXACT },
	[FXT_KIND_STRING] = { FXT_STRING_RESERVED, 1, .streams = { FXT_STRING_LENGTH },
		.is_exact = EXACT },
	[FXT_KIND_THREAD] = { FXT_THREAD_RESERVED, FXT_THREAD_WORDS, .is_exact = EXACT },
	[FXT_KIND_INSTANT] = EVENT(2),
	[FXT_KIND_DURATION_BEGIN] = EVENT(2),
	[FXT_KIND_DURATION_END] = EVENT(2),
	[FXT_KIND_COUNTER] = EVENT(3),
	[FXT_KIND_DURATION_COMPLETE ... FXT_KIND_FLOW_END] = EVENT(3),
	[FXT_KIND_BLOB] = { FXT_BLOB_RESERVED, 1, .strings = { FXT_BLOB_NAME },
		.streams = { FXT_BLOB_SIZE }, .is_exact = EXACT },
	[FXT_KIND_USERSPACE_OBJECT] = { FXT_USERSPACE_OBJECT_RESERVED, 2,
		.process = FXT_USERSPACE_OBJECT_PROCESS, .strings = { FXT_USERSPACE_OBJECT_NAME },
		.args = FXT_USERSPACE_OBJECT_ARGS },
	[FXT_KIND_KERNEL_OBJECT] = { FXT_KERNEL_OBJECT_RESERVED, 2,
		.strings = { FXT_KERNEL_OBJECT_NAME }, .args = FXT_KERNEL_OBJECT_ARGS },
	[FXT_KIND_LEGACY_SWITCH] = { 0, 2, .threads = { FXT_LEGACY_OUT_THREAD, FXT_LEGACY_IN_THREAD },
		.is_exact = EXACT },
	[FXT_KIND_CONTEXT_SWITCH] = { FXT_SWITCH_RESERVED, FXT_SWITCH_BASE_WORDS,
		.args = FXT_SWITCH_ARGS },
	[FXT_KIND_THREAD_WAKEUP] = { FXT_WAKEUP_RESERVED, FXT_WAKEUP_BASE_WORDS,
		.args = FXT_WAKEUP_ARGS },
	[FXT_KIND_LOG] = { FXT_LOG_RESERVED, 2, .threads = { FXT_LOG_THREAD },
		.streams = { FXT_LOG_LENGTH }, .is_exact = EXACT },
	[FXT_KIND_MODULE] = { FXT_MODULE_RESERVED, 2, .threads = { FXT_PROFILER_THREAD },
		.streams = { FXT_MODULE_NAME_LENGTH, FXT_MODULE_BUILD_ID_LENGTH },
		.is_exact = EXACT },
	[FXT_KIND_MMAP] = { FXT_MMAP_RESERVED, 5, .threads = { FXT_PROFILER_THREAD },
		.is_exact = EXACT },
	[FXT_KIND_BACKTRACE] = { 0, 2, .threads = { FXT_PROFILER_THREAD },
		.args = FXT_BACKTRACE_FRAMES, .is_exact = EXACT },
};

/* The words that a field of a header adds to its record. */
static uint64_t added_by_string(uint64_t field, uint64_t header)
{
	uint64_t ref = field ? fxt_get(field, header) : 0;

	return ref & FXT_STRING_REF_INLINE ?
	       fxt_stream_words(fxt_get(FXT_STRING_REF_LENGTH, ref)) : 0;
}

static uint64_t added_by_ref(uint64_t field, uint64_t header, uint64_t words)
{
	return field && fxt_get(field, header) == FXT_THREAD_REF_INLINE ? words : 0;
}

/* The size of the record that this header may begin; 0 if it cannot be a header. */
static uint64_t plausible(const struct fxt_reader *r, uint64_t header)
{
	enum fxt_kind kind = fxt_kind_of(r, header);
	const struct form *f = &forms[kind];
	uint64_t size = fxt_get(FXT_SIZE, header), words = f->words, args;
	unsigned int i;

	/*
	 * Neither an empty string nor index 0 needs a string record, so such a header is more
	 * likely an argument with the value 0.
	 */
	if (!words || header & f->reserved ||
	    (kind == FXT_KIND_STRING && (!fxt_get(FXT_STRING_LENGTH, header) ||
					 !fxt_get(FXT_STRING_INDEX, header))))
		return 0;
	for (i = 0; i < 2; i++)
		words += added_by_ref(f->threads[i], header, 2) +
			 added_by_string(f->strings[i], header) +
			 (f->streams[i] ? fxt_stream_words(fxt_get(f->streams[i], header)) : 0);
	args = f->args ? fxt_get(f->args, header) : 0;
	words += args + added_by_ref(f->process, header, 1);
	if (size < words || (size > words && (f->is_exact == EXACT ||
					      (f->is_exact == EXACT_WITHOUT_ARGS && !args))))
		return 0;
	return size;
}

/* Does a chain begin at word @from of the window? Its headers must be before @before. */
static bool chain(const struct fxt_reader *r, size_t from, size_t before)
{
	uint64_t words;
	int i;

	for (i = 0; i < CHAIN && from < before; i++) {
		if (from == r->end)
			return r->ended;
		words = plausible(r, from_archive(r, r->window[from]));
		if (!words || words > r->end - from)
			return false;
		from += words;
	}
	return i == CHAIN;
}

static bool begins(const struct fxt_reader *r)
{
	uint64_t words;
	size_t at = 0;
	int i;

	/* A shorter chain proves nothing here, even at the archive's end. */
	for (i = 0; i < CHAIN; i++) {
		words = at < r->end ? plausible(r, from_archive(r, r->window[at])) : 0;
		if (!words || words > r->end - at)
			return false;
		at += words;
	}
	return true;
}

/*
 * Does the archive begin with records, but without a magic number? Sets the byte order. @r: at the
 * archive's first word
 */
static bool fxt_begins(struct fxt_reader *r)
{
	fxt_window_fill(r, 0, LOOKAHEAD);
	r->swapped = false;
	if (begins(r))
		return true;
	r->swapped = true;
	r->swapped = begins(r);
	r->attention = r->swapped;
	return r->swapped;
}

/* Is the current record a blob whose fields fit its size? It may contain an archive. */
static bool is_valid_blob(const struct fxt_reader *r)
{
	uint64_t header = from_archive(r, r->window[r->last]);

	if (fxt_get(FXT_TYPE, header) == FXT_RECORD_LARGE)
		return !r->lost;
	return fxt_get(FXT_TYPE, header) == FXT_RECORD_BLOB && plausible(r, header);
}

/*
 * Where to continue after an odd record. @r: after that record; the window must hold all of it
 *
 * An odd record can still have the right size: it may come from a later version of the format, and
 * so may all records after it. Therefore only a whole chain within it proves that it hides others.
 * This holds even if records follow where it ends, which sometimes happens by chance. If it makes
 * no sense and no records follow, it is enough that a chain begins within it.
 *
 * Return: the word of the window where other records begin within the odd one, or else the word
 * after it.
 */
static size_t fxt_follows(struct fxt_reader *r)
{
	size_t size = r->at - r->last, from, before = SIZE_MAX;

	/* The window must have room to look ahead. */
	if (size > WINDOW_WORDS - LOOKAHEAD)
		return r->at;
	fxt_window_fill(r, r->last, size + LOOKAHEAD);
	if (!(r->lost || r->suspect) || chain(r, r->at, SIZE_MAX)) {
		if (is_valid_blob(r))
			return r->at;
		before = r->at;
	}
	for (from = r->last + 1; from < r->at && !chain(r, from, before); from++)
		;
	return from;
}

/* --- missing or additional bytes ------------------------------------------------------ */

/* Like chain(), but from any byte. It needs more headers, because more places are tried. */
static bool chain_of_bytes(const struct fxt_reader *r, size_t from)
{
	size_t end = r->end * FXT_WORD + r->tail;
	uint64_t header, words;
	int i;

	for (i = 0; i < CHAIN + 2; i++) {
		if (from == end)
			return r->ended && i >= CHAIN;
		if (end - from < FXT_WORD)
			return false;
		memcpy(&header, (const char *)r->window + from, FXT_WORD);
		words = plausible(r, from_archive(r, header));
		if (!words || words > (end - from) / FXT_WORD)
			return false;
		from += words * FXT_WORD;
	}
	return true;
}

/* The byte within word @word, except its first, where a chain begins; 0 if none does. */
static size_t chain_within(const struct fxt_reader *r, size_t word)
{
	size_t from;

	for (from = word * FXT_WORD + 1; from < (word + 1) * FXT_WORD; from++)
		if (chain_of_bytes(r, from))
			return from;
	return 0;
}

/* The byte of the window where others begin within the current record; 0 if none do. */
static size_t fxt_torn_at(const struct fxt_reader *r)
{
	size_t word, from = 0;

	/* If records follow the current one, its size is right. */
	if (chain(r, r->at, SIZE_MAX))
		return 0;
	for (word = r->last; word < r->at && !from; word++)
		from = chain_within(r, word);
	return from;
}

/*
 * Go to the next place where records follow one another, or to the archive's end. @from: word of
 * the window where the search begins
 */
static void fxt_resync(struct fxt_reader *r, size_t from)
{
	for (;; from++) {
		if (r->end - from < LOOKAHEAD && !r->ended) {
			r->at = from;
			r->last = from;
			fxt_window_fill(r, from, LOOKAHEAD);
			from = r->at;
		}
		if (from == r->end || chain(r, from, SIZE_MAX)) {
			r->at = from;
			return;
		}
		if (chain_within(r, from)) {
			fxt_window_realign(r, chain_within(r, from));
			return;
		}
	}
}

/* --- records ---------------------------------------------------------------------------- */

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

uint64_t fxt_record_word(const struct fxt_reader *r, const struct fxt_record *rec, uint32_t i)
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

/* Handle a record that has no size, or extends beyond the end of the archive. */
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
 * An odd record may not have been a record at all. Then the next one begins within the words that
 * it claimed.
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

/* Finish the work that the current record left. */
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

/* Return as much of a large record as fits into the window. */
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

/* Apply a record that changes how later ones are interpreted. */
static int apply_effect(struct fxt_reader *r, struct fxt_record *rec)
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
	return rec->type <= FXT_RECORD_THREAD ? apply_effect(r, rec) : 1;
}

/*
 * The fast path for nearly all records: of a type that changes no table, completely in the window,
 * after a record that left no work, in the byte order of this machine. Such a record becomes
 * current only when the caller decodes it.
 */
static inline bool next_fast(struct fxt_reader *r, struct fxt_record *rec)
{
	uint64_t header, size;
	enum fxt_kind kind;

	if (r->end - r->at < FXT_MAX_RECORD_WORDS || (r->attention && !fxt_leave_plain(r)))
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

/* --- archives --------------------------------------------------------------------------- */

#define TEXT_BYTES		24	/* of a text to show */
#define DEFAULT_TABLE_BYTES	(256UL << 20)

/* The format of a file that does not begin with the magic number. */
static const char *find_foreign(struct fxt_reader *r)
{
	fxt_window_fill(r, 0, FXT_FOREIGN_BYTES / FXT_WORD);
	return fxt_foreign(r->window, r->end * FXT_WORD + r->tail);
}

/* Set @text to what a file begins with; other bytes become dots. Return: NULL if it is no text. */
static const char *find_text(const struct fxt_reader *r, char text[TEXT_BYTES])
{
	size_t bytes = r->end * FXT_WORD + r->tail, i;
	const unsigned char *at = (const unsigned char *)r->window;

	for (i = 0; i < TEXT_BYTES - 1 && i < bytes && at[i] != '\n'; i++) {
		if (!at[i] || (at[i] < ' ' && !strchr("\t\r", at[i])))
			return NULL;
		text[i] = at[i] < ' ' || at[i] > '~' ? '.' : at[i];
	}
	text[i] = '\0';
	return i ? text : NULL;
}

/*
 * Are data that do not begin like an archive damaged? bzip2 returns all bytes of a block, 46 MB at
 * most, before it can check them. What is read here replaces the window.
 */
static bool is_damaged(struct fxt_reader *r)
{
	size_t most = 48U << 20, bytes = 0;
	ssize_t n = r->stream_error;

	if (!strcmp(fxt_stream_compression(r->stream), "none"))
		return false;
	while (n >= 0 && !r->ended && bytes < most) {
		n = fxt_stream_read(r->stream, r->window, WINDOW_WORDS * FXT_WORD);
		r->ended = !n;
		bytes += n > 0 ? n : 0;
	}
	return n == -EBADMSG;
}

/* The magic number shows the byte order. Only archives of 2017 may lack it. */
static int read_magic(struct fxt_reader *r)
{
	char text[TEXT_BYTES];
	const char *foreign;
	bool is_text;
	uint64_t word;
	int ret = 0;

	fxt_window_fill(r, 0, 1);
	if (!r->end)
		ret = fxt_window_failure(r);
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
				"missing; assuming the current event type numbers");
	if (foreign)
		return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
				   "this is %s, not an FXT archive", foreign);
	is_text = r->end && find_text(r, text);
	if (r->end && is_damaged(r))
		return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
				   "the first word is 0x%016" PRIx64 ", and the %s; copy it again",
				   word, fxt_stream_error(r->stream));
	if (is_text)
		return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
				   "this is a text that begins with \"%s\", not an FXT archive",
				   text);
	return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
			   r->end ? "the first word is 0x%016" PRIx64 ", so this is not an FXT archive" :
			   r->totals.deviations ? "the compressed data are damaged, or end, before it" :
			   r->tail ? "fewer than 8 bytes, so this is not an FXT archive" :
				     "missing, because the input is empty",
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

int fxt_reader_open_fd(struct fxt_reader **r, int fd, const struct fxt_reader_options *o)
{
	return open_stream(r, fd, NULL, 0, o);
}

int fxt_reader_open_memory(struct fxt_reader **r, const void *data, size_t bytes,
			   const struct fxt_reader_options *o)
{
	return open_stream(r, -1, data, bytes, o);
}

int fxt_reader_open(struct fxt_reader **r, const char *path, const struct fxt_reader_options *o)
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
