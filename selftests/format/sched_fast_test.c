// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fast path for context switches and wakeups: fxt_reader_switch() and fxt_reader_wakeup() must
 * return what fxt_reader_content() returns, in both byte orders, and what the arguments say. Both
 * ways must report deviations.
 */
#include "harness.h"
#include "fxt/fxt_sched.h"

#include "archive_builder.h"

#define TIME		31415926535897ULL
#define OUT		0x123456789abcdef0ULL
#define IN		0x0fedcba987654321ULL
#define CPU		0xfedc
#define INLINE(bytes)	fxt_string_ref_inline(bytes)

/* Not the indices that our producers use. */
enum {
	NAME = 1, IN_WEIGHT, OUT_WEIGHT, WEIGHT, WAKER, STATE, LETTER, LETTERS, EMPTY,
	IRQ, INTERRUPTED, HARD, SOFT, NMI, TWICE
};

FIXTURE(fast)
{
	struct built b;
	struct fxt_switch sw;
	struct fxt_wakeup wakeup;
	struct fxt_content c;
};

FIXTURE_VARIANT(fast)
{
	bool swapped;
};

FIXTURE_VARIANT_ADD(fast, native) { false };
FIXTURE_VARIANT_ADD(fast, swapped) { true };

FIXTURE_SETUP(fast)
{
	static const char * const strings[] = {
		[NAME] = "name", [IN_WEIGHT] = "incoming_weight",
		[OUT_WEIGHT] = "outgoing_weight", [WEIGHT] = "weight", [WAKER] = "waker",
		[STATE] = "state", [LETTER] = "D", [LETTERS] = "DI", [EMPTY] = "",
		[IRQ] = "irq", [INTERRUPTED] = "interrupted", [HARD] = "hard",
		[SOFT] = "soft", [NMI] = "nmi", [TWICE] = "weight",
	};

	self->b.swapped = variant->swapped;
	BUILD(&self->b, fxt_magic());
	for (size_t i = NAME; i <= TWICE; i++) {
		build_string(&self->b, i, strings[i]);
	}
}

FIXTURE_TEARDOWN(fast) { }

struct counted {
	unsigned int told;
	char text[256];
};

static void keep(void *arg, const struct fxt_deviation *d)
{
	struct counted *c = arg;

	if (!c->told++)
		snprintf(c->text, sizeof(c->text), "%s", d->text);
}

static int read_last(struct __test_metadata *_metadata, FIXTURE_DATA(fast) *self,
		     const struct built *b, bool fast, struct counted *counted)
{
	struct fxt_reader_options o = { .deviation = keep, .arg = counted };
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret = 0, i;

	ASSERT_EQ(0, fxt_reader_open_memory(&r, b->words, built_bytes(b), &o));
	for (i = 0; i < 2 + TWICE; i++)
		ASSERT_EQ(1, fxt_reader_next(r, &rec));
	if (!fast)
		ret = fxt_reader_content(r, &rec, &self->c);
	else if (rec.kind == FXT_KIND_CONTEXT_SWITCH)
		ret = fxt_reader_switch(r, &rec, &self->sw);
	else
		ret = fxt_reader_wakeup(r, &rec, &self->wakeup);
	EXPECT_EQ(0, fxt_reader_next(r, &rec));
	EXPECT_EQ(ret == -EBADMSG ? 1UL : 0UL, fxt_reader_totals(r)->skipped);
	fxt_reader_close(r);
	return ret;
}

/*
 * Decode a record from its words in both ways, which must agree. The fixture has the result
 * of the fast path.
 */
