// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - reads the Trace Event Format (JSON).
 *
 * The format is an array of events, whose end may be missing, or an object with such an array.
 * The member with ftrace's text becomes records of scheduling after all others; other members
 * become blobs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_name.h>

#include "libfxt/foreign.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libfxt/map.h"
#include "libfxt/text.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/import.h"
#include "walk/koids.h"
#include "bind.h"
#include "scan.h"
#include "fields.h"
#include "formats/formats.h"

/* --------------------------------------------------------------------
 * An event as a record.
 *
 * If FXT cannot express a field, all fields of the event become arguments "json.NAME", ids first,
 * then "json.ph"; except name, cat, ts, pid, tid, args and a complete event's dur. Objects, arrays,
 * and strings that could be mistaken for them become JSON text.
 *
 * A record holds 15 arguments. Those that do not fit, or are named like fields, become one
 * argument: the JSON text "json.args".
 */

enum json_loss {
	JSON_LOSS_EVENT,	/* the whole event */
	JSON_LOSS_NO_TIME,
	JSON_LOSS_NEGATIVE,
	JSON_LOSS_ARGS,
	JSON_LOSS_LONG,
	JSON_LOSS_UTF8,
	JSON_LOSS_FLOW,
	JSON_LOSS_OWNER,
	JSON_LOSS_COUNTER,	/* from here on expected: reported, but not a deviation */
	JSON_LOSS_ASYNC_FLOW,
	JSON_LOSS_COUNT
};

struct json_events {
	struct fxt_writer *w;
	int error;			/* the first write error */
	uint64_t events;
	int64_t shift;			/* ns, added to all times */
	uint64_t lost[JSON_LOSS_COUNT];
	struct fxt_content c;
	char names[FXT_MAX_ARGS][64];	/* of arguments that are fields */
	char *texts[FXT_MAX_ARGS];	/* allocated texts of arguments */
	unsigned int text_count;
	struct json_element inner;	/* a parsed text that may be JSON */
	struct json_element flow;	/* the event of a part of a flow that has waited */
	struct bind bind;
	struct map owners;		/* of ids of flows and asynchronous operations */
	char counter_id[FXT_MAX_STRING + 1];	/* a counter's id that is not a number, or "" */
	struct map ids;			/* whose names have been written */
	char counter[2 * (FXT_MAX_STRING + 1)];	/* name and id */
};

static const char *const loss_names[JSON_LOSS_COUNT] = {
	[JSON_LOSS_EVENT]	= "events that are not objects, have no phase or do not fit a record",
	[JSON_LOSS_NO_TIME]	= "events without a time",
	[JSON_LOSS_NEGATIVE]	= "events at a negative time, or one beyond 64 bits",
	[JSON_LOSS_ARGS]	= "events with more fields than a record holds",
	[JSON_LOSS_LONG]	= "strings that were truncated",
	[JSON_LOSS_UTF8]	= "strings with invalid UTF-8, which became question marks",
	[JSON_LOSS_FLOW]	= "parts of flows that are in no flow, because too much waits or is too far away",
	[JSON_LOSS_OWNER]	= "parts of flows and operations whose ids other ones may have, because there are too many ids",
	[JSON_LOSS_ASYNC_FLOW]	= "flows from and to asynchronous operations, which FXT does not have",
	[JSON_LOSS_COUNTER]	= "fields and arguments of counters that are not numbers of a series",
};

#define JSON_TICKS	1000000000	/* per second */
#define SHORT_STRING	200	/* bytes kept of long strings if a record is too long */
#define REST		JSON_FIELD JSON_REST

/* --- texts ---------------------------------------------------------------------- */

static size_t fit(const char *text, size_t length, size_t most)
{
	size_t n = 0, next = 0;

	if (length <= most)
		return length;
	while (next <= most) {
		n = next;
		next += fxt_utf8_length((const unsigned char *)text + n, length - n);
	}
	return n;
}

static struct fxt_text text_of(struct json_events *e, char *text, size_t length)
{
	size_t i, n;
	bool bad = false;

	for (i = 0; i < length; i += n ? n : 1) {
		n = fxt_utf8_length((const unsigned char *)text + i, length - i);
		if (!n) {
			text[i] = '?';
			bad = true;
		}
	}
	n = fit(text, length, FXT_MAX_STRING);
	e->lost[JSON_LOSS_UTF8] += bad;
	e->lost[JSON_LOSS_LONG] += n < length;
	return (struct fxt_text){ .bytes = text, .length = n };
}

/* The string itself, or another value as JSON. */
static struct fxt_text value_text(struct json_events *e, const struct json_value *v)
{
	if (!v)
		return (struct fxt_text){ .bytes = "" };
	if (v->is_ascii && v->length <= FXT_MAX_STRING)
		return (struct fxt_text){ .bytes = v->text, .length = v->length };
	return text_of(e, v->text, v->length);
}

/* Keep a JSON text until the next event, because the record refers to it. */
static struct fxt_text kept_text(struct json_events *e, struct json_text *text)
{
	e->texts[e->text_count++] = text->bytes;
	return text_of(e, text->bytes, text->length);
}

/* A string that contains JSON keeps its quotes, to distinguish it from an object or array. */
static struct fxt_text arg_text(struct json_events *e, const struct json_value *v)
{
	struct json_text text = { 0 };

	if (v->type != JSON_STRING || !json_element_nested(&e->inner, v->text, v->length))
		return value_text(e, v);
	json_text_value(&text, v);
	return kept_text(e, &text);
}

/* --- arguments ------------------------------------------------------------------ */

static void set_int(struct fxt_arg *a, const struct json_value *v)
{
	uint64_t n = json_value_int(v);

	if (*v->text != '-' && n > INT64_MAX) {
		a->type = FXT_ARG_UINT64;
		a->u64 = n;
	} else {
		a->i64 = n;
		a->type = a->i64 >= INT32_MIN && a->i64 <= INT32_MAX ? FXT_ARG_INT32 : FXT_ARG_INT64;
	}
}

