/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - streams, the producer's side: where the probes put finished records.
 *
 * channel.c has the reader's side and the ordering rules of both.
 */
#ifndef FXT_KMOD_STREAM_H
#define FXT_KMOD_STREAM_H

#include <linux/cache.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include <fxt/fxt_sched.h>

#include "clock.h"

struct fxt_config;
struct fxt_notify;

/* A handler can serve interrupts of a device behind its own, whose handlers nest. */
#define FXT_HARD_NESTED	4

/*
 * What a CPU remembers of events. Only this CPU uses it; all but @softirq with interrupts disabled.
 */
struct fxt_event_cpu {
	u32 depth;			/* of hard interrupts, which nest */
	u32 idle_state;
	u64 idle;			/* ticks of its beginning; 0: not idle */
	u64 steal;			/* ns, as last recorded */
	u64 hard[FXT_HARD_NESTED];	/* ticks of their beginnings, the outermost first */
	u64 softirq[NR_SOFTIRQS];	/* ticks of their beginnings, by vector; 0: none */
};

/*
 * One producer's records on their way into one relay buffer.
 *
 * All but the last three members belong to the producer, which uses them on the stream's CPU with
 * interrupts disabled. What a switch or a wakeup uses comes first, in one cache line.
 */
struct fxt_stream {
	u64 *pos ____cacheline_aligned;	/* the next record; NULL: no sub-buffer is open */
	u64 *end;	/* of the open sub-buffer; NULL like @pos, or while held */
	u64 last;		/* ticks of the newest record stored */
	u64 switches;		/* written or lost */
	u64 wakeups;		/* written or lost */
	/* header words of switches on this CPU whose outgoing thread stays runnable, or sleeps */
	u64 switch_headers[2];
	u32 id;			/* the CPU, or FXT_LEDGER_STREAM_NAMES */
	u32 sequence;		/* sub-buffers begun */

	u32 cpu;
	u64 events;		/* written or lost */
	u64 names;		/* kernel object records written or lost (stream of names only) */
	u64 folded;	/* folded renames, see fxt_rename.h (stream of names only) */
	u64 lost;		/* all records that found no room */
	u64 bytes;		/* in closed sub-buffers */
	/* NULL for a CPU that was never online in this session, or has no buffer */
	struct rchan_buf *buf;
	struct fxt_notify *notify;	/* told when a sub-buffer is complete */
	/* lost events of NMIs that @events and @lost do not contain yet */
	unsigned long missed;
	bool overwrites;	/* the newest sub-buffer replaces the oldest, read or not */
	bool cpu_traced;	/* the filter keeps events of this CPU; constant */
	bool refused;	/* the CPU came online, and the limits allowed no buffer */
	bool current_known;	/* with a filter by threads: records show who runs here now */
	struct fxt_event_cpu open;	/* slices that have begun on the CPU */

	size_t complete ____cacheline_aligned;	/* sub-buffers, published to the reader */
	u32 *used;		/* bytes of each complete sub-buffer, by its place */
	size_t consumed;	/* read or dropped sub-buffers, published to the producer */
	size_t read;	/* bytes read of the oldest complete sub-buffer; reader only */
	struct mutex reader;	/* serializes readers; taken before fxt_session.quiesce_lock */
};

int fxt_stream_init(struct fxt_stream *s, const struct fxt_config *config, u32 cpu, u32 id,
		    struct fxt_notify *notify);
void fxt_stream_free(struct fxt_stream *s);
u64 *fxt_stream_next(struct fxt_stream *s, u64 time);
void fxt_stream_close_subbuf(struct fxt_stream *s);
bool fxt_stream_is_half_free(const struct fxt_stream *s);

/* If true, the caller sees everything that was set up with the buffer. */
static inline bool fxt_stream_exists(const struct fxt_stream *s)
{
	/* Pairs with the release in fxt_stream_open(). */
	return smp_load_acquire(&s->buf);
}

/*
 * The time of a record, clamped so that the stream never goes backwards. Context: the producer's.
 */
static __always_inline u64 fxt_stream_now(const struct fxt_stream *s,
					  const struct fxt_clock *clock)
{
	u64 now = fxt_clock_now(clock);

	/* The fast clocks may step back some ns when NTP changes their rate. */
	return unlikely(now < s->last) ? s->last : now;
}

/*
 * Find room for one record. The caller counts the record after this call, also if it fails, because
 * the ledger that this call may write counts earlier records. It then writes the record and calls
 * fxt_stream_commit(). No reader sees memory beyond @s->pos.
 *
 * Context: the producer's, see struct fxt_stream. Locks of the scheduler may be held. Return: where
 * to write; NULL if the buffer is full: the caller counts the record as lost.
 */
static __always_inline u64 *fxt_stream_reserve(struct fxt_stream *s, u64 time,
					       unsigned int words)
{
	u64 *pos = s->pos;

	if (unlikely((unsigned long)(pos + words) > (unsigned long)s->end))
		return fxt_stream_next(s, time);
	return pos;
}

/*
 * Count other records as lost between fxt_stream_reserve() and the commit, while the caller runs
 * code with events of its own. Context: as of fxt_stream_reserve(), with interrupts disabled since
 * then.
 */
static inline void fxt_stream_hold(struct fxt_stream *s)
{
	s->end = NULL;
}

/* The caller then commits. */
static inline void fxt_stream_release(struct fxt_stream *s)
{
	s->end = s->buf->data + s->buf->chan->subbuf_size;
}

/*
 * Keep the record at @pos, the result of fxt_stream_reserve(). Context: as of that, with interrupts
 * disabled since then.
 */
static __always_inline void fxt_stream_commit(struct fxt_stream *s, u64 *pos,
					      u64 time, unsigned int words)
{
	s->last = time;
	s->pos = pos + words;
}

#endif /* FXT_KMOD_STREAM_H */
