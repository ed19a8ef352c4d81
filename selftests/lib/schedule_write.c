// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "event_story.h"
#include "schedule.h"

static uint32_t tid_of(int thread)
{
	return thread == SCHEDULE_IDLE ? 0 : SCHEDULE_TID + thread;
}

static bool is_kept(const struct schedule *s, int thread)
{
	return thread != SCHEDULE_IDLE && s->threads[thread].is_kept;
}

static enum fxt_sched_kept kept_of(const struct schedule *s, unsigned int cpu,
				   const struct schedule_event *e)
{
	if (!(s->features & SCHEDULE_FILTER) || is_kept(s, e->a))
		return FXT_SCHED_KEPT_ALL;
	if (is_kept(s, e->b))
		return FXT_SCHED_KEPT_IN;
	return s->cpus[cpu].is_shown ? FXT_SCHED_KEPT_OUT : FXT_SCHED_KEPT_NOT;
}

/* Does the filter keep the waker, a thread, of one that it does not keep? */
static bool has_kept_waker(const struct schedule *s, const struct schedule_event *e)
{
	return e->c && fxt_sched_waker_is_thread(e->c) && is_kept(s, (int)e->c - SCHEDULE_TID);
}

static bool is_written(const struct schedule *s, unsigned int cpu, const struct schedule_event *e)
{
	if (e->kind == SCHEDULE_SWITCH)
		return kept_of(s, cpu, e) != FXT_SCHED_KEPT_NOT;
	if (e->kind == SCHEDULE_WAKE && has_kept_waker(s, e))
		return true;
	return (e->kind != SCHEDULE_WAKE && e->kind != SCHEDULE_MOVE) || is_kept(s, e->a);
}

static void write_switch(struct schedule *s, unsigned int cpu, const struct schedule_event *e)
{
	enum fxt_sched_kept kept = kept_of(s, cpu, e);
	struct story *to = &s->story;
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words;

	words = fxt_sched_put_kept_switch(rec, e->time, cpu, tid_of(e->a), tid_of(e->b),
					  story_weight(to, tid_of(e->a)),
					  story_weight(to, tid_of(e->b)),
					  (struct fxt_sched_state){ e->c, 0 }, kept);
	s->cpus[cpu].is_shown = kept != FXT_SCHED_KEPT_OUT;
	to->in[cpu] = tid_of(e->b);
	event_add(to, rec, words, e->time);
}

static void write_event(struct schedule *s, unsigned int cpu, const struct schedule_event *e)
{
	struct story *to = &s->story;

	switch (e->kind) {
	case SCHEDULE_SWITCH:
		write_switch(s, cpu, e);
		break;
	case SCHEDULE_WAKE:
		if (is_kept(s, e->a))
			story_wake(to, e->time, e->b, tid_of(e->a), e->c);
		else
			story_wake_hidden(to, e->time, e->b, tid_of(e->a), e->c);
		break;
	case SCHEDULE_MOVE:
		event_migrate(to, e->time, tid_of(e->a), s->threads[e->a].tgid, e->b, e->c);
		break;
	case SCHEDULE_SLICE:
		if (e->a == SCHEDULE_BY_IRQ)
			event_irq(to, e->begin, e->time, 30, SCHEDULE_IRQ);
		else
			event_softirq(to, e->begin, e->time, EVENT_NET_RX);
		break;
	case SCHEDULE_THROTTLE:
		event_throttle(to, e->begin, e->time, 77, cpu);
		break;
	}
}

static void write_names(struct schedule *s)
{
	struct story *to = &s->story;
	char name[16];

	story_chunk(to, STORY_NAMES, 1);
	for (unsigned int i = 0; i < s->thread_count; i++) {
		snprintf(name, sizeof(name), "t%u", SCHEDULE_TID + i);
		if (tid_of(i) == s->threads[i].tgid)
			event_process_in(to, tid_of(i), name,
					 s->threads[i].in_cgroup ? SCHEDULE_CGROUP : "/other");
		else
			story_name(to, tid_of(i), s->threads[i].tgid, name);
	}
	for (unsigned int i = 0; i < s->cpu_count; i++) {
		event_tracks(to, i);
		if (s->features & SCHEDULE_QUOTA)
			event_cgroup(to, 77, i, SCHEDULE_CGROUP);
	}
}

/* Write the events of one CPU that end before @time, in a chunk. */
static void write_chunk(struct schedule *s, unsigned int cpu, uint64_t time)
{
	struct schedule_cpu *c = &s->cpus[cpu];
	bool is_open = false;

	for (; c->written < c->event_count && c->events[c->written].time < time; c->written++) {
		if (c->written == c->lost_from && c->lost_to > c->lost_from) {
			story_lose(&s->story, cpu, c->lost_to - c->lost_from,
				   c->events[c->lost_to].time);
			c->written = c->lost_to;
			is_open = true;
		}
		if (!is_written(s, cpu, &c->events[c->written]))
			continue;
		if (!is_open)
			story_chunk(&s->story, cpu, c->events[c->written].time);
		is_open = true;
		write_event(s, cpu, &c->events[c->written]);
	}
}

/* A CPU loses some records, not the first one and not the last one. */
static void lose(struct schedule *s)
{
	struct schedule_cpu *c = &s->cpus[schedule_random(s, s->cpu_count)];
	unsigned int count = 1 + schedule_random(s, 20);

	if (c->event_count < count + 2)
		return;
	c->lost_from = 1 + schedule_random(s, c->event_count - count - 1);
	c->lost_to = c->lost_from + count;
}

void schedule_write(struct schedule *s)
{
	uint64_t time = s->from;
	char session[64];

	story_begin(&s->story);
	snprintf(session, sizeof(session), "source bpf\n%s%s",
		 s->features & SCHEDULE_UNRECORDED ? "" : "moves runnable\n",
		 s->features & SCHEDULE_FILTER ? "filter pids 105,113\n" : "");
	story_session(&s->story, session);
	write_names(s);
	if (s->features & SCHEDULE_LOSSES)
		lose(s);
	for (unsigned int i = 0; s->features & SCHEDULE_MARKS && i < s->cpu_count; i++) {
		story_ledger(&s->story, i, FXT_LEDGER_OPENING, 0, s->from);
		story_mark(&s->story, s->from, i, FXT_STR_BEGIN, tid_of(s->cpus[i].first));
		s->story.in[i] = tid_of(s->cpus[i].first);
	}
	while (time < s->to) {
		time += 1 + schedule_random(s, 50000);
		for (unsigned int i = 0; i < s->cpu_count; i++)
			write_chunk(s, i, time);
	}
	for (unsigned int i = 0; s->features & SCHEDULE_MARKS && i < s->cpu_count; i++)
		if (!s->story.streams[i].sequence)
			story_ledger(&s->story, i, FXT_LEDGER_CLOSING, 0, s->to);
	story_end(&s->story, s->to);
}
