/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_metadata.h - the records that precede all others: metadata, initialization, and the entries
 * of the string and thread tables.
 */
#ifndef FXT_FXT_METADATA_H
#define FXT_FXT_METADATA_H

#include "fxt_word.h"

/* "Metadata record (record type = 0)" */
#define FXT_METADATA_TYPE		FXT_BITS(16, 19)

enum fxt_metadata_type {
	FXT_METADATA_PROVIDER_INFO	= 1,
	FXT_METADATA_PROVIDER_SECTION	= 2,
	FXT_METADATA_PROVIDER_EVENT	= 3,
	FXT_METADATA_TRACE_INFO		= 4,
};

static __always_inline __u64 fxt_metadata_header(__u64 metadata_type, __u64 words)
{
	return fxt_header(FXT_RECORD_METADATA, words) |
	       fxt_put(FXT_METADATA_TYPE, metadata_type);
}

/* "Provider info metadata": header, then the name as a stream. */
#define FXT_PROVIDER_ID			FXT_BITS(20, 51)
#define FXT_PROVIDER_NAME_LENGTH	FXT_BITS(52, 59)	/* bytes */
#define FXT_PROVIDER_INFO_RESERVED	FXT_BITS(60, 63)
#define FXT_MAX_PROVIDER_NAME		255

static __always_inline __u64 fxt_provider_info(__u64 id, __u64 name_bytes)
{
	return fxt_metadata_header(FXT_METADATA_PROVIDER_INFO,
				   1 + fxt_stream_words(name_bytes)) |
	       fxt_put(FXT_PROVIDER_ID, id) |
	       fxt_put(FXT_PROVIDER_NAME_LENGTH, name_bytes);
}

/* "Provider section metadata": one word. */
#define FXT_PROVIDER_SECTION_RESERVED	FXT_BITS(52, 63)

static __always_inline __u64 fxt_provider_section(__u64 id)
{
	return fxt_metadata_header(FXT_METADATA_PROVIDER_SECTION, 1) |
	       fxt_put(FXT_PROVIDER_ID, id);
}

/* "Provider event metadata": one word. */
#define FXT_PROVIDER_EVENT_ID		FXT_BITS(52, 55)
#define FXT_PROVIDER_EVENT_RESERVED	FXT_BITS(56, 63)

enum fxt_provider_event {
	FXT_PROVIDER_EVENT_BUFFER_FULL	= 0,
};

static __always_inline __u64 fxt_provider_event(__u64 id, __u64 event)
{
	return fxt_metadata_header(FXT_METADATA_PROVIDER_EVENT, 1) |
	       fxt_put(FXT_PROVIDER_ID, id) |
	       fxt_put(FXT_PROVIDER_EVENT_ID, event);
}

/* "Trace info metadata" and its only type, the "Magic number record". */
#define FXT_TRACE_INFO_TYPE		FXT_BITS(20, 23)
#define FXT_TRACE_INFO_MAGIC_NUMBER	FXT_BITS(24, 55)
#define FXT_TRACE_INFO_RESERVED		FXT_BITS(56, 63)
#define FXT_TRACE_INFO_MAGIC		0		/* trace info type */
#define FXT_MAGIC_NUMBER		0x16547846ULL
#define FXT_MAGIC_RECORD		0x0016547846040010ULL

static __always_inline __u64 fxt_magic(void)
{
	return fxt_metadata_header(FXT_METADATA_TRACE_INFO, 1) |
	       fxt_put(FXT_TRACE_INFO_TYPE, FXT_TRACE_INFO_MAGIC) |
	       fxt_put(FXT_TRACE_INFO_MAGIC_NUMBER, FXT_MAGIC_NUMBER);
}

/* "Initialization record (record type = 1)": header, ticks per second. */
#define FXT_INITIALIZATION_WORDS	2
#define FXT_INITIALIZATION_RESERVED	FXT_BITS(16, 63)

static __always_inline __u64 fxt_initialization(void)
{
	return fxt_header(FXT_RECORD_INITIALIZATION, FXT_INITIALIZATION_WORDS);
}

/* "String record (record type = 2)": header, then the string as a stream. */
#define FXT_STRING_INDEX		FXT_BITS(16, 30)
#define FXT_STRING_LENGTH		FXT_BITS(32, 46)	/* bytes */
#define FXT_STRING_RESERVED \
	(FXT_BITS(31, 31) | FXT_BITS(47, 47) | FXT_BITS(48, 63))

static __always_inline __u64 fxt_string(__u64 index, __u64 bytes)
{
	return fxt_header(FXT_RECORD_STRING, 1 + fxt_stream_words(bytes)) |
	       fxt_put(FXT_STRING_INDEX, index) |
	       fxt_put(FXT_STRING_LENGTH, bytes);
}

/* "Thread record (record type = 3)": header, process koid, thread koid. */
#define FXT_THREAD_WORDS		3
#define FXT_THREAD_INDEX		FXT_BITS(16, 23)
#define FXT_THREAD_RESERVED		FXT_BITS(24, 63)

static __always_inline __u64 fxt_thread(__u64 index)
{
	return fxt_header(FXT_RECORD_THREAD, FXT_THREAD_WORDS) |
	       fxt_put(FXT_THREAD_INDEX, index);
}

#endif /* FXT_FXT_METADATA_H */