static int both(struct __test_metadata *_metadata, FIXTURE_DATA(fast) *self,
		const uint64_t *words, size_t count)
{
	struct counted fast = { 0 }, general = { 0 };
	const struct fxt_switch *s = &self->c.sw, *t = &self->sw;
	const struct fxt_wakeup *w = &self->c.wakeup, *v = &self->wakeup;
	size_t before = self->b.count;
	int ret;

	build_words(&self->b, words, count);
	memset(&self->sw, 0xee, sizeof(self->sw));
	memset(&self->wakeup, 0xee, sizeof(self->wakeup));
	ret = read_last(_metadata, self, &self->b, false, &general);
	EXPECT_EQ(ret, read_last(_metadata, self, &self->b, true, &fast));
	self->b.count = before;
	EXPECT_EQ(general.told, fast.told);
	EXPECT_STREQ(general.text, fast.text);
	if (ret)
		return ret;
	if (self->c.kind == FXT_KIND_CONTEXT_SWITCH) {
		EXPECT_TRUE(s->time == t->time && s->out == t->out && s->in == t->in &&
			    s->cpu == t->cpu && s->state == t->state);
		EXPECT_TRUE(s->out_weight == t->out_weight && s->in_weight == t->in_weight &&
			    s->has_out_weight == t->has_out_weight &&
			    s->has_in_weight == t->has_in_weight &&
			    s->bad_weight == t->bad_weight && s->letter == t->letter);
	} else {
		EXPECT_TRUE(w->time == v->time && w->thread == v->thread && w->cpu == v->cpu &&
			    w->waker == v->waker && w->weight == v->weight);
		EXPECT_TRUE(w->has_weight == v->has_weight && w->has_waker == v->has_waker &&
			    w->bad_weight == v->bad_weight && w->bad_waker == v->bad_waker);
		EXPECT_TRUE(w->has_irq == v->has_irq && w->irq == v->irq &&
			    w->has_interrupted == v->has_interrupted &&
			    w->interrupted == v->interrupted && w->bad_irq == v->bad_irq);
	}
	return 0;
}

#define BOTH(...)	\
	both(_metadata, self, (const uint64_t[]){ __VA_ARGS__ },	\
	     sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

#define SWITCH(words, args)	\
	fxt_context_switch(4 + (words), args, CPU, FXT_THREAD_BLOCKED), TIME, OUT, IN
#define WAKEUP(words, args)	fxt_thread_wakeup(3 + (words), args, CPU), TIME, IN

#define WEIGHTS(has_out, out_is, has_in, in_is, bad)		\
	do {							\
		EXPECT_EQ(has_out, self->sw.has_out_weight);	\
		EXPECT_EQ(out_is, self->sw.out_weight);		\
		EXPECT_EQ(has_in, self->sw.has_in_weight);	\
		EXPECT_EQ(in_is, self->sw.in_weight);		\
		EXPECT_EQ(bad, self->sw.bad_weight);		\
		EXPECT_EQ(TIME, self->sw.time);			\
		EXPECT_EQ(OUT, self->sw.out);			\
		EXPECT_EQ(IN, self->sw.in);			\
		EXPECT_EQ(CPU, self->sw.cpu);			\
		EXPECT_EQ(FXT_THREAD_BLOCKED, self->sw.state);	\
	} while (0)

/* A text as a word of a stream, in the order that the builder uses. */
static uint64_t text_word(const FIXTURE_VARIANT(fast) *variant, const char *text)
{
	uint64_t word = 0;

	memcpy(&word, text, strlen(text));
	return variant->swapped ? __builtin_bswap64(word) : word;
}

TEST_F(fast, switch_usual)
{
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_int32(1, OUT_WEIGHT, -5),
			  fxt_arg_int32(1, IN_WEIGHT, INT32_MIN)));
	WEIGHTS(true, -5, true, INT32_MIN, false);
	EXPECT_EQ(0, self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(3, 3), fxt_arg_int32(1, OUT_WEIGHT, INT32_MAX),
			  fxt_arg_int32(1, IN_WEIGHT, 7), fxt_arg_string(1, STATE, LETTER)));
	WEIGHTS(true, INT32_MAX, true, 7, false);
	EXPECT_EQ('D', self->sw.letter);
}

