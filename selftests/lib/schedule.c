// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include <fxt/fxt_waker.h>

#include "libfxt/array.h"
#include "schedule.h"

#define BEGIN	1000000
#define LONG	20000	/* times more: seconds, so that some waits are worth a finding */

unsigned int schedule_random(struct schedule *s, unsigned int limit)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (s->random >> 11) % limit;
}

static bool has(const struct schedule *s, enum schedule_features feature)
{
	return s->features & feature;
}

/* --- what happened ----------------------------------------------------------------------- */

static void add_spell(struct schedule_list *list, struct schedule_spell spell)
{
	if (spell.from == spell.to)
		return;
	if (array_grow(list->of, list->count))
		abort();
	list->of[list->count++] = spell;
}

static void set_thread(struct schedule *s, unsigned int thread, enum schedule_state state,
		       unsigned int cpu, int waker)
{
	struct schedule_thread *t = &s->threads[thread];

	t->now.to = s->time;
	t->now.waker = waker;
	add_spell(&t->spells, t->now);
	t->now = (struct schedule_spell){ .from = s->time, .cpu = cpu, .what = state };
}

static void set_cpu(struct schedule *s, struct schedule_cpu *c)
{
	c->now.to = s->time;
	add_spell(&c->holds, c->now);
	c->now = (struct schedule_spell){
		.from = s->time,
		.what = c->depth ? (int)c->irqs[c->depth - 1] :
			c->running == SCHEDULE_IDLE ? SCHEDULE_BY_IDLE : c->running,
	};
}

static void record(struct schedule_cpu *c, struct schedule_event e)
{
	if (array_grow(c->events, c->event_count))
		abort();
	c->events[c->event_count++] = e;
}

static void know(const struct schedule *s, int thread)
{
	struct schedule_thread *t = (struct schedule_thread *)&s->threads[thread];

	if (thread != SCHEDULE_IDLE && t->known == UINT64_MAX)
		t->known = s->time;
}

/* --- choices ------------------------------------------------------------------------------ */

static bool is_held(const struct schedule *s, unsigned int thread)
{
	const struct schedule_thread *t = &s->threads[thread];

	return t->in_cgroup && s->cpus[t->now.cpu].throttled;
}

/* A random thread that waits for a CPU and may have it; SCHEDULE_IDLE if there is none. */
static int choose_waiting(struct schedule *s, unsigned int cpu)
{
	unsigned int first = schedule_random(s, s->thread_count), i, n;
	const struct schedule_thread *t;

	for (i = 0; i < s->thread_count; i++) {
		n = (first + i) % s->thread_count;
		t = &s->threads[n];
		if (t->now.what == SCHEDULE_RUNNABLE && t->now.cpu == cpu && !is_held(s, n))
			return n;
	}
	return SCHEDULE_IDLE;
}

static int choose_asleep(struct schedule *s)
{
	unsigned int first = schedule_random(s, s->thread_count), i, n;

	for (i = 0; i < s->thread_count; i++) {
		n = (first + i) % s->thread_count;
		if (s->threads[n].now.what == SCHEDULE_ASLEEP)
			return n;
	}
	return SCHEDULE_IDLE;
}

/* --- events ------------------------------------------------------------------------------- */

static void switch_to(struct schedule *s, unsigned int cpu, int in, bool sleeps)
{
	struct schedule_cpu *c = &s->cpus[cpu];
	int out = c->running;

	know(s, out);
	know(s, in);
	record(c, (struct schedule_event){
		.kind = SCHEDULE_SWITCH, .time = s->time, .a = out, .b = in,
		.c = sleeps && out != SCHEDULE_IDLE ? FXT_THREAD_BLOCKED : FXT_THREAD_NEW,
	});
	if (out != SCHEDULE_IDLE)
		set_thread(s, out, sleeps ? SCHEDULE_ASLEEP : SCHEDULE_RUNNABLE, cpu, SCHEDULE_IDLE);
	if (in != SCHEDULE_IDLE) {
		set_thread(s, in, SCHEDULE_RUNNING, cpu, SCHEDULE_IDLE);
		s->threads[in].has_moved = false;
	}
	c->running = in;
	set_cpu(s, c);
}

static void act_switch(struct schedule *s, unsigned int cpu)
{
	bool sleeps = s->cpus[cpu].running != SCHEDULE_IDLE && schedule_random(s, 5) < 3;
	int in = choose_waiting(s, cpu);

	if (in != SCHEDULE_IDLE || sleeps)
		switch_to(s, cpu, in, sleeps);
}

