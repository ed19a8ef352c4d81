// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched_custom.h>

#include "tool.h"
#include "trace.h"

/* the state of the walk over the records */
struct loader {
	struct trace *t;
	struct fxt_reader *r;
	bool torn_ok;
	struct fxt_content c;
	struct trace_stream *stream;	/* the current stream of records, or NULL */
	struct why *why;
};

int complain(struct why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -1;
}

/* Make room for one more: the array doubles at each power of two. */
static void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? count * 2 : 1) * size);
	if (!array)
		abort();
	return array;
}

#define ADD(array, count)							\
	((array) = grow(array, count, sizeof(*(array))), &(array)[(count)++])

const struct trace_stream *trace_stream(const struct trace *t, uint32_t id)
{
	for (size_t i = 0; i < t->stream_count; i++)
		if (t->streams[i].id == id)
			return &t->streams[i];
	return NULL;
}

const struct trace_name *trace_find_name(const struct trace *t, uint8_t type, uint64_t koid)
{
	for (size_t i = t->name_count; i--; )
		if (t->names[i].type == type && t->names[i].koid == koid)
			return &t->names[i];
	return NULL;
}

uint64_t trace_lost(const struct trace *t)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < t->stream_count; i++)
		if (t->streams[i].ledger_count)
			lost += t->streams[i].ledgers[t->streams[i].ledger_count - 1].l.lost -
				t->streams[i].opening.lost;
	return lost;
}

long trace_session_number(const struct trace *t, const char *key)
{
	char line[64];
	const char *at;

	snprintf(line, sizeof(line), "\n%s ", key);
	at = strstr(t->session, line);
	return at ? strtol(at + strlen(line), NULL, 10) : -1;
}

const struct trace_mark *trace_find_mark(const struct trace *t, uint16_t name)
{
	for (size_t i = 0; i < t->mark_count; i++)
		if (t->marks[i].name == name)
			return &t->marks[i];
	return NULL;
}

static int load_ledger(struct loader *l, const struct fxt_record *rec,
		       const struct fxt_ledger *ledger)
{
	struct trace_stream *s = (void *)trace_stream(l->t, ledger->stream);
	struct trace_ledger *entry;

	if (!s) {
		s = ADD(l->t->streams, l->t->stream_count);
		*s = (struct trace_stream){ .id = ledger->stream };
	}
	if (s->closed)
		return complain(l->why, "byte %" PRIu64 ": ledger of stream %u after its closing one",
				rec->offset, s->id);
	if (ledger->kind == FXT_LEDGER_OPENING) {
		if (s->ledger_count)
			return complain(l->why, "byte %" PRIu64 ": stream %u opens in its midst",
					rec->offset, s->id);
		s->opening = *ledger;
	}
	/* Sub-buffers without a switch or wakeup may come between the loss and the next one. */
	s->after_loss |= ledger->kind != FXT_LEDGER_CONTINUED &&
			 ledger->lost > (s->ledger_count ?
					 s->ledgers[s->ledger_count - 1].l.lost : 0);
	entry = ADD(s->ledgers, s->ledger_count);
	*entry = (struct trace_ledger){ .offset = rec->offset, .l = *ledger, .stored = s->stored,
					.events = s->event_count, .before = s->last };
	s->closed = ledger->kind == FXT_LEDGER_CLOSING;
	l->stream = s->closed ? NULL : s;
	return 0;
}

static int load_blob(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;
	struct fxt_ledger ledger;
	size_t used;

	if (c->name.known == FXT_STR_LEDGER) {
		if (rec->size == FXT_LEDGER_WORDS &&
		    fxt_sched_get_ledger((const void *)rec->words, &ledger))
			return load_ledger(l, rec, &ledger);
		return complain(l->why, "byte %" PRIu64 ": a ledger that is none", rec->offset);
	}
	if (c->name.known == FXT_STR_SYMBOLS)
		return symbol_lines_add(&l->t->symbols, c->blob.data, c->blob.bytes) ?
		       complain(l->why, "byte %" PRIu64 ": no memory", rec->offset) : 0;
	used = strlen(l->t->session);
	if (c->name.known == FXT_STR_SESSION && c->blob.bytes < sizeof(l->t->session) - used)
		memcpy(l->t->session + used, c->blob.data, c->blob.bytes);
	return 0;
}

