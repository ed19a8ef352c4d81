/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * firefox.h - a profile of Firefox: what the files of this folder share.
 *
 * The format is the "processed" one of profiler.firefox.com, version 60, which later versions of
 * that viewer convert to their own.
 */
#ifndef FXT_FORMATS_FIREFOX_FIREFOX_H
#define FXT_FORMATS_FIREFOX_FIREFOX_H

#include "formats/sqlite/database.h"
#include "liboutput/json.h"

/* fxt recognizes its profiles by their begin. */
#define FIREFOX_HEAD	"{\"meta\":{\"importedFrom\":\"fxt "

/** struct profile - @shown: by the id of a stack, the first caller outside of the tracer, or 0 */
struct profile {
	struct database d;
	struct out o;
	struct json j;
	sqlite3_int64 *shown;
	size_t stacks;
	uint64_t flows, objects, blobs;
};

/** firefox_prepare() - begin a query. Return: NULL after an error, which is reported */
sqlite3_stmt *firefox_prepare(struct profile *p, const char *sql);

/** firefox_next() - go to the next row of a query, which may be NULL. Return: is there one? */
bool firefox_next(struct profile *p, sqlite3_stmt *s);

/** firefox_print() - print the profile that profile.sql has made */
void firefox_print(struct profile *p);

#endif /* FXT_FORMATS_FIREFOX_FIREFOX_H */
