// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * members.c - what was beside the events of a trace in the Trace Event Format.
 *
 * In: blobs that this format's reader made: metadata events, and members of the object.
 * Out: the metadata events among the others; the members after all events.
 * Must hold: memory is bounded by JSON_TABLE_BYTES; no two members have one name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "formats/json/fields.h"
#include "formats/json/value.h"
#include "json.h"

/** struct json_member - one that waits for the end; its name and value follow it */
struct json_member {
	struct json_member *next;
	char *value;
	char name[];
};

bool json_has_member(const struct json *j, const char *name)
{
	const struct json_member *m;

	for (m = j->members; m; m = m->next)
		if (!strcmp(m->name, name))
			return true;
	return false;
}

/* A text as JSON that is valid and in one line. Return: NULL if it is none, or without memory */
static struct json_object *parse(const char *text, size_t bytes)
{
	struct json_tokener *t = json_tokener_new_ex(JSON_VALUE_DEPTH);
	struct json_object *value;

	if (!t)
		return NULL;
	/* The zero ends a number. */
	value = json_tokener_parse_ex(t, text, bytes + 1);
	if (json_tokener_get_error(t) != json_tokener_success ||
	    json_tokener_get_parse_end(t) != bytes) {
		json_object_put(value);
		value = NULL;
	}
	json_tokener_free(t);
	return value;
}

static int keep(struct json *j, const char *name, const char *value)
{
	size_t bytes = sizeof(struct json_member) + strlen(name) + 1 + strlen(value) + 1;
	struct json_member *m, **end = &j->members;

	m = malloc(bytes);
	if (!m)
		return -ENOMEM;
	m->next = NULL;
	strcpy(m->name, name);
	m->value = m->name + strlen(name) + 1;
	strcpy(m->value, value);
	while (*end)
		end = &(*end)->next;
	*end = m;
	j->member_bytes += bytes;
	return 0;
}

/* What has no place of its own, as other blobs. */
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

static int restore(struct json *j, const char *name, const char *text, size_t bytes)
{
	struct json_object *value = parse(text, bytes);
	const char *plain = value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
					JSON_C_TO_STRING_NOSLASHESCAPE) : NULL;
	int ret = 0;

	if (plain && !strcmp(name, JSON_METADATA) &&
	    json_object_is_type(value, json_type_object)) {
		out_str(j->o, j->written++ ? ",\n" : "\n");
		out_json_value(j->o, plain);
	} else if (plain && strcmp(name, "traceEvents") && !json_has_member(j, name) &&
		   strlen(plain) < JSON_TABLE_BYTES - j->member_bytes) {
		ret = keep(j, name, plain);
	} else {
		put_blob(j, name, text, bytes);
	}
	json_object_put(value);
	return ret;
}

/* Restore what has arrived completely. */
static int finish_part(struct json *j)
{
	struct json_part *p = &j->part;
	int ret = 0;

	if (p->bytes) {
		p->text[p->bytes] = '\0';
		ret = restore(j, p->name, p->text, p->bytes);
	}
	p->bytes = 0;
	return ret;
}

/* Wait for the parts of a blob of this name, after what is left of another one. */
static int begin_part(struct json *j, const struct fxt_text *name)
{
	struct json_part *p = &j->part;
	int ret = 0;

	if (p->bytes && fxt_text_is(name, p->name))
		return 0;
	ret = finish_part(j);
	free(p->name);
	p->name = strndup(name->length ? name->bytes : "", name->length);
	return p->name ? ret : -ENOMEM;
}

int json_member(struct json *j)
{
	const struct fxt_bytes *blob = &j->content.blob;
	struct json_part *p = &j->part;
	int ret = begin_part(j, &j->content.name);
	char *text;

	if (!ret && p->bytes + blob->bytes > JSON_TABLE_BYTES)
		ret = finish_part(j);
	if (ret)
		return ret;
	if (p->bytes + blob->bytes >= p->room) {
		p->room = 2 * (p->bytes + blob->bytes) + 1;
		text = realloc(p->text, p->room);
		if (!text)
			return -ENOMEM;
		p->text = text;
	}
	if (blob->bytes)
		memcpy(p->text + p->bytes, blob->data, blob->bytes);
	p->bytes += blob->bytes;
	return blob->bytes == JSON_PART_BYTES ? 0 : finish_part(j);
}

int json_members_finish(struct json *j)
{
	return finish_part(j);
}

void json_members_write(struct json *j)
{
	const struct json_member *m;

	for (m = j->members; m; m = m->next) {
		out_str(j->o, ",\n");
		out_json(j->o, m->name, strlen(m->name));
		out_char(j->o, ':');
		out_json_value(j->o, m->value);
	}
}

void json_members_free(struct json *j)
{
	struct json_member *m;

	while ((m = j->members)) {
		j->members = m->next;
		free(m);
	}
	free(j->part.name);
	free(j->part.text);
}