static void add_arg(struct json_events *e, struct fxt_text name, const struct json_value *v)
{
	struct fxt_arg *a = &e->c.args[e->c.arg_count++];

	*a = (struct fxt_arg){ .name = name };
	switch (v ? v->type : JSON_NULL) {
	case JSON_NULL:
		a->type = FXT_ARG_NULL;
		break;
	case JSON_BOOLEAN:
		a->type = FXT_ARG_BOOL;
		a->u64 = *v->text == 't';
		break;
	case JSON_INT:
		set_int(a, v);
		break;
	case JSON_DOUBLE:
		a->type = FXT_ARG_DOUBLE;
		a->f64 = strtod(v->text, NULL);
		break;
	default:
		a->type = FXT_ARG_STRING;
		a->text = arg_text(e, v);
	}
}

static void add_field(struct json_events *e, const struct fxt_text *name, const struct json_value *v)
{
	char *to = e->names[e->c.arg_count];
	size_t length = strlen(JSON_FIELD) + name->length;

	/*
	 * Each argument of a counter is a series, so fields cannot be added. Its id is kept
	 * elsewhere.
	 */
	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER] += !fxt_text_is(name, "id") && !fxt_text_is(name, "id2");
		return;
	}
	if (e->c.arg_count >= FXT_MAX_ARGS - 1 || length >= sizeof(e->names[0])) {
		e->lost[JSON_LOSS_ARGS]++;
		return;
	}
	memcpy(to, JSON_FIELD, strlen(JSON_FIELD));
	memcpy(to + strlen(JSON_FIELD), name->bytes, name->length);
	add_arg(e, text_of(e, to, length), v);
}

static void add_known(struct json_events *e, const char *name, const struct json_value *v)
{
	const struct fxt_text text = { .bytes = name, .length = strlen(name) };

	add_field(e, &text, v);
}

static bool is_field(const struct json_value *name)
{
	return name->length >= strlen(JSON_FIELD) &&
	       !memcmp(name->text, JSON_FIELD, strlen(JSON_FIELD));
}

/* Leaves the object open: no closing brace. */
static void add_rest(struct json_text *rest, const struct json_member *m)
{
	json_text_add(rest, rest->length ? "," : "{", 1);
	json_text_value(rest, &m->name);
	json_text_add(rest, ":", 1);
	json_text_value(rest, &m->value);
}

static void put_rest(struct json_events *e, struct json_text *rest, size_t count)
{
	struct fxt_arg *a = &e->c.args[e->c.arg_count];

	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER] += count;
		free(rest->bytes);
		return;
	}
	json_text_add(rest, "}", 1);
	*a = (struct fxt_arg){ .name = { .bytes = REST, .length = strlen(REST) },
			       .type = FXT_ARG_STRING };
	a->text = kept_text(e, rest);
	e->c.arg_count++;
}

static void add_args(struct json_events *e, const struct json_element *from)
{
	const struct json_value *args = json_element_get(from, JSON_ARGS);
	unsigned int room = FXT_MAX_ARGS - e->c.arg_count;
	struct json_text rest = { 0 };
	size_t i, left = 0;

	if (!args || args->type != JSON_OBJECT) {
		if (args)
			add_known(e, "args", args);
		return;
	}
	room -= from->args.count > room;
	for (i = 0; i < from->args.count; i++) {
		const struct json_member *m = &from->args.list[i];

		if (e->c.kind == FXT_KIND_COUNTER && m->value.type != JSON_INT &&
		    m->value.type != JSON_DOUBLE) {
			e->lost[JSON_LOSS_COUNTER]++;
		} else if (!is_field(&m->name) && room && m->name.length <= FXT_MAX_STRING) {
			add_arg(e, value_text(e, &m->name), &m->value);
			room--;
		} else {
			add_rest(&rest, m);
			left++;
		}
	}
	if (left)
		put_rest(e, &rest, left);
}

/* --- records --------------------------------------------------------------------- */

static bool write_record(struct json_events *e)
{
	int ret = fxt_writer_record(e->w, &e->c);

	if (ret == -ENOMEM)
		memory_ran_out();
	if (ret != -EINVAL && !e->error)
		e->error = ret;
	return ret != -EINVAL;
}

/* If the record is too long, shorten its strings. */
static void put_record(struct json_events *e)
{
	bool is_valid = write_record(e);
	unsigned int i;

	for (i = 0; !is_valid && i < e->c.arg_count; i++) {
		struct fxt_text *text = &e->c.args[i].text;

		if (e->c.args[i].type != FXT_ARG_STRING || text->length <= SHORT_STRING)
			continue;
		text->length = fit(text->bytes, text->length, SHORT_STRING);
		e->lost[JSON_LOSS_LONG]++;
	}
	e->lost[JSON_LOSS_EVENT] += !is_valid && !write_record(e);
}

static void begin_record(struct json_events *e, enum fxt_kind kind)
{
	memset(&e->c, 0, offsetof(struct fxt_content, args));
	e->c.kind = kind;
	e->c.name = e->c.category = (struct fxt_text){ .bytes = "" };
}

static void put_blob(struct json_events *e, const char *name, const char *text, size_t length)
{
	struct fxt_content *c = &e->c;
	size_t at, bytes;

	begin_record(e, FXT_KIND_BLOB);
	c->name = text_of(e, (char *)name, strlen(name));
	c->blob_type = FXT_BLOB_DATA;
	for (at = 0; at <= length && !e->error; at += JSON_PART_BYTES) {
		bytes = length - at < JSON_PART_BYTES ? length - at : JSON_PART_BYTES;
		c->blob = (struct fxt_bytes){ .data = text + at, .bytes = bytes };
		c->blob_held = bytes;
		put_record(e);
	}
}

/* Keep a member of the trace's object as a blob. */
static void keep_member(struct json_events *e, const char *name, const struct json_value *value)
{
	struct json_text text = { 0 };

	json_text_value(&text, value);
	put_blob(e, name, text.bytes, text.length);
	free(text.bytes);
}

/* @process: of a thread; NULL: unknown, or the object is a process */
static void begin_object(struct json_events *e, struct fxt_text name, bool is_thread, uint64_t koid,
			 const uint64_t *process)
{
	begin_record(e, FXT_KIND_KERNEL_OBJECT);
	e->c.name = name;
	e->c.object = koid;
	e->c.object_type = is_thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS;
	if (process)
		e->c.args[e->c.arg_count++] = (struct fxt_arg){
			.name = fxt_known_text(FXT_STR_PROCESS),
			.type = FXT_ARG_KOID, .u64 = *process,
		};
}

