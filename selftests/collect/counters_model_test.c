// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads waiting for each CPU, in random schedules, divided into chunks in any order among CPUs:
 * at each instant, the last value of each CPU equals that of a model, however late and often values
 * are written; no value is written twice or between instants.
 */
#include "counters_fixture.h"

#define CPUS		6
#define THREADS		40
#define MOST_EVENTS	6000
#define SLOTS_PER_SECOND	100

struct event {
	uint64_t time;
	uint32_t stream;
	bool is_wakeup;
	bool is_gap;	/* records before it were lost, so that waiting threads are unknown */
	/* the thread that is woken onto CPU @to, or that is switched out in @state for @in */
	uint32_t tid;
	uint32_t in;
	uint32_t to;
	uint32_t state;
};

struct schedule {
	uint64_t start;
	uint64_t slot;	/* ticks between two instants */
	uint64_t end;
	struct event events[MOST_EVENTS];
	size_t count;
	/* by number of thread: SLEEPS, RUNS, or the CPU that it waits for */
	int place[THREADS];
	uint32_t tids[THREADS];
	uint32_t running[CPUS];	/* by CPU: number of the thread plus 1, 0 for none */
	uint32_t *waiting;	/* by instant and CPU, as the model counts */
	uint32_t *rate;	/* switches per second in the slot that begins at the instant */
	size_t instants;
};

#define SLEEPS	-1
#define RUNS	-2

static uint32_t seed;

static uint32_t chance(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint64_t)(seed >> 4) * below >> 28;
}

static void wake(struct schedule *s, struct event *e)
{
	uint32_t thread = chance(THREADS);

	if (s->place[thread] != SLEEPS)
		return;
	e->is_wakeup = true;
	e->tid = s->tids[thread];
	e->to = chance(CPUS);
	s->place[thread] = e->to;
	s->count++;
}

/* Switch in a thread that waits for this CPU or, migrated, for another one. */
static void switch_threads(struct schedule *s, struct event *e)
{
	static const uint32_t states[] = { FXT_THREAD_NEW, FXT_THREAD_NEW, FXT_THREAD_BLOCKED,
					   FXT_THREAD_SUSPENDED, FXT_THREAD_DEAD };
	uint32_t out = s->running[e->stream], first = chance(THREADS), i, in = 0;

	for (i = 0; i < THREADS && !in && chance(8); i++)
		if (s->place[(first + i) % THREADS] >= 0)
			in = (first + i) % THREADS + 1;
	if (!in && !out)
		return;
	e->state = states[chance(5)];
	e->tid = out ? s->tids[out - 1] : 0;
	e->in = in ? s->tids[in - 1] : 0;
	if (out)
		s->place[out - 1] = e->state == FXT_THREAD_NEW ? (int)e->stream : SLEEPS;
	if (in)
		s->place[in - 1] = RUNS;
	s->running[e->stream] = in;
	s->count++;
}

static void make_up(struct schedule *s, uint32_t gaps)
{
	uint64_t time = s->start;
	struct event *e;

	for (size_t i = 0; i < THREADS; i++) {
		s->tids[i] = i ? 1 + i * 104729 % (FXT_SCHED_TID_END - 1) : FXT_SCHED_TID_END - 1;
		s->place[i] = SLEEPS;
	}
	while (s->count < MOST_EVENTS) {
		time += 1 + chance(chance(200) ? s->slot / 8 : 12 * s->slot);
		e = &s->events[s->count];
		*e = (struct event){ .time = time, .stream = chance(CPUS) };
		e->is_gap = gaps && !chance(gaps);
		if (chance(2))
			wake(s, e);
		else
			switch_threads(s, e);
	}
	s->end = time + 3 * s->slot;
}

struct known {
	uint32_t tid;
	uint32_t cpu;
};

