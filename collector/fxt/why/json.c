// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - answers as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "answer.h"
#include "words.h"
#include "liboutput/json.h"

#define VIA	32	/* printed threads of a chain, those next to the part */

/* --- the schema ---------------------------------------------------------------------------- */

#define STOLEN	"at most so much of it the host of the virtual machine had the CPU"

static const struct schema thread[] = {
	MEMBER("tid", IS_NUMBER),
	MEMBER("name", IS_TEXT | OR_NULL),
	{ 0 }
};

static const struct schema by[] = {
	MEMBER("tid", IS_NUMBER | OR_NULL, .about = "null if it is no thread"),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("ns", IS_NS),
	MEMBER("kind", IS_TEXT | OR_ABSENT,
	       .about = "what it is, if not a thread; limit: of a scheduling class"),
	MEMBER("about", IS_TEXT | OR_ABSENT, .about = "what an interrupt was for"),
	MEMBER("host_ns", IS_NS | OR_ABSENT, .about = STOLEN),
	MEMBER("in_queues_ns", IS_NS | OR_ABSENT,
	       .about = "of ns, in which the requests that ended sleeps were in queues"),
	{ 0 }
};

static const struct schema of_window[] = {
	MEMBER("thread", IS_OBJECT, .of = thread),
	MEMBER("from_ns", IS_TIME),
	MEMBER("to_ns", IS_TIME),
	MEMBER("is_open", IS_FLAG, .about = "the wait or sleep was not over by then"),
	{ 0 }
};

#define MEMBERS_OF_LOCK								\
	MEMBER("kind", IS_TEXT, .about = "as fxt-collect(1) names them"),		\
	MEMBER("process", IS_NUMBER | OR_NULL,						\
	       .about = "of a futex; null of locks of the kernel, or if it is not "	\
			"known"),							\
	MEMBER("address", IS_TEXT, .about = "hexadecimal"),				\
	MEMBER("holder", IS_OBJECT | OR_NULL, .of = thread,				\
	       .about = "when the waiter last looked")

static const struct schema given_up[] = {
	MEMBERS_OF_LOCK,
	{ 0 }
};

static const struct schema slept_for[] = {
	MEMBERS_OF_LOCK,
	MEMBER("is_released", IS_FLAG,
	       .about = "the part's thread is known to have woken the waiter through this futex"),
	{ 0 }
};

static const struct schema of_futex[] = {
	MEMBER("process", IS_NUMBER | OR_NULL),
	MEMBER("address", IS_TEXT, .about = "hexadecimal"),
	{ 0 }
};

static const struct schema ahead[] = {
	MEMBER("requests", IS_NUMBER, .about = "how many of the last 256 that any device completed before it"),
	MEMBER("thread", IS_OBJECT | OR_NULL, .of = thread,
	       .about = "that submitted more than half of them"),
	MEMBER("of_thread", IS_NUMBER, .about = "how many"),
	MEMBER("is_part", IS_FLAG | OR_ABSENT, .about = "there may be more than these"),
	{ 0 }
};

static const struct schema request[] = {
	MEMBER("device", IS_TEXT),
	MEMBER("operation", IS_TEXT),
	MEMBER("bytes", IS_NUMBER),
	MEMBER("issued_ns", IS_TIME, .about = "when the driver got it"),
	MEMBER("completed_ns", IS_TIME),
	MEMBER("queued_ns", IS_TIME | OR_ABSENT, .about = "when it was first queued, or the driver first got one that it put back"),
	MEMBER("ahead", IS_OBJECT | OR_ABSENT, .of = ahead,
	       .about = "requests that the device had before it, and completed before it"),
	{ 0 }
};

static const struct schema memory[] = {
	MEMBER("name", IS_TEXT,
	       .about = "direct reclaim, cgroup reclaim, compaction; or that it is several of them"),
	MEMBER("ns", IS_NS),
	{ 0 }
};

static const struct schema data[] = {
	MEMBER("protocol", IS_NUMBER, .about = "of its family: 6 TCP, 17 UDP"),
	MEMBER("local_port", IS_NUMBER | OR_NULL),
	MEMBER("remote_port", IS_NUMBER | OR_NULL),
	MEMBER("bytes", IS_NUMBER | OR_NULL, .about = "of a TCP connection, that nobody had read; "
	       "before Linux 6.3 those that arrived"),
	MEMBER("time_ns", IS_TIME, .about = "when they arrived"),
	{ 0 }
};