/* Ids that are not numbers also become fields. */
static void put_ids(struct json_events *e, const struct json_element *from,
		    struct fxt_thread_id *id)
{
	const struct json_value *pid = json_element_get(from, JSON_PID);
	const struct json_value *tid = json_element_get(from, JSON_TID);

	if (!json_value_koid(pid, 0, &id->process))
		add_known(e, "pid", pid);
	if (!json_value_koid(tid, id->process, &id->thread))
		add_known(e, "tid", tid);
}

static bool is_string(const struct json_value *v, const char *text)
{
	return v && v->type == JSON_STRING && v->length == strlen(text) &&
	       !memcmp(v->text, text, v->length);
}

/* Names of processes and threads become kernel objects, other metadata blobs. */
static void metadata(struct json_events *e, const struct json_element *from)
{
	const struct json_value *name = json_element_get(from, JSON_NAME);
	struct json_value *text = json_members_find(&from->args, "name");
	bool is_thread = is_string(name, "thread_name");
	struct fxt_thread_id id = e->c.thread;

	if (!text || text->type != JSON_STRING ||
	    (!is_thread && !is_string(name, "process_name"))) {
		/* It is valid. */
		json_element_parse(&e->inner, JSON_VALUE, from->value.text, from->value.length);
		put_blob(e, JSON_METADATA, e->inner.value.text, e->inner.value.length);
		return;
	}
	begin_object(e, value_text(e, text), is_thread, is_thread ? id.thread : id.process,
		     is_thread ? &id.process : NULL);
	put_ids(e, from, &id);
	put_record(e);
}

static const struct phase {
	uint8_t kind;
	bool exact;	/* the kind means the same as the phase */
} phases[128] = {
#define PHASE(kind, phase) [phase] = { kind, true },
	JSON_PHASES(PHASE)
#undef PHASE
	['I'] = { FXT_KIND_INSTANT, true },
	['S'] = { FXT_KIND_ASYNC_BEGIN, false },
	['T'] = { FXT_KIND_ASYNC_INSTANT, false },
	['p'] = { FXT_KIND_ASYNC_INSTANT, false },
	['F'] = { FXT_KIND_ASYNC_END, false },
};

/* Does each record of this kind have the field, whatever its value is? */
static bool is_common(enum fxt_kind kind, enum json_name field)
{
	return field == JSON_NAME || field == JSON_CAT || field == JSON_PH || field == JSON_TS ||
	       field == JSON_PID || field == JSON_TID || field == JSON_ARGS ||
	       (field == JSON_DUR && kind == FXT_KIND_DURATION_COMPLETE);
}

/* Does the record express the value of this field? */
static bool is_expressed(enum fxt_kind kind, const struct json_member *m, bool id_is_exact)
{
	if (m->known == JSON_ID)
		return id_is_exact;
	if (m->known == JSON_BP)
		return kind == FXT_KIND_FLOW_END && is_string(&m->value, "e");
	if (m->known == JSON_S)
		return kind == FXT_KIND_INSTANT && is_string(&m->value, "t");
	return is_common(kind, m->known);
}

static bool is_of_thread(enum fxt_kind kind)
{
	return kind == FXT_KIND_INSTANT || kind == FXT_KIND_DURATION_BEGIN ||
	       kind == FXT_KIND_DURATION_END || kind == FXT_KIND_DURATION_COMPLETE;
}

/* Add "json.ph" and the fields that the record lacks, unless it expresses the whole event. */
static void add_fields(struct json_events *e, const struct json_element *from, bool exact,
		       bool id_is_exact)
{
	enum fxt_kind kind = e->c.kind;
	bool has_all = exact &&
		       (kind != FXT_KIND_FLOW_END || json_element_get(from, JSON_BP)) &&
		       (is_of_thread(kind) || id_is_exact);
	const struct json_member *m = from->object.list, *end = m + from->object.count;

	for (; m < end && has_all; m++)
		has_all = is_expressed(kind, m, id_is_exact);
	if (has_all)
		return;
	if (kind != FXT_KIND_COUNTER)
		add_known(e, "ph", json_element_get(from, JSON_PH));
	for (m = from->object.list; m < end; m++) {
		const struct fxt_text name = { .bytes = m->name.text, .length = m->name.length };

		if (!is_common(kind, m->known))
			add_field(e, &name, &m->value);
	}
}

/* Name and id identify a counter, so an id that is not a number is added to the name. */
static void keep_counter_id(struct json_events *e, const struct json_value *id)
{
	uint64_t number;

	if (e->c.kind != FXT_KIND_COUNTER || !id ||
	    (json_value_number(id, &number) && number == e->c.id))
		return;
	e->c.id = 0;
	snprintf(e->counter_id, sizeof(e->counter_id), "%.*s", (int)id->length, id->text);
}

static void name_counter(struct json_events *e)
{
	if (!*e->counter_id)
		return;
	snprintf(e->counter, sizeof(e->counter), "%.*s/%s", (int)e->c.name.length,
		 e->c.name.bytes, e->counter_id);
	e->c.name = text_of(e, e->counter, strlen(e->counter));
}

/* The id within the process, or the global one. Returns false if @id2 has neither. */
static bool set_id2(struct json_events *e, const struct json_value *id2, uint64_t seed)
{
	const struct json_value *local, *global;

	if (json_element_parse(&e->inner, JSON_MEMBERS, id2->text, id2->length))
		return false;
	local = json_members_find(&e->inner.object, "local");
	global = json_members_find(&e->inner.object, "global");
	if (local)
		json_value_id(local, json_value_hash(seed, "local", 5) ^ e->c.thread.process, &e->c.id);
	else if (global)
		json_value_id(global, seed, &e->c.id);
	keep_counter_id(e, local ? local : global);
	return local || global;
}

/* Returns: does the record express the field "id" exactly? */
static bool set_id(struct json_events *e, const struct json_element *from)
{
	const struct json_value *scope = json_element_get(from, JSON_SCOPE);
	const struct json_value *id2 = json_element_get(from, JSON_ID2);
	const struct json_value *id = json_element_get(from, JSON_ID);
	uint64_t seed = scope ? json_value_hash_of(0, scope) : 0;
	bool is_exact;

	if (id2 && id2->type == JSON_OBJECT && set_id2(e, id2, seed))
		return false;
	is_exact = json_value_id(id, seed, &e->c.id);
	keep_counter_id(e, id);
	return is_exact;
}

