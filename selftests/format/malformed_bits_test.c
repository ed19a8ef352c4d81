// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bits that must be zero, bytes that must be UTF-8, in records whose sizes are valid; malformed.h
 * states what must hold. Extensions of the format are no deviation.
 */
#include "malformed.h"

#define EVENT(words, args)	\
	fxt_event(words, FXT_EVENT_INSTANT, args, KNOWN_THREAD, CATEGORY, NAME)
#define BIT(n)		(1ULL << (n))

/* The words, with one forbidden bit in the word at @at. */
#define RESERVED(name, the_at, bit, ...)					\
	CASE_OF(reserved_##name##_##bit, .kind = FXT_DEV_RESERVED, .fate = USABLE,	\
		.at = the_at, .field = "reserved bits", .bits = BIT(bit))	\
	{									\
		uint64_t words[] = { __VA_ARGS__ };				\
										\
		words[the_at / 8] |= BIT(bit);					\
		build_words(b, words, sizeof(words) / sizeof(*words));		\
	}

RESERVED(provider_info, 0, 60, fxt_provider_info(1, 0))
RESERVED(provider_info, 0, 63, fxt_provider_info(1, 0))
RESERVED(provider_section, 0, 52, fxt_provider_section(1))
RESERVED(provider_section, 0, 63, fxt_provider_section(1))
RESERVED(provider_event, 0, 56, fxt_provider_event(1, 0))
RESERVED(provider_event, 0, 63, fxt_provider_event(1, 0))
RESERVED(magic, 0, 56, FXT_MAGIC_RECORD)
RESERVED(magic, 0, 63, FXT_MAGIC_RECORD)
RESERVED(initialization, 0, 16, fxt_initialization(), 1000)
RESERVED(initialization, 0, 63, fxt_initialization(), 1000)
RESERVED(string, 0, 31, fxt_string(3, 0))
RESERVED(string, 0, 47, fxt_string(3, 0))
RESERVED(string, 0, 48, fxt_string(3, 0))
RESERVED(string, 0, 63, fxt_string(3, 0))
RESERVED(thread, 0, 24, fxt_thread(3), PROCESS, THREAD)
RESERVED(thread, 0, 63, fxt_thread(3), PROCESS, THREAD)
RESERVED(blob, 0, 47, fxt_blob(1, NAME, 0, FXT_BLOB_DATA))
RESERVED(blob, 0, 56, fxt_blob(1, NAME, 0, FXT_BLOB_DATA))
RESERVED(blob, 0, 63, fxt_blob(1, NAME, 0, FXT_BLOB_DATA))
RESERVED(userspace_object, 0, 44, fxt_userspace_object(2, KNOWN_THREAD, NAME, 0), TIME)
RESERVED(userspace_object, 0, 63, fxt_userspace_object(2, KNOWN_THREAD, NAME, 0), TIME)
RESERVED(kernel_object, 0, 44, fxt_kernel_object(2, FXT_OBJECT_THREAD, NAME, 0), THREAD)
RESERVED(kernel_object, 0, 63, fxt_kernel_object(2, FXT_OBJECT_THREAD, NAME, 0), THREAD)
RESERVED(switch, 0, 40, fxt_context_switch(4, 0, 1, FXT_THREAD_NEW), TIME, THREAD, THREAD)
RESERVED(switch, 0, 59, fxt_context_switch(4, 0, 1, FXT_THREAD_NEW), TIME, THREAD, THREAD)
RESERVED(wakeup, 0, 36, fxt_thread_wakeup(3, 0, 1), TIME, THREAD)
RESERVED(wakeup, 0, 59, fxt_thread_wakeup(3, 0, 1), TIME, THREAD)
RESERVED(log, 0, 31, fxt_log(2, 0, KNOWN_THREAD), TIME)
RESERVED(log, 0, 40, fxt_log(2, 0, KNOWN_THREAD), TIME)
RESERVED(log, 0, 63, fxt_log(2, 0, KNOWN_THREAD), TIME)
RESERVED(module, 0, 60, fxt_profiler_module(2, KNOWN_THREAD, 1, 0, 0), TIME)
RESERVED(module, 0, 63, fxt_profiler_module(2, KNOWN_THREAD, 1, 0, 0), TIME)
RESERVED(mmap, 0, 47, fxt_profiler_mmap(5, KNOWN_THREAD, 1, 0), TIME, TIME, TIME, TIME)
RESERVED(mmap, 0, 63, fxt_profiler_mmap(5, KNOWN_THREAD, 1, 0), TIME, TIME, TIME, TIME)
RESERVED(large, 0, 44, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA),
	 fxt_large_blob_no_metadata(CATEGORY, NAME), 0)
