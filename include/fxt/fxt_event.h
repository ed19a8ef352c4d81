/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_event.h - event and log records. Arguments are in fxt_argument.h.
 */
#ifndef FXT_FXT_EVENT_H
#define FXT_FXT_EVENT_H

#include "fxt_word.h"

/*
 * "Event record (record type = 4)": header, ticks, [process koid, thread koid], [category], [name],
 * arguments. All types except instant, duration begin and duration end have one more word: counter
 * id, end ticks or correlation id.
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

/* Numbers in the first public version of the format (2017). */
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

/*
 * "Log record (record type = 9)": header, ticks, [process koid, thread koid], message as a stream.
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

#endif /* FXT_FXT_EVENT_H */
