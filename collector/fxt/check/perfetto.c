// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto.c - which records of an archive Perfetto would drop or misdraw.
 *
 * In: the records of an archive, before and after they are decoded.
 * Out: anomalies: violations where Perfetto would lose or misdraw something, else notes; and the
 * rows of its table stats that would not be zero.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "libfxt/clock.h"
#include "libfxt/text.h"
#include "terminal/memory.h"
#include "walk/koids.h"

/* --- does Perfetto's importer keep a record? ---------------------------------------------- */

#define IMPORTER_STRINGS	(1U << 22)	/* limit of names: 200 MiB */
#define PERFETTO_CPUS		4096

enum importer_reason {
	IMPORTER_KEPT,
	IMPORTER_PROVIDER,	/* it follows a section of an unknown provider */
	IMPORTER_STRING,	/* a string was not registered */
	IMPORTER_SHORT,		/* a field reaches beyond the end of the record */
	IMPORTER_TIME,		/* more than 63 bits of ns */
	IMPORTER_DURATION,	/* the end is before the begin */
	IMPORTER_WEIGHT,	/* a weight is not an Int32 */
	IMPORTER_WAKER,		/* a waker is not a koid */
	IMPORTER_PROCESS,	/* the process of a thread is not a koid */
};

struct importer_result {
	bool is_read;		/* Perfetto reads it as a record at all */
	bool is_astray;		/* by its size, the record before ends elsewhere */
	bool is_section;	/* of an unknown provider */
	enum importer_reason reason;
	unsigned int strings;	/* references to unregistered strings that drop nothing */
	unsigned int numbers;	/* dropped arguments of a counter, which are not numbers */
};

/* What Perfetto knows of the archive so far. */
struct importer {
	struct koids strings;	/* by provider and index: its index in FXT_SCHED_STRINGS, or 0 */
	struct koids providers;	/* by id: number; each introducing record assigns one */
	struct koids rates;	/* by number of the provider: ticks per second, if not 10^9 */
	uint64_t last;		/* assigned number */
	uint64_t provider;	/* number of the current one; 0: unknown */
	uint64_t rate;		/* its ticks per second */
	uint64_t next;		/* where the next record begins, in bytes */
	uint64_t number;	/* of the previous record */
	bool has_ended;		/* Perfetto stops reading, or its result cannot be predicted */
};

#define FIRST		1	/* number of provider 0, until it is introduced */

/* Reads a record, up to the first reason to drop it. */
struct cursor {
	const struct importer *p;
	const uint64_t *words;
	uint64_t at;		/* index of the next word, perhaps beyond the end */
	uint64_t end;		/* number of words */
	enum importer_reason why;
};

/*
 * Returns NULL if the words reach beyond the end, even if there are none, or the record is dropped.
 */
static const uint64_t *read_words(struct cursor *c, uint64_t words)
{
	uint64_t at = c->at;

	if (c->why)
		return NULL;
	c->at += words;
	if (c->at <= c->end)
		return c->words + at;
	c->why = IMPORTER_SHORT;
	return NULL;
}

static uint64_t string_key(const struct importer *p, uint64_t index)
{
	return p->provider << 16 | index;
}

/* Take a string, inline or by index. Returns its index in FXT_SCHED_STRINGS, or 0. */
static uint64_t read_string(struct cursor *c, uint64_t ref)
{
	uint64_t length = fxt_get(FXT_STRING_REF_LENGTH, ref), known = 0;
	const uint64_t *bytes;

	if (ref & FXT_STRING_REF_INLINE || !ref) {
		bytes = read_words(c, fxt_stream_words(length));
		return bytes ? fxt_known_string((const char *)bytes, length) : 0;
	}
	if (!c->why && c->p->strings.count < IMPORTER_STRINGS &&
	    !koids_get(&c->p->strings, string_key(c->p, ref), &known))
		c->why = IMPORTER_STRING;
	return known;
}

/* Likewise where an unregistered string drops nothing, but is counted. */
static uint64_t read_loose_string(struct cursor *c, uint64_t ref, unsigned int *strings)
{
	uint64_t known = read_string(c, ref);

	if (c->why == IMPORTER_STRING) {
		c->why = IMPORTER_KEPT;
		++*strings;
	}
	return known;
}

