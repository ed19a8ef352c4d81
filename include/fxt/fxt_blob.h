/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_blob.h - BLOB records and large BLOB records.
 */
#ifndef FXT_FXT_BLOB_H
#define FXT_FXT_BLOB_H

#include "fxt_word.h"

/* "BLOB record (record type = 5)": header, [name], payload as a stream. */
#define FXT_BLOB_NAME			FXT_BITS(16, 31)	/* string ref */
#define FXT_BLOB_SIZE			FXT_BITS(32, 46)	/* bytes */
#define FXT_BLOB_TYPE			FXT_BITS(48, 55)
#define FXT_BLOB_RESERVED		(FXT_BITS(47, 47) | FXT_BITS(56, 63))

enum fxt_blob_type {
	FXT_BLOB_DATA			= 1,
	FXT_BLOB_LAST_BRANCH		= 2,
	FXT_BLOB_PERFETTO		= 3,
};

static __always_inline __u64 fxt_blob(__u64 words, __u64 name_ref, __u64 bytes,
				      __u64 blob_type)
{
	return fxt_header(FXT_RECORD_BLOB, words) |
	       fxt_put(FXT_BLOB_NAME, name_ref) |
	       fxt_put(FXT_BLOB_SIZE, bytes) |
	       fxt_put(FXT_BLOB_TYPE, blob_type);
}

/*
 * "Large record header" and "Large BLOB record (record type = 15, large type = 0)": header, format
 * header, [category], [name]; in the format with metadata ticks, [process koid, thread koid],
 * arguments; blob size in bytes, payload.
 */
#define FXT_LARGE_SIZE			FXT_BITS(4, 35)		/* words */
#define FXT_LARGE_TYPE			FXT_BITS(36, 39)
#define FXT_LARGE_BLOB			0			/* large type */
#define FXT_LARGE_BLOB_FORMAT		FXT_BITS(40, 43)
#define FXT_LARGE_BLOB_RESERVED		FXT_BITS(44, 63)

enum fxt_large_blob_format {
	FXT_LARGE_BLOB_METADATA		= 0,	/* in band, with metadata */
	FXT_LARGE_BLOB_NO_METADATA	= 1,	/* in band, category and name only */
};

static __always_inline __u64 fxt_large_blob(__u64 words, __u64 format)
{
	return fxt_put(FXT_TYPE, FXT_RECORD_LARGE) |
	       fxt_put(FXT_LARGE_SIZE, words) |
	       fxt_put(FXT_LARGE_TYPE, FXT_LARGE_BLOB) |
	       fxt_put(FXT_LARGE_BLOB_FORMAT, format);
}

/* The format header; the reserved bits differ by format. */
#define FXT_LARGE_CATEGORY		FXT_BITS(0, 15)		/* string ref */
#define FXT_LARGE_NAME			FXT_BITS(16, 31)	/* string ref */
#define FXT_LARGE_ARGS			FXT_BITS(32, 35)
#define FXT_LARGE_THREAD		FXT_BITS(36, 43)	/* thread ref */
#define FXT_LARGE_METADATA_RESERVED	FXT_BITS(44, 63)
#define FXT_LARGE_NO_METADATA_RESERVED	FXT_BITS(32, 63)

static __always_inline __u64 fxt_large_blob_metadata(__u64 category_ref, __u64 name_ref,
						     __u64 args, __u64 thread_ref)
{
	return fxt_put(FXT_LARGE_CATEGORY, category_ref) |
	       fxt_put(FXT_LARGE_NAME, name_ref) |
	       fxt_put(FXT_LARGE_ARGS, args) |
	       fxt_put(FXT_LARGE_THREAD, thread_ref);
}

static __always_inline __u64 fxt_large_blob_no_metadata(__u64 category_ref, __u64 name_ref)
{
	return fxt_put(FXT_LARGE_CATEGORY, category_ref) |
	       fxt_put(FXT_LARGE_NAME, name_ref);
}

#endif /* FXT_FXT_BLOB_H */
