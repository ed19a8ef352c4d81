/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.h - the two formats of fxt dump: one line for each record.
 *
 * In: decoded records, the objects known so far, and the functions that stacks are in.
 * Out: lines of text or of JSON. Between two records, a format keeps only names.
 */
#ifndef FXT_DUMP_H
#define FXT_DUMP_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/objects.h"
#include "sched/symbols.h"
#include "liboutput/out.h"

struct dump_names;

/* Room for any line of @hot, and for bytes that copies of fixed length write beyond it. */
#define DUMP_HOT_BYTES	2048

/**
 * struct dump_place - place of a record
 * @number: its number
 * @offset: the last one, like @time, @record (the number) and @cpu
 * @provider_text: id of its provider, @provider_bytes
 */
struct dump_place {
	uint64_t number;
	struct out_growing offset;
	struct out_growing time;
	struct out_last record;
	struct out_last cpu;
	uint8_t provider_bytes;
	char provider_text[OUT_NUMBER];
};

/**
 * struct dump_format - how records become lines
 * @record: write a record; the content is NULL if the kind is unknown; @symbols: names of functions
 *	in stacks. Returns 0 or a negative errno of fxt_reader_payload(); the line is complete in
 *	either case
 * @hot: write a switch or wakeup of the usual form at once, with the same line as @record; returns
 *	false without writing if only @record can. @names: for the time of the record; @end: NULL
 *	for a hot record
 * @escape: escape a name as the format requires
 * @malformed: write data that the specification does not allow
 */
struct dump_format {
	int (*record)(struct out *o, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c, const struct fxt_objects *objects,
		      struct sched_symbols *symbols);
	bool (*hot)(struct out *o, struct dump_names *names, const struct fxt_hot *u,
		    const struct fxt_hot_end *end, struct dump_place *place);
	void (*escape)(struct out *o, const char *bytes, size_t length);
	void (*malformed)(struct out *o, const struct fxt_deviation *d);
};

extern const struct dump_format dump_text;
extern const struct dump_format dump_json;

/** dump_ns() - convert a record's ticks to ns */
static inline uint64_t dump_ns(const struct fxt_record *rec, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);
}

/** dump_thread() - find the object of a thread; NULL if it is unknown or has no name */
static inline const struct fxt_object *dump_thread(const struct fxt_objects *objects,
						   uint64_t koid)
{
	const struct fxt_object *ob = fxt_objects_find(objects, FXT_CLASS_THREAD, 0, koid);

	return ob && ob->length ? ob : NULL;
}

/**
 * dump_referent() - find the object that an argument refers to; NULL if unknown or without a name
 */
static inline const struct fxt_object *dump_referent(const struct fxt_objects *objects,
						     const struct fxt_content *c,
						     const struct fxt_arg *arg)
{
	const struct fxt_object *ob = fxt_objects_argument(objects, c->thread.process, arg);

	return ob && ob->length ? ob : NULL;
}

/** dump_function() - find the function of a backtrace's frame; NULL if it is unknown */
static inline const char *dump_function(struct sched_symbols *symbols,
					const struct fxt_record *rec,
					const struct fxt_content *c, unsigned int frame)
{
	const struct sched_symbol *symbol =
		sched_symbol_find(symbols, rec->provider->id, c->thread.process,
				  fxt_sched_frame_address(c->frames[frame]));

	return symbol ? symbol->name : NULL;
}

/** dump_has_time() - is fxt_content.time valid for records of this kind? */
static inline bool dump_has_time(enum fxt_kind kind)
{
	return fxt_kind_has_time(kind) || kind == FXT_KIND_LARGE_BLOB;
}

/**
 * dump_ledger() - decode a ledger
 *
 * A payload is bytes: in an archive of the other byte order, the byte order of the ledger's
 * own words is unknown.
 *
 * Return: false if the record is not a ledger.
 */
static inline bool dump_ledger(const struct fxt_reader *r, const struct fxt_record *rec,
			       struct fxt_ledger *ledger)
{
	return rec->size == FXT_LEDGER_WORDS && !fxt_reader_swapped(r) &&
	       fxt_sched_get_ledger((const __u64 *)rec->words, ledger);
}

#endif /* FXT_DUMP_H */
