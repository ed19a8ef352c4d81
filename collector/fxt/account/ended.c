// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ended.c - what ended a sleep: a request of a block device, a timer, data of a socket, a work item;
 * see history.h.
 *
 * In:  requests, timers, data and work items by time, and the wakeup that ended the sleep.
 * Out: its cause: what happened just before the wakeup in the same interrupt on the same CPU; and
 *	the requests that a request was behind.
 */
#include <string.h>

#include "libfxt/array.h"
#include "history.h"
#include "occupants.h"

#define PIECES	1024	/* pieces between a wakeup and the next point, unless they overlap oddly */
#define LATEST	50000	/* ns from a completion to a wakeup that only the submitter connects */
#define SEARCH	64	/* causes on other CPUs, or of others, between that and the wakeup */
#define WORKS	1024	/* work items that end between a wakeup and the end of the waker's */

/* Elements of a tape until a time, by which they are sorted; it is their first member (ns). */
static uint64_t count_until(const struct tape *tape, uint64_t time)
{
	return array_front(tape->count, i, *(const uint64_t *)tape_at(tape, i) <= time);
}

/* The last element @e of a tape in a time that is @wanted; NULL if none of a few is. */
#define last_in(tape, from, to, e, wanted) ({						\
	uint64_t i = count_until(tape, to), least = i > SEARCH ? i - SEARCH : 0;	\
											\
	for ((e) = NULL; i > least; i--) {						\
		(e) = tape_at(tape, i - 1);						\
		if ((e)->time < (from) || (wanted))					\
			break;								\
	}										\
	i > least && (e)->time >= (from) ? (e) : NULL;					\
})

/* The last completion on a CPU in a time. @of: 1 + id of the submitter; 0: any */
static const struct history_done *last_done(const struct history *h, uint16_t cpu, uint64_t from,
					    uint64_t to, uint32_t of)
{
	const struct history_done *done;

	return last_in(&h->done, from, to, done, done->cpu == cpu && (!of || done->thread == of));
}

/*
 * The last timer that expired in a time on a CPU; or on any CPU, of a thread. @of: 1 + id; 0: any
 */
static const struct history_expiry *last_expiry(const struct history *h, uint16_t cpu,
						uint64_t from, uint64_t to, uint32_t of)
{
	const struct history_expiry *e;

	return last_in(&h->expiries, from, to, e, of ? e->thread == of : e->cpu == cpu);
}

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
 * The interrupt in which a thread was woken: the one that woke it, or the soft interrupt that the
 * waker served as a thread. Sets @cpu.
 */
static const struct history_piece *piece_of(const struct history *h,
					    const struct history_turn *turn, uint16_t *cpu)
{
	const struct history_turn *waker = turn->waker_turn ? history_turn(h, turn->waker_turn) :
							      NULL;
	const struct history_piece *p;

	if (turn->irq || turn->by_idle) {
		*cpu = turn->irq_cpu != HISTORY_NO_CPU ? turn->irq_cpu : turn->ready_cpu;
		return *cpu == HISTORY_NO_CPU ? NULL : piece_at(h, *cpu, turn->ready);
	}
	*cpu = waker && waker->has_run ? waker->cpu : HISTORY_NO_CPU;
	if (*cpu == HISTORY_NO_CPU || history_turn_end(h, waker) < turn->ready)
		return NULL;
	p = piece_at(h, *cpu, turn->ready);
	return p && history_origin(h, p->origin)->what == KERNEL_SOFTIRQ ? p : NULL;
}

/*
 * The last completion of the thread's own requests by a thread that then woke it; not by an
 * interrupt that hit the waker.
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

/* The request whose completion ended a sleep since @slept (ns). */
static const struct history_done *done_before(const struct history *h,
					      const struct history_turn *turn, uint64_t slept)
{
	uint64_t from = later(slept, turn->ready > LATEST ? turn->ready - LATEST : 0);
	const struct history_piece *p;
	uint16_t cpu;

	if (!h->done.count)
		return NULL;
	if (!turn->irq && !turn->by_idle)
		return done_by_waker(h, turn, from);
	p = piece_of(h, turn, &cpu);
	if (p)
		return last_done(h, cpu, later(p->from, slept), turn->ready, 0);
	return last_done(h, cpu, from, turn->ready, turn->thread + 1);
}

/*
 * The timer that ended a sleep since @slept (ns). A thread's own timer names the thread, whatever
 * served it, and however long the wakeup took on another CPU; but it does not wake a stopped
 * thread. The timer of a sleep that is over wakes nobody.
 */
static const struct history_expiry *expiry_before(const struct history *h,
						  const struct history_turn *turn, uint64_t slept)
{
	const struct history_turn *before = turn->before ? history_turn(h, turn->before) : NULL;
	const struct history_expiry *e = NULL;
	const struct history_piece *p;
	uint16_t cpu;

	if (!h->expiries.count)
		return NULL;
	if (!before || strchr("SDI", before->state))
		e = last_expiry(h, HISTORY_NO_CPU, slept, turn->ready, turn->thread + 1);
	p = e ? NULL : piece_of(h, turn, &cpu);
	if (!p)
		return e;
	e = last_expiry(h, cpu, later(p->from, slept), turn->ready, 0);
	return e && strcmp(history_origin(h, e->origin)->name, FXT_LINUX_SLEEPER) ? e : NULL;
}

