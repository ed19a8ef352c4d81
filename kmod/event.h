/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - shared code of the probes of event groups for writing records.
 *
 * In:  events, and the beginnings of slices on a CPU.
 * Out: records in the stream of the CPU.
 *
 * Many of these probes run with irqs on. All that write turn irqs off from reading the clock
 * to the commit, so the CPU is the only producer of its stream, and its records are in order.
 *
 * The probes of frequent events exist in two kinds, as those of switches do: see record.h.
 */
#ifndef FXT_KMOD_EVENT_H
#define FXT_KMOD_EVENT_H

#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include <fxt/fxt_sched_event.h>

#include "record.h"
#include "session.h"

/**
 * fxt_event_reserve() - count an event and find room for its record
 * @s: this CPU's stream
 * @now: ticks
 * @words: the largest size of the record
 *
 * Context: irqs off.
 *
 * Return: where to write, or NULL if the record is lost.
 */
static __always_inline u64 *fxt_event_reserve(struct fxt_stream *s, u64 now,
					      unsigned int words)
{
	u64 *rec = fxt_stream_reserve(s, now, words);

	s->events++;
	if (unlikely(!rec))
		s->lost++;
	return rec;
}

/*
 * Does the filter keep what happens to a thread on this CPU, whose stream @s is? Context: irqs
 * off.
 */
static __always_inline bool fxt_event_keeps(struct fxt_session *ss, const struct fxt_stream *s,
					    struct task_struct *p)
{
	return s->cpu_traced && (!ss->filter.by_thread ||
			   fxt_filter_matches(&ss->filter, &ss->tasks, p));
}

/* Does it keep what happens to the current thread? Context: irqs off. */
static __always_inline bool fxt_event_keeps_here(struct fxt_session *ss,
						 const struct fxt_stream *s)
{
	return fxt_event_keeps(ss, s, current);
}

/**
 * struct fxt_event - an instant of a thread, which happens now
 * @s: this CPU's stream
 * @time: ticks
 * @rec: where its record goes
 */
struct fxt_event {
	struct fxt_stream *s;
	u64 time;
	u64 *rec;
};

/**
 * fxt_event_begin() - find room for the record of an instant, if it is to be recorded
 * @ss: the session
 * @event: filled in
 * @p: the thread that it happens to
 * @words: the largest size of the record
 *
 * Context: irqs off, until fxt_event_commit().
 *
 * Return: false if there is nothing to write.
 */
static inline bool fxt_event_begin(struct fxt_session *ss, struct fxt_event *event,
				   struct task_struct *p, unsigned int words)
{
	event->s = this_cpu_ptr(ss->cpus);
	event->time = fxt_stream_now(event->s, &ss->clock);
	if (!fxt_recording_covers(&ss->recording, event->time) ||
	    !fxt_event_keeps(ss, event->s, p))
		return false;
	event->rec = fxt_event_reserve(event->s, event->time, words);
	return likely(event->rec);
}

/*
 * Commit the record of an instant after it was written. Context: irqs off since
 * fxt_event_begin().
 */
static inline void fxt_event_commit(const struct fxt_event *event, unsigned int words)
{
	fxt_stream_commit(event->s, event->rec, event->time, words);
}

/* Count a slice as lost, because its beginning could not be kept. Context: irqs off. */
static inline void fxt_event_lose(struct fxt_session *ss)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);

	if (!fxt_recording_covers(&ss->recording, fxt_stream_now(s, &ss->clock)) ||
	    !fxt_event_keeps_here(ss, s))
		return;
	s->events++;
	s->lost++;
}

/**
 * fxt_event_end() - the time of the end of a slice
 * @ss: the session
 * @s: this CPU's stream
 * @begin: ticks of its beginning
 *
 * Context: irqs off.
 *
 * Return: ticks; not before @begin, although the clock may have stepped back.
 */
static __always_inline u64 fxt_event_end(const struct fxt_session *ss,
					 const struct fxt_stream *s, u64 begin)
{
	return max(fxt_stream_now(s, &ss->clock), begin);
}

/**
 * fxt_event_write_slice() - write a slice of this CPU that ends now
 * @ss: the session
 * @begin: ticks
 * @process: as for fxt_sched_put_cpu_slice()
 * @category: as for fxt_sched_put_cpu_slice()
 * @name: as for fxt_sched_put_cpu_slice()
 *
 * An interrupt: the trigger takes it into account.
 *
 * Context: irqs off.
 */
static inline void fxt_event_write_slice(struct fxt_session *ss, u64 begin, u64 process,
					 u32 category, u32 name)
{
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 end = fxt_event_end(ss, s, begin), *rec;

	if (!fxt_recording_covers_slice(&ss->recording, begin, end) ||
	    !fxt_event_keeps_here(ss, s))
		return;
	rec = fxt_event_reserve(s, end, FXT_SCHED_CPU_SLICE_WORDS);
	if (unlikely(!rec))
		return;
	fxt_stream_commit(s, rec, end,
			  fxt_sched_put_cpu_slice(rec, begin, end, process, s->id, category,
						  name));
	fxt_trigger_interrupt(&ss->trigger, &ss->recording,
			      category == FXT_STR_IRQ ? FXT_SCHED_CAUSE_IRQ :
							FXT_SCHED_CAUSE_SOFTIRQ,
			      s->id, begin, end);
}

/* --- the fast path ------------------------------------------------------- */

/**
 * fxt_fast_slice_ends() - read the clock at the end of a slice
 * @ss: the session
 * @s: this CPU's stream
 * @begin: where the ticks of its beginning are; read after the clock, which needs registers
 * @end: set to ticks
 * @clock: which clock; a constant in each caller
 *
 * Context: irqs off.
 *
 * Return: false if the slow path has to handle it.
 */
static __always_inline bool fxt_fast_slice_ends(const struct fxt_session *ss,
						const struct fxt_stream *s, const u64 *begin,
						u64 *end, const clockid_t clock)
{
	return fxt_clock_read(&ss->clock, clock, end) && likely(*end >= *begin) &&
	       likely(*end >= s->last);
}

/**
 * fxt_fast_slice_write() - write a slice of this CPU without arguments
 * @ss: the session
 * @s: this CPU's stream
 * @begin: ticks
 * @end: ticks
 * @process: as for fxt_sched_put_cpu_slice()
 * @header: fxt_sched_cpu_slice_header()
 *
 * Context: irqs off since fxt_fast_slice_ends(); the record fits, see fxt_fast_fits().
 */
static __always_inline void fxt_fast_slice_write(struct fxt_session *ss, struct fxt_stream *s,
						 u64 begin, u64 end, u64 process, u64 header)
{
	if (!fxt_recording_covers_slice(&ss->recording, begin, end))
		return;
	s->events++;
	fxt_sched_put_cpu_slice_of(s->pos, header, begin, end, process, s->id);
	fxt_stream_commit(s, s->pos, end, FXT_SCHED_CPU_SLICE_WORDS);
}

#endif /* FXT_KMOD_EVENT_H */
