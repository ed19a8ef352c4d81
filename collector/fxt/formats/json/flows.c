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

#define OPEN_MOST	(1U << 18)	/* open flows, and as many open operations */

/* Category and name of an open flow, or of nested operations, the innermost first. */
struct names {
	struct names *outer;
	uint16_t category_length;
	uint16_t name_length;
	char texts[];
};

static size_t names_bytes(const struct names *n)
{
	return sizeof(*n) + n->category_length + n->name_length;
}

static struct fxt_text category_of(const struct names *n)
{
	return (struct fxt_text){ .bytes = n->texts, .length = n->category_length };
}

static struct fxt_text name_of(const struct names *n)
{
	return (struct fxt_text){ .bytes = n->texts + n->category_length, .length = n->name_length };
}

static bool is_same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* Keep category and name of a begin, if there is room. */
static void remember(struct json *j, struct names **newest, const struct fxt_text *category)
{
	const struct fxt_content *c = &j->content;
	size_t bytes = sizeof(struct names) + category->length + c->name.length;
	struct names *n;

	if (bytes > JSON_TABLE_BYTES - j->flow_bytes)
		return;
	n = must(malloc(bytes));
	n->outer = *newest;
	n->category_length = category->length;
	n->name_length = c->name.length;
	memcpy(n->texts, category->bytes, category->length);
	memcpy(n->texts + category->length, c->name.bytes, c->name.length);
	*newest = n;
	j->flow_bytes += bytes;
}

static void forget(struct json *j, struct names **at)
{
	struct names *n = *at;

	*at = n->outer;
	j->flow_bytes -= names_bytes(n);
	free(n);
}

static void forget_all(void *names, void *json)
{
	struct names *newest = names;

	while (newest)
		forget(json, &newest);
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

static void put_own(struct json *j, uint64_t number)
{
	put_flow(j, &j->content.category, &j->content.name, number);
}

static void begin_flow(struct json *j, struct ids *ids)
{
	struct ids_one *one = ids_begin(ids, j->content.thread.process, j->content.id);
	struct fxt_text category = j->content.category, name = j->content.name;
	struct names *newest = one ? one->data : NULL;
	/* A second begin of a flow does not begin another one. */
	bool is_another = newest && !ids->are_operations;

	if (!one) {
		put_own(j, ids_new_number(ids));
		return;
	}
	if (newest)
		category = category_of(newest);
	if (is_another)
		name = name_of(newest);
	put_flow(j, &category, &name, one->number);
	if (!is_another)
		remember(j, &newest, &category);
	one->data = newest;
}

/* The names of the innermost operation; an end prefers the innermost one with its name. */
static struct names **names_of(struct json *j, struct names **newest, bool is_end)
{
	struct fxt_text name;
	struct names **at;

	for (at = newest; is_end && *at; at = &(*at)->outer) {
		name = name_of(*at);
		if (is_same(&name, &j->content.name))
			return at;
	}
	return newest;
}

void json_flow_part(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_async = c->kind <= FXT_KIND_ASYNC_END;
	bool is_end = c->kind == FXT_KIND_FLOW_END || c->kind == FXT_KIND_ASYNC_END;
	struct ids *ids = is_async ? &j->operations : &j->flows;
	struct fxt_text category, name;
	struct names *newest, **names;
	struct ids_one *one;

	if (c->kind == FXT_KIND_FLOW_BEGIN || c->kind == FXT_KIND_ASYNC_BEGIN) {
		begin_flow(j, ids);
		return;
	}
	one = ids_find(ids, c->thread.process, c->id, NULL);
	newest = one ? one->data : NULL;
	if (!newest) {
		put_own(j, one ? one->number : ids_new_number(ids));
	} else {
		names = names_of(j, &newest, is_end);
		category = category_of(*names);
		name = name_of(*names);
		put_flow(j, &category, &name, one->number);
		if (is_end)
			forget(j, names);
		one->data = newest;
	}
	if (one && is_end && !newest)
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
