// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event.c - see event.h.
 *
 * A record holds 15 arguments. Those of an event that do not fit, and those that have names
 * like fields, are one JSON text: the argument "json.args".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_name.h>

#include "event.h"
#include "fields.h"
#include "value.h"

#define SHORT_STRING	200	/* bytes that are left of long strings if a record is too long */
#define REST		JSON_FIELD JSON_REST

const char *json_loss_name(enum json_loss loss)
{
	static const char *const names[JSON_LOSS_COUNT] = {
		[JSON_LOSS_EVENT]	= "events that are no objects, have no phase or do not fit a record",
		[JSON_LOSS_NO_TIME]	= "events without a time",
		[JSON_LOSS_NEGATIVE]	= "events at a negative time, or one beyond 64 bits",
		[JSON_LOSS_ARGS]	= "events with more fields than a record holds",
		[JSON_LOSS_LONG]	= "strings that were truncated",
		[JSON_LOSS_UTF8]	= "strings with invalid UTF-8, which became question marks",
		[JSON_LOSS_COUNTER]	= "fields and arguments of counters that are not numbers of a series",
	};

	return names[loss];
}

static struct json_object *get(struct json_object *object, const char *key)
{
	return json_object_object_get(object, key);
}

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

/* The value owns its text, so it may be changed. */
static struct fxt_text text_of(struct json_events *e, const char *bytes, size_t length)
{
	char *text = (char *)bytes;
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

static struct fxt_text json_text(struct json_events *e, struct json_object *value)
{
	size_t length;
	const char *bytes = json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE,
							      &length);

	return text_of(e, bytes, length);
}

static struct fxt_text value_text(struct json_events *e, struct json_object *value)
{
	if (json_object_is_type(value, json_type_string))
		return text_of(e, json_object_get_string(value), json_object_get_string_len(value));
	return value ? json_text(e, value) : (struct fxt_text){ .bytes = "" };
}

/* As value_text(), and a string that is itself JSON text keeps its quotes, by which it differs. */
static struct fxt_text arg_text(struct json_events *e, struct json_object *value)
{
	struct json_object *inner = json_object_is_type(value, json_type_string) ?
		json_value_of_text(json_object_get_string(value),
				   json_object_get_string_len(value)) : NULL;

	if (!inner)
		return value_text(e, value);
	json_object_put(inner);
	return json_text(e, value);
}

/* --- arguments ------------------------------------------------------------------ */

static void set_int(struct fxt_arg *a, struct json_object *value)
{
	int64_t n = json_object_get_int64(value);

	if (n == INT64_MAX && json_object_get_uint64(value) > INT64_MAX) {
		a->type = FXT_ARG_UINT64;
		a->u64 = json_object_get_uint64(value);
	} else {
		a->type = n >= INT32_MIN && n <= INT32_MAX ? FXT_ARG_INT32 : FXT_ARG_INT64;
		a->i64 = n;
	}
}

/* The caller has checked that there is room. */
static void add(struct json_events *e, struct fxt_text name, struct json_object *value)
{
	struct fxt_arg *a = &e->c.args[e->c.arg_count++];

	*a = (struct fxt_arg){ .name = name };
	switch (json_object_get_type(value)) {
	case json_type_null:
		a->type = FXT_ARG_NULL;
		break;
	case json_type_boolean:
		a->type = FXT_ARG_BOOL;
		a->u64 = json_object_get_boolean(value);
		break;
	case json_type_int:
		set_int(a, value);
		break;
	case json_type_double:
		a->type = FXT_ARG_DOUBLE;
		a->f64 = json_object_get_double(value);
		break;
	default:
		a->type = FXT_ARG_STRING;
		a->text = arg_text(e, value);
	}
}

/* "json.NAME" */
static void add_field(struct json_events *e, const char *name, struct json_object *value)
{
	char *to = e->names[e->c.arg_count];
	int length;

	/* Each argument of a counter is a series. */
	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER]++;
		return;
	}
	length = snprintf(to, sizeof(e->names[0]), JSON_FIELD "%s", name);

	if (e->c.arg_count >= FXT_MAX_ARGS - 1 || length >= (int)sizeof(e->names[0])) {
		e->lost[JSON_LOSS_ARGS]++;
		return;
	}
	add(e, text_of(e, to, length), value);
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double);
}

