/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the state of a reader, shared by its parts. The API is fxt_reader.h.
 *
 * From the bottom up: deviation.c reports, window.c reads words from the stream, kinds.c
 * classifies headers, tables.c keeps what records register, cursor.c decodes parts of a
 * record. content.c decodes whole records, resync.c finds records after damage, sched.c
 * decodes switches and wakeups fast, payload.c reads large blobs. reader.c walks from
 * record to record, open.c opens an archive.
 */
#ifndef LIBFXT_READER_STATE_H
#define LIBFXT_READER_STATE_H

#include <byteswap.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/stream.h"

/* The window holds each record completely, except for the payloads of large blobs. */
#define WINDOW_WORDS	(128U << 10)
#define READ_BYTES	(256U << 10)

/* A provider's strings are in pages, because most providers use few of the 32767. */
#define STRING_PAGES	128
#define PAGE_STRINGS	256

struct string_entry {
	char *bytes;		/* NULL: not registered */
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
 * The form of the last usual switch or wakeup: those bits of its headers that determine
 * what the other words mean. Valid until a table changes.
 */
struct sched_shape {
	uint64_t header;
	uint64_t args[2];	/* headers of its arguments */
};

/* Replace the strings of a record that were never registered: "<string 32767>" */
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

	/* Words of the archive; indices count words. */
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

	struct fxt_reader_totals totals;
	struct fxt_content scratch;
	char error[ERROR_BYTES];
};

/* Matches no header: every shape masks out bits that are set here. */
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

#endif /* LIBFXT_READER_STATE_H */
