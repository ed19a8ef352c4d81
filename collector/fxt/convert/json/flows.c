// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flows.c - flows and asynchronous operations by their ids.
 *
 * In archives the id alone identifies a flow or an operation. Readers of the JSON also
 * compare category and name. So all events get those of the begin; their own, if they
 * differ, are kept as "fxt_cat" and "fxt_name". An operation that begins within another
 * one of its id has a name of its own.
 *
 * Open flows and operations are kept in a bounded table. Events of flows that did not fit,
 * or that come before their begin, keep their own names.
 */
#include <errno.h>
#include <stdlib.h>

#include "json.h"

/* An open flow or operation; category and name follow one another. */
struct flow {
	struct map_node node;
	uint64_t id;
	bool is_async;
	uint16_t category_length;
	uint16_t name_length;
	char texts[];
};

static size_t flow_bytes(const struct flow *f)
{
	return sizeof(*f) + f->category_length + f->name_length;
}

/* The one that began last, because new ones come first in the list. */
static struct flow *find(const struct json *j, uint64_t id, bool is_async, uint64_t hash)
{
	struct map_node *n;

	for (n = map_first(&j->flows, hash); n; n = map_next(n, hash)) {
		struct flow *f = map_entry(n, struct flow, node);

		if (f->id == id && f->is_async == is_async)
			return f;
	}
	return NULL;
}

static void forget(struct json *j, struct flow *f)
{
	map_remove(&j->flows, &f->node);
	j->flow_bytes -= flow_bytes(f);
	free(f);
}

static int remember(struct json *j, const struct fxt_text *category, bool is_async,
		    uint64_t hash)
{
	const struct fxt_content *c = &j->content;
	size_t bytes = sizeof(struct flow) + category->length + c->name.length;
	struct flow *f;

	if (bytes > JSON_TABLE_BYTES - j->flow_bytes)
		return 0;
	f = malloc(bytes);
	if (!f || map_reserve(&j->flows)) {
		free(f);
		return -ENOMEM;
	}
	f->id = c->id;
	f->is_async = is_async;
	f->category_length = category->length;
	f->name_length = c->name.length;
	memcpy(f->texts, category->bytes, category->length);
	memcpy(f->texts + category->length, c->name.bytes, c->name.length);
	map_add(&j->flows, &f->node, hash);
	j->flow_bytes += bytes;
	return 0;
}

static bool is_same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* Write category and name of @f instead of the record's own. */
static void put_names(struct json *j, const struct fxt_text *category,
		      const struct fxt_text *name)
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
}

static int begin(struct json *j, struct flow *f, bool is_async, uint64_t hash)
{
	struct fxt_text category = j->content.category;

	if (f && is_async)
		category = (struct fxt_text){ .bytes = f->texts, .length = f->category_length };
	put_names(j, &category, &j->content.name);
	if (f && !is_async)
		forget(j, f);
	return remember(j, &category, is_async, hash);
}

int json_flow_name(struct json *j)
{
	const struct fxt_content *c = &j->content;
	bool is_async = c->kind <= FXT_KIND_ASYNC_END;
	uint64_t hash = map_hash(c->id, is_async);
	struct flow *f = find(j, c->id, is_async, hash);
	struct fxt_text category, name;

	if (c->kind == FXT_KIND_FLOW_BEGIN || c->kind == FXT_KIND_ASYNC_BEGIN)
		return begin(j, f, is_async, hash);
	if (!f) {
		json_name(j, &c->category, &c->name);
		return 0;
	}
	category = (struct fxt_text){ .bytes = f->texts, .length = f->category_length };
	name = (struct fxt_text){ .bytes = f->texts + f->category_length,
				  .length = f->name_length };
	put_names(j, &category, &name);
	if (c->kind == FXT_KIND_FLOW_END || c->kind == FXT_KIND_ASYNC_END)
		forget(j, f);
	return 0;
}

void json_flows_free(struct json *j)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&j->flows, &from)))
		free(map_entry(n, struct flow, node));
	map_free(&j->flows);
}
