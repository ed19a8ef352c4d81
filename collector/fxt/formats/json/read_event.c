// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read_event.c - see read_event.h.
 *
 * A record holds 15 arguments. Those of an event that do not fit, and those that have names
 * like fields, are one JSON text: the argument "json.args".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_name.h>

#include "read_event.h"
#include "fields.h"
#include "value.h"

#define SHORT_STRING	200	/* bytes that are left of long strings if a record is too long */
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

/* The caller no longer needs the bytes: modified in place. */
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

/* A string, or a value in JSON. */
struct fxt_text json_event_text(struct json_events *e, const struct json_value *v)
{
	if (!v)
		return (struct fxt_text){ .bytes = "" };
	if (v->is_ascii && v->length <= FXT_MAX_STRING)
		return (struct fxt_text){ .bytes = v->text, .length = v->length };
	return text_of(e, v->text, v->length);
}

/* The text in JSON stays until the next event, because the record has it. */
static struct fxt_text tree_text(struct json_events *e, struct json_object *tree)
{
	size_t length;
	const char *bytes = json_object_to_json_string_length(tree, JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE,
							      &length);

	e->trees[e->tree_count++] = tree;
	return text_of(e, (char *)bytes, length);
}

/* As value_text(), and a string that is itself JSON text keeps its quotes, by which it differs. */
static struct fxt_text arg_text(struct json_events *e, const struct json_value *v)
{
	struct json_object *inner = v->type == json_type_string ?
				    json_value_of_text(v->text, v->length) : NULL;
	struct json_object *tree = inner ? json_value_tree(v) : NULL;

	json_object_put(inner);
	return tree ? tree_text(e, tree) : json_event_text(e, v);
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

/* The caller has checked that there is room. */
static void add(struct json_events *e, struct fxt_text name, const struct json_value *v)
{
	struct fxt_arg *a = &e->c.args[e->c.arg_count++];

	*a = (struct fxt_arg){ .name = name };
	switch (v ? v->type : json_type_null) {
	case json_type_null:
		a->type = FXT_ARG_NULL;
		break;
	case json_type_boolean:
		a->type = FXT_ARG_BOOL;
		a->u64 = *v->text == 't';
		break;
	case json_type_int:
		set_int(a, v);
		break;
	case json_type_double:
		a->type = FXT_ARG_DOUBLE;
		a->f64 = json_value_double(v);
		break;
	default:
		a->type = FXT_ARG_STRING;
		a->text = arg_text(e, v);
	}
}

static bool is_name(const struct fxt_text *name, const char *other)
{
	return name->length == strlen(other) && !memcmp(name->bytes, other, name->length);
}

/* "json.NAME" */
static void add_field(struct json_events *e, const struct fxt_text *name, const struct json_value *v)
{
	char *to = e->names[e->c.arg_count];
	size_t length = strlen(JSON_FIELD) + name->length;

	/* Each argument of a counter is a series; its id is elsewhere. */
	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER] += !is_name(name, "id") && !is_name(name, "id2");
		return;
	}
	if (e->c.arg_count >= FXT_MAX_ARGS - 1 || length >= sizeof(e->names[0])) {
		e->lost[JSON_LOSS_ARGS]++;
		return;
	}
	memcpy(to, JSON_FIELD, strlen(JSON_FIELD));
	memcpy(to + strlen(JSON_FIELD), name->bytes, name->length);
	add(e, text_of(e, to, length), v);
}

static void add_known(struct json_events *e, const char *name, const struct json_value *v)
{
	const struct fxt_text text = { .bytes = name, .length = strlen(name) };

	add_field(e, &text, v);
}

static bool is_number(const struct json_value *v)
{
	return v->type == json_type_int || v->type == json_type_double;
}

static bool is_field(const struct json_value *name)
{
	return name->length >= strlen(JSON_FIELD) &&
	       !memcmp(name->text, JSON_FIELD, strlen(JSON_FIELD));
}

/* What does not fit. Return: 0 or -ENOMEM */
static int add_rest(struct json_object **rest, const struct json_member *m)
{
	struct json_object *tree = m->value.type == json_type_null ? NULL : json_value_tree(&m->value);
	char *name = strndup(m->name.text, m->name.length);
	int ret = -ENOMEM;

	if (!*rest)
		*rest = json_object_new_object();
	if (*rest && name && (tree || m->value.type == json_type_null))
		ret = json_object_object_add(*rest, name, tree) ? -ENOMEM : 0;
	if (ret)
		json_object_put(tree);
	free(name);
	return ret;
}

static int put_rest(struct json_events *e, struct json_object *rest)
{
	struct fxt_arg *a = &e->c.args[e->c.arg_count];

	if (e->c.kind == FXT_KIND_COUNTER) {
		e->lost[JSON_LOSS_COUNTER] += json_object_object_length(rest);
		json_object_put(rest);
		return 0;
	}
	*a = (struct fxt_arg){ .name = { .bytes = REST, .length = strlen(REST) },
			       .type = FXT_ARG_STRING };
	a->text = tree_text(e, rest);
	e->c.arg_count++;
	return 0;
}