/* The members of "args"; what does not fit goes to @rest. Return: 0 or -ENOMEM */
static int add_args(struct json_events *e, struct json_object *args, struct json_object **rest)
{
	unsigned int room = FXT_MAX_ARGS - e->c.arg_count;
	struct json_object_iterator i, end;

	if (!json_object_is_type(args, json_type_object)) {
		if (args)
			add_field(e, "args", args);
		return 0;
	}
	room -= json_object_object_length(args) > (int)room;
	end = json_object_iter_end(args);
	for (i = json_object_iter_begin(args); !json_object_iter_equal(&i, &end);
	     json_object_iter_next(&i)) {
		const char *name = json_object_iter_peek_name(&i);
		struct json_object *value = json_object_iter_peek_value(&i);
		bool is_field = !strncmp(name, JSON_FIELD, strlen(JSON_FIELD));

		if (e->c.kind == FXT_KIND_COUNTER && !is_number(value)) {
			e->lost[JSON_LOSS_COUNTER]++;
			continue;
		}
		if (!is_field && room && strlen(name) <= FXT_MAX_STRING) {
			add(e, text_of(e, name, strlen(name)), value);
			room--;
			continue;
		}
		if (!*rest)
			*rest = json_object_new_object();
		if (!*rest)
			return -ENOMEM;
		json_object_object_add(*rest, name, json_object_get(value));
	}
	if (!*rest)
		return 0;
	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER] += json_object_object_length(*rest);
		return 0;
	}
	add(e, text_of(e, REST, strlen(REST)), *rest);
	return 0;
}

/* --- records --------------------------------------------------------------------- */

/* A record may be too long with all of its strings. */
static int put(struct json_events *e)
{
	int ret = fxt_writer_record(e->w, &e->c);
	unsigned int i;

	for (i = 0; ret == -EINVAL && i < e->c.arg_count; i++) {
		struct fxt_text *text = &e->c.args[i].text;

		if (e->c.args[i].type != FXT_ARG_STRING || text->length <= SHORT_STRING)
			continue;
		text->length = fit(text->bytes, text->length, SHORT_STRING);
		e->lost[JSON_LOSS_LONG]++;
	}
	if (ret == -EINVAL)
		ret = fxt_writer_record(e->w, &e->c);
	e->lost[JSON_LOSS_EVENT] += ret == -EINVAL;
	return ret == -EINVAL ? 0 : ret;
}

static int put_blob(struct json_events *e, const char *name, struct json_object *value)
{
	struct fxt_content *c = &e->c;
	size_t length, at, bytes;
	int ret;
	const char *text = json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE, &length);

	c->kind = FXT_KIND_BLOB;
	c->arg_count = 0;
	c->name = text_of(e, name, strlen(name));
	c->category = (struct fxt_text){ .bytes = "" };
	c->blob_type = FXT_BLOB_DATA;
	for (at = 0; at <= length; at += JSON_PART_BYTES) {
		bytes = length - at < JSON_PART_BYTES ? length - at : JSON_PART_BYTES;
		c->blob = (struct fxt_bytes){ .data = text + at, .bytes = bytes };
		c->blob_held = bytes;
		ret = put(e);
		if (ret)
			return ret;
	}
	return 0;
}

int json_member_take(struct json_events *e, const char *name, struct json_object *value)
{
	memset(&e->c, 0, offsetof(struct fxt_content, args));
	return put_blob(e, name, value);
}

