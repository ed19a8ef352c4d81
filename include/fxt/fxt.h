/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt.h - every bit of the Fuchsia trace format, once.
 *
 * What flows in: field values. What flows out: 64-bit words in the order and
 * with the bit positions of the specification ("Fuchsia trace format", section
 * names are quoted at each group). Writers put words together with the
 * builders below; readers take them apart with fxt_get() and the same masks.
 *
 * Pure inline C without libc, kernel helpers or loops: the file compiles
 * unchanged in the kernel, in BPF programs and in user space, and may be used
 * in any context, NMI included. Sizes named "words" count 8-byte words and,
 * as in the format, include the header word. A value that does not fit its
 * field is cut to the field, so that no reserved bit can ever be set: whoever
 * may hold larger values checks them against the FXT_MAX_* limits first.
 */
#ifndef FXT_FXT_H
#define FXT_FXT_H

#include <linux/stddef.h>
#include <linux/types.h>

/* The bits lo..hi of a word, both inclusive, as the specification writes them. */
#define FXT_BITS(lo, hi) \
	(((~0ULL) >> (63 - (hi))) & ((~0ULL) << (lo)))

/**
 * fxt_put() - place a value into a field
 * @mask: the field, one of the FXT_* masks
 * @value: the value; what exceeds the field is cut
 *
 * Return: a word with the field set and all other bits zero.
 */
static __always_inline __u64 fxt_put(__u64 mask, __u64 value)
{
	return (value << __builtin_ctzll(mask)) & mask;
}

/**
 * fxt_get() - take a field out of a word
 * @mask: the field, one of the FXT_* masks
 * @word: the word, in the byte order of this machine
 *
 * Return: the field's value, shifted down to bit 0.
 */
static __always_inline __u64 fxt_get(__u64 mask, __u64 word)
{
	return (word & mask) >> __builtin_ctzll(mask);
}

/* "Encoding primitives" */
#define FXT_WORD		8		/* bytes in a word */
#define FXT_MAX_RECORD_WORDS	4095		/* of an ordinary record */
#define FXT_MAX_STRING		32000		/* bytes, the conservative limit */
#define FXT_MAX_STRING_FIELD	32767		/* bytes, what the fields can say */
#define FXT_MAX_ARGS		15		/* arguments of one record */
#define FXT_MAX_STRING_INDEX	32767
#define FXT_MAX_THREAD_INDEX	255

/**
 * fxt_stream_words() - length of a padded stream
 * @bytes: length of the content in bytes, without padding
 *
 * Return: length in words ("Atoms": streams are padded to 8 bytes).
 */
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

/*
 * "Event record (record type = 4)": header, ticks, [process koid, thread koid],
 * [category], [name], arguments, and one word more for all types but instant,
 * duration begin and duration end: counter id, end ticks or correlation id.
 */
#define FXT_EVENT_TYPE			FXT_BITS(16, 19)
#define FXT_EVENT_ARGS			FXT_BITS(20, 23)
#define FXT_EVENT_THREAD		FXT_BITS(24, 31)	/* thread ref */
#define FXT_EVENT_CATEGORY		FXT_BITS(32, 47)	/* string ref */
#define FXT_EVENT_NAME			FXT_BITS(48, 63)	/* string ref */

enum fxt_event_type {
	FXT_EVENT_INSTANT		= 0,
	FXT_EVENT_COUNTER		= 1,
	FXT_EVENT_DURATION_BEGIN	= 2,
	FXT_EVENT_DURATION_END		= 3,
	FXT_EVENT_DURATION_COMPLETE	= 4,
	FXT_EVENT_ASYNC_BEGIN		= 5,
	FXT_EVENT_ASYNC_INSTANT		= 6,
	FXT_EVENT_ASYNC_END		= 7,
	FXT_EVENT_FLOW_BEGIN		= 8,
	FXT_EVENT_FLOW_STEP		= 9,
	FXT_EVENT_FLOW_END		= 10,
};

