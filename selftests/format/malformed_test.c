// SPDX-License-Identifier: GPL-2.0-or-later
/* Records with invalid sizes, references and values; malformed.h states what must hold. */
#include "malformed.h"

/* --- invalid sizes ------------------------------------------------------------------ */

CASE(size_zero, SIZE_ZERO, SKIPPED, 0, "record size", "invalid record size 0")
{
	BUILD(b, fxt_event(0, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);
}

CASE(size_zero_large, SIZE_ZERO, SKIPPED, 0, "record size", "invalid record size 0")
{
	BUILD(b, fxt_large_blob(0, FXT_LARGE_BLOB_NO_METADATA), TIME);
}

CASE(past_end, PAST_END, SKIPPED, 0, "record size",
     "record of 13 words, but the archive ends after 12")
{
	BUILD(b, fxt_event(13, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);
}

CASE(past_end_most, PAST_END, SKIPPED, 0, "record size",
     "record of 4095 words, but the archive ends after 11")
{
	BUILD(b, fxt_event(4095, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, NAME));
}

/* 2^32 - 1 words are 2^35 - 8 bytes. */
CASE(past_end_large, PAST_END, SKIPPED, 0, "record size",
     "record of 4294967295 words, but the archive ends after 12")
{
	BUILD(b, fxt_large_blob(0xffffffff, FXT_LARGE_BLOB_METADATA), TIME);
}

/* --- records that are shorter than their fields ------------------------------------- */

#define TOO_SHORT(name, fate, at, field, what)	\
	CASE(short_##name, TOO_SHORT, fate, at, field, what)

TOO_SHORT(provider_info, SKIPPED, 8, "provider name stream",
	  "9 bytes, but 0 words are left of 1")
{
	BUILD(b, (fxt_provider_info(1, 9) & ~FXT_SIZE) | fxt_put(FXT_SIZE, 1));
}

TOO_SHORT(initialization, SKIPPED, 8, "tick multiplier", "missing: the record has only 1 words")
{
	BUILD(b, fxt_header(FXT_RECORD_INITIALIZATION, 1));
}

TOO_SHORT(string, SKIPPED, 8, "string value stream", "1 bytes, but 0 words are left of 1")
{
	BUILD(b, (fxt_string(3, 1) & ~FXT_SIZE) | fxt_put(FXT_SIZE, 1));
}

TOO_SHORT(string_tail, SKIPPED, 8, "string value stream", "9 bytes, but 1 words are left of 2")
{
	BUILD(b, (fxt_string(3, 9) & ~FXT_SIZE) | fxt_put(FXT_SIZE, 2), 0x6161616161616161);
}

TOO_SHORT(thread, SKIPPED, 8, "process id", "missing: the record has only 1 words")
{
	BUILD(b, (fxt_thread(3) & ~FXT_SIZE) | fxt_put(FXT_SIZE, 1));
}

TOO_SHORT(thread_id, SKIPPED, 16, "thread id", "missing: the record has only 2 words")
{
	BUILD(b, (fxt_thread(3) & ~FXT_SIZE) | fxt_put(FXT_SIZE, 2), PROCESS);
}

TOO_SHORT(event, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_event(1, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, NAME));
}

TOO_SHORT(event_process, LOST, 16, "process id", "missing: the record has only 2 words")
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, 0, CATEGORY, NAME), TIME);
}

TOO_SHORT(event_thread, LOST, 24, "thread id", "missing: the record has only 3 words")
{
	BUILD(b, fxt_event(3, FXT_EVENT_DURATION_BEGIN, 0, 0, CATEGORY, NAME), TIME, PROCESS);
}

TOO_SHORT(event_category, LOST, 16, "category", "8 bytes, but 0 words are left of 2")
{
	BUILD(b, fxt_event(2, FXT_EVENT_DURATION_END, 0, KNOWN_THREAD, INLINE(8), NAME), TIME);
}

