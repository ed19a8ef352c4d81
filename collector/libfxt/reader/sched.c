// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - the fast path for context switches and wakeups.
 *
 * Nearly all records of a scheduling archive are of these two kinds, and the names of their
 * arguments are registered strings. This path decodes them field by field, as strictly as content.c
 * does, and leaves everything unusual to content.c. The form of the first such record of its kind
 * then serves as a template for later ones: fxt_reader_hot_run() only compares headers with it.
 */
#include <fxt/fxt_unknown.h>

#include "libfxt/clock.h"
#include "state.h"
#include "tables.h"

/* An argument's type, its size, and the bit that distinguishes an indexed name. */
#define ARG_SHAPE	(FXT_ARG_TYPE | FXT_ARG_SIZE | FXT_BITS(31, 31))

/* Index of an indexed argument name in FXT_SCHED_STRINGS; 0 if that does not have it. */
static uint32_t known_name(const struct fxt_reader *r, uint64_t header)
{
	const struct string_entry *e =
		fxt_find_string(r, fxt_get(FXT_ARG_NAME, header) & FXT_STRING_REF_INDEX);

	return e ? e->known : 0;
}

/* The indexed string that is an argument's value; NULL if there is none. */
static const struct string_entry *string_value(const struct fxt_reader *r, uint64_t header)
{
	uint64_t ref = fxt_get(FXT_ARG_VALUE_STRING, header);

	if ((header & ARG_SHAPE) != fxt_arg_header(FXT_ARG_STRING, 1, 0) ||
	    header & FXT_ARG_STRING_RESERVED || ref & FXT_STRING_REF_INLINE || !ref)
		return NULL;
	return fxt_find_string(r, ref);
}

/* The argument "state", of one byte. */
static bool decode_letter(const struct fxt_reader *r, uint64_t header, char *letter)
{
	const struct string_entry *e = string_value(r, header);

	if (!e || e->length != 1)
		return false;
	*letter = e->bytes[0];
	return true;
}

static bool decode_reason(const struct fxt_reader *r, uint64_t header, uint8_t *unknown)
{
	const struct string_entry *e = string_value(r, header);

	*unknown = e ? fxt_reason_of(e->known) : 0;
	return *unknown;
}

static bool is_int32(uint64_t header)
{
	return (header & ARG_SHAPE) == fxt_arg_header(FXT_ARG_INT32, 1, 0);
}

static bool is_koid(uint64_t header)
{
	return (header & (ARG_SHAPE | FXT_ARG_RESERVED)) == fxt_arg_header(FXT_ARG_KOID, 2, 0);
}

static int32_t int32_of(uint64_t header)
{
	return (int32_t)fxt_get(FXT_ARG_VALUE_32, header);
}

/* All bits of an Int32 argument's header except its value. */
#define ARG_NOT_INT32	(~FXT_ARG_VALUE_32)

/* Bits that are the same in all hot records: of switches, of wakeups. */
static const uint64_t header_masks[2] = {
	~(FXT_SWITCH_CPU | FXT_SWITCH_STATE), ~FXT_WAKEUP_CPU,
};

/* Likewise of word 4: the header of the outgoing weight, or of the waker. */
static const uint64_t second_masks[2] = { ARG_NOT_INT32, ~0ULL };

/* The word with the weight of the thread that becomes runnable or gets the CPU. */
static inline uint64_t weight_word(const uint64_t *w, size_t is_wakeup)
{
	return w[5 - 2 * is_wakeup];
}

_Static_assert(FXT_SWITCH_BASE_WORDS + 2 == FXT_HOT_WORDS, "a switch with both weights");
_Static_assert(FXT_SCHED_USUAL_WAKEUP_WORDS == FXT_HOT_WORDS, "a wakeup with weight and waker");
_Static_assert(FXT_SWITCH_CPU == FXT_WAKEUP_CPU, "the CPU is at the same place");

/* Make a decoded record of the usual form the template of its kind. */
static void learn(struct fxt_reader *r, const uint64_t *w, bool is_wakeup)
{
	if (r->current->public.ticks_per_second != NS_PER_SECOND)
		return;
	r->shapes[is_wakeup] = (struct sched_shape){
		w[0] & header_masks[is_wakeup],
		{ weight_word(w, is_wakeup) & ARG_NOT_INT32, w[4] & second_masks[is_wakeup] },
	};
}

