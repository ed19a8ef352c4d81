/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the model over a story; macros expect anomalies and spans. */
#ifndef SELFTESTS_SCHED_FIXTURE_H
#define SELFTESTS_SCHED_FIXTURE_H

#include "harness.h"
#include "fxt/sched/model.h"
#include "libfxt/stacks.h"
#include "sched_story.h"

#define MAX_FOUND	2048
#define MAX_SPANS	4096
#define MAX_STEPS	16384
#define MAX_PIECES	64

struct found {
	enum sched_anomaly_kind kind;
	bool violation;
	uint64_t count;
	uint64_t offset;
	char text[200];
};

struct spanned {
	uint64_t koid;
	uint64_t from;
	uint64_t to;
	char state;
	char end;
	uint16_t cpu;
	uint64_t waker;		/* koid; UINT64_MAX if there is none */
	uint16_t waker_cpu;
	int32_t weight;
	uint64_t nth;		/* which of the threads with its koid */
};

struct stepped {
	uint64_t time;
	uint64_t out;		/* koid */
	uint64_t in;		/* koid; UINT64_MAX if unknown */
	uint16_t cpu;
};

/* A piece of an interrupt, or a slice. */
struct pieced {
	const char *name;
	uint64_t from;
	uint64_t to;
	uint64_t own;		/* of a slice */
	uint64_t koid;		/* UINT64_MAX if unknown */
	uint16_t cpu;
};

/* A stack: the innermost frame, and the number of frames. */
struct stacked {
	const struct fxt_call_stack *stack;
	uint64_t time;
	uint64_t koid;
	uint64_t first;
	uint32_t count;
	bool is_in;
};

FIXTURE(model)
{
	struct story s;
	uint64_t at;		/* the place in the story that a test is about */
	struct sched_model *m;
	size_t stream_events;
	bool without_spans;
	int span_error;
	size_t found_count;
	struct found found[MAX_FOUND];
	size_t span_count;
	struct spanned spans[MAX_SPANS];
	size_t step_count;
	struct stepped steps[MAX_STEPS];
	size_t piece_count;
	struct pieced pieces[MAX_PIECES];
	size_t slice_count;
	struct pieced slices[MAX_PIECES];
	size_t stack_count;
	struct stacked stacks[MAX_PIECES];
};

FIXTURE_SETUP(model)
{
	story_begin(&self->s);
}

FIXTURE_TEARDOWN(model) { }

static int keep_span(void *arg, const struct sched_span *s)
{
	FIXTURE_DATA(model) *self = arg;

	if (self->span_error)
		return self->span_error;
	if (self->span_count == MAX_SPANS)
		abort();
	self->spans[self->span_count++] = (struct spanned){
		s->thread->koid, s->from, s->to, s->state, s->end_state, s->cpu,
		s->waker ? s->waker->koid : UINT64_MAX, s->waker_cpu,
		s->has_weight ? s->weight : 0, s->thread->nth,
	};
	return 0;
}

static int keep_step(void *arg, const struct sched_step *s)
{
	FIXTURE_DATA(model) *self = arg;

	if (self->step_count == MAX_STEPS)
		abort();
	self->steps[self->step_count++] =
		(struct stepped){ s->time, s->out->koid, s->in ? s->in->koid : UINT64_MAX,
				  s->cpu };
	return 0;
}

static void keep_anomaly(void *arg, const struct sched_anomaly *f)
{
	FIXTURE_DATA(model) *self = arg;
	struct found *to = &self->found[self->found_count++];

	if (self->found_count == MAX_FOUND)
		abort();
	*to = (struct found){ f->kind, f->violation, f->count, f->offset, "" };
	snprintf(to->text, sizeof(to->text), "%s", f->text);
}

static struct pieced pieced(const struct sched_slice *s, uint64_t from, uint64_t to)
{
	return (struct pieced){
		s->origin->name, from, to, s->own, s->thread ? s->thread->koid : UINT64_MAX,
		s->cpu,
	};
}

static int keep_piece(void *arg, const struct sched_piece *p)
{
	FIXTURE_DATA(model) *self = arg;

	if (self->piece_count < MAX_PIECES)
		self->pieces[self->piece_count++] = pieced(p->slice, p->from, p->to);
	return 0;
}

static int keep_slice(void *arg, const struct sched_slice *s)
{
	FIXTURE_DATA(model) *self = arg;

	if (self->slice_count < MAX_PIECES)
		self->slices[self->slice_count++] = pieced(s, s->from, s->to);
	return 0;
}

static int keep_moment(void *arg, const struct sched_moment *m)
{
	FIXTURE_DATA(model) *self = arg;
	const struct fxt_call_stack *stack = m->stack;

	if (stack && self->stack_count < MAX_PIECES)
		self->stacks[self->stack_count++] = (struct stacked){
			stack, m->time, m->thread->koid, stack->count ? stack->frames[0] : 0,
			stack->count, m->is_in,
		};
	return 0;
}

static const struct sched_ops with_spans = {
	.span = keep_span,
	.step = keep_step,
	.piece = keep_piece,
	.slice = keep_slice,
	.moment = keep_moment,
	.anomaly = keep_anomaly,
};

static const struct sched_ops no_spans = { .anomaly = keep_anomaly };

static int run(FIXTURE_DATA(model) *self)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret, next;

	self->m = sched_model_open(self->without_spans ? &no_spans : &with_spans, self,
				   self->stream_events);
	ret = fxt_reader_open_memory(&r, self->s.b.words, built_bytes(&self->s.b),
				     &(struct fxt_reader_options){ .strict = true });
	while (!ret && (next = fxt_reader_next(r, &rec)) == 1)
		ret = sched_model_record(self->m, r, &rec);
	ret = ret ? ret : next;
	fxt_reader_close(r);
	return ret ? ret : sched_model_finish(self->m);
}