static const struct schema part[] = {
	MEMBER("from_ns", IS_TIME),
	MEMBER("to_ns", IS_TIME),
	MEMBER("thread", IS_OBJECT,
	       .about = "the thread of the chain that ran, was runnable or slept", .of = thread),
	MEMBER("cause", IS_WORD,
	       .about = "asleep: a sleep that an interrupt, a request, a timer or data ended, or that is not over; "
			"or the end of one, when its waker had left its CPU",
	       .words = "running|runnable|asleep|interrupt|throttled|limited|unknown"),
	MEMBER("cpu", IS_NUMBER | OR_NULL),
	MEMBER("by", IS_LIST, .about = "who had the CPU, or ended the sleep", .of = by),
	MEMBER("via", IS_LIST,
	       .about = "the chain above the thread, beginning with that of the window; its last 32",
	       .of = thread),
	MEMBER("via_omitted", IS_NUMBER | OR_ABSENT, .about = "how many more the chain has"),
	MEMBER("detail", IS_TEXT | OR_ABSENT,
	       .about = "why the part is unknown, or how the sleep ended"),
	MEMBER("host_ns", IS_NS | OR_ABSENT, .about = STOLEN),
	MEMBER("memory", IS_OBJECT | OR_ABSENT, .of = memory,
	       .about = "what the thread did meanwhile, asleep or not"),
	MEMBER("given_up", IS_OBJECT | OR_ABSENT, .of = given_up,
	       .about = "the lock for which the thread slept until something other than a thread "
			"ended the sleep, e.g. its timeout"),
	MEMBER("open_lock", IS_OBJECT | OR_ABSENT, .of = given_up,
	       .about = "the lock for which the thread slept when that fired the trigger, if the "
			"sleep is not over"),
	MEMBER("lock", IS_OBJECT | OR_ABSENT, .of = slept_for,
	       .about = "for which the thread above slept"),
	MEMBER("futex", IS_OBJECT | OR_ABSENT, .of = of_futex,
	       .about = "through which the thread woke the one above it; not known to be a lock"),
	MEMBER("waited_during", IS_TEXT | OR_ABSENT,
	       .about = "the reclaim or compaction inside of which the thread above slept"),
	MEMBER("request", IS_OBJECT | OR_ABSENT,
	       .about = "of a block device; its completion ended the sleep", .of = request),
	MEMBER("data", IS_OBJECT | OR_ABSENT,
	       .about = "of a socket; their arrival ended the sleep", .of = data),
	MEMBER("slept_in", IS_TEXT | OR_ABSENT, .about = "a function, like the next two"),
	MEMBER("waited_in", IS_TEXT | OR_ABSENT),
	MEMBER("woken_from", IS_TEXT | OR_ABSENT),
	MEMBER("through", IS_TEXT | OR_ABSENT,
	       .about = "the interrupt by which the thread woke the one above it"),
	MEMBER("work", IS_TEXT | OR_ABSENT,
	       .about = "the work item in which the thread woke the one above it"),
	MEMBER("timer", IS_TEXT | OR_ABSENT, .about = "likewise the timer that it served"),
	MEMBER("brought", IS_TEXT | OR_ABSENT,
	       .about = "likewise the data that it sent, or that came in an interrupt that it served"),
	{ 0 }
};

static const struct schema window[] = {
	MEMBER("window", IS_OBJECT, .of = of_window),
	MEMBER("parts", IS_LIST,
	       .about = "sorted; the end of each is the begin of the next", .of = part),
	{ 0 }
};

static const struct schema longest[] = {
	MEMBER("from_ns", IS_TIME),
	MEMBER("ns", IS_NS),
	MEMBER("of", IS_OBJECT, .about = "the thread of its window", .of = thread),
	{ 0 }
};

static const struct schema cause[] = {
	MEMBER("cause", IS_TEXT, .about = "as of parts; or other"),
	MEMBER("detail", IS_TEXT | OR_ABSENT, .about = "likewise"),
	MEMBER("host_ns", IS_NS | OR_ABSENT, .about = STOLEN),
	MEMBER("memory", IS_OBJECT | OR_ABSENT,
	       .about = "as of parts; of those in which one thread had the CPU", .of = memory),
	MEMBER("ns", IS_NS),
	MEMBER("count", IS_NUMBER),
	MEMBER("thread", IS_OBJECT | OR_NULL,
	       .about = "if it is not that of the window", .of = thread),
	MEMBER("by", IS_OBJECT | OR_NULL, .of = by),
	MEMBER("longest", IS_LIST, .about = "those of at most ten parts", .of = longest),
	{ 0 }
};