/* The bits of headers that are equal for all records of a form; wakeups have no state. */
#define FORM_HEADER	(~(FXT_SWITCH_CPU | FXT_SWITCH_STATE))

/*
 * Where the form of a record is: by its kind, its size, and two bits of the string that is the
 * interrupt of a wakeup (word 4) or the state of a switch (word 6). If there is none, these bits
 * are of something else, and the same form is in several places.
 */
static inline size_t form_index(const uint64_t *w)
{
	uint64_t text = w[4 + (w[0] >> 59 & 2)];

	return (w[0] >> 4 & 7) | (w[0] >> 57 & 0x18) | (text >> 27 & 0x60);
}

/* Like learn(), with any arguments from word @at on. @values: words of values at the end */
static void learn_form(struct fxt_reader *r, const struct fxt_record *rec, size_t at, size_t values)
{
	const uint64_t *w = rec->words;
	struct sched_form *form;
	size_t i;

	if (r->current->public.ticks_per_second != NS_PER_SECOND ||
	    w + FORM_WORDS > r->window + r->end)
		return;
	form = &r->forms[form_index(w)];
	*form = (struct sched_form){
		.header = w[0] & FORM_HEADER,
		.most = fxt_hot_is_wakeup(w) ? 0 : FXT_THREAD_DEAD,
	};
	for (i = at; i + values < rec->size; i++) {
		form->masks[i - FORM_ARGS] = is_int32(w[i]) ? ARG_NOT_INT32 : ~0ULL;
		form->args[i - FORM_ARGS] = w[i] & form->masks[i - FORM_ARGS];
	}
}

static inline bool has_form(const struct fxt_reader *r, const uint64_t *w)
{
	const struct sched_form *form = &r->forms[form_index(w)];
	uint64_t differs = (w[0] & FORM_HEADER) ^ form->header;
	size_t i;

	for (i = 0; i < FORM_WORDS - FORM_ARGS; i++)
		differs |= (w[FORM_ARGS + i] & form->masks[i]) ^ form->args[i];
	return !differs && fxt_get(FXT_SWITCH_STATE, w[0]) <= form->most;
}

static inline bool is_hot(const struct sched_shape *shapes, const uint64_t *w)
{
	/* For other kinds of records this is arbitrary, but their headers differ anyway. */
	size_t is_wakeup = fxt_hot_is_wakeup(w);
	const struct sched_shape *s = &shapes[is_wakeup];
	uint64_t differs;

	differs = (w[0] & header_masks[is_wakeup]) ^ s->header;
	differs |= (weight_word(w, is_wakeup) & ARG_NOT_INT32) ^ s->args[0];
	differs |= (w[4] & second_masks[is_wakeup]) ^ s->args[1];
	differs |= fxt_get(FXT_SWITCH_STATE, w[0]) > FXT_THREAD_DEAD;
	return !differs;
}

void fxt_reader_skip(struct fxt_reader *r, size_t count, size_t words)
{
	r->at += words;
	r->totals.records += count;
	r->totals.bytes = r->base + r->at * FXT_WORD;
}

void fxt_reader_skip_hot(struct fxt_reader *r, size_t count)
{
	fxt_reader_skip(r, count, count * FXT_HOT_WORDS);
}

void fxt_reader_hot_record(const struct fxt_reader *r, struct fxt_record *rec)
{
	*rec = (struct fxt_record){
		.offset = r->totals.bytes - FXT_HOT_WORDS * FXT_WORD,
		.number = r->totals.records - 1,
		.words = r->window + r->at - FXT_HOT_WORDS,
		.size = FXT_HOT_WORDS,
		.held = FXT_HOT_WORDS,
		.kind = fxt_kind_of_plain(r, r->window[r->at - FXT_HOT_WORDS]),
		.type = FXT_RECORD_SCHEDULING,
		.provider = &r->current->public,
	};
}

static bool fast_argument(const struct fxt_reader *r, uint64_t header, struct fxt_switch *sw)
{
	switch (known_name(r, header)) {
	case FXT_STR_OUTGOING_WEIGHT:
		sw->out_weight = int32_of(header);
		sw->has_out_weight = true;
		return is_int32(header);
	case FXT_STR_INCOMING_WEIGHT:
		sw->in_weight = int32_of(header);
		sw->has_in_weight = true;
		return is_int32(header);
	case FXT_STR_STATE:
		return decode_letter(r, header, &sw->letter);
	case FXT_STR_UNKNOWN:
		return decode_reason(r, header, &sw->unknown);
	default:
		return false;
	}
}

