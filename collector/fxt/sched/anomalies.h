/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anomalies.h - reports and counts anomalies; keeps contradicting events (misfits) and judges them.
 */
#ifndef FXT_SCHED_ANOMALIES_H
#define FXT_SCHED_ANOMALIES_H

#include "data.h"

/*
 * @violation: impossible for any scheduler or producer; false for a note. @count: of occurrences.
 * @offset: bytes, of the first record that shows it; @time: ns, of that record. @format: the text
 * after "byte N: "
 */
void sched_found(struct sched_model *m, enum sched_anomaly_kind kind, bool violation,
		 uint64_t count, uint64_t offset, uint64_t time, const char *format, ...)
	__attribute__((format(printf, 7, 8), cold));

/* A violation that occurs once. */
#define sched_fault(m, kind, offset, time, ...) \
	sched_found(m, kind, true, 1, offset, time, __VA_ARGS__)

/* Count anomalies that the filter explains. */
void sched_filtered(struct sched_model *m, uint64_t count, uint64_t offset,
		    uint64_t time);

void sched_late(struct sched_model *m, const struct sched_event *e)
	__attribute__((cold));

/*
 * Count a soft interrupt with an idle state inside it. That is possible on PREEMPT_RT, where its
 * thread may sleep until a lock is free, and later names may show that the kernel is one.
 */
void sched_idle_inside(struct sched_model *m, const struct sched_event *e);

/*
 * Keep an event that contradicts the state of @t. @kind: the broken rule. @before: of SCHED_CHAIN,
 * the thread that was switched in, NULL if unknown
 */
void sched_misfit(struct sched_model *m, enum sched_anomaly_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before) __attribute__((cold));

/*
 * Was the id of @t, which was switched out dead on @cpu, reused before @t left its CPU? The kernel
 * frees an id when the parent was notified of the end, which may be before the last switch. Until
 * then, the next thread with that id seems to do impossible things. Such misfits are only notes.
 */
bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
	__attribute__((cold));

/*
 * May the thread have done something that is not in the archive? Records may have been lost since
 * it was last seen, or a thread may have run that the kernel hides.
 */
bool sched_is_unseen(const struct sched_model *m, const struct sched_thread *t)
	__attribute__((cold));

/* ns, since when all CPUs are covered, as known so far; 0 if unknown. */
static inline uint64_t sched_complete(const struct sched_model *m)
{
	return m->marked > m->totals.complete ? m->marked : m->totals.complete;
}

/* Was a thread last seen (at @last) before all CPUs were covered? */
bool sched_is_early(const struct sched_model *m, uint64_t last);

/* Is it the stopper thread of this CPU? */
bool sched_is_stopper(const struct sched_thread *t, uint16_t cpu);

/* Count misfits that a CPU coming online explains; @e breaks its chain, or is its first switch. */
void sched_find_coming(struct sched_model *m, const struct sched_event *e);

/* A CPU has gone offline after its last known switch. */
void sched_find_going(struct sched_model *m, struct sched_cpu *cpu);

/* Report all misfits, as violations or notes. */
void sched_judge_finish(struct sched_model *m);

#endif /* FXT_SCHED_ANOMALIES_H */
