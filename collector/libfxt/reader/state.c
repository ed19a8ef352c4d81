// SPDX-License-Identifier: GPL-2.0-or-later
/* state.c - see state.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

/* --- kinds of records ------------------------------------------------------------------- */

#define ALL(kind) { [0 ... 15] = (kind) }

const uint8_t fxt_kinds[16][16] = {
	[FXT_RECORD_METADATA] = {
		[FXT_METADATA_PROVIDER_INFO]	= FXT_KIND_PROVIDER_INFO,
		[FXT_METADATA_PROVIDER_SECTION]	= FXT_KIND_PROVIDER_SECTION,
		[FXT_METADATA_PROVIDER_EVENT]	= FXT_KIND_PROVIDER_EVENT,
		[FXT_METADATA_TRACE_INFO]	= FXT_KIND_MAGIC,
	},
	[FXT_RECORD_INITIALIZATION]	= ALL(FXT_KIND_INITIALIZATION),
	[FXT_RECORD_STRING]		= ALL(FXT_KIND_STRING),
	[FXT_RECORD_THREAD]		= ALL(FXT_KIND_THREAD),
	[FXT_RECORD_EVENT] = {
		[FXT_EVENT_INSTANT]		= FXT_KIND_INSTANT,
		[FXT_EVENT_COUNTER]		= FXT_KIND_COUNTER,
		[FXT_EVENT_DURATION_BEGIN]	= FXT_KIND_DURATION_BEGIN,
		[FXT_EVENT_DURATION_END]	= FXT_KIND_DURATION_END,
		[FXT_EVENT_DURATION_COMPLETE]	= FXT_KIND_DURATION_COMPLETE,
		[FXT_EVENT_ASYNC_BEGIN]		= FXT_KIND_ASYNC_BEGIN,
		[FXT_EVENT_ASYNC_INSTANT]	= FXT_KIND_ASYNC_INSTANT,
		[FXT_EVENT_ASYNC_END]		= FXT_KIND_ASYNC_END,
		[FXT_EVENT_FLOW_BEGIN]		= FXT_KIND_FLOW_BEGIN,
		[FXT_EVENT_FLOW_STEP]		= FXT_KIND_FLOW_STEP,
		[FXT_EVENT_FLOW_END]		= FXT_KIND_FLOW_END,
	},
	[FXT_RECORD_BLOB]		= ALL(FXT_KIND_BLOB),
	[FXT_RECORD_USERSPACE_OBJECT]	= ALL(FXT_KIND_USERSPACE_OBJECT),
	[FXT_RECORD_KERNEL_OBJECT]	= ALL(FXT_KIND_KERNEL_OBJECT),
	[FXT_RECORD_SCHEDULING] = {
		[FXT_SCHEDULING_LEGACY_SWITCH]	= FXT_KIND_LEGACY_SWITCH,
		[FXT_SCHEDULING_CONTEXT_SWITCH]	= FXT_KIND_CONTEXT_SWITCH,
		[FXT_SCHEDULING_THREAD_WAKEUP]	= FXT_KIND_THREAD_WAKEUP,
	},
	[FXT_RECORD_LOG]		= ALL(FXT_KIND_LOG),
	[FXT_RECORD_PROFILER] = {
		[FXT_PROFILER_MODULE]		= FXT_KIND_MODULE,
		[FXT_PROFILER_MMAP]		= FXT_KIND_MMAP,
		[FXT_PROFILER_BACKTRACE]	= FXT_KIND_BACKTRACE,
	},
	[FXT_RECORD_LARGE] = {
		[FXT_LARGE_BLOB]		= FXT_KIND_LARGE_BLOB,
	},
};

const uint8_t fxt_kinds_2017[16] = {
	[FXT_2017_EVENT_INSTANT]	= FXT_KIND_INSTANT,
	[FXT_2017_EVENT_COUNTER]	= FXT_KIND_COUNTER,
	[FXT_2017_EVENT_DURATION_BEGIN]	= FXT_KIND_DURATION_BEGIN,
	[FXT_2017_EVENT_DURATION_END]	= FXT_KIND_DURATION_END,
	[FXT_2017_EVENT_ASYNC_BEGIN]	= FXT_KIND_ASYNC_BEGIN,
	[FXT_2017_EVENT_ASYNC_INSTANT]	= FXT_KIND_ASYNC_INSTANT,
	[FXT_2017_EVENT_ASYNC_END]	= FXT_KIND_ASYNC_END,
	[FXT_2017_EVENT_FLOW_BEGIN]	= FXT_KIND_FLOW_BEGIN,
	[FXT_2017_EVENT_FLOW_STEP]	= FXT_KIND_FLOW_STEP,
	[FXT_2017_EVENT_FLOW_END]	= FXT_KIND_FLOW_END,
};

const uint8_t fxt_subtype_shift[16] = {
	[FXT_RECORD_METADATA]	= __builtin_ctzll(FXT_METADATA_TYPE),
	[FXT_RECORD_EVENT]	= __builtin_ctzll(FXT_EVENT_TYPE),
	[FXT_RECORD_SCHEDULING]	= __builtin_ctzll(FXT_SCHEDULING_TYPE),
	[FXT_RECORD_PROFILER]	= __builtin_ctzll(FXT_PROFILER_TYPE),
	[FXT_RECORD_LARGE]	= __builtin_ctzll(FXT_LARGE_TYPE),
};

