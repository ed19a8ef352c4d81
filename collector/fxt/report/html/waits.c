// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - the parts of waits, where a page needs to be told.
 *
 * In:  the account of the archive, after its end.
 * Out: a column with the waits that are not as most are: one part, for the CPU where the thread
 * then ran. html.c describes it, page/account.js reads it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "account/waits.h"
#include "data.h"
#include "terminal/memory.h"

/* In the column, and in page/account.js. */
enum wait_part { PART_RUNNABLE, PART_THROTTLED, PART_UNKNOWN, PART_LIMITED };

/**
 * struct html_waits - the parts of a wait
 * @parts: the last one first
 */
struct html_waits {
	struct report_html *h;
	struct account account;
	struct wait {
		struct account_part part;
		uint32_t origin;
	} *parts;
	size_t room;
	size_t count;
	uint64_t last;		/* ns, begin of the last wait in the column */
};

static void take_part(void *arg, const struct account_part *p, const struct why_by *by, size_t count)
{
	struct html_waits *w = arg;

	array_hold(w->parts, w->room, w->count + 1);
	w->parts[w->count++] = (struct wait){ *p, count ? by->id : 0 };
}

static bool is_usual(const struct html_waits *w, const struct history_turn *t)
{
	const struct account_part *p = &w->parts[0].part;

	return t->has_run && (t->begin == HISTORY_WOKEN || t->begin == HISTORY_PREEMPTED) &&
	       w->count == 1 && p->cause == WHY_RUNNABLE && p->cpu == t->cpu &&
	       p->from == t->ready && p->to == t->from;
}

static int put_part(struct html_waits *w, const struct wait *of)
{
	struct spool *s = &w->h->columns[HTML_WAITS];
	const struct sched_origin *origin;
	enum wait_part what = of->part.cause == WHY_RUNNABLE ? PART_RUNNABLE :
			      of->part.cause == WHY_THROTTLED ? PART_THROTTLED :
			      of->part.cause == WHY_LIMITED ? PART_LIMITED : PART_UNKNOWN;

	spool_u64(s, of->part.to - of->part.from);
	spool_u64(s, of->part.cpu == HISTORY_NO_CPU ? 0 : of->part.cpu + 1);
	spool_u64(s, what);
	if (what != PART_THROTTLED)
		return 0;
	origin = history_origin(w->h->history, of->origin);
	spool_u64(s, origin->id);
	return html_note_origin(w->h, origin);
}

static int put_wait(struct html_waits *w, const struct history_turn *t)
{
	struct spool *s = &w->h->columns[HTML_WAITS];
	size_t i;
	int ret = 0;

	if (!html_thread_of(w->h, w->h->history->threads[t->thread]->sched))
		return -ENOMEM;
	spool_u64(s, t->thread);
	spool_i64(s, t->ready - w->last);
	spool_u64(s, w->count);
	for (i = w->count; i && !ret; i--)
		ret = put_part(w, &w->parts[i - 1]);
	w->last = t->ready;
	w->h->waits++;
	return ret;
}

static int take_turn(struct html_waits *w, uint32_t number)
{
	const struct history_turn *t = history_turn(w->h->history, number);
	uint64_t to = t->has_run ? t->from : history_turn_end(w->h->history, t);
	int ret = 0;

	/* It was runnable all the time, without an event. */
	if (t->begin == HISTORY_SEEN && !t->has_run)
		ret = html_end_seen(w->h, w->h->history->threads[t->thread]->sched, to);
	if (ret)
		return ret;
	if (t->begin == HISTORY_UNSEEN || !history_koid(w->h->history, t->thread) || to <= w->h->begin ||
	    (w->h->cut && t->ready >= w->h->cut))
		return 0;
	w->count = 0;
	if (to > t->ready) {
		account_rewind(&w->account, to);
		account_turn(&w->account, number, t->ready, to, take_part, w);
	}
	if (ret || (w->count && is_usual(w, t)) || (!w->count && t->has_run))
		return ret;
	return put_wait(w, t);
}

int html_take_waits(struct report_html *h, const struct history *history)
{
	struct html_waits w = { .h = h, .last = h->zero };
	int ret = 0;
	uint64_t i;

	account_open(&w.account, history, history->turns.count, false);
	h->history = history;
	w.account.is_bare = true;
	for (i = 1; i <= history->turns.count && !ret; i++) {
		ret = take_turn(&w, i);
		if (tape_passed(i - 1, i))
			tape_leave(&history->turns, i - 1);
	}
	account_close(&w.account);
	free(w.parts);
	return ret;
}

void html_print_gaps(const struct report_html *h, struct out *o)
{
	const struct history *history = h->history;
	size_t i;

	out_str(o, ",\"gaps\":[");
	for (i = 0; i < history->gap_count; i++)
		out_printf(o, "%s%" PRId64 ",%" PRId64, i ? "," : "",
			   (int64_t)(history->gaps[i].from - h->zero),
			   (int64_t)(history->gaps[i].to - h->zero));
	out_char(o, ']');
}
