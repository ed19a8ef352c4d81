// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader's fastest path through an archive: fxt_reader_hot_run() finds the same records as
 * fxt_reader_next(), with the fields that fxt_reader_content() returns. It also finds most records
 * of a recording; otherwise the test would prove nothing. The same holds for
 * fxt_reader_sched_run().
 */
#include "harness.h"
#include "fxt/fxt_sched.h"

#include "archive_builder.h"
#include "archive_copy.h"
#include "generate.h"

#define TIME		31415926535897ULL
#define OUT		0x123456789abcdef0ULL
#define IN		0x0fedcba987654321ULL
#define CPU		0xfedc

/* Not the indices that our producers use. */
enum { NAME = 1, LETTER, STATE = 255, OUT_WEIGHT, IN_WEIGHT, WEIGHT = 16384, WAKER = 32767 };

#define SWITCH_OF(state, out_weight, in_weight)					\
	fxt_context_switch(6, 2, CPU, state), TIME, OUT, IN, out_weight, in_weight
#define SWITCH		SWITCH_OF(FXT_THREAD_BLOCKED, fxt_arg_int32(1, OUT_WEIGHT, -5),	\
				  fxt_arg_int32(1, IN_WEIGHT, 6))
#define NAMELESS	fxt_context_switch(4, 0, CPU, 0), TIME, OUT, IN
#define WAKEUP_OF(...)	fxt_thread_wakeup(6, 2, CPU), TIME, IN, __VA_ARGS__
#define WAKEUP		WAKEUP_OF(fxt_arg_int32(1, WEIGHT, 7), fxt_arg_koid(2, WAKER), OUT)

FIXTURE(usual)
{
	struct fxt_reader_options o;
	struct built b;
	size_t begin;		/* words and records before those of the test */
	size_t begin_records;
	size_t usual;		/* records that took the fast path */
	size_t of_runs;		/* records that came in runs of any form */
	uint64_t ways;		/* bit N: record N of the test took it */
	uint64_t told[2];	/* a sum of all reports: with the fast path, without it */
	struct fxt_content c;
	struct fxt_content quick;
};

static void build_names(struct built *b)
{
	build_string(b, NAME, "name");
	build_string(b, LETTER, "D");
	build_string(b, STATE, "state");
	build_string(b, OUT_WEIGHT, "outgoing_weight");
	build_string(b, IN_WEIGHT, "incoming_weight");
	build_string(b, WEIGHT, "weight");
	build_string(b, WAKER, "waker");
}

FIXTURE_SETUP(usual)
{
	BUILD(&self->b, fxt_magic());
	build_names(&self->b);
	self->begin = self->b.count;
	self->begin_records = 8;
}

FIXTURE_TEARDOWN(usual) { }

/* --- the reader --------------------------------------------------------------------- */

/* Go to the next record if it is hot, be it of the run found last, or of one after it. */
static bool next_hot(struct fxt_reader *r, struct fxt_hot_run *run, struct fxt_hot *u)
{
	if (!run->count)
		*run = fxt_reader_hot_run(r, FXT_HOT_RUN);
	if (!run->count)
		return false;
	*u = fxt_hot_get(run->words, run->offset, fxt_hot_is_wakeup(run->words));
	fxt_reader_skip_hot(r, 1);
	run->words += FXT_HOT_WORDS;
	run->offset += FXT_HOT_BYTES;
	run->count--;
	return true;
}

/* Does the fast path return what the content has, and does the content have no more? */
static bool is_content(const struct fxt_hot *u, const struct fxt_content *c)
{
	const struct fxt_switch *s = &c->sw;
	const struct fxt_wakeup *w = &c->wakeup;

	if (c->arg_count != 2)
		return false;
	if (c->kind == FXT_KIND_CONTEXT_SWITCH)
		return u->is_wakeup == 0 && u->time == s->time && u->thread == s->out &&
		       u->other == s->in && u->weight == s->in_weight && s->has_in_weight &&
		       u->out_weight == s->out_weight && s->has_out_weight &&
		       u->cpu == s->cpu && u->state == s->state && !s->letter;
	return c->kind == FXT_KIND_THREAD_WAKEUP && u->is_wakeup == 1 &&
	       u->time == w->time && u->thread == w->thread && u->other == w->waker &&
	       w->has_waker && u->weight == w->weight && w->has_weight &&
	       u->cpu == w->cpu && u->state == 0;
}