static void skip_thread(struct cursor *c, uint64_t ref)
{
	if (ref == FXT_THREAD_REF_INLINE)
		read_words(c, 2);
}

/*
 * Convert ticks to ns in 63 bits like Perfetto, which loses precision: it first computes the ns of
 * 2^32 ticks. Returns false if the result needs more bits.
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

static uint64_t read_time(struct cursor *c)
{
	const uint64_t *ticks = read_words(c, 1);
	uint64_t ns = 0;

	if (ticks && !to_ns(*ticks, c->p->rate, &ns))
		c->why = IMPORTER_TIME;
	return ns;
}

/* --- arguments -------------------------------------------------------------------------- */

struct arg {
	uint64_t name;		/* index in FXT_SCHED_STRINGS, or 0 */
	uint64_t type;
};

static bool has_value_word(uint64_t type)
{
	return (type >= FXT_ARG_INT64 && type <= FXT_ARG_DOUBLE) || type == FXT_ARG_POINTER ||
	       type == FXT_ARG_KOID;
}

/* The first pass only looks at strings. */
static void skip_args(struct cursor *c, uint64_t count)
{
	const uint64_t *header;
	uint64_t at;

	for (; count; count--) {
		at = c->at;
		header = read_words(c, 1);
		if (!header)
			return;
		read_string(c, fxt_get(FXT_ARG_NAME, *header));
		if (fxt_get(FXT_ARG_TYPE, *header) == FXT_ARG_STRING)
			read_string(c, fxt_get(FXT_ARG_VALUE_STRING, *header));
		c->at = at + fxt_get(FXT_ARG_SIZE, *header);
	}
}

/* Take names and values. @strings: incremented for each unregistered string */
static void read_args(struct cursor *c, uint64_t count, struct arg args[FXT_MAX_ARGS],
		      unsigned int *strings)
{
	const uint64_t *header;
	uint64_t i, at;

	for (i = 0; i < count; i++) {
		at = c->at;
		header = read_words(c, 1);
		if (!header)
			return;
		args[i].type = fxt_get(FXT_ARG_TYPE, *header);
		args[i].name = read_loose_string(c, fxt_get(FXT_ARG_NAME, *header), strings);
		if (args[i].type == FXT_ARG_STRING)
			read_loose_string(c, fxt_get(FXT_ARG_VALUE_STRING, *header), strings);
		else if (has_value_word(args[i].type))
			read_words(c, 1);
		c->at = at + fxt_get(FXT_ARG_SIZE, *header);
	}
}

/* Both passes, from the same word on; an unregistered string drops the record. */
static void both_args(struct cursor *c, uint64_t count, struct arg args[FXT_MAX_ARGS])
{
	unsigned int strings = 0;
	uint64_t at = c->at;

	skip_args(c, count);
	c->at = at;
	read_args(c, count, args, &strings);
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

/* Take the last word of types that have one. */
static void read_last(struct cursor *c, uint64_t type, uint64_t begin)
{
	uint64_t end;

	if (type == FXT_EVENT_COUNTER || (type >= FXT_EVENT_ASYNC_BEGIN && type <= FXT_EVENT_FLOW_END))
		read_words(c, 1);
	if (type != FXT_EVENT_DURATION_COMPLETE || c->why)
		return;
	end = read_time(c);
	if (c->why == IMPORTER_TIME || (!c->why && end < begin))
		c->why = IMPORTER_DURATION;
}

static void event(struct cursor *c, uint64_t header, struct importer_result *r)
{
	uint64_t count = fxt_get(FXT_EVENT_ARGS, header), type = fxt_get(FXT_EVENT_TYPE, header);
	uint64_t ns = read_time(c);
	struct arg args[FXT_MAX_ARGS];

	skip_thread(c, fxt_get(FXT_EVENT_THREAD, header));
	read_string(c, fxt_get(FXT_EVENT_CATEGORY, header));
	read_string(c, fxt_get(FXT_EVENT_NAME, header));
	both_args(c, count, args);
	read_last(c, type, ns);
	if (!c->why && type == FXT_EVENT_COUNTER)
		r->numbers = count_no_numbers(args, count);
}

/* --- scheduling records --------------------------------------------------------------------- */

static enum importer_reason judge_args(const struct arg *args, uint64_t count, bool is_switch)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		bool is_weight = is_switch ? args[i].name == FXT_STR_INCOMING_WEIGHT ||
					     args[i].name == FXT_STR_OUTGOING_WEIGHT :
					     args[i].name == FXT_STR_WEIGHT;

		if (is_weight && args[i].type != FXT_ARG_INT32)
			return IMPORTER_WEIGHT;
		if (!is_switch && args[i].name == FXT_STR_WAKER && args[i].type != FXT_ARG_KOID)
			return IMPORTER_WAKER;
	}
	return IMPORTER_KEPT;
}

