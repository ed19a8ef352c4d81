// SPDX-License-Identifier: GPL-2.0-or-later
/* operations.c - see operations.h. */
#include <string.h>

#include "libfxt/heap.h"
#include "terminal/memory.h"

#include "operations.h"

struct operation_id {
	struct map_node node;
	uint64_t id;
	struct operation_name *name;
	struct operation_track *track;	/* unless another id has it now */
};

/* The name that ids first occurred with. */
struct operation_name {
	struct map_node node;
	struct operation_track **tracks;
	uint32_t count;
	uint32_t *idle;		/* a heap of places; some are in use again */
	size_t idle_count;
	size_t idle_room;
	size_t ids;
	uint32_t length;
	char text[];
};

static bool is_in_use(const struct operation_track *track)
{
	return track->open || track->nest.top;
}

static bool has_track(const struct operation_id *one)
{
	return one->track && one->track->id == one;
}

static size_t bytes_of(const struct operation_name *name)
{
	return sizeof(*name) + name->length;
}

/* --- what is forgotten ------------------------------------------------------------------ */

static void free_id(struct operations *s, struct operation_id *one)
{
	if (has_track(one))
		one->track->id = NULL;
	one->name->ids--;
	s->bytes -= sizeof(*one);
	free(one);
}

static void free_name(struct operations *s, struct operation_name *name)
{
	uint32_t i;

	for (i = 0; i < name->count; i++) {
		nest_drop_all(&name->tracks[i]->nest, s->user);
		free(name->tracks[i]);
	}
	s->bytes -= bytes_of(name) + name->count * sizeof(**name->tracks);
	free(name->tracks);
	free(name->idle);
	free(name);
}

/* Free the tracks that no id has. The others stay in their order. */
static void forget_tracks(struct operations *s, struct operation_name *name)
{
	struct operation_track *track;
	uint32_t i, kept = 0;

	name->idle_count = 0;
	for (i = 0; i < name->count; i++) {
		track = name->tracks[i];
		if (!track->id) {
			free(track);
			continue;
		}
		track->place = kept;
		name->tracks[kept++] = track;
		/* In ascending order, places are a heap. */
		if (track->is_listed)
			name->idle[name->idle_count++] = track->place;
	}
	s->bytes -= (name->count - kept) * sizeof(*track);
	name->count = kept;
}

/*
 * Forget ids without a track in use. A search takes as long as there are ids, so it is repeated
 * only after a quarter as many new ones. Returns false if there is still no room.
 */
static bool forget_unused(struct operations *s)
{
	struct operation_id *one;
	struct operation_name *name;
	struct map ids = { 0 }, names = { 0 };

	if (s->asked < s->ids.count / 4)
		return false;
	map_drain(&s->ids, one)
		if (has_track(one) && is_in_use(one->track))
			map_put(&ids, &one->node, one->node.hash);
		else
			free_id(s, one);
	map_drain(&s->names, name)
		if (name->ids) {
			forget_tracks(s, name);
			map_put(&names, &name->node, name->node.hash);
		} else {
			free_name(s, name);
		}
	s->ids = ids;
	s->names = names;
	s->asked = 0;
	return s->bytes < OPERATIONS_BYTES;
}

void operations_free(struct operations *s)
{
	struct operation_id *one;
	struct operation_name *name;

	map_drain(&s->ids, one)
		free_id(s, one);
	map_drain(&s->names, name)
		free_name(s, name);
}

/* --- ids, names and tracks ---------------------------------------------------------------- */

static struct operation_name *get_name(struct operations *s, const char *text, size_t length)
{
	uint64_t hash = fxt_hash_bytes(text, length);
	struct operation_name *name;

	if (map_find(&s->names, hash, name, name->length == length &&
		     !memcmp(name->text, text, length)))
		return name;
	name = must(calloc(1, sizeof(*name) + length));
	name->length = length;
	if (length)
		memcpy(name->text, text, length);
	map_put(&s->names, &name->node, hash);
	s->bytes += bytes_of(name);
	return name;
}

static struct operation_id *get_id(struct operations *s, uint64_t id, const char *name,
				   size_t length)
{
	struct operation_id *one;

	if (map_find(&s->ids, map_hash(id, 0), one, one->id == id))
		return one;
	s->asked++;
	if (s->bytes >= OPERATIONS_BYTES && !forget_unused(s))
		return NULL;
	one = new_zero(struct operation_id);
	one->id = id;
	one->name = get_name(s, name, length);
	one->name->ids++;
	map_put(&s->ids, &one->node, map_hash(id, 0));
	s->bytes += sizeof(*one);
	return one;
}

#define PLACE_BEFORE(arg, a, b)	((a) < (b))

static struct operation_track *find_idle(struct operation_name *name)
{
	struct operation_track *track;

	while (name->idle_count) {
		track = name->tracks[heap_pop(name->idle, name->idle_count, PLACE_BEFORE, NULL)];
		track->is_listed = false;
		if (!track->open)
			return track;
	}
	return NULL;
}

static void list_idle(struct operation_name *name, struct operation_track *track)
{
	if (track->open || track->is_listed)
		return;
	array_hold(name->idle, name->idle_room, name->idle_count + 1);
	heap_push(name->idle, name->idle_count, track->place, PLACE_BEFORE, NULL);
	track->is_listed = true;
}

static struct operation_track *new_track(struct operations *s, struct operation_name *name)
{
	struct operation_track *track = new_zero(struct operation_track);

	track->number = ++s->last;
	track->place = name->count;
	array_more(name->tracks, name->count);
	name->tracks[name->count++] = track;
	s->bytes += sizeof(*track);
	return track;
}

struct operation_track *operations_track(struct operations *s, enum fxt_kind kind, uint64_t id,
					 const char *name, size_t length)
{
	struct operation_id *one = get_id(s, id, name, length);
	struct operation_track *track;

	if (!one)
		return NULL;
	if (!has_track(one)) {
		one->track = find_idle(one->name) ?: new_track(s, one->name);
		one->track->id = one;
	}
	track = one->track;
	track->open += kind == FXT_KIND_ASYNC_BEGIN;
	track->open -= kind == FXT_KIND_ASYNC_END && track->open;
	list_idle(one->name, track);
	return track;
}