/* The members of "args". Return: 0 or -ENOMEM */
static int add_args(struct json_events *e, const struct json_element *from)
{
	const struct json_value *args = json_element_get(from, JSON_ARGS);
	unsigned int room = FXT_MAX_ARGS - e->c.arg_count;
	struct json_object *rest = NULL;
	int ret = 0;
	size_t i;

	if (!args || args->type != json_type_object) {
		if (args)
			add_known(e, "args", args);
		return 0;
	}
	room -= from->args.count > room;
	for (i = 0; i < from->args.count && !ret; i++) {
		const struct json_member *m = &from->args.list[i];

		if (e->c.kind == FXT_KIND_COUNTER && !is_number(&m->value)) {
			e->lost[JSON_LOSS_COUNTER]++;
		} else if (!is_field(&m->name) && room && m->name.length <= FXT_MAX_STRING) {
			add(e, json_event_text(e, &m->name), &m->value);
			room--;
		} else {
			ret = add_rest(&rest, m);
		}
	}
	if (!ret && rest)
		return put_rest(e, rest);
	json_object_put(rest);
	return ret;
}

/* --- records --------------------------------------------------------------------- */

static bool is_string(const struct json_value *v, const char *text)
{
	return v && v->type == json_type_string && v->length == strlen(text) &&
	       !memcmp(v->text, text, v->length);
}

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
	c->name = text_of(e, (char *)name, strlen(name));
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

/* Ids that are not numbers are fields, too. */
static void put_text_ids(struct json_events *e, const struct json_element *from)
{
	const struct json_value *pid = json_element_get(from, JSON_PID);
	const struct json_value *tid = json_element_get(from, JSON_TID);
	uint64_t koid;

	if (!json_value_koid(pid, 0, &koid))
		add_known(e, "pid", pid);
	if (!json_value_koid(tid, 0, &koid))
		add_known(e, "tid", tid);
}