/* Returns false, and counts the event as lost, if its times cannot be converted. */
static bool set_times(struct json_events *e, const struct json_element *from)
{
	const struct json_value *dur = json_element_get(from, JSON_DUR);
	uint64_t duration = 0;
	int ret = json_value_ns(json_element_get(from, JSON_TS), &e->c.time);

	if (!ret && __builtin_add_overflow(e->c.time, e->shift, &e->c.time))
		ret = -ERANGE;
	if (!ret && e->c.kind == FXT_KIND_DURATION_COMPLETE) {
		ret = dur ? json_value_ns(dur, &duration) : 0;
		if (!ret && __builtin_add_overflow(e->c.time, duration, &e->c.end))
			ret = -ERANGE;
	}
	if (ret)
		e->lost[ret == -ERANGE ? JSON_LOSS_NEGATIVE : JSON_LOSS_NO_TIME]++;
	return !ret;
}

/* --- ids of flows and of asynchronous operations ---------------------------------------------- */

#define OWNERS	(1U << 20)

struct owner {
	struct map_node node;
	uint64_t id;
	uint64_t what;		/* hash of category and maybe name */
	bool is_flow;
};

/*
 * In FXT, only ids identify. The first owner of an id keeps it, all others get another one.
 * @what: a hash of category and maybe name
 */
static uint64_t unique_id(struct json_events *e, bool is_flow, uint64_t id, uint64_t what)
{
	uint64_t hash = map_hash(id, is_flow);
	struct owner *o;

	if (e->owners.count >= OWNERS) {
		map_find(&e->owners, hash, o, o->id == id && o->is_flow == is_flow);
		e->lost[JSON_LOSS_OWNER] += !o;
	} else if (map_get(&e->owners, hash, o, o->id == id && o->is_flow == is_flow)) {
		o->id = id;
		o->what = what;
		o->is_flow = is_flow;
	}
	return !o || o->what == what ? id :
	       json_value_hash(what, (const char *)&id, sizeof(id));
}

static uint64_t hash_member(uint64_t seed, const struct json_element *from, enum json_name name)
{
	const struct json_value *v = json_element_get(from, name);

	return v ? json_value_hash_of(seed, v) : seed;
}

/* Returns: is the id unchanged? */
static bool set_operation(struct json_events *e, const struct json_element *from)
{
	uint64_t id = unique_id(e, false, e->c.id, hash_member(1, from, JSON_CAT));
	bool is_same = id == e->c.id;

	e->c.id = id;
	return is_same;
}

/* --- events with a time -------------------------------------------------------------------- */

static bool is_async(enum fxt_kind kind)
{
	return kind >= FXT_KIND_ASYNC_BEGIN && kind <= FXT_KIND_ASYNC_END;
}

static bool is_flow(enum fxt_kind kind)
{
	return kind >= FXT_KIND_FLOW_BEGIN && kind <= FXT_KIND_FLOW_END;
}

static void set_texts(struct json_events *e, const struct json_element *from)
{
	e->c.category = value_text(e, json_element_get(from, JSON_CAT));
	e->c.name = value_text(e, json_element_get(from, JSON_NAME));
}

/* Write the record of an event, unless it is a part of a flow. Returns false if it has no time. */
static bool timed(struct json_events *e, const struct json_element *from, unsigned char ph)
{
	const struct phase *p = &phases[ph];
	struct fxt_content *c = &e->c;
	bool id_is_exact = false;

	c->kind = p->kind ? p->kind : FXT_KIND_INSTANT;
	*e->counter_id = '\0';
	if (!set_times(e, from))
		return false;
	if (!is_of_thread(c->kind))
		id_is_exact = set_id(e, from);
	if (is_flow(c->kind))
		return true;
	if (is_async(c->kind))
		id_is_exact &= set_operation(e, from);
	set_texts(e, from);
	if (c->kind == FXT_KIND_COUNTER)
		name_counter(e);
	add_fields(e, from, p->exact, id_is_exact);
	add_args(e, from);
	put_record(e);
	return true;
}

static void free_texts(struct json_events *e)
{
	while (e->text_count)
		free(e->texts[--e->text_count]);
}

/* --- flows: see bind.h ------------------------------------------------------------------------ */

static void add_moved(struct json_events *e, int64_t ns)
{
	static const char moved[] = JSON_FIELD JSON_MOVED;

	e->c.args[e->c.arg_count++] = (struct fxt_arg){
		.name = { .bytes = moved, .length = strlen(moved) },
		.type = FXT_ARG_INT64, .i64 = ns,
	};
}

static void add_mark(struct json_events *e, const char *mark)
{
	e->c.args[e->c.arg_count++] = (struct fxt_arg){
		.name = { .bytes = mark, .length = strlen(mark) }, .type = FXT_ARG_BOOL, .u64 = 1,
	};
}

static void write_flow(void *arg, const struct bind_part *part, const struct bind_record *to)
{
	struct json_events *e = arg;
	const struct json_element *from = &e->flow;
	bool is_event = !part->is_slice && !to->is_added, id_is_exact;

	/* It is valid. */
	json_element_parse(&e->flow, JSON_EVENT, part->text->bytes, part->text->length);
	begin_record(e, to->kind);
	e->c.thread = to->thread;
	if (is_event) {
		put_ids(e, from, &e->c.thread);
		id_is_exact = set_id(e, from) && e->c.id == to->id;
		add_fields(e, from, true, id_is_exact);
		if (to->ns != part->key.ns && e->c.arg_count < FXT_MAX_ARGS - 1)
			add_moved(e, to->ns - part->key.ns);
		add_args(e, from);
	} else {
		add_mark(e, JSON_FIELD JSON_BOUND);
	}
	e->c.time = to->ns;
	e->c.id = to->id;
	set_texts(e, from);
	put_record(e);
	free_texts(e);
}

static void bind_event(struct json_events *e, const struct json_element *from,
		       struct bind_part *part, uint64_t id, uint8_t what)
{
	uint64_t hash = part->is_slice ? 2 :
			hash_member(hash_member(1, from, JSON_CAT), from, JSON_NAME);

	part->what = what;
	part->flow = unique_id(e, true, id, hash);
	bind_flow(&e->bind, part, from->value.text, from->value.length);
}

static bool is_true(const struct json_element *from, const char *name)
{
	const struct json_value *v = json_members_find(&from->object, name);

	return v && v->type == JSON_BOOLEAN && *v->text == 't';
}

