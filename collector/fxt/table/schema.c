// SPDX-License-Identifier: GPL-2.0-or-later
/* schema.c - see schema.h. */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "schema.h"

#define VERSION	"1"	/* of all schemas; fxt(1) documents when it changes */
#define TYPE(is)	((is) & 0xff)
#define ROOT	64	/* bytes of an id */

static const struct schema members_of_command[] = {
	MEMBER("pid", IS_NUMBER),
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("threads", IS_NUMBER),
	{ 0 }
};

const struct schema schema_command[] = {
	MEMBER("command", IS_OBJECT | OR_NULL,
	  .about = "the recorded command, if only its threads, and those that it started, are selected",
	  .of = members_of_command),
	{ 0 }
};

typedef void visitor(struct json *j, const struct schema *m);

static void put_value(struct json *j, const char *key, const struct schema *m);

/* --- members ------------------------------------------------------------------------------- */

static void each_column(struct json *j, const struct column *c, visitor *visit);

static void visit_thread(struct json *j, const struct column *c, visitor *visit)
{
	unsigned int absent = c->is_in ? OR_ABSENT : 0, i;
	char key[JSON_KEY_BYTES];

	for (i = 0; i < THREAD_KEYS; i++) {
		struct schema m = MEMBER(key, absent | OR_NULL | (i == THREAD_NAME ? IS_TEXT : IS_NUMBER),
			.about = i == THREAD_NTH ? "how many threads had the id before" : c->about);

		if (!json_thread_key(c, i, key))
			continue;
		visit(j, &m);
	}
}

static void visit_column(struct json *j, const struct column *c, visitor *visit)
{
	struct schema m = {
		.key = c->key, .about = c->about, .columns = c->of,
		.is = (c->get ? OR_NULL : 0) | (c->is_in ? OR_ABSENT : 0),
	};

	switch (c->type->kind) {
	case COLUMN_OF_SAME:
		each_column(j, c->of, visit);
		return;
	case COLUMN_OF_THREAD:
	case COLUMN_OF_THREAD_NTH:
		visit_thread(j, c, visit);
		return;
	case COLUMN_OF_OBJECT:
		m.is |= IS_OBJECT;
		break;
	case COLUMN_OF_LIST:
		m.is |= IS_LIST;
		break;
	case COLUMN_OF_VALUE:
		m.is |= c->type->schema->is;
		m.of = c->type->schema->of;
		m.about = c->about ? c->about : c->type->schema->about;
		break;
	}
	visit(j, &m);
}

static void each_column(struct json *j, const struct column *c, visitor *visit)
{
	for (; !columns_is_end(c); c++)
		if (column_has_json(c))
			visit_column(j, c, visit);
}

static void visit_table(struct json *j, const struct table *t, visitor *visit)
{
	unsigned int absent = t->is_in ? OR_ABSENT : 0;
	struct schema rows = MEMBER(t->key, IS_LIST | absent, .about = t->about,
				    .columns = t->columns);
	const struct schema members[] = {
		MEMBER("count", IS_NUMBER, .about = t->about),
		MEMBER(t->list, IS_LIST, .columns = t->columns),
		{ 0 }
	};
	struct schema object = MEMBER(t->key, IS_OBJECT | absent, .of = members);

	visit(j, t->list ? &object : &rows);
}

static void visit_members(struct json *j, const struct schema *object, visitor *visit);

static void each_member(struct json *j, const struct schema *m, visitor *visit)
{
	const struct table *const *table;

	for (; m->is; m++) {
		if (TYPE(m->is) == IS_TABLE)
			visit_table(j, m->table, visit);
		else if (TYPE(m->is) == IS_HERE)
			visit_members(j, m, visit);
		else if (TYPE(m->is) != IS_TABLES)
			visit(j, m);
		else
			for (table = m->tables; *table; table++)
				visit_table(j, *table, visit);
	}
}

static void visit_members(struct json *j, const struct schema *object, visitor *visit)
{
	if (object->columns)
		each_column(j, object->columns, visit);
	else
		each_member(j, object->of, visit);
}

static void put_property(struct json *j, const struct schema *m)
{
	put_value(j, m->key, m);
}

static void put_required(struct json *j, const struct schema *m)
{
	if (!(m->is & OR_ABSENT))
		json_string(j, NULL, m->key);
}

