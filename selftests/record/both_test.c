// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module and the BPF program record the same seconds: both write the same records, with other
 * times. Their stacks of the kernel are the same from the outermost function on.
 */
#include "off_cpu.h"
#include "trace_align.h"
#include "source_fixture.h"

FIXTURE(both)
{
	const char *missing;
	const char *which;
	char dirs[2][RECORD_PATH];
	struct collector c[2];
	struct trace t[2];
	struct why why;
};

static const char * const sources[2] = { "kmod", "bpf" };

FIXTURE_SETUP(both)
{
	for (int i = 0; i < 2; i++) {
		self->c[i].gate = -1;
		if (!self->missing)
			self->missing = source_missing(self->which = sources[i]);
		ASSERT_EQ(0, dir_make(self->dirs[i], sizeof(self->dirs[i])));
	}
	ASSERT_FALSE(self->missing && source_required("kmod") && source_required("bpf"))
		TH_LOG("%s: %s", self->which, self->missing);
}

FIXTURE_TEARDOWN(both)
{
	for (int i = 0; i < 2; i++) {
		if (self->c[i].pid > 0)
			kill(self->c[i].pid, SIGKILL);
		collector_wait(&self->c[i]);
		dir_remove(self->dirs[i]);
	}
}

/* Between the two probes, the parent may reap a thread that has exited. */
static bool same_state(const struct fxt_switch *a, const struct fxt_switch *b)
{
	if (a->state == FXT_THREAD_BLOCKED && b->state == FXT_THREAD_BLOCKED)
		return a->letter == b->letter || state_may_change();
	return (a->state == b->state && a->letter == b->letter) ||
	       (a->state >= FXT_THREAD_DYING && b->state >= FXT_THREAD_DYING);
}

static bool same_switch(const struct fxt_switch *a, const struct fxt_switch *b)
{
	return a->out == b->out && a->in == b->in && same_state(a, b) &&
	       a->out_weight == b->out_weight && a->in_weight == b->in_weight &&
	       a->cpu == b->cpu;
}

static bool same_wakeup(const struct fxt_wakeup *a, const struct fxt_wakeup *b)
{
	return a->thread == b->thread && a->waker == b->waker &&
	       a->weight == b->weight && a->cpu == b->cpu &&
	       a->has_waker == b->has_waker && a->has_irq == b->has_irq &&
	       a->irq == b->irq && a->interrupted == b->interrupted;
}

static void describe(const struct trace_event *e, char *text, size_t room)
{
	if (e->is_wakeup)
		snprintf(text, room, "wakeup of %ju by %ju, irq %u of %ju, on %u, weight %d",
			 (uintmax_t)e->wakeup.thread, (uintmax_t)e->wakeup.waker,
			 e->wakeup.irq, (uintmax_t)e->wakeup.interrupted,
			 e->wakeup.cpu, e->wakeup.weight);
	else
		snprintf(text, room, "switch %ju (%d, state %u%.1s) to %ju (%d)",
			 (uintmax_t)e->sw.out, e->sw.out_weight, e->sw.state,
			 &e->sw.letter, (uintmax_t)e->sw.in, e->sw.in_weight);
}

/* Both probes of a tracepoint run before those of the next one, so the order is the same. */
static int check_same(const struct window *a, const struct window *b, struct why *why)
{
	const struct trace_event *x = a->from, *y = b->from;
	char texts[2][128];

	for (; x < a->to && y < b->to; x++, y++) {
		if (x->is_wakeup == y->is_wakeup &&
		    (x->is_wakeup ? same_wakeup(&x->wakeup, &y->wakeup) :
				    same_switch(&x->sw, &y->sw)))
			continue;
		describe(x, texts[0], sizeof(texts[0]));
		describe(y, texts[1], sizeof(texts[1]));
		return complain(why, "CPU %u, event %td: the module says %s at %ju, BPF says %s at %ju",
				x->stream, x - a->from, texts[0], (uintmax_t)x->time,
				texts[1], (uintmax_t)y->time);
	}
	if (x == a->to && y == b->to)
		return 0;
	return complain(why, "CPU %u: %td events of the module, %td of BPF",
			a->from->stream, a->to - a->from, b->to - b->from);
}

