/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_cpus.h - what CPUs did, how many were busy, and where threads were put. */
#ifndef FXT_REPORT_CPUS_H
#define FXT_REPORT_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report_thread;

/* On one CPU. */
struct report_cpu_kernel {
	uint64_t hard;	/* ns that hard interrupts took, those of the CPU itself included */
	uint64_t soft;	/* ns that soft interrupts took */
	uint64_t idle;	/* ns in idle states, including interrupts meanwhile */
};

#define REPORT_UTIL_MAX	1024.0	/* the kernel's SCHED_CAPACITY_SCALE */

/* A value over the selected time. */
struct report_level {
	uint64_t known;	/* ns in which it was known; 0: other fields are invalid */
	double sum;	/* integral of the value over time (ns) */
	uint64_t above;	/* ns in which it was greater than 1 */
	uint32_t least;
	uint32_t most;
	uint32_t now;	/* the value since @since (ns), if @is_known */
	bool is_known;
	uint64_t since;
};

/* Average over the known time; 0 if it was never known. */
static inline double report_level_average(const struct report_level *l)
{
	return l->known ? l->sum / l->known : 0;
}

/* Of one CPU. */
struct report_levels {
	struct report_level khz;
	struct report_level queue;	/* runnable threads, the running one included */
	struct report_level util;	/* the kernel's utilization, of 1024 */
};

/* One CPU. The rest of the selected time is unknown. */
struct report_cpu {
	uint16_t number;
	bool is_shown;
	uint64_t busy;			/* ns */
	uint64_t idle;			/* ns in which the idle thread ran */
	uint64_t offline;		/* ns */
	uint64_t switches;
	uint64_t longest;		/* ns that one thread ran without a switch */
	const struct report_thread *longest_thread;	/* NULL if none ran */
	uint64_t longest_from;		/* ns, begin of that time */
	uint64_t lost;
	uint64_t gap;			/* ns in which they were lost */
	uint64_t host;			/* ns in which the hypervisor ran something else on it */
	struct report_cpu_kernel kernel;
	struct report_levels levels;
};

#define REPORT_CONCURRENCY	65	/* numbers of busy CPUs; the last: or more */

/* The time in which some number of CPUs was busy. */
struct report_concurrency {
	uint32_t busy;
	uint32_t busy_to;	/* a row may stand for several numbers */
	char label[12];
	uint64_t ns;		/* of the selected time */
	uint64_t waiting;	/* the part of @ns in which threads waited for a CPU */
	uint64_t waits;		/* ns that these threads waited, in total */
	uint64_t starved;	/* of @ns, one waited beside an idle CPU that it may use */
};

enum report_place {
	REPORT_PLACE_BUSY,	/* woken on a busy CPU, although another one was idle */
	REPORT_PLACE_SIBLING,	/* woken on an idle CPU of a busy core, although a core was idle */
	REPORT_PLACE_CORE,	/* moved to another core that shares the last-level cache */
	REPORT_PLACE_CACHE,	/* moved to another cache on the same node */
	REPORT_PLACE_NODE,	/* moved to another node */
	REPORT_PLACES
};

/* How often a placement happened, and ns that the threads waited then. */
struct report_placed {
	const char *what;
	uint64_t count;
	uint64_t ns;
};

/* Empty unless the archive has the topology. */
struct report_placement {
	struct report_concurrency concurrency[REPORT_CONCURRENCY];
	size_t concurrency_count;
	struct report_placed places[REPORT_PLACES];	/* placements that occurred */
	size_t place_count;
};

#endif /* FXT_REPORT_CPUS_H */