/* Names of processes and threads are kernel objects; the rest has no place in FXT. */
static int metadata(struct json_events *e, const struct json_element *from)
{
	const struct json_value *name = json_element_get(from, JSON_NAME);
	struct json_value *text = json_members_find(&from->args, "name");
	bool is_thread = is_string(name, "thread_name");
	struct fxt_content *c = &e->c;
	struct fxt_thread_id id = c->thread;
	struct json_object *tree;
	int ret;

	if (!text || text->type != json_type_string ||
	    (!is_thread && !is_string(name, "process_name"))) {
		tree = json_value_tree(&from->value);
		ret = tree ? put_blob(e, JSON_METADATA, tree) : -ENOMEM;
		json_object_put(tree);
		return ret;
	}
	memset(c, 0, offsetof(struct fxt_content, args));
	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->name = json_event_text(e, text);
	c->category = (struct fxt_text){ .bytes = "" };
	c->object = is_thread ? id.thread : id.process;
	c->object_type = is_thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS;
	if (is_thread) {
		c->args[c->arg_count++] = (struct fxt_arg){
			.name = { .bytes = "process", .length = 7 },
			.type = FXT_ARG_KOID, .u64 = id.process,
		};
	}
	put_text_ids(e, from);
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

/* Does each record of this kind have the field, whatever its value is? */
static bool is_common(enum fxt_kind kind, enum json_name field)
{
	switch (field) {
	case JSON_NAME:
	case JSON_CAT:
	case JSON_PH:
	case JSON_TS:
	case JSON_PID:
	case JSON_TID:
	case JSON_ARGS:
		return true;
	case JSON_DUR:
		return kind == FXT_KIND_DURATION_COMPLETE;
	default:
		return false;
	}
}

/* Does the record have the value of this field? */
static bool is_expressed(enum fxt_kind kind, const struct json_member *m, bool id_is_exact)
{
	if (is_common(kind, m->known))
		return true;
	switch (m->known) {
	case JSON_ID:
		return id_is_exact;
	case JSON_BP:
		return kind == FXT_KIND_FLOW_END && is_string(&m->value, "e");
	case JSON_S:
		return kind == FXT_KIND_INSTANT && is_string(&m->value, "t");
	default:
		return false;
	}
}

/* "json.ph", and all fields that the record does not have; none if it has all. */
static void add_fields(struct json_events *e, const struct json_element *from, bool exact,
		       bool id_is_exact)
{
	enum fxt_kind kind = e->c.kind;
	bool has_all = exact &&
		       (kind != FXT_KIND_FLOW_END || json_element_get(from, JSON_BP)) &&
		       (kind < FXT_KIND_COUNTER || kind == FXT_KIND_DURATION_BEGIN ||
			kind == FXT_KIND_DURATION_END || kind == FXT_KIND_DURATION_COMPLETE ||
			id_is_exact);
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

static void place(struct json_events *e, const struct json_element *from)
{
	struct fxt_thread_id *id = &e->c.thread;

	json_value_koid(json_element_get(from, JSON_PID), 0, &id->process);
	json_value_koid(json_element_get(from, JSON_TID), id->process, &id->thread);
	put_text_ids(e, from);
}

/* Name and id together identify a counter, so one that is not a number becomes a part of it. */
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

/*
 * The id within the process, or the global one, in the object @id2.
 *
 * Return: is there one? Or -ENOMEM
 */
static int set_id2(struct json_events *e, const struct json_value *id2, uint64_t seed)
{
	const struct json_value *local = NULL, *global = NULL;
	char *text = strndup(id2->text, id2->length);
	struct json_element object = { 0 };
	size_t bytes = id2->length;
	int ret = -ENOMEM;

	if (text && json_element_scan(&object, text, &bytes, true) == JSON_SCAN_DONE) {
		local = json_members_find(&object.object, "local");
		global = json_members_find(&object.object, "global");
		ret = local || global;
	}
	if (local)
		json_value_id(local, json_value_hash(seed, "local", 5) ^ e->c.thread.process, &e->c.id);
	else if (global)
		json_value_id(global, seed, &e->c.id);
	keep_counter_id(e, local ? local : global);
	json_element_free(&object);
	free(text);
	return ret;
}

/* Return: 0 or -ENOMEM; @is_exact: does the record have the field "id" as it is? */
static int set_id(struct json_events *e, const struct json_element *from, bool *is_exact)
{
	const struct json_value *scope = json_element_get(from, JSON_SCOPE);
	const struct json_value *id2 = json_element_get(from, JSON_ID2);
	const struct json_value *id = json_element_get(from, JSON_ID);
	uint64_t seed = scope ? json_value_hash_of(0, scope) : 0;
	int ret = id2 && id2->type == json_type_object ? set_id2(e, id2, seed) : 0;

	if (!ret) {
		*is_exact = json_value_id(id, seed, &e->c.id);
		keep_counter_id(e, id);
	}
	return ret < 0 ? ret : 0;
}

/* Return: 0 or what is lost, -1 if nothing is. */
static int set_times(struct json_events *e, const struct json_element *from)
{
	const struct json_value *dur = json_element_get(from, JSON_DUR);
	uint64_t duration = 0;
	int ret = json_value_ns(json_element_get(from, JSON_TS), &e->c.time);

	if (!ret && e->c.kind == FXT_KIND_DURATION_COMPLETE) {
		ret = dur ? json_value_ns(dur, &duration) : 0;
		if (!ret && __builtin_add_overflow(e->c.time, duration, &e->c.end))
			ret = -ERANGE;
	}
	if (!ret)
		return -1;
	return ret == -ERANGE ? JSON_LOSS_NEGATIVE : JSON_LOSS_NO_TIME;
}

static int timed(struct json_events *e, const struct json_element *from, unsigned char ph)
{
	const struct phase *p = &phases[ph];
	struct fxt_content *c = &e->c;
	bool id_is_exact = false;
	int ret;

	c->kind = p->kind ? p->kind : FXT_KIND_INSTANT;
	*e->counter_id = '\0';
	ret = set_times(e, from);
	if (ret >= 0) {
		e->lost[ret]++;
		return 0;
	}
	if (c->kind != FXT_KIND_INSTANT && c->kind != FXT_KIND_DURATION_BEGIN &&
	    c->kind != FXT_KIND_DURATION_END && c->kind != FXT_KIND_DURATION_COMPLETE)
		ret = set_id(e, from, &id_is_exact);
	else
		ret = 0;
	if (ret)
		return ret;
	c->category = json_event_text(e, json_element_get(from, JSON_CAT));
	c->name = json_event_text(e, json_element_get(from, JSON_NAME));
	if (c->kind == FXT_KIND_COUNTER)
		name_counter(e);
	add_fields(e, from, p->exact, id_is_exact);
	ret = add_args(e, from);
	return ret ? ret : put(e);
}

int json_event_take(struct json_events *e, struct json_element *from)
{
	const struct json_value *phase = json_element_get(from, JSON_PH);
	unsigned char ph = phase && phase->type == json_type_string && phase->length == 1 ?
			   *phase->text : 0;
	int ret;

	e->events++;
	if (!ph || ph >= 128) {
		e->lost[JSON_LOSS_EVENT]++;
		return 0;
	}
	memset(&e->c, 0, offsetof(struct fxt_content, args));
	e->c.kind = phases[ph].kind;
	place(e, from);
	ret = ph == 'M' ? metadata(e, from) : timed(e, from, ph);
	while (e->tree_count)
		json_object_put(e->trees[--e->tree_count]);
	return ret;
}

int json_sample_take(struct json_events *e, struct json_element *from)
{
	/* As the sample events of the format, which are of phase P. */
	static char p[] = "P";
	static const struct json_value phase = {
		.text = p, .length = 1, .type = json_type_string, .is_ascii = true
	};

	if (from->value.type != json_type_object) {
		e->lost[JSON_LOSS_EVENT]++;
		return 0;
	}
	return json_element_set(from, JSON_PH, &phase) ? -ENOMEM : json_event_take(e, from);
}
