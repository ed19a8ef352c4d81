// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * queue.c - see queue.h.
 *
 * In: the events of a stream, in the order of the archive.
 * Out: the same in the order of time, in blocks. The number of blocks is limited for each stream
 * and for all together.
 */
#include <stdlib.h>

#include "libfxt/huge.h"
#include "data.h"
#include "queue.h"

#define INSERT_STEPS	256
#define FIRST_SLAB_BLOCKS	16

bool sched_queue_can_grow(const struct sched_model *m, const struct sched_stream *s)
{
	return s->blocks < m->blocks_per_stream && m->blocks_used < m->blocks_total;
}

static void free_block(struct sched_model *m, struct sched_stream *s)
{
	struct sched_block *block = s->head;

	s->head = block->next;
	s->first = 0;
	s->blocks--;
	m->blocks_used--;
	if (s->head)
		s->head->previous = NULL;
	else
		s->tail = NULL;
	block->next = m->free_blocks;
	m->free_blocks = block;
}

/* A short archive needs few blocks. Other archives have slabs of the size of a huge page. */
static void add_slab(struct sched_model *m)
{
	size_t each = sizeof(struct sched_block) + m->block_events * sizeof(struct sched_event);
	size_t bytes = m->slabs ? HUGE_BYTES : sizeof(struct sched_slab) + FIRST_SLAB_BLOCKS * each;
	struct sched_slab *slab = must(m->slabs ? aligned_alloc(HUGE_BYTES, bytes) : malloc(bytes));
	size_t count = (bytes - sizeof(*slab)) / each;
	struct sched_block *block;

	huge_advise(slab, bytes);
	slab->next = m->slabs;
	m->slabs = slab;
	while (count--) {
		block = (struct sched_block *)(slab->blocks + count * each);
		block->next = m->free_blocks;
		m->free_blocks = block;
	}
}

void sched_queue_grow(struct sched_model *m, struct sched_stream *s)
{
	struct sched_block *block;

	if (!m->free_blocks)
		add_slab(m);
	block = m->free_blocks;
	m->free_blocks = block->next;
	block->next = NULL;
	block->previous = s->tail;
	if (s->tail)
		s->tail->next = block;
	else
		s->head = block;
	s->tail = block;
	s->end = 0;
	s->blocks++;
	m->blocks_used++;
}

const struct sched_event *sched_queue_next_block(struct sched_model *m,
						 struct sched_stream *s)
{
	if (unlikely(m->mark_count))
		sched_marks_look(m, s->head, s->first);
	s->has_gone = true;
	free_block(m, s);
	return sched_queue_head(s);
}

const struct sched_event *sched_queue_after(const struct sched_model *m,
					    const struct sched_stream *s,
					    const struct sched_block **block,
					    const struct sched_event *e)
{
	uint32_t i = e - (*block)->events + 1;

	if (*block == s->tail)
		return i < s->end ? e + 1 : NULL;
	if (i < m->block_events)
		return e + 1;
	*block = (*block)->next;
	return (*block)->events;
}

void sched_queue_insert(struct sched_model *m, struct sched_stream *s, uint64_t time)
{
	struct sched_block *block = s->tail, *to_block = block;
	uint32_t i = s->end, to = i, steps;
	struct sched_event e = block->events[i];

	s->end++;
	s->first_run = NULL;		/* it may be moved */
	for (steps = 0; steps < INSERT_STEPS; steps++) {
		if (block == s->head && i == s->first)
			break;
		if (!i) {
			block = block->previous;
			i = m->block_events;
		}
		i--;
		if (block->events[i].time <= time)
			break;
		to_block->events[to] = block->events[i];
		to_block = block;
		to = i;
	}
	to_block->events[to] = e;
	if (time > s->tail_ns)
		s->tail_ns = time;
}

void sched_queue_close(struct sched_model *m)
{
	struct sched_slab *slab;

	while ((slab = m->slabs)) {
		m->slabs = slab->next;
		free(slab);
	}
}