TOO_SHORT(event_name, LOST, 16, "name", "32767 bytes, but 1 words are left of 3")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, INLINE(32767)),
	      TIME, TIME);
}

TOO_SHORT(event_argument, LOST, 24, "argument header", "missing: the record has only 3 words")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 2, KNOWN_THREAD, CATEGORY, NAME), TIME,
	      fxt_arg_null(1, NAME));
}

TOO_SHORT(counter, LOST, 16, "counter id", "missing: the record has only 2 words")
{
	BUILD(b, fxt_event(2, FXT_EVENT_COUNTER, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);
}

TOO_SHORT(duration_complete, LOST, 16, "end time", "missing: the record has only 2 words")
{
	BUILD(b, fxt_event(2, FXT_EVENT_DURATION_COMPLETE, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);
}

#define TOO_SHORT_CORRELATION(name, type)					\
	TOO_SHORT(name, LOST, 16, "correlation id", "missing: the record has only 2 words") \
	{									\
		BUILD(b, fxt_event(2, type, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);	\
	}

TOO_SHORT_CORRELATION(async_begin, FXT_EVENT_ASYNC_BEGIN)
TOO_SHORT_CORRELATION(async_instant, FXT_EVENT_ASYNC_INSTANT)
TOO_SHORT_CORRELATION(async_end, FXT_EVENT_ASYNC_END)
TOO_SHORT_CORRELATION(flow_begin, FXT_EVENT_FLOW_BEGIN)
TOO_SHORT_CORRELATION(flow_step, FXT_EVENT_FLOW_STEP)
TOO_SHORT_CORRELATION(flow_end, FXT_EVENT_FLOW_END)

TOO_SHORT(blob, LOST, 8, "payload stream", "1 bytes, but 0 words are left of 1")
{
	BUILD(b, fxt_blob(1, NAME, 1, FXT_BLOB_DATA));
}

TOO_SHORT(blob_name, LOST, 8, "blob name", "1 bytes, but 0 words are left of 1")
{
	BUILD(b, fxt_blob(1, INLINE(1), 0, FXT_BLOB_DATA));
}

TOO_SHORT(blob_payload, LOST, 8, "payload stream", "17 bytes, but 2 words are left of 3")
{
	BUILD(b, fxt_blob(3, NAME, 17, FXT_BLOB_DATA), TIME, TIME);
}

TOO_SHORT(userspace_object, LOST, 8, "pointer", "missing: the record has only 1 words")
{
	BUILD(b, fxt_userspace_object(1, KNOWN_THREAD, NAME, 0));
}

TOO_SHORT(userspace_process, LOST, 16, "process id", "missing: the record has only 2 words")
{
	BUILD(b, fxt_userspace_object(2, 0, NAME, 0), TIME);
}

TOO_SHORT(userspace_name, LOST, 24, "name", "2 bytes, but 0 words are left of 3")
{
	BUILD(b, fxt_userspace_object(3, 0, INLINE(2), 0), TIME, PROCESS);
}

TOO_SHORT(kernel_object, LOST, 8, "koid", "missing: the record has only 1 words")
{
	BUILD(b, fxt_kernel_object(1, FXT_OBJECT_THREAD, NAME, 0));
}

TOO_SHORT(kernel_argument, LOST, 16, "argument header", "missing: the record has only 2 words")
{
	BUILD(b, fxt_kernel_object(2, FXT_OBJECT_THREAD, NAME, 1), THREAD);
}

TOO_SHORT(legacy, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_legacy_switch(1, 0, FXT_THREAD_NEW, KNOWN_THREAD, KNOWN_THREAD, 0, 0));
}

TOO_SHORT(legacy_thread, LOST, 32, "process id", "missing: the record has only 4 words")
{
	BUILD(b, fxt_legacy_switch(4, 0, FXT_THREAD_NEW, 0, 0, 0, 0), TIME, PROCESS, THREAD);
}

TOO_SHORT(context_switch, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_context_switch(1, 0, 0, FXT_THREAD_BLOCKED));
}

TOO_SHORT(switch_out, LOST, 16, "outgoing thread id", "missing: the record has only 2 words")
{
	BUILD(b, fxt_context_switch(2, 0, 0, FXT_THREAD_BLOCKED), TIME);
}

TOO_SHORT(switch_in, LOST, 24, "incoming thread id", "missing: the record has only 3 words")
{
	BUILD(b, fxt_context_switch(3, 0, 0, FXT_THREAD_BLOCKED), TIME, THREAD);
}

TOO_SHORT(wakeup, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_thread_wakeup(1, 0, 0));
}