static void act_wake(struct schedule *s, unsigned int cpu)
{
	struct schedule_cpu *c = &s->cpus[cpu];
	int thread = choose_asleep(s), hit = c->running;
	unsigned int to = schedule_random(s, s->cpu_count), irq = FXT_SCHED_IRQ_NONE;

	if (thread == SCHEDULE_IDLE)
		return;
	if (c->depth)
		irq = c->irqs[c->depth - 1] == SCHEDULE_BY_IRQ ? FXT_SCHED_IRQ_HARD :
								 FXT_SCHED_IRQ_SOFT;
	if (s->threads[thread].known == UINT64_MAX)
		s->threads[thread].known = s->from;
	record(c, (struct schedule_event){
		.kind = SCHEDULE_WAKE, .time = s->time, .a = thread, .b = to,
		.c = fxt_sched_waker(hit == SCHEDULE_IDLE ? 0 : SCHEDULE_TID + hit, irq),
	});
	set_thread(s, thread, SCHEDULE_RUNNABLE, to, irq == FXT_SCHED_IRQ_HARD ? SCHEDULE_IDLE : hit);
}

/* A CPU takes a waiting thread from another one. A move that is not recorded is the only one. */
static void act_move(struct schedule *s, unsigned int cpu)
{
	unsigned int first = schedule_random(s, s->thread_count), i, n, from;
	struct schedule_thread *t;

	for (i = 0; i < s->thread_count; i++) {
		n = (first + i) % s->thread_count;
		t = &s->threads[n];
		from = t->now.cpu;
		if (t->now.what != SCHEDULE_RUNNABLE || from == cpu || is_held(s, n) ||
		    (t->has_moved && t->now.from == s->time))
			continue;
		if (has(s, SCHEDULE_UNRECORDED) &&
		    (t->has_moved || s->cpus[from].running == SCHEDULE_IDLE))
			continue;
		if (!has(s, SCHEDULE_UNRECORDED))
			record(&s->cpus[cpu], (struct schedule_event){
				.kind = SCHEDULE_MOVE, .time = s->time, .a = n, .b = from, .c = cpu,
			});
		t->has_moved = true;
		set_thread(s, n, SCHEDULE_RUNNABLE, cpu, SCHEDULE_IDLE);
		return;
	}
}

static void begin_interrupt(struct schedule *s, unsigned int cpu, enum schedule_party party)
{
	struct schedule_cpu *c = &s->cpus[cpu];

	c->irqs[c->depth] = party;
	c->begins[c->depth++] = s->time;
	set_cpu(s, c);
}

static void end_interrupt(struct schedule *s, unsigned int cpu)
{
	struct schedule_cpu *c = &s->cpus[cpu];

	c->depth--;
	record(c, (struct schedule_event){
		.kind = SCHEDULE_SLICE, .begin = c->begins[c->depth], .time = s->time,
		.a = c->irqs[c->depth],
	});
	set_cpu(s, c);
}

static void act_throttle(struct schedule *s, unsigned int cpu)
{
	struct schedule_cpu *c = &s->cpus[cpu];

	if (c->throttled) {
		record(c, (struct schedule_event){
			.kind = SCHEDULE_THROTTLE, .begin = c->throttled, .time = s->time,
		});
		add_spell(&c->throttles, (struct schedule_spell){ c->throttled, s->time, cpu, 0, 0 });
		c->throttled = 0;
		return;
	}
	c->throttled = s->time;
	if (c->running != SCHEDULE_IDLE && s->threads[c->running].in_cgroup)
		switch_to(s, cpu, choose_waiting(s, cpu), false);
}

/* --- the simulation ----------------------------------------------------------------------- */

static void act_in_interrupt(struct schedule *s, unsigned int cpu, unsigned int dice)
{
	struct schedule_cpu *c = &s->cpus[cpu];

	if (dice < 9)
		end_interrupt(s, cpu);
	else if (dice < 13)
		act_wake(s, cpu);
	else if (c->depth == 1 && c->irqs[0] == SCHEDULE_BY_SOFTIRQ)
		begin_interrupt(s, cpu, SCHEDULE_BY_IRQ);
}

