/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - what the probes of event groups share to write records.
 *
 * In:  events, and the beginnings of slices.
 * Out: records in the stream of the CPU.
 *
 * Tracepoints fire with interrupts enabled or disabled, and some where a driver has enabled them
 * by mistake. So these probes rely on nothing: they disable interrupts from reading the clock to
 * the commit. That makes the CPU the only producer of its stream, and keeps its records in order.
 */
#ifndef FXT_KMOD_EVENT_H
#define FXT_KMOD_EVENT_H

#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include <fxt/fxt_sched_event.h>

#include "record.h"
#include "session.h"

/* An event that happens now: an instant, or the end of a slice. */
struct fxt_event {
	struct fxt_stream *s;	/* this CPU's stream */
	u64 begin;		/* ticks of the slice's beginning */
	u64 time;		/* ticks */
	u64 *rec;		/* where its record goes */
	unsigned long flags;	/* of interrupts */
};

/* Read the clock. Context: interrupts disabled. Return: is there a recording? */
static __always_inline bool fxt_event_is_due(struct fxt_session *ss, struct fxt_event *e)
{
	e->s = this_cpu_ptr(ss->cpus);
	e->time = fxt_stream_now(e->s, &ss->clock);
	return fxt_recording_covers(&ss->recording, e->time);
}

/* The same for a slice, whose beginning is known. */
static __always_inline bool fxt_slice_is_due(struct fxt_session *ss, struct fxt_event *e, u64 begin)
{
	e->s = this_cpu_ptr(ss->cpus);
	e->begin = begin;
	/* The clock may have stepped back. */
	e->time = max(fxt_stream_now(e->s, &ss->clock), begin);
	return fxt_recording_covers_slice(&ss->recording, begin, e->time);
}

/* Does the filter keep what happens to a thread here? Context: interrupts disabled. */
static __always_inline bool fxt_event_is_kept(struct fxt_session *ss, const struct fxt_event *e,
					      struct task_struct *p)
{
	return e->s->cpu_traced && fxt_keeps(ss, p);
}

/*
 * Count the event, and find room for its record, of at most @words. Context: interrupts disabled,
 * until the commit. Return: false if the record is lost.
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
 * @p: the thread that it happens to
 * @words: the largest size of the record
 *
 * Context: any but NMI, with preemption or interrupts disabled.
 *
 * Return: true if the caller has to write the record, and then to call fxt_event_end(), until
 * which interrupts are disabled.
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
 * The same for what may concern any thread: which one, readers can tell, but not a probe. So a
 * filter by threads keeps it.
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
 * @p: the thread that it happens to
 * @begun: ticks of its beginning, which are taken; 0 if the probes have not seen it begin
 * @words: the largest size of the record
 *
 * Context and return: as of fxt_event_begin(). @begun is not used by another CPU.
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

/* Commit the record, of @words. */
static inline void fxt_event_end(const struct fxt_event *e, unsigned int words)
{
	fxt_stream_commit(e->s, e->rec, e->time, words);
	local_irq_restore(e->flags);
}

/* Count a slice as lost, because its beginning could not be kept. Context: as above. */
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