static void store(struct loader *l, const struct fxt_record *rec, uint64_t time)
{
	struct trace_stream *s = l->stream;
	struct trace_ledger *ledger = &s->ledgers[s->ledger_count - 1];

	if (ledger->stored == s->stored)
		ledger->after = time;
	if (time < s->last && !s->backwards)
		s->backwards = rec->offset;
	s->last = time;
	s->stored++;
}

static int load_scheduling(struct loader *l, const struct fxt_record *rec)
{
	struct trace_event e = { .offset = rec->offset, .time = l->c.time };

	/* The collector wrote this switch, not a producer. */
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH && l->c.sw.unknown == FXT_STR_LOST) {
		*ADD(l->t->ends, l->t->end_count) = l->c.sw;
		return 0;
	}
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH && fxt_is_mark(l->c.sw.unknown)) {
		trace_add_edge(l->t, ADD(l->t->edges, l->t->edge_count), rec->offset, &l->c.sw);
		return 0;
	}

	if (!l->stream || l->stream->id == FXT_LEDGER_STREAM_NAMES)
		return complain(l->why, "byte %" PRIu64 ": scheduling record outside the streams of CPUs",
				rec->offset);
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH) {
		e.sw = l->c.sw;
	} else {
		e.wakeup = l->c.wakeup;
		e.is_wakeup = true;
	}
	e.stream = l->stream->id;
	e.after_loss = l->stream->after_loss;
	l->stream->after_loss = false;
	store(l, rec, e.time);
	*ADD(l->stream->events, l->stream->event_count) = e;
	return 0;
}

static bool is_of_group(const struct fxt_content *c)
{
	static const struct {
		uint16_t category;
		uint16_t first;
		uint16_t last;
	} records[] = {
#define RECORD(what, category, first, last, ...) { category, first, last },
		FXT_RECORDS(RECORD, ARG)
#undef RECORD
	};
	size_t i;

	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		if (c->category.known == records[i].category &&
		    (c->category.known != FXT_STR_CATEGORY ||
		     (c->name.known >= records[i].first && c->name.known <= records[i].last)))
			return true;
	return fxt_text_is(&c->category, FXT_SCHED_CUSTOM_CATEGORY);
}

static struct trace_group_event group_event(const struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;
	struct trace_group_event e = {
		.offset = rec->offset, .kind = rec->kind, .begin = c->time,
		.time = rec->kind == FXT_KIND_DURATION_COMPLETE ? c->end : c->time,
		.process = c->thread.process, .thread = c->thread.thread, .id = c->id,
		.category = c->category.known, .name = c->name.known,
		.arg_count = c->arg_count,
	};

	for (unsigned int i = 0; i < c->arg_count && i < TRACE_ARGS; i++)
		e.args[i] = c->args[i].u64;
	snprintf(e.text, sizeof(e.text), "%.*s", c->name.length, c->name.bytes);
	return e;
}

static int load_group_event(struct loader *l, const struct fxt_record *rec)
{
	struct trace_group_event e = group_event(l, rec);

	/* The collector wrote it, not a producer. */
	if (e.category == FXT_STR_STEAL) {
		*ADD(l->t->group_events, l->t->group_event_count) = e;
		return 0;
	}
	if (!l->stream || l->stream->id == FXT_LEDGER_STREAM_NAMES)
		return complain(l->why, "byte %" PRIu64 ": event of a group outside the streams of CPUs",
				rec->offset);
	if (e.begin > e.time)
		return complain(l->why, "byte %" PRIu64 ": slice that ends before it begins",
				rec->offset);
	e.stream = l->stream->id;
	store(l, rec, e.time);
	*ADD(l->t->group_events, l->t->group_event_count) = e;
	return 0;
}

