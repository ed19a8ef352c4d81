// SPDX-License-Identifier: GPL-2.0-or-later
/* Stories as text: STORY() of sched_story.h explains the statements. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "event_story.h"

struct telling {
	struct story *s;
	const char *text;
	const char *at;
	const int64_t *args;	/* the next ones of "%" */
	uint64_t from;		/* time of the statement; for a slice, its begin */
	uint64_t to;
};

static void give_up(const struct telling *t, const char *wanted)
{
	fprintf(stderr, "# story: no %s at \"%s\" in \"%s\"\n", wanted, t->at, t->text);
	abort();
}

/* Skip @word and the blanks behind it, if it is next. */
static bool next_is(struct telling *t, const char *word)
{
	size_t bytes = strlen(word);

	if (strncmp(t->at, word, bytes) ||
	    (isalpha((unsigned char)word[bytes - 1]) && isalnum((unsigned char)t->at[bytes])))
		return false;
	t->at += bytes;
	t->at += strspn(t->at, " ");
	return true;
}

static void want(struct telling *t, const char *word)
{
	if (!next_is(t, word))
		give_up(t, word);
}

static uint64_t number(struct telling *t)
{
	uint64_t value;
	char *end;

	if (next_is(t, "%"))
		return *t->args++;
	value = strtoull(t->at, &end, 10);
	if (end == t->at)
		give_up(t, "number");
	t->at = end;
	if (next_is(t, "ms"))
		return value * MS;
	if (next_is(t, "us"))
		return value * 1000;
	t->at += strspn(t->at, " ");
	return value;
}

static uint64_t second(struct telling *t, const char *sign)
{
	want(t, sign);
	return number(t);
}

/* The rest of the statement. */
static const char *rest(struct telling *t, char text[128])
{
	size_t bytes = strcspn(t->at, ";");

	if (bytes >= 128)
		give_up(t, "short text");
	memcpy(text, t->at, bytes);
	text[bytes] = '\0';
	t->at += bytes;
	return text;
}

static uint32_t cpu(struct telling *t)
{
	if (next_is(t, "on"))
		return number(t);
	if (!t->s->now || t->s->now == &t->s->streams[STORY_NAMES])
		give_up(t, "\"on CPU\"");
	return story_id(t->s, t->s->now);
}

static uint64_t tell_wake(struct telling *t)
{
	uint32_t tid = number(t), waker = 0;

	if (next_is(t, "by")) {
		waker = next_is(t, "irq") ? fxt_sched_waker(0, FXT_SCHED_IRQ_HARD) :
			next_is(t, "softirq") ? fxt_sched_waker(0, FXT_SCHED_IRQ_SOFT) : number(t);
	}
	return story_wake(t->s, t->from, cpu(t), tid, waker);
}

static uint64_t tell_switch(struct telling *t)
{
	static const struct { const char *name; uint32_t state; } states[] = {
		{ "S", FXT_THREAD_BLOCKED }, { "R", FXT_THREAD_NEW }, { "T", FXT_THREAD_SUSPENDED },
		{ "X", FXT_THREAD_DYING }, { "Z", FXT_THREAD_DEAD },
	};
	uint32_t out = number(t), in = second(t, ">");

	if (next_is(t, "hidden"))
		return story_hide(t->s, t->from, out, in);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (next_is(t, states[i].name))
			return story_switch(t->s, t->from, out, in, states[i].state);
	return story_switch(t->s, t->from, out, in, FXT_THREAD_NEW);
}

static uint64_t tell_mark(struct telling *t, uint32_t kind)
{
	uint32_t tid = number(t);

	return story_mark(t->s, t->from, cpu(t), kind, tid);
}

/* Events of a thread: "TID/TGID WHAT ..." */
static uint64_t tell_of_thread(struct telling *t, uint32_t tid)
{
	uint32_t tgid = number(t), nr;
	char text[128];

	if (next_is(t, "moves")) {
		nr = number(t);
		return event_migrate(t->s, t->from, tid, tgid, nr, second(t, ">"));
	}
	if (next_is(t, "forks"))
		return event_fork(t->s, t->from, tid, tgid, number(t));
	if (next_is(t, "exits"))
		return event_exit(t->s, t->from, tid, tgid, number(t));
	if (next_is(t, "works"))
		return event_work(t->s, t->from, t->to, tid, tgid, rest(t, text));
	if (next_is(t, "calls")) {
		nr = number(t);
		return event_syscall(t->s, t->from, t->to, tid, tgid, nr, second(t, "="));
	}
	if (next_is(t, "begins"))
		return story_fork(t->s, tid, tgid, rest(t, text), t->from);
	give_up(t, "event of a thread");
	return 0;
}

