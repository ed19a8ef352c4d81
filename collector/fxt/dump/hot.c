// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hot.c - lines of switches and wakeups of the usual form, which nearly all records are.
 *
 * Must hold: the lines are those of record.c. Texts of threads are cached: koid and name with
 * quotes, as the objects have them at the record's time.
 */
#include <string.h>

#include <fxt/fxt_waker.h>

#include "terminal/memory.h"
#include "dump.h"

/* Room for any line, and for bytes that copies of fixed length write beyond it. */
#define LINE_BYTES	2048

#define NAMES		256
#define KOID_BYTES	24
#define NAME_BYTES	64	/* of an escaped name; longer ones are not kept */
#define WEIGHT_BYTES	12

/* The first and the second thread of a record have separate caches. */
enum role { FIRST, SECOND, ROLES };

/* A thread's texts, not terminated. */
struct name {
	uint64_t koid;
	uint64_t since;		/* ticks: the text is valid from here until before @until */
	uint64_t until;
	size_t changes;		/* of struct fxt_objects, when it was looked up */
	bool is_kept;		/* false if @name has too little room */
	bool is_argument;	/* as an argument, the koid means this thread or a nameless object */
	uint8_t koid_bytes;
	uint8_t name_bytes;	/* 0: no name */
	uint8_t weight_bytes;	/* 0: no weight was written yet */
	int32_t weight;		/* in @weight_text */
	char weight_text[WEIGHT_BYTES];
	char koid_text[KOID_BYTES];
	char name[NAME_BYTES];
};

struct dump_hot {
	const struct fxt_objects *objects;
	bool is_json;
	struct out_growing offset;	/* the last one, like the next three */
	struct out_growing time;
	struct out_last record;
	struct out_last cpu;
	uint32_t provider;
	uint8_t provider_bytes;		/* of its text; 0: none yet */
	char provider_text[OUT_NUMBER];
	struct name names[ROLES][NAMES];
};

struct dump_hot *dump_hot_open(const struct fxt_objects *objects, bool is_json)
{
	struct dump_hot *h = new_zero(struct dump_hot);

	h->objects = objects;
	h->is_json = is_json;
	return h;
}

void dump_hot_close(struct dump_hot *h)
{
	free(h);
}

void dump_hot_provider(struct dump_hot *h, uint32_t id)
{
	if (h->provider == id && h->provider_bytes)
		return;
	h->provider = id;
	h->provider_bytes = out_u64_at(h->provider_text, id) - h->provider_text;
}

/* --- threads ----------------------------------------------------------------------------- */

/* Escape a name in the output buffer, and copy it from there. */
static void keep_name(const struct dump_hot *h, struct name *n, const struct fxt_object *ob,
		      struct out *o)
{
	char *begin = out_room(o, OUT_BYTES / 2);
	size_t bytes;

	(h->is_json ? out_json : out_quoted)(o, ob->name, ob->length);
	bytes = out_room(o, 0) - begin;
	out_put(o, begin);
	n->is_kept = bytes <= sizeof(n->name);
	n->name_bytes = n->is_kept ? bytes : 0;
	memcpy(n->name, begin, n->name_bytes);
}

static __attribute__((noinline)) void look_up(struct dump_hot *h, struct name *n, uint64_t koid,
					      struct out *o)
{
	const struct fxt_object *ob = fxt_objects_find(h->objects, FXT_CLASS_THREAD, 0, koid);
	const struct fxt_arg arg = { .type = FXT_ARG_KOID, .u64 = koid };

	n->koid = koid;
	n->since = ob ? ob->since : 0;
	n->until = ob ? ob->until : UINT64_MAX;
	n->changes = h->objects->changes;
	n->is_kept = true;
	n->is_argument = ob || !fxt_objects_argument(h->objects, 0, &arg);
	n->koid_bytes = out_u64_at(n->koid_text, koid) - n->koid_text;
	n->name_bytes = 0;
	if (ob && ob->length > NAME_BYTES)
		n->is_kept = false;
	else if (ob && ob->length)
		keep_name(h, n, ob, o);
}

static inline struct name *name_of(struct dump_hot *h, enum role role, uint64_t koid, uint64_t time,
				   struct out *o)
{
	struct name *n = &h->names[role][koid % NAMES];

	if (__builtin_expect(n->koid != koid || time < n->since || time >= n->until ||
			     n->changes != h->objects->changes, 0))
		look_up(h, n, koid, o);
	return n;
}

