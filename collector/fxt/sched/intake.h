/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intake.h - which stream a record belongs to, and events of the kernel beside switches and
 * wakeups: records in, events that wait for their turn out.
 */
#ifndef FXT_SCHED_INTAKE_H
#define FXT_SCHED_INTAKE_H

#include "data.h"
#include "ledger.h"

static inline bool sched_is_of_cpu(const struct sched_stream *s)
{
	return s && s->id != FXT_LEDGER_STREAM_NAMES;
}

static inline uint64_t sched_ns_of(const struct fxt_record *rec, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);
}

/**
 * sched_take_in_order() - count a record of a stream with ledgers
 *
 * Return: its time in ns, adjusted so that the stream is in order.
 */
static inline uint64_t sched_take_in_order(struct sched_model *m, struct sched_stream *s,
					   const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t time = sched_ns_of(rec, ticks);

	if (unlikely(!sched_time_fits(s, ticks)))
		sched_time_misfit(m, s, rec, ticks);
	s->last_ticks = ticks;
	s->stored++;
	m->totals.stored++;
	return time < s->tail_ns ? s->tail_ns : time;
}

/**
 * sched_stray_stream() - the stream of a record outside all ledgers, or in those of names
 *
 * Return: NULL without memory; m->error is set then.
 */
struct sched_stream *sched_stray_stream(struct sched_model *m, const struct fxt_record *rec,
					uint32_t id) __attribute__((cold));

/** sched_take_event() - take an event of the kernel. Return: 0 or a negative errno */
int sched_take_event(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c, const struct kernel_event *e);

#endif /* FXT_SCHED_INTAKE_H */