TEST_F(fast, switch_orders)
{
	EXPECT_EQ(0, BOTH(SWITCH(3, 3), fxt_arg_string(1, STATE, LETTER),
			  fxt_arg_int32(1, IN_WEIGHT, 7), fxt_arg_int32(1, OUT_WEIGHT, 8)));
	WEIGHTS(true, 8, true, 7, false);
	EXPECT_EQ('D', self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(0, 0)));
	WEIGHTS(false, 0, false, 0, false);
	EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_int32(1, IN_WEIGHT, 7)));
	WEIGHTS(false, 0, true, 7, false);
	EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_int32(1, OUT_WEIGHT, 7)));
	WEIGHTS(true, 7, false, 0, false);
	/* Twice: the last one counts. */
	EXPECT_EQ(0, BOTH(SWITCH(3, 3), fxt_arg_int32(1, OUT_WEIGHT, 1),
			  fxt_arg_int32(1, IN_WEIGHT, 3), fxt_arg_int32(1, OUT_WEIGHT, 2)));
	WEIGHTS(true, 2, true, 3, false);
	EXPECT_EQ(0, BOTH(SWITCH(5, 4), fxt_arg_int32(1, OUT_WEIGHT, 1),
			  fxt_arg_koid(2, NAME), 5, fxt_arg_int32(1, IN_WEIGHT, 3),
			  fxt_arg_null(1, WEIGHT)));
	WEIGHTS(true, 1, true, 3, false);
}

TEST_F(fast, switch_types)
{
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_uint32(1, OUT_WEIGHT, 5),
			  fxt_arg_int32(1, IN_WEIGHT, 6)));
	WEIGHTS(false, 0, true, 6, true);
	EXPECT_EQ(0, BOTH(SWITCH(3, 2), fxt_arg_int32(1, OUT_WEIGHT, 5),
			  fxt_arg_int64(2, IN_WEIGHT), 6));
	WEIGHTS(true, 5, false, 0, true);
	/* An Int32 after an argument of another type. */
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_null(1, OUT_WEIGHT),
			  fxt_arg_int32(1, OUT_WEIGHT, 6)));
	WEIGHTS(true, 6, false, 0, true);
	/* An argument of another type after an Int32. */
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_int32(1, OUT_WEIGHT, 6),
			  fxt_arg_null(1, OUT_WEIGHT)));
	WEIGHTS(false, 0, false, 0, true);
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_int32(1, IN_WEIGHT, 6),
			  fxt_arg_string(1, IN_WEIGHT, LETTER)));
	WEIGHTS(false, 0, false, 0, true);
	/* More words than an Int32 needs: still an Int32, and a note. */
	EXPECT_EQ(0, BOTH(SWITCH(2, 1), fxt_arg_int32(2, OUT_WEIGHT, 6), 0));
	WEIGHTS(true, 6, false, 0, false);
	EXPECT_EQ(0, BOTH(SWITCH(2, 1), fxt_arg_int32(1, OUT_WEIGHT, 6), 0));
	WEIGHTS(true, 6, false, 0, false);
}

TEST_F(fast, switch_letters)
{
	static const uint64_t no_letters[] = { LETTERS, EMPTY, 0 };
	uint64_t text = text_word(variant, "tx");

	for (size_t i = 0; i < 3; i++) {
		EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_string(1, STATE, no_letters[i])));
		EXPECT_EQ(0, self->sw.letter);
	}
	EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_string(1, STATE, INLINE(0))));
	EXPECT_EQ(0, self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(2, 1), fxt_arg_string(2, STATE, INLINE(1)), text));
	EXPECT_EQ('t', self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(2, 1), fxt_arg_string(2, STATE, INLINE(2)), text));
	EXPECT_EQ(0, self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_int32(1, STATE, 'D')));
	EXPECT_EQ(0, self->sw.letter);
	EXPECT_EQ(0, BOTH(SWITCH(2, 2), fxt_arg_string(1, STATE, LETTER),
			  fxt_arg_string(1, STATE, LETTERS)));
	EXPECT_EQ(0, self->sw.letter);
}

