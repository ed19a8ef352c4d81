// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * restore.c - restores events that were read from the Trace Event Format.
 *
 * In: records that the reader of this format made.
 * Out: the original events. Arguments that hold fields become fields again; arguments whose text
 * is an object, array or string in JSON become that value.
 * Must hold: the JSON is valid even if another producer wrote such records.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/json/fields.h"
#include "scan.h"
#include "terminal/memory.h"
#include "json.h"

static bool is_field(const struct fxt_arg *a)
{
	return a->name.length > strlen(JSON_FIELD) &&
	       !memcmp(a->name.bytes, JSON_FIELD, strlen(JSON_FIELD));
}

static struct fxt_text field_of(const struct fxt_arg *a)
{
	return (struct fxt_text){ .bytes = a->name.bytes + strlen(JSON_FIELD),
				  .length = a->name.length - strlen(JSON_FIELD) };
}

static bool is_named(const struct fxt_arg *a, const char *field)
{
	struct fxt_text name = is_field(a) ? field_of(a) : a->name;

	return is_field(a) && fxt_text_is(&name, field);
}

static const struct fxt_arg *find_field(const struct fxt_content *c, const char *field)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (is_named(&c->args[i], field))
			return &c->args[i];
	return NULL;
}

static void put_parsed(struct json *j, const struct json_value *v)
{
	json_text_value(&j->line, v);
	out_json_value(j->o, j->line.bytes, j->line.length);
	j->line.length = 0;
}

/* Integers are numbers even if they are large, unlike in other events. */
static void put_value(struct json *j, const struct fxt_arg *a)
{
	struct out *o = j->o;

	if (a->type == FXT_ARG_INT32 || a->type == FXT_ARG_INT64) {
		out_i64(o, a->i64);
	} else if (a->type == FXT_ARG_UINT32 || a->type == FXT_ARG_UINT64) {
		out_u64(o, a->u64);
	} else if (a->type == FXT_ARG_STRING &&
		   json_element_nested(&j->parsed, a->text.bytes, a->text.length)) {
		put_parsed(j, &j->parsed.value);
	} else {
		json_arg_value(o, a);
	}
}

static void put_koid(struct json *j, const char *name, uint64_t koid)
{
	const struct fxt_arg *a = find_field(&j->content, name);

	out_str(j->o, ",\"");
	out_str(j->o, name);
	out_str(j->o, "\":");
	if (a)
		put_value(j, a);
	else
		out_u64(j->o, koid);
}

/*
 * The time by which the reader moved the end of a flow: the last such argument, because the event
 * may have had a field of this name.
 */
static const struct fxt_arg *find_moved(const struct fxt_content *c)
{
	unsigned int i = c->kind == FXT_KIND_FLOW_END ? c->arg_count : 0;

	while (i--)
		if (is_named(&c->args[i], JSON_MOVED) && c->args[i].type == FXT_ARG_INT64)
			return &c->args[i];
	return NULL;
}

static bool is_written(const struct fxt_content *c, unsigned int at)
{
	static const char *const elsewhere[] = { "ph", "pid", "tid", "ts", "cat", "name", JSON_REST };
	const struct fxt_text *name = &c->args[at].name;
	size_t i;

	for (i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (is_named(&c->args[at], elsewhere[i]))
			return true;
	if ((c->kind == FXT_KIND_DURATION_COMPLETE && is_named(&c->args[at], "dur")) ||
	    &c->args[at] == find_moved(c))
		return true;
	for (i = 0; i < at; i++)
		if (c->args[i].name.length == name->length &&
		    !memcmp(c->args[i].name.bytes, name->bytes, name->length))
			return true;
	return false;
}

static void put_fields(struct json *j)
{
	const struct fxt_content *c = &j->content;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		struct fxt_text name = field_of(&c->args[i]);

		if (!is_field(&c->args[i]) || is_written(c, i))
			continue;
		out_char(j->o, ',');
		out_json_text(j->o, &name);
		out_char(j->o, ':');
		put_value(j, &c->args[i]);
	}
}

/* Write the fields that the kind of the record implies. */
static void put_implied(struct json *j)
{
	enum fxt_kind kind = j->content.kind;

	if (kind == FXT_KIND_INSTANT)
		out_str(j->o, ",\"s\":\"t\"");
	if ((kind == FXT_KIND_COUNTER && j->content.id) ||
	    (kind >= FXT_KIND_ASYNC_BEGIN && kind <= FXT_KIND_FLOW_END))
		json_id(j, j->content.id);
	if (kind == FXT_KIND_FLOW_END)
		out_str(j->o, ",\"bp\":\"e\"");
}

