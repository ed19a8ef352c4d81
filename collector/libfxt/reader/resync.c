// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resync.c - see resync.h.
 *
 * Records follow one another where several plausible headers form a chain: each is at
 * the place that the previous one's size points to. A shorter chain counts if it leads
 * exactly to the archive's end. A header has 20 to 40 bits that must be right, so three
 * in a row by chance are not a concern.
 */
#include <string.h>

#include "kinds.h"
#include "resync.h"
#include "window.h"

#define CHAIN		3	/* headers in a row */
#define LOOKAHEAD	((CHAIN + 1) * FXT_MAX_RECORD_WORDS)

/* Words that a string ref adds to its record. */
static uint64_t string_words(uint64_t ref)
{
	return ref & FXT_STRING_REF_INLINE ?
	       fxt_stream_words(fxt_get(FXT_STRING_REF_LENGTH, ref)) : 0;
}

static uint64_t thread_words(uint64_t ref)
{
	return ref == FXT_THREAD_REF_INLINE ? 2 : 0;
}

/**
 * struct constraints - on the header of a plausible record
 * @reserved: bits that must be zero
 * @words: least size of the record
 * @exact: the record has no more words than that
 */
struct constraints {
	uint64_t reserved;
	uint64_t words;
	bool exact;
};

static struct constraints constraints_of_event(enum fxt_kind kind, uint64_t h)
{
	uint64_t words = 2 + thread_words(fxt_get(FXT_EVENT_THREAD, h)) +
			 string_words(fxt_get(FXT_EVENT_CATEGORY, h)) +
			 string_words(fxt_get(FXT_EVENT_NAME, h)) +
			 fxt_get(FXT_EVENT_ARGS, h);

	switch (kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	default:
		words++;
	}
	return (struct constraints){ 0, words, !fxt_get(FXT_EVENT_ARGS, h) };
}

static struct constraints constraints_of_metadata(enum fxt_kind kind, uint64_t h)
{
	switch (kind) {
	case FXT_KIND_PROVIDER_INFO:
		return (struct constraints){ FXT_PROVIDER_INFO_RESERVED,
			1 + fxt_stream_words(fxt_get(FXT_PROVIDER_NAME_LENGTH, h)), true };
	case FXT_KIND_PROVIDER_SECTION:
		return (struct constraints){ FXT_PROVIDER_SECTION_RESERVED, 1, true };
	case FXT_KIND_PROVIDER_EVENT:
		return (struct constraints){ FXT_PROVIDER_EVENT_RESERVED, 1, true };
	default:
		return (struct constraints){ ~FXT_MAGIC_RECORD, 1, true };
	}
}

static struct constraints constraints_of_profiler(enum fxt_kind kind, uint64_t h)
{
	uint64_t words = 2 + thread_words(fxt_get(FXT_PROFILER_THREAD, h));

	switch (kind) {
	case FXT_KIND_MODULE:
		words += fxt_stream_words(fxt_get(FXT_MODULE_NAME_LENGTH, h)) +
			 fxt_stream_words(fxt_get(FXT_MODULE_BUILD_ID_LENGTH, h));
		return (struct constraints){ FXT_MODULE_RESERVED, words, true };
	case FXT_KIND_MMAP:
		return (struct constraints){ FXT_MMAP_RESERVED, words + 3, true };
	default:
		return (struct constraints){ 0,
			words + fxt_get(FXT_BACKTRACE_FRAMES, h), true };
	}
}

static struct constraints constraints_of_scheduling(enum fxt_kind kind, uint64_t h)
{
	switch (kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		return (struct constraints){ FXT_SWITCH_RESERVED,
			FXT_SWITCH_BASE_WORDS + fxt_get(FXT_SWITCH_ARGS, h), false };
	case FXT_KIND_THREAD_WAKEUP:
		return (struct constraints){ FXT_WAKEUP_RESERVED,
			FXT_WAKEUP_BASE_WORDS + fxt_get(FXT_WAKEUP_ARGS, h), false };
	default:
		return (struct constraints){ 0, 2 + thread_words(fxt_get(FXT_LEGACY_OUT_THREAD, h)) +
			thread_words(fxt_get(FXT_LEGACY_IN_THREAD, h)), true };
	}
}