static const struct schema head[] = {
	MEMBER("archive", IS_TEXT),
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("kind", IS_WORD,
	       .about = "what the windows are", .words = "trigger|wait|sleep|time|life"),
	{ 0 }
};

static const struct schema causes[] = {
	{ .is = IS_HERE, .of = why_schema_ran },
	MEMBER("causes", IS_LIST,
	       .about = "the sums over all windows, those with most time first", .of = cause),
	{ 0 }
};

const struct schema why_schema_window[] = {
	{ .is = IS_HERE, .of = head },
	{ .is = IS_HERE, .of = window },
	{ .is = IS_HERE, .of = causes },
	{ 0 }
};

const struct schema why_schema_windows[] = {
	{ .is = IS_HERE, .of = head },
	MEMBER("windows", IS_LIST, .of = window),
	{ .is = IS_HERE, .of = causes },
	{ 0 }
};

/* --- the document -------------------------------------------------------------------------- */

static void print_thread(struct json *j, const char *key, const struct history *h, uint32_t thread)
{
	json_object(j, key);
	json_number(j, "tid", history_koid(h, thread));
	json_text(j, "name", history_name(h, thread));
	json_end(j, '}');
}

static void print_stolen(struct json *j, uint64_t ns)
{
	if (ns)
		json_number(j, "host_ns", ns);
}

static void print_by(struct json *j, const char *key, const struct history *h,
		     const struct why_by *by)
{
	const char *about = why_origin_words(h, by);

	json_object(j, key);
	json_number_if(j, "tid", by->who == WHY_THREAD || by->who == WHY_IDLE, history_koid(h, by->id));
	json_text(j, "name", why_by_name(h, by));
	json_number(j, "ns", by->ns);
	if (why_by_kind(h, by))
		json_text(j, "kind", why_by_kind(h, by));
	if (about)
		json_text(j, "about", about);
	print_stolen(j, by->stolen);
	if (by->queued)
		json_number(j, "in_queues_ns", by->queued);
	json_end(j, '}');
}

/*
 * The chain from the window's thread to the parent of the part's thread; of long chains, the end.
 */
static void print_via(struct json *j, const struct why_print *p, uint32_t link)
{
	const struct why_link *f = why_link(p->walk, link);
	uint32_t chain[VIA], depth = f->depth, count = 0;

	for (; f->parent && count < VIA; f = why_link(p->walk, f->parent))
		chain[count++] = why_link(p->walk, f->parent)->thread;
	json_array(j, "via");
	while (count)
		print_thread(j, NULL, p->h, chain[--count]);
	json_end(j, ']');
	if (depth > VIA)
		json_number(j, "via_omitted", depth - VIA);
}

static void print_function(struct json *j, const char *key, const char *name)
{
	if (name)
		json_text(j, key, name);
}

static void print_lock_members(struct json *j, const struct history *h,
			       const struct history_lock *lock, bool is_lock)
{
	const struct sched_origin *of = history_origin(h, lock->origin);
	char address[2 + 16 + 1];

	snprintf(address, sizeof(address), "0x%" PRIx64, of->number);
	if (is_lock)
		json_text(j, "kind", of->name);
	json_number_if(j, "process", of->process, of->process);
	json_text(j, "address", address);
	if (is_lock && lock->holder)
		print_thread(j, "holder", h, lock->holder - 1);
	else if (is_lock)
		json_null(j, "holder");
}

/* The lock or the futex that the thread above slept for until the thread of the part woke it. */
static void print_lock(struct json *j, const struct history *h, uint32_t turn, uint32_t thread)
{
	const struct history_lock *lock = history_lock_before(h, turn);
	const struct sched_origin *of = lock ? history_origin(h, lock->origin) : NULL;
	bool is_lock = of && sched_origin_is_lock(of);

	if (!of || (!is_lock && lock->waker != thread + 1))
		return;
	json_object(j, is_lock ? "lock" : "futex");
	print_lock_members(j, h, lock, is_lock);
	if (is_lock)
		json_boolean(j, "is_released", lock->waker == thread + 1);
	json_end(j, '}');
}