TEST_F(fast, inline_names)
{
	uint64_t weight = text_word(variant, "weight"), waker = text_word(variant, "waker");

	EXPECT_EQ(0, BOTH(SWITCH(3, 1), fxt_arg_int32(3, INLINE(15), 9),
			  text_word(variant, "outgoing"), text_word(variant, "_weight")));
	WEIGHTS(true, 9, false, 0, false);
	EXPECT_EQ(0, BOTH(WAKEUP(5, 2), fxt_arg_int32(2, INLINE(6), 9), weight,
			  fxt_arg_koid(3, INLINE(5)), waker, OUT));
	EXPECT_TRUE(self->wakeup.has_weight);
	EXPECT_EQ(9, self->wakeup.weight);
	EXPECT_TRUE(self->wakeup.has_waker);
	EXPECT_EQ(OUT, self->wakeup.waker);
	/* The length of an inline name is not an index: 2 is the index of incoming_weight. */
	EXPECT_EQ(0, BOTH(SWITCH(2, 1), fxt_arg_int32(2, INLINE(IN_WEIGHT), 9),
			  text_word(variant, "ab")));
	WEIGHTS(false, 0, false, 0, false);
	EXPECT_EQ(-EBADMSG, BOTH(SWITCH(1, 1), fxt_arg_int32(1, INLINE(IN_WEIGHT), 9)));
}

TEST_F(fast, wakeup_usual)
{
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, INT32_MIN),
			  fxt_arg_koid(2, WAKER), OUT));
	EXPECT_EQ(TIME, self->wakeup.time);
	EXPECT_EQ(IN, self->wakeup.thread);
	EXPECT_EQ(CPU, self->wakeup.cpu);
	EXPECT_TRUE(self->wakeup.has_weight);
	EXPECT_EQ(INT32_MIN, self->wakeup.weight);
	EXPECT_TRUE(self->wakeup.has_waker);
	EXPECT_EQ(OUT, self->wakeup.waker);
	EXPECT_FALSE(self->wakeup.bad_weight);
	EXPECT_FALSE(self->wakeup.bad_waker);
}

#define WAKEUP_IS(the_weight, the_waker, bad_weights, bad_wakers)	\
	do {								\
		EXPECT_EQ((the_weight) != 0, self->wakeup.has_weight);	\
		EXPECT_EQ(the_weight, self->wakeup.weight);		\
		EXPECT_EQ((the_waker) != 0, self->wakeup.has_waker);	\
		EXPECT_EQ(the_waker, self->wakeup.waker);		\
		EXPECT_EQ(bad_weights, self->wakeup.bad_weight);	\
		EXPECT_EQ(bad_wakers, self->wakeup.bad_waker);		\
		EXPECT_EQ(TIME, self->wakeup.time);			\
		EXPECT_EQ(IN, self->wakeup.thread);			\
	} while (0)

TEST_F(fast, wakeup_others)
{
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_koid(2, WAKER), OUT, fxt_arg_int32(1, WEIGHT, 7)));
	WAKEUP_IS(7, OUT, false, false);
	EXPECT_EQ(0, BOTH(WAKEUP(0, 0)));
	WAKEUP_IS(0, 0UL, false, false);
	EXPECT_EQ(0, BOTH(WAKEUP(1, 1), fxt_arg_int32(1, WEIGHT, 7)));
	WAKEUP_IS(7, 0UL, false, false);
	EXPECT_EQ(0, BOTH(WAKEUP(2, 1), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(0, OUT, false, false);
	/* The same form with other names. */
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, NAME, 7), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(0, OUT, false, false);
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_koid(2, NAME), OUT));
	WAKEUP_IS(7, 0UL, false, false);
	/* A name that was registered twice. */
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, TWICE, 7), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(7, OUT, false, false);
	/* The same words, but fewer arguments: the rest is a note. */
	EXPECT_EQ(0, BOTH(WAKEUP(3, 1), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(7, 0UL, false, false);
	/* The same arguments, but a word more or less. */
	EXPECT_EQ(0, BOTH(WAKEUP(4, 2), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_koid(2, WAKER), OUT,
			  OUT));
	WAKEUP_IS(7, OUT, false, false);
	EXPECT_EQ(-EBADMSG, BOTH(WAKEUP(2, 2), fxt_arg_int32(1, WEIGHT, 7),
				 fxt_arg_koid(2, WAKER)));
}

TEST_F(fast, wakeup_types)
{
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_uint64(2, WAKER), OUT));
	WAKEUP_IS(7, 0UL, false, true);
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_pointer(2, WAKER), OUT));
	WAKEUP_IS(7, 0UL, false, true);
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_uint32(1, WEIGHT, 7), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(0, OUT, true, false);
	EXPECT_EQ(0, BOTH(WAKEUP(3, 3), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_null(1, WEIGHT),
			  fxt_arg_null(1, WAKER)));
	WAKEUP_IS(0, 0UL, true, true);
	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_null(1, WAKER), fxt_arg_koid(2, WAKER), OUT,
			  fxt_arg_int32(1, WEIGHT, 1)));
	WAKEUP_IS(1, OUT, false, true);
}

