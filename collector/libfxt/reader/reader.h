/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader.h - what the parts of the reader share. The API is fxt_reader.h.
 *
 * reader.c walks, tables.c keeps what records register, content.c
 * and args.c take records apart, sched.c does so quickly for the
 * frequent ones, resync.c finds the next record after damage.
 */
#ifndef LIBFXT_READER_H
#define LIBFXT_READER_H

#include <byteswap.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/stream.h"

/* The window holds the whole of each record, but for payloads of large ones. */
#define WINDOW_WORDS	(128U << 10)
#define READ_BYTES	(256U << 10)

/* Strings of a provider lie in pages, because most use a few of 32767. */
#define STRING_PAGES	128
#define PAGE_STRINGS	256

struct string_entry {
	char *bytes;		/* NULL if none is registered */
	uint16_t length;
	uint16_t known;
};

struct thread_entry {
	uint64_t process;
	uint64_t thread;
	bool registered;
};

struct provider_state {
	struct fxt_provider public;
	struct provider_state *next;	/* of the same hash */
	char name[FXT_MAX_PROVIDER_NAME + 1];
	struct thread_entry *threads;
	struct string_entry *pages[STRING_PAGES];
};

/*
 * How the last usual switch, and the last usual wakeup, were written: the bits that
 * say what the others mean. Valid until a table changes.
 */
struct sched_shape {
	uint64_t header;
	uint64_t args[2];	/* their headers */
};

/* What stands for the strings of a record that were never registered: "<string 32767>" */
#define PLACEHOLDERS		(2 + 2 * FXT_MAX_ARGS)
#define PLACEHOLDER_BYTES	16

#define FIRST_PROVIDERS	1024	/* lists of them; doubled when there are more */
#define ERROR_BYTES	256

struct fxt_reader {
	struct fxt_reader_options o;
	struct fxt_stream *stream;
	int fd;				/* to be closed, or -1 */
	bool swapped;
	bool ended;			/* the stream has no more */
	bool finished;			/* the end was told */
	int failed;			/* why it ended; not told yet */

	uint64_t *window;
	size_t at;			/* word that the next record begins at */
	size_t end;			/* word behind the last whole one */
	size_t tail;			/* bytes behind that, fewer than 8 */
	uint64_t base;			/* byte of the archive at window[0] */

	/* The last record. */
	bool attention;			/* it has left something to do, or words are swapped */
	size_t last;			/* word that it begins at */
	uint64_t number;
	bool whole;			/* the window holds all of it */
	bool odd;			/* not as the format defines it */
	bool lost;			/* it made no sense */
	bool suspect;			/* it hardly makes any */
	bool deviates;			/* a deviation of it was told */
	bool decoded;			/* its deviations are told already */
	unsigned int placeholder_count;
	char placeholders[PLACEHOLDERS][PLACEHOLDER_BYTES];
	bool quiet;			/* do not tell again */
	uint64_t rest;			/* its words that are not in the window yet */
	uint64_t payload_left;		/* bytes of its payload not given yet */
	unsigned int payload_pad;	/* bytes of padding to be checked then */

	struct provider_state *current;
	struct provider_state **providers;	/* a hash of provider_room lists */
	uint32_t provider_room;
	uint32_t provider_count;
	size_t table_bytes;
	struct sched_shape shapes[2];	/* of switches, of wakeups */

	struct fxt_reader_totals totals;
	struct fxt_content scratch;
	char error[ERROR_BYTES];
};

/* No header is like this one: each shape leaves bits out that are set in it. */
static inline void fxt_forget_shapes(struct fxt_reader *r)
{
	r->shapes[0].header = ~0ULL;
	r->shapes[1].header = ~0ULL;
}

/* Word @w of the archive in the byte order of this machine. */
static inline uint64_t from_archive(const struct fxt_reader *r, uint64_t w)
{
	return __builtin_expect(r->swapped, 0) ? bswap_64(w) : w;
}

/* One record less that can be interpreted. */
static inline void fxt_count_skipped(struct fxt_reader *r, uint64_t bytes)
{
	r->totals.skipped++;
	r->totals.skipped_bytes += bytes;
}

/* --- text.c --- */

/** fxt_known_string() - index in FXT_SCHED_STRINGS, 0 if it is none of them */
uint16_t fxt_known_string(const char *bytes, size_t length);

/** fxt_utf8_valid() - how many bytes from the start are well-formed UTF-8 */
size_t fxt_utf8_valid(const char *bytes, size_t length);

/* --- reader.c --- */

/**
 * fxt_deviate() - tell one deviation
 * @r: the reader
 * @offset: of the word, bytes in the archive
 * @kind: what sort
 * @lost: the record makes no sense
 * @field: as the specification names it
 * @format: what is wrong
 *
 * Return: -EBADMSG if the reader is strict or @lost, else 0.
 */
int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
	__attribute__((format(printf, 6, 7), cold));

/**
 * fxt_note() - tell what is no deviation; as fxt_deviate()
 *
 * Return: 0.
 */
