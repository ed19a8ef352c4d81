/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_word.h - the elements of all records: words, their fields, the record header, references to
 * strings and threads.
 *
 * In:  field values.
 * Out: 64-bit words with the bit positions of the specification ("Fuchsia trace format"; comments
 *      quote its section names). Writers compose words with the builders; readers decode them with
 *      fxt_get() and the same masks.
 *
 * Pure inline C without libc, kernel helpers or loops: it compiles unchanged in the kernel, in BPF
 * programs and in user space. Context: any, NMI included.
 *
 * Sizes named "words" count 8-byte words and, as in the format, include the header word. A value
 * that exceeds its field is truncated, so that reserved bits are never set. Callers whose values
 * may be too large first check them against the FXT_MAX_* limits.
 */
#ifndef FXT_FXT_WORD_H
#define FXT_FXT_WORD_H

#include <linux/stddef.h>
#include <linux/types.h>

/* Bits lo to hi of a word, both inclusive, as the specification writes them. */
#define FXT_BITS(lo, hi) \
	(((~0ULL) >> (63 - (hi))) & ((~0ULL) << (lo)))

/* A word with @value in the field @mask, and zeros elsewhere. Excess bits are cut off. */
static __always_inline __u64 fxt_put(__u64 mask, __u64 value)
{
	return (value << __builtin_ctzll(mask)) & mask;
}

/* The value of the field @mask. @word: in the byte order of this machine */
static __always_inline __u64 fxt_get(__u64 mask, __u64 word)
{
	return (word & mask) >> __builtin_ctzll(mask);
}

/* "Encoding primitives" */
#define FXT_WORD		8		/* bytes in a word */
#define FXT_MAX_RECORD_WORDS	4095		/* of an ordinary record */
#define FXT_MAX_STRING		32000		/* bytes, the conservative limit */
#define FXT_MAX_STRING_FIELD	32767		/* bytes, the largest number in the fields */
#define FXT_MAX_ARGS		15		/* of one record */
#define FXT_MAX_STRING_INDEX	32767
#define FXT_MAX_THREAD_INDEX	255

/* Words of a padded stream of @bytes ("Atoms": streams are padded to 8 bytes). */
static __always_inline __u64 fxt_stream_words(__u64 bytes)
{
	return (bytes + FXT_WORD - 1) / FXT_WORD;
}

/* "Record header" */
#define FXT_TYPE			FXT_BITS(0, 3)
#define FXT_SIZE			FXT_BITS(4, 15)

enum fxt_record_type {
	FXT_RECORD_METADATA		= 0,
	FXT_RECORD_INITIALIZATION	= 1,
	FXT_RECORD_STRING		= 2,
	FXT_RECORD_THREAD		= 3,
	FXT_RECORD_EVENT		= 4,
	FXT_RECORD_BLOB			= 5,
	FXT_RECORD_USERSPACE_OBJECT	= 6,
	FXT_RECORD_KERNEL_OBJECT	= 7,
	FXT_RECORD_SCHEDULING		= 8,
	FXT_RECORD_LOG			= 9,
	FXT_RECORD_PROFILER		= 10,
	FXT_RECORD_LARGE		= 15,
};

static __always_inline __u64 fxt_header(__u64 type, __u64 words)
{
	return fxt_put(FXT_TYPE, type) | fxt_put(FXT_SIZE, words);
}

/* "String references": 0 is the empty string. */
#define FXT_STRING_REF_INLINE		FXT_BITS(15, 15)
#define FXT_STRING_REF_LENGTH		FXT_BITS(0, 14)	/* of an inline string, bytes */
#define FXT_STRING_REF_INDEX		FXT_BITS(0, 14)	/* of an indexed string */
#define FXT_STRING_REF_EMPTY		0

static __always_inline __u64 fxt_string_ref_index(__u64 index)
{
	return fxt_put(FXT_STRING_REF_INDEX, index);
}

static __always_inline __u64 fxt_string_ref_inline(__u64 bytes)
{
	return FXT_STRING_REF_INLINE | fxt_put(FXT_STRING_REF_LENGTH, bytes);
}

/* "Thread references": 0 is inline, 1..255 an index. */
#define FXT_THREAD_REF_INLINE		0

#endif /* FXT_FXT_WORD_H */
