/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - threads as a line shows them, kept as text: koid, and name with its quotes.
 *
 * In: koids, times, and the objects known so far. Out: text to copy.
 * Must hold: what is kept is what the objects say at that time.
 */
#ifndef FXT_DUMP_NAMES_H
#define FXT_DUMP_NAMES_H

#include "libfxt/objects.h"
#include "liboutput/out.h"

#define DUMP_NAMES		256
#define DUMP_KOID_BYTES		24
#define DUMP_NAME_BYTES		64	/* escaped; longer names are not kept */

/* The first and the second thread of a record have places of their own. */
enum dump_role { DUMP_FIRST, DUMP_SECOND, DUMP_ROLES };

/**
 * struct dump_name - a thread from @since until before @until (ticks)
 * @changes: as struct fxt_objects had it
 * @is_kept: false if @name has too little room
 * @is_argument: as an argument, the koid means this thread, or nothing that has a name
 * @koid_text: @koid_bytes of it, like the others not terminated
 * @name: @name_bytes of it; 0: no name
 */
struct dump_name {
	uint64_t koid;
	uint64_t since;
	uint64_t until;
	size_t changes;
	bool is_kept;
	bool is_argument;
	uint8_t koid_bytes;
	uint8_t name_bytes;
	char koid_text[DUMP_KOID_BYTES];
	char name[DUMP_NAME_BYTES];
};

/** struct dump_names - places by koid; begins as zeros but @objects and @escape */
struct dump_names {
	const struct fxt_objects *objects;
	void (*escape)(struct out *o, const char *bytes, size_t length);
	struct dump_name list[DUMP_ROLES][DUMP_NAMES];
};

/** dump_name_look_up() - make the place that of another thread or time; @o: used and restored */
void dump_name_look_up(struct dump_names *names, struct dump_name *n, uint64_t koid, struct out *o);

/**
 * dump_name_of() - a thread
 * @names: all
 * @role: its role in the record
 * @koid: its koid
 * @time: ticks, of the record, which @objects are at
 * @o: the output
 *
 * Return: valid until another thread of this role is looked up.
 */
static inline const struct dump_name *dump_name_of(struct dump_names *names, enum dump_role role,
						   uint64_t koid, uint64_t time, struct out *o)
{
	struct dump_name *n = &names->list[role][koid % DUMP_NAMES];

	if (__builtin_expect(n->koid != koid || time < n->since || time >= n->until ||
			     n->changes != names->objects->changes, 0))
		dump_name_look_up(names, n, koid, o);
	return n;
}

/** dump_koid_at() - writes DUMP_KOID_BYTES, of which those after the end do not count */
static inline char *dump_koid_at(char *to, const struct dump_name *n)
{
	memcpy(to, n->koid_text, sizeof(n->koid_text));
	return to + n->koid_bytes;
}

/** dump_name_at() - the same of the name, DUMP_NAME_BYTES */
static inline char *dump_name_at(char *to, const struct dump_name *n)
{
	memcpy(to, n->name, sizeof(n->name));
	return to + n->name_bytes;
}

#endif /* FXT_DUMP_NAMES_H */
