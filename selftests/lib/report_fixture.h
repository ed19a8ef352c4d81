/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the report's engine over a story. */
#ifndef SELFTESTS_REPORT_FIXTURE_H
#define SELFTESTS_REPORT_FIXTURE_H

#include "harness.h"
#include "fxt/report/stats/report.h"
#include "report_story.h"

FIXTURE(report)
{
	struct story s;
	struct report_options o;
	struct report_engine *e;
	const struct report *r;
};

FIXTURE_SETUP(report)
{
	story_begin(&self->s);
	self->o.worst = 10;
}

FIXTURE_TEARDOWN(report) { }

static inline int report(FIXTURE_DATA(report) *self)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret, next = 0;

	report_close(self->e);
	self->e = report_open(&self->o);
	ret = fxt_reader_open_memory(&r, self->s.b.words, built_bytes(&self->s.b),
				     &(struct fxt_reader_options){ .strict = true });
	while (!ret && (next = report_next(self->e, r, &rec)) == 1)
		ret = report_record(self->e, r, &rec);
	ret = ret ? ret : next;
	fxt_reader_close(r);
	if (!ret)
		ret = report_finish(self->e);
	self->r = report_of(self->e);
	return ret;
}

/* A thread of the report; an empty one if the report lacks it. */
static inline const struct report_thread *thread(FIXTURE_DATA(report) *self, uint64_t koid)
{
	static const struct report_thread none;

	for (size_t i = 0; i < self->r->thread_count; i++)
		if (self->r->threads[i]->sched->koid == koid)
			return self->r->threads[i];
	return &none;
}

static inline const struct report_hist *hist(const struct report_thread *t,
					     enum report_wait_kind kind)
{
	static const struct report_hist none;

	return t->waits[kind] ? &t->waits[kind]->hist : &none;
}

/* An origin of kernel work by name, such as an interrupt; an empty one if the report lacks it. */
static inline const struct report_origin *origin(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_origin none;
	const struct report_kernel *k = &self->r->kernel;

	for (size_t i = 0; i < k->origin_count; i++)
		if (!strcmp(k->origins[i]->of->name, name))
			return k->origins[i];
	return &none;
}

static inline uint64_t koid_of(const struct report_thread *t)
{
	return t ? t->sched->koid : UINT64_MAX;
}

#define EXPECT_COUNTS(n_, run_, switches_, preempted_, migrations_, wakeups_, unknown_) \
	do {									\
		const struct report_counts *counts = (n_);				\
										\
		EXPECT_EQ((uint64_t)(run_), counts->run);				\
		EXPECT_EQ((uint64_t)(switches_), counts->switches);			\
		EXPECT_EQ((uint64_t)(preempted_), counts->preempted);		\
		EXPECT_EQ((uint64_t)(migrations_), counts->migrations);		\
		EXPECT_EQ((uint64_t)(wakeups_), counts->wakeups);			\
		EXPECT_EQ((uint64_t)(unknown_), counts->unknown);			\
	} while (0)

#define EXPECT_HIST(h_, count_, sum_, max_)					\
	do {									\
		const struct report_hist *seen = (h_);				\
										\
		EXPECT_EQ((uint64_t)(count_), seen->count);			\
		EXPECT_EQ((uint64_t)(sum_), seen->sum);				\
		EXPECT_EQ((uint64_t)(max_), seen->max);				\
	} while (0)

/* Go on with the story, and report it. */
#define REPORT_STORY(...) do {							\
	STORY(&self->s, __VA_ARGS__);						\
	EXPECT_EQ(0, report(self));						\
} while (0)

/* Expect one of the longest waits: @waker_ and @instead_ are UINT64_MAX if unknown. */
#define EXPECT_WAIT(i_, tid_, kind_, latency_, time_, cpu_, waker_, instead_, ns_)	\
	do {									\
		const struct report_wait *w = &self->r->worst[i_];		\
										\
		ASSERT_LT((size_t)(i_), self->r->worst_count);			\
		EXPECT_EQ((uint64_t)(tid_), koid_of(w->thread));		\
		EXPECT_EQ(kind_, w->kind);					\
		EXPECT_EQ((uint64_t)(latency_), w->latency);			\
		EXPECT_EQ((uint64_t)(time_), w->time);				\
		EXPECT_EQ(cpu_, w->cpu);					\
		EXPECT_EQ((uint64_t)(waker_), koid_of(w->waker));		\
		EXPECT_EQ((uint64_t)(instead_), koid_of(w->occupants[0].thread));		\
		EXPECT_EQ((uint64_t)(ns_), w->occupants[0].ns);			\
		EXPECT_EQ(0U, w->others);					\
	} while (0)

/* Expect the thread that had the CPU @nth_ longest during that wait. */
#define EXPECT_OCCUPANT(i_, nth_, tid_, ns_)					\
	do {									\
		const struct report_wait *w = &self->r->worst[i_];		\
										\
		ASSERT_LT(nth_, w->occupant_count);				\
		EXPECT_EQ((uint64_t)(tid_), koid_of(w->occupants[nth_].thread));	\
		EXPECT_EQ((uint64_t)(ns_), w->occupants[nth_].ns);		\
	} while (0)

/* Expect a waker of a thread or a process; @over_: how many of its wakeups may be another's. */
#define EXPECT_WAKER(of_, nth_, tid_, count_, over_)				\
	do {									\
		ASSERT_LT(nth_, (of_)->waker_count);				\
		EXPECT_EQ((uint64_t)(tid_), koid_of((of_)->wakers[nth_].thread));	\
		EXPECT_EQ((uint64_t)(count_), (of_)->wakers[nth_].count);	\
		EXPECT_EQ((uint64_t)(over_), (of_)->wakers[nth_].over);		\
	} while (0)

/* Expect the interrupt that woke the thread. */
#define EXPECT_IRQ(i_, irq_, cpu_)						\
	do {									\
		EXPECT_EQ(FXT_SCHED_IRQ_##irq_, self->r->worst[i_].irq);		\
		EXPECT_EQ(cpu_, self->r->worst[i_].irq_cpu);			\
	} while (0)

#endif /* SELFTESTS_REPORT_FIXTURE_H */
