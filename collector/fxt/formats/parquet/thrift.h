/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thrift.h - structures in Thrift's compact protocol.
 *
 * In: fields, in the order of their ids.
 * Out: bytes. See "Thrift Compact protocol encoding" in Thrift's
 * doc/specs/thrift-compact-protocol.md.
 */
#ifndef FXT_FORMATS_PARQUET_THRIFT_H
#define FXT_FORMATS_PARQUET_THRIFT_H

#include "buffer.h"

#define THRIFT_DEPTH	8	/* of nested structures */

/* Types of elements of lists. */
#define THRIFT_I32	5
#define THRIFT_BINARY	8
#define THRIFT_STRUCT	12

/** struct thrift - begins with @to only; then it is in the outermost structure */
struct thrift {
	struct parquet_buffer *to;
	unsigned int depth;
	int last[THRIFT_DEPTH];		/* id of the last field of each structure */
};

void thrift_i32(struct thrift *t, int id, int32_t value);
void thrift_i64(struct thrift *t, int id, int64_t value);
void thrift_bool(struct thrift *t, int id, bool value);
void thrift_binary(struct thrift *t, int id, const void *data, size_t bytes);
void thrift_string(struct thrift *t, int id, const char *text);

/** thrift_list() - a field that is a list; its @count elements follow */
void thrift_list(struct thrift *t, int id, unsigned int type, size_t count);
void thrift_list_i32(struct thrift *t, int32_t value);
void thrift_list_string(struct thrift *t, const char *text);

/** thrift_begin() - a field that is a structure; its fields follow, until thrift_end() */
void thrift_begin(struct thrift *t, int id);

/** thrift_list_begin() - the same, an element of a list */
void thrift_list_begin(struct thrift *t);

/** thrift_end() - end the innermost structure, at last the outermost */
void thrift_end(struct thrift *t);

/** thrift_empty() - a field that is a structure without fields, as in unions */
void thrift_empty(struct thrift *t, int id);

#endif /* FXT_FORMATS_PARQUET_THRIFT_H */