/* Does a record begin with both weights, in the order that our producers write? */
static bool has_weights_first(const struct fxt_reader *r, const struct fxt_record *rec)
{
	return known_name(r, rec->words[4]) == FXT_STR_OUTGOING_WEIGHT &&
	       known_name(r, rec->words[5]) == FXT_STR_INCOMING_WEIGHT;
}

bool fxt_fast_switch(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_switch *sw)
{
	const uint64_t *w = rec->words;
	uint32_t args = fxt_get(FXT_SWITCH_ARGS, w[0]), i;

	/* Every argument has one word, so the size must agree with their number. */
	if (r->swapped || w[0] & FXT_SWITCH_RESERVED || rec->size != FXT_SWITCH_BASE_WORDS + args)
		return false;
	*sw = (struct fxt_switch){
		.time = w[1],
		.out = w[2],
		.in = w[3],
		.cpu = fxt_get(FXT_SWITCH_CPU, w[0]),
		.state = fxt_get(FXT_SWITCH_STATE, w[0]),
	};
	for (i = FXT_SWITCH_BASE_WORDS; i < rec->size; i++)
		if (!fast_argument(r, w[i], sw))
			return false;
	if (!fxt_state_is_defined(sw->state, sw->unknown))
		return false;
	if (rec->size == FXT_HOT_WORDS && has_weights_first(r, rec))
		learn(r, w, false);
	if (r->has_forms && !sw->unknown && rec->size <= FORM_WORDS)
		learn_form(r, rec, FXT_SWITCH_BASE_WORDS, 0);
	return true;
}

/* The argument "irq" with an indexed, known value. */
static bool decode_irq(const struct fxt_reader *r, uint64_t header, uint8_t *irq)
{
	const struct string_entry *e =
		known_name(r, header) == FXT_STR_IRQ ? string_value(r, header) : NULL;

	*irq = e ? fxt_irq_of(e->known) : FXT_SCHED_IRQ_NONE;
	return *irq;
}

/*
 * The arguments as our producers write them: after the weight, if there is one, the cause of the
 * wakeup. @w: @words of @args arguments
 */
static bool fast_cause(const struct fxt_reader *r, const uint64_t *w, uint32_t words,
		       uint32_t args, struct fxt_wakeup *wk)
{
	/* The idle thread woke it. */
	if (!words && !args)
		return true;
	if (words == 2 && args == 1) {
		wk->has_waker = is_koid(w[0]) && known_name(r, w[0]) == FXT_STR_WAKER;
		wk->waker = w[1];
		return wk->has_waker;
	}
	if (words == 3 && args == 2) {
		wk->has_interrupted = true;
		wk->interrupted = w[2];
		if (!is_koid(w[1]) || known_name(r, w[1]) != FXT_STR_INTERRUPTED)
			return false;
	} else if (words != 1 || args != 1) {
		return false;
	}
	wk->has_irq = decode_irq(r, w[0], &wk->irq);
	return wk->has_irq;
}

/*
 * Accepts exactly the arguments that our producers write. Recordings without weights lack the
 * weight.
 */
bool fxt_fast_wakeup(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_wakeup *wk)
{
	const uint64_t *w = rec->words;
	uint32_t at = FXT_WAKEUP_BASE_WORDS, args = fxt_get(FXT_WAKEUP_ARGS, w[0]);

	if (r->swapped || w[0] & FXT_WAKEUP_RESERVED || rec->size < at)
		return false;
	*wk = (struct fxt_wakeup){
		.time = w[1],
		.thread = w[2],
		.cpu = fxt_get(FXT_WAKEUP_CPU, w[0]),
	};
	if (args && rec->size > at && is_int32(w[at]) && known_name(r, w[at]) == FXT_STR_WEIGHT) {
		wk->weight = int32_of(w[at++]);
		wk->has_weight = true;
		args--;
	}
	if (!fast_cause(r, w + at, rec->size - at, args, wk))
		return false;
	if (wk->has_weight && wk->has_waker)
		learn(r, w, true);
	if (r->has_forms)
		learn_form(r, rec, FXT_WAKEUP_BASE_WORDS, wk->has_waker || wk->has_interrupted);
	return true;
}