/* Parse "json.args", the arguments that did not fit. */
static bool find_rest(struct json *j)
{
	const struct fxt_arg *a = find_field(&j->content, JSON_REST);

	return a && a->type == FXT_ARG_STRING &&
	       !json_element_parse(&j->rest, JSON_MEMBERS, a->text.bytes, a->text.length) &&
	       j->rest.value.type == JSON_OBJECT;
}

static void put_rest(struct json *j, unsigned int count)
{
	const struct json_members *m = &j->rest.object;
	size_t i;

	for (i = 0; i < m->count; i++) {
		if (count++)
			out_char(j->o, ',');
		out_json(j->o, m->list[i].name.text, m->list[i].name.length);
		out_char(j->o, ':');
		put_parsed(j, &m->list[i].value);
	}
}

static void put_args(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool has_rest = find_rest(j);
	const struct fxt_arg *other = has_rest ? NULL : find_field(c, JSON_REST);
	unsigned int i, count = 0;

	for (i = 0; i < c->arg_count; i++) {
		if (is_field(&c->args[i]))
			continue;
		out_str(j->o, count++ ? "," : ",\"args\":{");
		json_arg_key(j, c, i);
		put_value(j, &c->args[i]);
	}
	if (has_rest) {
		out_str(j->o, count ? "" : ",\"args\":{");
		put_rest(j, count);
		count++;
	}
	if (count)
		out_char(j->o, '}');
	/* If "args" was not an object, it is the only argument. */
	if (!count && other) {
		out_str(j->o, ",\"args\":");
		put_value(j, other);
	}
}

static void put_phase(struct json *j)
{
	const struct fxt_arg *ph = find_field(&j->content, "ph");
	char phase = json_phase(j->content.kind);

	json_next(j);
	out_str(j->o, "{\"ph\":");
	if (ph && ph->type == FXT_ARG_STRING)
		out_json_text(j->o, &ph->text);
	else
		out_json(j->o, &phase, 1);
}

/* A field that the event lacked is empty in the record. */
static void put_text(struct json *j, const char *name, const struct fxt_text *text)
{
	if (!text->length)
		return;
	out_printf(j->o, ",\"%s\":", name);
	out_json_text(j->o, text);
}

/* Is it a part of a flow that was not an event? Events may have a field of this name, too. */
static bool is_bound(const struct fxt_content *c)
{
	const struct fxt_arg *a = find_field(c, JSON_BOUND);

	return a && a->type == FXT_ARG_BOOL && !find_field(c, "ph") &&
	       c->kind >= FXT_KIND_FLOW_BEGIN && c->kind <= FXT_KIND_FLOW_END;
}

void json_restore(struct json *j, uint64_t ns, uint64_t end_ns)
{
	const struct fxt_content *c = &j->content;
	const struct fxt_arg *moved = find_moved(c);

	if (is_bound(c))
		return;
	if (moved && (uint64_t)moved->i64 <= ns)
		ns -= moved->i64;
	put_phase(j);
	put_koid(j, "pid", c->thread.process);
	put_koid(j, "tid", c->thread.thread);
	out_str(j->o, ",\"ts\":");
	out_micros(j->o, ns);
	if (c->kind == FXT_KIND_DURATION_COMPLETE) {
		out_str(j->o, ",\"dur\":");
		out_micros(j->o, end_ns > ns ? end_ns - ns : 0);
	}
	put_text(j, "cat", &c->category);
	put_text(j, "name", &c->name);
	if (find_field(c, "ph"))
		put_fields(j);
	else
		put_implied(j);
	if (c->kind != FXT_KIND_COUNTER) {
		put_args(j);
	} else {
		out_str(j->o, ",\"args\":");
		json_args(j, c, true);
	}
	json_end(j);
}

static void put_name(struct json *j, bool is_process, const struct json_place *place)
{
	json_next(j);
	out_str(j->o, "{\"ph\":\"M\"");
	put_koid(j, "pid", place->pid);
	put_koid(j, "tid", place->tid);
	out_printf(j->o, ",\"name\":\"%s_name\",\"args\":{\"name\":",
		   is_process ? "process" : "thread");
	out_json_text(j->o, &j->content.name);
	out_char(j->o, '}');
	json_end(j);
}