TOO_SHORT(wakeup_thread, LOST, 16, "waking thread id", "missing: the record has only 2 words")
{
	BUILD(b, fxt_thread_wakeup(2, 0, 0), TIME);
}

TOO_SHORT(log, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_log(1, 0, KNOWN_THREAD));
}

TOO_SHORT(log_message, LOST, 16, "log message stream", "9 bytes, but 1 words are left of 3")
{
	BUILD(b, fxt_log(3, 9, KNOWN_THREAD), TIME, 0x6161616161616161);
}

TOO_SHORT(module, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_profiler_module(1, KNOWN_THREAD, 1, 0, 0));
}

TOO_SHORT(module_name, LOST, 16, "module name stream", "3 bytes, but 0 words are left of 2")
{
	BUILD(b, fxt_profiler_module(2, KNOWN_THREAD, 1, 3, 0), TIME);
}

TOO_SHORT(module_build_id, LOST, 16, "build id stream", "20 bytes, but 0 words are left of 2")
{
	BUILD(b, fxt_profiler_module(2, KNOWN_THREAD, 1, 0, 20), TIME);
}

TOO_SHORT(mmap, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_profiler_mmap(1, KNOWN_THREAD, 1, 0));
}

TOO_SHORT(mmap_start, LOST, 16, "start address", "missing: the record has only 2 words")
{
	BUILD(b, fxt_profiler_mmap(2, KNOWN_THREAD, 1, 0), TIME);
}

TOO_SHORT(mmap_range, LOST, 24, "address range", "missing: the record has only 3 words")
{
	BUILD(b, fxt_profiler_mmap(3, KNOWN_THREAD, 1, 0), TIME, TIME);
}

TOO_SHORT(mmap_vaddr, LOST, 32, "vaddr", "missing: the record has only 4 words")
{
	BUILD(b, fxt_profiler_mmap(4, KNOWN_THREAD, 1, 0), TIME, TIME, TIME);
}

TOO_SHORT(backtrace, LOST, 8, "timestamp", "missing: the record has only 1 words")
{
	BUILD(b, fxt_profiler_backtrace(1, KNOWN_THREAD, 0));
}

TOO_SHORT(backtrace_frames, LOST, 24, "backtrace data", "missing: the record has only 3 words")
{
	BUILD(b, fxt_profiler_backtrace(3, KNOWN_THREAD, 2), TIME, TIME);
}

TOO_SHORT(large, LOST, 8, "format header", "missing: the record has only 1 words")
{
	BUILD(b, fxt_large_blob(1, FXT_LARGE_BLOB_METADATA));
}

TOO_SHORT(large_bare, LOST, 8, "format header", "missing: the record has only 1 words")
{
	BUILD(b, fxt_large_blob(1, FXT_LARGE_BLOB_NO_METADATA));
}

TOO_SHORT(large_time, LOST, 16, "timestamp", "missing: the record has only 2 words")
{
	BUILD(b, fxt_large_blob(2, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD));
}

TOO_SHORT(large_size, LOST, 24, "blob size", "missing: the record has only 3 words")
{
	BUILD(b, fxt_large_blob(3, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME);
}

TOO_SHORT(large_bare_size, LOST, 16, "blob size", "missing: the record has only 2 words")
{
	BUILD(b, fxt_large_blob(2, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME));
}

TOO_SHORT(large_payload, LOST, 16, "blob size", "9 bytes, but 1 words are left of 4")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME), 9, TIME);
}