/* The record of the event with "bind_id" has been written. */
static void bind_id(struct json_events *e, const struct json_element *from,
		    struct bind_part *part, bool is_operation, const struct json_value *id)
{
	bool comes_in = is_true(from, "flow_in"), goes_out = is_true(from, "flow_out");
	uint64_t number;

	if (!comes_in && !goes_out)
		return;
	if (is_operation) {
		e->lost[JSON_LOSS_ASYNC_FLOW]++;
		return;
	}
	json_value_id(id, 0, &number);
	bind_event(e, from, part, number, !comes_in ? BIND_FLOW_BEGIN :
		   goes_out ? BIND_FLOW_STEP : BIND_FLOW_END);
}

static enum bind_what bind_what(enum fxt_kind kind)
{
	return kind == FXT_KIND_DURATION_BEGIN ? BIND_SLICE_BEGIN :
	       kind == FXT_KIND_DURATION_END ? BIND_SLICE_END :
	       kind == FXT_KIND_DURATION_COMPLETE || kind == FXT_KIND_INSTANT ? BIND_SLICE :
	       BIND_OTHER;
}

/* Passing an event to bind_*() may write the records of others, which replaces @e->c. */
static void bind_timed(struct json_events *e, const struct json_element *from)
{
	struct bind_part part = { .key.ns = e->c.time, .thread = e->c.thread };
	const struct json_value *id;
	enum fxt_kind kind = e->c.kind;

	if (is_flow(kind)) {
		bind_event(e, from, &part, e->c.id, kind == FXT_KIND_FLOW_BEGIN ? BIND_FLOW_BEGIN :
			   kind == FXT_KIND_FLOW_STEP ? BIND_FLOW_STEP :
			   is_string(json_element_get(from, JSON_BP), "e") ? BIND_FLOW_END :
			   BIND_FLOW_END_NEXT);
		return;
	}
	part.is_slice = true;
	bind_slice(&e->bind, bind_what(kind), &part.thread, part.key.ns,
		   kind == FXT_KIND_DURATION_COMPLETE ? e->c.end : part.key.ns);
	if (kind == FXT_KIND_COUNTER || kind == FXT_KIND_DURATION_END || kind == FXT_KIND_ASYNC_END)
		return;
	id = json_members_find(&from->object, "bind_id");
	if (id)
		bind_id(e, from, &part, is_async(kind), id);
}

static void write_event(struct json_events *e, struct json_element *from)
{
	const struct json_value *phase = json_element_get(from, JSON_PH);
	unsigned char ph = phase && phase->type == JSON_STRING && phase->length == 1 ?
			   *phase->text : 0;
	bool has_time;

	e->events++;
	if (!ph || ph >= 128) {
		e->lost[JSON_LOSS_EVENT]++;
		return;
	}
	begin_record(e, phases[ph].kind);
	put_ids(e, from, &e->c.thread);
	if (ph == 'M')
		metadata(e, from);
	has_time = ph != 'M' && timed(e, from, ph);
	free_texts(e);
	if (has_time)
		bind_timed(e, from);
}

/* An element of "samples" becomes an event of phase P, the format's sample events. */
static void write_sample(struct json_events *e, struct json_element *from)
{
	static const struct json_value phase = {
		.text = "P", .length = 1, .type = JSON_STRING, .is_ascii = true
	};

	if (from->value.type != JSON_OBJECT) {
		e->lost[JSON_LOSS_EVENT]++;
		return;
	}
	json_element_set(from, JSON_PH, &phase);
	write_event(e, from);
}

/* --------------------------------------------------------------------
 * Ids of processes and threads that are texts: a record names the process or thread with the text,
 * before the first record that refers to it. A name in the trace replaces it.
 */

struct id {
	struct map_node node;
	uint64_t koid;
	bool is_thread;
};

static bool is_text(const struct json_value *v)
{
	return v && v->type == JSON_STRING && v->length;
}

/* Returns false if it is known. */
static bool note_id(struct json_events *e, uint64_t koid, bool is_thread)
{
	struct id *id;

	if (!map_get(&e->ids, map_hash(koid, is_thread), id,
		     id->koid == koid && id->is_thread == is_thread))
		return false;
	id->koid = koid;
	id->is_thread = is_thread;
	return true;
}

/* Unless the event @from names it itself. @process: of a thread, else NULL */
static void name_id(struct json_events *e, const struct json_element *from,
		    const struct json_value *text, uint64_t koid, const uint64_t *process)
{
	const char *event = process ? "thread_name" : "process_name";

	if (!is_text(text) || !note_id(e, koid, process) ||
	    (is_string(json_element_get(from, JSON_PH), "M") &&
	     is_string(json_element_get(from, JSON_NAME), event)))
		return;
	begin_object(e, value_text(e, text), process, koid, process);
	/* Tells json_restore_name() that the trace had no event for the name. */
	add_mark(e, JSON_FIELD JSON_NAMED);
	put_record(e);
}

static void name_ids(struct json_events *e, const struct json_element *from)
{
	const struct json_value *pid = json_element_get(from, JSON_PID);
	const struct json_value *tid = json_element_get(from, JSON_TID);
	uint64_t process, thread;

	if (!is_text(pid) && !is_text(tid))
		return;
	json_value_koid(pid, 0, &process);
	json_value_koid(tid, process, &thread);
	name_id(e, from, pid, process, NULL);
	name_id(e, from, tid, thread, &process);
}

static void json_events_free(struct json_events *e)
{
	map_free_all(&e->ids, struct id);
	map_free_all(&e->owners, struct owner);
	json_element_free(&e->inner);
	json_element_free(&e->flow);
}

/* --------------------------------------------------------------------
 * Scheduling of Fuchsia: the member "systemTraceEvents" as trace2json writes it, an object whose
 * "type" is "fuchsia", with a list of "events".
 *
 * Phase p names a process, t a thread; k is a switch and w a wakeup. States are those of FXT;
 * runnable threads are "running" there. Each CPU of Fuchsia has an idle thread, which is thread 0
 * here.
 */

#define IDLE_KOIDS	6444000000ULL	/* catapult: idle threads have larger koids */

struct fuchsia {
	struct json_events *e;
	struct json_element whole;
	struct json_element events;	/* the elements of "events" */
	struct json_element event;	/* one of them */
	struct json_element end;	/* one end of a switch */
	struct koids names;		/* of threads that have names */
};