static int load_stack(struct loader *l, const struct fxt_record *rec)
{
	const struct trace_stream *s = l->stream;
	const struct fxt_content *c = &l->c;
	struct trace_stack *to;

	if (!s || s->id == FXT_LEDGER_STREAM_NAMES || c->frame_count > 2 * FXT_SCHED_STACK_FRAMES)
		return complain(l->why, "byte %" PRIu64 ": backtrace outside the streams of CPUs, or too long",
				rec->offset);
	store(l, rec, c->time);
	to = ADD(l->t->stacks, l->t->stack_count);
	*to = (struct trace_stack){
		.offset = rec->offset, .time = c->time, .stream = s->id,
		.after = s->event_count ? s->events[s->event_count - 1].offset : 0,
		.process = c->thread.process, .thread = c->thread.thread,
		.sample_ns = fxt_sched_sample_ns(c->frame_flags), .count = c->frame_count,
	};
	memcpy(to->frames, c->frames, c->frame_count * sizeof(*c->frames));
	return 0;
}

/* Load a counter of a cgroup, which the collector writes between the chunks of all streams. */
static int load_quota(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;

	if (c->arg_count != 3 || c->thread.process != FXT_SCHED_KOID_THROTTLE ||
	    c->thread.thread != FXT_SCHED_KOID_THROTTLE)
		return complain(l->why, "byte %" PRIu64 ": a counter that is not of a cgroup",
				rec->offset);
	for (unsigned int i = 0; i < 3; i++)
		if (c->args[i].type != FXT_ARG_UINT64 ||
		    c->args[i].name.known != FXT_STR_NR_PERIODS + i)
			return complain(l->why, "byte %" PRIu64 ": another argument %u",
					rec->offset, i);
	*ADD(l->t->quotas, l->t->quota_count) = group_event(l, rec);
	return 0;
}

/* Names of the tracks of losses are between the chunks of other streams. */
static bool is_loss_koid(uint64_t koid)
{
	return koid >= FXT_SCHED_KOID_LOSS && koid <= fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES);
}

/* So are those of the tracks of cgroups. */
static bool is_cgroup_koid(uint64_t koid)
{
	return koid >> 28 == FXT_SCHED_KOID_CGROUPS >> 28;
}

static void take_argument(struct trace_name *n, const struct fxt_arg *a)
{
	uint16_t name = a->name.known;

	if (a->type == FXT_ARG_KOID && name == FXT_STR_PROCESS) {
		n->process = a->u64;
	} else if (a->type == FXT_ARG_KOID && name == FXT_STR_PARENT) {
		n->parent = a->u64;
	} else if (a->type == FXT_ARG_STRING && name == FXT_STR_CPUS) {
		snprintf(n->cpus, sizeof(n->cpus), "%.*s", a->text.length, a->text.bytes);
	} else if (a->type == FXT_ARG_UINT64 &&
		   (name == FXT_STR_FORK || name == FXT_STR_EXEC || name == FXT_STR_RENAME ||
		    name == FXT_STR_FOLDED)) {
		n->event = name;
		n->event_time = a->u64;
	}
}

static int load_object(struct loader *l, const struct fxt_record *rec)
{
	struct trace_name n = { .offset = rec->offset };
	const struct fxt_content *c = &l->c;

	if (is_loss_koid(c->object))
		return 0;
	if (l->stream && !is_cgroup_koid(c->object)) {
		if (l->stream->id != FXT_LEDGER_STREAM_NAMES)
			return complain(l->why, "byte %" PRIu64 ": kernel object %" PRIu64 " in the stream of CPU %u",
					rec->offset, c->object, l->stream->id);
		l->stream->stored++;
	}
	n.koid = c->object;
	for (unsigned int i = 0; i < c->arg_count; i++)
		take_argument(&n, &c->args[i]);
	n.type = c->object_type;
	snprintf(n.text, sizeof(n.text), "%.*s", c->name.length, c->name.bytes);
	*ADD(l->t->names, l->t->name_count) = n;
	return 0;
}