static void log_found(struct __test_metadata *_metadata, FIXTURE_DATA(model) *self)
{
	for (size_t i = 0; i < self->found_count; i++)
		TH_LOG("%s %s: %s", self->found[i].violation ? "violation" : "note",
		       sched_anomaly_name(self->found[i].kind), self->found[i].text);
}

static uint64_t count_of(FIXTURE_DATA(model) *self, bool violations)
{
	uint64_t count = 0;

	for (size_t i = 0; i < self->found_count; i++)
		count += self->found[i].violation == violations;
	return count;
}

static inline void again(FIXTURE_DATA(model) *self)
{
	story_restart(&self->s);
	sched_model_close(self->m);
	self->m = NULL;
	self->found_count = 0;
	self->span_count = 0;
	self->step_count = 0;
	self->piece_count = 0;
	self->slice_count = 0;
	self->stack_count = 0;
}

#define EXPECT_CLEAN()								\
	do {									\
		EXPECT_EQ(0, run(self));					\
		EXPECT_EQ(0U, self->found_count)				\
			log_found(_metadata, self);				\
	} while (0)

/* Expect no violation; there may be notes. */
#define EXPECT_NO_VIOLATION()							\
	do {									\
		EXPECT_EQ(0, run(self));					\
		EXPECT_EQ(0U, count_of(self, true))				\
			log_found(_metadata, self);				\
	} while (0)

/* Expect one violation, of this kind and at this place, and @notes notes. */
#define EXPECT_ONLY(kind_, offset_, notes)					\
	do {									\
		uint64_t at = (offset_);	/* tells the story */		\
										\
		EXPECT_EQ(0, run(self));					\
		EXPECT_EQ(1U, count_of(self, true))				\
			log_found(_metadata, self);				\
		EXPECT_EQ((uint64_t)(notes), count_of(self, false))		\
			log_found(_metadata, self);				\
		EXPECT_TRUE(has(self, kind_, true, at))				\
			log_found(_metadata, self);				\
	} while (0)

/* Expect no violation, and a note of this kind and at this place. */
#define EXPECT_NOTE(kind_, offset_)						\
	do {									\
		uint64_t at = (offset_);	/* tells the story */		\
										\
		EXPECT_NO_VIOLATION();						\
		EXPECT_TRUE(has(self, kind_, false, at))			\
			log_found(_metadata, self);				\
	} while (0)

/* The same for a story as text, whose record with "!", or the last one, is at that place. */
#define STORY_ONLY(kind, ...)	EXPECT_ONLY(kind, STORY(&self->s, __VA_ARGS__), 0)
#define STORY_NOTE(kind, ...)	EXPECT_NOTE(kind, STORY(&self->s, __VA_ARGS__))

static inline bool has(FIXTURE_DATA(model) *self, enum sched_anomaly_kind kind, bool violation,
		       uint64_t offset)
{
	char place[32];

	snprintf(place, sizeof(place), "byte %ju: ", (uintmax_t)offset);
	for (size_t i = 0; i < self->found_count; i++)
		if (self->found[i].kind == kind && self->found[i].violation == violation &&
		    self->found[i].offset == offset &&
		    !strncmp(self->found[i].text, place, strlen(place)))
			return true;
	return false;
}

static inline bool same_span(const struct spanned *a, const struct spanned *b)
{
	return a->koid == b->koid && a->from == b->from && a->to == b->to && a->state == b->state &&
	       a->end == b->end && a->cpu == b->cpu && a->waker == b->waker &&
	       a->waker_cpu == b->waker_cpu && a->weight == b->weight && a->nth == b->nth;
}

static inline bool has_span(FIXTURE_DATA(model) *self, const struct spanned *s)
{
	for (size_t i = 0; i < self->span_count; i++)
		if (same_span(&self->spans[i], s))
			return true;
	return false;
}

/* How often a thread left @state for the state @end (0: for any). */
static inline uint64_t times_in(const FIXTURE_DATA(model) *self, uint64_t koid, char state,
				char end)
{
	uint64_t count = 0;

	for (size_t i = 0; i < self->span_count; i++)
		count += self->spans[i].koid == koid && self->spans[i].state == state &&
			 (!end || self->spans[i].end == end);
	return count;
}

/* ns on CPUs, from each switch-in of the thread to the next switch of that CPU. */
static inline uint64_t ran(const FIXTURE_DATA(model) *self, uint64_t koid)
{
	uint64_t ns = 0;
	size_t i, j;

	for (i = 0; i < self->step_count; i++) {
		for (j = i; j && self->steps[j - 1].cpu != self->steps[i].cpu; j--)
			;
		if (j && self->steps[j - 1].in == koid && self->steps[i].out == koid)
			ns += self->steps[i].time - self->steps[j - 1].time;
	}
	return ns;
}

/* A span to compare with memcmp(), so its padding is zero. */
static inline struct spanned span(uint64_t koid, uint64_t from, uint64_t to, char state,
				  char end, uint16_t cpu, uint64_t waker, uint16_t waker_cpu)
{
	struct spanned s;

	memset(&s, 0, sizeof(s));
	s.koid = koid;
	s.from = from;
	s.to = to;
	s.state = state;
	s.end = end;
	s.cpu = cpu;
	s.waker = waker;
	s.waker_cpu = waker_cpu;
	s.weight = koid ? STORY_WEIGHT : FXT_SCHED_WEIGHT_IDLE;
	return s;
}

#define NONE	0xffff

#endif /* SELFTESTS_SCHED_FIXTURE_H */
