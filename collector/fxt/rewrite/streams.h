/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.h - ledgers for a selection of the records of our producers.
 *
 * In: the ledgers of an archive, and which of the records after them are kept.
 * Out: ledgers with the producers' invariant: from the opening to the closing ledger, written =
 * stored + lost. Records that are omitted on purpose do not count, nor do marks. Losses in the
 * range stay losses: an event and a slice report each, and a switch ends the run of the thread that
 * was switched in before.
 *
 * Of the stream of names only its losses are kept: names come before all ledgers.
 * Streams are distinguished by their numbers alone, whatever their provider.
 */
#ifndef FXT_REWRITE_STREAMS_H
#define FXT_REWRITE_STREAMS_H

#include <stdbool.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/writer/losses.h"
#include "walk/koids.h"
#include "rewrite.h"

/** struct streams_range - ticks, both ends included */
struct streams_range {
	uint64_t from;
	uint64_t to;
};

/** struct streams_mark - a mark (<fxt/fxt_mark.h>) */
struct streams_mark {
	uint32_t kind;		/* FXT_STR_BEGIN or the like; 0: none */
	uint64_t time;		/* ticks */
	struct fxt_owner owner;
};

/* --------------------------------------------------------------------
 * Writes the provider of the next records.
 *
 * In: the provider of each record, before it is written.
 * Out: the records that introduce a provider (its info, ticks per second, and for our
 * producers the strings of fxt_sched.h, in their order), and a section record when it
 * continues later.
 */

struct providers_entry;

/** struct providers - providers of the result; initialize with zeros except @f */
struct providers {
	struct rewrite *f;
	struct providers_entry *list;
	struct koids numbers;	/* in @list, by id */
	size_t count;
	size_t now;		/* provider of the next records, as index in @list */
};

/** providers_enter() - set the provider of the next records, by its id in the result */
void providers_enter(struct providers *p, const struct fxt_provider *provider);

/** providers_is_now() - would providers_enter() write nothing? */
bool providers_is_now(const struct providers *p, const struct fxt_provider *provider);

void providers_free(struct providers *p);

#define STREAMS	FXT_LEDGER_STREAM_NAMES

struct stream;

/** struct streams_edges - the caller's knowledge of the edges of a range */
struct streams_edges {
	void *arg;
	/* Gets the mark of a CPU for the start or the end of the range; kind 0: unknown. */
	struct streams_mark (*find)(void *arg, uint16_t cpu, bool is_end);
	/* Does the result show which thread has a CPU? */
	bool (*shows)(void *arg, uint16_t cpu, uint64_t thread, uint64_t ticks);
};

/**
 * struct streams - streams of the result; initialize with zeros except @p and, if the range has
 * limits, @edges; end with streams_free()
 */
struct streams {
	struct providers *p;
	struct streams_edges edges;
	uint64_t marks;			/* number of marks in the result */
	struct stream *now;		/* stream of the next records in the result */
	uint64_t losses;		/* number of gaps in the result */
	struct fxt_loss_names named;
	struct stream *names;		/* streams of names, one per provider */
	struct stream *streams[STREAMS];
};

/**
 * streams_ledger() - handle a ledger that was read
 * @provider: id in the result of its provider, which is introduced already
 *
 * An opening ledger of a known stream continues it: its counts must equal those that the
 * stream has reached.
 *
 * Return: the stream of the records after it, or NULL.
 */
struct stream *streams_ledger(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
			      const struct streams_range *range);

/** streams_counts() - does a record after a ledger count in its stream? */
bool streams_counts(const struct fxt_provider *provider, const struct fxt_content *c);

/** streams_is_mark() - is a record a mark? Marks do not count in their streams */
bool streams_is_mark(const struct fxt_content *c);

/**
 * streams_mark() - handle a mark that was read, and write it in its place if the result has it.
 * Return: false if the CPU has no stream: treat the mark like any record.
 */
bool streams_mark(struct streams *st, const struct fxt_content *c);

/** streams_number() - the number of a stream in the result: its CPU */
uint32_t streams_number(const struct stream *stream);

/**
 * streams_record() - handle a record that was read and that counts in its stream; @stays: the
 * record is in the range, and the caller writes it right after this call
 */
void streams_record(struct streams *st, struct stream *stream, const struct fxt_content *c,
		    bool stays);

/** streams_accept_hot() - may hot records up to @last (ticks) be handled in a run? */
bool streams_accept_hot(const struct streams *st, const struct stream *s, uint64_t last, bool stay);

/** streams_hot() - handle hot records that were read, in the order of time, and written if @stay */
void streams_hot(struct stream *s, const uint64_t *words, size_t count, bool stay);

/** streams_end() - write the closing ledgers of @count numbers from @first on, if they are open */
void streams_end(struct streams *st, uint32_t first, uint32_t count);

/** streams_finish() - write the last losses, and the closing ledgers of all open streams */
void streams_finish(struct streams *st);

void streams_free(struct streams *st);

/** streams_is_loss() - does a record report a loss? The result has its own records of losses */
bool streams_is_loss(const struct fxt_content *c);

#endif /* FXT_REWRITE_STREAMS_H */