#define IRQ_IS(the_waker, is_there, kind, the_interrupted, bad)			\
	do {									\
		EXPECT_EQ(the_waker, self->wakeup.waker);			\
		EXPECT_EQ(is_there, self->wakeup.has_irq);			\
		EXPECT_EQ(FXT_SCHED_IRQ_##kind, self->wakeup.irq);		\
		EXPECT_EQ((the_interrupted) != 0, self->wakeup.has_interrupted);\
		EXPECT_EQ(the_interrupted, self->wakeup.interrupted);		\
		EXPECT_EQ(bad, self->wakeup.bad_irq);				\
	} while (0)

TEST_F(fast, wakeup_by_interrupt)
{
	uint64_t text = text_word(variant, "soft");

	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(1, IRQ, HARD), fxt_arg_koid(2, INTERRUPTED), OUT));
	WAKEUP_IS(7, 0UL, false, false);
	IRQ_IS(0UL, true, HARD, OUT, false);
	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(1, IRQ, NMI), fxt_arg_koid(2, INTERRUPTED), OUT));
	IRQ_IS(0UL, true, NMI, OUT, false);
	EXPECT_EQ(0, BOTH(WAKEUP(2, 2), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_string(1, IRQ, SOFT)));
	WAKEUP_IS(7, 0UL, false, false);
	IRQ_IS(0UL, true, SOFT, 0UL, false);
	/* Without a weight. */
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_string(1, IRQ, HARD),
			  fxt_arg_koid(2, INTERRUPTED), OUT));
	WAKEUP_IS(0, 0UL, false, false);
	IRQ_IS(0UL, true, HARD, OUT, false);
	EXPECT_EQ(0, BOTH(WAKEUP(1, 1), fxt_arg_string(1, IRQ, NMI)));
	WAKEUP_IS(0, 0UL, false, false);
	IRQ_IS(0UL, true, NMI, 0UL, false);
	/* In another order, inline, and of an unknown kind. */
	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_koid(2, INTERRUPTED), OUT,
			  fxt_arg_int32(1, WEIGHT, 7), fxt_arg_string(1, IRQ, HARD)));
	IRQ_IS(0UL, true, HARD, OUT, false);
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(2, IRQ, INLINE(4)), text));
	IRQ_IS(0UL, true, SOFT, 0UL, false);
	EXPECT_EQ(0, BOTH(WAKEUP(2, 2), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(1, IRQ, LETTER)));
	IRQ_IS(0UL, true, NONE, 0UL, false);
	/* Of another type, or together with a waker. */
	EXPECT_EQ(0, BOTH(WAKEUP(2, 2), fxt_arg_int32(1, WEIGHT, 7), fxt_arg_int32(1, IRQ, HARD)));
	IRQ_IS(0UL, false, NONE, 0UL, true);
	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(1, IRQ, HARD), fxt_arg_uint64(2, INTERRUPTED), OUT));
	IRQ_IS(0UL, true, HARD, 0UL, true);
	EXPECT_EQ(0, BOTH(WAKEUP(4, 3), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_string(1, IRQ, HARD), fxt_arg_koid(2, WAKER), OUT));
	IRQ_IS(OUT, true, HARD, 0UL, false);
	EXPECT_EQ(-EBADMSG, BOTH(WAKEUP(2, 2), fxt_arg_int32(1, WEIGHT, 7),
				 fxt_arg_string(1, IRQ, 99)));
}

