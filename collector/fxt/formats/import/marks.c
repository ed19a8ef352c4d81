// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * marks.c - events with texts in a trace of another tracer: the marks of programs, and where a
 * thread sleeps. See import.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/text.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "import.h"

/* --- texts ----------------------------------------------------------------------------- */

static struct trace_text next_field(const char **at, const char *end)
{
	const char *bar = *at < end ? memchr(*at, '|', end - *at) : NULL;
	struct trace_text f = { *at, (bar ? bar : end) - *at };

	*at = bar ? bar + 1 : end;
	return f;
}

static bool number_of(struct trace_text f, int64_t *n)
{
	char digits[24], *end;

	if (!f.bytes || f.bytes >= sizeof(digits))
		return false;
	memcpy(digits, f.at, f.bytes);
	digits[f.bytes] = '\0';
	errno = 0;
	*n = strtoll(digits, &end, 10);
	return !*end && !errno;
}

static bool parse_fields(struct trace_mark *mark, const char *at, const char *end)
{
	/* The fields of each phase: name, track, value. */
	static const char *const forms[] = {
		['B'] = "", ['C'] = "nv", ['E'] = "", ['F'] = "nv", ['G'] = "tnv", ['H'] = "tv",
		['I'] = "n", ['N'] = "tn", ['S'] = "nv",
	};
	const char *form = forms[(unsigned char)mark->phase];
	struct trace_text f;

	/* The name of a slice may contain bars. */
	if (mark->phase == 'B')
		mark->name = (struct trace_text){ at, end - at };
	for (; *form; form++) {
		f = next_field(&at, end);
		/* Some writers put a name before the cookie of H. */
		if (*form == 'v')
			return number_of(mark->phase == 'H' && at < end ? next_field(&at, end) : f,
					 &mark->value);
		*(*form == 'n' ? &mark->name : &mark->track) = f;
		if (!f.bytes)
			return false;
	}
	return true;
}

bool trace_mark_parse(const char *text, size_t bytes, struct trace_mark *mark)
{
	const char *at = text, *end = text + bytes;
	struct trace_text phase, process;
	int64_t id = 0;

	*mark = (struct trace_mark){ 0 };
	while (end > at && (end[-1] == '\n' || end[-1] == '\r' || !end[-1]))
		end--;
	phase = next_field(&at, end);
	if (phase.bytes != 1 || !*phase.at || !strchr("BECSFIGHN", *phase.at))
		return false;
	mark->phase = *phase.at;
	process = next_field(&at, end);
	if (!number_of(process, &id) || id < 0 || id >= TRACE_PIDS) {
		/* Some programs write only "E". */
		if (mark->phase != 'E' || process.bytes)
			return false;
		id = 0;
	}
	mark->process = id;
	return parse_fields(mark, at, end);
}

/* --- records --------------------------------------------------------------------------- */

#define EMPTY_NAME	"[empty slice name]"

/* With both, a record fits TRACE_RECORD_WORDS. */
#define MOST_NAME	800U
#define MOST_TRACK	128U

struct draft {
	__u64 rec[TRACE_RECORD_WORDS];
	uint32_t words;
	uint32_t args;
	__u64 name;		/* string ref */
};

/* Add a text inline; invalid UTF-8 becomes question marks. Returns its string ref. */
static __u64 add_text(struct draft *d, const char *text, size_t bytes)
{
	char *to = (char *)(d->rec + d->words);
	size_t valid;

	if (!bytes)
		return FXT_STRING_REF_EMPTY;
	d->words += fxt_stream_words(bytes);
	d->rec[d->words - 1] = 0;
	memcpy(to, text, bytes);
	for (valid = 0; (valid += fxt_utf8_valid(to + valid, bytes - valid)) < bytes; valid++)
		to[valid] = '?';
	return fxt_string_ref_inline(bytes);
}

static void begin_record(struct draft *d, const char *name, size_t bytes)
{
	d->words = FXT_SCHED_EVENT_HEAD;
	d->args = 0;
	d->name = add_text(d, name, bytes);
}

static void add_number(struct draft *d, const char *name, int64_t value)
{
	uint32_t at = d->words++;
	__u64 ref = add_text(d, name, strlen(name));

	d->rec[d->words++] = value;
	d->rec[at] = fxt_arg_int64(d->words - at, ref);
	d->args++;
}

static void add_string(struct draft *d, const char *name, const char *text, size_t bytes)
{
	uint32_t at = d->words++;
	__u64 ref = add_text(d, name, strlen(name)), value = add_text(d, text, bytes);

	d->rec[at] = fxt_arg_string(d->words - at, ref, value);
	d->args++;
}

