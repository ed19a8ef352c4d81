// SPDX-License-Identifier: GPL-2.0-or-later
/* importer.c - see importer.h. */
#include <string.h>

#include "libfxt/fxt_strings.h"
#include "libfxt/text.h"
#include "importer.h"

#define NS_PER_SECOND	1000000000ULL
#define FIRST		1	/* number of the provider 0, until it is introduced */

/*
 * struct cursor - reads a record
 * @at: next word, which may be beyond the end
 * @end: number of words
 */
struct cursor {
	const struct importer *p;
	const uint64_t *words;
	uint64_t at;
	uint64_t end;
};

/* Take words. NULL if they reach beyond the end, also no words that begin there. */
static const uint64_t *take(struct cursor *c, uint64_t words)
{
	uint64_t at = c->at;

	c->at += words;
	return c->at <= c->end ? c->words + at : NULL;
}

static uint64_t string_key(const struct importer *p, uint64_t index)
{
	return p->provider << 16 | index;
}

/* An inline string, or an index. @known: set to its index in FXT_SCHED_STRINGS; may be NULL */
static enum importer_reason take_string(struct cursor *c, uint64_t ref, uint64_t *known)
{
	uint64_t length = fxt_get(FXT_STRING_REF_LENGTH, ref);
	bool is_inline = ref & FXT_STRING_REF_INLINE || !ref;
	const uint64_t *bytes;

	if (known)
		*known = 0;
	if (!is_inline)
		return c->p->strings.count >= IMPORTER_STRINGS ||
		       koids_get(&c->p->strings, string_key(c->p, ref), known) ? IMPORTER_KEPT :
										 IMPORTER_STRING;
	bytes = take(c, fxt_stream_words(length));
	if (!bytes)
		return IMPORTER_SHORT;
	if (known)
		*known = fxt_known_string((const char *)bytes, length);
	return IMPORTER_KEPT;
}

static enum importer_reason take_thread(struct cursor *c, uint64_t ref)
{
	return ref != FXT_THREAD_REF_INLINE || take(c, 2) ? IMPORTER_KEPT : IMPORTER_SHORT;
}

/*
 * Ticks as ns, in 63 bits, calculated with less precision: first for 2^32 ticks. Return: false if
 * it is too much for that.
 */
static bool to_ns(uint64_t ticks, uint64_t rate, uint64_t *ns)
{
	unsigned __int128 high;

	if (!rate)
		return false;
	high = (unsigned __int128)(ticks >> 32) * ((NS_PER_SECOND << 32) / rate);
	*ns = (uint64_t)high + (ticks & UINT32_MAX) * NS_PER_SECOND / rate;
	return high <= UINT64_MAX && *ns <= INT64_MAX;
}

static enum importer_reason take_time(struct cursor *c, uint64_t *ns)
{
	const uint64_t *ticks = take(c, 1);

	if (!ticks)
		return IMPORTER_SHORT;
	return to_ns(*ticks, c->p->rate, ns) ? IMPORTER_KEPT : IMPORTER_TIME;
}

/* --- arguments -------------------------------------------------------------------------- */

/* First, only strings are looked at. */
static enum importer_reason skip_args(struct cursor *c, uint64_t count)
{
	enum importer_reason why;
	uint64_t at;

	for (; count; count--) {
		const uint64_t *header;

		at = c->at;
		header = take(c, 1);
		if (!header)
			return IMPORTER_SHORT;
		why = take_string(c, fxt_get(FXT_ARG_NAME, *header), NULL);
		if (!why && fxt_get(FXT_ARG_TYPE, *header) == FXT_ARG_STRING)
			why = take_string(c, fxt_get(FXT_ARG_VALUE_STRING, *header), NULL);
		if (why)
			return why;
		c->at = at + fxt_get(FXT_ARG_SIZE, *header);
	}
	return IMPORTER_KEPT;
}

struct arg {
	uint64_t name;		/* index in FXT_SCHED_STRINGS, or 0 */
	uint64_t type;
};

