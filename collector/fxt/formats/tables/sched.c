// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - the runs on each CPU, and the states of each thread.
 *
 * In: spans from the model, in the order of their end.
 * Out: a row of sched for each run, and a row of thread_state for each state of each thread
 * except the idle ones.
 * Must hold: the rows of a thread follow one another without gap or overlap.
 *
 * A wakeup refers to the row in which its waker ran then. The model names the waker when the
 * woken thread's wait is over, and by then the waker may have gone through many states. So a
 * thread whose span has ended is checked again before the next span is handled: if it has
 * just been woken, its waker is still in the row that woke it.
 */
#include "table.h"

static struct table_cell cell_cpu(uint16_t cpu)
{
	return cpu == 0xffff ? cell_null() : cell_int(cpu);
}

static struct table_cell cell_state(char state)
{
	return cell_str(sched_state_name(state));
}

/* Of a woken thread: did an interrupt wake it, and not a thread? */
static struct table_cell cell_irq_context(const struct sched_span *span)
{
	return span->irq || span->waker ? cell_int(!!span->irq) : cell_null();
}

/*
 * The row in which a thread runs that has just woken another; or its last run, if it left its
 * CPU between begin and end of the wakeup.
 */
static int64_t waker_row(struct tables *t, struct sched_thread *s)
{
	struct table_thread *waker = table_thread_sched(t, s);

	if (!waker || waker == t->idle)
		return 0;
	if (s->state != SCHED_RUNNING || !s->is_open)
		return waker->running_id;
	if (!waker->state_id)
		waker->state_id = table_id(t, TABLE_THREAD_STATE);
	return waker->state_id;
}

/* Check whether the thread whose span ended last has been woken. */
static void look_again(struct tables *t)
{
	struct sched_thread *s = t->changed;
	struct table_thread *thread;

	t->changed = NULL;
	if (!s || !s->is_open || s->state != 'R' || s->since != t->changed_at ||
	    !s->waker)
		return;
	thread = table_thread_sched(t, s);
	if (thread)
		thread->waker_id = waker_row(t, s->waker);
}

/*
 * The same for a thread whose first event is that wakeup, so that no earlier span of it
 * exists. Its waker may still run, or have stopped since, but has not run again.
 */
static int64_t first_waker_row(struct tables *t, struct sched_thread *s, uint64_t ns)
{
	struct table_thread *waker = table_thread_sched(t, s);

	if (!waker || waker == t->idle)
		return 0;
	if (s->is_open && s->state == SCHED_RUNNING && s->since <= ns)
		return waker_row(t, s);
	return waker->running_from <= ns && ns <= waker->running_to ?
	       waker->running_id : 0;
}

/* --- rows ----------------------------------------------------------------------- */

static void rows(struct tables *t, const struct table_span *h)
{
	const struct sched_span *span = &h->span;
	struct table_thread *thread = table_thread_sched(t, span->thread), *waker;
	struct table_cell from = cell_int(table_time(t, span->from));
	struct table_cell dur = cell_int(span->is_open ? -1 : table_time(t, span->to) -
						     table_time(t, span->from));
	struct table_cell cpu = cell_cpu(span->cpu), utid = cell_int(thread->utid);

	if (h->sched_id)
		TABLE_ROW(t, TABLE_SCHED, cell_int(h->sched_id), from, dur, cpu, utid,
			  span->end_state == SCHED_UNKNOWN ? cell_null() :
			  cell_state(span->end_state),
			  span->has_weight ? cell_int(span->weight) : cell_null(), cpu);
	if (!h->state_id)
		return;
	waker = span->waker ? table_thread_sched(t, span->waker) : NULL;
	TABLE_ROW(t, TABLE_THREAD_STATE, cell_int(h->state_id), from, dur, cpu, utid,
		  cell_state(span->state), cell_null(), cell_null(),
		  waker ? cell_int(waker->utid) : cell_null(), cell_id(h->waker_id),
		  cell_irq_context(span), cpu);
}

/* Take the ids of the current row, and begin the thread's next row. */
static void take_state(struct tables *t, struct table_span *h, struct table_thread *thread)
{
	const struct sched_span *span = &h->span;

	h->waker_id = thread->waker_id;
	if (!thread->state_id) {
		thread->state_id = table_id(t, TABLE_THREAD_STATE);
		if (span->waker)
			h->waker_id = first_waker_row(t, span->waker, span->from);
	}
	h->state_id = thread->state_id;
	if (span->waker && span->waker->koid && !h->waker_id)
		t->stats[STAT_WAKER_UNKNOWN]++;
	if (span->state == SCHED_RUNNING) {
		thread->running_id = thread->state_id;
		thread->running_from = span->from;
		thread->running_to = span->to;
	}
	thread->state_id = table_id(t, TABLE_THREAD_STATE);
	thread->waker_id = 0;
}

static int take_span(void *arg, const struct sched_span *span)
{
	struct table_span h = { .span = *span };
	struct table_thread *thread;
	struct tables *t = arg;

	look_again(t);
	thread = table_thread_sched(t, span->thread);
	if (!thread)
		return t->error;
	if (span->state == SCHED_RUNNING)
		h.sched_id = table_id(t, TABLE_SCHED);
	if (thread != t->idle)
		take_state(t, &h, thread);
	rows(t, &h);
	t->changed = span->thread;
	t->changed_at = span->to;
	return t->error;
}

static void take_finding(void *arg, const struct sched_finding *finding)
{
	struct tables *t = arg;

	if (finding->kind < SCHED_FINDING_COUNT)
		t->findings[finding->kind][finding->violation] += finding->count;
}

const struct sched_ops table_sched_ops = {
	.span = take_span,
	.finding = take_finding,
};