RESERVED(large, 0, 63, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	 fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME, 0)
RESERVED(large_metadata, 8, 44, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	 fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME, 0)
RESERVED(large_metadata, 8, 63, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	 fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME, 0)
RESERVED(large_bare, 8, 32, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA),
	 fxt_large_blob_no_metadata(CATEGORY, NAME), 0)
RESERVED(large_bare, 8, 63, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA),
	 fxt_large_blob_no_metadata(CATEGORY, NAME), 0)
RESERVED(arg_null, 16, 32, EVENT(3, 1), TIME, fxt_arg_null(1, NAME))
RESERVED(arg_null, 16, 63, EVENT(3, 1), TIME, fxt_arg_null(1, NAME))
RESERVED(arg_int64, 16, 32, EVENT(4, 1), TIME, fxt_arg_int64(2, NAME), TIME)
RESERVED(arg_int64, 16, 63, EVENT(4, 1), TIME, fxt_arg_int64(2, NAME), TIME)
RESERVED(arg_uint64, 16, 32, EVENT(4, 1), TIME, fxt_arg_uint64(2, NAME), TIME)
RESERVED(arg_double, 16, 32, EVENT(4, 1), TIME, fxt_arg_double(2, NAME), TIME)
RESERVED(arg_pointer, 16, 32, EVENT(4, 1), TIME, fxt_arg_pointer(2, NAME), TIME)
RESERVED(arg_koid, 16, 32, EVENT(4, 1), TIME, fxt_arg_koid(2, NAME), TIME)
RESERVED(arg_string, 16, 48, EVENT(3, 1), TIME, fxt_arg_string(1, NAME, CATEGORY))
RESERVED(arg_string, 16, 63, EVENT(3, 1), TIME, fxt_arg_string(1, NAME, CATEGORY))
RESERVED(arg_bool, 16, 33, EVENT(3, 1), TIME, fxt_arg_bool(1, NAME, 1))
RESERVED(arg_bool, 16, 63, EVENT(3, 1), TIME, fxt_arg_bool(1, NAME, 1))
/* The fast path decodes this record, except for the bit. */
RESERVED(switch_letter, 32, 48, fxt_context_switch(5, 1, 0, FXT_THREAD_NEW), TIME, THREAD,
	 THREAD, fxt_arg_string(1, NAME, CATEGORY))
RESERVED(wakeup_waker, 32, 40, fxt_thread_wakeup(6, 2, 0), TIME, THREAD,
	 fxt_arg_int32(1, NAME, 5), fxt_arg_koid(2, NAME), THREAD)

/* "ab", and a nonzero last byte of the padding. */
#define BAD_PADDING	"ab\0\0\0\0\0\x7f", 8
#define PADDING(name, stream_at, field)						\
	CASE(padding_##name, PADDING, USABLE, stream_at + 7, field,			\
	     "the padding holds 0x7f instead of 0")

/* Two valid characters, and a byte that begins none. */
#define BAD_UTF8	"ab\xff", 3
#define UTF8(name, stream_at, field)						\
	CASE(utf8_##name, UTF8, USABLE, stream_at + 2, field,			\
	     "invalid UTF-8: byte 0xff")

PADDING(provider_name, 8, "provider name stream")
{
	BUILD(b, fxt_provider_info(1, 2));
	build_stream(b, BAD_PADDING);
}

UTF8(provider_name, 8, "provider name stream")
{
	BUILD(b, fxt_provider_info(1, 3));
	build_stream(b, BAD_UTF8);
}

PADDING(string, 8, "string value stream")
{
	BUILD(b, fxt_string(3, 2));
	build_stream(b, BAD_PADDING);
}

UTF8(string, 8, "string value stream")
{
	BUILD(b, fxt_string(3, 3));
	build_stream(b, BAD_UTF8);
}

PADDING(category, 16, "category")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, INLINE(2), NAME), TIME);
	build_stream(b, BAD_PADDING);
}