static void scheduling(struct cursor *c, uint64_t header)
{
	uint64_t type = fxt_get(FXT_SCHEDULING_TYPE, header), count;
	bool is_switch = type == FXT_SCHEDULING_CONTEXT_SWITCH;
	struct arg args[FXT_MAX_ARGS];

	if (type > FXT_SCHEDULING_THREAD_WAKEUP)
		return;
	read_time(c);
	if (type == FXT_SCHEDULING_LEGACY_SWITCH) {
		skip_thread(c, fxt_get(FXT_LEGACY_OUT_THREAD, header));
		skip_thread(c, fxt_get(FXT_LEGACY_IN_THREAD, header));
		return;
	}
	read_words(c, is_switch ? 2 : 1);
	/* Both headers have the number of arguments at the same place. */
	count = fxt_get(FXT_SWITCH_ARGS, header);
	both_args(c, count, args);
	if (!c->why)
		c->why = judge_args(args, count, is_switch);
}

/* --- objects, blobs --------------------------------------------------------------------------- */

static void object(struct cursor *c, uint64_t header, struct importer_result *r)
{
	uint64_t count = fxt_get(FXT_KERNEL_OBJECT_ARGS, header), i;
	struct arg args[FXT_MAX_ARGS];

	read_words(c, 1);
	read_string(c, fxt_get(FXT_KERNEL_OBJECT_NAME, header));
	if (c->why || fxt_get(FXT_KERNEL_OBJECT_TYPE, header) != FXT_OBJECT_THREAD)
		return;
	read_args(c, count, args, &r->strings);
	for (i = 0; i < count && !c->why; i++)
		if (args[i].name == FXT_STR_PROCESS && args[i].type != FXT_ARG_KOID)
			c->why = IMPORTER_PROCESS;
}

static void blob(struct cursor *c, uint64_t header)
{
	uint64_t ref = fxt_get(FXT_BLOB_NAME, header);

	if (fxt_get(FXT_BLOB_TYPE, header) != FXT_BLOB_PERFETTO)
		return;
	if (ref & FXT_STRING_REF_INLINE)
		read_string(c, ref);
	read_words(c, fxt_stream_words(fxt_get(FXT_BLOB_SIZE, header)));
}

/* --- what is known ----------------------------------------------------------------------- */

static void enter(struct importer *p, uint64_t provider)
{
	p->provider = provider;
	p->rate = NS_PER_SECOND;
	koids_get(&p->rates, provider, &p->rate);
}

static void metadata(struct importer *p, struct cursor *c, uint64_t header,
		     struct importer_result *r)
{
	uint64_t id = fxt_get(FXT_PROVIDER_ID, header), provider = id ? 0 : FIRST;

	switch (fxt_get(FXT_METADATA_TYPE, header)) {
	case FXT_METADATA_PROVIDER_INFO:
		if (!read_words(c, fxt_stream_words(fxt_get(FXT_PROVIDER_NAME_LENGTH, header))))
			return;
		koids_set(&p->providers, id, ++p->last);
		enter(p, p->last);
		return;
	case FXT_METADATA_PROVIDER_SECTION:
		koids_get(&p->providers, id, &provider);
		r->is_section = !provider;
		enter(p, provider);
		return;
	default:
		return;
	}
}

static void initialization(struct importer *p, struct cursor *c)
{
	const uint64_t *rate = read_words(c, 1);

	if (!rate)
		return;
	p->rate = *rate;
	koids_set(&p->rates, p->provider, p->rate);
}