/* A size that overflows when it is rounded up to words. */
TOO_SHORT(large_payload_most, LOST, 16, "blob size",
	  "18446744073709551615 bytes, but 0 words are left of 3")
{
	BUILD(b, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME), UINT64_MAX);
}

/* --- references that were never registered ------------------------------------------ */

/* The reader keeps the rest of events, and loses other records. */
#define NO_STRING(name, fate, at, field)	\
	CASE(no_string_##name, STRING_REF, fate, at, field, "string 77 was never registered")
#define NO_THREAD(name, at, field)	\
	CASE(no_thread_##name, THREAD_REF, LOST, at, field, "thread 9 was never registered")

NO_STRING(category, USABLE, 0, "category")
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, UNKNOWN_STRING, NAME), TIME);
}

NO_STRING(name, USABLE, 0, "name")
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, UNKNOWN_STRING), TIME);
}

/* The last index; its page has other strings, but not this one. */
CASE(no_string_last, STRING_REF, USABLE, 0, "name", "string 32767 was never registered")
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, 32767), TIME);
}

NO_STRING(argument_name, USABLE, 16, "argument name")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 1, KNOWN_THREAD, CATEGORY, NAME), TIME,
	      fxt_arg_int32(1, UNKNOWN_STRING, 5));
}

NO_STRING(argument_value, USABLE, 24, "argument value")
{
	BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 2, KNOWN_THREAD, CATEGORY, NAME), TIME,
	      fxt_arg_null(1, NAME), fxt_arg_string(1, NAME, UNKNOWN_STRING));
}

NO_STRING(unknown_argument, USABLE, 16, "argument name")
{
	BUILD(b, fxt_event(3, FXT_EVENT_INSTANT, 1, KNOWN_THREAD, CATEGORY, NAME), TIME,
	      fxt_arg_header(11, 1, UNKNOWN_STRING));
}

NO_STRING(blob, LOST, 0, "blob name")
{
	BUILD(b, fxt_blob(2, UNKNOWN_STRING, 8, FXT_BLOB_DATA), TIME);
}

NO_STRING(userspace_object, LOST, 0, "name")
{
	BUILD(b, fxt_userspace_object(2, KNOWN_THREAD, UNKNOWN_STRING, 0), TIME);
}

NO_STRING(kernel_object, LOST, 0, "name")
{
	BUILD(b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, UNKNOWN_STRING, 0), PROCESS);
}

NO_STRING(large_category, LOST, 8, "category")
{
	BUILD(b, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(UNKNOWN_STRING, NAME), 0);
}

NO_STRING(large_name, LOST, 8, "name")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, UNKNOWN_STRING, 0, KNOWN_THREAD), TIME, 0);
}

NO_THREAD(event, 0, "thread")
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, UNKNOWN_THREAD, CATEGORY, NAME), TIME);
}

NO_THREAD(userspace_object, 0, "process")
{
	BUILD(b, fxt_userspace_object(2, UNKNOWN_THREAD, NAME, 0), TIME);
}

NO_THREAD(legacy_out, 0, "outgoing thread")
{
	BUILD(b, fxt_legacy_switch(2, 0, FXT_THREAD_NEW, UNKNOWN_THREAD, KNOWN_THREAD, 0, 0), TIME);
}

NO_THREAD(legacy_in, 0, "incoming thread")
{
	BUILD(b, fxt_legacy_switch(2, 0, FXT_THREAD_NEW, KNOWN_THREAD, UNKNOWN_THREAD, 0, 0), TIME);
}

NO_THREAD(log, 0, "thread")
{
	BUILD(b, fxt_log(2, 0, UNKNOWN_THREAD), TIME);
}