static bool is_same_record(const struct fxt_record *a, const struct fxt_record *b)
{
	return a->offset == b->offset && a->number == b->number && a->size == b->size &&
	       a->held == b->held && a->kind == b->kind && a->type == b->type &&
	       a->provider->id == b->provider->id &&
	       a->provider->known == b->provider->known &&
	       !memcmp(a->words, b->words, a->held * FXT_WORD);
}

/* Decode like a caller that mainly needs switches and wakeups. */
static int decode(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_content *c)
{
	struct fxt_wakeup w;
	struct fxt_switch s;

	if (rec->kind == FXT_KIND_CONTEXT_SWITCH)
		return fxt_reader_switch(r, rec, &s);
	if (rec->kind == FXT_KIND_THREAD_WAKEUP)
		return fxt_reader_wakeup(r, rec, &w);
	return fxt_reader_content(r, rec, c);
}

/* Each text contains its place, so a hash of all texts shows any difference. */
static void sum_up(void *arg, const struct fxt_deviation *d)
{
	uint64_t *sum = arg;

	for (const char *c = d->text; *c; c++)
		*sum = (*sum ^ (uint8_t)*c) * 0x100000001b3ULL;
}

/* @way: 0 for the reader that takes the fast path. */
static struct fxt_reader_options options(FIXTURE_DATA(usual) *self, int way)
{
	struct fxt_reader_options o = self->o;

	o.deviation = sum_up;
	o.arg = &self->told[way];
	return o;
}

static struct fxt_reader *open_one(FIXTURE_DATA(usual) *self, int way, const void *data,
				   size_t bytes)
{
	struct fxt_reader_options o = options(self, way);
	struct fxt_reader *r;

	self->told[way] = 1;
	if (fxt_reader_open_memory(&r, data, bytes, &o))
		abort();
	return r;
}

/* Two readers of the same archive, closed at its end. @q takes the fast path wherever it can. */
static void compare(struct __test_metadata *_metadata, FIXTURE_DATA(usual) *self,
		    struct fxt_reader *q, struct fxt_reader *p)
{
	struct fxt_record quick, plain;
	struct fxt_hot_run run = { 0 };
	struct fxt_hot u;
	int ret, content;
	bool is_usual;

	self->usual = 0;
	self->ways = 0;
	for (;;) {
		is_usual = next_hot(q, &run, &u);
		ret = fxt_reader_next(p, &plain);
		if (is_usual)
			fxt_reader_hot_record(q, &quick);
		ASSERT_EQ(ret, is_usual ? 1 : fxt_reader_next(q, &quick));
		if (ret != 1)
			break;
		ASSERT_TRUE(is_same_record(&quick, &plain));
		content = fxt_reader_content(p, &plain, &self->c);
		if (is_usual) {
			self->usual++;
			if (quick.number - self->begin_records < 64)
				self->ways |= 1ULL << (quick.number - self->begin_records);
			ASSERT_EQ(0, content);
			ASSERT_EQ(plain.offset, u.offset);
			ASSERT_TRUE(is_content(&u, &self->c));
		} else {
			ASSERT_EQ(content, decode(q, &quick, &self->quick));
		}
		ASSERT_EQ(0, memcmp(fxt_reader_totals(q), fxt_reader_totals(p),
				    sizeof(*fxt_reader_totals(p))));
	}
	EXPECT_EQ(0, memcmp(fxt_reader_totals(q), fxt_reader_totals(p),
			    sizeof(*fxt_reader_totals(p))));
	EXPECT_EQ(self->told[1], self->told[0]);
	fxt_reader_close(q);
	fxt_reader_close(p);
}

/* The same for runs of records of any form: @q takes them wherever it can. */
static void compare_runs(struct __test_metadata *_metadata, FIXTURE_DATA(usual) *self,
			 struct fxt_reader *q, struct fxt_reader *p)
{
	struct fxt_record quick, plain;
	struct fxt_sched_run run;
	int ret, content;

