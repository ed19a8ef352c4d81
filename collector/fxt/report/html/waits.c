// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - the parts of waits, and who ended sleeps, where a page needs to be told, after the end
 * of the archive. Most waits have one part, for the CPU where the thread then ran; most wakers ran
 * then. html.c describes the columns with the others, page/account.js reads them.
 */
#include "account/wakers.h"
#include "data.h"
#include "terminal/memory.h"

/* In the column, and in page/account.js. */
enum wait_cause { WAIT_RUNNABLE, WAIT_THROTTLED, WAIT_UNKNOWN, WAIT_LIMITED };

struct wait {
	struct account_part part;
	uint32_t origin;
};

struct waits {
	struct report_html *h;
	struct account account;
	struct history_raised *raised;
	struct wait *parts;	/* of a wait, the last one first */
	size_t room;
	size_t count;
};

static void add_part(void *arg, const struct account_part *p, const struct why_by *by, size_t count)
{
	struct waits *w = arg;

	array_hold(w->parts, w->room, w->count + 1);
	w->parts[w->count++] = (struct wait){ *p, count ? by->id : 0 };
}

/* Was it woken while it waited, as far as is known? Then the page has one span for both waits. */
static bool goes_on(const struct waits *w, const struct history_turn *t)
{
	return t->before && !history_turn(w->h->history, t->before)->has_run;
}

static bool is_usual(const struct waits *w, const struct history_turn *t)
{
	const struct account_part *p = &w->parts[0].part;

	return t->has_run && !goes_on(w, t) &&
	       (t->begin == HISTORY_WOKEN || t->begin == HISTORY_PREEMPTED) &&
	       w->count == 1 && p->cause == WHY_RUNNABLE && p->cpu == t->cpu &&
	       p->from == t->ready && p->to == t->from;
}

static void put_part(struct waits *w, const struct wait *of)
{
	struct spool *s = &w->h->columns[HTML_WAITS];
	enum wait_cause what = of->part.cause == WHY_RUNNABLE ? WAIT_RUNNABLE :
			       of->part.cause == WHY_THROTTLED ? WAIT_THROTTLED :
			       of->part.cause == WHY_LIMITED ? WAIT_LIMITED : WAIT_UNKNOWN;

	spool_u64(s, of->part.to - of->part.from);
	spool_u64(s, of->part.cpu == HISTORY_NO_CPU ? 0 : of->part.cpu + 1);
	spool_u64(s, what);
	if (what == WAIT_THROTTLED)
		spool_u64(s, html_source_of(w->h, history_origin(w->h->history, of->origin)));
}

/* Does it go on with a wait that the column has, after a move? */
static bool was_put(const struct history *h, const struct history_turn *t)
{
	uint64_t ready = t->ready;

	while (t->begin == HISTORY_MOVED && t->ready == ready)
		t = history_turn(h, t->before);
	return t->ready < ready;
}

static void put_wait(struct waits *w, const struct history_turn *t)
{
	struct spool *s = &w->h->columns[HTML_WAITS];
	size_t i;

	html_thread_of(w->h, w->h->history->threads[t->thread]->sched);
	spool_u64(s, t->thread);
	spool_delta(s, t->ready);
	spool_u64(s, was_put(w->h->history, t));
	spool_u64(s, w->count);
	for (i = w->count; i; i--)
		put_part(w, &w->parts[i - 1]);
}

/*
 * Most wakers have a CPU until then; most interrupts were not raised by the thread that they hit. A
 * thread that served the timer of a sleep is no waker.
 */
static void add_waker(struct waits *w, const struct history_turn *t)
{
	struct account_waker waker = account_waker(&w->account, w->raised, t);
	bool is_thread = waker.by == ENDED_BY_THREAD;
	struct spool *s = &w->h->columns[HTML_WAKERS];

	if (t->irq || !t->waker ? !is_thread && !w->account.lacks_cpus :
	    is_thread && waker.left == t->ready)
		return;
	html_thread_of(w->h, w->h->history->threads[t->thread]->sched);
	spool_u64(s, t->thread);
	spool_delta(s, t->ready);
	spool_u64(s, is_thread ? 2 + t->ready - waker.left : waker.by == ENDED_BY_INTERRUPT);
}

static void add_turn(struct waits *w, uint32_t number)
{
	const struct history *history = w->h->history;
	const struct history_turn *t = history_turn(history, number);
	uint64_t to = t->has_run ? t->from : history_turn_end(history, t);

	/* It was runnable all the time, without an event. */
	if (t->begin == HISTORY_SEEN && !t->has_run)
		html_end_seen(w->h, history->threads[t->thread]->sched, to);
	if (t->begin == HISTORY_UNSEEN || !history_koid(history, t->thread) || to <= w->h->begin ||
	    (w->h->cut && t->ready >= w->h->cut))
		return;
	w->count = 0;
	if (to > t->ready) {
		account_rewind(&w->account, to);
		account_turn(&w->account, number, t->ready, to, add_part, w);
	}
	if (!(w->count ? is_usual(w, t) : t->has_run))
		put_wait(w, t);
	if (t->begin == HISTORY_WOKEN)
		add_waker(w, t);
}

void html_add_waits(struct report_html *h)
{
	const struct history *history = h->history;
	struct waits w = { .h = h };
	uint64_t i;

	account_open(&w.account, history, history->turns.count, false);
	w.account.is_bare = true;
	w.raised = history_raised_open(history);
	for (i = 1; i <= history->turns.count; i++) {
		add_turn(&w, i);
		if (tape_passed(i - 1, i))
			tape_leave(&history->turns, i - 1);
	}
	history_raised_close(w.raised);
	account_close(&w.account);
	free(w.parts);
}
