// SPDX-License-Identifier: GPL-2.0-or-later
/* wakeups.c - see wakeups.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"
#include "wakeups.h"

/* Is it that thread's work to serve soft interrupts? */
static bool serves_softirqs(const char *name)
{
	static const char * const starts[] = {
		FXT_SCHED_KSOFTIRQD, FXT_SCHED_KTIMERS, FXT_SCHED_IRQ_THREAD,
	};
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* The waker by the rule of collector/README.md, "The archive". */
static uint32_t waker_of(struct trace_wakeups *w, const struct trace_event *e)
{
	const struct trace_thread *on = e->irq == FXT_SCHED_IRQ_SOFT && e->on ?
					trace_thread(w->threads, e->on) : NULL;
	bool is_own = on && serves_softirqs(on->has_name ? on->name : e->on_name.bytes);

	return fxt_sched_waker(e->on, is_own ? FXT_SCHED_IRQ_NONE : e->irq);
}

static int put(struct trace_wakeups *w, uint32_t cpu, const struct trace_held *h)
{
	__u64 *rec = (__u64 *)trace_archive_room(w->a, cpu);

	if (!rec)
		return -ENOMEM;
	return trace_archive_add(w->a, cpu, h->ns,
				 fxt_sched_put_wakeup(rec, h->ns, h->target, h->thread, h->weight,
						      h->waker), 1);
}

static int release(struct trace_wakeups *w, uint32_t cpu)
{
	struct trace_held held;

	if (!w->held || !w->held[cpu].is_held)
		return 0;
	held = w->held[cpu];
	w->held[cpu].is_held = false;
	return put(w, cpu, &held);
}

static int hold(struct trace_wakeups *w, uint32_t cpu, const struct trace_held *h)
{
	if (!w->held)
		w->held = calloc(TRACE_CPUS, sizeof(*w->held));
	if (!w->held)
		return -ENOMEM;
	w->held[cpu] = *h;
	w->held[cpu].is_held = true;
	return 0;
}

static int wake(struct trace_wakeups *w, const struct trace_event *e, struct trace_thread *thread,
		uint32_t waker)
{
	const struct trace_held h = {
		.ns = e->ns,
		.thread = e->thread,
		.target = e->value,
		.waker = waker,
		.weight = trace_thread_weight(thread, e->thread, e->prio),
	};

	thread->state = TRACE_STATE_AWAKE;
	thread->losses = w->losses;
	thread->is_waking = false;
	return e->what == TRACE_WAKING ? hold(w, e->cpu, &h) : put(w, e->cpu, &h);
}

static bool is_awake(const struct trace_wakeups *w, const struct trace_thread *thread)
{
	return thread->state == TRACE_STATE_AWAKE && thread->losses == w->losses;
}

int trace_wakeup(struct trace_wakeups *w, const struct trace_event *e)
{
	struct trace_thread *thread = trace_thread(w->threads, e->thread);
	int ret = trace_thread_named(w->threads, e->thread, e->name.bytes, 0, e->ns);
	bool has_waker;

	if (!thread || ret)
		return ret ? ret : -ENOMEM;
	if (e->what == TRACE_WAKING && w->has_events) {
		thread->waker = waker_of(w, e);
		thread->is_waking = true;
		return is_awake(w, thread) ? 0 : trace_stack_waker(w->a, w->threads, e);
	}
	if (is_awake(w, thread)) {
		thread->is_waking = e->what == TRACE_WAKING;
		thread->waker = waker_of(w, e);
		return 0;
	}
	has_waker = thread->is_waking && e->what != TRACE_WAKING;
	if (!has_waker)
		ret = trace_stack_waker(w->a, w->threads, e);
	return ret ? ret : wake(w, e, thread, has_waker ? thread->waker : waker_of(w, e));
}

int trace_wakeup_early(struct trace_wakeups *w, const struct trace_event *e,
		       struct trace_thread *in)
{
	struct trace_event woken = {
		.what = TRACE_WAKEUP, .cpu = e->cpu, .thread = e->other, .value = e->cpu,
		.prio = e->other_prio,
	};
	uint64_t last = w->a->streams[e->cpu].chunk_last;

	if (e->hides_other || !in->is_waking || in->state != TRACE_STATE_ASLEEP)
		return 0;
	woken.ns = last > in->left ? last : in->left;
	return woken.ns <= e->ns ? wake(w, &woken, in, in->waker) : 0;
}

static bool moves(const struct trace_held *h, const struct trace_event *e)
{
	return e->what == TRACE_MIGRATE && e->thread == h->thread && e->from == h->target;
}

int trace_wakeups_before(struct trace_wakeups *w, const struct trace_event *e)
{
	struct trace_held *h = w->held ? &w->held[e->cpu] : NULL;

	if (!h || !h->is_held || e->what == TRACE_NOTHING || moves(h, e))
		return 0;
	return release(w, e->cpu);
}

uint64_t trace_wakeup_move(struct trace_wakeups *w, const struct trace_event *e)
{
	struct trace_held *h = w->held ? &w->held[e->cpu] : NULL;

	if (!h || !h->is_held || !moves(h, e))
		return e->ns;
	h->target = e->value;
	return h->ns;
}

int trace_wakeups_lost(struct trace_wakeups *w, uint32_t cpu)
{
	w->losses++;
	return release(w, cpu);
}

int trace_wakeups_end(struct trace_wakeups *w)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; w->held && i < TRACE_CPUS && !ret; i++)
		ret = release(w, i);
	return ret;
}

void trace_wakeups_close(struct trace_wakeups *w)
{
	free(w->held);
}
