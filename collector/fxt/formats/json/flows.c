// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flows.c - flows and asynchronous operations by their ids.
 *
 * To readers of the JSON, an id means the same throughout the trace, so each flow and each
 * operation gets a number of its own (walk/ids.h); "fxt_id" is the id that it has in the archive.
 * Readers also compare category and name. So all events of a flow or operation get those of its
 * begin; their own, if they differ, are kept as "fxt_cat" and "fxt_name". An operation that begins
 * within another one with the same id has a name of its own.
 *
 * The names of open flows and operations take at most JSON_TABLE_BYTES. Events keep their own
 * names if those of the begin did not fit, or if they belong to no flow or operation.
 */
#include "terminal/memory.h"
#include "json.h"
#include "walk/slices.h"

#define OPEN_MOST	(1U << 18)	/* open flows, and as many open operations */

/* An open flow, or one of nested operations. */
struct names {
	struct slice slice;	/* its name: a hash of @name */
	struct fxt_text category;
	struct fxt_text name;
	char texts[];
};

static uint64_t hash_of(const struct fxt_text *name)
{
	return fxt_hash_bytes(name->bytes, name->length);
}

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

/* Keep category and name of a begin, if there is room. */
static void remember(struct json *j, struct slice **top, const struct fxt_text *category,
		     const struct fxt_text *name)
{
	size_t bytes = names_bytes(category, name);
	struct names *n;

	if (bytes > JSON_TABLE_BYTES - j->flow_bytes)
		return;
	n = must(malloc(bytes));
	n->slice = (struct slice){ .end = SLICE_OPEN, .name = hash_of(name) };
	n->category = text_at(n->texts, category);
	n->name = text_at(n->texts + category->length, name);
	slice_push(top, &n->slice);
	j->flow_bytes += bytes;
}

static void forget(struct json *j, struct slice **at)
{
	struct names *n = (struct names *)slice_remove(at);

	j->flow_bytes -= names_bytes(&n->category, &n->name);
	free(n);
}

static void forget_all(void *data, void *json)
{
	struct slice *top = data;

	while (top)
		forget(json, &top);
}

/* Write this category and name instead of the record's own, and @number instead of its id. */
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

void json_flow_part(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_async = c->kind <= FXT_KIND_ASYNC_END;
	bool is_begin = c->kind == FXT_KIND_FLOW_BEGIN || c->kind == FXT_KIND_ASYNC_BEGIN;
	bool is_end = c->kind == FXT_KIND_FLOW_END || c->kind == FXT_KIND_ASYNC_END;
	struct ids *ids = is_async ? &j->operations : &j->flows;
	struct ids_one *one = is_begin ? ids_begin(ids, c->thread.process, c->id) :
					 ids_find(ids, c->thread.process, c->id, NULL);
	struct slice *top = one ? one->data : NULL, **at = &top;
	/* A second begin of a flow does not begin another one. */
	bool is_another = is_begin && (is_async || !top);
	const struct names *n;

	if (is_end)
		at = slice_named(at, hash_of(&c->name));
	n = (const struct names *)*at;
	put_flow(j, n ? &n->category : &c->category, n && !is_another ? &n->name : &c->name,
		 one ? one->number : ids_new_number(ids));
	if (!one)
		return;
	if (is_another)
		remember(j, &top, n ? &n->category : &c->category, &c->name);
	else if (is_end && n)
		forget(j, at);
	one->data = top;
	if (is_end && !top)
		ids_end(ids, one);
}

void json_flows_begin(struct json *j)
{
	j->flows.most = OPEN_MOST;
	j->operations = (struct ids){ .are_operations = true, .most = OPEN_MOST };
}

void json_flows_free(struct json *j)
{
	ids_free(&j->flows, forget_all, j);
	ids_free(&j->operations, forget_all, j);
}