static void string(struct importer *p, struct cursor *c, uint64_t header)
{
	uint64_t index = fxt_get(FXT_STRING_INDEX, header);
	uint64_t length = fxt_get(FXT_STRING_LENGTH, header);
	const uint64_t *bytes;

	if (!index)
		return;
	bytes = read_words(c, fxt_stream_words(length));
	if (bytes && p->strings.count < IMPORTER_STRINGS)
		koids_set(&p->strings, string_key(p, index),
			  fxt_known_string((const char *)bytes, length));
}

static enum importer_reason judge(struct importer *p, const struct fxt_record *rec,
				  struct importer_result *r)
{
	uint64_t header = rec->words[0], size = fxt_get(FXT_SIZE, header);
	struct cursor c = { p, rec->words, 1, size < rec->held ? size : rec->held, IMPORTER_KEPT };
	uint64_t type = fxt_get(FXT_TYPE, header);

	if (type != FXT_RECORD_METADATA && !p->provider)
		return IMPORTER_PROVIDER;
	switch (type) {
	case FXT_RECORD_METADATA:
		metadata(p, &c, header, r);
		break;
	case FXT_RECORD_INITIALIZATION:
		initialization(p, &c);
		break;
	case FXT_RECORD_STRING:
		string(p, &c, header);
		break;
	case FXT_RECORD_THREAD:
		if (fxt_get(FXT_THREAD_INDEX, header))
			read_words(&c, 2);
		break;
	case FXT_RECORD_EVENT:
		event(&c, header, r);
		break;
	case FXT_RECORD_BLOB:
		blob(&c, header);
		break;
	case FXT_RECORD_KERNEL_OBJECT:
		object(&c, header, r);
		break;
	case FXT_RECORD_SCHEDULING:
		scheduling(&c, header);
		break;
	default:
		break;
	}
	return c.why;
}

/* Feed a record before it is decoded. */
static struct importer_result importer_record(struct importer *p, const struct fxt_record *rec)
{
	struct importer_result r = { .is_read = !p->has_ended && rec->offset >= p->next };
	/* Frequent records are not fed. */
	bool is_next = rec->number == p->number + 1;

	p->number = rec->number;
	if (!r.is_read)
		return r;
	r.is_astray = is_next && rec->offset > p->next;
	if (r.is_astray) {
		p->has_ended = true;
		return r;
	}
	p->next = rec->offset + FXT_WORD * fxt_get(FXT_SIZE, rec->words[0]);
	r.reason = judge(p, rec, &r);
	/* A large record has a longer size, of which these are the lower bits. */
	p->has_ended |= rec->type == FXT_RECORD_LARGE && rec->size > FXT_MAX_RECORD_WORDS;
	return r;
}

/* --- anomalies ---------------------------------------------------------------------------- */

struct check_perfetto {
	struct check_report *report;	/* NULL: anomalies are not wanted */
	uint64_t stats[STAT_COUNT];
	struct check_sum woken;
	struct check_sum koids;
	struct check_sum unnamed;
	struct check_sum renamed;	/* the sum of @renames, and the first of them */
	struct koids renames;		/* by thread: renames that no instant has shown yet */
	struct check_sum provider_events;
	uint64_t loss_slices;
	struct importer importer;
	bool is_dropped;		/* the importer drops the current record */
};

struct check_perfetto *check_perfetto_open(struct check_report *report)
{
	struct check_perfetto *p = new_zero(struct check_perfetto);

	p->report = report;
	/* Before any provider is introduced, records are those of provider 0. */
	p->importer = (struct importer){ .provider = FIRST, .last = FIRST, .rate = NS_PER_SECOND };
	return p;
}

void check_perfetto_close(struct check_perfetto *p)
{
	koids_free(&p->renames);
	koids_free(&p->importer.strings);
	koids_free(&p->importer.providers);
	koids_free(&p->importer.rates);
	free(p);
}

bool check_perfetto_drops(const struct check_perfetto *p)
{
	return p->is_dropped;
}

void check_perfetto_count(struct check_perfetto *p, enum check_stat_number stat)
{
	p->stats[stat]++;
}

bool check_perfetto_has_losses(const struct check_perfetto *p)
{
	return p->provider_events.count;
}

static const char * const kind_names[] = {
#define KIND_NAME(kind, name) [kind] = name,
	CHECK_PERFETTO_KINDS(KIND_NAME)
#undef KIND_NAME
};

