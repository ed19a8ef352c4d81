// SPDX-License-Identifier: GPL-2.0-or-later
/* marks.c - the marks of programs in a trace of another tracer. See import.h. */
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

struct field {
	const char *at;
	size_t bytes;
};

static struct field next_field(const char **at, const char *end)
{
	const char *bar = *at < end ? memchr(*at, '|', end - *at) : NULL;
	struct field f = { *at, (bar ? bar : end) - *at };

	*at = bar ? bar + 1 : end;
	return f;
}

static bool number_of(struct field f, int64_t *n)
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

static void set_name(struct trace_mark *mark, struct field f)
{
	mark->name = f.at;
	mark->name_bytes = f.bytes;
}

static void set_track(struct trace_mark *mark, struct field f)
{
	mark->track = f.at;
	mark->track_bytes = f.bytes;
}

static bool parse_fields(struct trace_mark *mark, const char *at, const char *end)
{
	struct field last;

	switch (mark->phase) {
	case 'B':
		/* The name of a slice may contain bars. */
		set_name(mark, (struct field){ at, end - at });
		return true;
	case 'E':
		return true;
	case 'I':
		set_name(mark, next_field(&at, end));
		return mark->name_bytes;
	case 'C':
	case 'S':
	case 'F':
		set_name(mark, next_field(&at, end));
		return mark->name_bytes && number_of(next_field(&at, end), &mark->value);
	case 'N':
		set_track(mark, next_field(&at, end));
		set_name(mark, next_field(&at, end));
		return mark->track_bytes && mark->name_bytes;
	case 'G':
		set_track(mark, next_field(&at, end));
		set_name(mark, next_field(&at, end));
		return mark->track_bytes && mark->name_bytes &&
		       number_of(next_field(&at, end), &mark->value);
	default:	/* H; some writers put a name before the cookie */
		set_track(mark, next_field(&at, end));
		last = next_field(&at, end);
		return mark->track_bytes && number_of(at < end ? next_field(&at, end) : last, &mark->value);
	}
}