UTF8(category, 16, "category")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, INLINE(3), NAME), TIME);
	build_stream(b, BAD_UTF8);
}

PADDING(name, 16, "name")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, INLINE(2)), TIME);
	build_stream(b, BAD_PADDING);
}

UTF8(name, 16, "name")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, INLINE(3)), TIME);
	build_stream(b, BAD_UTF8);
}

PADDING(argument_name, 24, "argument name")
{
	BUILD(b, EVENT(4, 1), TIME, fxt_arg_int32(2, INLINE(2), 5));
	build_stream(b, BAD_PADDING);
}

UTF8(argument_name, 24, "argument name")
{
	BUILD(b, EVENT(4, 1), TIME, fxt_arg_int32(2, INLINE(3), 5));
	build_stream(b, BAD_UTF8);
}

PADDING(argument_value, 24, "argument value")
{
	BUILD(b, EVENT(4, 1), TIME, fxt_arg_string(2, NAME, INLINE(2)));
	build_stream(b, BAD_PADDING);
}

UTF8(argument_value, 24, "argument value")
{
	BUILD(b, EVENT(4, 1), TIME, fxt_arg_string(2, NAME, INLINE(3)));
	build_stream(b, BAD_UTF8);
}

PADDING(argument_blob, 24, "argument payload")
{
	BUILD(b, EVENT(4, 1), TIME, fxt_arg_blob(2, NAME, 2));
	build_stream(b, BAD_PADDING);
}

PADDING(blob_name, 8, "blob name")
{
	BUILD(b, fxt_blob(2, INLINE(2), 0, FXT_BLOB_DATA));
	build_stream(b, BAD_PADDING);
}

UTF8(blob_name, 8, "blob name")
{
	BUILD(b, fxt_blob(2, INLINE(3), 0, FXT_BLOB_DATA));
	build_stream(b, BAD_UTF8);
}

PADDING(blob, 8, "payload stream")
{
	BUILD(b, fxt_blob(2, NAME, 2, FXT_BLOB_DATA));
	build_stream(b, BAD_PADDING);
}

PADDING(userspace_object, 16, "name")
{
	BUILD(b, fxt_userspace_object(3, KNOWN_THREAD, INLINE(2), 0), TIME);
	build_stream(b, BAD_PADDING);
}

PADDING(kernel_object, 16, "name")
{
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_THREAD, INLINE(2), 0), THREAD);
	build_stream(b, BAD_PADDING);
}

PADDING(log, 16, "log message stream")
{
	BUILD(b, fxt_log(3, 2, KNOWN_THREAD), TIME);
	build_stream(b, BAD_PADDING);
}

UTF8(log, 16, "log message stream")
{
	BUILD(b, fxt_log(3, 3, KNOWN_THREAD), TIME);
	build_stream(b, BAD_UTF8);
}

PADDING(module_name, 16, "module name stream")
{
	BUILD(b, fxt_profiler_module(3, KNOWN_THREAD, 1, 2, 0), TIME);
	build_stream(b, BAD_PADDING);
}

UTF8(module_name, 16, "module name stream")
{
	BUILD(b, fxt_profiler_module(3, KNOWN_THREAD, 1, 3, 0), TIME);
	build_stream(b, BAD_UTF8);
}

PADDING(module_build_id, 16, "build id stream")
{
	BUILD(b, fxt_profiler_module(3, KNOWN_THREAD, 1, 0, 2), TIME);
	build_stream(b, BAD_PADDING);
}

PADDING(large_category, 16, "category")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(INLINE(2), NAME));
	build_stream(b, BAD_PADDING);
	BUILD(b, 0);
}

PADDING(large_name, 16, "name")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, INLINE(2)));
	build_stream(b, BAD_PADDING);
	BUILD(b, 0);
}

PADDING(large, 24, "payload stream")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME), 2);
	build_stream(b, BAD_PADDING);
}

/* Also the first byte of the padding, and after whole words. */
CASE(padding_first, PADDING, USABLE, 17, "string value stream",
     "the padding holds 0x01 instead of 0")
{
	BUILD(b, fxt_string(3, 9));
	build_stream(b, "abcdefghi\x01", 10);
}

