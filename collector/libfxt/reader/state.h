/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - a reader, which its parts share. The API is fxt_reader.h.
 */
#ifndef LIBFXT_READER_STATE_H
#define LIBFXT_READER_STATE_H

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

/* What is told from here on is about this record, the last. */
static inline void fxt_look_at(struct fxt_reader *r, const struct fxt_record *rec)
{
	r->number = rec->number;
	r->last = rec->words - r->window;
	r->whole = rec->held == rec->size;
}

#endif /* LIBFXT_READER_STATE_H */