static struct constraints constraints_of_object(enum fxt_kind kind, uint64_t h)
{
	uint64_t words = 2;

	if (kind == FXT_KIND_KERNEL_OBJECT)
		return (struct constraints){ FXT_KERNEL_OBJECT_RESERVED,
			words + string_words(fxt_get(FXT_KERNEL_OBJECT_NAME, h)) +
			fxt_get(FXT_KERNEL_OBJECT_ARGS, h), false };
	words += fxt_get(FXT_USERSPACE_OBJECT_PROCESS, h) == FXT_THREAD_REF_INLINE;
	return (struct constraints){ FXT_USERSPACE_OBJECT_RESERVED,
		words + string_words(fxt_get(FXT_USERSPACE_OBJECT_NAME, h)) +
		fxt_get(FXT_USERSPACE_OBJECT_ARGS, h), false };
}

/*
 * Neither an empty string nor index 0 needs a string record: such a header is rather an
 * argument with the value 0.
 */
static struct constraints constraints_of_string(uint64_t h)
{
	uint64_t length = fxt_get(FXT_STRING_LENGTH, h);

	return (struct constraints){ length && fxt_get(FXT_STRING_INDEX, h) ?
		FXT_STRING_RESERVED : ~0ULL, 1 + fxt_stream_words(length), true };
}

static struct constraints constraints_of(enum fxt_kind kind, uint64_t h)
{
	switch (kind) {
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_MAGIC:
		return constraints_of_metadata(kind, h);
	case FXT_KIND_INITIALIZATION:
		return (struct constraints){ FXT_INITIALIZATION_RESERVED,
			FXT_INITIALIZATION_WORDS, true };
	case FXT_KIND_STRING:
		return constraints_of_string(h);
	case FXT_KIND_THREAD:
		return (struct constraints){ FXT_THREAD_RESERVED, FXT_THREAD_WORDS, true };
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		return constraints_of_event(kind, h);
	case FXT_KIND_BLOB:
		return (struct constraints){ FXT_BLOB_RESERVED,
			1 + string_words(fxt_get(FXT_BLOB_NAME, h)) +
			fxt_stream_words(fxt_get(FXT_BLOB_SIZE, h)), true };
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		return constraints_of_object(kind, h);
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		return constraints_of_scheduling(kind, h);
	case FXT_KIND_LOG:
		return (struct constraints){ FXT_LOG_RESERVED,
			2 + thread_words(fxt_get(FXT_LOG_THREAD, h)) +
			fxt_stream_words(fxt_get(FXT_LOG_LENGTH, h)), true };
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		return constraints_of_profiler(kind, h);
	default:
		/* Large records: a guess must not decide on a size of 32 bits. */
		return (struct constraints){ ~0ULL, 0, true };
	}
}

/* The size of the record that this header may begin, 0 if it cannot be a header. */
static uint64_t plausible(const struct fxt_reader *r, uint64_t header)
{
	struct constraints p = constraints_of(fxt_kind_of(r, header), header);
	uint64_t words = fxt_get(FXT_SIZE, header);

	if (header & p.reserved || words < p.words || (p.exact && words > p.words))
		return 0;
	return words;
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

bool fxt_begins(struct fxt_reader *r)
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
 * An odd record can still have the right size: it may come from a later version of the
 * format, and so may all records after it. Therefore only a whole chain within it proves
 * that it hides others. This holds even if records follow where it ends, which sometimes
 * happens by chance. If it makes no sense and no records follow, a chain that only begins
 * within it is enough.
 */
size_t fxt_follows(struct fxt_reader *r)
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

/* As chain(), but from any byte. It asks for more headers, because it is tried more often. */
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

size_t fxt_torn_at(const struct fxt_reader *r)
{
	size_t word, from = 0;

	/* Records follow it, so its size is right. */
	if (chain(r, r->at, SIZE_MAX))
		return 0;
	for (word = r->last; word < r->at && !from; word++)
		from = chain_within(r, word);
	return from;
}

void fxt_resync(struct fxt_reader *r, size_t from)
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
