/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bind.h - the flows of a trace in the Trace Event Format, as flows of FXT.
 *
 * In FXT, each part of a flow belongs to the slice around it, ids have the rules of walk/ids.h, and
 * the end of a flow is its only one. In this format, by the rules of Perfetto:
 *
 * - A flow has its id in the whole trace. The first begin within a slice counts.
 * - An end without "bp":"e" belongs to the next slice of its thread.
 * - A flow may have several ends, and go on after them. Each has an arrow from the last begin or
 *   step.
 * - A slice with "bind_id" is a part itself.
 *
 * In: slices, parts of flows and other events with times, in the order of the file.
 * Out: the parts, BIND_WINDOW events later at most, with the ids and times with which FXT has the
 * same arrows; and begins that this takes in addition. An end whose next slice never comes follows
 * all events, however late that is.
 * Must hold: memory is bounded. What exceeds it has no arrow, and is counted.
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
 * With this and an added begin, a record comes after fewer events of later times than readers of
 * archives have in memory. Readers also limit the bytes of these, so large events may be too many.
 */
#define BIND_WINDOW	32767U

/** enum bind_what - what an event is to flows */
enum bind_what {
	BIND_SLICE_BEGIN,
	BIND_SLICE_END,
	BIND_SLICE,		/* a complete one, or an instant */
	BIND_OTHER,		/* nothing, but its record has been written */
	BIND_FLOW_BEGIN,
	BIND_FLOW_STEP,
	BIND_FLOW_END,
	BIND_FLOW_END_NEXT,	/* in the next slice */
};

/** struct bind_text - the event of a part, in JSON */
struct bind_text {
	size_t length;
	char bytes[];
};

/** struct bind_part - a slice, or a part of a flow */
struct bind_part {
	struct order_key key;		/* ns */
	struct fxt_thread_id thread;
	union {
		uint64_t end;		/* ns, of complete slices */
		uint64_t flow;		/* its id, which no other flow has */
	};
	struct bind_text *text;		/* of parts of flows; allocated */
	uint8_t what;			/* enum bind_what */
	bool is_slice;			/* the part is a slice, whose record has been written */
};

/** struct bind_record - the record that a part becomes */
struct bind_record {
	enum fxt_kind kind;
	uint64_t ns;
	uint64_t id;
	struct fxt_thread_id thread;
	bool is_added;			/* it is only the begin of another arrow */
};

/** struct bind - the flows of a trace; initialize with zeros except the first two */
struct bind {
	void (*write)(void *arg, const struct bind_part *part, const struct bind_record *to);
	void *arg;
	struct order window;
	size_t bytes;			/* of texts in the window */
	uint64_t taken;			/* events that left the window */
	struct map threads;
	struct bind_thread *recent;	/* the thread of the last slice */
	struct map flows;
	size_t ended;			/* flows that have ended, and may go on */
	uint64_t ids;			/* made for what no other part joins */
	size_t waiting;			/* ends that wait for a slice, */
	size_t waiting_bytes;		/* and their texts */
	uint64_t unbound;		/* parts, and slices of threads, beyond the limits */
};

/** bind_slice() - take a slice, one end of it or another event; @end: ns, of complete ones */
void bind_slice(struct bind *b, enum bind_what what, const struct fxt_thread_id *thread, uint64_t ns,
		uint64_t end);

/** bind_flow() - take a part of a flow, with a copy of @text; @is_slice: the slice came before */
void bind_flow(struct bind *b, const struct bind_part *part, const char *text, size_t length);

/** bind_finish() - write all parts that wait, and free memory */
void bind_finish(struct bind *b);

#endif /* FXT_FORMATS_JSON_BIND_H */