/* For each thread, the CPU that it was last known to wait for; at most THREADS threads. */
static void put(struct known *known, uint32_t tid, uint32_t cpu)
{
	struct known *k = known;

	while (k->tid && k->tid != tid)
		k++;
	*k = (struct known){ tid, cpu };
}

static void happen(const struct event *e, struct known *known)
{
	if (e->is_gap)
		memset(known, 0, sizeof(*known) * (THREADS + 1));
	if (e->is_wakeup) {
		put(known, e->tid, e->to);
		return;
	}
	if (e->tid)
		put(known, e->tid, e->state == FXT_THREAD_NEW ? e->stream : CPUS);
	if (e->in)
		put(known, e->in, CPUS);
}

static void count_all(struct schedule *s)
{
	struct known known[THREADS + 1] = { { 0 } }, *k;
	size_t i, at = 0;
	uint64_t end;

	s->instants = (s->end - s->start) / s->slot;
	s->waiting = calloc(s->instants * CPUS, sizeof(*s->waiting));
	s->rate = calloc(s->instants * CPUS, sizeof(*s->rate));
	if (!s->waiting || !s->rate)
		abort();
	for (i = 0; i < s->instants; i++) {
		end = s->start + (i + 1) * s->slot;
		for (k = known; k->tid; k++)
			if (k->cpu < CPUS)
				s->waiting[i * CPUS + k->cpu]++;
		for (; at < s->count && s->events[at].time < end; at++) {
			happen(&s->events[at], known);
			if (!s->events[at].is_wakeup)
				s->rate[i * CPUS + s->events[at].stream] += SLOTS_PER_SECOND;
		}
	}
}

/* Return: the first instant that differs, or -1. */
static ssize_t compare(FIXTURE_DATA(counters) *self, const struct schedule *s)
{
	const struct counted *c = self->counted, *end = c + self->count;
	uint32_t waiting[CPUS] = { 0 }, rate[CPUS] = { 0 };
	bool is_written[CPUS] = { false };
	size_t i;

	for (i = 0; i < s->instants; i++) {
		for (; c < end && c->time == s->start + i * s->slot; c++) {
			if (c->cpu >= CPUS || (is_written[c->cpu] &&
					       waiting[c->cpu] == c->waiting &&
					       rate[c->cpu] == c->rate))
				return i;
			is_written[c->cpu] = true;
			waiting[c->cpu] = c->waiting;
			rate[c->cpu] = c->rate;
		}
		if (memcmp(waiting, s->waiting + i * CPUS, sizeof(waiting)) ||
		    memcmp(rate, s->rate + i * CPUS, sizeof(rate)))
			return i;
	}
	return c < end ? (ssize_t)i : -1;
}

struct delivery {
	size_t at[CPUS];	/* by CPU: index of its first event not passed on */
	uint64_t lost[CPUS];	/* by CPU */
	bool has_begun[CPUS];	/* by CPU: a chunk was passed on */
};

static size_t next_of(const struct schedule *s, uint32_t cpu, size_t at)
{
	while (at < s->count && s->events[at].stream != cpu)
		at++;
	return at;
}

static void add_event(FIXTURE_DATA(counters) *self, const struct event *e)
{
	if (e->is_wakeup)
		add_wakeup(self, e->time, e->tid, e->to);
	else
		add_switch(self, e->time, e->tid, e->in, e->state);
}

static int deliver(FIXTURE_DATA(counters) *self, const struct schedule *s,
		   struct delivery *d, uint32_t cpu, uint32_t most)
{
	size_t at = next_of(s, cpu, d->at[cpu]);
	bool is_gap = at < s->count && s->events[at].is_gap;