static __attribute__((format(printf, 4, 5))) void
found(struct check_perfetto *p, enum check_perfetto_kind kind,
      const struct check_sum *at, const char *format, ...)
{
	char text[300];
	va_list args;
	int n;

	if (!p->report)
		return;
	n = snprintf(text, sizeof(text), "byte %" PRIu64 ": ", at->offset);
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - n, format, args);
	va_end(args);
	check_report_add(p->report, &(struct check_anomaly){
		.class = CHECK_PERFETTO,
		.number = kind,
		.kind = kind_names[kind],
		.violation = kind < PERFETTO_KOID,
		.count = at->count,
		.offset = at->offset,
		.record = at->record,
		.time = CHECK_NO_NUMBER,
		.text = text,
	});
}

#define TELL(p, kind, rec, ...)							\
	found(p, kind, &(struct check_sum){ 1, (rec)->offset, (rec)->number }, __VA_ARGS__)

static void add_to_sum(struct check_sum *sum, const struct fxt_record *rec)
{
	check_sum_add(sum, rec->offset, rec->number);
}

void check_perfetto_refused(struct check_perfetto *p, enum check_perfetto_kind kind,
			    const char *why)
{
	found(p, kind, &(struct check_sum){ .count = 1 },
	      "%s, so Perfetto does not recognize the file", why);
	p->importer.has_ended = true;
}

/* For each reason: row of stats, kind of anomaly, text; NULL: none. */
static const struct {
	enum check_stat_number stat;
	enum check_perfetto_kind kind;
	const char *text;
} reasons[] = {
	[IMPORTER_PROVIDER]	= { STAT_INVALID_EVENT, PERFETTO_PROVIDER, NULL },
	[IMPORTER_STRING]	= { STAT_INVALID_STRING_REF, PERFETTO_STRING_REF,
				    "a string that was not registered, so the record is dropped" },
	[IMPORTER_SHORT]	= { STAT_RECORD_READ_ERROR, PERFETTO_READ_ERROR,
				    "a record that ends too early is dropped" },
	[IMPORTER_TIME]		= { STAT_TIMESTAMP_OVERFLOW, PERFETTO_TIME,
				    "the time stamp exceeds 63 bits of ns, so the record is dropped" },
	[IMPORTER_DURATION]	= { STAT_TIMESTAMP_OVERFLOW, PERFETTO_TIME,
				    "a duration ends before it begins, or after 63 bits of ns, so it is dropped" },
	[IMPORTER_WEIGHT]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "a weight is not an Int32, so the record is dropped" },
	[IMPORTER_WAKER]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "the waker is not a koid; the record is dropped" },
	[IMPORTER_PROCESS]	= { STAT_INVALID_EVENT_ARG_TYPE, PERFETTO_ARGUMENT_TYPE,
				    "the process of a thread is not a koid; the record is dropped" },
};

/* Report the dropped parts of a kept record. */
static void check_kept(struct check_perfetto *p, const struct fxt_record *rec,
		       const struct importer_result *r)
{
	struct check_sum strings = { r->strings, rec->offset, rec->number };
	struct check_sum numbers = { r->numbers, rec->offset, rec->number };

	p->stats[STAT_INVALID_STRING_REF] += r->strings;
	if (r->strings)
		found(p, PERFETTO_STRING_REF, &strings,
		      "strings that were not registered (%u), in arguments of a thread",
		      r->strings);
	p->stats[STAT_NON_NUMERIC_COUNTERS] += r->numbers;
	if (r->numbers)
		found(p, PERFETTO_COUNTER, &numbers,
		      "arguments of a counter are not numbers (%u); they are dropped", r->numbers);
}

