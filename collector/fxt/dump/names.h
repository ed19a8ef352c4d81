/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - keeps threads as text for lines: koid, and name with quotes.
 *
 * In: koids, times, and the objects known so far.
 * Out: text to copy.
 * Must hold: the text kept is that of the objects at the record's time.
 */
#ifndef FXT_DUMP_NAMES_H
#define FXT_DUMP_NAMES_H

#include <fxt/fxt_waker.h>

#include "libfxt/objects.h"
#include "liboutput/out.h"

#define DUMP_NAMES		256
#define DUMP_KOID_BYTES		24
#define DUMP_NAME_BYTES		64	/* of an escaped name; longer ones are not kept */
#define DUMP_WEIGHT_BYTES	12

/* The first and the second thread of a record have separate caches. */
enum dump_role { DUMP_FIRST, DUMP_SECOND, DUMP_ROLES };

/**
 * struct dump_name - a thread's text, valid from @since until before @until (ticks)
 * @changes: as in struct fxt_objects, when it was looked up
 * @is_kept: false if @name has too little room
 * @is_argument: as an argument, the koid means this thread or an object without a name
 * @koid_text: @koid_bytes of text, not terminated, like the others
 * @name: @name_bytes of it; 0: no name
 * @weight_text: @weight_bytes of the last @weight that was written; 0: none was
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
	uint8_t weight_bytes;
	int32_t weight;
	char weight_text[DUMP_WEIGHT_BYTES];
	char koid_text[DUMP_KOID_BYTES];
	char name[DUMP_NAME_BYTES];
};

/** struct dump_names - cache by koid; initialize with zeros except @objects and @escape */
struct dump_names {
	const struct fxt_objects *objects;
	void (*escape)(struct out *o, const char *bytes, size_t length);
	struct dump_name list[DUMP_ROLES][DUMP_NAMES];
};

/** dump_name_look_up() - fill a cache entry for another thread or time; @o: used and restored */
void dump_name_look_up(struct dump_names *names, struct dump_name *n, uint64_t koid, struct out *o);

/**
 * dump_name_of() - get the text of a thread
 * @names: the cache
 * @role: its role in the record
 * @koid: its koid
 * @time: ticks of the record; @objects are those of this time
 * @o: the output
 *
 * Return: the entry, valid until the next look-up for this role.
 */
static inline struct dump_name *dump_name_of(struct dump_names *names, enum dump_role role,
					     uint64_t koid, uint64_t time, struct out *o)
{
	struct dump_name *n = &names->list[role][koid % DUMP_NAMES];

	if (__builtin_expect(n->koid != koid || time < n->since || time >= n->until ||
			     n->changes != names->objects->changes, 0))
		dump_name_look_up(names, n, koid, o);
	return n;
}

/**
 * dump_names_of() - get the texts of the threads of a hot record, or of one that is nearly hot
 * @names: the cache
 * @u: the record
 * @end: its end, NULL if it is hot
 * @thread: set, like @other, which is NULL if the record has no second thread
 * @o: the output
 *
 * Return: false if a text is not kept, or a thread is an argument that means another object.
 */
static inline bool dump_names_of(struct dump_names *names, const struct fxt_hot *u,
				 const struct fxt_hot_end *end, struct dump_name **thread,
				 struct dump_name **other, struct out *o)
{
	*thread = dump_name_of(names, DUMP_FIRST, u->thread, u->time, o);
	*other = NULL;
	if (end && !end->has_other)
		return (*thread)->is_kept;
	*other = dump_name_of(names, DUMP_SECOND, u->other, u->time, o);
	return (*thread)->is_kept && (*other)->is_kept && (!u->is_wakeup || (*other)->is_argument);
}

/** dump_irq_at() - write the value of the argument "irq" and a quote */
static inline char *dump_irq_at(char *to, uint8_t irq)
{
	const char *value = irq == FXT_SCHED_IRQ_HARD ? "hard" :
			    irq == FXT_SCHED_IRQ_SOFT ? "soft" : "nmi";

	to = out_str_at(to, value);
	*to++ = '"';
	return to;
}

/** dump_weight_keep() - keep the text of a weight */
void dump_weight_keep(struct dump_name *n, int32_t weight);

/** dump_weight_at() - copy a thread's weight, which rarely changes; writes DUMP_WEIGHT_BYTES */
static inline char *dump_weight_at(char *to, struct dump_name *n, int32_t weight)
{
	if (__builtin_expect(n->weight != weight || !n->weight_bytes, 0))
		dump_weight_keep(n, weight);
	memcpy(to, n->weight_text, sizeof(n->weight_text));
	return to + n->weight_bytes;
}

/** dump_koid_at() - copy a koid; writes DUMP_KOID_BYTES, whose rest is garbage */
static inline char *dump_koid_at(char *to, const struct dump_name *n)
{
	memcpy(to, n->koid_text, sizeof(n->koid_text));
	return to + n->koid_bytes;
}

/** dump_name_at() - copy a name; writes DUMP_NAME_BYTES, likewise */
static inline char *dump_name_at(char *to, const struct dump_name *n)
{
	memcpy(to, n->name, sizeof(n->name));
	return to + n->name_bytes;
}

#endif /* FXT_DUMP_NAMES_H */
