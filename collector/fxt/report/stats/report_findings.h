/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_findings.h - what is wrong, and who is to blame. */
#ifndef FXT_REPORT_FINDINGS_H
#define FXT_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model.h"

struct report_thread;

#define REPORT_FINDINGS	8	/* findings in a report, at most */
#define REPORT_PARTIES	3	/* culprits, and other victims, that a finding names */

/*
 * Kinds of findings. Those that are a part of the victim's time are sorted by that part; the wait
 * that fired the trigger comes before them, and those from spike on come after them.
 *
 * trigger: the wait or the sleep that fired the trigger.
 * throttled: the quota of a cgroup was used up.
 * held: the CPU was idle, and yet the thread waited for it.
 * limited: its scheduling class might not run.
 * behind: other threads had its CPU.
 * interrupt: interrupts took its CPU.
 * convoy: the threads of a process take turns, as behind one lock, which is named if recorded.
 * limit: others sleep until a thread that always runs, or wants to.
 * slow: one of several equal threads sleeps until interrupts, the others hardly do.
 * slept: it sleeps until a thread that itself waits for a device.
 * request: it sleeps for requests of block devices.
 * lock: it sleeps for a lock, and none of the findings above is about that.
 * memory: threads spend much of their time in reclaim or compaction of memory.
 * spike: a rare wait is much longer than usual.
 * serial: mostly one CPU was busy.
 * steal: the host of the virtual machine ran something else on a CPU.
 * crowd: threads of one name waited for each other, and no CPU was idle.
 * unknown: who had its CPU is not known.
 * recorder: the recorder had its CPU.
 */
#define REPORT_FINDING_KINDS(X)							\
	X(TRIGGER, "trigger") X(THROTTLED, "throttled") X(HELD, "held")		\
	X(LIMITED, "limited") X(BEHIND, "behind") X(INTERRUPT, "interrupt") X(CONVOY, "convoy")	\
	X(LIMIT, "limit") X(SLOW, "slow") X(SLEPT, "slept") X(REQUEST, "request")		\
	X(LOCK, "lock") X(MEMORY, "memory") X(SPIKE, "spike") X(SERIAL, "serial") X(STEAL, "steal")		\
	X(CROWD, "crowd") X(UNKNOWN, "unknown") X(RECORDER, "recorder")

enum report_finding_kind {
#define REPORT_FINDING_ENUM(kind, name) REPORT_FINDING_##kind,
	REPORT_FINDING_KINDS(REPORT_FINDING_ENUM)
#undef REPORT_FINDING_ENUM
	REPORT_FINDING_KIND_COUNT
};

const char *report_finding_name(enum report_finding_kind kind);

/* Threads of one name. */
struct report_party {
	const struct report_thread *thread;	/* one of them, NULL if there are none */
	uint64_t threads;
	uint64_t ns;	/* their part of the finding, of @of ns */
	uint64_t of;
	bool is_own;	/* the victims, or others of their group */
	bool is_other;	/* of another group than the victims, whose threads have the same name */
};

/* Time that threads could have used, and who took it. */
struct report_finding {
	enum report_finding_kind kind;
	/*
	 * @of: the time in which it existed; serial: in which one CPU was busy; steal: the selected
	 * time, and @ns are those of the CPU.
	 */
	struct report_party victim;
	uint64_t count;			/* waits, or sleeps */
	uint64_t longest;		/* ns; slow: on average */
	uint64_t longest_from;
	uint64_t direct;		/* ns that it did not sleep until those of @through */
	bool is_part;			/* not all was looked at, so the numbers are lower bounds */
	bool is_inversion;		/* a less urgent thread delays one that it sleeps until */
	bool is_open;			/* a wait was not over at the end */
	bool is_bound;			/* the victims may run on one CPU only */
	bool is_near;
	bool is_own;			/* most of it is because of the victims' own group */
	/* The first ones; interrupts have no thread; request: who submitted those ahead. */
	struct report_party culprits[REPORT_PARTIES];
	size_t culprit_count;
	struct report_party through[REPORT_PARTIES];
	/*
	 * The interrupt that took most; the requests for which it slept most, for @of_origin ns;
	 * the kind of reclaim, or compaction; the data that ended most of its sleeps.
	 */
	const struct sched_origin *origin;
	uint64_t of_origin;
	uint64_t queued;		/* ns, in which the requests for which it slept were in queues */
	/* Whose quota was used up; memory, held without @is_near: its own, NULL for the root. */
	const char *cgroup;
	struct report_party others[REPORT_PARTIES];	/* who lost time in the same way */
	size_t other_count;
	struct report_party sleepers[REPORT_PARTIES];	/* who slept until the victim meanwhile */
	size_t sleeper_count;
	struct report_party back;	/* behind: the culprit waited behind the victim, too */
	const char *limit;		/* limited: what kept its class from running */
	const char *function;		/* in which the one that was slept for worked, or NULL */
	const struct report_lock *lock;	/* convoy, lock: most waited for; NULL: unknown */
	uint16_t cpu;			/* where it happened, REPORT_NO_CPU if on several */
	uint16_t idle_cpu;		/* idle meanwhile, for @idle_ns */
	uint64_t idle_ns;
	uint64_t usual;			/* ns, of spike; 0 if unknown */
	uint64_t host;			/* ns of the victim's that the host had the CPU, at most */
};

#endif /* FXT_REPORT_FINDINGS_H */
