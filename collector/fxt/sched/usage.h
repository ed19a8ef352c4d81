/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage.h - what a CPU does over time.
 *
 * In:  switches, edges, losses and ends of one CPU, in the order of time.
 * Out: spells: a thread, or the idle thread, had the CPU, or the CPU was offline.
 * Must hold: spells of a CPU do not overlap; time outside of them is unknown. A thread has a CPU
 *	from its switch or mark to the next one, if that names the same thread.
 */
#ifndef FXT_SCHED_USAGE_H
#define FXT_SCHED_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "types.h"

/* What a CPU does now; initialize with zeros. */
struct sched_usage {
	struct sched_thread *thread;	/* NULL if unknown */
	uint64_t since;		/* ns, since when @thread has had it, or it has been offline */
	uint64_t came;		/* ns, when it came online first; 0: it was online before */
	bool is_seen;		/* @thread was known at least once */
	bool is_offline;	/* since @since */
};

/* What a CPU did in some time. */
struct sched_spell {
	struct sched_thread *thread;	/* that had it; NULL if it was offline */
	uint64_t from;		/* ns; no earlier than @to if there is no spell */
	uint64_t to;		/* ns */
	bool is_refuted;	/* another thread than the last one switched in had it at the end */
};

/* End what is known of @u at @time. @thread: has had the CPU until then. */
static inline struct sched_spell sched_usage_end(struct sched_usage *u, uint64_t time,
						 const struct sched_thread *thread)
{
	struct sched_spell spell = { 0 };

	if (__builtin_expect(u->thread == thread && thread, 1)) {
		spell = (struct sched_spell){ u->thread, u->since, time, false };
	} else if (u->thread) {
		spell.is_refuted = true;
	} else if (u->is_offline) {
		spell = (struct sched_spell){ NULL, u->since, time, false };
	}
	u->is_offline = false;
	u->thread = NULL;
	return spell;
}

/* Take a switch. Returns the spell before it. */
static inline struct sched_spell sched_usage_switch(struct sched_usage *u,
						    const struct sched_step *step)
{
	struct sched_spell spell = sched_usage_end(u, step->time, step->out);

	u->thread = step->in;
	u->since = step->time;
	u->is_seen = true;
	return spell;
}

/* Take a beginning or an end. Returns the spell before it. */
struct sched_spell sched_usage_edge(struct sched_usage *u, const struct sched_edge *edge);

/* The CPU is unknown from @time on. Returns the spell before. */
struct sched_spell sched_usage_leave(struct sched_usage *u, uint64_t time);

/*
 * End the archive, whose events are from @first to @last. @coming: set to the spell before the CPU
 * came online for the first time. Returns the last spell.
 */
struct sched_spell sched_usage_finish(struct sched_usage *u, uint16_t cpu, uint64_t first,
				      uint64_t last, struct sched_spell *coming);

#endif /* FXT_SCHED_USAGE_H */
