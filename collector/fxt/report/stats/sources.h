/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - what interrupts, idle states, work items, system calls and throttling took, how
 * threads ended, which CPUs interrupted others, and what the kernel counted of cgroups.
 *
 * Times of interrupts are their own: an interrupt inside another counts for itself only. So
 * the times of all interrupts of a CPU add up to what they took from its threads, which is
 * in the run times of these.
 */
#ifndef FXT_REPORT_STATS_SOURCES_H
#define FXT_REPORT_STATS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/kernel_types.h"
#include "inherited.h"
#include "throttled.h"

struct report_thread;

/**
 * struct report_source - all slices of one interrupt, idle state or function of work items, all
 * system calls of one name by the threads that are shown, all slices of one throttled cgroup,
 * or all ends of threads of one name with one code or signal
 * @of: the source, as the model has it
 * @count: slices that ended in the selected time, on selected CPUs
 * @total: ns in the selected time
 * @longest: ns, of the (first) longest slice
 * @longest_time: ns, when it ended
 * @longest_cpu: on which CPU
 * @errors: system calls that failed
 * @throttled: of a cgroup: the time in which some CPU throttled it, else NULL
 * @most: the thread that interrupts took the most from; NULL if none is known
 * @most_ns: how much
 *
 * The rest is private to the engine.
 */
struct report_source {
	const struct sched_source *of;
	uint64_t count;
	uint64_t total;
	uint64_t longest;
	uint64_t longest_time;
	uint16_t longest_cpu;
	uint64_t errors;
	struct report_throttled *throttled;
	const struct report_thread *most;
	uint64_t most_ns;
	uint64_t mark;			/* of the search that @marked belongs to */
	uint64_t marked;		/* ns */
};

/**
 * struct report_cpu_kernel - of one CPU
 * @hard: ns that hard interrupts took, those of the CPU itself included
 * @soft: ns that soft interrupts took
 * @idle: ns in idle states, with the interrupts meanwhile
 */
struct report_cpu_kernel {
	uint64_t hard;
	uint64_t soft;
	uint64_t idle;
};

/** struct report_share - a source on one CPU; fields as above */
struct report_share {
	const struct report_source *source;
	uint16_t cpu;
	uint64_t count;
	uint64_t total;
	const struct report_thread *most;
	uint64_t most_ns;
};

/**
 * struct report_ipi - a CPU interrupted another one
 * @of: what that had to call
 * @from: the CPU that interrupted
 * @to: the CPU that was interrupted; REPORT_NO_CPU: one beyond the first 64
 * @count: how often
 */
struct report_ipi {
	const struct sched_source *of;
	uint16_t from;
	uint16_t to;
	uint64_t count;
};

/**
 * struct report_quota - what the kernel counted of a cgroup in the selected time, on all CPUs
 * @cgroup: its id
 * @path: its name
 * @base: the counts before the selected time, or the first that are known
 * @counts: as in struct sched_quota, less @base
 */
struct report_quota {
	uint64_t cgroup;
	const char *path;
	uint64_t base[SCHED_QUOTA_COUNTS];
	uint64_t counts[SCHED_QUOTA_COUNTS];
};

/**
 * struct report_kernel - all of it, after report_finish()
 * @has: by enum kernel_event_what: the archive has such events, whatever is selected
 * @sources: all interrupts, then idle states, work items, system calls, throttled cgroups and
 *	ends of threads; of each those with most time first, or with the largest count
 * @shares: of CPUs, but not of system calls: the largest first
 * @ipis: the most frequent first
 * @quotas: of cgroups: those throttled longest first
 * @inherited: of threads that are shown: the largest count first
 * @exits: ends of threads, and of these @failed_exits with a code or by a signal
 */
struct report_kernel {
	bool has[KERNEL_EVENTS];
	struct report_source **sources;
	size_t source_count;
	struct report_share *shares;
	size_t share_count;
	struct report_ipi *ipis;
	size_t ipi_count;
	struct report_quota *quotas;
	size_t quota_count;
	struct report_inherited **inherited;
	size_t inherited_count;
	uint64_t exits;
	uint64_t failed_exits;
};

/** report_has_irqs() - does the archive have interrupts, hard or soft? */
static inline bool report_has_irqs(const struct report_kernel *k)
{
	return k->has[KERNEL_IRQ] || k->has[KERNEL_VECTOR] || k->has[KERNEL_SOFTIRQ];
}

#endif /* FXT_REPORT_STATS_SOURCES_H */