void check_perfetto_record(struct check_perfetto *p, const struct fxt_record *rec)
{
	uint64_t next = p->importer.next;
	struct importer_result r = importer_record(&p->importer, rec);

	p->is_dropped = !r.is_read || r.is_astray || r.reason;
	if (r.is_astray)
		TELL(p, PERFETTO_ASTRAY, rec,
		     "Perfetto trusts the size of the record before and reads on at byte %" PRIu64 ": the result is not predicted",
		     next);
	if (!r.is_read || r.is_astray)
		return;
	if (rec->type == FXT_RECORD_LARGE && rec->size > FXT_MAX_RECORD_WORDS)
		TELL(p, PERFETTO_LARGE, rec,
		     "a large record of %" PRIu64 " words, whose size Perfetto does not understand",
		     rec->size);
	if (r.is_section)
		TELL(p, PERFETTO_PROVIDER, rec,
		     "a section of a provider that was not introduced; the records in it are dropped");
	check_kept(p, rec, &r);
	if (!r.reason)
		return;
	p->stats[reasons[r.reason].stat]++;
	if (reasons[r.reason].text)
		TELL(p, reasons[r.reason].kind, rec, "%s", reasons[r.reason].text);
}

/* Has a hot record no anomaly, if idle threads have the required weight? */
static bool is_hot(const uint64_t *w)
{
	uint64_t threads = w[2] | w[fxt_hot_is_wakeup(w) ? 5 : 3];

	return fxt_get(FXT_SWITCH_CPU, w[0]) < PERFETTO_CPUS && w[1] <= INT64_MAX &&
	       threads <= UINT32_MAX;
}

size_t check_perfetto_hot(const struct check_perfetto *p, const struct fxt_hot_run *run)
{
	const uint64_t *w = run->words;
	size_t n = 0;

	if (!p->importer.provider || !p->importer.rate)
		return 0;
	for (; n < run->count && is_hot(w); n++)
		w += FXT_HOT_WORDS;
	return n;
}

static void check_cpu(struct check_perfetto *p, const struct fxt_record *rec,
		      uint16_t cpu)
{
	if (cpu >= PERFETTO_CPUS)
		TELL(p, PERFETTO_CPU, rec, "cpu %u: Perfetto ends the load at CPU numbers from %u on",
		     cpu, PERFETTO_CPUS);
}

static void check_koid(struct check_perfetto *p, const struct fxt_record *rec,
		       uint64_t koids)
{
	if (koids > UINT32_MAX)
		add_to_sum(&p->koids, rec);
}

static void check_idle(struct check_perfetto *p, const struct fxt_record *rec,
		       const char *what)
{
	TELL(p, PERFETTO_IDLE, rec,
	     "thread 0 %s with a weight that is not INT32_MIN, so it is drawn as a thread", what);
}

void check_perfetto_switch(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_switch *sw)
{
	if (p->is_dropped)
		return;
	check_koid(p, rec, sw->out | sw->in);
	check_cpu(p, rec, sw->cpu);
	if (!sw->out && sw->out_weight != INT32_MIN)
		check_idle(p, rec, "is switched out");
	if (!sw->in && sw->in_weight != INT32_MIN)
		check_idle(p, rec, "is switched in");
}

void check_perfetto_wakeup(struct check_perfetto *p, const struct fxt_record *rec,
			   const struct fxt_wakeup *w)
{
	if (p->is_dropped)
		return;
	check_koid(p, rec, w->thread | w->waker);
	check_cpu(p, rec, w->cpu);
	if (!w->thread && w->weight != INT32_MIN)
		check_idle(p, rec, "is woken");
}

static void check_object(struct check_perfetto *p, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	unsigned int i;

	check_koid(p, rec, c->object);
	if (c->object_type != FXT_OBJECT_THREAD)
		return;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == FXT_STR_PROCESS)
			check_koid(p, rec, c->args[i].u64);
}

/* As written by fxt-collect, after the kernel object with the new name. */
static void check_instant(struct check_perfetto *p, const struct fxt_content *c)
{
	uint64_t untold = 0;

	if (c->category.known != FXT_STR_CATEGORY || c->name.known != FXT_STR_RENAME ||
	    !koids_get(&p->renames, c->thread.thread, &untold) || !untold)
		return;
	koids_set(&p->renames, c->thread.thread, untold - 1);
	p->renamed.count--;
}

static void check_legacy(struct check_perfetto *p, const struct fxt_record *rec,
			 const struct fxt_legacy_switch *l)
{
	check_koid(p, rec, l->out.thread | l->in.thread);
	/* Perfetto recognizes idle threads by priority and process. */
	if (!l->out.thread && l->out_priority)
		check_idle(p, rec, "is switched out");
	if (!l->in.thread && l->in_priority)
		check_idle(p, rec, "is switched in");
}