/* Names of kernel objects can be any bytes. */
CASE(utf8_kernel_object, UTF8, NOTED, 16 + 2, "name", "invalid UTF-8: byte 0xff")
{
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, INLINE(3), 0), PROCESS);
	build_stream(b, BAD_UTF8);
}

/* Invalid UTF-8 (RFC 3629) after valid bytes of several lengths. */
#define NO_UTF8(name, before, what_begins, bytes)				\
	CASE(no_utf8_##name, UTF8, USABLE, 8 + sizeof(before) - 1, "string value stream", \
	     "invalid UTF-8: byte " what_begins)					\
	{									\
		static const char text[] = before bytes;			\
										\
		BUILD(b, fxt_string(3, sizeof(text) - 1));			\
		build_stream(b, text, sizeof(text) - 1);				\
	}

NO_UTF8(continuation, "", "0x80", "\x80")
NO_UTF8(overlong_2, "12345678", "0xc1", "\xc1\xbf")
NO_UTF8(overlong_3, "1234567", "0xe0", "\xe0\x9f\xbf")
NO_UTF8(overlong_4, "1234567890", "0xf0", "\xf0\x8f\xbf\xbf")
NO_UTF8(surrogate, "\xc3\xa4", "0xed", "\xed\xa0\x80")
NO_UTF8(too_large, "\xf0\x9f\x90\xa7", "0xf4", "\xf4\x90\x80\x80")
NO_UTF8(too_large_lead, "a", "0xf5", "\xf5\x80\x80\x80")
NO_UTF8(cut_2, "1234567", "0xc3", "\xc3")
NO_UTF8(cut_3, "123456", "0xe2", "\xe2\x82")
NO_UTF8(cut_4, "12345", "0xf0", "\xf0\x9f\x90")
NO_UTF8(not_continued, "12345678\xe2\x82\xac", "0xe2", "\xe2\x82" "abcdefghij")