NO_THREAD(module, 0, "thread")
{
	BUILD(b, fxt_profiler_module(2, UNKNOWN_THREAD, 1, 0, 0), TIME);
}

NO_THREAD(mmap, 0, "thread")
{
	BUILD(b, fxt_profiler_mmap(5, UNKNOWN_THREAD, 1, 0), TIME, TIME, TIME, TIME);
}

NO_THREAD(backtrace, 0, "thread")
{
	BUILD(b, fxt_profiler_backtrace(2, UNKNOWN_THREAD, 0), TIME);
}

NO_THREAD(large, 8, "thread")
{
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, NAME, 0, UNKNOWN_THREAD), TIME, 0);
}

/* --- invalid arguments -------------------------------------------------------------- */

#define EVENT(words, args)	\
	fxt_event(words, FXT_EVENT_INSTANT, args, KNOWN_THREAD, CATEGORY, NAME)

CASE(argument_size_zero, ARGUMENT, LOST, 16, "argument size",
     "argument of 0 words, but 1 are left of the record")
{
	BUILD(b, EVENT(3, 1), TIME, fxt_arg_null(0, NAME));
}

CASE(argument_past_record, ARGUMENT, LOST, 24, "argument size",
     "argument of 3 words, but 2 are left of the record")
{
	BUILD(b, EVENT(5, 2), TIME, fxt_arg_null(1, NAME), fxt_arg_int64(3, NAME), TIME);
}

CASE(argument_past_record_most, ARGUMENT, LOST, 16, "argument size",
     "argument of 4095 words, but 1 are left of the record")
{
	BUILD(b, EVENT(3, 1), TIME, fxt_arg_null(4095, NAME));
}

#define NO_VALUE(name, type)							\
	CASE(no_value_##name, TOO_SHORT, LOST, 24, "argument value",		\
	     "missing: the record has only 3 words")					\
	{									\
		BUILD(b, EVENT(4, 2), TIME, type(1, NAME), fxt_arg_null(1, NAME));	\
	}

NO_VALUE(int64, fxt_arg_int64)
NO_VALUE(uint64, fxt_arg_uint64)
NO_VALUE(double, fxt_arg_double)
NO_VALUE(pointer, fxt_arg_pointer)
NO_VALUE(koid, fxt_arg_koid)

CASE(argument_inline_name, TOO_SHORT, LOST, 24, "argument name",
     "9 bytes, but 1 words are left of 4")
{
	BUILD(b, EVENT(5, 2), TIME, fxt_arg_uint32(2, INLINE(9), 5), TIME, fxt_arg_null(1, NAME));
}

CASE(argument_inline_value, TOO_SHORT, LOST, 24, "argument value",
     "1 bytes, but 0 words are left of 3")
{
	BUILD(b, EVENT(4, 2), TIME, fxt_arg_string(1, NAME, INLINE(1)), fxt_arg_null(1, NAME));
}

CASE(argument_blob, TOO_SHORT, LOST, 24, "argument payload",
     "9 bytes, but 1 words are left of 4")
{
	BUILD(b, EVENT(5, 2), TIME, fxt_arg_blob(2, NAME, 9), TIME, fxt_arg_null(1, NAME));
}

CASE(argument_blob_most, TOO_SHORT, LOST, 24, "argument payload",
     "4294967295 bytes, but 0 words are left of 3")
{
	BUILD(b, EVENT(3, 1), TIME, fxt_arg_blob(1, NAME, 0xffffffff));
}

CASE(unknown_argument_name, TOO_SHORT, LOST, 24, "argument name",
     "1 bytes, but 0 words are left of 3")
{
	BUILD(b, EVENT(4, 2), TIME, fxt_arg_header(15, 1, INLINE(1)), fxt_arg_null(1, NAME));
}

