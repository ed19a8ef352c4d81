// SPDX-License-Identifier: GPL-2.0-or-later
/* The streams of a simulated machine: chunks in the order in which the sub-buffers fill up. */
#include <string.h>

#include <fxt/fxt_mark.h>

#include "libfxt/fxt_writer.h"
#include "generate.h"
#include "generate_machine.h"

static int put_ledger(struct machine *m, const struct fxt_ledger *l)
{
	__u64 rec[FXT_LEDGER_WORDS];

	fxt_sched_put_ledger(rec, l);
	return fxt_writer_put(m->w, rec, sizeof(rec));
}

static int flush(struct machine *m, struct stream *s)
{
	size_t bytes = s->used * FXT_WORD;
	int ret = 0;

	s->used = 0;
	if (!s->is_kept || !bytes)
		return 0;
	if (m->wishes->before && !s->is_open)
		ret = put_ledger(m, &s->opening);
	s->is_open = true;
	return ret ? ret : fxt_writer_put(m->w, s->words, bytes);
}

void machine_keep(struct stream *s, uint32_t sequence, uint64_t time)
{
	s->is_kept = true;
	s->opening = (struct fxt_ledger){
		.stream = s->head.stream,
		.kind = FXT_LEDGER_OPENING,
		.sequence = sequence,
		.time = time,
		.last = s->last,
		.written = s->written,
	};
}

/* Write the mark of a stream's beginning: the CPU was idle before its first record. */
static void mark_begin(const struct machine *m, struct stream *s)
{
	uint32_t words = fxt_sched_put_mark(s->words + s->used, m->now, s->head.stream,
					    FXT_STR_BEGIN, 0, FXT_SCHED_WEIGHT_IDLE);

	s->used += words;
	s->filled += words;
}

int machine_put(struct machine *m, struct stream *s, const __u64 *rec, uint32_t words,
		uint32_t records)
{
	int ret = 0;

	if (!s->filled || s->filled + words > SUBBUF_WORDS) {
		ret = flush(m, s);
		s->head.kind = FXT_LEDGER_HEAD;
		s->head.sequence = s->subbufs++;
		s->head.time = m->now;
		s->head.last = s->last;
		s->head.written = s->written;
		if (m->is_kept && !s->is_kept)
			machine_keep(s, s->head.sequence, m->now);
		fxt_sched_put_ledger(s->words, &s->head);
		s->filled = FXT_LEDGER_WORDS;
		s->used = s->filled;
		if (m->wishes->is_marked && s->subbufs == 1 && s != machine_names(m))
			mark_begin(m, s);
	} else if (!s->used) {
		s->head.kind = FXT_LEDGER_CONTINUED;
		fxt_sched_put_ledger(s->words, &s->head);
		s->used = FXT_LEDGER_WORDS;
	}
	memcpy(s->words + s->used, rec, words * sizeof(*rec));
	s->used += words;
	s->filled += words;
	s->last = m->now;
	s->written += records;
	return ret;
}

struct stream *machine_names(struct machine *m)
{
	return &m->streams[m->cpu_count];
}

int machine_flush(struct machine *m)
{
	int ret = 0;

	for (unsigned int i = 0; i <= m->cpu_count && !ret; i++)
		ret = flush(m, &m->streams[i]);
	return ret;
}

int machine_finish(struct machine *m)
{
	int ret = machine_flush(m);

	m->now += 1000;
	for (unsigned int i = 0; i <= m->cpu_count && !ret; i++) {
		struct stream *s = &m->streams[i];
		struct fxt_ledger l = {
			.stream = s->head.stream,
			.kind = FXT_LEDGER_CLOSING,
			.sequence = s->subbufs,
			.time = m->now,
			.last = s->last,
			.written = s->written,
		};

		if (m->wishes->before && !s->is_open) {
			if (!s->is_kept)
				machine_keep(s, s->subbufs, s->last);
			ret = put_ledger(m, &s->opening);
		}
		ret = ret ? ret : put_ledger(m, &l);
	}
	return ret;
}