static int load_event(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;

	if (c->arg_count != 1 || c->category.known != FXT_STR_CATEGORY ||
	    c->name.known != FXT_STR_LOST || c->args[0].name.known != FXT_STR_RECORDS ||
	    c->args[0].type != FXT_ARG_UINT32 ||
	    c->thread.process != FXT_SCHED_KOID_LOSS || !is_loss_koid(c->thread.thread))
		return complain(l->why, "byte %" PRIu64 ": event that is no loss", rec->offset);
	*ADD(l->t->losses, l->t->loss_count) = (struct trace_loss) {
		.stream = c->thread.thread - fxt_sched_loss_koid(0),
		.from = c->time,
		.to = c->end,
		.records = c->args[0].u64,
	};
	return 0;
}

static int load_instant(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;
	struct trace_instant i = {
		.offset = rec->offset, .what = c->name.known, .time = c->time,
		.thread = c->thread.thread, .process = c->thread.process,
	};

	for (const struct fxt_arg *a = c->args; a < c->args + c->arg_count; a++) {
		bool is_old = a->name.known == FXT_STR_OLDCOMM;
		uint16_t new = i.what == FXT_STR_EXEC ? FXT_STR_COMM : FXT_STR_NEWCOMM;

		if (a->type != FXT_ARG_STRING || (!is_old && a->name.known != new))
			return complain(l->why, "byte %" PRIu64 ": an argument that is no name",
					rec->offset);
		snprintf(is_old ? i.before : i.after, TRACE_NAME_SIZE, "%.*s",
			 a->text.length, a->text.bytes);
	}
	*ADD(l->t->instants, l->t->instant_count) = i;
	return 0;
}

static int load_counter(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;

	if (c->category.known != FXT_STR_CATEGORY || c->name.known != FXT_STR_CPU ||
	    c->thread.process != FXT_SCHED_KOID_LOSS ||
	    c->thread.thread != FXT_SCHED_KOID_LOSS || c->id > UINT16_MAX / 8 ||
	    c->arg_count != 2 || c->args[0].name.known != FXT_STR_RUNNABLE ||
	    c->args[0].type != FXT_ARG_UINT32 || c->args[1].type != FXT_ARG_UINT32 ||
	    c->args[1].name.known != FXT_STR_SWITCHES)
		return complain(l->why, "byte %" PRIu64 ": a counter that is not of a CPU",
				rec->offset);
	*ADD(l->t->counters, l->t->counter_count) = (struct trace_counter) {
		.time = c->time,
		.cpu = c->id,
		.runnable = c->args[0].u64,
		.rate = c->args[1].u64,
	};
	return 0;
}

static int load_mark(struct loader *l, const struct fxt_record *rec)
{
	const struct fxt_content *c = &l->c;
	struct trace_mark m = { .name = c->name.known, .time = c->time };

	if (c->category.known == FXT_STR_CATEGORY &&
	    (m.name == FXT_STR_EXEC || m.name == FXT_STR_RENAME))
		return load_instant(l, rec);
	if (c->category.known != FXT_STR_CATEGORY ||
	    c->thread.process != FXT_SCHED_KOID_LOSS || c->thread.thread != FXT_SCHED_KOID_LOSS ||
	    (m.name != FXT_STR_TRIGGER && m.name != FXT_STR_COMPLETE))
		return complain(l->why, "byte %" PRIu64 ": instant that is no mark", rec->offset);
	for (unsigned int i = 0; i < c->arg_count; i++) {
		switch (c->args[i].name.known) {
		case FXT_STR_THREAD:
			m.thread = c->args[i].u64;
			break;
		case FXT_STR_CPU:
			m.cpu = c->args[i].u64;
			break;
		case FXT_STR_LATENCY:
			m.latency = c->args[i].u64;
			break;
		case FXT_STR_UNKNOWN:
			m.goes_on = c->args[i].text.known == FXT_STR_END;
			break;
		}
	}
	*ADD(l->t->marks, l->t->mark_count) = m;
	return 0;
}

/* Readers disagree on how many words the process has where it is inline, so it is an index. */
static int load_mapped(struct loader *l, const struct fxt_record *rec)
{
	uint16_t index = rec->kind == FXT_KIND_THREAD ? l->c.index : l->c.thread.ref;

	if (index == FXT_SCHED_THREAD_MAPPED && !l->c.thread.thread)
		return 0;
	return complain(l->why, "byte %" PRIu64 ": %s with index %u, of thread %" PRIu64, rec->offset,
			fxt_kind_name(rec->kind), index, l->c.thread.thread);
}