	self->of_runs = 0;
	for (;;) {
		run = fxt_reader_sched_run(q, 1);
		ret = fxt_reader_next(p, &plain);
		if (!run.count)
			ASSERT_EQ(ret, fxt_reader_next(q, &quick));
		if (!run.count && ret != 1)
			break;
		ASSERT_EQ(1, ret);
		content = fxt_reader_content(p, &plain, &self->c);
		if (run.count) {
			ASSERT_EQ(plain.size, (uint64_t)(run.end - run.words));
			ASSERT_EQ(0, memcmp(run.words, plain.words, plain.size * FXT_WORD));
			ASSERT_EQ(1000000000U, plain.provider->ticks_per_second);
			ASSERT_EQ(0, content);
			ASSERT_TRUE(plain.kind == FXT_KIND_CONTEXT_SWITCH ? !self->c.sw.unknown :
				    plain.kind == FXT_KIND_THREAD_WAKEUP && !self->c.wakeup.unknown);
			fxt_reader_skip(q, 1, plain.size);
			self->of_runs++;
		} else {
			ASSERT_EQ(content, decode(q, &quick, &self->quick));
		}
		ASSERT_EQ(0, memcmp(fxt_reader_totals(q), fxt_reader_totals(p),
				    sizeof(*fxt_reader_totals(p))));
	}
	EXPECT_EQ(self->told[1], self->told[0]);
	fxt_reader_close(q);
	fxt_reader_close(p);
}

/*
 * Read the records that the test has put after the names, without the last @cut bytes.
 * With @tail, a long record follows, so that no record is too close to the end. Return:
 * bit N is set if record N of the test came through the fast path.
 */
static uint64_t ways_of(struct __test_metadata *_metadata, FIXTURE_DATA(usual) *self,
			bool tail, size_t cut)
{
	static const char zeros[(FXT_MAX_RECORD_WORDS - 1) * FXT_WORD];
	size_t bytes;

	if (tail) {
		BUILD(&self->b, fxt_blob(FXT_MAX_RECORD_WORDS, 0, sizeof(zeros), FXT_BLOB_DATA));
		build_stream(&self->b, zeros, sizeof(zeros));
	}
	bytes = built_bytes(&self->b) - cut;
	self->b.count = self->begin;
	compare(_metadata, self, open_one(self, 0, self->b.words, bytes),
		open_one(self, 1, self->b.words, bytes));
	compare_runs(_metadata, self, open_one(self, 0, self->b.words, bytes),
		     open_one(self, 1, self->b.words, bytes));
	return self->ways;
}

#define PUT(...)	BUILD(&self->b, __VA_ARGS__)
#define BUILT_WAYS()	ways_of(_metadata, self, true, 0)
#define WAYS(...)	({ PUT(__VA_ARGS__); BUILT_WAYS(); })

/*
 * The fast path refuses the record although both kinds are known, and also after the
 * same record was decoded. The known kinds stay known.
 */
#define REFUSED(...)								\
	do {									\
		EXPECT_EQ(0x10U, 0x14 & WAYS(SWITCH, WAKEUP, __VA_ARGS__, WAKEUP, SWITCH)); \
		EXPECT_EQ(0U, WAYS(__VA_ARGS__, __VA_ARGS__, __VA_ARGS__));	\
	} while (0)

TEST_F(usual, known_from_the_first)
{
	EXPECT_EQ(0xfU, WAYS(SWITCH, WAKEUP, SWITCH, WAKEUP));
	EXPECT_EQ(0xfU, WAYS(SWITCH, SWITCH, WAKEUP, WAKEUP));
	EXPECT_EQ(3U, WAYS(SWITCH, WAKEUP));
	PUT(SWITCH, WAKEUP, SWITCH, WAKEUP);
	EXPECT_EQ(0xfU, ways_of(_metadata, self, false, 0));
	self->o.format_2017 = true;
	EXPECT_EQ(0xfU, WAYS(SWITCH, WAKEUP, SWITCH, WAKEUP));
	self->o = (struct fxt_reader_options){ .strict = true };
	EXPECT_EQ(0xfU, WAYS(SWITCH, WAKEUP, SWITCH, WAKEUP));
}

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

/* Values at the ends of their ranges, and next to them. */
static uint64_t extreme(uint64_t *random)
{
	static const uint64_t values[] = {
		0, 1, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, 1ULL << 63, INT32_MAX, 1ULL << 31,
		UINT32_MAX, 1ULL << 32, 0xffff, 0x8000, OUT,
	};

	return values[draw(random) % (ARRAY_SIZE(values))];
}

