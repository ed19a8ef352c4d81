/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * firefox.h - a profile of Firefox: what the files of this folder share.
 *
 * The format is the "processed" one of profiler.firefox.com, version 60; later versions of that
 * viewer convert it.
 */
#ifndef FXT_FORMATS_FIREFOX_FIREFOX_H
#define FXT_FORMATS_FIREFOX_FIREFOX_H

#include "formats/sqlite/database.h"
#include "liboutput/json.h"

/* By this, fxt recognizes its own profiles. */
#define FIREFOX_HEAD	"{\"meta\":{\"importedFrom\":\"fxt "

struct profile {
	struct database d;
	struct out o;
	struct json j;
	sqlite3_int64 *shown;	/* by stack id: the first caller outside of the tracer, or 0 */
	size_t stacks;
	uint64_t flows, objects, blobs;
};

/* Begin a query. Returns NULL after an error, which is reported. */
sqlite3_stmt *firefox_prepare(struct profile *p, const char *sql);

/* Go to the next row of a query, which may be NULL. Returns false at the end. */
bool firefox_next(struct profile *p, sqlite3_stmt *s);
void firefox_print(struct profile *p);

#endif /* FXT_FORMATS_FIREFOX_FIREFOX_H */