static void put_object(struct json *j, const struct schema *m)
{
	json_string(j, "type", "object");
	json_object(j, "properties");
	visit_members(j, m, put_property);
	json_end(j, '}');
	json_array(j, "required");
	visit_members(j, m, put_required);
	json_end(j, ']');
	json_boolean(j, "additionalProperties", false);
}

/* --- values -------------------------------------------------------------------------------- */

static void put_words(struct json *j, const char *words)
{
	json_array(j, "enum");
	while (*words) {
		size_t length = strcspn(words, "|");

		json_string_of(j, NULL, words, length);
		words += length + !!words[length];
	}
	json_end(j, ']');
}

static void put_alternatives(struct json *j, const struct schema *of)
{
	json_array(j, "anyOf");
	for (; of->is; of++)
		put_value(j, NULL, of);
	json_end(j, ']');
}

/* The items of a list, or the values of a map: a value, or an object of these members. */
static void put_items(struct json *j, const char *key, const struct schema *m)
{
	const struct schema object = { .is = IS_OBJECT, .of = m->of, .columns = m->columns };
	bool is_value = m->of && !m->of->key && TYPE(m->of->is) < IS_TABLE;

	put_value(j, key, is_value ? m->of : &object);
}

static void put_type(struct json *j, const struct schema *m)
{
	static const char *const types[] = {
		[IS_SIGNED] = "integer", [IS_FRACTION] = "number", [IS_FLAG] = "boolean",
		[IS_TEXT] = "string", [IS_MAP] = "object", [IS_LIST] = "array",
	};
	static const struct schema of_double[] = {
		{ .is = IS_FRACTION },
		{ .is = IS_WORD, .words = "NaN|Infinity|-Infinity" },
		{ 0 }
	};
	static const char *const shared[] = {
		[IS_NUMBER] = "#/$defs/number", [IS_NS] = "#/$defs/ns", [IS_TIME] = "#/$defs/time",
	};
	unsigned int type = TYPE(m->is);

	if (type <= IS_TIME)
		json_string(j, "$ref", shared[type]);
	else if (type == IS_OBJECT)
		put_object(j, m);
	else if (type == IS_WORD)
		put_words(j, m->words);
	else if (type == IS_EITHER || type == IS_DOUBLE)
		put_alternatives(j, type == IS_EITHER ? m->of : of_double);
	else if (type != IS_ANY)
		json_string(j, "type", types[type]);
	if (type == IS_MAP)
		put_items(j, "additionalProperties", m);
	else if (type == IS_LIST)
		put_items(j, "items", m);
}

static void put_value(struct json *j, const char *key, const struct schema *m)
{
	json_object(j, key);
	if (m->about)
		json_string(j, "description", m->about);
	if (m->is & OR_NULL) {
		json_array(j, "anyOf");
		json_object(j, NULL);
	}
	put_type(j, m);
	if (m->is & OR_NULL) {
		json_end(j, '}');
		json_object(j, NULL);
		json_string(j, "type", "null");
		json_end(j, '}');
		json_end(j, ']');
	}
	json_end(j, '}');
}

/* --- the schema ---------------------------------------------------------------------------- */

static void put_definition(struct json *j, const char *key, const char *about)
{
	json_object(j, key);
	json_string(j, "description", about);
	json_array(j, "type");
	json_string(j, NULL, "integer");
	json_string(j, NULL, "string");
	json_end(j, ']');
	json_number(j, "minimum", 0);
	json_string(j, "pattern", "^[0-9]+$");
	json_end(j, '}');
}

void schema_print(struct out *o, const char *name, const struct schema *members)
{
	struct json j = { .o = o };
	char id[ROOT];

	snprintf(id, sizeof(id), "urn:fxt-sched:%s:" VERSION, name);
	json_begin(&j, '{');
	json_string(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_string(&j, "$id", id);
	put_type(&j, SCHEMA_OF(!members->key && members->is == IS_OBJECT ? IS_EITHER : IS_OBJECT,
			       .of = members));
	json_object(&j, "$defs");
	put_definition(&j, "number", "beyond 2^53 a string of digits");
	put_definition(&j, "ns", "a duration in ns");
	put_definition(&j, "time", "a time of the archive's clock, in ns");
	json_end(&j, '}');
	json_end(&j, '}');
	out_char(o, '\n');
}