/* Is a member Fuchsia's scheduling? Parses it. */
static bool fuchsia_open(struct fuchsia *f, const char *name, const struct json_value *value)
{
	const struct json_value *events;

	if (strcmp(name, JSON_SYSTEM) || value->type != JSON_OBJECT ||
	    json_element_parse(&f->whole, JSON_MEMBERS, value->text, value->length))
		return false;
	events = json_members_find(&f->whole.object, "events");
	return is_string(json_members_find(&f->whole.object, "type"), "fuchsia") && events &&
	       events->type == JSON_ARRAY &&
	       !json_element_parse(&f->events, JSON_MEMBERS, events->text, events->length);
}

static bool parse_object(struct json_element *of, const struct json_value *value)
{
	return value && value->type == JSON_OBJECT &&
	       !json_element_parse(of, JSON_MEMBERS, value->text, value->length);
}

static bool get_number(const struct json_element *of, const char *key, uint64_t *number)
{
	const struct json_value *value = json_members_find(&of->object, key);

	if (!value || value->type != JSON_INT || *value->text == '-')
		return false;
	*number = json_value_int(value);
	return true;
}

static bool get_text(struct fuchsia *f, struct fxt_text *text)
{
	const struct json_value *value = json_members_find(&f->event.object, "name");

	if (!value || value->type != JSON_STRING)
		return false;
	*text = value_text(f->e, value);
	return true;
}

static bool get_time(const struct fuchsia *f, uint64_t *ns)
{
	return !json_value_ns(json_members_find(&f->event.object, "ts"), ns) &&
	       !__builtin_add_overflow(*ns, f->e->shift, ns);
}

/*
 * A thread of the kernel's pseudo-process 0 without a name and priority is idle: Fuchsia's kernel
 * threads have both.
 */
static bool is_idle(const struct fuchsia *f, const struct json_element *of, uint64_t tid)
{
	uint64_t pid = 1, prio = 0;

	if (!tid || tid > IDLE_KOIDS)
		return true;
	get_number(of, "pid", &pid);
	get_number(of, "prio", &prio);
	return !pid && !prio && !koids_get(&f->names, tid, NULL);
}

static void add_weight(struct fxt_content *c, uint16_t name, int32_t weight)
{
	c->args[c->arg_count++] = (struct fxt_arg){
		.name = fxt_known_text(name), .type = FXT_ARG_INT32, .i64 = weight,
	};
}

static bool get_cpu(const struct json_element *of, uint64_t *cpu)
{
	return get_number(of, "cpu", cpu) && *cpu <= UINT16_MAX;
}

static void add_prio(struct fxt_content *c, uint16_t name, const struct json_element *of)
{
	uint64_t prio;

	if (get_number(of, "prio", &prio) && prio <= INT32_MAX)
		add_weight(c, name, prio);
}

static bool parse_end(struct fuchsia *f, const char *name, uint16_t weight, struct fxt_content *c,
		      uint64_t *koid)
{
	if (!parse_object(&f->end, json_members_find(&f->event.object, name)) ||
	    !get_number(&f->end, "tid", koid))
		return false;
	if (!is_idle(f, &f->end, *koid)) {
		add_prio(c, weight, &f->end);
		return true;
	}
	*koid = 0;
	add_weight(c, weight, FXT_SCHED_WEIGHT_IDLE);
	return true;
}

static bool parse_switch(struct fuchsia *f, struct fxt_content *c)
{
	uint64_t cpu, state;

	if (!get_time(f, &c->time) || !get_cpu(&f->event, &cpu) ||
	    !parse_end(f, "out", FXT_STR_OUTGOING_WEIGHT, c, &c->sw.out) ||
	    !get_number(&f->end, "state", &state) || state > FXT_THREAD_DEAD ||
	    !parse_end(f, "in", FXT_STR_INCOMING_WEIGHT, c, &c->sw.in))
		return false;
	c->sw.cpu = cpu;
	c->sw.state = state == FXT_THREAD_RUNNING || !c->sw.out ? FXT_THREAD_NEW : state;
	return true;
}

static bool parse_wakeup(const struct fuchsia *f, struct fxt_content *c)
{
	const struct json_element *event = &f->event;
	uint64_t cpu;

	if (!get_time(f, &c->time) || !get_cpu(event, &cpu) ||
	    !get_number(event, "tid", &c->wakeup.thread))
		return false;
	c->wakeup.cpu = cpu;
	add_prio(c, FXT_STR_WEIGHT, event);
	return true;
}

static bool parse_name(struct fuchsia *f, bool is_thread)
{
	uint64_t process = 0, koid = 0;
	struct fxt_text name;
	bool has_process = get_number(&f->event, "pid", &process);

	if (!get_text(f, &name) || !(is_thread ? get_number(&f->event, "tid", &koid) : has_process))
		return false;
	begin_object(f->e, name, is_thread, is_thread ? koid : process,
		     is_thread && has_process ? &process : NULL);
	return true;
}

static bool is_phase(const struct json_element *event, const char *phase)
{
	return is_string(json_members_find(&event->object, "ph"), phase);
}

static bool parse_fuchsia_event(struct fuchsia *f, const struct json_value *value)
{
	const struct json_element *event = &f->event;

	if (!parse_object(&f->event, value))
		return false;
	if (is_phase(event, "k")) {
		begin_record(f->e, FXT_KIND_CONTEXT_SWITCH);
		return parse_switch(f, &f->e->c);
	}
	if (is_phase(event, "w")) {
		begin_record(f->e, FXT_KIND_THREAD_WAKEUP);
		return parse_wakeup(f, &f->e->c);
	}
	return is_phase(event, "p") ? parse_name(f, false) :
	       is_phase(event, "t") && parse_name(f, true);
}

static void name_threads(struct fuchsia *f)
{
	const struct json_value *name;
	uint64_t tid;
	size_t i;

	for (i = 0; i < f->events.object.count; i++) {
		if (!parse_object(&f->event, &f->events.object.list[i].value) ||
		    !is_phase(&f->event, "t") || !get_number(&f->event, "tid", &tid))
			continue;
		name = json_members_find(&f->event.object, "name");
		if (name && name->type == JSON_STRING &&
		    (name->length < 4 || strncasecmp(name->text, "idle", 4)))
			koids_set(&f->names, tid, 0);
	}
}