static void print_given_up(struct json *j, const struct history *h, uint32_t turn)
{
	const struct history_lock *lock = why_lock(h, turn);

	if (!lock)
		return;
	json_object(j, "given_up");
	print_lock_members(j, h, lock, true);
	json_end(j, '}');
}

static void print_open_lock(struct json *j, const struct history *h, const struct why_part *part)
{
	struct history_lock lock;

	if (!why_open_lock(h, part->thread, part->from, &lock))
		return;
	json_object(j, "open_lock");
	print_lock_members(j, h, &lock, true);
	json_end(j, '}');
}

static void print_ahead(struct json *j, const struct history *h, const struct history_done *done)
{
	const struct history_ahead ahead = history_ahead_of(h, done);

	if (!ahead.count)
		return;
	json_object(j, "ahead");
	json_number(j, "requests", ahead.count);
	if (ahead.thread)
		print_thread(j, "thread", h, ahead.thread - 1);
	else
		json_null(j, "thread");
	json_number(j, "of_thread", ahead.most);
	if (ahead.is_part)
		json_boolean(j, "is_part", true);
	json_end(j, '}');
}

static void print_memory(struct json *j, const struct history *h, const struct history_memory *m)
{
	if (!m->ns)
		return;
	json_object(j, "memory");
	json_text(j, "name", history_memory_name(h, m->origin));
	json_number(j, "ns", m->ns);
	json_end(j, '}');
}

/* The reclaim or compaction in which the thread above slept before the turn. */
static void print_during(struct json *j, const struct history *h, uint32_t turn)
{
	uint32_t in = history_memory_asleep(h, history_turn(h, turn));

	if (in)
		json_text(j, "waited_during", history_memory_name(h, in));
}

static void print_request(struct json *j, const struct history *h, const struct history_done *done)
{
	if (!done)
		return;
	json_object(j, "request");
	json_text(j, "device", history_origin(h, done->origin)->name);
	json_text(j, "operation", kernel_event_operation(history_origin(h, done->origin)->number));
	json_number(j, "bytes", done->bytes);
	json_number(j, "issued_ns", done->issued);
	json_number(j, "completed_ns", done->time);
	if (done->queued)
		json_number(j, "queued_ns", done->queued);
	print_ahead(j, h, done);
	json_end(j, '}');
}

static void print_data(struct json *j, const struct history_data *d)
{
	if (!d)
		return;
	json_object(j, "data");
	json_number(j, "protocol", d->protocol);
	json_number_if(j, "local_port", d->local_port, d->local_port);
	json_number_if(j, "remote_port", d->remote_port, d->remote_port);
	json_number_if(j, "bytes", d->bytes, d->bytes);
	json_number(j, "time_ns", d->time);
	json_end(j, '}');
}

static void print_ended(struct json *j, const struct history *h, uint32_t turn)
{
	const struct history_ended ended = why_ended(h, turn);

	print_request(j, h, ended.request);
	print_data(j, ended.data);
}

/* The interrupt, work item and so on in which a link's thread woke the one above it. */
static void print_waking(struct json *j, const struct history *h, uint32_t turn)
{
	const struct history_ended ended = why_ended(h, turn);
	const struct history_work *work = why_work(h, turn);

	if (work)
		json_text(j, "work", history_origin(h, work->origin)->name);
	if (ended.timer)
		json_text(j, "timer", history_origin(h, ended.timer->origin)->name);
	if (ended.data)
		json_text(j, "brought", history_origin(h, ended.data->origin)->name);
}