/* Set @thread, and @other, to NULL if there is none. Returns: are their texts kept and meant? */
static inline bool find_names(struct dump_hot *h, const struct fxt_hot *u,
			      const struct fxt_hot_end *end, struct name **thread,
			      struct name **other, struct out *o)
{
	*thread = name_of(h, FIRST, u->thread, u->time, o);
	*other = NULL;
	if (end && !end->has_other)
		return (*thread)->is_kept;
	*other = name_of(h, SECOND, u->other, u->time, o);
	return (*thread)->is_kept && (*other)->is_kept && (!u->is_wakeup || (*other)->is_argument);
}

/* The value of the argument "irq" and a quote. */
static inline char *irq_at(char *to, uint8_t irq)
{
	to = out_str_at(to, irq == FXT_SCHED_IRQ_HARD ? "hard" :
			    irq == FXT_SCHED_IRQ_SOFT ? "soft" : "nmi");
	*to++ = '"';
	return to;
}

static __attribute__((noinline)) void keep_weight(struct name *n, int32_t weight)
{
	char text[OUT_NUMBER];

	n->weight = weight;
	n->weight_bytes = out_i64_at(text, weight) - text;
	memcpy(n->weight_text, text, n->weight_bytes);
}

/* These copy more bytes than they write. A weight rarely changes. */
static inline char *weight_at(char *to, struct name *n, int32_t weight)
{
	if (__builtin_expect(n->weight != weight || !n->weight_bytes, 0))
		keep_weight(n, weight);
	memcpy(to, n->weight_text, sizeof(n->weight_text));
	return to + n->weight_bytes;
}

static inline char *koid_at(char *to, const struct name *n)
{
	memcpy(to, n->koid_text, sizeof(n->koid_text));
	return to + n->koid_bytes;
}

static inline char *name_at(char *to, const char *key, const struct name *n)
{
	if (!n->name_bytes)
		return to;
	to = out_str_at(to, key);
	memcpy(to, n->name, sizeof(n->name));
	return to + n->name_bytes;
}

/* --- text -------------------------------------------------------------------------------- */

static char *text_switch_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			    struct name *thread, struct name *in)
{
	to = out_str_at(to, " outgoing_state=");
	to = out_str_at(to, dump_states[u->state]);
	to = koid_at(out_str_at(to, " outgoing_thread="), thread);
	to = name_at(to, " outgoing_name=", thread);
	to = koid_at(out_str_at(to, " incoming_thread="), in);
	to = name_at(to, " incoming_name=", in);
	to = weight_at(out_str_at(to, " { outgoing_weight="), thread, u->out_weight);
	to = weight_at(out_str_at(to, " incoming_weight="), in, u->weight);
	if (!end)
		return to;
	to = out_str_at(to, " state=\"");
	*to++ = end->state;
	*to++ = '"';
	return to;
}

/* @other: the waker; with @end, the interrupted thread, or NULL */
static char *text_wakeup_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			    struct name *thread, const struct name *other)
{
	to = koid_at(out_str_at(to, " waking_thread="), thread);
	to = name_at(to, " waking_name=", thread);
	to = weight_at(out_str_at(to, " { weight="), thread, u->weight);
	if (end && end->irq)
		to = irq_at(out_str_at(to, " irq=\""), end->irq);
	if (!other)
		return to;
	to = koid_at(out_str_at(to, end ? " interrupted=" : " waker="), other);
	return name_at(to, ":", other);
}

static inline char *text_at(char *to, struct dump_hot *h, const struct fxt_hot *u,
			    const struct fxt_hot_end *end, struct name *thread, struct name *other)
{
	to = out_creeping_at(to, &h->offset, u->offset);
	to = out_str_at(to, u->is_wakeup ? " thread_wakeup " : " context_switch ");
	to = out_seconds_at(to, u->time);
	to = out_last_at(out_str_at(to, " cpu="), &h->cpu, u->cpu);
	if (u->is_wakeup)
		to = text_wakeup_at(to, u, end, thread, other);
	else
		to = text_switch_at(to, u, end, thread, other);
	return out_str_at(to, " }\n");
}

/* --- JSON -------------------------------------------------------------------------------- */

/* A koid beyond 2^53 is a string. */
static inline char *json_koid_at(char *to, const char *key, const struct name *n)
{
	to = out_str_at(to, key);
	return n->koid > OUT_JSON_SAFE ? out_json_u64_at(to, n->koid) : koid_at(to, n);
}

