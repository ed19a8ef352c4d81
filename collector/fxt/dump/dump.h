/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump.h - one line for each record, as text or as JSON. */
#ifndef FXT_DUMP_H
#define FXT_DUMP_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/objects.h"
#include "sched/symbols.h"
#include "liboutput/out.h"
#include "table/schema.h"

/* Is fxt_content.time valid for records of this kind? */
static inline bool dump_has_time(enum fxt_kind kind)
{
	return fxt_kind_has_time(kind) || kind == FXT_KIND_LARGE_BLOB;
}

/* --- any record (record.c) --------------------------------------------------------------- */

extern const char *const dump_states[];

/*
 * Write a record. @c: NULL if its kind is unknown. Returns 0, or a negative errno of
 * fxt_reader_payload(); the line is complete in either case.
 */
int dump_record(struct out *o, bool is_json, struct fxt_reader *r, const struct fxt_record *rec,
		const struct fxt_content *c, const struct fxt_objects *objects,
		struct sched_symbols *symbols);

extern const struct schema dump_schema[];

/* Write data that the specification does not allow. */
void dump_malformed(struct out *o, bool is_json, const struct fxt_deviation *d);

/* --- switches and wakeups of the usual form (hot.c) -------------------------------------- */

struct dump_hot;

/* @objects: those known at the time of each record */
struct dump_hot *dump_hot_open(const struct fxt_objects *objects, bool is_json);
void dump_hot_close(struct dump_hot *h);

/* Set the provider of the following records. */
void dump_hot_provider(struct dump_hot *h, uint32_t id);

/*
 * Write record @number fast, with the same line as dump_record(). @end: NULL for a hot record.
 * Returns false without writing if only dump_record() can.
 */
bool dump_hot_record(struct dump_hot *h, struct out *o, const struct fxt_hot *u,
		     const struct fxt_hot_end *end, uint64_t number);

#endif /* FXT_DUMP_H */
