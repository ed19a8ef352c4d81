// SPDX-License-Identifier: GPL-2.0-or-later
/* done.c - which request of a block device ended a sleep; see history.h. */
#include "history.h"
#include "occupants.h"

#define PIECES	4096	/* pieces between a wakeup and the next point */
#define LATEST	50000	/* ns between a completion and a wakeup that only the submitter connects */
#define SEARCH	64	/* completions on other CPUs, or of others, between that and the wakeup */

/* The number of completions until a time. */
static uint64_t count_until(const struct history *h, uint64_t time)
{
	uint64_t low = 0, high = h->done.count, middle;
	const struct history_done *done;

	while (low < high) {
		middle = low + (high - low) / 2;
		done = tape_at(&h->done, middle);
		if (done->time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last completion on a CPU in a time. @of: 1 + id of who submitted it; 0: anybody */
static const struct history_done *last_done(const struct history *h, uint16_t cpu, uint64_t from,
					    uint64_t to, uint32_t of)
{
	uint64_t i = count_until(h, to), least = i > SEARCH ? i - SEARCH : 0;
	const struct history_done *done;

	for (; i > least; i--) {
		done = tape_at(&h->done, i - 1);
		if (done->time < from)
			break;
		if (done->cpu == cpu && (!of || done->thread == of))
			return done;
	}
	return NULL;
}

/* The piece of an interrupt on a CPU at a time, NULL if none was recorded. */
static const struct history_piece *piece_at(const struct history *h, uint16_t cpu, uint64_t time)
{
	const struct history_cpu *c = h->cpus[cpu];
	const struct history_point *point = c ? history_point_at(c, time) : NULL;
	const struct history_piece *p;
	uint32_t i = point ? point->piece : c ? c->piece : 0, n;

	/* The point has the last piece before it. */
	for (n = 0; i && n < PIECES; i = p->before, n++) {
		p = history_piece(h, i);
		if (p->from <= time)
			return p->to >= time ? p : NULL;
	}
	return NULL;
}

/*
 * The last completion of the thread's own requests by a thread that then woke it. An interrupt that
 * hit the waker is no thread.
 */
static const struct history_done *done_by_waker(const struct history *h,
						const struct history_turn *turn, uint64_t from)
{
	const struct history_turn *waker = turn->waker_turn ? history_turn(h, turn->waker_turn) :
							      NULL;
	const struct history_done *done;
	uint64_t to;

	if (!waker || !waker->has_run || !(h->has[KERNEL_IRQ] || h->has[KERNEL_SOFTIRQ]))
		return NULL;
	to = history_turn_end(h, waker);
	done = last_done(h, waker->cpu, later(from, waker->from), to < turn->ready ? to : turn->ready,
			 turn->thread + 1);
	return done && !piece_at(h, waker->cpu, done->time) ? done : NULL;
}

const struct history_done *history_done_at(const struct history *h, const struct history_turn *turn)
{
	const struct history_turn *before = turn->before ? history_turn(h, turn->before) : NULL;
	uint16_t cpu = turn->irq_cpu != HISTORY_NO_CPU ? turn->irq_cpu : turn->ready_cpu;
	uint64_t slept = before ? history_turn_end(h, before) : h->first;
	uint64_t from = later(slept, turn->ready > LATEST ? turn->ready - LATEST : 0);
	const struct history_piece *p;

	if (!h->done.count || turn->begin != HISTORY_WOKEN)
		return NULL;
	if (turn->irq || turn->by_idle) {
		p = cpu == HISTORY_NO_CPU ? NULL : piece_at(h, cpu, turn->ready);
		if (p)
			return last_done(h, cpu, later(p->from, slept), turn->ready, 0);
		return last_done(h, cpu, from, turn->ready, turn->thread + 1);
	}
	return done_by_waker(h, turn, from);
}
