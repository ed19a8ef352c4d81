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

/* A handler can serve other interrupts, of a device behind its own, whose handlers nest. */
#define FXT_HARD_NESTED	4

/*
 * What a CPU remembers of events.
 *
 * Only the CPU uses it: all but @softirq with interrupts disabled.
 */
struct fxt_event_cpu {
	u32 depth;			/* hard interrupts that have begun, one within the other */
	u32 idle_state;			/* number of the idle state */
	u64 idle;			/* ticks of its beginning; 0: none */
	u64 steal;			/* ns, as recorded last */
	/* ticks of the beginnings of hard interrupts, the outermost first */
	u64 hard[FXT_HARD_NESTED];
	/* ticks of the beginnings of soft interrupts, by vector; 0: none */
	u64 softirq[NR_SOFTIRQS];
};

/*
 * One producer's records on their way into one relay buffer.
 *
 * All but the last three belong to the producer, which touches them with interrupts disabled on
 * the stream's CPU. The fields that a switch or a wakeup touches come first, in one cache line.
 */
struct fxt_stream {
	/* where the next record goes; NULL while no sub-buffer is open */
	u64 *pos ____cacheline_aligned;
	/* end of the open sub-buffer; NULL like @pos, or while the stream is held */
	u64 *end;
	u64 last;		/* ticks of the newest record stored */
	u64 switches;		/* context switch records written or lost */
	u64 wakeups;		/* wakeup records written or lost */
	/* header words for switches on this CPU: the outgoing thread stays runnable, or sleeps */
	u64 switch_headers[2];
	u32 id;			/* number of the stream: the CPU, or FXT_LEDGER_STREAM_NAMES */
	u32 sequence;		/* sub-buffers begun */

	u32 cpu;
	u64 events;		/* event records written or lost */
	u64 names;		/* kernel object records written or lost (stream of names only) */
	u64 folded;	/* renames that were folded, see fxt_rename.h (stream of names only) */
	u64 lost;		/* all records that found no room */
	u64 bytes;		/* bytes in closed sub-buffers */
	/* relay's buffer; NULL for a CPU that was never online in this session, or has none */
	struct rchan_buf *buf;
	/* to whom the stream says that a sub-buffer is complete and can be read */
	struct fxt_notify *notify;
	/* events that are lost, and not yet in @events and @lost, because they came in NMIs */
	unsigned long missed;
	/* the newest sub-buffer replaces the oldest, whether it was read or not */
	bool overwrites;
	bool cpu_traced;	/* the filter keeps events of this CPU; constant */
	/* the CPU came online without a buffer, because the limits did not allow one */
	bool refused;
	/* the records tell who runs on this CPU now; only with a filter by threads */
	bool current_known;
	struct fxt_event_cpu open;	/* slices that have begun on the CPU */

	size_t complete ____cacheline_aligned;	/* completed sub-buffers, published to the reader */
	u32 *used;		/* bytes of each of them, by its place in the buffer */
	/* sub-buffers that were read or dropped, published to the producer */
	size_t consumed;
	size_t read;	/* bytes already read of the oldest sub-buffer that waits; reader only */
	struct mutex reader;	/* serializes readers; taken before fxt_session.quiesce_lock */
};

int fxt_stream_init(struct fxt_stream *s, const struct fxt_config *config, u32 cpu, u32 id,
		    struct fxt_notify *notify);
void fxt_stream_free(struct fxt_stream *s);
u64 *fxt_stream_next(struct fxt_stream *s, u64 time);
void fxt_stream_close_subbuf(struct fxt_stream *s);
bool fxt_stream_is_half_free(const struct fxt_stream *s);

/* Does the stream have a buffer? If so, the caller sees everything that was set up with it. */
static inline bool fxt_stream_exists(const struct fxt_stream *s)
{
	/* Pairs with the release in fxt_stream_open(). */
	return smp_load_acquire(&s->buf);
}

/*
 * The time of a record, clamped so that the stream never goes backwards. Context: the
 * producer's.
 */
static __always_inline u64 fxt_stream_now(const struct fxt_stream *s,
					  const struct fxt_clock *clock)
{
	u64 now = fxt_clock_now(clock);

	/* The fast clocks may step back some ns when NTP changes their rate. */
	return unlikely(now < s->last) ? s->last : now;
}

/*
 * Find room for one record. The caller counts the record after this call, also if it fails: the
 * ledger that this call may write counts the records before. Then the caller writes the record and
 * calls fxt_stream_commit(). No reader sees memory beyond @s->pos.
 *
 * Context: the producer's, see struct fxt_stream. Locks of the scheduler may be held. Return: where
 * to write, or NULL if the buffer is full: the record is lost, and the caller counts that.
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
 * Refuse other records between fxt_stream_reserve() and the commit. For callers that meanwhile call
 * code with events of its own. These count as lost.
 *
 * Context: as of fxt_stream_reserve(), with interrupts disabled since then.
 */
static inline void fxt_stream_hold(struct fxt_stream *s)
{
	s->end = NULL;
}

/* Before the commit. */
static inline void fxt_stream_release(struct fxt_stream *s)
{
	s->end = s->buf->data + s->buf->chan->subbuf_size;
}

/*
 * Keep the record that was written to @pos, the result of fxt_stream_reserve(). Context: as of
 * that, with interrupts disabled since then.
 */
static __always_inline void fxt_stream_commit(struct fxt_stream *s, u64 *pos,
					      u64 time, unsigned int words)
{
	s->last = time;
	s->pos = pos + words;
}

#endif /* FXT_KMOD_STREAM_H */