static int make_load(const char *dir)
{
	unsigned int naps = scaled(400), preemptions = 3;
	struct worker nap = { .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct worker spin[2] = { 0 };
	struct pair pairs[2] = { 0 };
	struct child child;
	int i, cpus[MAX_CPUS], ret = 0;

	allowed_cpus(cpus);
	ret = worker_start(&nap);
	for (i = 0; i < 2; i++) {
		pairs[i].rounds = scaled(2000);
		pairs[i].ends[0].cpu = i ? ANY_CPU : cpus[0];
		pairs[i].ends[1].cpu = i ? ANY_CPU : cpus[0];
		pairs[i].ends[1].nice = 5;
		spin[i] = (struct worker){ .cpu = cpus[0], .arg = &preemptions,
					   .run = worker_spin_until_preempted };
		ret |= worker_start(&spin[i]);
	}
	ret |= pairs_run(pairs, 2);
	for (i = 0; i < 4; i++)
		ret |= child_start(&child, dir, CHILD_PREFIX) | child_end(&child);
	for (i = 0; i < 2; i++)
		ret |= worker_join(&spin[i]);
	return ret | worker_join(&nap);
}

static void test_both(struct __test_metadata *_metadata, FIXTURE_DATA(both) *self, const char *what)
{
	const char * const args[] = { "-b", "16M", "--weight", what, NULL };
	struct markers m = { 0 };
	struct window w[2];
	size_t events = 0;

	for (unsigned int i = 0; i < 2; i++)
		ASSERT_FINE(record_begin(&self->c[i], self->dirs[i], sources[i], args, &self->why));
	ASSERT_EQ(0, markers_run(&m, false));
	ASSERT_EQ(0, make_load(self->dirs[0]));
	ASSERT_EQ(0, markers_run(&m, true));
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_FINE(record_load(&self->c[i], &self->t[i], &self->why));
		ASSERT_FINE(trace_check_all(&self->t[i], &self->why));
	}
	for (unsigned int i = 0; i < m.count; i++) {
		ASSERT_FINE(window_find(&self->t[0], &m, i, &w[0], &self->why));
		ASSERT_FINE(window_find(&self->t[1], &m, i, &w[1], &self->why));
		EXPECT_FINE(check_same(&w[0], &w[1], &self->why));
		events += w[0].to - w[0].from;
	}
	EXPECT_LT(scaled(2000), events);
}

#define NEEDS_BOTH() do {							\
	if (self->missing)							\
		SKIP(return, "%s: %s", self->which, self->missing);		\
} while (0)

TEST_F(both, same_records)
{
	NEEDS_BOTH();
	test_both(_metadata, self, "weight");
}

TEST_F(both, same_records_as_prio)
{
	NEEDS_BOTH();
	test_both(_metadata, self, "prio");
}

TEST_F(both, same_records_without_weights)
{
	NEEDS_BOTH();
	test_both(_metadata, self, "none");
}

#define NAPS		30
/*
 * This is so far above --stacks-min that both sources keep the stacks, even if the host stops an
 * emulated CPU between the moments at which the two sources read the clock.
 */
#define NAP_NS		30000000

static void nap_long(struct worker *w)
{
	for (unsigned int i = 0; i < NAPS; i++)
		sleep_off_cpu(NAP_NS);
	w->failed = false;
}

static int by_time(const void *a, const void *b)
{
	const struct trace_stack *const *x = a, *const *y = b;

	if ((*x)->time != (*y)->time)
		return (*x)->time < (*y)->time ? -1 : 1;
	return (*x)->offset < (*y)->offset ? -1 : 1;
}

static size_t stacks_of(const struct trace *t, pid_t tid, const struct trace_stack **all,
			size_t most)
{
	size_t i, count = 0;

	for (i = 0; i < t->stack_count && count < most; i++)
		if (t->stacks[i].thread == (uint64_t)tid)
			all[count++] = &t->stacks[i];
	qsort(all, count, sizeof(*all), by_time);
	return count;
}

/*
 * The innermost frames differ: in BPF, a waker's stack begins in the program; before 6.12, the
 * module's stack of a sleeper can begin in a function of the scheduler.
 */
static size_t same_frames(const struct trace_stack *a, const struct trace_stack *b)
{
	size_t same = 0;

	while (same < a->count && same < b->count &&
	       a->frames[a->count - 1 - same] == b->frames[b->count - 1 - same])
		same++;
	return same;
}

TEST_F(both, same_stacks)
{
	const char * const args[] = { "--stacks=offcpu,wake,kernel:64", "--stacks-min=1ms", NULL };
	struct worker w = { .name = "napper", .run = nap_long, .cpu = ANY_CPU };
	const struct trace_stack *stacks[2][3 * NAPS];
	size_t counts[2], i, least;

	NEEDS_BOTH();
	if (stacks_missing("kmod"))
		SKIP(return, "kmod: %s", stacks_missing("kmod"));
	for (i = 0; i < 2; i++)
		ASSERT_FINE(record_begin(&self->c[i], self->dirs[i], sources[i], args, &self->why));
	ASSERT_EQ(0, worker_start(&w));
	ASSERT_EQ(0, worker_join(&w));
	for (i = 0; i < 2; i++) {
		ASSERT_FINE(record_load(&self->c[i], &self->t[i], &self->why));
		counts[i] = stacks_of(&self->t[i], w.tid, stacks[i], 3 * NAPS);
	}
	ASSERT_EQ(counts[1], counts[0]);
	EXPECT_LE(2U * NAPS, counts[0]);
	for (i = 0; i < counts[0]; i++) {
		least = stacks[0][i]->count < stacks[1][i]->count ? stacks[0][i]->count :
								    stacks[1][i]->count;
		EXPECT_LE(3U, least);
		EXPECT_EQ(least, same_frames(stacks[0][i], stacks[1][i]))
			TH_LOG("stack %zu: %u frames of the module, %u of BPF", i,
			       stacks[0][i]->count, stacks[1][i]->count);
		EXPECT_GE(least + 1, stacks[0][i]->count);
	}
}
