// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert_json_flows.c - flows whose parts do not have the same name.
 *
 * In archives the id alone says which begin, steps and end are one flow. Some
 * readers of the JSON want category and name to be the same, too. So all parts
 * get those of the begin; their own stay beside them, where they differ, as
 * "fxt_cat" and "fxt_name".
 *
 * Flows that have not ended are remembered in a bounded table. Parts of those
 * that found no room, or that stand in the archive before their begin, keep
 * their own names.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert_json.h"

/* A flow that has begun; category and name one after the other. */
struct flow {
	struct map_node node;
	uint64_t id;
	uint16_t category_length;
	uint16_t name_length;
	char texts[];
};

static size_t flow_bytes(const struct flow *f)
{
	return sizeof(*f) + f->category_length + f->name_length;
}

static struct flow *find(const struct json *j, uint64_t id, uint64_t hash)
{
	struct map_node *n;

	for (n = map_first(&j->flows, hash); n; n = map_next(n, hash))
		if (map_entry(n, struct flow, node)->id == id)
			return map_entry(n, struct flow, node);
	return NULL;
}

static void forget(struct json *j, struct flow *f)
{
	map_remove(&j->flows, &f->node);
	j->flow_bytes -= flow_bytes(f);
	free(f);
}

static int remember(struct json *j, uint64_t hash)
{
	const struct fxt_content *c = &j->content;
	size_t bytes = sizeof(struct flow) + c->category.length + c->name.length;
	struct flow *f;

	if (bytes > JSON_TABLE_BYTES - j->flow_bytes)
		return 0;
	f = malloc(bytes);
	if (!f || map_reserve(&j->flows)) {
		free(f);
		return -ENOMEM;
	}
	f->id = c->id;
	f->category_length = c->category.length;
	f->name_length = c->name.length;
	memcpy(f->texts, c->category.bytes, c->category.length);
	memcpy(f->texts + c->category.length, c->name.bytes, c->name.length);
	map_add(&j->flows, &f->node, hash);
	j->flow_bytes += bytes;
	return 0;
}

static bool is_same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

int json_flow_name(struct json *j)
{
	const struct fxt_content *c = &j->content;
	uint64_t hash = map_hash(c->id, 0);
	struct flow *f = find(j, c->id, hash);
	struct fxt_text category, name;

	if (f && c->kind == FXT_KIND_FLOW_BEGIN) {
		forget(j, f);
		f = NULL;
	}
	if (!f) {
		json_name(j, &c->category, &c->name);
		return c->kind == FXT_KIND_FLOW_BEGIN ? remember(j, hash) : 0;
	}
	category = (struct fxt_text){ .bytes = f->texts, .length = f->category_length };
	name = (struct fxt_text){ .bytes = f->texts + f->category_length,
				  .length = f->name_length };
	json_name(j, &category, &name);
	if (!is_same(&category, &c->category)) {
		out_str(j->o, ",\"fxt_cat\":");
		out_json_text(j->o, &c->category);
	}
	if (!is_same(&name, &c->name)) {
		out_str(j->o, ",\"fxt_name\":");
		out_json_text(j->o, &c->name);
	}
	if (c->kind == FXT_KIND_FLOW_END)
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