TEST_F(usual, values)
{
	uint64_t random = 1;

	PUT(SWITCH, WAKEUP);
	for (unsigned int i = 0; i < 1000; i++) {
#define SOME	extreme(&random)
		PUT(fxt_context_switch(6, 2, SOME & 0xffff, i % 6), SOME, SOME, SOME,
		    fxt_arg_int32(1, OUT_WEIGHT, SOME), fxt_arg_int32(1, IN_WEIGHT, SOME));
		PUT(fxt_thread_wakeup(6, 2, SOME & 0xffff), SOME, SOME,
		    fxt_arg_int32(1, WEIGHT, SOME), fxt_arg_koid(2, WAKER), SOME);
#undef SOME
	}
	BUILT_WAYS();
	EXPECT_EQ(2002U, self->usual);
}

/* The record can be decoded in each way, and more than once. */
TEST_F(usual, record)
{
	struct fxt_hot_run run = { 0 };
	struct fxt_record rec;
	struct fxt_wakeup w;
	struct fxt_switch s;
	struct fxt_hot u;
	struct fxt_reader *r;

	PUT(SWITCH, WAKEUP, SWITCH, WAKEUP, SWITCH, WAKEUP);
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), &self->o));
	for (unsigned int i = 0; i < 10; i++) {
		ASSERT_EQ(1, fxt_reader_next(r, &rec));
		ASSERT_EQ(0, decode(r, &rec, &self->c));
	}
	for (unsigned int i = 0; i < 2; i++) {
		run.count = 0;	/* decoding a record does not end the run */
		ASSERT_TRUE(next_hot(r, &run, &u));
		fxt_reader_hot_record(r, &rec);
		EXPECT_EQ(10 + i, rec.number);
		EXPECT_EQ(0, i ? fxt_reader_wakeup(r, &rec, &w) : fxt_reader_switch(r, &rec, &s));
		EXPECT_TRUE(i ? w.weight == 7 && w.waker == OUT && w.thread == IN :
				s.out_weight == -5 && s.in_weight == 6 && s.in == IN);
	}
	run.count = 0;
	EXPECT_TRUE(next_hot(r, &run, &u));
	fxt_reader_hot_record(r, &rec);
	EXPECT_EQ(0, fxt_reader_content(r, &rec, &self->c));
	EXPECT_TRUE(is_content(&u, &self->c));
	EXPECT_EQ(0, fxt_reader_content(r, &rec, &self->c));
	EXPECT_TRUE(is_content(&u, &self->c));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(13U, rec.number);
	EXPECT_EQ(0, fxt_reader_next(r, &rec));
	EXPECT_EQ(14U, fxt_reader_totals(r)->records);
	EXPECT_EQ(built_bytes(&self->b), fxt_reader_totals(r)->bytes);
	fxt_reader_close(r);
}

/* Can this bit differ between two usual switches of state 3, or between two usual wakeups? */
static bool is_value(bool is_wakeup, unsigned int word, unsigned int bit)
{
	if (!word)
		return bit >= 20 && bit < (is_wakeup ? 36 : 38);
	if (is_wakeup)
		return word == 3 ? bit >= 32 : word != 4;
	return word < 4 || bit >= 32;
}

TEST_F(usual, each_bit)
{
	const uint64_t records[2][6] = { { SWITCH }, { WAKEUP } };

	for (unsigned int kind = 0; kind < 2; kind++) {
		for (unsigned int word = 0; word < 6; word++) {
			for (unsigned int bit = 0; bit < 64; bit++) {
				PUT(SWITCH, WAKEUP);
				build_words(&self->b, records[kind], 6);
				self->b.words[self->b.count - 6 + word] ^= 1ULL << bit;
				PUT(SWITCH, WAKEUP, SWITCH);
				EXPECT_EQ(is_value(kind, word, bit) ? 4U : 0U, BUILT_WAYS() & 4)
					TH_LOG("kind %u, word %u, bit %u", kind, word, bit);
			}
		}
	}
	for (unsigned int bit = 0; bit < 16; bit++)
		EXPECT_EQ(bit <= FXT_THREAD_DEAD ? 1U : 0U,
			  WAYS(SWITCH, WAKEUP, SWITCH_OF(bit, fxt_arg_int32(1, OUT_WEIGHT, 1),
							 fxt_arg_int32(1, IN_WEIGHT, 1))) >> 2 & 1);
}