static bool has_value_word(uint64_t type)
{
	return (type >= FXT_ARG_INT64 && type <= FXT_ARG_DOUBLE) || type == FXT_ARG_POINTER ||
	       type == FXT_ARG_KOID;
}

/* Names and values. @strings: incremented for each that is not registered */
static enum importer_reason take_args(struct cursor *c, uint64_t count, struct arg args[FXT_MAX_ARGS],
				      unsigned int *strings)
{
	enum importer_reason name, value;
	uint64_t i, at;

	for (i = 0; i < count; i++) {
		const uint64_t *header;

		at = c->at;
		header = take(c, 1);
		if (!header)
			return IMPORTER_SHORT;
		args[i].type = fxt_get(FXT_ARG_TYPE, *header);
		name = take_string(c, fxt_get(FXT_ARG_NAME, *header), &args[i].name);
		if (name == IMPORTER_SHORT)
			return name;
		*strings += name == IMPORTER_STRING;
		if (args[i].type == FXT_ARG_STRING)
			value = take_string(c, fxt_get(FXT_ARG_VALUE_STRING, *header), NULL);
		else
			value = has_value_word(args[i].type) && !take(c, 1) ? IMPORTER_SHORT :
									      IMPORTER_KEPT;
		if (value == IMPORTER_SHORT)
			return value;
		*strings += value == IMPORTER_STRING;
		c->at = at + fxt_get(FXT_ARG_SIZE, *header);
	}
	return IMPORTER_KEPT;
}

/* Both, from the same word on; strings that are not registered drop the record. */
static enum importer_reason both_args(struct cursor *c, uint64_t count, struct arg args[FXT_MAX_ARGS])
{
	unsigned int strings = 0;
	uint64_t at = c->at;
	enum importer_reason why = skip_args(c, count);

	if (why)
		return why;
	c->at = at;
	return take_args(c, count, args, &strings);
}

/* --- events ------------------------------------------------------------------------------- */

static unsigned int count_no_numbers(const struct arg *args, uint64_t count)
{
	unsigned int n = 0;
	uint64_t i;

	for (i = 0; i < count; i++)
		n += args[i].type < FXT_ARG_INT32 || args[i].type > FXT_ARG_DOUBLE;
	return n;
}

/* The last word, of types that have one. */
static enum importer_reason take_last(struct cursor *c, uint64_t type, uint64_t begin)
{
	uint64_t end = 0;
	enum importer_reason why;

	if (type == FXT_EVENT_DURATION_COMPLETE) {
		why = take_time(c, &end);
		if (why == IMPORTER_SHORT)
			return why;
		return why || end < begin ? IMPORTER_DURATION : IMPORTER_KEPT;
	}
	if (type == FXT_EVENT_COUNTER || (type >= FXT_EVENT_ASYNC_BEGIN && type <= FXT_EVENT_FLOW_END))
		return take(c, 1) ? IMPORTER_KEPT : IMPORTER_SHORT;
	return IMPORTER_KEPT;
}

static enum importer_reason event(struct cursor *c, uint64_t header, struct importer_result *r)
{
	uint64_t count = fxt_get(FXT_EVENT_ARGS, header), type = fxt_get(FXT_EVENT_TYPE, header), ns;
	struct arg args[FXT_MAX_ARGS];
	enum importer_reason why;

	why = take_time(c, &ns);
	if (!why)
		why = take_thread(c, fxt_get(FXT_EVENT_THREAD, header));
	if (!why)
		why = take_string(c, fxt_get(FXT_EVENT_CATEGORY, header), NULL);
	if (!why)
		why = take_string(c, fxt_get(FXT_EVENT_NAME, header), NULL);
	if (!why)
		why = both_args(c, count, args);
	if (!why)
		why = take_last(c, type, ns);
	if (!why && type == FXT_EVENT_COUNTER)
		r->numbers = count_no_numbers(args, count);
	return why;
}

/* --- scheduling records --------------------------------------------------------------------- */

static enum importer_reason weights(const struct arg *args, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		if ((args[i].name == FXT_STR_INCOMING_WEIGHT || args[i].name == FXT_STR_OUTGOING_WEIGHT) &&
		    args[i].type != FXT_ARG_INT32)
			return IMPORTER_WEIGHT;
	return IMPORTER_KEPT;
}

