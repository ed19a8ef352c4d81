// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "moments.h"

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

static struct moment *add(struct moments *m, uint64_t time, uint64_t offset, enum moment_what what)
{
	m->all = reallocarray(m->all, m->count + 1, sizeof(*m->all));
	if (!m->all)
		abort();
	m->all[m->count] = (struct moment){ .time = time, .offset = offset, .what = what };
	return &m->all[m->count++];
}

static void add_events(struct moments *m, const struct trace *t, uint64_t tid)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		if (e->is_wakeup) {
			if (e->wakeup.thread == tid)
				add(m, e->time, e->offset, WAKEUP);
			continue;
		}
		if (e->sw.in == tid)
			add(m, e->time, e->offset, IN);
		if (e->sw.out == tid)
			add(m, e->time, e->offset, OUT)->sleeps =
				e->sw.state == FXT_THREAD_BLOCKED;
	}
}

/* A stack belongs to the switch just before it in the stream, or to a waker. */
static void add_stacks(struct moments *m, const struct trace *t, uint64_t tid)
{
	const struct trace_stack *stack;

	for (stack = t->stacks; stack < t->stacks + t->stack_count; stack++) {
		bool is_in = false;

		if (stack->thread != tid || stack->sample_ns)
			continue;
		for (size_t i = 0; i < m->count; i++)
			is_in |= m->all[i].what == IN && m->all[i].offset == stack->after &&
				 m->all[i].time == stack->time;
		add(m, stack->time, stack->offset, is_in ? IN_STACK : WAKER_STACK)->frames =
			stack->count;
	}
}

struct moments moments_of(const struct trace *t, uint64_t tid)
{
	struct moments m = { 0 };

	add_events(&m, t, tid);
	add_stacks(&m, t, tid);
	qsort(m.all, m.count, sizeof(*m.all), by_time);
	return m;
}