/* The second of each form comes in a run, also after others. */
TEST_F(usual, forms)
{
	uint64_t out = fxt_arg_int32(1, OUT_WEIGHT, 1), in = fxt_arg_int32(1, IN_WEIGHT, 1);
	uint64_t weight = fxt_arg_int32(1, WEIGHT, 1), waker = fxt_arg_koid(2, WAKER);

	for (unsigned int i = 0; i < 2; i++)
		PUT(SWITCH, WAKEUP, NAMELESS, SWITCH_OF(0, in, out),
		    fxt_context_switch(5, 1, CPU, i), TIME, OUT, IN, out,
		    fxt_context_switch(7, 3, CPU, i), TIME, OUT, IN, out, in,
		    fxt_arg_string(1, STATE, LETTER), fxt_thread_wakeup(3, 0, CPU), TIME, IN,
		    fxt_thread_wakeup(4, 1, CPU), TIME, IN, weight,
		    fxt_thread_wakeup(5, 1, CPU), TIME, IN, waker, OUT);
	BUILT_WAYS();
	EXPECT_EQ(7U, self->of_runs);
}

TEST_F(usual, other_arguments)
{
	uint64_t out = fxt_arg_int32(1, OUT_WEIGHT, 1), in = fxt_arg_int32(1, IN_WEIGHT, 1);
	uint64_t weight = fxt_arg_int32(1, WEIGHT, 1), waker = fxt_arg_koid(2, WAKER);
	uint64_t inlined = fxt_string_ref_inline(6);

	REFUSED(SWITCH_OF(0, in, out));
	REFUSED(SWITCH_OF(0, out, out));
	REFUSED(SWITCH_OF(0, weight, in));
	REFUSED(SWITCH_OF(0, out, fxt_arg_int32(1, NAME, 1)));
	REFUSED(SWITCH_OF(0, fxt_arg_uint32(1, OUT_WEIGHT, 1), in));
	REFUSED(SWITCH_OF(0, out, fxt_arg_uint32(1, IN_WEIGHT, 1)));
	REFUSED(SWITCH_OF(0, out, fxt_arg_string(1, STATE, LETTER)));
	REFUSED(NAMELESS);
	REFUSED(fxt_context_switch(5, 1, CPU, 0), TIME, OUT, IN, out);
	REFUSED(fxt_context_switch(6, 1, CPU, 0), TIME, OUT, IN, fxt_arg_int32(2, inlined, 1), 0);
	REFUSED(fxt_context_switch(7, 3, CPU, 0), TIME, OUT, IN, out, in,
		fxt_arg_string(1, STATE, LETTER));
	REFUSED(fxt_context_switch(7, 2, CPU, 0), TIME, OUT, IN, out, in, 0);
	REFUSED(fxt_thread_wakeup(3, 0, CPU), TIME, IN);
	REFUSED(fxt_thread_wakeup(4, 1, CPU), TIME, IN, weight);
	REFUSED(fxt_thread_wakeup(7, 3, CPU), TIME, IN, weight, waker, OUT, weight);
	REFUSED(WAKEUP_OF(waker, OUT, weight));
	REFUSED(WAKEUP_OF(weight, fxt_arg_koid(2, NAME), OUT));
	REFUSED(WAKEUP_OF(weight, fxt_arg_uint64(2, WAKER), OUT));
	REFUSED(WAKEUP_OF(fxt_arg_int32(1, NAME, 1), waker, OUT));
	REFUSED(WAKEUP_OF(fxt_arg_uint32(1, WEIGHT, 1), waker, OUT));
}

TEST_F(usual, other_kinds)
{
	bool seen[FXT_KIND_COUNT] = { true };	/* unknown kinds: see each_bit */
	struct fxt_record rec;
	struct fxt_reader *r;
	struct memory m;
	int ret;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_all(m.fd, GENERATE_SMALL));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, fxt_reader_open_memory(&r, m.data, m.bytes, NULL));
	while ((ret = fxt_reader_next(r, &rec)) == 1) {
		seen[rec.kind] = true;
		PUT(SWITCH, WAKEUP);
		build_words(&self->b, rec.words, rec.held);
		PUT(SWITCH, WAKEUP, SWITCH);
		EXPECT_EQ(0U, BUILT_WAYS() & 4) TH_LOG("%s", fxt_kind_name(rec.kind));
	}
	EXPECT_EQ(0, ret);
	fxt_reader_close(r);
	for (unsigned int kind = 0; kind < FXT_KIND_COUNT; kind++) {
		EXPECT_TRUE(seen[kind]) TH_LOG("%s", fxt_kind_name(kind));
	}
}

