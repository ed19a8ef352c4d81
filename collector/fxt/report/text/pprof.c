// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pprof.c - stacks as a profile of pprof: gzip of a message Profile (proto/profile.proto of pprof).
 *
 * A sample for each thread and stack has how often and how long the thread slept, was preempted,
 * and, if the archive has samples, ran there. Labels are the thread's name and id. A function has
 * the number of its name in the table of strings, and so has the one location in it.
 */
#include <stdio.h>
#include <zlib.h>

#include "libfxt/text.h"
#include "sched/functions.h"
#include "terminal/memory.h"
#include "text.h"

/* Fields, by message. */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6, PROFILE_DURATION = 10, PROFILE_DEFAULT_TYPE = 14,
	VALUE_TYPE = 1, VALUE_UNIT = 2,
	SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3,
	LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3,
	LOCATION_ID = 1, LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1, FUNCTION_NAME = 2,
};

#define BYTES_FIELD	2	/* the type of messages and texts */
#define GZIP		(15 + 16)	/* zlib's window bits for it */
#define SLICE		(1U << 30)	/* bytes that zlib gets at once; it counts them in 32 bits */

struct message {
	unsigned char *bytes;
	size_t count, room;
};

struct text_number {
	struct map_node node;
	uint64_t number;
	bool is_function;
	char text[];
};

struct pprof {
	struct message profile, sample, part, text;	/* the others are written into it */
	struct map numbers;		/* of texts */
	const struct report_stacks *stacks;
};

/* --- messages ------------------------------------------------------------------------------ */

static void put_varint(struct message *m, uint64_t value)
{
	array_hold(m->bytes, m->room, m->count + 10);
	for (; value > 0x7f; value >>= 7)
		m->bytes[m->count++] = value | 0x80;
	m->bytes[m->count++] = value;
}

static void put_number(struct message *m, unsigned int field, uint64_t value)
{
	put_varint(m, field << 3);
	put_varint(m, value);
}

static void put_bytes(struct message *m, const void *bytes, size_t count)
{
	array_hold(m->bytes, m->room, m->count + count);
	if (count)
		memcpy(m->bytes + m->count, bytes, count);
	m->count += count;
}

/* Put a message into another one, and empty it. */
static void put_message(struct message *m, unsigned int field, struct message *part)
{
	put_varint(m, field << 3 | BYTES_FIELD);
	put_varint(m, part->count);
	put_bytes(m, part->bytes, part->count);
	part->count = 0;
}

/* --- texts and functions ------------------------------------------------------------------- */

/* A reader rejects the whole profile if a string is not UTF-8, and may print it on a terminal. */
static void put_text(struct pprof *p, const char *text, size_t length)
{
	static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */
	const unsigned char *s = (const unsigned char *)text;
	uint32_t shown, n;
	size_t i;

	for (i = 0; i < length; i += n ? n : 1) {
		shown = fxt_text_shown(s + i, length - i);
		n = fxt_utf8_length(s + i, length - i);
		put_bytes(&p->text, shown ? text + i : replacement, shown ? shown : 3);
	}
	put_message(&p->profile, PROFILE_STRING, &p->text);
}

static struct text_number *find_text(struct pprof *p, const char *text)
{
	size_t length = strlen(text);
	uint64_t hash = fxt_hash_bytes(text, length);
	struct text_number *n;

	if (map_find(&p->numbers, hash, n, !strcmp(n->text, text)))
		return n;
	n = must(calloc(1, sizeof(*n) + length + 1));
	n->number = p->numbers.count;
	memcpy(n->text, text, length);
	map_put(&p->numbers, &n->node, hash);
	put_text(p, text, length);
	return n;
}

static uint64_t text_of(struct pprof *p, const char *text)
{
	return find_text(p, text)->number;
}

static void put_function(struct pprof *p, uint64_t id)
{
	struct message line = { 0 };

	put_number(&p->part, FUNCTION_ID, id);
	put_number(&p->part, FUNCTION_NAME, id);
	put_message(&p->profile, PROFILE_FUNCTION, &p->part);
	put_number(&line, LINE_FUNCTION, id);
	put_number(&p->part, LOCATION_ID, id);
	put_message(&p->part, LOCATION_LINE, &line);
	put_message(&p->profile, PROFILE_LOCATION, &p->part);
	free(line.bytes);
}

