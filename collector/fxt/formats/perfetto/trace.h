/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.h - reading a trace of Perfetto: what the files read*.c share.
 *
 * In: a file of packets in memory.
 * Out: events of the kernel for formats/import.
 *
 * Must hold: memory stays in proportion to the file and to its unpacked packets, which
 * read_unpack.c limits, whatever the file contains.
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
 * Out: times of CLOCK_BOOTTIME as Perfetto calculates them: after each moment, a clock goes as fast
 * as CLOCK_BOOTTIME. But here time never goes backwards.
 */

#define READ_CLOCKS		72U
#define READ_CLOCK_FTRACE	64U	/* plus one of ftrace's clocks; smaller ids are Perfetto's */

/* A moment by two clocks, in ns. */
struct read_moment {
	uint64_t own;
	uint64_t boot;
};

/* Initialize with zeros. */
struct read_clocks {
	struct {
		struct read_moment *list;
		size_t count;
	} of[READ_CLOCKS];
	uint32_t same;	/* an unrelated clock that is taken for CLOCK_BOOTTIME */
};

/* Clocks from READ_CLOCKS on are ignored. */
void read_clocks_add(struct read_clocks *c, uint64_t clock, uint64_t own, uint64_t boot);

/* Add the moments of a message ClockSnapshot. Returns false if it is damaged. */
bool read_clocks_snapshot(struct read_clocks *c, struct wire m);

/* Call after the last moment, before read_clocks_has() and read_clocks_ns(). */
void read_clocks_sort(struct read_clocks *c);

static inline bool read_clocks_has(const struct read_clocks *c, uint32_t clock)
{
	return clock == PERFETTO_CLOCK_BOOT || (clock < READ_CLOCKS && c->of[clock].count);
}

/* Returns false if the clock is not related to CLOCK_BOOTTIME. */
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

/* The state of a CPU, which compact events imply. */
struct read_cpu {
	uint32_t runs;		/* thread switched in last, if @is_known */
	int32_t prio;
	bool is_known;
};

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
	uint8_t what;		/* TRACE_NOTHING: a message FtraceEvent; else a compact event */
};

struct read_function {
	struct map_node node;
	uint64_t number;
	uint32_t sequence;		/* of the packets */
	struct wire name;
};

/* The meaning of a kernel's numbers; initialize with zeros. */
struct read_kernel {
	const struct trace_states *states;
	struct map functions;		/* struct read_function, by read_function_hash() */
	uint32_t sequence;		/* of the current bundle */
	struct trace_symbols *symbols;	/* of the archive */
};

static inline uint64_t read_function_hash(uint32_t sequence, uint64_t number)
{
	return map_hash(sequence, number);
}

/* Initialize with zeros. */
struct read_bundle {
	uint32_t cpu;
	struct read_item *items;	/* by time */
	size_t count;
	size_t room;
	size_t next;		/* index of the next item to take */
	struct wire *names;
	size_t name_count;
	size_t name_room;
	uint64_t newest;	/* of its events, by the bundle's clock */
	uint64_t damaged;	/* events, or the rest of the bundle */
	uint64_t unrelated;	/* omitted events, because their clock is unknown */
	bool has_wakeups;	/* it has sched_wakeup */
};

/* Find the events of a message FtraceEventBundle and sort them by time. */
void read_bundle_open(struct read_bundle *b, struct wire m, uint32_t clock,
		      const struct read_clocks *clocks);

/*
 * Take the first event into @e; trace_event_free() frees its contents. @cpu: the bundle's.
 * Returns false if the event is damaged.
 */
bool read_bundle_take(struct read_bundle *b, const struct read_kernel *kernel,
		      struct read_cpu *cpu, struct trace_event *e);
void read_bundle_free(struct read_bundle *b);

/* --- compressed packets (read_unpack.c) --------------------------------------------------- */

/* Omitted packets: damaged, or too large when unpacked. */
struct read_unpacked {
	uint64_t damaged;
	size_t first;		/* offset of the first one */
};

/*
 * Write a trace without compressed packets to @fd. Returns 1; 0 if no packet is compressed; a
 * negative errno of writing.
 */
int read_unpack(struct wire all, int fd, struct read_unpacked *result);

#endif /* FXT_FORMATS_PERFETTO_TRACE_H */