/* All records that have arguments: the reader decodes these. */
#define BAD_ARGUMENT(name, words, ...)						\
	CASE(bad_argument_##name, ARGUMENT, LOST, 8 * ((words) - 1), "argument size", \
	     "argument of 0 words, but 1 are left of the record")		\
	{									\
		BUILD(b, __VA_ARGS__, fxt_arg_null(0, NAME));			\
	}

BAD_ARGUMENT(userspace_object, 3, fxt_userspace_object(3, KNOWN_THREAD, NAME, 1), TIME)
BAD_ARGUMENT(kernel_object, 3, fxt_kernel_object(3, FXT_OBJECT_THREAD, NAME, 1), THREAD)
BAD_ARGUMENT(switch, 5, fxt_context_switch(5, 1, 0, FXT_THREAD_NEW), TIME, THREAD, THREAD)
BAD_ARGUMENT(wakeup, 4, fxt_thread_wakeup(4, 1, 0), TIME, THREAD)

CASE(bad_argument_large, ARGUMENT, LOST, 24, "argument size",
     "argument of 0 words, but 2 are left of the record")
{
	BUILD(b, fxt_large_blob(5, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, NAME, 1, KNOWN_THREAD), TIME,
	      fxt_arg_null(0, NAME), 0);
}

/* --- undefined values --------------------------------------------------------------- */

CASE(string_index_zero, INDEX_ZERO, USABLE, 0, "string index",
     "index 0 is the empty string; ignored")
{
	build_string(b, 0, "abc");
}

CASE(thread_index_zero, INDEX_ZERO, USABLE, 0, "thread index",
     "index 0 is for inline threads; ignored")
{
	BUILD(b, fxt_thread(0), PROCESS, THREAD);
}

CASE(no_ticks, VALUE, USABLE, 8, "tick multiplier", "0 ticks per second; ignored")
{
	BUILD(b, fxt_initialization(), 0);
}

CASE(section_without_info, PROVIDER, USABLE, 0, "provider id",
     "provider 4294967295 has no provider info before its section")
{
	BUILD(b, fxt_provider_section(0xffffffff));
}

CASE(provider_event, VALUE, NOTED, 0, "event id", "15 is not defined")
{
	BUILD(b, fxt_provider_event(1, 15));
}

CASE(magic_number, VALUE, USABLE, 0, "magic number",
     "0x0016547847040010 is not the magic number record")
{
	BUILD(b, FXT_MAGIC_RECORD + (1 << 24));
}

/* Only this record must not be extended; so there is a note as well. */
CASE_OF(magic_size, .kind = FXT_DEV_VALUE, .fate = USABLE, .notes = 1,
	.field = "magic number",
	.what = "0x0016547846040020 is not the magic number record")
{
	BUILD(b, FXT_MAGIC_RECORD + 0x10, TIME);
}

CASE(blob_type_zero, VALUE, NOTED, 0, "blob type", "0 is not defined")
{
	BUILD(b, fxt_blob(2, NAME, 8, 0), TIME);
}

CASE(blob_type, VALUE, NOTED, 0, "blob type", "4 is not defined")
{
	BUILD(b, fxt_blob(2, NAME, 8, 4), TIME);
}

CASE(switch_state, VALUE, USABLE, 0, "outgoing thread state",
     "6 is not a valid state of an outgoing thread")
{
	BUILD(b, fxt_context_switch(4, 0, 0, 6), TIME, THREAD, THREAD);
}

CASE(legacy_state, VALUE, USABLE, 0, "outgoing thread state",
     "15 is not a valid state of an outgoing thread")
{
	BUILD(b, fxt_legacy_switch(2, 0, 15, KNOWN_THREAD, KNOWN_THREAD, 0, 0), TIME);
}

CASE(legacy_running, VALUE, USABLE, 0, "outgoing thread state",
     "1 is not a valid state of an outgoing thread")
{
	BUILD(b, fxt_legacy_switch(2, 0, FXT_THREAD_RUNNING, KNOWN_THREAD, KNOWN_THREAD, 0, 0),
	      TIME);
}
