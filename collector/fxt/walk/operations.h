/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * operations.h - the tracks of asynchronous operations, as Perfetto assigns them.
 *
 * In: events of operations, in the order of time.
 * Out: the track of each, on which slices nest (nest.h).
 *
 * The format gives the ids of operations no scope. By Perfetto's rules, they mean the same in all
 * processes of the trace. An id belongs to the name that it first occurs with. All ids of a name
 * share its tracks. An id has a track until another id needs one and all begins on this one have
 * ended.
 *
 * Begins and ends are counted here whatever their names, but on a track an end belongs to a slice
 * of its own category and name. So a track may still have an open slice when another id gets it.
 *
 * Must hold: all ids and tracks take at most OPERATIONS_BYTES. Beyond that, unused ones are
 * forgotten.
 */
#ifndef FXT_WALK_OPERATIONS_H
#define FXT_WALK_OPERATIONS_H

#include "libfxt/fxt_reader.h"
#include "libfxt/map.h"
#include "nest.h"

#define OPERATIONS_BYTES	(64U << 20)

struct operation_id;

struct operation_track {
	struct nest nest;
	struct operation_id *id;	/* that has it */
	uint64_t open;			/* begins without an end */
	uint64_t number;		/* unique in its struct operations, from 1 */
	uint64_t user;			/* for the user; 0 at first */
	uint32_t place;			/* in the list of its name */
	bool is_listed;			/* as idle */
};

/* All ids and tracks; initialize with zeros except @user. */
struct operations {
	const struct nest_user *user;	/* of the slices on tracks */
	struct map ids;
	struct map names;
	size_t bytes;
	uint64_t last;			/* number assigned */
	size_t asked;			/* new ids since the last search for unused ones */
};

/*
 * The track of an event; NULL if there are too many. Some of them may be unused, because searches
 * are rare.
 */
struct operation_track *operations_track(struct operations *s, enum fxt_kind kind, uint64_t id,
					 const char *name, size_t length);

/* The name of a slice, see struct slice. */
static inline uint64_t operation_hash(const struct fxt_text *category, const struct fxt_text *name)
{
	return map_hash(fxt_hash_bytes(category->bytes, category->length),
			fxt_hash_bytes(name->bytes, name->length));
}

/* Drop all slices and remove all tracks. */
void operations_free(struct operations *s);

#endif /* FXT_WALK_OPERATIONS_H */