static uint64_t tell_event(struct telling *t)
{
	const char *begin = t->at;
	const int64_t *args = t->args;
	uint64_t nr;
	char text[128];

	if (next_is(t, "wake"))
		return tell_wake(t);
	if (next_is(t, "begin"))
		return tell_mark(t, FXT_STR_BEGIN);
	if (next_is(t, "end"))
		return tell_mark(t, FXT_STR_END);
	if (next_is(t, "online"))
		return tell_mark(t, FXT_STR_ONLINE);
	if (next_is(t, "offline"))
		return tell_mark(t, FXT_STR_OFFLINE);
	if (next_is(t, "softirq"))
		return event_softirq(t->s, t->from, t->to, number(t));
	if (next_is(t, "timer"))
		return event_vector(t->s, t->from, t->to, FXT_STR_VECTOR_LOCAL_TIMER);
	if (next_is(t, "idle"))
		return event_idle(t->s, t->from, t->to, number(t));
	if (next_is(t, "queue")) {
		nr = number(t);
		return event_run_queue(t->s, t->from, cpu(t), nr);
	}
	if (next_is(t, "irq")) {
		nr = number(t);
		return event_irq(t->s, t->from, t->to, nr, rest(t, text));
	}
	if (next_is(t, "throttle")) {
		nr = number(t);
		return event_throttle(t->s, t->from, t->to, nr, cpu(t));
	}
	nr = number(t);
	if (next_is(t, "/"))
		return tell_of_thread(t, nr);
	t->at = begin;
	t->args = args;
	return tell_switch(t);
}

static bool is_over(struct telling *t)
{
	return !*t->at || *t->at == ';';
}

static uint64_t tell_ledger(struct telling *t, uint32_t kind)
{
	uint32_t stream = number(t), sequence = next_is(t, "#") ? number(t) : 0;

	return story_ledger(t->s, stream, kind, sequence, second(t, "@"));
}

static uint64_t tell_threads(struct telling *t)
{
	uint32_t tid, last;
	uint64_t offset;
	char name[16];

	if (is_over(t))
		return STORY(t->s, "names@1; name 11 eleven; name 12/11 twelve; name 13/11 thirteen");
	tid = number(t);
	last = second(t, "-");
	for (offset = story_chunk(t->s, STORY_NAMES, 1); tid <= last; tid++) {
		snprintf(name, sizeof(name), "thread%u", tid);
		offset = story_name(t->s, tid, tid, name);
	}
	return offset;
}

static uint64_t tell_statement(struct telling *t)
{
	uint32_t first;
	uint64_t offset;
	char text[128];

	if (next_is(t, "end"))
		return story_end(t->s, number(t));
	if (next_is(t, "threads"))
		return tell_threads(t);
	if (next_is(t, "name")) {
		first = number(t);
		offset = next_is(t, "/") ? number(t) : first;
		return story_name(t->s, first, offset, rest(t, text));
	}
	if (next_is(t, "opening"))
		return tell_ledger(t, FXT_LEDGER_OPENING);
	if (next_is(t, "closing"))
		return tell_ledger(t, FXT_LEDGER_CLOSING);
	if (next_is(t, "lose")) {
		first = number(t);
		offset = number(t);
		return story_lose(t->s, first, offset, second(t, "@"));
	}
	t->from = next_is(t, "names") ? STORY_NAMES : number(t);
	if (next_is(t, "@")) {
		first = t->from;
		t->from = number(t);
		offset = story_chunk(t->s, first, t->from);
		if (is_over(t))
			return offset;
	}
	t->to = next_is(t, "-") ? number(t) : t->from;
	return tell_event(t);
}

uint64_t story_text(struct story *s, const char *text, const int64_t *args)
{
	struct telling t = { .s = s, .text = text, .at = text, .args = args };
	uint64_t offset = 0, place = 0;
	bool is_it;

	for (; *t.at; t.at += strspn(t.at, "; ")) {
		is_it = next_is(&t, "!");
		offset = tell_statement(&t);
		if (!is_over(&t))
			give_up(&t, "\";\"");
		place = is_it ? offset : place;
	}
	return place ? place : offset;
}