/* A string record can change what an index means, and so what a record means. */
TEST_F(usual, tables)
{
	static const struct {
		uint32_t index;
		const char *text;
		uint64_t ways;
	} strings[] = {
		{ OUT_WEIGHT, "outgoing_weight", 0x1fb }, { IN_WEIGHT, "incoming_weight", 0x1fb },
		{ WEIGHT, "weight", 0x1fb }, { WAKER, "waker", 0x1fb },
		{ OUT_WEIGHT, "incoming_weight", 0x193 }, { IN_WEIGHT, "outgoing_weight", 0x193 },
		/* Records with these names are decoded in full, which does not slow down others. */
		{ OUT_WEIGHT, "weight", 0x193 }, { IN_WEIGHT, "name", 0x193 },
		{ WEIGHT, "waker", 0x6b }, { WAKER, "weight", 0x6b },
		{ WEIGHT, "name", 0x6b }, { WAKER, "name", 0x6b },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(strings); i++) {
		PUT(SWITCH, WAKEUP);
		build_string(&self->b, strings[i].index, strings[i].text);
		EXPECT_EQ(strings[i].ways, WAYS(SWITCH, WAKEUP, SWITCH, SWITCH, WAKEUP, WAKEUP));
	}
	EXPECT_EQ(3U, WAYS(SWITCH, WAKEUP, fxt_initialization(), 999999999,
			   SWITCH, WAKEUP, SWITCH, WAKEUP));
	EXPECT_EQ(0x7bU, WAYS(SWITCH, WAKEUP, fxt_initialization(), 1000000000,
			      SWITCH, WAKEUP, SWITCH, WAKEUP));
}

/* Provider 7 has the same names as provider 8, at other indices. */
TEST_F(usual, providers)
{
	struct built *b = &self->b;

	PUT(fxt_provider_info(7, 0));
	build_names(b);
	build_string(b, OUT_WEIGHT, "incoming_weight");
	build_string(b, IN_WEIGHT, "outgoing_weight");
	PUT(fxt_provider_info(8, 0));
	build_names(b);
	self->begin = b->count;
	self->begin_records += 2 + 9 + 7;
	EXPECT_EQ(0x1ebU, WAYS(SWITCH, WAKEUP, fxt_provider_section(7), WAKEUP,
			       fxt_provider_section(8), SWITCH, WAKEUP, SWITCH, WAKEUP));
	EXPECT_EQ(0x2bU, WAYS(SWITCH, WAKEUP, fxt_provider_section(7),
			      WAKEUP, SWITCH, WAKEUP, SWITCH));
	/* A provider without an info record, and one that begins again: both have no names. */
	EXPECT_EQ(3U, WAYS(SWITCH, WAKEUP, fxt_provider_section(9), NAMELESS, SWITCH, WAKEUP));
	EXPECT_EQ(3U, WAYS(SWITCH, WAKEUP, fxt_provider_info(8, 0), NAMELESS, SWITCH, WAKEUP));
}

TEST_F(usual, swapped)
{
	build_free(&self->b);
	self->b.swapped = true;
	PUT(fxt_magic());
	build_names(&self->b);
	self->begin = self->b.count;
	EXPECT_EQ(0U, WAYS(SWITCH, WAKEUP, SWITCH, WAKEUP));
}

TEST_F(usual, cut)
{
	for (size_t cut = 0; cut < 48; cut++) {
		PUT(SWITCH, WAKEUP);
		if (cut % 2)
			PUT(SWITCH);
		else
			PUT(WAKEUP);
		EXPECT_EQ(cut ? 3U : 7U, ways_of(_metadata, self, false, cut));
	}
}

/*
 * A header of size 0 ends the fast path, whether nothing is known yet or no longer. It must not
 * make the reader repeat what it did for the record before.
 */