static void print_part(struct json *j, const struct why_print *p, const struct why_answer *a,
		       const struct why_answer_part *of)
{
	const struct why_part *part = &of->part;
	uint32_t i, turn;

	json_object(j, NULL);
	json_number(j, "from_ns", part->from);
	json_number(j, "to_ns", part->to);
	print_thread(j, "thread", p->h, part->thread);
	json_text(j, "cause", why_cause_name(part->cause));
	if (part->cpu == HISTORY_NO_CPU)
		json_null(j, "cpu");
	else
		json_number(j, "cpu", part->cpu);
	json_array(j, "by");
	for (i = 0; i < of->count; i++)
		print_by(j, NULL, p->h, tape_at(&a->by, of->by + i));
	json_end(j, ']');
	print_via(j, p, part->link);
	if (part->detail)
		json_text(j, "detail", why_detail_words(p->h, part->detail));
	print_stolen(j, part->stolen);
	print_memory(j, p->h, &part->memory);
	if (part->cause == WHY_ASLEEP && part->detail != WHY_OPEN)
		print_function(j, "slept_in", why_function(p->h, part->turn, false));
	if (part->cause == WHY_ASLEEP && part->detail != WHY_OPEN && part->detail != WHY_WAKING)
		print_ended(j, p->h, part->turn);
	if (part->cause == WHY_ASLEEP && part->detail == WHY_OPEN)
		print_open_lock(j, p->h, part);
	if (part->cause == WHY_ASLEEP && (part->detail == WHY_PLAIN || part->detail == WHY_OWN))
		print_given_up(j, p->h, part->turn);
	if (part->link > 1) {
		turn = why_link(p->walk, part->link)->turn;
		print_lock(j, p->h, turn, part->thread);
		print_during(j, p->h, turn);
		print_function(j, "waited_in", why_function(p->h, turn, false));
		print_function(j, "woken_from", why_function(p->h, turn, true));
		print_function(j, "through", why_through(p->h, turn));
		print_waking(j, p->h, turn);
	}
	json_end(j, '}');
}

static void print_window(struct json *j, const struct why_print *p, const struct why_answer *a)
{
	uint64_t i;

	json_object(j, "window");
	print_thread(j, "thread", p->h, a->window->thread);
	json_number(j, "from_ns", a->window->from);
	json_number(j, "to_ns", a->window->to);
	json_boolean(j, "is_open", a->window->is_open);
	json_end(j, '}');
	json_array(j, "parts");
	for (i = a->parts.count; i; i--)
		print_part(j, p, a, tape_at(&a->parts, i - 1));
	json_end(j, ']');
}

static void print_row(struct json *j, const struct why_print *p, const struct why_row *r)
{
	unsigned int i;

	json_object(j, NULL);
	json_text(j, "cause", r->is_rest ? "other" : why_cause_name(r->cause));
	if (r->detail)
		json_text(j, "detail", why_detail_words(p->h, r->detail));
	if (r->by.who == WHY_NOBODY)
		print_stolen(j, r->by.stolen);
	print_memory(j, p->h, &r->memory);
	json_number(j, "ns", r->by.ns);
	json_number(j, "count", r->count);
	if (r->is_other)
		print_thread(j, "thread", p->h, r->thread);
	else
		json_null(j, "thread");
	if (r->by.who == WHY_NOBODY)
		json_null(j, "by");
	else
		print_by(j, "by", p->h, &r->by);
	json_array(j, "longest");
	for (i = 0; i < r->longest_count; i++) {
		json_object(j, NULL);
		json_number(j, "from_ns", r->longest[i].from);
		json_number(j, "ns", r->longest[i].ns);
		print_thread(j, "of", p->h, r->longest[i].thread);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

void why_json_begin(const struct why_print *p, size_t count)
{
	static const char *const kinds[] = {
		[WHY_TRIGGER] = "trigger",
		[WHY_TRIGGER_SLEEP] = "trigger",
		[WHY_WAIT] = "wait",
		[WHY_SLEEP] = "sleep",
		[WHY_TIME] = "time",
		[WHY_LIFE] = "life",
	};
	struct json j = { .o = p->o };

	json_begin(&j, '{');
	json_text(&j, "archive", p->path);
	scope_print_json(&j, p->scope, p->threads);
	json_text(&j, "kind", kinds[p->kind]);
	if (count == 1)
		return;
	json_array(&j, "windows");
}

void why_json_window(const struct why_print *p, const struct why_answer *a, size_t count,
		     bool is_first)
{
	struct json j = { .o = p->o, .is_more = count == 1 || !is_first };

	if (count == 1) {
		print_window(&j, p, a);
		return;
	}
	json_object(&j, NULL);
	print_window(&j, p, a);
	json_end(&j, '}');
}

void why_json_end(const struct why_print *p, const struct why_sums *s, size_t count)
{
	struct json j = { .o = p->o, .is_more = true };
	size_t i;

	if (count != 1)
		json_end(&j, ']');
	why_json_ran(&j, p);
	json_array(&j, "causes");
	for (i = 0; i < s->count; i++)
		print_row(&j, p, s->rows[i]);
	json_end(&j, ']');
	json_end(&j, '}');
	out_char(p->o, '\n');
}