/* Make the record at @w the template of its kind, if there is none and it has the usual form. */
static bool learn_next(struct fxt_reader *r, const uint64_t *w)
{
	struct fxt_record rec = { .words = w, .size = fxt_get(FXT_SIZE, w[0]) };
	bool is_wakeup = fxt_hot_is_wakeup(w);
	struct fxt_wakeup wk;
	struct fxt_switch sw;

	if (r->current->public.ticks_per_second != NS_PER_SECOND)
		return false;
	if (rec.size != FXT_HOT_WORDS || r->shapes[is_wakeup].header != FXT_NO_SHAPE)
		return false;
	switch (fxt_kind_of_plain(r, w[0])) {
	case FXT_KIND_CONTEXT_SWITCH:
		fxt_fast_switch(r, &rec, &sw);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		fxt_fast_wakeup(r, &rec, &wk);
		break;
	default:
		break;
	}
	return r->shapes[is_wakeup].header != FXT_NO_SHAPE;
}

/* The number of hot records from @w on. Out of line, as next_slow(). */
static __attribute__((noinline)) size_t count_hot(struct fxt_reader *r, const uint64_t *w,
						  size_t most)
{
	size_t held = (r->end - r->at) / FXT_HOT_WORDS, count = 0;

	if (r->attention && !fxt_leave_plain(r))
		return 0;
	most = most < held ? most : held;
	for (; count < most && (is_hot(r->shapes, w) || learn_next(r, w)); w += FXT_HOT_WORDS)
		count++;
	return count;
}

struct fxt_hot_run fxt_reader_hot_run(struct fxt_reader *r, size_t most)
{
	const uint64_t *w = r->window + r->at;

	if (r->end - r->at < FXT_HOT_WORDS || fxt_get(FXT_TYPE, *w) != FXT_RECORD_SCHEDULING)
		return (struct fxt_hot_run){ .count = 0 };
	return (struct fxt_hot_run){ w, r->base + r->at * FXT_WORD, count_hot(r, w, most) };
}

struct fxt_sched_run fxt_reader_sched_run(struct fxt_reader *r, size_t most)
{
	struct fxt_sched_run run = { .words = r->window + r->at, .end = r->window + r->at };
	const uint64_t *end = r->window + r->end;

	if (!r->has_forms) {
		r->has_forms = true;
		fxt_forget_shapes(r);
	}
	if (r->attention && !fxt_leave_plain(r))
		return run;
	while (run.count < most && run.end + FORM_WORDS <= end && has_form(r, run.end)) {
		run.end += fxt_get(FXT_SIZE, run.end[0]);
		run.count++;
	}
	return run;
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool nearly_hot_switch(struct fxt_reader *r, const struct fxt_record *rec,
			      struct fxt_hot *u, struct fxt_hot_end *end)
{
	struct fxt_switch sw;

	if (rec->size != FXT_HOT_WORDS + 1 || !fxt_fast_switch(r, rec, &sw) ||
	    !has_weights_first(r, rec) || !is_letter(sw.letter))
		return false;
	*u = fxt_hot_get(rec->words, rec->offset, false);
	*end = (struct fxt_hot_end){ .has_other = true, .state = sw.letter };
	return true;
}

static bool nearly_hot_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
			      struct fxt_hot *u, struct fxt_hot_end *end)
{
	struct fxt_wakeup wk;

	if (!fxt_fast_wakeup(r, rec, &wk) || !wk.has_weight || wk.has_waker)
		return false;
	*u = (struct fxt_hot){
		.offset = rec->offset,
		.time = wk.time,
		.thread = wk.thread,
		.other = wk.has_interrupted ? wk.interrupted : 0,
		.weight = wk.weight,
		.cpu = wk.cpu,
		.is_wakeup = true,
	};
	*end = (struct fxt_hot_end){
		.has_other = wk.has_interrupted,
		.irq = wk.has_irq ? wk.irq : FXT_SCHED_IRQ_NONE,
	};
	return true;
}

bool fxt_reader_nearly_hot(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_hot *u,
			   struct fxt_hot_end *end)
{
	if (rec->provider->ticks_per_second != NS_PER_SECOND)
		return false;
	if (rec->kind == FXT_KIND_CONTEXT_SWITCH)
		return nearly_hot_switch(r, rec, u, end);
	return rec->kind == FXT_KIND_THREAD_WAKEUP && nearly_hot_wakeup(r, rec, u, end);
}