bool trace_mark_parse(const char *text, size_t bytes, struct trace_mark *mark)
{
	const char *at = text, *end = text + bytes;
	struct field phase, process;
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
static void end_record(struct trace_marks *m, const struct trace_event *e, struct draft *d,
		       enum fxt_event_type type, uint32_t process, uint32_t thread,
		       const uint64_t *last)
{
	if (last)
		d->rec[d->words++] = *last;
	fxt_sched_put_event_head(d->rec, fxt_event(d->words, type, d->args, FXT_THREAD_REF_INLINE,
						   FXT_STRING_REF_EMPTY, d->name),
				 e->ns, process, thread);
	trace_archive_record(m->a, d->rec, d->words);
}

/* --- marks of threads --------------------------------------------------------------------- */

static void of_thread(struct trace_marks *m, const struct trace_event *e,
		      const struct trace_mark *mark)
{
	static const enum fxt_event_type types[] = {
		['B'] = FXT_EVENT_DURATION_BEGIN, ['E'] = FXT_EVENT_DURATION_END,
		['I'] = FXT_EVENT_INSTANT,
	};
	struct trace_thread *thread = trace_thread(m->threads, e->on);
	uint32_t process;
	struct draft d;

	if (!thread->tgid)
		trace_thread_of(m->threads, e->on, mark->process, e->ns);
	if (mark->phase == 'E' && !thread->depth) {
		m->unbegun++;
		return;
	}
	thread->depth += mark->phase == 'B' ? 1 : mark->phase == 'E' ? -1 : 0;
	process = e->on ? trace_thread_process(m->threads, e->on) : 0;
	if (mark->phase == 'B' && !mark->name_bytes)
		begin_record(&d, EMPTY_NAME, strlen(EMPTY_NAME));
	else
		begin_record(&d, mark->name, mark->name_bytes);
	end_record(m, e, &d, types[(unsigned char)mark->phase], process, e->on, NULL);
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
static uint32_t thread_of(const struct trace_marks *m, const struct trace_event *e,
			  const struct trace_mark *mark)
{
	return e->on && trace_thread_process(m->threads, e->on) == mark->process ? e->on :
										    mark->process;
}

static void counter(struct trace_marks *m, const struct trace_event *e,
		    const struct trace_mark *mark)
{
	const uint64_t id = 0;
	struct draft d;

	begin_record(&d, mark->name, mark->name_bytes);
	add_number(&d, "value", mark->value);
	end_record(m, e, &d, FXT_EVENT_COUNTER, mark->process, mark->process, &id);
}

static bool is_of(const struct operation *o, const struct trace_mark *mark, const char *key,
		  size_t bytes)
{
	return o->process == mark->process && o->cookie == mark->value &&
	       o->is_on_track == !!mark->track && o->bytes == bytes && !memcmp(o->key, key, bytes);
}

/* Operations on tracks nest, as in Perfetto: the newest, which the map finds, ends first. */
static struct operation *find_operation(const struct trace_marks *m, const struct trace_mark *mark,
					const char *key, size_t bytes, uint64_t hash)
{
	struct operation *o;

	return map_find(&m->operations, hash, o, is_of(o, mark, key, bytes));
}

static struct operation *add_operation(struct trace_marks *m, const struct trace_mark *mark,
				       const char *key, size_t bytes, uint64_t hash)
{
	struct operation *o = must(calloc(1, sizeof(*o) + bytes));

	o->id = ++m->last_id;
	o->cookie = mark->value;
	o->process = mark->process;
	o->is_on_track = !!mark->track;
	o->bytes = bytes;
	memcpy(o->key, key, bytes);
	o->name = must(malloc(mark->name_bytes));
	o->name_bytes = mark->name_bytes;
	memcpy(o->name, mark->name, mark->name_bytes);
	map_put(&m->operations, &o->node, hash);
	return o;
}

static void put_operation(struct trace_marks *m, const struct trace_event *e,
			  const struct trace_mark *mark, enum fxt_event_type type,
			  const struct operation *o)
{
	struct draft d;

	begin_record(&d, o->name, o->name_bytes);
	if (type == FXT_EVENT_ASYNC_BEGIN && mark->track)
		add_string(&d, "track", mark->track, mark->track_bytes);
	if (type == FXT_EVENT_ASYNC_BEGIN)
		add_number(&d, "cookie", mark->value);
	end_record(m, e, &d, type, mark->process, thread_of(m, e, mark), &o->id);
}

static void operation(struct trace_marks *m, const struct trace_event *e,
		      const struct trace_mark *mark)
{
	bool is_begin = mark->phase == 'S' || mark->phase == 'G';
	const char *key = mark->track ? mark->track : mark->name;
	size_t bytes = mark->track ? mark->track_bytes : mark->name_bytes;
	uint64_t hash = map_hash(map_hash(mark->process, mark->value), fxt_hash_bytes(key, bytes));
	struct operation *o = find_operation(m, mark, key, bytes, hash);

	if (is_begin && o && !mark->track) {
		m->begun++;
		return;
	}
	if (is_begin && m->operations.count == TRACE_OPERATIONS) {
		m->too_many++;
		return;
	}
	if (!is_begin && !o) {
		m->unbegun++;
		return;
	}
	if (is_begin)
		o = add_operation(m, mark, key, bytes, hash);
	put_operation(m, e, mark, is_begin ? FXT_EVENT_ASYNC_BEGIN : FXT_EVENT_ASYNC_END, o);
	if (is_begin)
		return;
	map_remove(&m->operations, &o->node);
	free(o->name);
	free(o);
}

/* An instant on a process's track: an operation without a length, as in Perfetto. */
static void moment(struct trace_marks *m, const struct trace_event *e, const struct trace_mark *mark)
{
	static const enum fxt_event_type types[] = { FXT_EVENT_ASYNC_BEGIN, FXT_EVENT_ASYNC_END };
	const uint64_t id = ++m->last_id;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct draft d;

		begin_record(&d, mark->name, mark->name_bytes);
		if (!i)
			add_string(&d, "track", mark->track, mark->track_bytes);
		end_record(m, e, &d, types[i], mark->process, thread_of(m, e, mark), &id);
	}
}

/* --- all -------------------------------------------------------------------------------- */

void trace_mark(struct trace_marks *m, const struct trace_event *e)
{
	struct trace_mark mark;

	if (!trace_mark_parse(e->text, strlen(e->text), &mark)) {
		m->too_long++;
		return;
	}
	m->truncated += mark.name_bytes > MOST_NAME || mark.track_bytes > MOST_TRACK;
	mark.name_bytes = mark.name_bytes < MOST_NAME ? mark.name_bytes : MOST_NAME;
	mark.track_bytes = mark.track_bytes < MOST_TRACK ? mark.track_bytes : MOST_TRACK;
	if (trace_mark_is_of_thread(&mark))
		of_thread(m, e, &mark);
	else if (mark.phase == 'C')
		counter(m, e, &mark);
	else if (mark.phase == 'N')
		moment(m, e, &mark);
	else
		operation(m, e, &mark);
}

void trace_marks_report(const struct trace_marks *m, const char *path)
{
	if (m->unbegun)
		message("fxt: %s: %" PRIu64 " marks of programs end something that began before the trace; they are left out\n",
			path, m->unbegun);
	if (m->begun)
		message("fxt: %s: %" PRIu64 " marks of programs begin an operation that has begun already; they are left out\n",
			path, m->begun);
	if (m->truncated)
		message("fxt: %s: %" PRIu64 " names in marks of programs were truncated to %u bytes, or of tracks to %u\n",
			path, m->truncated, MOST_NAME, MOST_TRACK);
	if (m->too_long)
		message("fxt: %s: %" PRIu64 " marks of programs are left out: they are longer than %u bytes\n",
			path, m->too_long, TRACE_MARK_BYTES);
	if (m->too_many)
		message("fxt: %s: %" PRIu64 " marks of programs begin operations while %u others are open; they are left out\n",
			path, m->too_many, TRACE_OPERATIONS);
}

void trace_marks_close(struct trace_marks *m)
{
	struct operation *o;

	map_drain(&m->operations, o) {
		free(o->name);
		free(o);
	}
}
