// SPDX-License-Identifier: GPL-2.0-or-later
/* ids.c - see ids.h. */
#include "terminal/memory.h"

#include "ids.h"

/* What the id of a flow means in processes that have not begun it. */
struct owner {
	struct map_node node;
	uint64_t id;
	uint64_t process;	/* that first began it */
	bool is_ambiguous;	/* another process has begun it since */
};

static struct ids_one *find_own(const struct ids *s, uint64_t process, uint64_t id)
{
	struct ids_one *one;

	return map_find(&s->ones, map_hash(process, id), one,
			one->process == process && one->id == id);
}

static struct owner *find_owner(const struct ids *s, uint64_t id)
{
	struct owner *owner;

	return map_find(&s->owners, map_hash(id, 0), owner, owner->id == id);
}

struct ids_one *ids_find(const struct ids *s, uint64_t process, uint64_t id, bool *is_ambiguous)
{
	struct ids_one *one = find_own(s, process, id);
	const struct owner *owner = one ? NULL : find_owner(s, id);

	if (is_ambiguous)
		*is_ambiguous = owner && owner->is_ambiguous;
	return !owner || owner->is_ambiguous ? one : find_own(s, owner->process, id);
}

static void own(struct ids *s, uint64_t process, uint64_t id)
{
	struct owner *owner;

	if (map_get(&s->owners, map_hash(id, 0), owner, owner->id == id)) {
		owner->id = id;
		owner->process = process;
	}
	owner->is_ambiguous |= owner->process != process;
}

struct ids_one *ids_begin(struct ids *s, uint64_t process, uint64_t id)
{
	struct ids_one *one = find_own(s, process, id);

	if (one || s->ones.count >= s->most)
		return one;
	one = new_zero(struct ids_one);
	one->process = process;
	one->id = id;
	one->number = ++s->last;
	map_put(&s->ones, &one->node, map_hash(process, id));
	own(s, process, id);
	return one;
}

void ids_end(struct ids *s, struct ids_one *one)
{
	struct owner *owner = find_owner(s, one->id);

	/* Whoever has begun the flow, its id means nothing in other processes now. */
	if (owner) {
		map_remove(&s->owners, &owner->node);
		free(owner);
	}
	map_remove(&s->ones, &one->node);
	free(one);
}

static enum flow_fate fate_of(const struct ids_one *one, bool is_begin, bool has_slice,
			      bool is_ambiguous)
{
	if (!one && is_begin)
		return FLOW_FULL;
	if (!one)
		return is_ambiguous ? FLOW_AMBIGUOUS : FLOW_UNKNOWN;
	if (!has_slice)
		return FLOW_NO_SLICE;
	if (is_begin)
		return one->is_bound ? FLOW_TWICE : FLOW_DRAWN;
	return one->is_bound ? FLOW_DRAWN : FLOW_UNBOUND;
}

struct flow_part ids_flow(struct ids *flows, enum fxt_kind kind, uint64_t process, uint64_t id,
			  const struct flow_place *at)
{
	bool is_begin = kind == FXT_KIND_FLOW_BEGIN, is_ambiguous = false;
	struct ids_one *one = is_begin ? ids_begin(flows, process, id) :
					 ids_find(flows, process, id, &is_ambiguous);
	struct flow_part part = { .fate = fate_of(one, is_begin, at, is_ambiguous) };

	if (part.fate == FLOW_DRAWN) {
		part.number = one->number;
		part.from = one->last;
		one->last = *at;
		one->is_bound = true;
	}
	if (one && kind == FXT_KIND_FLOW_END)
		ids_end(flows, one);
	return part;
}

void ids_free(struct ids *s, void (*free_data)(void *data, void *arg), void *arg)
{
	struct ids_one *one;

	map_drain(&s->ones, one) {
		if (one->data && free_data)
			free_data(one->data, arg);
		free(one);
	}
	map_free_all(&s->owners, struct owner);
}