static char *json_switch_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			    struct name *thread, struct name *in)
{
	to = out_str_at(to, ",\"outgoing_state\":");
	*to++ = '0' + u->state;	/* up to FXT_THREAD_DEAD */
	to = json_koid_at(to, ",\"outgoing_thread\":", thread);
	to = name_at(to, ",\"outgoing_name\":", thread);
	to = json_koid_at(to, ",\"incoming_thread\":", in);
	to = name_at(to, ",\"incoming_name\":", in);
	to = out_str_at(to, ",\"args\":[{\"name\":\"outgoing_weight\",\"type\":\"int32\",\"value\":");
	to = weight_at(to, thread, u->out_weight);
	to = out_str_at(to, "},{\"name\":\"incoming_weight\",\"type\":\"int32\",\"value\":");
	to = weight_at(to, in, u->weight);
	if (!end)
		return to;
	to = out_str_at(to, "},{\"name\":\"state\",\"type\":\"string\",\"value\":\"");
	*to++ = end->state;
	*to++ = '"';
	return to;
}

#define JSON_IRQ	"},{\"name\":\"irq\",\"type\":\"string\",\"value\":\""

static char *json_wakeup_at(char *to, const struct fxt_hot *u, const struct fxt_hot_end *end,
			    struct name *thread, const struct name *other)
{
	to = json_koid_at(to, ",\"waking_thread\":", thread);
	to = name_at(to, ",\"waking_name\":", thread);
	if (!end)
		to = name_at(to, ",\"waker_name\":", other);
	to = out_str_at(to, ",\"args\":[{\"name\":\"weight\",\"type\":\"int32\",\"value\":");
	to = weight_at(to, thread, u->weight);
	if (!end)
		to = json_koid_at(to, "},{\"name\":\"waker\",\"type\":\"koid\",\"value\":", other);
	else if (end->irq)
		to = irq_at(out_str_at(to, JSON_IRQ), end->irq);
	if (!other)
		return to;
	if (end)
		to = json_koid_at(to, "},{\"name\":\"interrupted\",\"type\":\"koid\",\"value\":",
				  other);
	return name_at(to, ",\"object\":", other);
}

static inline char *json_at(char *to, struct dump_hot *h, const struct fxt_hot *u,
			    const struct fxt_hot_end *end, struct name *thread, struct name *other,
			    uint64_t number)
{
	char ticks[2 * OUT_NUMBER];
	size_t digits;

	to = out_str_at(to, "{\"offset\":");
	to = u->offset > OUT_JSON_SAFE ? out_json_u64_at(to, u->offset) :
					 out_creeping_at(to, &h->offset, u->offset);
	/* No archive has 2^53 records. */
	to = out_last_at(out_str_at(to, ",\"record\":"), &h->record, number);
	to = out_str_at(to, u->is_wakeup ? ",\"kind\":\"thread_wakeup\"" :
					   ",\"kind\":\"context_switch\"");
	to = out_str_at(to, ",\"provider\":");
	to = (char *)memcpy(to, h->provider_text, OUT_NUMBER) + h->provider_bytes;
	/* Ticks are nanoseconds here. Copies of fixed length are fast. */
	digits = (u->time > OUT_JSON_SAFE ? out_json_u64_at(ticks, u->time) :
					    out_growing_at(ticks, &h->time, u->time)) - ticks;
	to = out_str_at(to, ",\"ticks\":");
	to = (char *)memcpy(to, ticks, OUT_NUMBER) + digits;
	to = out_str_at(to, ",\"ns\":");
	to = (char *)memcpy(to, ticks, OUT_NUMBER) + digits;
	to = out_last_at(out_str_at(to, ",\"cpu\":"), &h->cpu, u->cpu);
	if (u->is_wakeup)
		to = json_wakeup_at(to, u, end, thread, other);
	else
		to = json_switch_at(to, u, end, thread, other);
	return out_str_at(to, "}]}\n");
}

bool dump_hot_record(struct dump_hot *h, struct out *o, const struct fxt_hot *u,
		     const struct fxt_hot_end *end, uint64_t number)
{
	struct name *thread, *other;
	char *to;

	if (!find_names(h, u, end, &thread, &other, o))
		return false;
	to = out_room(o, LINE_BYTES);
	out_put(o, h->is_json ? json_at(to, h, u, end, thread, other, number) :
				text_at(to, h, u, end, thread, other));
	return true;
}