	/* A CPU without chunks has no losses. */
	if (!d->has_begun[cpu] || is_gap || chance(2)) {
		if (is_gap && !d->has_begun[cpu])
			chunk_of(self, (struct fxt_ledger){ .stream = cpu, .time = s->start });
		if (is_gap && !d->has_begun[cpu] && hand_over(self))
			return -1;
		d->lost[cpu] += is_gap;
		chunk_of(self, (struct fxt_ledger){
			.stream = cpu, .lost = d->lost[cpu],
			.time = at < s->count ? s->events[at].time : s->end,
		});
	} else {
		chunk_of(self, (struct fxt_ledger){ .stream = cpu, .kind = FXT_LEDGER_CONTINUED });
	}
	d->has_begun[cpu] = true;
	for (; at < s->count && most; most--) {
		add_event(self, &s->events[at]);
		at = next_of(s, cpu, at + 1);
		if (at < s->count && s->events[at].is_gap)
			break;
	}
	d->at[cpu] = at;
	return hand_over(self);
}

/* Records up to this time are complete. */
static uint64_t known_until(const struct schedule *s, const struct delivery *d)
{
	uint64_t until = s->end;

	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		size_t at = next_of(s, cpu, d->at[cpu]);

		if (at < s->count && s->events[at].time < until)
			until = s->events[at].time;
	}
	return until;
}

/* @most: records of a chunk; @often: every @often-th chunk is followed by writing. */
static int deliver_all(FIXTURE_DATA(counters) *self, const struct schedule *s, uint32_t most,
		       uint32_t often)
{
	struct delivery d = { 0 };
	uint64_t known = 0, back;
	uint32_t cpu;

	while (known < s->end) {
		cpu = chance(CPUS);
		if (deliver(self, s, &d, cpu, 1 + chance(most)))
			return -1;
		known = known_until(s, &d);
		if (chance(often))
			continue;
		/* Writing up to an earlier time is allowed as well. */
		back = chance(2) ? 0 : chance(4 * s->slot);
		if (counters_write(self->c, self->w, known > back ? known - back : 0))
			return -1;
	}
	return counters_write(self->c, self->w, s->end);
}

struct way {
	uint64_t ticks_per_second;
	uint32_t most;
	uint32_t often;
	uint32_t gaps;
};

/* Return: as compare(), or -2 on failure. */
static ssize_t run(FIXTURE_DATA(counters) *self, struct schedule *s, const struct way *way)
{
	ssize_t ret = -2;

	*s = (struct schedule){
		.start = 987654321987ULL,
		.slot = way->ticks_per_second / SLOTS_PER_SECOND,
	};
	make_up(s, way->gaps);
	count_all(s);
	if (!reopen(self, s->start, way->ticks_per_second) &&
	    !deliver_all(self, s, way->most, way->often) && counters_text(self))
		ret = compare(self, s);
	return ret;
}

static void run_all(struct __test_metadata *_metadata, FIXTURE_DATA(counters) *self,
		    const struct way *ways, size_t count)
{
	struct schedule *s = malloc(sizeof(*s));
	ssize_t ret;

	ASSERT_NE(NULL, s);
	for (size_t i = 0; i < 12 * count; i++) {
		seed = i;
		ret = run(self, s, &ways[i % count]);
		EXPECT_EQ(-1, ret) {
			TH_LOG("schedule %zu: at instant %zd of %zu", i, ret, s->instants);
		}
		/* The schedule had events, and their values were written. */
		EXPECT_LT(500U, self->count);
		EXPECT_EQ(2U, self->name_count);
	}
}

TEST_F(counters, schedules)
{
	static const struct way ways[] = {
		{ 1000000000, 50, 3, 0 }, { 1000000000, 4, 1, 0 }, { 1000000000, 400, 40, 0 },
		{ 1000000, 50, 3, 0 }, { 19200000, 50, 3, 0 }, { 2995201337, 50, 3, 0 },
	};

	run_all(_metadata, self, ways, ARRAY_SIZE(ways));
}

TEST_F(counters, schedules_with_gaps)
{
	static const struct way ways[] = {
		{ 1000000000, 50, 3, 30 }, { 1000000000, 4, 1, 200 }, { 1000000, 400, 40, 400 },
	};

	run_all(_metadata, self, ways, ARRAY_SIZE(ways));
}