static uint64_t location_of(struct pprof *p, const char *name)
{
	struct text_number *n = find_text(p, name);

	if (!n->is_function)
		put_function(p, n->number);
	n->is_function = true;
	return n->number;
}

/* --- samples ------------------------------------------------------------------------------- */

/* The last one, with names that others use, is omitted without samples. */
static const struct {
	enum report_stack_kind kind;
	const char *times;
	const char *name;
} kinds[] = {
	{ REPORT_STACK_SLEPT, "times_slept", "slept" },
	{ REPORT_STACK_PREEMPTED, "times_preempted", "preempted" },
	{ REPORT_STACK_RAN, "samples", "cpu" },
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static size_t kinds_of(const struct report_stacks *s)
{
	return s->has_samples ? KINDS : KINDS - 1;
}

static void put_types(struct pprof *p)
{
	bool only_ran = !p->stacks->has_sleeps && p->stacks->has_samples;
	size_t i;

	for (i = 0; i < kinds_of(p->stacks); i++) {
		put_number(&p->part, VALUE_TYPE, text_of(p, kinds[i].times));
		put_number(&p->part, VALUE_UNIT, text_of(p, "count"));
		put_message(&p->profile, PROFILE_SAMPLE_TYPE, &p->part);
		put_number(&p->part, VALUE_TYPE, text_of(p, kinds[i].name));
		put_number(&p->part, VALUE_UNIT, text_of(p, "nanoseconds"));
		put_message(&p->profile, PROFILE_SAMPLE_TYPE, &p->part);
	}
	put_number(&p->profile, PROFILE_DEFAULT_TYPE, text_of(p, kinds[only_ran ? KINDS - 1 : 0].name));
}

static void put_sample(struct pprof *p, const struct report_stack *s, size_t kind)
{
	const struct sched_thread *t = s->thread->sched;
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;
	size_t k;

	for (i = 0; i < s->stack->count; i++)
		put_number(&p->sample, SAMPLE_LOCATION,
			   location_of(p, sched_function_name(p->stacks->symbols, s->stack, i, text)));
	for (k = 0; k < kinds_of(p->stacks); k++) {
		put_number(&p->sample, SAMPLE_VALUE, k == kind ? s->sum.count : 0);
		put_number(&p->sample, SAMPLE_VALUE, k == kind ? s->sum.ns : 0);
	}
	put_number(&p->part, LABEL_KEY, text_of(p, "thread"));
	put_number(&p->part, LABEL_TEXT, text_of(p, t->name[0] ? t->name : "?"));
	put_message(&p->sample, SAMPLE_LABEL, &p->part);
	put_number(&p->part, LABEL_KEY, text_of(p, "tid"));
	put_number(&p->part, LABEL_NUMBER, t->koid);
	put_message(&p->sample, SAMPLE_LABEL, &p->part);
	put_message(&p->profile, PROFILE_SAMPLE, &p->sample);
}

/* --- the profile --------------------------------------------------------------------------- */

static void write_packed(struct out *o, const struct message *m)
{
	z_stream z = { .next_in = m->bytes };
	unsigned char packed[1 << 16];
	size_t left = m->count;
	int ret;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		memory_ran_out();
	do {
		if (!z.avail_in) {
			z.avail_in = left < SLICE ? left : SLICE;
			left -= z.avail_in;
		}
		z.next_out = packed;
		z.avail_out = sizeof(packed);
		ret = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
		out_bytes(o, packed, sizeof(packed) - z.avail_out);
	} while (ret == Z_OK);
	deflateEnd(&z);
}

void report_print_pprof(struct out *o, const struct report *r)
{
	struct pprof p = { .stacks = &r->stacks };
	const struct report_stack_list *l;
	size_t i, k;

	text_of(&p, "");
	put_types(&p);
	put_number(&p.profile, PROFILE_DURATION, report_window(r));
	for (k = 0; k < kinds_of(p.stacks); k++) {
		l = &r->stacks.of_threads[kinds[k].kind];
		for (i = 0; i < l->count; i++)
			put_sample(&p, &l->all[i], k);
	}
	write_packed(o, &p.profile);
	map_free_all(&p.numbers, struct text_number);
	free(p.profile.bytes);
	free(p.sample.bytes);
	free(p.part.bytes);
	free(p.text.bytes);
}