/* @last: the word after the arguments, if the type has one */
static void end_record(struct trace *t, const struct trace_event *e, struct draft *d,
		       enum fxt_event_type type, uint32_t process, uint32_t thread,
		       const uint64_t *last)
{
	if (last)
		d->rec[d->words++] = *last;
	fxt_sched_put_event_head(d->rec, fxt_event(d->words, type, d->args, FXT_THREAD_REF_INLINE,
						   FXT_STRING_REF_EMPTY, d->name),
				 e->ns, process, thread);
	trace_archive_record(&t->a, d->rec, d->words);
}

/* --- marks of threads --------------------------------------------------------------------- */

static void of_thread(struct trace *t, const struct trace_event *e,
		      const struct trace_mark *mark)
{
	static const enum fxt_event_type types[] = {
		['B'] = FXT_EVENT_DURATION_BEGIN, ['E'] = FXT_EVENT_DURATION_END,
		['I'] = FXT_EVENT_INSTANT,
	};
	struct trace_thread *thread = trace_thread(t, e->on);
	uint32_t process;
	struct draft d;

	if (!thread->tgid)
		trace_thread_of(t, e->on, mark->process, e->ns);
	if (mark->phase == 'E' && !thread->depth) {
		t->marks.unbegun++;
		return;
	}
	thread->depth += mark->phase == 'B' ? 1 : mark->phase == 'E' ? -1 : 0;
	process = e->on ? trace_thread_process(t, e->on) : 0;
	if (mark->phase == 'B' && !mark->name.bytes)
		begin_record(&d, EMPTY_NAME, strlen(EMPTY_NAME));
	else
		begin_record(&d, mark->name.at, mark->name.bytes);
	end_record(t, e, &d, types[(unsigned char)mark->phase], process, e->on, NULL);
}

/* --- marks of processes ------------------------------------------------------------------- */

struct operation {
	struct map_node node;
	uint64_t id;
	int64_t cookie;
	uint32_t process;
	bool is_on_track;	/* @key is the name of a track, not of the operation */
	size_t bytes;
	char *name;
	size_t name_bytes;
	char key[];
};

/* The thread for a process's mark: the one that wrote it, or else the main thread. */
static uint32_t thread_of(struct trace *t, const struct trace_event *e,
			  const struct trace_mark *mark)
{
	return e->on && trace_thread_process(t, e->on) == mark->process ? e->on : mark->process;
}

static void counter(struct trace *t, const struct trace_event *e, const struct trace_mark *mark)
{
	const uint64_t id = 0;
	struct draft d;

	begin_record(&d, mark->name.at, mark->name.bytes);
	add_number(&d, "value", mark->value);
	end_record(t, e, &d, FXT_EVENT_COUNTER, mark->process, mark->process, &id);
}

static bool is_of(const struct operation *o, const struct trace_mark *mark, struct trace_text key)
{
	return o->process == mark->process && o->cookie == mark->value &&
	       o->is_on_track == !!mark->track.at && o->bytes == key.bytes &&
	       !memcmp(o->key, key.at, key.bytes);
}

static struct operation *add_operation(struct trace *t, const struct trace_mark *mark,
				       struct trace_text key, uint64_t hash)
{
	struct operation *o = must(calloc(1, sizeof(*o) + key.bytes));

	o->id = ++t->marks.last_id;
	o->cookie = mark->value;
	o->process = mark->process;
	o->is_on_track = !!mark->track.at;
	o->bytes = key.bytes;
	memcpy(o->key, key.at, key.bytes);
	o->name = must(malloc(mark->name.bytes));
	o->name_bytes = mark->name.bytes;
	memcpy(o->name, mark->name.at, mark->name.bytes);
	map_put(&t->marks.operations, &o->node, hash);
	return o;
}

static void put_operation(struct trace *t, const struct trace_event *e,
			  const struct trace_mark *mark, enum fxt_event_type type,
			  const struct operation *o)
{
	struct draft d;

	begin_record(&d, o->name, o->name_bytes);
	if (type == FXT_EVENT_ASYNC_BEGIN && mark->track.at)
		add_string(&d, "track", mark->track.at, mark->track.bytes);
	if (type == FXT_EVENT_ASYNC_BEGIN)
		add_number(&d, "cookie", mark->value);
	end_record(t, e, &d, type, mark->process, thread_of(t, e, mark), &o->id);
}

/* Operations on tracks nest, as in Perfetto: the newest, which the map finds, ends first. */
static void operation(struct trace *t, const struct trace_event *e, const struct trace_mark *mark)
{
	bool is_begin = mark->phase == 'S' || mark->phase == 'G';
	struct trace_text key = mark->track.at ? mark->track : mark->name;
	uint64_t hash = map_hash(map_hash(mark->process, mark->value),
				 fxt_hash_bytes(key.at, key.bytes));
	struct operation *o;

	map_find(&t->marks.operations, hash, o, is_of(o, mark, key));
	if (is_begin && o && !mark->track.at) {
		t->marks.begun++;
		return;
	}
	if (is_begin && t->marks.operations.count == TRACE_OPERATIONS) {
		t->marks.too_many++;
		return;
	}
	if (!is_begin && !o) {
		t->marks.unbegun++;
		return;
	}
	if (is_begin)
		o = add_operation(t, mark, key, hash);
	put_operation(t, e, mark, is_begin ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END, o);
	if (is_begin)
		return;
	map_remove(&t->marks.operations, &o->node);
	free(o->name);
	free(o);
}

