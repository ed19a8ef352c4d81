/* SPDX-License-Identifier: GPL-2.0 */
/*
 * channel.h - streams: where finished records go. See channel.c for the
 * ordering rules.
 */
#ifndef FXT_KMOD_CHANNEL_H
#define FXT_KMOD_CHANNEL_H

#include <linux/cache.h>
#include <linux/mutex.h>
#include <linux/relay.h>
#include <linux/types.h>
#include <asm/barrier.h>

#include <fxt/fxt_sched.h>

struct dentry;
struct fxt_session;
struct seq_file;

/**
 * struct fxt_stream - one producer's records on their way into one relay buffer
 * @pos: where the next record goes; NULL while no sub-buffer is open
 * @end: end of the open sub-buffer; NULL like @pos
 * @last: ticks of the newest record kept
 * @switches: context switch records written or lost
 * @wakeups: wakeup records written or lost
 * @switch_headers: of switches on this CPU, of threads that go on and that sleep
 * @id: number of the stream: the CPU, or FXT_LEDGER_STREAM_NAMES
 * @sequence: sub-buffers begun
 * @cpu: the CPU
 * @names: kernel object records written or lost (stream of names only)
 * @folded: renames that were folded, see fxt_rename.h (stream of names only)
 * @lost: how many of all records found no room
 * @bytes: bytes in closed sub-buffers
 * @buf: relay's buffer; NULL for a CPU that never was online in this session
 * @kept: the filter keeps what happens on this CPU; does not change
 * @shown: the records say who runs on this CPU now; only with a filter by threads
 * @complete: sub-buffers completed, published to the reader
 * @read: bytes already read of the oldest complete sub-buffer; reader only
 * @reader: held by who reads; taken before fxt_session.rest_lock
 *
 * All but the last four belong to the producer: they are touched with irqs off
 * on the stream's CPU. What a record touches comes first, within one cache line.
 */
struct fxt_stream {
	u64 *pos ____cacheline_aligned;
	u64 *end;
	u64 last;
	u64 switches;
	u64 wakeups;
	u64 switch_headers[2];
	u32 id;
	u32 sequence;

	u32 cpu;
	u64 names;
	u64 folded;
	u64 lost;
	u64 bytes;
	struct rchan_buf *buf;
	bool kept;
	bool shown;

	size_t complete ____cacheline_aligned;
	size_t read;
	struct mutex reader;	/* one at a time */
};

u64 *fxt_stream_next(struct fxt_stream *s, u64 time);
bool fxt_stream_has_half(const struct fxt_stream *s);
int fxt_channels_open(struct fxt_session *ss, struct dentry *dir);
void fxt_channels_close(struct fxt_session *ss);
void fxt_channels_rest(struct fxt_session *ss);
void fxt_channels_wake(struct fxt_session *ss);
void fxt_stream_show(struct seq_file *m, struct fxt_session *ss,
		     struct fxt_stream *s);

/**
 * fxt_stream_exists() - does the stream have a buffer by now?
 * @s: the stream
 *
 * Context: any.
 *
 * Return: if so, all of @s that was set up with it is visible.
 */
static inline bool fxt_stream_exists(const struct fxt_stream *s)
{
	/* Pairs with the release in fxt_subbuf_start(). */
	return smp_load_acquire(&s->buf);
}

/**
 * fxt_stream_reserve() - find room for one record
 * @s: the stream
 * @time: ticks of the record
 * @words: the most that it may take
 *
 * The caller counts the record after this, whatever is returned: a ledger that
 * this call writes speaks of the records before. Then it writes the record and
 * calls fxt_stream_commit(). Nobody sees what lies beyond @s->pos.
 *
 * Context: the producer's, see struct fxt_stream. Any locks of the scheduler.
 *
 * Return: where to write, or NULL if the buffer is full: the record is lost
 * and the caller counts it.
 */
static __always_inline u64 *fxt_stream_reserve(struct fxt_stream *s, u64 time,
					       unsigned int words)
{
	u64 *pos = s->pos;

	if (unlikely((unsigned long)(pos + words) > (unsigned long)s->end))
		return fxt_stream_next(s, time);
	return pos;
}

/**
 * fxt_stream_commit() - keep the record that was written
 * @s: the stream
 * @pos: what fxt_stream_reserve() returned
 * @time: ticks of the record
 * @words: what it really took
 */
static __always_inline void fxt_stream_commit(struct fxt_stream *s, u64 *pos,
					      u64 time, unsigned int words)
{
	s->last = time;
	s->pos = pos + words;
}

#endif /* FXT_KMOD_CHANNEL_H */
