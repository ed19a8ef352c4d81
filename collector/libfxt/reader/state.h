/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the state of a reader, shared by its parts. The API is fxt_reader.h.
 *
 * From the bottom up: state.c reports deviations, reads words from the stream and classifies
 * headers; tables.c keeps what records register; sched.c decodes usual switches and wakeups;
 * content.c decodes all records. reader.c opens an archive, walks from record to record, and finds
 * records after damage.
 */
#ifndef LIBFXT_READER_STATE_H
#define LIBFXT_READER_STATE_H

#include <byteswap.h>

#include <fxt/fxt_mark.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/stream.h"

/* The window holds each record completely, except for the payloads of large blobs. */
#define WINDOW_WORDS	(128U << 10)
#define READ_BYTES	(256U << 10)

/* A provider's strings are in pages, because most providers use few of the 32767. */
#define STRING_PAGES	128
#define PAGE_STRINGS	256

struct string_entry {
	const char *bytes;	/* NULL: not registered; of a known one those of fxt_known_text() */
	uint16_t length;
	uint16_t known;		/* as in struct fxt_text */
};

struct thread_entry {
	uint64_t process;
	uint64_t thread;
	bool registered;
};

struct provider_state {
	struct fxt_provider public;
	struct provider_state *next;	/* in the same hash bucket */
	char name[FXT_MAX_PROVIDER_NAME + 1];
	struct thread_entry *threads;
	struct string_entry *pages[STRING_PAGES];
};

/*
 * The form of the last usual switch or wakeup: the bits of its headers that determine the meaning
 * of the other words. Valid until a table changes.
 */
struct sched_shape {
	uint64_t header;
	uint64_t args[2];	/* headers */
};

#define FORM_WORDS	7	/* of the longest switch or wakeup with a form */
#define FORM_ARGS	3	/* word from which on arguments may begin */
#define FORMS		128

/* Likewise for one kind, size and text; words with values are masked out. */
struct sched_form {
	uint64_t header;
	uint64_t most;		/* highest state; 0 in wakeups */
	uint64_t masks[FORM_WORDS - FORM_ARGS];
	uint64_t args[FORM_WORDS - FORM_ARGS];
};

/* Texts like "<string 32767>" instead of a record's strings that were never registered. */
#define PLACEHOLDERS		(2 + 2 * FXT_MAX_ARGS)
#define PLACEHOLDER_BYTES	16

#define ERROR_BYTES	256

struct fxt_reader {
	struct fxt_reader_options o;
	struct fxt_stream *stream;
	int fd;				/* closed with the reader, or -1 */
	bool swapped;			/* the archive has the other byte order */
	bool ended;			/* the stream has no more bytes */
	bool end_reported;		/* the caller knows that the archive has ended */
	int stream_error;		/* until it is reported */

	/* in words of the archive */
	uint64_t *window;
	size_t at;			/* the next record */
	size_t end;			/* after the last complete word */
	size_t tail;			/* bytes after that, fewer than 8 */
	uint64_t base;			/* byte of the archive at window[0] */

	/* The current record: the last one that was returned. */
	bool attention;			/* it needs work before the next, or words are swapped */
	size_t last;			/* its first word in the window */
	uint64_t number;
	bool whole;			/* the window holds all of it */
	bool odd;			/* deviates, is unknown, or has words after its fields */
	bool lost;			/* makes no sense */
	bool suspect;			/* refers to a string that was never registered */
	bool deviates;			/* a deviation was reported */
	bool decoded;			/* its deviations have been reported */
	unsigned int placeholder_count;
	char placeholders[PLACEHOLDERS][PLACEHOLDER_BYTES];
	bool quiet;			/* do not report again */
	uint64_t words_left;		/* words of it that are not in the window yet */
	uint64_t payload_left;		/* bytes of its payload that were not returned yet */
	unsigned int payload_pad;	/* bytes of padding to check after them */

	struct provider_state *current;
	struct provider_state **providers;	/* hash of provider_room buckets */
	uint32_t provider_room;
	uint32_t provider_count;
	size_t table_bytes;
	struct sched_shape shapes[2];	/* switches, wakeups */
	struct sched_form forms[FORMS];	/* by form_index() */
	bool has_forms;			/* the caller asks for runs of them */

	struct fxt_reader_totals totals;
	struct fxt_content scratch;
	char error[ERROR_BYTES];
};

/* --- switches and wakeups ---------------------------------------------------------------- */

/* The value of the argument "unknown"; 0 if our producers do not define it. */
static inline uint8_t fxt_reason_of(uint32_t known)
{
	return known == FXT_STR_LOST || known == FXT_STR_FILTERED || fxt_is_mark(known) ?
	       known : 0;
}

/* The interrupt with the name @known; FXT_SCHED_IRQ_NONE for other strings. */
static inline uint8_t fxt_irq_of(uint32_t known)
{
	return known >= FXT_STR_HARD && known <= FXT_STR_NMI ?
	       known - FXT_STR_HARD + FXT_SCHED_IRQ_HARD : FXT_SCHED_IRQ_NONE;
}

/* Does the format define a switch's state, or our extension? */
static inline bool fxt_state_is_defined(uint8_t state, uint8_t unknown)
{
	return state <= FXT_THREAD_DEAD || (unknown && state == FXT_SCHED_STATE_UNKNOWN);
}