/* A record with @more arbitrary words after its fields. */
#define LONGER(name, words, more, ...)						\
	CASE(longer_##name, TRAILING, NOTED, 8 * (words), "record size",		\
	     #more " words after the last defined field")			\
	{									\
		uint64_t all[words + more] = { __VA_ARGS__ };			\
										\
		all[0] += fxt_put(FXT_SIZE, more);				\
		memset(all + words, 0xff, 8 * (more));				\
		build_words(b, all, words + more);				\
	}

LONGER(provider_info, 1, 1, fxt_provider_info(1, 0))
LONGER(provider_section, 1, 2, fxt_provider_section(1))
LONGER(provider_event, 1, 3, fxt_provider_event(1, 0))
LONGER(initialization, 2, 1, fxt_initialization(), 1000)
LONGER(string, 1, 1, fxt_string(3, 0))
LONGER(thread, 3, 1, fxt_thread(3), PROCESS, THREAD)
LONGER(event, 2, 1, EVENT(2, 0), TIME)
LONGER(event_argument, 3, 2, EVENT(3, 1), TIME, fxt_arg_null(1, NAME))
LONGER(counter, 3, 1, fxt_event(3, FXT_EVENT_COUNTER, 0, KNOWN_THREAD, CATEGORY, NAME), TIME,
       TIME)
LONGER(blob, 2, 1, fxt_blob(2, NAME, 8, FXT_BLOB_DATA), TIME)
LONGER(userspace_object, 2, 1, fxt_userspace_object(2, KNOWN_THREAD, NAME, 0), TIME)
LONGER(kernel_object, 2, 1, fxt_kernel_object(2, FXT_OBJECT_THREAD, NAME, 0), THREAD)
LONGER(switch, 4, 1, fxt_context_switch(4, 0, 0, FXT_THREAD_NEW), TIME, THREAD, THREAD)
LONGER(wakeup, 3, 1, fxt_thread_wakeup(3, 0, 0), TIME, THREAD)
LONGER(legacy, 2, 1, fxt_legacy_switch(2, 0, 0, KNOWN_THREAD, KNOWN_THREAD, 0, 0), TIME)
LONGER(log, 2, 1, fxt_log(2, 0, KNOWN_THREAD), TIME)
LONGER(module, 2, 1, fxt_profiler_module(2, KNOWN_THREAD, 1, 0, 0), TIME)
LONGER(mmap, 5, 1, fxt_profiler_mmap(5, KNOWN_THREAD, 1, 0), TIME, TIME, TIME, TIME)
LONGER(backtrace, 3, 1, fxt_profiler_backtrace(3, KNOWN_THREAD, 1), TIME, TIME)
LONGER(large, 4, 2, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
       fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME, 0)
LONGER(large_payload, 4, 1, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
       fxt_large_blob_no_metadata(CATEGORY, NAME), 8, TIME)

/* The same for an argument, followed by another one. */
#define LONGER_ARGUMENT(name, words, ...)					\
	CASE(longer_arg_##name, TRAILING, NOTED, 16 + 8 * (words), "argument size",	\
	     "1 words after the last defined field")			\
	{									\
		uint64_t arg[] = { __VA_ARGS__, ~0ULL };				\
										\
		arg[0] += fxt_put(FXT_ARG_SIZE, 1);				\
		BUILD(b, EVENT(4 + (words), 2), TIME);				\
		build_words(b, arg, (words) + 1);				\
		BUILD(b, fxt_arg_null(1, NAME));					\
	}

LONGER_ARGUMENT(null, 1, fxt_arg_null(1, NAME))
LONGER_ARGUMENT(int32, 1, fxt_arg_int32(1, NAME, -5))
LONGER_ARGUMENT(uint32, 1, fxt_arg_uint32(1, NAME, 5))
LONGER_ARGUMENT(int64, 2, fxt_arg_int64(2, NAME), TIME)
LONGER_ARGUMENT(string, 1, fxt_arg_string(1, NAME, CATEGORY))
LONGER_ARGUMENT(koid, 2, fxt_arg_koid(2, NAME), THREAD)
LONGER_ARGUMENT(bool, 1, fxt_arg_bool(1, NAME, 1))
LONGER_ARGUMENT(blob, 2, fxt_arg_blob(2, NAME, 8), TIME)

/* A reader skips undefined records by their size, whatever they contain. */
#define UNDEFINED(name, header, ...)						\
	CASE_OF(undefined_##name, .fate = SOUND)					\
	{									\
		BUILD(b, (header) | fxt_put(FXT_SIZE, 3), ~0ULL, 0);		\
	}

#define UNDEFINED_TYPE(type)		UNDEFINED(type_##type, 0xffffffffffff0000ULL | (type))
#define UNDEFINED_METADATA(type)	UNDEFINED(metadata_##type, ~0ULL << 20 | (type) << 16)
#define UNDEFINED_EVENT(type)	\
	UNDEFINED(event_##type, ~0ULL << 20 | (type) << 16 | FXT_RECORD_EVENT)
#define UNDEFINED_SCHEDULING(type)	\
	UNDEFINED(scheduling_##type, (type ## ULL) << 60 | 0xfffffffff0000 | FXT_RECORD_SCHEDULING)
#define UNDEFINED_PROFILER(type)	\
	UNDEFINED(profiler_##type, ~0ULL << 20 | (type) << 16 | FXT_RECORD_PROFILER)

UNDEFINED_TYPE(11) UNDEFINED_TYPE(12) UNDEFINED_TYPE(13) UNDEFINED_TYPE(14)
UNDEFINED_METADATA(0) UNDEFINED_METADATA(5) UNDEFINED_METADATA(15)
UNDEFINED_EVENT(11) UNDEFINED_EVENT(15)
UNDEFINED_SCHEDULING(3) UNDEFINED_SCHEDULING(15)
UNDEFINED_PROFILER(3) UNDEFINED_PROFILER(15)
UNDEFINED(trace_info, ~0ULL << 20 | FXT_METADATA_TRACE_INFO << 16)
UNDEFINED(large, 1ULL << 36 | FXT_RECORD_LARGE)
UNDEFINED(large_format, 2ULL << 40 | FXT_RECORD_LARGE)

#define UNDEFINED_ARGUMENT(type)							\
	CASE_OF(undefined_arg_##type, .fate = SOUND)				\
	{									\
		BUILD(b, EVENT(6, 2), TIME, fxt_arg_header(type, 3, NAME) | ~0ULL << 32,	\
		      ~0ULL, 0, fxt_arg_null(1, NAME));				\
	}

UNDEFINED_ARGUMENT(11) UNDEFINED_ARGUMENT(12) UNDEFINED_ARGUMENT(13)
UNDEFINED_ARGUMENT(14) UNDEFINED_ARGUMENT(15)
