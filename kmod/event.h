/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - how the probes of event groups write records.
 *
 * In:  events, and the beginnings of slices.
 * Out: records in the stream of the CPU.
 *
 * Tracepoints fire with interrupts enabled or disabled, sometimes enabled by a driver's mistake. So
 * these probes disable interrupts from reading the clock to the commit. That makes the CPU the only
 * producer of its stream, and keeps its records in order.
 */
#ifndef FXT_KMOD_EVENT_H
#define FXT_KMOD_EVENT_H

#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include <fxt/fxt_sched_event.h>

#include "record.h"
#include "session.h"

/* An instant, or the end of a slice, that happens now. */
struct fxt_event {
	struct fxt_stream *s;	/* of this CPU */
	u64 begin;		/* ticks of the slice's beginning */
	u64 time;		/* ticks */
	u64 *rec;
	unsigned long flags;	/* saved interrupt flags */
};

/* Read the clock. Context: interrupts disabled. Return: false if nothing is recorded now. */
static __always_inline bool fxt_event_is_due(struct fxt_session *ss, struct fxt_event *e)
{
	e->s = this_cpu_ptr(ss->cpus);
	e->time = fxt_stream_now(e->s, &ss->clock);
	return fxt_recording_covers(&ss->recording, e->time);
}

static __always_inline bool fxt_slice_is_due(struct fxt_session *ss, struct fxt_event *e, u64 begin)
{
	e->s = this_cpu_ptr(ss->cpus);
	e->begin = begin;
	/* The clock may have stepped back. */
	e->time = max(fxt_stream_now(e->s, &ss->clock), begin);
	return fxt_recording_covers_slice(&ss->recording, begin, e->time);
}

/* Context: interrupts disabled. */
static __always_inline bool fxt_event_is_kept(struct fxt_session *ss, const struct fxt_event *e,
					      struct task_struct *p)
{
	return e->s->cpu_traced && fxt_keeps(ss, p);
}

/*
 * Count the event, and find room for its record. Context: interrupts disabled until the commit.
 * Return: false if the record is lost.
 */
static __always_inline bool fxt_event_reserve(struct fxt_event *e, unsigned int words)
{
	e->rec = fxt_stream_reserve(e->s, e->time, words);
	e->s->events++;
	if (unlikely(!e->rec))
		e->s->lost++;
	return e->rec;
}

/**
 * fxt_event_begin() - find room for the record of an instant, if it is to be recorded
 * @ss: the session
 * @e: filled in
 * @p: the thread that it concerns
 * @words: the largest size of the record
 *
 * Context: any but NMI, with preemption or interrupts disabled.
 *
 * Return: true if the caller must write the record and then call fxt_event_end(); interrupts are
 * disabled until then.
 */
static inline bool fxt_event_begin(struct fxt_session *ss, struct fxt_event *e,
				   struct task_struct *p, unsigned int words)
{
	local_irq_save(e->flags);
	if (fxt_event_is_due(ss, e) && fxt_event_is_kept(ss, e, p) && fxt_event_reserve(e, words))
		return true;
	local_irq_restore(e->flags);
	return false;
}

/*
 * The same for an event whose thread only readers can tell. A filter by threads keeps all of them.
 */
static inline bool fxt_event_begin_of_any(struct fxt_session *ss, struct fxt_event *e,
					  unsigned int words)
{
	local_irq_save(e->flags);
	if (fxt_event_is_due(ss, e) && e->s->cpu_traced && fxt_event_reserve(e, words))
		return true;
	local_irq_restore(e->flags);
	return false;
}

/**
 * fxt_slice_end() - find room for the record of a slice, if it is to be recorded
 * @ss: the session
 * @e: filled in
 * @p: the thread that it concerns
 * @begun: ticks of its beginning, reset to 0; 0 if the probes have not seen it
 * @words: the largest size of the record
 *
 * Context: as of fxt_event_begin(); no other CPU uses @begun.
 *
 * Return: as of fxt_event_begin().
 */
static __always_inline bool fxt_slice_end(struct fxt_session *ss, struct fxt_event *e,
					  struct task_struct *p, u64 *begun, unsigned int words)
{
	u64 begin;

	local_irq_save(e->flags);
	begin = *begun;
	*begun = 0;
	if (fxt_slice_is_due(ss, e, begin) && fxt_event_is_kept(ss, e, p) &&
	    fxt_event_reserve(e, words))
		return true;
	local_irq_restore(e->flags);
	return false;
}

static inline void fxt_event_end(const struct fxt_event *e, unsigned int words)
{
	fxt_stream_commit(e->s, e->rec, e->time, words);
	local_irq_restore(e->flags);
}

/* Count a slice as lost whose beginning could not be kept. Context: as of fxt_event_begin(). */
static inline void fxt_slice_lose(struct fxt_session *ss)
{
	struct fxt_event e;

	local_irq_save(e.flags);
	if (fxt_event_is_due(ss, &e) && fxt_event_is_kept(ss, &e, current)) {
		e.s->events++;
		e.s->lost++;
	}
	local_irq_restore(e.flags);
}

#endif /* FXT_KMOD_EVENT_H */
