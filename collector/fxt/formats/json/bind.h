/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bind.h - converts the flows of a trace in the Trace Event Format to flows of FXT.
 *
 * In FXT, each part of a flow belongs to the slice around it, ids follow walk/ids.h, and a flow
 * has one end. In this format, by Perfetto's rules:
 *
 * - An id is valid in the whole trace. The first begin within a slice counts.
 * - An end without "bp":"e" belongs to the next slice of its thread.
 * - A flow may have several ends, and continue after them. Each has an arrow from the last begin
 *   or step.
 * - A slice with "bind_id" is itself a part.
 *
 * In: slices, parts of flows and other events with times, in the order of the file.
 * Out: the parts, at most BIND_WINDOW events later, with ids and times that give the same arrows
 * in FXT, and the additional begins that this needs. Ends without a next slice come after all
 * events.
 * Must hold: memory is bounded. Parts beyond the limits have no arrow and are counted.
 */
#ifndef FXT_FORMATS_JSON_BIND_H
#define FXT_FORMATS_JSON_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "walk/order.h"

/*
 * Readers of archives sort within a window of events. With one added begin, a record stays within
 * it, unless large events exceed the readers' limit in bytes.
 */
#define BIND_WINDOW	32767U

enum bind_what {
	BIND_SLICE_BEGIN,
	BIND_SLICE_END,
	BIND_SLICE,		/* a complete slice, or an instant */
	BIND_OTHER,		/* no meaning, but its record has been written */
	BIND_FLOW_BEGIN,
	BIND_FLOW_STEP,
	BIND_FLOW_END,
	BIND_FLOW_END_NEXT,	/* belongs to the next slice */
};

struct bind_text {
	size_t length;
	char bytes[];
};

struct bind_part {
	struct order_key key;		/* ns */
	struct fxt_thread_id thread;
	union {
		uint64_t end;		/* ns, of complete slices */
		uint64_t flow;		/* id, unique to the flow */
	};
	struct bind_text *text;		/* of parts of flows; allocated */
	uint8_t what;			/* enum bind_what */
	bool is_slice;			/* a slice whose record has been written */
};

struct bind_record {
	enum fxt_kind kind;
	uint64_t ns;
	uint64_t id;
	struct fxt_thread_id thread;
	bool is_added;			/* only begins another arrow */
};

/* Initialize with zeros except the first two. */
struct bind {
	void (*write)(void *arg, const struct bind_part *part, const struct bind_record *to);
	void *arg;
	struct order window;
	size_t bytes;			/* of texts in the window */
	uint64_t taken;			/* events that left the window */
	struct map threads;
	struct bind_thread *recent;	/* the thread of the last slice */
	struct map flows;
	size_t ended;			/* flows that have ended, but may continue */
	uint64_t ids;			/* made for parts that no other part joins */
	size_t waiting;			/* ends that wait for a slice */
	size_t waiting_bytes;		/* of their texts */
	uint64_t unbound;		/* parts, and slices of threads, beyond the limits */
};

/* @end: ns, of complete slices */
void bind_slice(struct bind *b, enum bind_what what, const struct fxt_thread_id *thread, uint64_t ns,
		uint64_t end);

/* Copies @text. @part->is_slice: the slice has been passed to bind_slice() */
void bind_flow(struct bind *b, const struct bind_part *part, const char *text, size_t length);
void bind_finish(struct bind *b);

#endif /* FXT_FORMATS_JSON_BIND_H */