/* Names of processes and threads are kernel objects; the rest has no place in FXT. */
static int metadata(struct json_events *e, struct json_object *event, const char *name)
{
	struct json_object *args = get(event, "args");
	struct json_object *text = json_object_is_type(args, json_type_object) ?
				   get(args, "name") : NULL;
	bool is_thread = !strcmp(name, "thread_name");
	struct fxt_content *c = &e->c;
	struct fxt_thread_id id = c->thread;

	if (!json_object_is_type(text, json_type_string) ||
	    (!is_thread && strcmp(name, "process_name")))
		return put_blob(e, JSON_METADATA, event);
	memset(c, 0, offsetof(struct fxt_content, args));
	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->name = value_text(e, text);
	c->category = (struct fxt_text){ .bytes = "" };
	c->object = is_thread ? id.thread : id.process;
	c->object_type = is_thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS;
	if (is_thread) {
		c->args[c->arg_count++] = (struct fxt_arg){
			.name = { .bytes = "process", .length = 7 },
			.type = FXT_ARG_KOID, .u64 = id.process,
		};
	}
	return put(e);
}

static const struct phase {
	uint8_t kind;
	bool exact;	/* the kind means this phase and no other */
} phases[128] = {
	['B'] = { FXT_KIND_DURATION_BEGIN, true },
	['E'] = { FXT_KIND_DURATION_END, true },
	['X'] = { FXT_KIND_DURATION_COMPLETE, true },
	['i'] = { FXT_KIND_INSTANT, true },
	['I'] = { FXT_KIND_INSTANT, true },
	['C'] = { FXT_KIND_COUNTER, true },
	['b'] = { FXT_KIND_ASYNC_BEGIN, true },
	['n'] = { FXT_KIND_ASYNC_INSTANT, true },
	['e'] = { FXT_KIND_ASYNC_END, true },
	['S'] = { FXT_KIND_ASYNC_BEGIN, false },
	['T'] = { FXT_KIND_ASYNC_INSTANT, false },
	['p'] = { FXT_KIND_ASYNC_INSTANT, false },
	['F'] = { FXT_KIND_ASYNC_END, false },
	['s'] = { FXT_KIND_FLOW_BEGIN, true },
	['t'] = { FXT_KIND_FLOW_STEP, true },
	['f'] = { FXT_KIND_FLOW_END, true },
};

static bool is_common(enum fxt_kind kind, const char *field)
{
	static const char *const common[] = { "name", "cat", "ph", "ts", "pid", "tid", "args" };
	size_t i;

	if (kind == FXT_KIND_DURATION_COMPLETE && !strcmp(field, "dur"))
		return true;
	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!strcmp(field, common[i]))
			return true;
	return false;
}

/* Does the record have the value of this field? */
static bool is_expressed(enum fxt_kind kind, const char *field, struct json_object *value,
			 bool id_is_exact)
{
	const char *text = json_object_is_type(value, json_type_string) ?
			   json_object_get_string(value) : "";

	if (is_common(kind, field))
		return true;
	if (!strcmp(field, "id"))
		return id_is_exact;
	if (!strcmp(field, "bp"))
		return kind == FXT_KIND_FLOW_END && !strcmp(text, "e");
	return !strcmp(field, "s") && kind == FXT_KIND_INSTANT && !strcmp(text, "t");
}

/* "json.ph", and all fields that the record does not have; none if it has all. */
static void add_fields(struct json_events *e, struct json_object *event, bool exact,
		       bool id_is_exact)
{
	enum fxt_kind kind = e->c.kind;
	bool has_all = exact && (kind != FXT_KIND_FLOW_END || get(event, "bp")) &&
		       (kind < FXT_KIND_COUNTER || kind == FXT_KIND_DURATION_BEGIN ||
			kind == FXT_KIND_DURATION_END || kind == FXT_KIND_DURATION_COMPLETE ||
			id_is_exact);

	json_object_object_foreach(event, name, value)
		has_all &= is_expressed(kind, name, value, id_is_exact);
	if (has_all)
		return;
	if (kind != FXT_KIND_COUNTER)
		add_field(e, "ph", get(event, "ph"));
	json_object_object_foreach(event, key, field)
		if (!is_common(kind, key))
			add_field(e, key, field);
}

