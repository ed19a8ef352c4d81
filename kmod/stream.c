// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream.c - opens and closes sub-buffers. channel.c has the ordering rules.
 *
 * In:  a full sub-buffer, or a reader's request.
 * Out: complete sub-buffers, each begun by a ledger.
 */
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/relay.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include <fxt/fxt_sched_stack.h>
#include <linux/fxt_sched.h>

#include "config.h"
#include "stream.h"
#include "util.h"

/*
 * A page is the smallest sub-buffer, and a stack the largest record. Samples reserve more:
 * samples.c.
 */
static_assert((FXT_LEDGER_WORDS + FXT_SCHED_STACK_WORDS + FXT_SCHED_COPY_WORDS) * sizeof(u64) <=
	      PAGE_SIZE);
static_assert(!IS_ENABLED(CONFIG_CPU_BIG_ENDIAN), "records are in little-endian order");

/*
 * @s: zeroed; gets no buffer here. @id: @cpu, or FXT_LEDGER_STREAM_NAMES. Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int fxt_stream_init(struct fxt_stream *s, const struct fxt_config *config, u32 cpu, u32 id,
		    struct fxt_notify *notify)
{
	static const u32 states[] = { FXT_THREAD_NEW, FXT_THREAD_BLOCKED };
	bool bare = config->form & FXT_SCHED_NO_WEIGHTS;
	bool names = id == FXT_LEDGER_STREAM_NAMES;
	unsigned int i;

	mutex_init(&s->reader);
	s->notify = notify;
	s->cpu = cpu;
	s->id = id;
	s->overwrites = config->overwrite && !names;
	s->cpu_traced = cpumask_empty(&config->filter_cpus) ||
			cpumask_test_cpu(cpu, &config->filter_cpus);
	for (i = 0; i < ARRAY_SIZE(states); i++)
		s->switch_headers[i] = bare ? fxt_sched_bare_switch_header(cpu, states[i]) :
					      fxt_sched_switch_header(cpu, states[i]);
	s->used = kvcalloc(names ? FXT_SCHED_NAMES_SUBBUFS : config->subbuf_count,
			   sizeof(*s->used), GFP_KERNEL);
	return s->used ? 0 : -ENOMEM;
}

/* Context: the stream has no producer and no reader. */
void fxt_stream_free(struct fxt_stream *s)
{
	kvfree(s->used);
}

/*
 * Does @pos lie outside of the open sub-buffer? Then a producer was interrupted by another one, or
 * by a reader's hand-over, which completed the sub-buffer of its record.
 */
static bool fxt_stream_is_astray(const struct fxt_stream *s)
{
	return (size_t)((void *)s->pos - s->buf->data) > s->buf->chan->subbuf_size;
}

/*
 * Complete the open sub-buffer; there is one. Context: interrupts disabled; the producer's, or the
 * stream's CPU is offline.
 */
void fxt_stream_close_subbuf(struct fxt_stream *s)
{
	struct rchan_buf *buf = s->buf;
	size_t bytes = (void *)s->pos - buf->data;
	bool astray = fxt_stream_is_astray(s);

	s->pos = NULL;
	s->end = NULL;
	/* The record is lost, and the next place was not opened. */
	if (WARN_ON_ONCE(astray)) {
		s->lost++;
		return;
	}
	s->used[s->complete % buf->chan->n_subbufs] = bytes;
	s->bytes += bytes;
	/*
	 * Go to the next place. This wakes sleeping readers through irq_work, which cannot run
	 * before this CPU enables interrupts: they find what the release below publishes.
	 */
	__this_cpu_write(fxt_self_ipi, true);
	relay_switch_subbuf(buf, 0);
	__this_cpu_write(fxt_self_ipi, false);
	/* Pairs with the acquire in fxt_stream_waiting(). */
	smp_store_release(&s->complete, s->complete + 1);
	/*
	 * Readers may have gone to sleep since relay looked for them. Pairs with the full barrier
	 * in fxt_buf_poll().
	 */
	if (wq_has_sleeper(&buf->read_wait))
		fxt_notify_queue(&buf->wakeup_work);
	if (!s->overwrites)
		fxt_notify(s->notify);
}

static bool fxt_stream_has_place(const struct fxt_stream *s)
{
	size_t consumed;

	/* Pairs with the release in fxt_stream_consume(). */
	consumed = smp_load_acquire(&s->consumed);
	return s->overwrites || s->complete - consumed < s->buf->chan->n_subbufs;
}

/*
 * Open the next sub-buffer: the slow path of fxt_stream_reserve(). @time: of the record that needs
 * it. Context: the producer's. Locks of the scheduler may be held.
 *
 * Return: where that record goes, after the ledger; NULL if the reader has not emptied a sub-buffer
 * yet.
 */
u64 *fxt_stream_next(struct fxt_stream *s, u64 time)
{
	struct rchan_buf *buf = s->buf;
	struct fxt_ledger ledger;
	u64 *head;

	/* Without a buffer, or held. */
	if (unlikely(!buf || (s->pos && !s->end && !fxt_stream_is_astray(s))))
		return NULL;
	if (s->pos)
		fxt_stream_close_subbuf(s);
	if (!fxt_stream_has_place(s))
		return NULL;

	ledger = (struct fxt_ledger) {
		.stream = s->id,
		.kind = FXT_LEDGER_HEAD,
		.sequence = s->sequence++,
		.time = time,
		.last = s->last,
		.written = s->switches + s->wakeups + s->events + s->names,
		.lost = s->lost,
	};
	head = buf->data;
	fxt_sched_put_ledger(head, &ledger);
	s->pos = head + FXT_LEDGER_WORDS;
	s->end = buf->data + buf->chan->subbuf_size;
	return s->pos;
}

/* Context: the producer's. */
bool fxt_stream_is_half_free(const struct fxt_stream *s)
{
	/* An older count of what was read is harmless. */
	return s->buf && s->complete - READ_ONCE(s->consumed) < s->buf->chan->n_subbufs / 2;
}