/* --- deviations ------------------------------------------------------------------------- */

/* Write the beginning that all texts share. Return: its length. */
static int place(const struct fxt_deviation *d, char *text)
{
	return snprintf(text, ERROR_BYTES, "byte %" PRIu64 ": record %" PRIu64 ": %s: ",
			d->offset, d->record, d->field);
}

int fxt_deviate(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
		bool lost, const char *field, const char *format, ...)
{
	int fatal = lost || r->o.strict ? -EBADMSG : 0;
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.lost = lost,
		.field = field,
		.text = r->error,
	};
	va_list args;
	int n;

	if (r->quiet)
		return fatal;
	r->totals.deviations++;
	r->attention = true;
	r->odd = true;
	r->deviates = true;
	r->lost |= lost;
	/* Without a callback, nobody sees the text of a later deviation. */
	if (!r->o.deviation && !r->o.strict && r->error[0])
		return fatal;
	n = place(&d, r->error);
	va_start(args, format);
	vsnprintf(r->error + n, sizeof(r->error) - n, format, args);
	va_end(args);
	if (r->o.deviation)
		r->o.deviation(r->o.arg, &d);
	return fatal;
}

int fxt_note(struct fxt_reader *r, uint64_t offset, enum fxt_deviation_kind kind,
	     const char *field, const char *format, ...)
{
	char text[ERROR_BYTES];
	struct fxt_deviation d = {
		.offset = offset,
		.record = r->number,
		.kind = kind,
		.note = true,
		.field = field,
		.text = text,
	};
	va_list args;
	int n;

	if (r->quiet || !r->o.deviation)
		return 0;
	n = place(&d, text);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	r->o.deviation(r->o.arg, &d);
	return 0;
}

int fxt_note_trailing(struct fxt_reader *r, uint64_t offset, const char *field, uint64_t words)
{
	if (r->quiet)
		return 0;
	r->attention = true;
	r->odd = true;
	return fxt_note(r, offset, FXT_DEV_TRAILING, field,
			"%" PRIu64 " words after the last defined field", words);
}

/* --- the window ------------------------------------------------------------------------- */

/* Move the words from @keep on, and the incomplete word after them, to the front. */
static void keep_from(struct fxt_reader *r, size_t keep)
{
	size_t bytes = (r->end - keep) * FXT_WORD + r->tail;

	if (!keep)
		return;
	memmove(r->window, r->window + keep, bytes);
	r->base += (uint64_t)keep * FXT_WORD;
	r->end -= keep;
	r->at -= keep;
	r->last -= r->last < keep ? r->last : keep;
}

static void report_progress(struct fxt_reader *r)
{
	uint64_t size, bytes = fxt_stream_source(r->stream, &size);

	r->o.progress(r->o.progress_arg, bytes, size);
}

void fxt_window_fill(struct fxt_reader *r, size_t keep, size_t words)
{
	size_t room, bytes;
	ssize_t n;

	if (words > WINDOW_WORDS)
		words = WINDOW_WORDS;
	if (r->end - keep >= words || r->ended)
		return;
	keep_from(r, keep);
	while (r->end < words && !r->ended) {
		room = (WINDOW_WORDS - r->end) * FXT_WORD - r->tail;
		bytes = words * FXT_WORD > READ_BYTES ? room : READ_BYTES;
		bytes = bytes < room ? bytes : room;
		n = fxt_stream_read(r->stream, (char *)(r->window + r->end) + r->tail, bytes);
		if (n < 0)
			r->stream_error = n;
		r->ended = n <= 0;
		r->tail += n > 0 ? n : 0;
		r->end += r->tail / FXT_WORD;
		r->tail %= FXT_WORD;
		if (r->o.progress)
			report_progress(r);
	}
}

void fxt_window_realign(struct fxt_reader *r, size_t from)
{
	size_t bytes = r->end * FXT_WORD + r->tail - from;

	memmove(r->window, (const char *)r->window + from, bytes);
	r->base += from;
	r->end = bytes / FXT_WORD;
	r->tail = bytes % FXT_WORD;
	r->at = 0;
	r->last = 0;
}

/* fxt_window_fill() found the error when it read ahead. The records before it come first. */
int fxt_window_failure(struct fxt_reader *r)
{
	int error = r->stream_error;

	r->stream_error = 0;
	if (!error)
		return 0;
	if (error == -EBADMSG)
		return fxt_deviate(r, r->base + r->end * FXT_WORD + r->tail,
				   FXT_DEV_COMPRESSION, false, "compression", "%s",
				   fxt_stream_error(r->stream));
	snprintf(r->error, sizeof(r->error), "cannot read after byte %" PRIu64 ": %s",
		 r->base + r->end * FXT_WORD + r->tail, strerror(-error));
	return error;
}

uint64_t fxt_window_left(const struct fxt_reader *r, size_t from)
{
	uint64_t size = fxt_stream_size(r->stream), here = r->base + from * FXT_WORD;

	if (r->ended || size == FXT_SIZE_UNKNOWN)
		return r->ended ? r->end - from : UINT64_MAX;
	return size > here ? (size - here) / FXT_WORD : 0;
}
