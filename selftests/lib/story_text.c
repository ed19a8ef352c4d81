// SPDX-License-Identifier: GPL-2.0-or-later
/* Stories as text: STORY() of sched_story.h explains the statements. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "event_story.h"

#define MAX_REST	256	/* bytes of a name or text */

struct telling {
	struct story *s;
	const char *text;
	const char *at;
	const int64_t *args;	/* the next ones of "%" */
	uint64_t from;		/* time of the statement; for a slice, its begin */
	uint64_t to;
	uint64_t shift;		/* of the times, in a repetition */
	bool is_repeated;
};

static bool is_over(const struct telling *t)
{
	return !*t->at || *t->at == ';' || (t->is_repeated && *t->at == '}');
}

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
	value = strtoull(t->at, &end, 0);
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

/* A number behind @sign, a word or a mark. */
static uint64_t second(struct telling *t, const char *sign)
{
	want(t, sign);
	return number(t);
}

/* The rest of the statement. */
static const char *rest(struct telling *t, char text[MAX_REST])
{
	size_t bytes = 0;

	for (; !is_over(t); t->at++) {
		if (bytes + 1 == MAX_REST)
			give_up(t, "short text");
		text[bytes++] = *t->at;
	}
	text[bytes] = '\0';
	return text;
}

/* One of the names, which a NULL ends. Return: its index */
static uint32_t name_of(struct telling *t, const char * const *names)
{
	for (uint32_t i = 0; names[i]; i++)
		if (next_is(t, names[i]))
			return i;
	give_up(t, names[0]);
	return 0;
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
	uint32_t tid = number(t), waker = 0, irq;

	if (next_is(t, "by")) {
		irq = next_is(t, "irq") ? FXT_SCHED_IRQ_HARD :
		      next_is(t, "softirq") ? FXT_SCHED_IRQ_SOFT : 0;
		waker = irq ? fxt_sched_waker(next_is(t, "hitting") ? number(t) : 0, irq) :
			number(t);
	}
	if (next_is(t, "hidden"))
		return story_wake_hidden(t->s, t->from, cpu(t), tid, waker);
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

/* A wait for a lock: its address, then who had it and, of a futex, who woke the thread. */
static uint64_t tell_lock(struct telling *t, uint32_t tid, uint32_t tgid)
{
#define LOCK_NAME(kind, name)	name,
	static const char * const kinds[] = { FXT_LOCKS(LOCK_NAME) NULL };
#undef LOCK_NAME
	uint64_t address = number(t), holder = next_is(t, "held") ? number(t) : 0;
	uint32_t kind;

	if (next_is(t, "woken"))
		return event_futex(t->s, t->from, t->to, tid, tgid, address, holder, number(t));
	kind = name_of(t, kinds);
	return event_lock(t->s, t->from, t->to, tid, tgid, kind, address, holder);
}

static uint64_t tell_memory(struct telling *t, uint32_t tid, uint32_t tgid)
{
	static const char * const names[] = { "direct", "cgroup", "compaction", NULL };
	uint64_t pages = number(t);

	return event_memory(t->s, t->from, t->to, tid, tgid,
			    FXT_STR_DIRECT_RECLAIM + name_of(t, names), pages);
}

/* Events of a thread: "TID/TGID WHAT ..." */
static uint64_t tell_of_thread(struct telling *t, uint32_t tid)
{
	uint32_t tgid = number(t), nr;
	char text[MAX_REST];

	if (next_is(t, "moves")) {
		nr = number(t);
		return event_migrate(t->s, t->from, tid, tgid, nr, second(t, ">"));
	}
	if (next_is(t, "waits"))
		return tell_lock(t, tid, tgid);
	if (next_is(t, "reclaims"))
		return tell_memory(t, tid, tgid);
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
	if (next_is(t, "enters")) {
		rest(t, text);
		if (tid == tgid)
			event_attach(t->s, tid, text, t->from);
		else
			event_attach_alone(t->s, tid, tgid, text, t->from);
		return 0;
	}
	give_up(t, "event of a thread");
	return 0;
}

/* A request of a block device: "queued 11 ID", "request 11 ID read 512 vda", "completed ID vda" */
static uint64_t tell_queued(struct telling *t)
{
	uint32_t tid = number(t);

	return event_queued(t->s, t->from, tid, number(t));
}

static uint64_t tell_request(struct telling *t)
{
	static const char * const names[] = { "read", "write", "flush", "discard", NULL };
	uint32_t tid = number(t), operation, bytes;
	uint64_t id = number(t);
	char device[MAX_REST];

	operation = name_of(t, names);
	bytes = number(t);
	return event_request(t->s, t->from, tid, id, rest(t, device), operation, bytes);
}

static uint64_t tell_completed(struct telling *t)
{
	uint64_t id = number(t);
	char device[MAX_REST];

	return event_completion(t->s, t->from, id, rest(t, device), 0);
}

static uint64_t tell_expiry(struct telling *t)
{
	uint32_t tid = number(t);
	char function[MAX_REST];

	return event_timer(t->s, t->from, rest(t, function), tid);
}

static uint64_t tell_steal(struct telling *t)
{
	uint64_t ns = number(t);

	return event_steal(t->s, t->from, cpu(t), ns);
}

/* "data tcp 5432 40000": of a socket with these ports, its own and the other one */
static uint64_t tell_data(struct telling *t)
{
	static const char * const names[] = { "tcp", "tcp6", "listening", "udp", "icmp", NULL };
	static const struct fxt_sched_socket sockets[] = {
		{ FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 0, 0, 100 },
		{ FXT_LINUX_AF_INET6, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 0, 0, 100 },
		{ FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, FXT_LINUX_TCP_LISTEN,
		  0, 0, 0 },
		{ FXT_LINUX_AF_INET, FXT_LINUX_SOCK_DGRAM, FXT_LINUX_UDP, 7, 0, 0, 0 },
		{ FXT_LINUX_AF_INET, FXT_LINUX_SOCK_DGRAM, 1, 7, 0, 0, 0 },
	};
	struct fxt_sched_socket of = sockets[name_of(t, names)];

	of.local_port = number(t);
	of.remote_port = number(t);
	return event_data(t->s, t->from, &of);
}

/* What a look at all threads has found when the recording began. */
static uint64_t tell_sight(struct telling *t)
{
	const char name[FXT_SCHED_COMM_SIZE] = "seen";
	struct fxt_sched_comm comm = fxt_sched_comm(name);
	uint32_t tid = number(t);
	struct fxt_sched_sight sight = { .time = t->from, .letter = *t->at++ };
	__u64 rec[FXT_SCHED_SEEN_WORDS];
	__u32 records, words;

	t->at += strspn(t->at, " ");
	sight.cpu = cpu(t);
	words = fxt_sched_put_task(rec, tid, tid, 0, &comm, (struct fxt_sched_event){ 0 }, &records);
	return story_words(t->s, rec, fxt_sched_add_sight(rec, words, &sight));
}

/* "trigger latency 11 5ms on 0": why a snapshot was made, and the length; "open": not over then */
static uint64_t tell_trigger(struct telling *t)
{
	static const char * const names[] = { "latency", "irq", "softirq", "runnable", NULL };
	static const uint16_t causes[] = {
		FXT_STR_LATENCY, FXT_STR_IRQ, FXT_STR_SOFTIRQ, FXT_STR_RUNNABLE,
	};
	uint16_t cause = causes[name_of(t, names)];
	uint32_t tid = number(t), on;
	uint64_t length = number(t);

	on = cpu(t);
	if (next_is(t, "open"))
		return story_trigger_open_of(t->s, cause, t->from, tid, on, length);
	return story_trigger_of(t->s, cause, t->from, tid, on, length);
}

static const struct {
	const char *word;
	uint64_t (*tell)(struct telling *t);
} events[] = {
	{ "wake", tell_wake }, { "queued", tell_queued }, { "request", tell_request },
	{ "completed", tell_completed }, { "expires", tell_expiry }, { "steal", tell_steal },
	{ "seen", tell_sight }, { "data", tell_data }, { "trigger", tell_trigger },
};

static uint64_t tell_event(struct telling *t)
{
	const char *begin = t->at;
	const int64_t *args = t->args;
	uint64_t nr;
	char text[MAX_REST];

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (next_is(t, events[i].word))
			return events[i].tell(t);
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

/* "process 30 /build/a name": in that cgroup */
static uint64_t tell_process(struct telling *t)
{
	uint32_t pid = number(t);
	size_t bytes = strcspn(t->at, " ");
	char cgroup[MAX_REST] = "", name[MAX_REST];

	memcpy(cgroup, t->at, bytes < MAX_REST ? bytes : 0);
	t->at += bytes;
	t->at += strspn(t->at, " ");
	event_process_in(t->s, pid, rest(t, name), cgroup);
	return 0;
}

/* "bound 11 0-1 NAME": the CPUs that a thread may use, at most 8 characters */
static uint64_t tell_bound(struct telling *t)
{
	uint32_t tid = number(t);
	size_t bytes = strcspn(t->at, " ");
	char cpus[9] = "", name[MAX_REST];

	memcpy(cpus, t->at, bytes < sizeof(cpus) ? bytes : 0);
	t->at += bytes;
	t->at += strspn(t->at, " ");
	event_bound(t->s, tid, cpus, rest(t, name));
	return 0;
}

static uint64_t tell_cgroup(struct telling *t)
{
	uint64_t id = number(t);
	uint32_t of = number(t);
	char path[MAX_REST];

	event_cgroup(t->s, id, of, rest(t, path));
	return 0;
}

static uint64_t tell_name(struct telling *t)
{
	uint32_t tid = number(t), tgid = next_is(t, "/") ? number(t) : tid;
	char name[MAX_REST];

	return story_name(t->s, tid, tgid, rest(t, name));
}

static uint64_t tell_loss(struct telling *t)
{
	uint32_t stream = next_is(t, "names") ? STORY_NAMES : number(t), records = number(t);

	return story_lose(t->s, stream, records, second(t, "@"));
}

static uint64_t tell_session(struct telling *t)
{
	char lines[MAX_REST];

	story_session(t->s, rest(t, lines));
	return 0;
}

static uint64_t tell_tracks(struct telling *t)
{
	event_tracks(t->s, number(t));
	return 0;
}

/* From now on, a thread has this weight; thread 0: none has */
static uint64_t tell_weight(struct telling *t)
{
	t->s->odd = number(t);
	t->s->odd_weight = number(t);
	return 0;
}

static uint64_t tell_end(struct telling *t)
{
	return story_end(t->s, number(t) + t->shift);
}

static uint64_t tell_opening(struct telling *t)
{
	return tell_ledger(t, FXT_LEDGER_OPENING);
}

static uint64_t tell_closing(struct telling *t)
{
	return tell_ledger(t, FXT_LEDGER_CLOSING);
}

static uint64_t tell_statements(struct telling *t);

/* "repeat 9 3ms { ... }": the times in it are 3 ms later each time */
static uint64_t tell_repetition(struct telling *t)
{
	uint64_t count = number(t), step = number(t), shift = t->shift, offset = 0;
	bool was_repeated = t->is_repeated;
	const char *begin;

	want(t, "{");
	t->is_repeated = true;
	for (begin = t->at; count; count--, t->shift += step) {
		t->at = begin;
		offset = tell_statements(t);
	}
	want(t, "}");
	t->is_repeated = was_repeated;
	t->shift = shift;
	return offset;
}

static const struct {
	const char *word;
	uint64_t (*tell)(struct telling *t);
} statements[] = {
	{ "end", tell_end }, { "threads", tell_threads }, { "name", tell_name },
	{ "opening", tell_opening }, { "closing", tell_closing }, { "lose", tell_loss },
	{ "session", tell_session }, { "process", tell_process }, { "cgroup", tell_cgroup },
	{ "tracks", tell_tracks }, { "weight", tell_weight }, { "bound", tell_bound },
	{ "repeat", tell_repetition },
};

static uint64_t tell_statement(struct telling *t)
{
	uint32_t stream;
	uint64_t offset;

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (next_is(t, statements[i].word))
			return statements[i].tell(t);
	t->from = next_is(t, "names") ? STORY_NAMES : number(t);
	if (next_is(t, "@")) {
		stream = t->from;
		t->from = number(t) + t->shift;
		offset = story_chunk(t->s, stream, t->from);
		if (is_over(t))
			return offset;
	} else {
		t->from += t->shift;
	}
	t->to = next_is(t, "-") ? number(t) + t->shift : t->from;
	return tell_event(t);
}

/* Return: the place of the statement with "!", or of the last one */
static uint64_t tell_statements(struct telling *t)
{
	uint64_t offset = 0, place = 0;
	bool is_it;

	for (; *t->at && *t->at != '}'; t->at += strspn(t->at, "; \n")) {
		is_it = next_is(t, "!");
		offset = tell_statement(t);
		if (!is_over(t))
			give_up(t, "\";\"");
		place = is_it ? offset : place;
	}
	return place ? place : offset;
}

uint64_t story_text(struct story *s, const char *text, const int64_t *args)
{
	struct telling t = { .s = s, .text = text, .at = text, .args = args };
	uint64_t time = tell_statements(&t);

	if (*t.at)
		give_up(&t, "statement");
	return time;
}