static enum importer_reason weight_and_waker(const struct arg *args, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		if (args[i].name == FXT_STR_WEIGHT && args[i].type != FXT_ARG_INT32)
			return IMPORTER_WEIGHT;
		if (args[i].name == FXT_STR_WAKER && args[i].type != FXT_ARG_KOID)
			return IMPORTER_WAKER;
	}
	return IMPORTER_KEPT;
}

static enum importer_reason scheduling(struct cursor *c, uint64_t header)
{
	uint64_t type = fxt_get(FXT_SCHEDULING_TYPE, header), count, ns;
	struct arg args[FXT_MAX_ARGS];
	enum importer_reason why;
	bool is_switch = type == FXT_SCHEDULING_CONTEXT_SWITCH;

	if (type > FXT_SCHEDULING_THREAD_WAKEUP)
		return IMPORTER_KEPT;
	why = take_time(c, &ns);
	if (why)
		return why;
	if (type == FXT_SCHEDULING_LEGACY_SWITCH) {
		why = take_thread(c, fxt_get(FXT_LEGACY_OUT_THREAD, header));
		return why ? why : take_thread(c, fxt_get(FXT_LEGACY_IN_THREAD, header));
	}
	if (!take(c, is_switch ? 2 : 1))
		return IMPORTER_SHORT;
	/* Their headers have the number of arguments in the same place. */
	count = fxt_get(FXT_SWITCH_ARGS, header);
	why = both_args(c, count, args);
	if (why)
		return why;
	return is_switch ? weights(args, count) : weight_and_waker(args, count);
}

/* --- objects, blobs --------------------------------------------------------------------------- */

static enum importer_reason object(struct cursor *c, uint64_t header, struct importer_result *r)
{
	uint64_t count = fxt_get(FXT_KERNEL_OBJECT_ARGS, header), i;
	struct arg args[FXT_MAX_ARGS];
	enum importer_reason why = IMPORTER_SHORT;

	if (take(c, 1))
		why = take_string(c, fxt_get(FXT_KERNEL_OBJECT_NAME, header), NULL);
	if (why || fxt_get(FXT_KERNEL_OBJECT_TYPE, header) != FXT_OBJECT_THREAD)
		return why;
	why = take_args(c, count, args, &r->strings);
	for (i = 0; i < count && !why; i++)
		if (args[i].name == FXT_STR_PROCESS && args[i].type != FXT_ARG_KOID)
			why = IMPORTER_PROCESS;
	return why;
}

static enum importer_reason blob(struct cursor *c, uint64_t header)
{
	uint64_t ref = fxt_get(FXT_BLOB_NAME, header);

	if (fxt_get(FXT_BLOB_TYPE, header) != FXT_BLOB_PERFETTO)
		return IMPORTER_KEPT;
	if (ref & FXT_STRING_REF_INLINE && take_string(c, ref, NULL))
		return IMPORTER_SHORT;
	return take(c, fxt_stream_words(fxt_get(FXT_BLOB_SIZE, header))) ? IMPORTER_KEPT : IMPORTER_SHORT;
}

/* --- what is known ------------------------------------------------------------------------------ */

/* Without memory, what follows cannot be predicted. */
static void set(struct importer *p, struct koids *k, uint64_t key, uint64_t value)
{
	if (koids_set(k, key, value))
		importer_end(p);
}

static void enter(struct importer *p, uint64_t provider)
{
	p->provider = provider;
	p->rate = NS_PER_SECOND;
	koids_get(&p->rates, provider, &p->rate);
}

static void introduce(struct importer *p, uint64_t id)
{
	set(p, &p->providers, id, ++p->last);
	enter(p, p->last);
}

static enum importer_reason metadata(struct importer *p, struct cursor *c, uint64_t header,
				     struct importer_result *r)
{
	uint64_t id = fxt_get(FXT_PROVIDER_ID, header), provider = id ? 0 : FIRST;

