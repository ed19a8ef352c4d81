// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flows.c - flows and asynchronous operations by their ids.
 *
 * The format's readers take an id as one flow in the whole trace, so each flow gets a number of its
 * own (walk/ids.h); "fxt_id" is its id in the archive. Readers also compare category and name, so
 * all events of a flow get those of its begin; differing ones are kept as "fxt_cat", "fxt_name".
 *
 * Ids and names of operations work as in archives (walk/operations.h), except that operations of
 * two categories are separate here. So all events of an id get the category of its first one.
 *
 * Memory for names of open flows is limited to JSON_TABLE_BYTES, and likewise for categories.
 * Events whose begin did not fit, or that belong to no flow, keep their own.
 */
#include "terminal/memory.h"
#include "json.h"

struct names {
	struct fxt_text category;
	struct fxt_text name;
	char texts[];
};

struct operation {
	struct map_node node;
	uint64_t id;
	struct fxt_text category;
	char text[];
};

static bool is_same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

static size_t names_bytes(const struct fxt_text *category, const struct fxt_text *name)
{
	return sizeof(struct names) + category->length + name->length;
}

static struct fxt_text text_at(char *to, const struct fxt_text *text)
{
	if (text->length)
		memcpy(to, text->bytes, text->length);
	return (struct fxt_text){ .bytes = to, .length = text->length };
}

static struct names *remember(struct json *j, const struct fxt_text *category,
			      const struct fxt_text *name)
{
	size_t bytes = names_bytes(category, name);
	struct names *n;

	if (bytes > JSON_TABLE_BYTES - j->flow_bytes)
		return NULL;
	n = must(malloc(bytes));
	n->category = text_at(n->texts, category);
	n->name = text_at(n->texts + category->length, name);
	j->flow_bytes += bytes;
	return n;
}

static void forget(void *data, void *json)
{
	struct names *n = data;
	struct json *j = json;

	j->flow_bytes -= names_bytes(&n->category, &n->name);
	free(n);
}

/* @category, @name and @number replace those of the record. */
static void put_flow(struct json *j, const struct fxt_text *category, const struct fxt_text *name,
		     uint64_t number)
{
	const struct fxt_content *c = &j->content;

	json_name(j, category, name);
	if (!is_same(category, &c->category)) {
		out_str(j->o, ",\"fxt_cat\":");
		out_json_text(j->o, &c->category);
	}
	if (!is_same(name, &c->name)) {
		out_str(j->o, ",\"fxt_name\":");
		out_json_text(j->o, &c->name);
	}
	json_id(j, number);
	if (number == c->id)
		return;
	out_str(j->o, ",\"fxt_id\":\"");
	out_hex(j->o, c->id);
	out_char(j->o, '"');
}

static void put_part(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_begin = c->kind == FXT_KIND_FLOW_BEGIN;
	struct ids_one *one = is_begin ? ids_begin(&j->flows, c->thread.process, c->id) :
					 ids_find(&j->flows, c->thread.process, c->id, NULL);
	const struct names *n;

	/* A second begin of a flow does not begin another one. */
	if (one && is_begin && !one->data)
		one->data = remember(j, &c->category, &c->name);
	n = one ? one->data : NULL;
	put_flow(j, n ? &n->category : &c->category, n ? &n->name : &c->name,
		 one ? one->number : ids_new_number(&j->flows));
	if (!one || c->kind != FXT_KIND_FLOW_END)
		return;
	if (n)
		forget(one->data, j);
	ids_end(&j->flows, one);
}

static void put_operation(struct json *j)
{
	const struct fxt_content *c = &j->content;
	uint64_t hash = map_hash(c->id, 0);
	size_t bytes = sizeof(struct operation) + c->category.length;
	struct operation *o;

	map_find(&j->operations, hash, o, o->id == c->id);
	if (!o && bytes <= JSON_TABLE_BYTES - j->operation_bytes) {
		o = must(calloc(1, bytes));
		o->id = c->id;
		o->category = text_at(o->text, &c->category);
		map_put(&j->operations, &o->node, hash);
		j->operation_bytes += bytes;
	}
	put_flow(j, o ? &o->category : &c->category, &c->name, c->id);
}

void json_flow_part(struct json *j)
{
	if (j->content.kind <= FXT_KIND_ASYNC_END)
		put_operation(j);
	else
		put_part(j);
}

void json_flows_free(struct json *j)
{
	ids_free(&j->flows, forget, j);
	map_free_all(&j->operations, struct operation);
}