/* As the first public version of the format (2017) numbered them. */
enum fxt_2017_event_type {
	FXT_2017_EVENT_INSTANT		= 0,
	FXT_2017_EVENT_COUNTER		= 1,
	FXT_2017_EVENT_DURATION_BEGIN	= 2,
	FXT_2017_EVENT_DURATION_END	= 3,
	FXT_2017_EVENT_ASYNC_BEGIN	= 4,
	FXT_2017_EVENT_ASYNC_INSTANT	= 5,
	FXT_2017_EVENT_ASYNC_END	= 6,
	FXT_2017_EVENT_FLOW_BEGIN	= 7,
	FXT_2017_EVENT_FLOW_STEP	= 8,
	FXT_2017_EVENT_FLOW_END		= 9,
};

static __always_inline __u64 fxt_event(__u64 words, __u64 event_type, __u64 args,
				       __u64 thread_ref, __u64 category_ref, __u64 name_ref)
{
	return fxt_header(FXT_RECORD_EVENT, words) |
	       fxt_put(FXT_EVENT_TYPE, event_type) |
	       fxt_put(FXT_EVENT_ARGS, args) |
	       fxt_put(FXT_EVENT_THREAD, thread_ref) |
	       fxt_put(FXT_EVENT_CATEGORY, category_ref) |
	       fxt_put(FXT_EVENT_NAME, name_ref);
}

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
 * "Userspace object record (record type = 6)": header, pointer,
 * [process koid], [name], arguments.
 */
#define FXT_USERSPACE_OBJECT_PROCESS	FXT_BITS(16, 23)	/* thread ref */
#define FXT_USERSPACE_OBJECT_NAME	FXT_BITS(24, 39)	/* string ref */
#define FXT_USERSPACE_OBJECT_ARGS	FXT_BITS(40, 43)
#define FXT_USERSPACE_OBJECT_RESERVED	FXT_BITS(44, 63)

static __always_inline __u64 fxt_userspace_object(__u64 words, __u64 process_ref,
						  __u64 name_ref, __u64 args)
{
	return fxt_header(FXT_RECORD_USERSPACE_OBJECT, words) |
	       fxt_put(FXT_USERSPACE_OBJECT_PROCESS, process_ref) |
	       fxt_put(FXT_USERSPACE_OBJECT_NAME, name_ref) |
	       fxt_put(FXT_USERSPACE_OBJECT_ARGS, args);
}

/* "Kernel object record (record type = 7)": header, koid, [name], arguments. */
#define FXT_KERNEL_OBJECT_TYPE		FXT_BITS(16, 23)
#define FXT_KERNEL_OBJECT_NAME		FXT_BITS(24, 39)	/* string ref */
#define FXT_KERNEL_OBJECT_ARGS		FXT_BITS(40, 43)
#define FXT_KERNEL_OBJECT_RESERVED	FXT_BITS(44, 63)

enum fxt_object_type {		/* ZX_OBJ_TYPE_* */
	FXT_OBJECT_PROCESS		= 1,
	FXT_OBJECT_THREAD		= 2,
};

static __always_inline __u64 fxt_kernel_object(__u64 words, __u64 object_type,
					       __u64 name_ref, __u64 args)
{
	return fxt_header(FXT_RECORD_KERNEL_OBJECT, words) |
	       fxt_put(FXT_KERNEL_OBJECT_TYPE, object_type) |
	       fxt_put(FXT_KERNEL_OBJECT_NAME, name_ref) |
	       fxt_put(FXT_KERNEL_OBJECT_ARGS, args);
}

/* "Scheduling Record (record type = 8)" */
#define FXT_SCHEDULING_TYPE		FXT_BITS(60, 63)

enum fxt_scheduling_type {
	FXT_SCHEDULING_LEGACY_SWITCH	= 0,
	FXT_SCHEDULING_CONTEXT_SWITCH	= 1,
	FXT_SCHEDULING_THREAD_WAKEUP	= 2,
};

/* "Thread States" */
enum fxt_thread_state {
	FXT_THREAD_NEW			= 0,
	FXT_THREAD_RUNNING		= 1,
	FXT_THREAD_SUSPENDED		= 2,
	FXT_THREAD_BLOCKED		= 3,
	FXT_THREAD_DYING		= 4,
	FXT_THREAD_DEAD			= 5,
};