/* The last soft interrupt on a CPU that began before a time, or a part of it; NULL: unknown. */
static const struct history_piece *soft_before(const struct history *h, uint16_t cpu, uint64_t time)
{
	const struct history_point *point = history_point_at(h->cpus[cpu], time);
	uint32_t i = point ? point->piece : h->cpus[cpu]->piece, n;
	const struct history_piece *p;

	for (n = 0; i && n < PIECES; i = p->before, n++) {
		p = history_piece(h, i);
		if (p->from <= time && history_origin(h, p->origin)->what == KERNEL_SOFTIRQ)
			return p;
	}
	return NULL;
}

static bool had_cpu(const struct history *h, const struct history_turn *t, uint16_t cpu, uint64_t time)
{
	return t->has_run && t->cpu == cpu && t->from <= time && history_turn_end(h, t) >= time;
}

/* Did a thread wake up in the soft interrupt in which data arrived, as far as recorded? */
static bool is_woken_with(const struct history *h, const struct history_turn *turn,
			  const struct history_data *d)
{
	const struct history_piece *p = soft_before(h, d->cpu, turn->ready);

	if (!p || d->time < p->from || d->time > p->to)
		return false;
	/* Another CPU may record the wakeup after the interrupt. */
	if (turn->ready_cpu == d->cpu || p->to >= turn->ready)
		return p->to >= turn->ready;
	return turn->waker_turn ? had_cpu(h, history_turn(h, turn->waker_turn), d->cpu, d->time) :
				  turn->ready - d->time <= LATEST;
}

/* The data that ended a sleep since @slept (ns). */
static const struct history_data *data_before(const struct history *h, const struct history_turn *turn,
					      uint64_t slept)
{
	uint64_t i = h->data.count ? count_until(&h->data, turn->ready) : 0;
	uint64_t least = i > SEARCH ? i - SEARCH : 0;
	const struct history_data *d;

	for (; i > least; i--) {
		d = tape_at(&h->data, i - 1);
		if (d->time < slept)
			break;
		if (d->turn && history_turn(h, d->turn) == turn)
			return is_woken_with(h, turn, d) ? d : NULL;
	}
	return NULL;
}

static const struct history_work *work_at(const struct history *h, uint32_t thread, uint64_t time)
{
	uint64_t i = time ? count_until(&h->works, time - 1) : 0, n;
	const struct history_work *work;

	for (n = 0; i < h->works.count && n < WORKS; i++, n++) {
		work = tape_at(&h->works, i);
		if (work->thread == thread)
			return work->from <= time ? work : NULL;
	}
	return NULL;
}

/* Of the events before the wakeup, the last is the cause. */
static void keep_last(struct history_ended *e)
{
	uint64_t timer = e->timer ? e->timer->time : 0, request = e->request ? e->request->time : 0;
	uint64_t data = e->data ? e->data->time : 0;

	if (timer < request || timer < data)
		e->timer = NULL;
	if (e->timer || request < data)
		e->request = NULL;
	if (e->timer || e->request)
		e->data = NULL;
}

struct history_ended history_ended_by(const struct history *h, const struct history_turn *turn)
{
	const struct history_turn *before = turn->before ? history_turn(h, turn->before) : NULL;
	uint64_t slept = before ? history_turn_end(h, before) : h->first;
	struct history_ended ended = { 0 };

	if (turn->begin != HISTORY_WOKEN)
		return ended;
	ended.timer = expiry_before(h, turn, slept);
	ended.request = done_before(h, turn, slept);
	ended.data = data_before(h, turn, slept);
	keep_last(&ended);
	ended.is_own = ended.timer &&
		       (ended.timer->thread ||
			!strcmp(history_origin(h, ended.timer->origin)->name, FXT_LINUX_TIMEOUT));
	return ended;
}

const struct history_work *history_waker_work(const struct history *h,
					      const struct history_turn *turn)
{
	return turn->begin == HISTORY_WOKEN && turn->waker && !turn->irq &&
	       !history_ended_by(h, turn).timer ? work_at(h, turn->waker - 1, turn->ready) :
						  NULL;
}

/* --- what a request was behind --------------------------------------------------------------- */

/* The next request ahead of another one, from completion @at on, before @end; or NULL. */
static const struct history_done *next_ahead(const struct history *h, const struct history_done *of,
					     uint64_t *at, uint64_t end)
{
	const struct history_done *done;

	while (*at < end) {
		done = tape_at(&h->done, (*at)++);
		if (done != of && done->device == of->device && done->issued <= of->issued)
			return done;
	}
	return NULL;
}

/* A submitter of more than half of those ahead remains after all votes. */
static uint32_t most_of(const struct history *h, const struct history_done *of, uint64_t at,
			uint64_t end)
{
	const struct history_done *done;
	uint32_t thread = 0, votes = 0;

	while ((done = next_ahead(h, of, &at, end))) {
		if (!votes)
			thread = done->thread;
		votes += done->thread == thread ? 1 : -1;
	}
	return thread;
}

struct history_ahead history_ahead_of(const struct history *h, const struct history_done *of)
{
	uint64_t at = count_until(&h->done, of->queued ? of->queued : of->issued);
	uint64_t end = count_until(&h->done, of->time);
	struct history_ahead ahead = { .is_part = end > at + HISTORY_AHEAD };
	const struct history_done *done;

	at = ahead.is_part ? end - HISTORY_AHEAD : at;
	ahead.looked = end - at;
	ahead.thread = most_of(h, of, at, end);
	while ((done = next_ahead(h, of, &at, end))) {
		ahead.count++;
		ahead.most += done->thread == ahead.thread;
	}
	if (ahead.most <= ahead.count / 2)
		ahead.thread = 0;
	if (!ahead.thread)
		ahead.most = 0;
	return ahead;
}