/* pid and tid; those that are not numbers are fields, too. */
static void place(struct json_events *e, struct json_object *event)
{
	struct json_object *pid = get(event, "pid"), *tid = get(event, "tid");
	bool pid_is_exact = json_value_koid(pid, &e->c.thread.process);
	bool tid_is_exact = json_value_koid(tid, &e->c.thread.thread);

	if (!pid_is_exact)
		add_field(e, "pid", pid);
	if (!tid_is_exact)
		add_field(e, "tid", tid);
}

static bool set_id(struct json_events *e, struct json_object *event)
{
	struct json_object *scope = get(event, "scope"), *id2 = get(event, "id2");
	uint64_t seed = scope ? json_value_hash(0, json_object_get_string(scope)) : 0;
	struct json_object *local = json_object_is_type(id2, json_type_object) ?
				    get(id2, "local") : NULL;
	struct json_object *global = json_object_is_type(id2, json_type_object) ?
				     get(id2, "global") : NULL;

	if (local) {
		json_value_id(local, json_value_hash(seed, "local") ^ e->c.thread.process, &e->c.id);
		return false;
	}
	return json_value_id(global ? global : get(event, "id"), seed, &e->c.id) && !global;
}

/* Return: 0 or what is lost, -1 if nothing is. */
static int set_times(struct json_events *e, struct json_object *event)
{
	uint64_t duration = 0;
	int ret = json_value_ns(get(event, "ts"), &e->c.time);

	if (!ret && e->c.kind == FXT_KIND_DURATION_COMPLETE) {
		ret = get(event, "dur") ? json_value_ns(get(event, "dur"), &duration) : 0;
		if (!ret && __builtin_add_overflow(e->c.time, duration, &e->c.end))
			ret = -ERANGE;
	}
	if (!ret)
		return -1;
	return ret == -ERANGE ? JSON_LOSS_NEGATIVE : JSON_LOSS_NO_TIME;
}

static int timed(struct json_events *e, struct json_object *event, unsigned char ph)
{
	const struct phase *p = &phases[ph];
	struct fxt_content *c = &e->c;
	struct json_object *rest = NULL;
	bool id_is_exact = false;
	int ret;

	c->kind = p->kind ? p->kind : FXT_KIND_INSTANT;
	ret = set_times(e, event);
	if (ret >= 0) {
		e->lost[ret]++;
		return 0;
	}
	if (c->kind != FXT_KIND_INSTANT && c->kind != FXT_KIND_DURATION_BEGIN &&
	    c->kind != FXT_KIND_DURATION_END && c->kind != FXT_KIND_DURATION_COMPLETE)
		id_is_exact = set_id(e, event);
	c->category = value_text(e, get(event, "cat"));
	c->name = value_text(e, get(event, "name"));
	add_fields(e, event, p->exact, id_is_exact);
	ret = add_args(e, get(event, "args"), &rest);
	if (!ret)
		ret = put(e);
	json_object_put(rest);
	return ret;
}

int json_event_take(struct json_events *e, struct json_object *event)
{
	struct json_object *phase = json_object_is_type(event, json_type_object) ?
				    get(event, "ph") : NULL;
	const char *ph = json_object_is_type(phase, json_type_string) ?
			 json_object_get_string(phase) : "";
	struct json_object *name;

	e->events++;
	if ((unsigned char)ph[0] >= 128 || !ph[0] || ph[1]) {
		e->lost[JSON_LOSS_EVENT]++;
		return 0;
	}
	memset(&e->c, 0, offsetof(struct fxt_content, args));
	e->c.kind = phases[(unsigned char)*ph].kind;
	place(e, event);
	if (*ph != 'M')
		return timed(e, event, *ph);
	name = get(event, "name");
	return metadata(e, event, json_object_is_type(name, json_type_string) ?
				  json_object_get_string(name) : "");
}

int json_sample_take(struct json_events *e, struct json_object *sample)
{
	struct json_object *phase;

	if (!json_object_is_type(sample, json_type_object)) {
		e->lost[JSON_LOSS_EVENT]++;
		return 0;
	}
	/* As the sample events of the format, which are of phase P. */
	phase = json_object_new_string("P");
	if (!phase)
		return -ENOMEM;
	json_object_object_add(sample, "ph", phase);
	return json_event_take(e, sample);
}