void json_restore_name(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;
	struct json_place place = { c->object, is_process ? 0 : c->object };

	/* The name only repeats an id that is a text. */
	if (find_field(c, JSON_NAMED))
		return;
	if (!is_process && !fxt_object_process(c, &place.pid))
		place.pid = 0;
	if (find_field(c, "pid") || find_field(c, "tid")) {
		put_name(j, is_process, &place);
		return;
	}
	json_track_name(j, is_process ? "process" : "thread", &place, &c->name, NULL);
}

/* --------------------------------------------------------------------
 * Restores what was beside the events: metadata events, and members of the trace's object. The
 * members are written after all events.
 *
 * Must hold: memory is bounded by JSON_TABLE_BYTES; no two members have one name.
 */

struct json_waiting_member {
	struct json_waiting_member *next;
	char *value;
	char name[];
};

bool json_has_member(const struct json *j, const char *name)
{
	const struct json_waiting_member *m;

	for (m = j->members; m; m = m->next)
		if (!strcmp(m->name, name))
			return true;
	return false;
}

static void keep_member(struct json *j, const char *name, const char *value)
{
	size_t bytes = sizeof(struct json_waiting_member) + strlen(name) + 1 + strlen(value) + 1;
	struct json_waiting_member *m = must(malloc(bytes)), **end = &j->members;

	m->next = NULL;
	strcpy(m->name, name);
	m->value = m->name + strlen(name) + 1;
	strcpy(m->value, value);
	while (*end)
		end = &(*end)->next;
	*end = m;
	j->member_bytes += bytes;
}

static void put_blob(struct json *j, const char *name, const char *text, size_t bytes)
{
	static const struct json_place nowhere;

	json_open_metadata(j, &nowhere, "fxt_blob");
	out_str(j->o, ",\"args\":{\"name\":");
	out_json(j->o, name, strlen(name));
	out_str(j->o, ",\"data\":");
	out_json_base64(j->o, text, bytes);
	out_char(j->o, '}');
	json_end(j);
}

static void restore_blob(struct json *j, const char *name, const char *text, size_t bytes)
{
	bool is_json = !json_element_parse(&j->parsed, JSON_VALUE, text, bytes);

	if (is_json)
		json_text_value(&j->line, &j->parsed.value);
	if (is_json && !strcmp(name, JSON_METADATA) && j->parsed.value.type == JSON_OBJECT) {
		json_next(j);
		out_json_value(j->o, j->line.bytes, j->line.length);
	} else if (is_json && strcmp(name, "traceEvents") && !json_has_member(j, name) &&
		   j->line.length < JSON_TABLE_BYTES - j->member_bytes) {
		keep_member(j, name, j->line.bytes);
	} else {
		put_blob(j, name, text, bytes);
	}
	j->line.length = 0;
}

void json_members_finish(struct json *j)
{
	struct json_part *p = &j->part;

	if (p->bytes) {
		p->text[p->bytes] = '\0';
		restore_blob(j, p->name, p->text, p->bytes);
	}
	p->bytes = 0;
}

void json_member(struct json *j)
{
	const struct fxt_text *name = &j->content.name;
	const struct fxt_bytes *blob = &j->content.blob;
	struct json_part *p = &j->part;

	if (!p->bytes || !fxt_text_is(name, p->name)) {
		json_members_finish(j);
		free(p->name);
		p->name = must(strndup(name->length ? name->bytes : "", name->length));
	}
	if (p->bytes + blob->bytes > JSON_TABLE_BYTES)
		json_members_finish(j);
	array_hold(p->text, p->room, p->bytes + blob->bytes + 1);
	if (blob->bytes)
		memcpy(p->text + p->bytes, blob->data, blob->bytes);
	p->bytes += blob->bytes;
	if (blob->bytes != JSON_PART_BYTES)
		json_members_finish(j);
}

void json_members_write(struct json *j)
{
	const struct json_waiting_member *m;

	for (m = j->members; m; m = m->next) {
		out_str(j->o, ",\n");
		out_json(j->o, m->name, strlen(m->name));
		out_char(j->o, ':');
		out_json_value(j->o, m->value, strlen(m->value));
	}
}

void json_members_free(struct json *j)
{
	struct json_waiting_member *m;

	while ((m = j->members)) {
		j->members = m->next;
		free(m);
	}
	free(j->part.name);
	free(j->part.text);
	json_element_free(&j->parsed);
	json_element_free(&j->rest);
	free(j->line.bytes);
}