static void act(struct schedule *s, unsigned int cpu)
{
	unsigned int dice = schedule_random(s, 16);

	if (s->cpus[cpu].depth)
		act_in_interrupt(s, cpu, dice);
	else if (dice < 7)
		act_switch(s, cpu);
	else if (dice < 11)
		act_wake(s, cpu);
	else if (dice < 13 && has(s, SCHEDULE_INTERRUPTS))
		begin_interrupt(s, cpu, dice == 11 ? SCHEDULE_BY_IRQ : SCHEDULE_BY_SOFTIRQ);
	else if (dice < 15 && has(s, SCHEDULE_MOVES))
		act_move(s, cpu);
	else if (dice == 15 && has(s, SCHEDULE_QUOTA))
		act_throttle(s, cpu);
}

/*
 * Without recorded moves, no thread waits for an idle CPU but the first one, for a short time, as
 * in the kernel: a CPU that has waiting threads runs one of them.
 */
static void keep_busy(struct schedule *s)
{
	int in;

	for (unsigned int cpu = 0; cpu < s->cpu_count; cpu++) {
		in = choose_waiting(s, cpu);
		if (s->cpus[cpu].running != SCHEDULE_IDLE || s->cpus[cpu].depth || in == SCHEDULE_IDLE)
			continue;
		s->time += 1 + schedule_random(s, 50);
		switch_to(s, cpu, in, false);
		s->cpus[cpu].last = s->time;
	}
}

static void step(struct schedule *s)
{
	unsigned int cpu = schedule_random(s, s->cpu_count);
	bool is_equal = has(s, SCHEDULE_EQUAL) && !schedule_random(s, 4) &&
			s->cpus[cpu].last < s->time;

	if (!is_equal)
		s->time += s->scale *
			   (1 + schedule_random(s, schedule_random(s, 10) ? 500 : 20000));
	s->cpus[cpu].last = s->time;
	act(s, cpu);
	if (has(s, SCHEDULE_UNRECORDED))
		keep_busy(s);
}

/* Interrupts and throttled times are over at the end, because their ends are their records. */
static void finish(struct schedule *s)
{
	for (unsigned int i = 0; i < s->cpu_count; i++) {
		s->time++;
		while (s->cpus[i].depth)
			end_interrupt(s, i);
		if (s->cpus[i].throttled)
			act_throttle(s, i);
	}
	s->to = ++s->time;
	for (unsigned int i = 0; i < s->cpu_count; i++)
		set_cpu(s, &s->cpus[i]);
	for (unsigned int i = 0; i < s->thread_count; i++)
		set_thread(s, i, SCHEDULE_ASLEEP, 0, SCHEDULE_IDLE);
}

/* --- the begin ----------------------------------------------------------------------------- */

/* What an archive cannot show if a record that says what happened before is missing is left out. */
static unsigned int choose_features(struct schedule *s)
{
	unsigned int features = s->random >> 32 & 0xff;

	if (features & (SCHEDULE_LOSSES | SCHEDULE_FILTER | SCHEDULE_UNRECORDED))
		features &= ~SCHEDULE_QUOTA;
	if (features & SCHEDULE_LOSSES)
		features &= ~(SCHEDULE_INTERRUPTS | SCHEDULE_FILTER);
	if (features & SCHEDULE_FILTER)
		features &= ~(SCHEDULE_INTERRUPTS | SCHEDULE_MARKS);
	return features & SCHEDULE_UNRECORDED ? features | SCHEDULE_MOVES : features;
}

static void begin_thread(struct schedule *s, unsigned int i)
{
	struct schedule_thread *t = &s->threads[i];
	unsigned int cpu = schedule_random(s, s->cpu_count);

	*t = (struct schedule_thread){
		.tgid = SCHEDULE_TID + i / 4 * 4, .known = UINT64_MAX,
		.in_cgroup = has(s, SCHEDULE_QUOTA) && i / 4 % 2,
		.is_kept = !has(s, SCHEDULE_FILTER) || i / 4 % 2,
		.now = { .from = s->time, .cpu = cpu, .what = schedule_random(s, 3) ?
			 SCHEDULE_ASLEEP : SCHEDULE_RUNNABLE },
	};
	if (s->cpus[cpu].running != SCHEDULE_IDLE || !schedule_random(s, 3))
		return;
	t->now.what = SCHEDULE_RUNNING;
	t->known = s->from;
	s->cpus[cpu].running = s->cpus[cpu].first = i;
}