/* Invalid events are counted. */
static void write_fuchsia(struct fuchsia *f)
{
	struct json_events *e = f->e;
	size_t i;

	name_threads(f);
	/* Converters treat JSON_PROVIDER specially, so these records have another provider. */
	fxt_writer_provider(e->w, JSON_FUCHSIA_ID, JSON_FUCHSIA);
	fxt_writer_initialization(e->w, JSON_TICKS);
	for (i = 0; !e->error && i < f->events.object.count; i++) {
		e->events++;
		if (!parse_fuchsia_event(f, &f->events.object.list[i].value) || !write_record(e))
			e->lost[JSON_LOSS_EVENT]++;
	}
	begin_record(e, FXT_KIND_PROVIDER_SECTION);
	e->c.provider_id = JSON_PROVIDER_ID;
	write_record(e);
}

/* Returns: was the member Fuchsia's scheduling, and converted? */
static bool is_fuchsia(struct json_events *e, const char *name, const struct json_value *value)
{
	struct fuchsia f = { .e = e };
	bool is_one = fuchsia_open(&f, name, value);

	if (is_one)
		write_fuchsia(&f);
	json_element_free(&f.whole);
	json_element_free(&f.events);
	json_element_free(&f.event);
	json_element_free(&f.end);
	koids_free(&f.names);
	return is_one;
}

struct import {
	const char *path;
	bool strict;
	const struct clock_marks *marks;	/* to look for; NULL: convert */
	const struct clock_mark *found;
	bool has_events;	/* an array, or an object with a member for events */
	bool lacks_events;	/* a complete object without one */
	bool lacks_commas;
	FILE *system;		/* ftrace's text, NULL if none */
	struct json_input s;
	struct json_events e;
	struct json_element element;
};

typedef void (*write_element)(struct json_events *e, struct json_element *element);

static uint64_t losses(const struct json_events *e)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < JSON_LOSS_COUNTER; i++)
		sum += e->lost[i];
	return sum;
}

/* Can the conversion continue after this member? */
static int check(struct import *m)
{
	if (!m->e.error && m->strict && losses(&m->e))
		return json_input_wrong(&m->s, "this event cannot be converted completely");
	return m->e.error;
}

/* If the event marks the clock, from its request until its completion, set the shift. */
static void find_mark(struct import *m)
{
	const struct json_value *args = json_element_get(&m->element, JSON_ARGS), *id;
	struct json_element *inner = &m->e.inner;
	uint64_t asked, done;

	if (m->found || !is_string(json_element_get(&m->element, JSON_PH), "c") || !args ||
	    args->type != JSON_OBJECT ||
	    json_element_parse(inner, JSON_MEMBERS, args->text, args->length))
		return;
	id = json_members_find(&inner->object, "sync_id");
	for (unsigned int i = 0; i < m->marks->count; i++)
		if (is_string(id, m->marks->list[i].id))
			m->found = &m->marks->list[i];
	if (json_value_ns(json_element_get(&m->element, JSON_TS), &done))
		m->found = NULL;
	if (!m->found)
		return;
	if (json_value_ns(json_members_find(&inner->object, "issue_ts"), &asked) || asked > done)
		asked = done;
	m->e.shift = (int64_t)(m->found->ns - (asked + (done - asked) / 2));
}

static int element(struct import *m, write_element take)
{
	int ret = json_input_next(&m->s, JSON_EVENT, &m->element);

	if (!ret && m->marks)
		find_mark(m);
	if (ret || m->marks)
		return ret;
	/* Names come first, because the record refers to its process and thread. */
	name_ids(&m->e, &m->element);
	take(&m->e, &m->element);
	return check(m);
}

/* Take elements of an array up to its end; the opening bracket has been read. */
static int elements(struct import *m, write_element take, bool may_lack_end)
{
	bool first = true;
	int ret;

	for (;; first = false) {
		ret = json_input_peek(&m->s);
		if (!ret)
			return may_lack_end ? 0 : json_input_wrong(&m->s, "the file ends within an array");
		if (ret == ',' && first && !m->strict) {
			if (!m->marks)
				message("fxt: %s: a comma before the first event was skipped\n",
					m->path);
			json_input_skip(&m->s);
			ret = json_input_peek(&m->s);
		} else if (ret == ',' && !first) {
			json_input_skip(&m->s);
			ret = json_input_peek(&m->s);
			if (!ret)
				continue;
		} else if (ret > 0 && ret != ']' && !first && (ret != '{' || m->strict)) {
			return json_input_wrong(&m->s, "a comma or ] is missing");
		} else if (ret == '{' && !first) {
			m->lacks_commas = true;
		}
		if (ret == ']')
			json_input_skip(&m->s);
		if (ret < 0 || ret == ']')
			return ret < 0 ? ret : 0;
		ret = element(m, take);
		if (ret)
			return ret;
	}
}

/* Is it the first ftrace text with events? It is converted at the end. */
static bool is_system(const struct import *m, const char *name, const struct json_value *value)
{
	return !strcmp(name, JSON_SYSTEM) && !m->system && value->type == JSON_STRING &&
	       ftrace_has_event(value->text, value->length);
}

static int keep_system(struct import *m, const struct json_value *text)
{
	m->system = import_file();
	if (m->system && fwrite(text->text, 1, text->length, m->system) == text->length &&
	    !fflush(m->system)) {
		rewind(m->system);
		return 0;
	}
	m->e.error = -errno;
	return m->e.error;
}

static int member(struct import *m, const char *name)
{
	const struct json_value *value = &m->element.value;
	int ret = json_input_peek(&m->s);

	m->has_events |= !strcmp(name, "traceEvents") || !strcmp(name, "samples") ||
			 !strcmp(name, JSON_SYSTEM);
	if (ret == '[' && (!strcmp(name, "traceEvents") || !strcmp(name, "samples"))) {
		json_input_skip(&m->s);
		return elements(m, *name == 't' ? write_event : write_sample, false);
	}
	if (ret < 0)
		return ret;
	ret = json_input_next(&m->s, JSON_VALUE, &m->element);
	if (ret || m->marks)
		return ret;
	if (is_system(m, name, value))
		return keep_system(m, value);
	if (!is_fuchsia(&m->e, name, value))
		keep_member(&m->e, name, value);
	return check(m);
}

