/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds.h - the kind of a record, from its header.
 */
#ifndef LIBFXT_READER_KINDS_H
#define LIBFXT_READER_KINDS_H

#include "state.h"

/* By record type and sub-type; types without sub-types have 16 equal entries. */
extern const uint8_t fxt_kinds[16][16];
extern const uint8_t fxt_kinds_2017[16];	/* of events */
extern const uint8_t fxt_subtype_shift[16];

/** fxt_kind_of_plain() - the kind of any record but metadata and large records */
static inline enum fxt_kind fxt_kind_of_plain(const struct fxt_reader *r, uint64_t header)
{
	uint32_t type = fxt_get(FXT_TYPE, header);
	uint32_t subtype = header >> fxt_subtype_shift[type] & 15;

	if (type == FXT_RECORD_EVENT && r->o.format_2017)
		return fxt_kinds_2017[subtype];
	return fxt_kinds[type][subtype];
}

/** fxt_kind_of() - the kind of any record */
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

#endif /* LIBFXT_READER_KINDS_H */