	switch (fxt_get(FXT_METADATA_TYPE, header)) {
	case FXT_METADATA_PROVIDER_INFO:
		if (!take(c, fxt_stream_words(fxt_get(FXT_PROVIDER_NAME_LENGTH, header))))
			return IMPORTER_SHORT;
		introduce(p, id);
		return IMPORTER_KEPT;
	case FXT_METADATA_PROVIDER_SECTION:
		koids_get(&p->providers, id, &provider);
		r->is_section = !provider;
		enter(p, provider);
		return IMPORTER_KEPT;
	default:
		return IMPORTER_KEPT;
	}
}

static enum importer_reason initialization(struct importer *p, struct cursor *c)
{
	const uint64_t *rate = take(c, 1);

	if (!rate)
		return IMPORTER_SHORT;
	p->rate = *rate;
	set(p, &p->rates, p->provider, p->rate);
	return IMPORTER_KEPT;
}

static enum importer_reason string(struct importer *p, struct cursor *c, uint64_t header)
{
	uint64_t index = fxt_get(FXT_STRING_INDEX, header);
	uint64_t length = fxt_get(FXT_STRING_LENGTH, header);
	const uint64_t *bytes;

	if (!index)
		return IMPORTER_KEPT;
	bytes = take(c, fxt_stream_words(length));
	if (!bytes)
		return IMPORTER_SHORT;
	if (p->strings.count < IMPORTER_STRINGS)
		set(p, &p->strings, string_key(p, index),
		    fxt_known_string((const char *)bytes, length));
	return IMPORTER_KEPT;
}

static enum importer_reason judge(struct importer *p, const struct fxt_record *rec,
				  struct importer_result *r)
{
	uint64_t header = rec->words[0], size = fxt_get(FXT_SIZE, header);
	struct cursor c = { p, rec->words, 1, size < rec->held ? size : rec->held };
	uint64_t type = fxt_get(FXT_TYPE, header);

	if (type == FXT_RECORD_METADATA)
		return metadata(p, &c, header, r);
	if (!p->provider)
		return IMPORTER_PROVIDER;
	switch (type) {
	case FXT_RECORD_INITIALIZATION:
		return initialization(p, &c);
	case FXT_RECORD_STRING:
		return string(p, &c, header);
	case FXT_RECORD_THREAD:
		return fxt_get(FXT_THREAD_INDEX, header) && !take(&c, 2) ? IMPORTER_SHORT : IMPORTER_KEPT;
	case FXT_RECORD_EVENT:
		return event(&c, header, r);
	case FXT_RECORD_BLOB:
		return blob(&c, header);
	case FXT_RECORD_KERNEL_OBJECT:
		return object(&c, header, r);
	case FXT_RECORD_SCHEDULING:
		return scheduling(&c, header);
	default:
		return IMPORTER_KEPT;
	}
}

struct importer_result importer_record(struct importer *p, const struct fxt_record *rec)
{
	struct importer_result r = { .is_read = !p->has_ended && rec->offset >= p->next };
	/* Usual records are not fed. */
	bool is_next = rec->number == p->number + 1;

	p->number = rec->number;
	if (!r.is_read)
		return r;
	r.is_astray = is_next && rec->offset > p->next;
	if (r.is_astray) {
		importer_end(p);
		return r;
	}
	p->next = rec->offset + FXT_WORD * fxt_get(FXT_SIZE, rec->words[0]);
	r.reason = judge(p, rec, &r);
	/* A large record has a longer size, of which these are the lower bits. */
	p->has_ended |= rec->type == FXT_RECORD_LARGE && rec->size > FXT_MAX_RECORD_WORDS;
	return r;
}

void importer_begin(struct importer *p)
{
	/* Before any provider is introduced, records are those of provider 0. */
	*p = (struct importer){ .provider = FIRST, .last = FIRST, .rate = NS_PER_SECOND };
}

void importer_end(struct importer *p)
{
	p->has_ended = true;
}

void importer_free(struct importer *p)
{
	koids_free(&p->strings);
	koids_free(&p->providers);
	koids_free(&p->rates);
}