static int named_member(struct import *m)
{
	int ret = json_input_next(&m->s, JSON_VALUE, &m->element);
	char *name;

	if (ret)
		return ret;
	name = must(strndup(m->element.value.text, m->element.value.length));
	ret = json_input_peek(&m->s);
	if (ret == ':') {
		json_input_skip(&m->s);
		ret = member(m, name);
	} else if (ret >= 0) {
		ret = json_input_wrong(&m->s, "a colon is missing");
	}
	free(name);
	return ret;
}

/* Take members of the object; the opening brace has been read. */
static int members(struct import *m)
{
	int ret;

	for (;;) {
		ret = json_input_peek(&m->s);
		if (ret == ',') {
			json_input_skip(&m->s);
			continue;
		}
		if (ret == '}') {
			json_input_skip(&m->s);
			return 0;
		}
		if (ret != '"')
			return ret < 0 ? ret : json_input_wrong(&m->s, ret ?
				"a name is missing" : "the file ends within an object");
		ret = named_member(m);
		if (ret)
			return ret;
	}
}

static int document(struct import *m)
{
	int ret = json_input_mark(&m->s);

	if (ret > 0 && m->strict)
		return json_input_wrong(&m->s, "a byte order mark comes first");
	if (ret > 0 && !m->marks)
		message("fxt: %s: a byte order mark at the beginning was skipped\n", m->path);
	ret = ret < 0 ? ret : json_input_peek(&m->s);
	if (ret != '[' && ret != '{')
		return ret < 0 ? ret : json_input_wrong(&m->s, "this is not JSON in the Trace Event Format");
	json_input_skip(&m->s);
	m->has_events = ret == '[';
	ret = ret == '[' ? elements(m, write_event, true) : members(m);
	if (ret)
		return ret;
	m->lacks_events = !m->has_events;
	if (m->lacks_events)
		return json_input_wrong(&m->s, "this JSON has no \"traceEvents\", so it is no trace in the Trace Event Format");
	ret = json_input_peek(&m->s);
	return ret > 0 ? json_input_wrong(&m->s, "more text follows the end") : ret;
}

static int archive(struct import *m, int fd)
{
	struct json_events *e = &m->e;
	int ret, error;

	must_fit(fxt_writer_open(&e->w, fd));
	must_fit(fxt_writer_intern(e->w));
	fxt_writer_magic(e->w);
	fxt_writer_provider(e->w, JSON_PROVIDER_ID, JSON_PROVIDER);
	fxt_writer_initialization(e->w, JSON_TICKS);
	e->bind = (struct bind){ .write = write_flow, .arg = e };
	ret = document(m);
	bind_finish(&e->bind);
	e->lost[JSON_LOSS_FLOW] += e->bind.unbound;
	error = fxt_writer_close(e->w);
	if (error && (!ret || ret == -EBADMSG))
		e->error = error;
	return e->error ? e->error : ret;
}

static int report_result(const struct import *m, int ret)
{
	int status = VERB_DONE;
	unsigned int i;

	if (m->lacks_commas)
		message("fxt: %s: commas between events are missing\n", m->path);
	for (i = 0; i < JSON_LOSS_COUNT; i++) {
		if (!m->e.lost[i])
			continue;
		message("fxt: %s: %" PRIu64 " %s\n", m->path, m->e.lost[i],
			loss_names[i]);
		status = i >= JSON_LOSS_COUNTER ? status : VERB_DEVIATES;
	}
	if (!ret)
		return status;
	if (m->e.error) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	if (ret == -EBADMSG) {
		message("fxt: %s: line %" PRIu64 ", byte %" PRIu64 ": %s\n", m->path,
			m->s.line, json_input_offset(&m->s), m->s.error);
		return m->e.events ? VERB_DEVIATES : VERB_UNREADABLE;
	}
	message("fxt: cannot read %s: %s\n", m->path, strerror(-ret));
	return VERB_UNREADABLE;
}

static int add_system(const struct import *m, int to)
{
	size_t room = strlen(m->path) + sizeof(": " JSON_SYSTEM);
	char *path = must(malloc(room));
	int status;

	snprintf(path, room, "%s: " JSON_SYSTEM, m->path);
	status = ftrace_read_part(path, fileno(m->system), m->strict, to);
	free(path);
	return status;
}

bool json_detect(const char *head, size_t bytes)
{
	const char *what = fxt_foreign(head, bytes);

	return what && !strcmp(what, "JSON");
}

/* Find the clock mark in a trace, and whether it has a member for events. */
static struct import *look(const char *path, int from, const struct clock_marks *marks)
{
	struct import *m = new_zero(struct import);

	m->path = path;
	m->marks = marks;
	if (!json_input_open(&m->s, from))
		document(m);
	json_input_close(&m->s);
	json_element_free(&m->element);
	json_events_free(&m->e);
	lseek(from, 0, SEEK_SET);
	return m;
}

static int read_moved(const char *path, int from, bool strict, int64_t shift, int to)
{
	struct import *m = new_zero(struct import);
	int ret, status;

	m->path = path;
	m->strict = strict;
	m->e.shift = shift;
	ret = json_input_open(&m->s, from);
	if (!ret)
		ret = archive(m, to);
	json_input_close(&m->s);
	json_element_free(&m->element);
	json_events_free(&m->e);
	ret = report_result(m, ret);
	if (m->system && (ret == VERB_DONE || (ret == VERB_DEVIATES && !strict))) {
		status = add_system(m, to);
		ret = status > ret ? status : ret;
	}
	import_file_close(m->system);
	free(m);
	return ret;
}

int json_read(const char *path, int from, bool strict, int to)
{
	return read_moved(path, from, strict, 0, to);
}

bool json_lacks_events(const char *path, int from)
{
	static const struct clock_marks none;
	struct import *m = look(path, from, &none);
	bool lacks_events = m->lacks_events;

	free(m);
	return lacks_events;
}

int json_read_beside(const char *path, int from, bool strict, const struct clock_marks *marks,
		     int to)
{
	struct import *m = look(path, from, marks);
	int64_t shift = m->e.shift;

	if (m->found)
		message("fxt: %s: the times of the JSON are moved by %.6f s, to the clock of ftrace, as the clock sync marker %s says\n",
			path, shift / 1e9, m->found->id);
	else
		message("fxt: %s: no clock sync marker relates the clocks of JSON and ftrace; all times stay as they are\n",
			path);
	free(m);
	return read_moved(path, from, strict, shift, to);
}