/* "Context Switch Record": header, ticks, outgoing koid, incoming koid, arguments. */
#define FXT_SWITCH_ARGS			FXT_BITS(16, 19)
#define FXT_SWITCH_CPU			FXT_BITS(20, 35)
#define FXT_SWITCH_STATE		FXT_BITS(36, 39)	/* of the outgoing thread */
#define FXT_SWITCH_RESERVED		FXT_BITS(40, 59)
#define FXT_SWITCH_BASE_WORDS		4

static __always_inline __u64 fxt_context_switch(__u64 words, __u64 args, __u64 cpu,
						__u64 state)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_SWITCH_ARGS, args) |
	       fxt_put(FXT_SWITCH_CPU, cpu) |
	       fxt_put(FXT_SWITCH_STATE, state) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_CONTEXT_SWITCH);
}

/* "Thread Wakeup Record": header, ticks, koid of the woken thread, arguments. */
#define FXT_WAKEUP_ARGS			FXT_BITS(16, 19)
#define FXT_WAKEUP_CPU			FXT_BITS(20, 35)
#define FXT_WAKEUP_RESERVED		FXT_BITS(36, 59)
#define FXT_WAKEUP_BASE_WORDS		3

static __always_inline __u64 fxt_thread_wakeup(__u64 words, __u64 args, __u64 cpu)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_WAKEUP_ARGS, args) |
	       fxt_put(FXT_WAKEUP_CPU, cpu) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_THREAD_WAKEUP);
}

/*
 * "Legacy Context Switch Record": header, ticks, [outgoing process and thread
 * koid], [incoming process and thread koid]. The koids are there when their
 * thread ref is inline.
 */
#define FXT_LEGACY_CPU			FXT_BITS(16, 23)
#define FXT_LEGACY_STATE		FXT_BITS(24, 27)
#define FXT_LEGACY_OUT_THREAD		FXT_BITS(28, 35)	/* thread ref */
#define FXT_LEGACY_IN_THREAD		FXT_BITS(36, 43)	/* thread ref */
#define FXT_LEGACY_OUT_PRIORITY		FXT_BITS(44, 51)
#define FXT_LEGACY_IN_PRIORITY		FXT_BITS(52, 59)

static __always_inline __u64 fxt_legacy_switch(__u64 words, __u64 cpu, __u64 state,
					       __u64 out_ref, __u64 in_ref,
				   __u64 out_priority, __u64 in_priority)
{
	return fxt_header(FXT_RECORD_SCHEDULING, words) |
	       fxt_put(FXT_LEGACY_CPU, cpu) |
	       fxt_put(FXT_LEGACY_STATE, state) |
	       fxt_put(FXT_LEGACY_OUT_THREAD, out_ref) |
	       fxt_put(FXT_LEGACY_IN_THREAD, in_ref) |
	       fxt_put(FXT_LEGACY_OUT_PRIORITY, out_priority) |
	       fxt_put(FXT_LEGACY_IN_PRIORITY, in_priority) |
	       fxt_put(FXT_SCHEDULING_TYPE, FXT_SCHEDULING_LEGACY_SWITCH);
}

/*
 * "Log record (record type = 9)": header, ticks, [process koid, thread koid],
 * message as a stream.
 */
#define FXT_LOG_LENGTH			FXT_BITS(16, 30)	/* bytes */
#define FXT_LOG_THREAD			FXT_BITS(32, 39)	/* thread ref */
#define FXT_LOG_RESERVED		(FXT_BITS(31, 31) | FXT_BITS(40, 63))

static __always_inline __u64 fxt_log(__u64 words, __u64 bytes, __u64 thread_ref)
{
	return fxt_header(FXT_RECORD_LOG, words) |
	       fxt_put(FXT_LOG_LENGTH, bytes) |
	       fxt_put(FXT_LOG_THREAD, thread_ref);
}

/*
 * "Profiler record (record type = 10)": header, ticks, [process koid, thread
 * koid], then by kind. Module: name and build id as streams. Mmap: start
 * address, address range, vaddr. Backtrace: the frames, one word each.
 */
