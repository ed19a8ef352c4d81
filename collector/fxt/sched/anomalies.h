/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anomalies.h - reports and counts anomalies; keeps events that contradict a state (misfits), and
 * judges them.
 */
#ifndef FXT_SCHED_ANOMALIES_H
#define FXT_SCHED_ANOMALIES_H

#include "data.h"

/**
 * sched_found() - report an anomaly
 * @violation: impossible for any scheduler or producer; false for a note
 * @count: number of occurrences
 * @offset: bytes, of the first record that shows it; @time: ns, of that record
 * @format: the text after "byte N: "
 */
void sched_found(struct sched_model *m, enum sched_anomaly_kind kind, bool violation,
		 uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
	__attribute__((format(printf, 7, 8), cold));

/* Report a violation that occurs once. */
#define sched_fault(m, kind, offset, time, ...) \
	sched_found(m, kind, true, 1, offset, time, __VA_ARGS__)

/** sched_filtered() - count @count anomalies that the filter explains */
void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset,
		    uint64_t time);

void sched_late(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

/**
 * sched_idle_inside() - count a soft interrupt with an idle state inside it
 *
 * On PREEMPT_RT, the thread that serves it may sleep until a lock is free. Names that come later may
 * show that the kernel is one.
 */
void sched_idle_inside(struct sched_model *m, const struct sched_event *e);

/**
 * sched_misfit() - keep an event that contradicts the known state of a thread
 * @kind: the rule that is broken
 * @t: the thread, in the state that contradicts the event
 * @before: SCHED_CHAIN: the thread that was switched in, NULL if unknown
 */
void sched_misfit(struct sched_model *m, enum sched_anomaly_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before) __attribute__((cold));

/**
 * sched_reused() - was a thread's id reused before the thread left its CPU?
 * @t: the thread, which was switched out dead on @cpu
 *
 * The kernel frees an id when the parent was notified of the end, maybe before the thread leaves
 * its CPU for the last time. Until then, the next thread with that id seems to do impossible
 * things. Such misfits are only notes.
 */
bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
	__attribute__((cold));

/**
 * sched_is_unseen() - may the thread have done something that is not in the archive?
 *
 * Records may have been lost since it was seen last, or a thread may have run that the
 * kernel hides.
 */
bool sched_is_unseen(const struct sched_model *m, const struct sched_thread *t)
	__attribute__((cold));

/** sched_complete() - ns, since when all CPUs are covered, as known so far; 0 if unknown */
static inline uint64_t sched_complete(const struct sched_model *m)
{
	return m->marked > m->totals.complete ? m->marked : m->totals.complete;
}

/** sched_is_early() - was a thread last seen (at @last) before all CPUs were covered? */
bool sched_is_early(const struct sched_model *m, uint64_t last);

/** sched_is_stopper() - is it the stopper thread of this CPU? */
bool sched_is_stopper(const struct sched_thread *t, uint16_t cpu);

/**
 * sched_find_coming() - remove and count the misfits that a CPU coming online explains
 * @e: a CPU's switch that breaks its chain, or its first switch
 */
void sched_find_coming(struct sched_model *m, const struct sched_event *e);

/** sched_find_going() - a CPU has gone offline, after the switch that is known last */
void sched_find_going(struct sched_model *m, struct sched_cpu *cpu);

/** sched_judge_finish() - report all misfits, as violations or notes */
void sched_judge_finish(struct sched_model *m);

#endif /* FXT_SCHED_ANOMALIES_H */