TEST_F(usual, zeros)
{
	uint64_t out = fxt_arg_int32(1, OUT_WEIGHT, 1), in = fxt_arg_int32(1, IN_WEIGHT, 1);

	EXPECT_EQ(0U, WAYS(WAKEUP, 0, 0, 0, 0, 0, 0, SWITCH, WAKEUP) & 2);
	EXPECT_EQ(0U, WAYS(NAMELESS, fxt_put(FXT_SWITCH_CPU, CPU), 1, 2, 3, 4ULL << 32, 5ULL << 32,
			   SWITCH, WAKEUP) & 2);
	PUT(SWITCH, WAKEUP);
	build_string(&self->b, NAME, "name");
	EXPECT_EQ(0U, WAYS(NAMELESS, 0, TIME, OUT, IN, out, in, SWITCH, WAKEUP) & 16);
	self->o.format_2017 = true;
	self->begin = 0;
	self->b.count = 0;
	self->begin_records = 0;
	EXPECT_EQ(0U, WAYS(0, 0, 0, 0, 0, 0, SWITCH, WAKEUP) & 1);
}

/* A record that deviates has to be reported, and may have been shorter. */
TEST_F(usual, deviations)
{
	uint64_t weight = fxt_arg_int32(1, WEIGHT, 1), waker = fxt_arg_koid(2, WAKER);

	EXPECT_EQ(0x13U, WAYS(SWITCH, WAKEUP, fxt_thread_wakeup(6, 2, CPU) | 1ULL << 40, TIME, IN,
			      weight, waker, OUT, SWITCH, WAKEUP));
	EXPECT_EQ(0x73U, WAYS(SWITCH, WAKEUP, fxt_thread_wakeup(24, 2, CPU), TIME, IN, weight,
			      waker, OUT, SWITCH, SWITCH, WAKEUP, SWITCH));
}

/* An archive in pieces that end within words. */
static int feed(const void *data, size_t bytes, pid_t *child)
{
	size_t at, n;
	int ends[2];

	if (pipe(ends))
		abort();
	*child = fork();
	if (*child) {
		close(ends[1]);
		return ends[0];
	}
	for (at = 0; at < bytes; at += n) {
		n = bytes - at < 4099 ? bytes - at : 4099;
		if (write(ends[1], (const char *)data + at, n) != (ssize_t)n)
			_exit(1);
	}
	_exit(0);
}

/* Longer than the reader's window. */
TEST_F(usual, generated)
{
	struct fxt_reader_options o = options(self, 0);
	struct fxt_reader *q;
	int fd, status;
	struct memory m;
	pid_t child;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 100000, 3));
	ASSERT_EQ(0, memory_map(&m));
	compare(_metadata, self, open_one(self, 0, m.data, m.bytes),
		open_one(self, 1, m.data, m.bytes));
	EXPECT_LT(75000U, self->usual);
	compare_runs(_metadata, self, open_one(self, 0, m.data, m.bytes),
		     open_one(self, 1, m.data, m.bytes));
	EXPECT_LT(95000U, self->of_runs);
	fd = feed(m.data, m.bytes, &child);
	self->told[0] = 1;
	ASSERT_EQ(0, fxt_reader_open_fd(&q, fd, &o));
	compare(_metadata, self, q, open_one(self, 1, m.data, m.bytes));
	EXPECT_LT(75000U, self->usual);
	close(fd);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

/* Damage anywhere behind the magic number; the bytes are changed back after each. */
TEST_F(usual, damaged)
{
	const uint64_t magic = FXT_WORD * 8;	/* bits */
	uint64_t random = 1, bit;
	unsigned char *bytes;
	struct memory m;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 500, 2));
	ASSERT_EQ(0, memory_map(&m));
	bytes = malloc(m.bytes);
	ASSERT_NE(NULL, bytes);
	memcpy(bytes, m.data, m.bytes);
	for (unsigned int i = 0; i < 3000; i++) {
		bit = magic + draw(&random) % (m.bytes * 8 - magic);
		bytes[bit / 8] ^= 1 << bit % 8;
		compare_runs(_metadata, self, open_one(self, 0, bytes, m.bytes),
			     open_one(self, 1, bytes, m.bytes));
		bytes[bit / 8] ^= 1 << bit % 8;
	}
	free(bytes);
}
