// SPDX-License-Identifier: GPL-2.0-or-later
/* edges.c - see edges.h. */
#include <fxt/fxt_unknown.h>

#include "chunks.h"
#include "edges.h"

static const struct edge_owner unknown;

/* --- switches in chunks ------------------------------------------------------------------ */

/* Are these the words of a switch on this CPU? No other words in a chunk match. */
static bool is_switch(const uint64_t *rec, uint64_t left, uint32_t cpu)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]);

	return size >= FXT_SCHED_USUAL_SWITCH_WORDS && size <= left &&
	       (rec[0] & ~FXT_SWITCH_STATE) ==
	       fxt_context_switch(size, size - FXT_SWITCH_BASE_WORDS, cpu, 0) &&
	       (rec[4] & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, 0) &&
	       (rec[5] & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, 0);
}

static bool hides(const uint64_t *rec)
{
	return fxt_get(FXT_SIZE, rec[0]) > FXT_SCHED_USUAL_SWITCH_WORDS &&
	       rec[6] == fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_FILTERED);
}

static int32_t weight_of(uint64_t arg)
{
	return (int32_t)fxt_get(FXT_ARG_VALUE_32, arg);
}

static struct edge_owner outgoing(const uint64_t *rec)
{
	return (struct edge_owner){ rec[2], weight_of(rec[4]), true };
}

static struct edge_owner incoming(const uint64_t *rec)
{
	return hides(rec) && !rec[3] ? unknown :
	       (struct edge_owner){ rec[3], weight_of(rec[5]), true };
}

static const uint64_t *begin_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + FXT_LEDGER_WORDS;
}

static const uint64_t *end_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + c->bytes / FXT_WORD;
}

/* Return: NULL if there is none. */
static const uint64_t *first_switch(uint32_t cpu, const struct chunk *c)
{
	const uint64_t *rec, *end = end_of(c);
	uint64_t size;

	for (rec = begin_of(c); rec < end; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (size < 2 || size > (uint64_t)(end - rec))
			break;
		if (is_switch(rec, end - rec, cpu))
			return rec;
	}
	return NULL;
}

bool edge_has_switch(uint32_t cpu, const struct chunk *c)
{
	return first_switch(cpu, c);
}

/* The search runs backwards, and so reads very little of the chunk. */
void edge_chunk(struct edge *e, uint32_t cpu, const struct chunk *c)
{
	const uint64_t *begin = begin_of(c), *end = end_of(c), *rec;

	for (rec = end - FXT_SCHED_USUAL_SWITCH_WORDS; rec >= begin; rec--) {
		if (!is_switch(rec, end - rec, cpu))
			continue;
		e->has = incoming(rec);
		return;
	}
}

/* Ticks of the last record; 0 without any. */
static uint64_t last_time(const struct chunk *c)
{
	const uint64_t *rec, *end = end_of(c), *last = NULL;
	uint64_t size;

	for (rec = begin_of(c); rec < end; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (size < 2 || size > (uint64_t)(end - rec))
			break;
		last = rec;
	}
	return last ? chunk_record_time(last) : 0;
}

/* --- marks ------------------------------------------------------------------------------- */

void edge_start(struct edge *e)
{
	e->has = unknown;
	e->first.owner = unknown;
	e->newest.owner = unknown;
}

void edge_count(struct edge *e, const struct stream_stats *stats)
{
	e->switches = stats->switches;
	e->lost = stats->lost;
}

void edge_mark(struct edge *e, const struct source_mark *mark, bool is_first)
{
	e->newest = (struct edge_mark){
		.time = mark->time,
		.switches = e->switches,
		.owner = { mark->thread, mark->weight, true },
	};
	if (is_first)
		e->first = e->newest;
}

/*
 * Is the mark before all switches of the part? @c has all records of the CPU from the beginning,
 * and all until the mark if it is not a whole sub-buffer, which the producer has counted.
 */
static bool precedes(const struct edge_mark *m, const struct chunk *c, const uint64_t *sw)
{
	if (!m->owner.is_known)
		return false;
	if (sw)
		return m->time <= sw[1];
	return !c->kept || m->time <= last_time(c);
}

struct edge_owner edge_at_begin(const struct edge *e, uint32_t cpu, const struct chunk *c,
				bool hides_threads)
{
	const uint64_t *sw;

	if (e->has.is_known || !c)
		return e->has;
	sw = first_switch(cpu, c);
	if (precedes(&e->first, c, sw))
		return e->first.owner;
	/* With a filter, hidden threads may have come and gone before. */
	return sw && !hides_threads && !hides(sw) ? outgoing(sw) : unknown;
}

struct edge_owner edge_holder(const struct edge *e, uint64_t time)
{
	const struct edge_mark *m = &e->newest;

	return m->switches == e->switches && m->time <= time ? m->owner : unknown;
}

struct edge_owner edge_at_end(struct edge *e, uint64_t lost, uint64_t time)
{
	struct edge_owner holder = edge_holder(e, time);

	if (e->lost > lost) {
		e->has = unknown;
		return unknown;
	}
	/* The kernel may have hidden a switch from the source: then @has is out of date. */
	return holder.is_known ? holder : e->has;
}