TEST_F(fast, deviations)
{
	EXPECT_EQ(-EBADMSG, BOTH(SWITCH(2, 2), fxt_arg_int32(1, OUT_WEIGHT, 5),
				 fxt_arg_int32(1, 99, 6)));
	EXPECT_EQ(-EBADMSG, BOTH(SWITCH(2, 3), fxt_arg_int32(1, OUT_WEIGHT, 5),
				 fxt_arg_int32(1, IN_WEIGHT, 6)));
	EXPECT_EQ(-EBADMSG, BOTH(SWITCH(1, 1), fxt_arg_string(1, STATE, 99)));
	EXPECT_EQ(-EBADMSG, BOTH(SWITCH(1, 1), fxt_arg_int32(0, OUT_WEIGHT, 5)));
	EXPECT_EQ(0, BOTH(SWITCH(1, 1), fxt_arg_string(1, STATE, LETTER) | 1ULL << 50));
	EXPECT_EQ('D', self->sw.letter);
	EXPECT_EQ(0, BOTH(fxt_context_switch(4, 0, CPU, FXT_THREAD_BLOCKED) | 1ULL << 45, TIME,
			  OUT, IN));
	WEIGHTS(false, 0, false, 0, false);
	EXPECT_EQ(0, BOTH(fxt_context_switch(4, 0, CPU, 9), TIME, OUT, IN));
	EXPECT_EQ(9, self->sw.state);
	EXPECT_EQ(-EBADMSG, BOTH(fxt_context_switch(3, 0, CPU, 0), TIME, OUT));
	EXPECT_EQ(-EBADMSG, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7),
				 fxt_arg_koid(2, 99), OUT));
	EXPECT_EQ(-EBADMSG, BOTH(WAKEUP(3, 3), fxt_arg_int32(1, WEIGHT, 7),
				 fxt_arg_koid(2, WAKER), OUT));
	EXPECT_EQ(0, BOTH(WAKEUP(3, 2), fxt_arg_int32(1, WEIGHT, 7),
			  fxt_arg_koid(2, WAKER) | 1ULL << 40, OUT));
	WAKEUP_IS(7, OUT, false, false);
	EXPECT_EQ(0, BOTH(fxt_thread_wakeup(6, 2, CPU) | 1ULL << 59, TIME, IN,
			  fxt_arg_int32(1, WEIGHT, 7), fxt_arg_koid(2, WAKER), OUT));
	WAKEUP_IS(7, OUT, false, false);
}

TEST_F(fast, as_producers_write_it)
{
	static const uint64_t ours[] = {
		[FXT_STR_INCOMING_WEIGHT] = IN_WEIGHT, [FXT_STR_OUTGOING_WEIGHT] = OUT_WEIGHT,
		[FXT_STR_STATE] = STATE,
	};
	struct fxt_sched_state state = { FXT_THREAD_BLOCKED, FXT_STR_STATE_D };
	__u64 words[FXT_SCHED_RECORD_WORDS];
	uint64_t w[FXT_SCHED_RECORD_WORDS];
	uint32_t n, i;

	n = fxt_sched_put_switch(words, TIME, CPU, 11, 12, 1024, 2048, state);
	ASSERT_EQ(7U, n);
	/* With the indices that these names have here. */
	for (i = 0; i < n; i++)
		w[i] = i < 4 ? words[i] : (words[i] & ~FXT_ARG_NAME) |
		       fxt_put(FXT_ARG_NAME, ours[fxt_get(FXT_ARG_NAME, words[i])]);
	EXPECT_EQ((uint64_t)fxt_arg_string(1, STATE, FXT_STR_STATE_D), w[6]);
	w[6] = fxt_arg_string(1, STATE, LETTER);
	EXPECT_EQ(0, both(_metadata, self, w, n));
	EXPECT_EQ(11UL, self->sw.out);
	EXPECT_EQ(12UL, self->sw.in);
	EXPECT_EQ(1024, self->sw.out_weight);
	EXPECT_EQ(2048, self->sw.in_weight);
	EXPECT_EQ('D', self->sw.letter);
	n = fxt_sched_put_wakeup(words, TIME, CPU, 12, 2048,
				 fxt_sched_waker(11, FXT_SCHED_IRQ_NONE));
	ASSERT_EQ(6U, n);
	for (i = 0; i < n; i++)
		w[i] = words[i];
	w[3] = fxt_arg_int32(1, WEIGHT, 2048);
	w[4] = fxt_arg_koid(2, WAKER);
	EXPECT_EQ(0, both(_metadata, self, w, n));
	EXPECT_EQ(12UL, self->wakeup.thread);
	EXPECT_EQ(2048, self->wakeup.weight);
	EXPECT_EQ(11UL, self->wakeup.waker);
}