/* Matches no header: every shape masks out bits that are set here. */
#define FXT_NO_SHAPE	(~0ULL)

static inline void fxt_forget_shapes(struct fxt_reader *r)
{
	size_t i;

	r->shapes[0].header = FXT_NO_SHAPE;
	r->shapes[1].header = FXT_NO_SHAPE;
	for (i = 0; r->has_forms && i < FORMS; i++)
		r->forms[i].header = FXT_NO_SHAPE;
}

/* A switch as our producers write it. Return: false if only content.c can decode it. */
bool fxt_fast_switch(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_switch *sw);
bool fxt_fast_wakeup(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_wakeup *wk);

/* --- words ------------------------------------------------------------------------------- */

static inline uint64_t from_archive(const struct fxt_reader *r, uint64_t w)
{
	return __builtin_expect(r->swapped, 0) ? bswap_64(w) : w;
}

/* Count a record that cannot be interpreted. */
static inline void fxt_count_skipped(struct fxt_reader *r, uint64_t bytes)
{
	r->totals.skipped++;
	r->totals.skipped_bytes += bytes;
}

/* Make @rec the current record, which deviations refer to. */
static inline void fxt_look_at(struct fxt_reader *r, const struct fxt_record *rec)
{
	r->number = rec->number;
	r->last = rec->words - r->window;
	r->whole = rec->held == rec->size;
}

/* Finish the current record, unless it has left work. Return: false if it has. */
static inline bool fxt_leave_plain(struct fxt_reader *r)
{
	if (r->swapped || r->odd || r->lost || r->suspect || r->words_left || r->payload_pad)
		return false;
	r->attention = false;
	r->decoded = false;
	r->deviates = false;
	r->payload_left = 0;
	return true;
}

/* --- kinds of records ------------------------------------------------------------------- */

/* By record type and sub-type; types without sub-types have 16 equal entries. */
extern const uint8_t fxt_kinds[16][16];

extern const uint8_t fxt_kinds_2017[16];	/* of events */

extern const uint8_t fxt_subtype_shift[16];

/* The kind of any record except metadata and large records. */
static inline enum fxt_kind fxt_kind_of_plain(const struct fxt_reader *r, uint64_t header)
{
	uint32_t type = fxt_get(FXT_TYPE, header);
	uint32_t subtype = header >> fxt_subtype_shift[type] & 15;

	if (type == FXT_RECORD_EVENT && r->o.format_2017)
		return fxt_kinds_2017[subtype];
	return fxt_kinds[type][subtype];
}

static inline enum fxt_kind fxt_kind_of(const struct fxt_reader *r, uint64_t header)
{
	enum fxt_kind kind = fxt_kind_of_plain(r, header);

	if (kind == FXT_KIND_MAGIC && fxt_get(FXT_TRACE_INFO_TYPE, header) != FXT_TRACE_INFO_MAGIC)
		return FXT_KIND_UNKNOWN;
	if (kind == FXT_KIND_LARGE_BLOB && fxt_get(FXT_LARGE_BLOB_FORMAT, header))
		return fxt_get(FXT_LARGE_BLOB_FORMAT, header) == FXT_LARGE_BLOB_NO_METADATA ?
		       FXT_KIND_LARGE_BLOB_BARE : FXT_KIND_UNKNOWN;
	return kind;
}

/* --- deviations ------------------------------------------------------------------------- */

/*
 * Report a deviation of the current record, and mark the record as odd. A quiet reader does
 * neither. @offset: of the word, in bytes of the archive. @lost: the record makes no sense. @field:
 * its name in the specification. @format: what is wrong. Return: -EBADMSG if the reader is strict
 * or @lost, else 0.
 */
int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
	__attribute__((format(printf, 6, 7), cold));

/* Report something that is not a deviation; arguments as of fxt_deviate(). Return: 0. */
int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
	__attribute__((format(printf, 5, 6), cold));

/* The bytes between a stream's end and the next word must be zero (content.c). */
int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes);

/* Report @words after the last field. Return: 0. */
int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field, uint64_t words);

/* --- the window ------------------------------------------------------------------------- */

/*
 * The part of the archive that is in memory. Words at r->window move whenever it is filled or
 * realigned.
 */

/*
 * Read words into the window. @keep: first word of the window that is still needed; it becomes word
 * 0, and at and last move along. @words: wanted from @keep on; fewer if the archive ends before.
 * May block in read(2). An error ends the archive; fxt_window_failure() reports it.
 */
void fxt_window_fill(struct fxt_reader *r, size_t keep, size_t words);

/* Move byte @from to the window's front, where the next record begins. */
void fxt_window_realign(struct fxt_reader *r, size_t from);

/*
 * Report why the stream ended early, if it did. Return: 0; as fxt_deviate() if compressed data are
 * damaged; a negative errno of read(2).
 */
int fxt_window_failure(struct fxt_reader *r);

/*
 * Words of the archive from the window's word @from on. Return: UINT64_MAX if the length is
 * unknown.
 */
uint64_t fxt_window_left(const struct fxt_reader *r, size_t from);

#endif /* LIBFXT_READER_STATE_H */