static void begin(struct schedule *s, uint64_t seed)
{
	memset(s, 0, sizeof(*s));
	s->random = (seed + 1) * 0x9e3779b97f4a7c15;
	for (unsigned int i = 0; i < 10; i++)
		schedule_random(s, 2);
	s->features = choose_features(s);
	s->scale = seed % 3 ? 1 : LONG;
	s->cpu_count = 1 + schedule_random(s, STORY_CPUS);
	s->thread_count = 3 + schedule_random(s, SCHEDULE_THREADS - 2);
	s->from = s->time = BEGIN;
	for (unsigned int i = 0; i < s->cpu_count; i++)
		s->cpus[i].running = s->cpus[i].first = SCHEDULE_IDLE;
	for (unsigned int i = 0; i < s->thread_count; i++)
		begin_thread(s, i);
	for (unsigned int i = 0; i < s->cpu_count; i++) {
		s->cpus[i].now.from = s->time;
		set_cpu(s, &s->cpus[i]);
	}
}

void schedule_make(struct schedule *s, uint64_t seed)
{
	begin(s, seed);
	for (unsigned int steps = 50 + schedule_random(s, 1000); steps; steps--)
		step(s);
	finish(s);
	schedule_write(s);
}

void schedule_free(struct schedule *s)
{
	for (unsigned int i = 0; i < s->thread_count; i++)
		free(s->threads[i].spells.of);
	for (unsigned int i = 0; i < s->cpu_count; i++) {
		free(s->cpus[i].holds.of);
		free(s->cpus[i].throttles.of);
		free(s->cpus[i].events);
	}
	build_free(&s->story.b);
}

/* --- the truth ----------------------------------------------------------------------------- */

static uint64_t overlap(const struct schedule_spell *spell, uint64_t from, uint64_t to)
{
	uint64_t begin = spell->from > from ? spell->from : from;
	uint64_t end = spell->to < to ? spell->to : to;

	return begin < end ? end - begin : 0;
}

static uint64_t interrupts_in(const struct schedule_cpu *c, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < c->holds.count; i++)
		if (c->holds.of[i].what > SCHEDULE_BY_IDLE)
			ns += overlap(&c->holds.of[i], from, to);
	return ns;
}

static void add_holds(const struct schedule_cpu *c, uint64_t from, uint64_t to,
		      struct schedule_account *a)
{
	for (size_t i = 0; i < c->holds.count; i++)
		a->by[c->holds.of[i].what] += overlap(&c->holds.of[i], from, to);
}

/* The thread waited for a CPU, on which its cgroup may have been throttled. */
static void add_wait(const struct schedule_thread *t, const struct schedule_cpu *c, uint64_t from,
		     uint64_t to, struct schedule_account *a)
{
	const struct schedule_spell *held;
	uint64_t begin;

	for (size_t i = 0; t->in_cgroup && i < c->throttles.count; i++) {
		held = &c->throttles.of[i];
		if (!overlap(held, from, to))
			continue;
		begin = held->from > from ? held->from : from;
		add_holds(c, from, begin, a);
		from = held->to < to ? held->to : to;
		a->by[SCHEDULE_BY_QUOTA] += from - begin;
	}
	add_holds(c, from, to, a);
}

void schedule_truth(const struct schedule *s, unsigned int thread, uint64_t from, uint64_t to,
		    struct schedule_account *a)
{
	const struct schedule_thread *t = &s->threads[thread];
	const struct schedule_spell *spell;
	uint64_t begin, end, ns;

	for (size_t i = 0; i < t->spells.count; i++) {
		spell = &t->spells.of[i];
		ns = overlap(spell, from, to);
		begin = spell->from > from ? spell->from : from;
		end = begin + ns;
		if (ns && spell->what != SCHEDULE_ASLEEP)
			a->cpus |= 1U << spell->cpu;
		if (spell->what == SCHEDULE_ASLEEP) {
			a->asleep += ns;
		} else if (ns && spell->what == SCHEDULE_RUNNING) {
			a->interrupted += interrupts_in(&s->cpus[spell->cpu], begin, end);
			a->run += ns - interrupts_in(&s->cpus[spell->cpu], begin, end);
		} else if (ns) {
			a->runnable += ns;
			add_wait(t, &s->cpus[spell->cpu], begin, end, a);
		}
	}
}

int schedule_waker_at(const struct schedule *s, unsigned int thread, uint64_t time)
{
	const struct schedule_thread *t = &s->threads[thread];

	for (size_t i = 0; i < t->spells.count; i++)
		if (t->spells.of[i].from <= time && t->spells.of[i].to > time)
			return t->spells.of[i].waker;
	return SCHEDULE_IDLE;
}
