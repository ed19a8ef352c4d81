/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - what is wrong, with its culprit: the first thing that a report shows.
 *
 * A finding is made only if its numbers stand out, so that the report of a healthy machine has
 * none. The limits are in findings.c.
 */
#ifndef FXT_REPORT_STATS_FINDING_H
#define FXT_REPORT_STATS_FINDING_H

#include <stddef.h>
#include <stdint.h>

struct report_thread;
struct report_process;
struct report_wait;
struct report_share;

#define REPORT_FINDINGS	8	/* the most that a report has */
#define REPORT_FINDINGS_OF_KIND	3

/*
 * The most important first: what wastes CPUs that threads wait for, what interrupts take, one
 * long wait, and last what a program may do on purpose.
 *
 * throttled: a cgroup used up its quota, and its threads had to wait for the next one.
 * held: threads were runnable while their CPU was idle.
 * crowd: threads queued on one CPU while another was idle.
 * convoy: the threads of a process take turns, as behind one lock.
 * flood: an interrupt took a notable part of a CPU.
 * spike: the longest wait is much longer than usual.
 * serial: mostly one CPU was busy, and no thread waited for another.
 */
#define REPORT_FINDING_KINDS(X)							\
	X(THROTTLED, "throttled") X(HELD, "held") X(CROWD, "crowd")		\
	X(CONVOY, "convoy") X(FLOOD, "flood") X(SPIKE, "spike") X(SERIAL, "serial")

enum report_finding_kind {
#define REPORT_FINDING_ENUM(kind, name) REPORT_FINDING_##kind,
	REPORT_FINDING_KINDS(REPORT_FINDING_ENUM)
#undef REPORT_FINDING_ENUM
	REPORT_FINDING_KIND_COUNT
};

/** report_finding_name() - as REPORT_FINDING_KINDS has it */
const char *report_finding_name(enum report_finding_kind kind);

/**
 * struct report_finding - one of them
 * @thread: one of the threads concerned: the only one if @threads is 1. Of a flood the thread
 *	that lost most; NULL if that is unknown, or if the threads of a cgroup have several
 *	names
 * @threads: how many; those of crowd and serial have one name. Of a throttled cgroup those
 *	that it kept from running while their CPU was idle
 * @process: of a convoy
 * @cgroup: the throttled one, or that of held threads; NULL if it is unknown, or the root, which has no quota
 * @ns: how much: throttled: on some CPU; held, crowd: the threads waited, in total; convoy: at most one ran; flood:
 *	the interrupt took; spike: the wait; serial: one CPU was busy
 * @of: ns, what @ns is a part of: the selected time, or of a convoy the time from its first to
 *	its last run; of a spike, the usual wait, 0 if
 *	that is unknown
 * @count: throttled: periods; held, crowd: waits; convoy: wakeups by each other
 * @part_ns: serial: @threads were those that ran; throttled: @threads waited meanwhile, in
 *	total; convoy: 0
 * @cpu: crowd: where they wait; REPORT_NO_CPU of throttled, held, convoy and serial
 * @idle_cpu: crowd: the one that was idle most, for @idle_ns
 * @wait: of a spike
 * @share: of a flood
 */
struct report_finding {
	enum report_finding_kind kind;
	const struct report_thread *thread;
	uint64_t threads;
	const struct report_process *process;
	const char *cgroup;
	uint64_t ns;
	uint64_t of;
	uint64_t count;
	uint64_t part_ns;
	uint16_t cpu;
	uint16_t idle_cpu;
	uint64_t idle_ns;
	const struct report_wait *wait;
	const struct report_share *share;
};

#endif /* FXT_REPORT_STATS_FINDING_H */
