/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - reading a trace of Perfetto: what the files read*.c share.
 *
 * In: a file of packets in memory.
 * Out: events of the kernel for formats/import.
 *
 * Must hold: memory stays in proportion to the file, or to what its compressed packets unpack to, whose
 * size read_unpack.c limits; whatever the file contains.
 */
#ifndef FXT_FORMATS_PERFETTO_TRACE_H
#define FXT_FORMATS_PERFETTO_TRACE_H

#include "formats/import/event.h"
#include "libfxt/map.h"
#include "libperfetto/perfetto.h"
#include "libperfetto/wire.h"

/* --- clocks (read_clocks.c) -------------------------------------------------------------- */

/*
 * In: moments at which several clocks were read.
 * Out: times of CLOCK_BOOTTIME, as Perfetto calculates them: between two moments, a clock goes as
 * fast as CLOCK_BOOTTIME. But time never goes backwards here.
 */

#define READ_CLOCKS		72U
#define READ_CLOCK_FTRACE	64U	/* plus one of ftrace's clocks; smaller ids are Perfetto's */

/** struct read_moment - a moment, by two clocks (ns) */
struct read_moment {
	uint64_t own;
	uint64_t boot;
};

/** struct read_clocks - initialize with zeros */
struct read_clocks {
	struct {
		struct read_moment *list;
		size_t count;
	} of[READ_CLOCKS];
	uint32_t same;	/* a clock that is not related to CLOCK_BOOTTIME, but is used as if it were it */
};

/** read_clocks_add() - add a moment. Clocks from READ_CLOCKS on are ignored */
void read_clocks_add(struct read_clocks *c, uint64_t clock, uint64_t own, uint64_t boot);

/** read_clocks_snapshot() - add the moments of a message ClockSnapshot. Return: is it valid? */
bool read_clocks_snapshot(struct read_clocks *c, struct wire m);

/** read_clocks_sort() - prepare for read_clocks_ns(), after the last moment */
void read_clocks_sort(struct read_clocks *c);

/** read_clocks_has() - is a clock related to CLOCK_BOOTTIME? After read_clocks_sort() */
static inline bool read_clocks_has(const struct read_clocks *c, uint32_t clock)
{
	return clock == PERFETTO_CLOCK_BOOT || (clock < READ_CLOCKS && c->of[clock].count);
}

/** read_clocks_ns() - convert a time. Return: false if the clock is not related to others */
bool read_clocks_ns(const struct read_clocks *c, uint32_t clock, uint64_t own, uint64_t *ns);

void read_clocks_free(struct read_clocks *c);

/* --- bundles (read_bundle.c) ------------------------------------------------------------- */

/* Fields of FtraceEventBundle. */
enum bundle_field {
	BUNDLE_CPU		= 1,
	BUNDLE_EVENT		= 2,
	BUNDLE_LOST		= 3,
	BUNDLE_COMPACT		= 4,
	BUNDLE_CLOCK		= 5,
	BUNDLE_FTRACE_TIME	= 6,
	BUNDLE_BOOT_TIME	= 7,
	BUNDLE_PREVIOUS_END	= 10,
};

/** struct read_cpu - what a CPU does, for compact events, which do not say it */
struct read_cpu {
	uint32_t runs;		/* thread that was switched in last, if @is_known */
	int32_t prio;
	bool is_known;
};

/** struct read_item - an event of a bundle */
struct read_item {
	uint64_t ns;
	union {
		const uint8_t *event;	/* of @bytes */
		int64_t state;
	};
	uint32_t number;	/* in the bundle */
	uint32_t bytes;
	int32_t pid;
	int32_t prio;
	uint32_t name;		/* index in @names */
	uint16_t cpu;
	uint8_t flags;
	uint8_t what;		/* TRACE_NOTHING: a message FtraceEvent; else compact */
};

/** struct read_function - the name of a function of the kernel, which packets know by a number */
struct read_function {
	struct map_node node;
	uint64_t number;
	uint32_t sequence;		/* of the packets */
	struct wire name;
};

/** struct read_kernel - what numbers of a kernel mean; initialize with zeros */
struct read_kernel {
	const struct trace_states *states;
	struct map functions;		/* struct read_function, by read_function_hash() */
	uint32_t sequence;		/* of the bundle whose event is taken */
	struct trace_symbols *symbols;	/* of the archive */
};

static inline uint64_t read_function_hash(uint32_t sequence, uint64_t number)
{
	return map_hash(sequence, number);
}

/** struct read_bundle - a bundle; initialize with zeros */
struct read_bundle {
	uint32_t cpu;
	struct read_item *items;	/* by time */
	size_t count;
	size_t room;
	size_t next;		/* index of the first one that was not taken */
	struct wire *names;
	size_t name_count;
	size_t name_room;
	uint64_t newest;	/* of the clock of the bundle, of its events */
	uint64_t damaged;	/* events, or the rest of the bundle */
	uint64_t unrelated;	/* events that are left out, because their clock is unknown */
	bool has_wakeups;	/* it has sched_wakeup */
};

/** read_bundle_open() - find the events of a message FtraceEventBundle, by time */
void read_bundle_open(struct read_bundle *b, struct wire m, uint32_t clock,
		      const struct read_clocks *clocks);

/**
 * read_bundle_take() - take the first event
 * @cpu: of the bundle
 * @e: set; trace_event_free() frees what it points to
 *
 * Return: false if the event is damaged.
 */
bool read_bundle_take(struct read_bundle *b, const struct read_kernel *kernel,
		      struct read_cpu *cpu, struct trace_event *e);

void read_bundle_free(struct read_bundle *b);

/* --- compressed packets (read_unpack.c) --------------------------------------------------- */

/** struct read_unpacked - packets that cannot be unpacked, or become too large; they are left out */
struct read_unpacked {
	uint64_t damaged;
	size_t first;		/* where the first one begins */
};

/**
 * read_unpack() - write a trace without compressed packets, if it has any
 * @fd: where it is written
 *
 * Return: 1; 0 if no packet is compressed; a negative errno of writing.
 */
int read_unpack(struct wire all, int fd, struct read_unpacked *result);

#endif /* FXT_FORMATS_PERFETTO_TRACE_H */