static int load_record(struct loader *l, const struct fxt_record *rec)
{
	if (fxt_reader_content(l->r, rec, &l->c))
		return complain(l->why, "%s", fxt_reader_error(l->r));
	switch (rec->kind) {
	case FXT_KIND_PROVIDER_EVENT:
		l->t->provider_events++;
		return 0;
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_MAGIC:
	case FXT_KIND_STRING:
		return 0;
	case FXT_KIND_THREAD:
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
		return load_mapped(l, rec);
	case FXT_KIND_INITIALIZATION:
		l->t->ticks_per_second = l->c.ticks_per_second;
		return 0;
	case FXT_KIND_DURATION_COMPLETE:
		return is_of_group(&l->c) ? load_group_event(l, rec) : load_event(l, rec);
	case FXT_KIND_ASYNC_BEGIN:
	case FXT_KIND_ASYNC_END:
		if (is_of_group(&l->c))
			return load_group_event(l, rec);
		break;
	case FXT_KIND_INSTANT:
		return is_of_group(&l->c) ? load_group_event(l, rec) : load_mark(l, rec);
	case FXT_KIND_COUNTER:
		if (l->c.category.known == FXT_STR_THROTTLED)
			return load_quota(l, rec);
		return is_of_group(&l->c) ? load_group_event(l, rec) : load_counter(l, rec);
	case FXT_KIND_BACKTRACE:
		return load_stack(l, rec);
	case FXT_KIND_BLOB:
		return load_blob(l, rec);
	case FXT_KIND_KERNEL_OBJECT:
		return load_object(l, rec);
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_THREAD_WAKEUP:
		return load_scheduling(l, rec);
	}
	return complain(l->why, "byte %" PRIu64 ": a record of kind %s",
			rec->offset, fxt_kind_name(rec->kind));
}

/* Only the end of a torn archive may be invalid. */
static void note_torn(void *arg, const struct fxt_deviation *d)
{
	struct loader *l = arg;

	if (d->kind == FXT_DEV_PAST_END && l->torn_ok)
		l->t->torn = true;
	else if (!l->why->text[0])
		complain(l->why, "%s", d->text);
}

/* Run fxt check on the archive. */
static int tool_check(const char *path, struct why *why)
{
	struct tool tool;
	int ret = 0;

	if (tool_run(&tool, ARGS("check", path)))
		ret = complain(why, "fxt check ended with status %d: %.200s%.200s",
			       tool.status, tool.out ? tool.out : "", tool.err ? tool.err : "");
	tool_free(&tool);
	return ret;
}

int trace_load(struct trace *t, const char *path, bool torn_ok, struct why *why)
{
	struct loader l = { .t = t, .why = why, .torn_ok = torn_ok };
	struct fxt_reader_options o = {
		.strict = !torn_ok,
		.deviation = note_torn,
		.arg = &l,
	};
	struct fxt_record rec;
	int ret;

	memset(t, 0, sizeof(*t));
	why->text[0] = '\0';
	ret = fxt_reader_open(&l.r, path, &o);
	if (ret) {
		complain(why, "%s: %s", path, l.r ? fxt_reader_error(l.r) : strerror(-ret));
		fxt_reader_close(l.r);
		return -1;
	}
	while ((ret = fxt_reader_next(l.r, &rec)) == 1) {
		t->bytes = rec.offset + rec.size * FXT_WORD;
		ret = load_record(&l, &rec);
		if (ret)
			break;
	}
	fxt_reader_close(l.r);
	if (ret || why->text[0])
		return -1;
	return torn_ok ? 0 : tool_check(path, why);
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; i < t->stream_count; i++) {
		free(t->streams[i].events);
		free(t->streams[i].ledgers);
	}
	free(t->streams);
	free(t->names);
	free(t->losses);
	free(t->ends);
	free(t->edges);
	free(t->marks);
	free(t->instants);
	free(t->counters);
	free(t->group_events);
	free(t->stacks);
	symbol_lines_free(&t->symbols);
	free(t->quotas);
	memset(t, 0, sizeof(*t));
}