int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
	__attribute__((format(printf, 5, 6), cold));

/** fxt_note_trailing() - tell of @words words that are not defined; returns 0 */
int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field,
		      uint64_t words);

/**
 * fxt_fill() - get words into the window
 * @r: the reader
 * @keep: first word of the window that is still needed; becomes word 0, and
 *	at and last move along
 * @words: as many as are wanted from @keep on
 *
 * There are fewer if the archive ends before.
 */
void fxt_fill(struct fxt_reader *r, size_t keep, size_t words);

/** fxt_reader_look_at() - what is told from here on is about this record, the last */
void fxt_reader_look_at(struct fxt_reader *r, const struct fxt_record *rec);

/* --- tables.c --- */

int fxt_tables_open(struct fxt_reader *r);
void fxt_tables_close(struct fxt_reader *r);

/** fxt_tables_apply() - what a record registers takes effect */
int fxt_tables_apply(struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c);

/** fxt_find_string() - a registered string, NULL if there is none; index > 0 */
static inline const struct string_entry *
fxt_find_string(const struct fxt_reader *r, uint32_t index)
{
	const struct string_entry *page = r->current->pages[index / PAGE_STRINGS];

	if (!page || !page[index % PAGE_STRINGS].bytes)
		return NULL;
	return &page[index % PAGE_STRINGS];
}

/* --- args.c: what is left of one record while parts are taken off --- */

struct cursor {
	struct fxt_reader *r;
	const uint64_t *words;
	uint64_t offset;	/* bytes in the archive, of words[0] */
	uint64_t head;		/* the same of the header whose fields are taken */
	uint32_t at;
	uint32_t end;
	bool any_bytes;		/* texts need not be UTF-8 */
	bool keeps;		/* a string that is not registered is no reason to give up */
};

/* Where the cursor stands, bytes in the archive. */
static inline uint64_t cursor_offset(const struct cursor *c)
{
	return c->offset + (uint64_t)c->at * FXT_WORD;
}

/* Each: 0, or -EBADMSG after telling. */
int fxt_take_word(struct cursor *c, const char *field, uint64_t *word);
int fxt_take_stream(struct cursor *c, const char *field, uint64_t bytes,
		    const void **data);
int fxt_take_text(struct cursor *c, const char *field, uint64_t bytes,
		  struct fxt_text *text);
int fxt_take_string(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_text *text);
int fxt_take_thread(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_thread_id *id);
int fxt_take_args(struct cursor *c, unsigned int count, struct fxt_content *to);
/* Reserved bits of the header must be zero. */
int fxt_check_reserved(const struct cursor *c, uint64_t word, uint64_t mask);
/* What is left is not defined. */
int fxt_take_extra(struct cursor *c, const char *field, struct fxt_bytes *extra);
/* Bytes behind the content of a stream must be zero. */
int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes);

/* --- content.c --- */

/* By record type and sub-type; where there are no sub-types, all say the same. */
extern const uint8_t fxt_kinds[16][16];
extern const uint8_t fxt_kinds_2017[16];	/* of events */
extern const uint8_t fxt_subtype_shift[16];

/** fxt_kind_of_plain() - what a header says, but those of metadata and large records */
static inline enum fxt_kind fxt_kind_of_plain(const struct fxt_reader *r, uint64_t header)
{
	uint32_t type = fxt_get(FXT_TYPE, header);
	uint32_t subtype = header >> fxt_subtype_shift[type] & 15;

	if (type == FXT_RECORD_EVENT && r->o.format_2017)
		return fxt_kinds_2017[subtype];
	return fxt_kinds[type][subtype];
}

/** fxt_kind_of() - what a header says that its record is */
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

/* --- sched.c --- */

/** fxt_sched_arguments() - fill in what arguments say of a switch or wakeup */
void fxt_sched_arguments(struct fxt_content *c);

/** fxt_state_is_defined() - of a switch: by the format, or by us beside @unknown */
bool fxt_state_is_defined(uint8_t state, uint8_t unknown);

/* --- resync.c --- */

/**
 * fxt_resync() - find the next place where records follow one another
 * @r: the reader; its at is set to it, or to the end
 * @from: word of the window to begin at
 */
void fxt_resync(struct fxt_reader *r, size_t from);

/**
 * fxt_begins() - do records stand at the archive's first word, one after the other?
 * @r: the reader, which has not moved; it learns their byte order
 */
bool fxt_begins(struct fxt_reader *r);

/** fxt_torn_at() - the byte of the window in the last record at which others begin, or 0 */
size_t fxt_torn_at(const struct fxt_reader *r);

/** fxt_realign() - let the window begin at such a byte; the reader stands there */
void fxt_realign(struct fxt_reader *r, size_t from);

/**
 * fxt_follows() - where to go on behind a record that is odd
 * @r: the reader, which stands behind it; the window holds all of it
 *
 * Return: the word of the window at which records begin within it, if they do;
 * else where the reader stands.
 */
size_t fxt_follows(struct fxt_reader *r);

#endif /* LIBFXT_READER_H */
