/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_argument.h - the arguments of records.
 */
#ifndef FXT_FXT_ARGUMENT_H
#define FXT_FXT_ARGUMENT_H

#include "fxt_word.h"

/* "Argument types": header, [name], and the value if it does not fit into the header. */
#define FXT_ARG_TYPE			FXT_BITS(0, 3)
#define FXT_ARG_SIZE			FXT_BITS(4, 15)
#define FXT_ARG_NAME			FXT_BITS(16, 31)	/* string ref */
#define FXT_ARG_VALUE_32		FXT_BITS(32, 63)	/* int32, uint32 */
#define FXT_ARG_VALUE_STRING		FXT_BITS(32, 47)	/* string ref */
#define FXT_ARG_STRING_RESERVED		FXT_BITS(48, 63)
#define FXT_ARG_VALUE_BOOL		FXT_BITS(32, 32)
#define FXT_ARG_BOOL_RESERVED		FXT_BITS(33, 63)
#define FXT_ARG_BLOB_SIZE		FXT_BITS(32, 63)	/* bytes */
#define FXT_ARG_RESERVED		FXT_BITS(32, 63)	/* of all other types */

enum fxt_arg_type {
	FXT_ARG_NULL			= 0,
	FXT_ARG_INT32			= 1,
	FXT_ARG_UINT32			= 2,
	FXT_ARG_INT64			= 3,	/* + value word */
	FXT_ARG_UINT64			= 4,	/* + value word */
	FXT_ARG_DOUBLE			= 5,	/* + value word */
	FXT_ARG_STRING			= 6,	/* + [value stream] */
	FXT_ARG_POINTER			= 7,	/* + value word */
	FXT_ARG_KOID			= 8,	/* + value word */
	FXT_ARG_BOOL			= 9,
	FXT_ARG_BLOB			= 10,	/* + payload stream */
};

static __always_inline __u64 fxt_arg_header(__u64 arg_type, __u64 words, __u64 name_ref)
{
	return fxt_put(FXT_ARG_TYPE, arg_type) |
	       fxt_put(FXT_ARG_SIZE, words) |
	       fxt_put(FXT_ARG_NAME, name_ref);
}

static __always_inline __u64 fxt_arg_null(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_NULL, words, name_ref);
}

static __always_inline __u64 fxt_arg_int32(__u64 words, __u64 name_ref, __s32 value)
{
	return fxt_arg_header(FXT_ARG_INT32, words, name_ref) |
	       fxt_put(FXT_ARG_VALUE_32, (__u32)value);
}

static __always_inline __u64 fxt_arg_uint32(__u64 words, __u64 name_ref, __u32 value)
{
	return fxt_arg_header(FXT_ARG_UINT32, words, name_ref) |
	       fxt_put(FXT_ARG_VALUE_32, value);
}

/*
 * Write fxt_arg_uint32() in two halves, which takes fewer instructions than composing the word.
 * Memory is little endian, like the format: the value is the second half.
 */
static __always_inline void fxt_put_arg_uint32(__u64 *to, __u64 words, __u64 name_ref,
					       __u32 value)
{
	__u32 header = (__u32)fxt_arg_header(FXT_ARG_UINT32, words, name_ref);

	__builtin_memcpy(to, &header, sizeof(header));
	__builtin_memcpy((char *)to + sizeof(header), &value, sizeof(value));
}

/* The next word is the value as two's complement. */
static __always_inline __u64 fxt_arg_int64(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_INT64, words, name_ref);
}

static __always_inline __u64 fxt_arg_uint64(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_UINT64, words, name_ref);
}

/* The next word is the value as an IEEE 754 double. */
static __always_inline __u64 fxt_arg_double(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_DOUBLE, words, name_ref);
}

static __always_inline __u64 fxt_arg_string(__u64 words, __u64 name_ref, __u64 value_ref)
{
	return fxt_arg_header(FXT_ARG_STRING, words, name_ref) |
	       fxt_put(FXT_ARG_VALUE_STRING, value_ref);
}

static __always_inline __u64 fxt_arg_pointer(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_POINTER, words, name_ref);
}

static __always_inline __u64 fxt_arg_koid(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_KOID, words, name_ref);
}

/* @value: 0 or 1 */
static __always_inline __u64 fxt_arg_bool(__u64 words, __u64 name_ref, __u64 value)
{
	return fxt_arg_header(FXT_ARG_BOOL, words, name_ref) |
	       fxt_put(FXT_ARG_VALUE_BOOL, value);
}

static __always_inline __u64 fxt_arg_blob(__u64 words, __u64 name_ref, __u64 bytes)
{
	return fxt_arg_header(FXT_ARG_BLOB, words, name_ref) |
	       fxt_put(FXT_ARG_BLOB_SIZE, bytes);
}

#endif /* FXT_FXT_ARGUMENT_H */