/* An instant on a process's track: an operation without a length, as in Perfetto. */
static void moment(struct trace *t, const struct trace_event *e, const struct trace_mark *mark)
{
	static const enum fxt_event_type types[] = { FXT_EVENT_ASYNC_BEGIN, FXT_EVENT_ASYNC_END };
	const uint64_t id = ++t->marks.last_id;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct draft d;

		begin_record(&d, mark->name.at, mark->name.bytes);
		if (!i)
			add_string(&d, "track", mark->track.at, mark->track.bytes);
		end_record(t, e, &d, types[i], mark->process, thread_of(t, e, mark), &id);
	}
}

/* --- where a thread sleeps --------------------------------------------------------------- */

/*
 * The caller is where the thread sleeps, unless a call chain shows more. An instant with the name
 * and fields of the event records whether the thread waits for I/O.
 */
void trace_blocked(struct trace *t, const struct trace_event *e)
{
	static const char event[] = "sched_blocked_reason", io_wait[] = "iowait";
	struct trace_thread *thread = trace_thread(t, e->thread);
	const char *caller = e->frame_count ? trace_symbol_name(&t->symbols, *e->frames) : NULL;
	struct draft d;
	uint32_t at;
	__u64 ref;

	if (!thread->frame_count)
		trace_stack_keep(thread, e);
	begin_record(&d, event, strlen(event));
	at = d.words++;
	ref = add_text(&d, io_wait, strlen(io_wait));
	d.rec[at] = fxt_arg_bool(d.words - at, ref, !!e->value);
	d.args++;
	if (caller)
		add_string(&d, "caller", caller, strlen(caller));
	end_record(t, e, &d, FXT_EVENT_INSTANT, trace_thread_process(t, e->thread), e->thread, NULL);
}

/* --- marks ------------------------------------------------------------------------------- */

void trace_event_mark(struct trace_event *e, const char *text, size_t length)
{
	struct trace_mark mark;

	if (!trace_mark_parse(text, length, &mark)) {
		e->what = TRACE_NOTHING;
		strcpy(e->name.bytes, "print");
		return;
	}
	if (trace_mark_is_of_thread(&mark))
		e->tgid = mark.process;
	trace_event_free(e);
	e->text = must(strndup(text, length < TRACE_MARK_BYTES ? length : TRACE_MARK_BYTES));
}

void trace_mark(struct trace *t, const struct trace_event *e)
{
	struct trace_mark mark;

	if (!trace_mark_parse(e->text, strlen(e->text), &mark)) {
		t->marks.too_long++;
		return;
	}
	t->marks.truncated += mark.name.bytes > MOST_NAME || mark.track.bytes > MOST_TRACK;
	mark.name.bytes = mark.name.bytes < MOST_NAME ? mark.name.bytes : MOST_NAME;
	mark.track.bytes = mark.track.bytes < MOST_TRACK ? mark.track.bytes : MOST_TRACK;
	if (trace_mark_is_of_thread(&mark))
		of_thread(t, e, &mark);
	else if (mark.phase == 'C')
		counter(t, e, &mark);
	else if (mark.phase == 'N')
		moment(t, e, &mark);
	else
		operation(t, e, &mark);
}

void trace_marks_report(const struct trace *t, const char *path)
{
	if (t->marks.unbegun)
		message("fxt: %s: %" PRIu64 " marks of programs end something that began before the trace; they are left out\n",
			path, t->marks.unbegun);
	if (t->marks.begun)
		message("fxt: %s: %" PRIu64 " marks of programs begin an operation that has begun already; they are left out\n",
			path, t->marks.begun);
	if (t->marks.truncated)
		message("fxt: %s: %" PRIu64 " names in marks of programs were truncated to %u bytes, or of tracks to %u\n",
			path, t->marks.truncated, MOST_NAME, MOST_TRACK);
	if (t->marks.too_long)
		message("fxt: %s: %" PRIu64 " marks of programs are left out: they are longer than %u bytes\n",
			path, t->marks.too_long, TRACE_MARK_BYTES);
	if (t->marks.too_many)
		message("fxt: %s: %" PRIu64 " marks of programs begin operations while %u others are open; they are left out\n",
			path, t->marks.too_many, TRACE_OPERATIONS);
}

void trace_marks_close(struct trace *t)
{
	struct operation *o;

	map_drain(&t->marks.operations, o) {
		free(o->name);
		free(o);
	}
}