#define FXT_PROFILER_TYPE		FXT_BITS(16, 19)
#define FXT_PROFILER_THREAD		FXT_BITS(20, 27)	/* thread ref */

enum fxt_profiler_type {
	FXT_PROFILER_MODULE		= 0,
	FXT_PROFILER_MMAP		= 1,
	FXT_PROFILER_BACKTRACE		= 2,
};

#define FXT_MODULE_ID			FXT_BITS(28, 43)	/* mmap records too */
#define FXT_MODULE_NAME_LENGTH		FXT_BITS(44, 51)	/* bytes */
#define FXT_MODULE_BUILD_ID_LENGTH	FXT_BITS(52, 59)	/* bytes */
#define FXT_MODULE_RESERVED		FXT_BITS(60, 63)

static __always_inline __u64 fxt_profiler_module(__u64 words, __u64 thread_ref,
						 __u64 module_id, __u64 name_bytes,
				     __u64 build_id_bytes)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_MODULE) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_MODULE_ID, module_id) |
	       fxt_put(FXT_MODULE_NAME_LENGTH, name_bytes) |
	       fxt_put(FXT_MODULE_BUILD_ID_LENGTH, build_id_bytes);
}

#define FXT_MMAP_FLAGS			FXT_BITS(44, 46)
#define FXT_MMAP_RESERVED		FXT_BITS(47, 63)

static __always_inline __u64 fxt_profiler_mmap(__u64 words, __u64 thread_ref,
					       __u64 module_id, __u64 flags)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_MMAP) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_MODULE_ID, module_id) |
	       fxt_put(FXT_MMAP_FLAGS, flags);
}

#define FXT_BACKTRACE_FRAMES		FXT_BITS(28, 35)
#define FXT_BACKTRACE_RESERVED		FXT_BITS(36, 63)
#define FXT_MAX_FRAMES			255

static __always_inline __u64 fxt_profiler_backtrace(__u64 words, __u64 thread_ref,
						    __u64 frames)
{
	return fxt_header(FXT_RECORD_PROFILER, words) |
	       fxt_put(FXT_PROFILER_TYPE, FXT_PROFILER_BACKTRACE) |
	       fxt_put(FXT_PROFILER_THREAD, thread_ref) |
	       fxt_put(FXT_BACKTRACE_FRAMES, frames);
}

/*
 * "Large record header" and "Large BLOB record (record type = 15, large type
 * = 0)": header, format header, [category], [name], with metadata also ticks,
 * [process koid, thread koid] and arguments, then blob size in bytes, payload.
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

/* "Argument types": header, [name], then the value where it needs words. */
#define FXT_ARG_TYPE			FXT_BITS(0, 3)
#define FXT_ARG_SIZE			FXT_BITS(4, 15)
#define FXT_ARG_NAME			FXT_BITS(16, 31)	/* string ref */
#define FXT_ARG_VALUE_32		FXT_BITS(32, 63)	/* int32, uint32 */
#define FXT_ARG_VALUE_STRING		FXT_BITS(32, 47)	/* string ref */
#define FXT_ARG_STRING_RESERVED		FXT_BITS(48, 63)
#define FXT_ARG_VALUE_BOOL		FXT_BITS(32, 32)
#define FXT_ARG_BOOL_RESERVED		FXT_BITS(33, 63)
#define FXT_ARG_BLOB_SIZE		FXT_BITS(32, 63)	/* bytes */
#define FXT_ARG_RESERVED		FXT_BITS(32, 63)	/* of all others */

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

/* The value word that follows holds the two's complement. */
static __always_inline __u64 fxt_arg_int64(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_INT64, words, name_ref);
}

static __always_inline __u64 fxt_arg_uint64(__u64 words, __u64 name_ref)
{
	return fxt_arg_header(FXT_ARG_UINT64, words, name_ref);
}

/* The value word that follows holds the bits of an IEEE 754 double. */
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

/* @value: 0 or 1. */
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

#endif /* FXT_FXT_H */