/* --- names -------------------------------------------------------------------------- */

TEST(known_strings)
{
	static const char * const others[] = {
		"", "weigh", "weights", "Weight", "fxt_sched.", "d",
	};
	struct { const char *text; unsigned int known; } all[] = {
#define STRING(index, text) { text, index },
		FXT_SCHED_STRINGS(STRING)
#undef STRING
	};
	struct fxt_reader *r;
	struct fxt_record rec;
	struct built b = { 0 };
	static struct fxt_content c;
	size_t n = sizeof(all) / sizeof(*all), i;

	BUILD(&b, fxt_magic());
	for (i = 0; i < n + 6; i++) {
		const char *text = i < n ? all[i].text : others[i - n];

		build_string(&b, 1000 - i, text);
		BUILD(&b, fxt_event(4 + fxt_stream_words(strlen(text)), FXT_EVENT_INSTANT, 0, 0,
				    1000 - i, INLINE(strlen(text))), TIME, 1, 2);
		BUILD_TEXT(&b, text);
	}
	ASSERT_EQ(0, fxt_reader_open_memory(&r, b.words, built_bytes(&b), NULL));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	for (i = 0; i < n + 6; i++) {
		ASSERT_EQ(1, fxt_reader_next(r, &rec));
		ASSERT_EQ(0, fxt_reader_content(r, &rec, &c));
		EXPECT_EQ(i < n ? all[i].known : 0, c.name.known);
		ASSERT_EQ(1, fxt_reader_next(r, &rec));
		ASSERT_EQ(0, fxt_reader_content(r, &rec, &c));
		EXPECT_EQ(i < n ? all[i].known : 0, c.category.known);
		EXPECT_EQ(i < n ? all[i].known : 0, c.name.known);
	}
	fxt_reader_close(r);
}

TEST(names)
{
	struct fxt_text text = { .bytes = "state", .length = 5 };
	int i, timed = 0;

	EXPECT_STREQ("unknown", fxt_kind_name(FXT_KIND_UNKNOWN));
	EXPECT_STREQ("context_switch", fxt_kind_name(FXT_KIND_CONTEXT_SWITCH));
	EXPECT_STREQ("large_blob_no_metadata", fxt_kind_name(FXT_KIND_LARGE_BLOB_BARE));
	EXPECT_STREQ("unknown", fxt_kind_name(FXT_KIND_COUNT));
	EXPECT_STREQ("unknown", fxt_kind_name((enum fxt_kind)-1));
	EXPECT_STREQ("no-magic", fxt_deviation_name(FXT_DEV_NO_MAGIC));
	EXPECT_STREQ("limit", fxt_deviation_name(FXT_DEV_LIMIT));
	EXPECT_STREQ("?", fxt_deviation_name(FXT_DEV_COUNT));
	EXPECT_TRUE(fxt_text_is(&text, "state"));
	EXPECT_FALSE(fxt_text_is(&text, "stat"));
	EXPECT_FALSE(fxt_text_is(&text, "state1"));
	EXPECT_FALSE(fxt_text_is(&text, "stats"));
	for (i = 0; i < FXT_KIND_COUNT; i++)
		timed += fxt_kind_has_time(i);
	/* Events, scheduling, log and profiler records; word 1 of large ones is something else. */
	EXPECT_EQ(11 + 3 + 1 + 3, timed);
	EXPECT_FALSE(fxt_kind_has_time(FXT_KIND_LARGE_BLOB));
	EXPECT_TRUE(fxt_kind_has_time(FXT_KIND_LEGACY_SWITCH));
	EXPECT_TRUE(fxt_kind_has_time(FXT_KIND_BACKTRACE));
}