void check_perfetto_content(struct check_perfetto *p, const struct fxt_record *rec,
			    const struct fxt_content *c)
{
	if (p->is_dropped)
		return;
	if (c->kind >= FXT_KIND_INSTANT && c->kind <= FXT_KIND_FLOW_END)
		check_koid(p, rec, c->thread.process | c->thread.thread);
	switch (c->kind) {
	case FXT_KIND_KERNEL_OBJECT:
		check_object(p, rec, c);
		break;
	case FXT_KIND_INSTANT:
		check_instant(p, c);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		p->loss_slices += c->category.known == FXT_STR_CATEGORY &&
				  c->name.known == FXT_STR_LOST;
		break;
	case FXT_KIND_LEGACY_SWITCH:
		check_legacy(p, rec, &c->legacy);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		if (c->event == FXT_PROVIDER_EVENT_BUFFER_FULL)
			add_to_sum(&p->provider_events, rec);
		break;
	default:
		break;
	}
}

void check_perfetto_deviation(struct check_perfetto *p, const struct fxt_deviation *d)
{
	struct check_sum at = { 1, d->offset, d->record };

	if (d->offset < p->importer.next || p->importer.has_ended)
		return;
	if (d->kind == FXT_DEV_SIZE_ZERO)
		found(p, PERFETTO_SIZE_ZERO, &at, "a record of size 0, at which Perfetto ends the load");
	/* Perfetto waits for the rest of a record that is longer than the archive. */
	if (d->kind == FXT_DEV_SIZE_ZERO || d->kind == FXT_DEV_PAST_END)
		p->importer.has_ended = true;
}

void check_perfetto_anomaly(struct check_perfetto *p, const struct sched_anomaly *f)
{
	struct check_sum *sum;

	if (f->violation && (f->kind == SCHED_WOKEN_RUNNING || f->kind == SCHED_WOKEN_RUNNABLE))
		sum = &p->woken;
	else if (f->kind == SCHED_UNNAMED)
		sum = &p->unnamed;
	else
		return;
	if (!sum->count) {
		sum->offset = f->offset;
		sum->record = CHECK_NO_NUMBER;
	}
	sum->count += f->count;
}

void check_perfetto_renamed(struct check_perfetto *p, const struct fxt_record *rec,
			    uint64_t thread)
{
	uint64_t untold = 0;

	add_to_sum(&p->renamed, rec);
	koids_get(&p->renames, thread, &untold);
	koids_set(&p->renames, thread, untold + 1);
}

unsigned int check_perfetto_end(struct check_perfetto *p, struct check_stat stats[STAT_COUNT])
{
	static const char * const names[] = {
#define STAT_NAME(number, name) [number] = name,
		CHECK_STATS(STAT_NAME)
#undef STAT_NAME
	};
	unsigned int i, n = 0;

	if (p->woken.count)
		found(p, PERFETTO_WOKEN_RUNNING, &p->woken,
		      "wakeups of threads that run or wait for a CPU (%" PRIu64 "): Perfetto ends "
		      "the state of the thread there",
		      p->woken.count);
	if (p->provider_events.count > p->loss_slices) {
		p->provider_events.count -= p->loss_slices;
		found(p, PERFETTO_LOSS_UNSEEN, &p->provider_events,
		      "losses are reported only by provider events (%" PRIu64 "), which Perfetto does not show",
		      p->provider_events.count);
	}
	if (p->koids.count)
		found(p, PERFETTO_KOID, &p->koids,
		      "koids of more than 32 bits (in %" PRIu64 " records), which Perfetto cuts",
		      p->koids.count);
	if (p->unnamed.count)
		found(p, PERFETTO_UNNAMED, &p->unnamed,
		      "threads without a kernel object (%" PRIu64 ") are shown without name and process",
		      p->unnamed.count);
	if (p->renamed.count)
		found(p, PERFETTO_RENAMED, &p->renamed,
		      "threads change their names without an instant (%" PRIu64 "): Perfetto shows the last name throughout",
		      p->renamed.count);
	for (i = 0; i < STAT_COUNT; i++)
		if (p->stats[i])
			stats[n++] = (struct check_stat){ names[i], p->stats[i] };
	return n;
}
