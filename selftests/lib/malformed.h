/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader's report of one invalid record in the middle of an archive. Each way to be invalid is
 * a variant, written with CASE() in the tests that include this file. In both byte orders, a strict
 * reader ends at the record, a lenient one returns all records after it, and both report the same
 * offset, record, field and deviation. No reader ends at an extension that the format allows.
 */
#ifndef SELFTESTS_MALFORMED_H
#define SELFTESTS_MALFORMED_H

#include "harness.h"
#include "archive_builder.h"

/* A time stamp and koids whose bits cannot be mistaken for a record. */
#define TIME		0x00001234567890f6ULL
#define PROCESS		0x4d6
#define THREAD		0x4d7

/* Refs that the archive registers, and some that it does not. */
#define CATEGORY	1
#define NAME		2
#define KNOWN_THREAD	1
#define UNKNOWN_STRING	77
#define UNKNOWN_THREAD	9
#define INLINE(bytes)	fxt_string_ref_inline(bytes)

/* The records before the invalid one. */
#define BEFORE_RECORDS	6U
#define BEFORE_WORDS	12UL
#define BEFORE_BYTES	(8 * BEFORE_WORDS)
#define AFTER_RECORDS	5U

enum fate {
	SOUND,		/* no deviation: the format allows this extension */
	NOTED,		/* the same, but with a note */
	USABLE,		/* a deviation; lenient: returned, and it has a content */
	LOST,		/* the same, but without a content */
	SKIPPED,	/* the same, but not returned */
};

FIXTURE(malformed)
{
	struct built b;
	struct walk w;
	uint64_t size;		/* words of the record */
	char text[256];
};

FIXTURE_VARIANT(malformed)
{
	void (*build)(struct built *b);
	enum fxt_deviation_kind kind;
	enum fate fate;
	uint64_t at;		/* bytes from the start of the record to the reported place */
	const char *field;
	const char *what;	/* NULL: reports that @bits are set in the word at @at */
	uint64_t bits;
	size_t notes;		/* notes in addition */
};

static void build_before(struct built *b)
{
	BUILD(b, fxt_magic(), fxt_provider_info(1, 3));
	BUILD_TEXT(b, "one");
	build_string(b, CATEGORY, "cat");
	build_string(b, NAME, "name");
	BUILD(b, fxt_thread(KNOWN_THREAD), PROCESS, THREAD);
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, CATEGORY, NAME), TIME);
}

/* Add records that are valid whatever was registered before. */
static void build_after(struct built *b)
{
	for (unsigned int i = 0; i < AFTER_RECORDS; i++)
		BUILD(b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, 0, 0), PROCESS);
}

FIXTURE_SETUP(malformed)
{
	build_before(&self->b);
	ASSERT_EQ(BEFORE_WORDS, self->b.count);
	variant->build(&self->b);
	self->size = self->b.count - BEFORE_WORDS;
	if (variant->what) {
		snprintf(self->text, sizeof(self->text), "byte %" PRIu64 ": record %u: %s: %s",
			 BEFORE_BYTES + variant->at, BEFORE_RECORDS, variant->field, variant->what);
	} else {
		snprintf(self->text, sizeof(self->text), "byte %" PRIu64
			 ": record %u: %s: 0x%" PRIx64 " is set in 0x%016" PRIx64,
			 BEFORE_BYTES + variant->at, BEFORE_RECORDS, variant->field,
			 variant->bits, self->b.words[BEFORE_WORDS + variant->at / 8]);
	}
	build_after(&self->b);
}

FIXTURE_TEARDOWN(malformed) { }

static void check_told(struct __test_metadata *_metadata, FIXTURE_DATA(malformed) *self,
		       const FIXTURE_VARIANT(malformed) *variant)
{
	size_t notes = self->w.o.strict ? 0 : variant->notes;
	const struct told *t = &self->w.told[0];

	ASSERT_EQ((variant->fate != SOUND) + notes, self->w.told_count) {
		for (size_t i = 0; i < self->w.told_count; i++)
			TH_LOG("%s", self->w.told[i].text);
	}
	if (variant->fate == SOUND)
		return;
	EXPECT_STREQ(self->text, t->text);
	EXPECT_STREQ(variant->field, t->field);
	EXPECT_EQ(BEFORE_BYTES + variant->at, t->offset);
	EXPECT_EQ(BEFORE_RECORDS, t->record);
	EXPECT_EQ(variant->kind, t->kind);
	EXPECT_EQ(variant->fate >= LOST, t->lost);
	EXPECT_EQ(variant->fate == NOTED, t->note);
}

static void check_met(struct __test_metadata *_metadata, FIXTURE_DATA(malformed) *self,
		      enum fate fate)
{
	size_t wrong = fate != SKIPPED, i;
	const struct met *m = self->w.met;

	ASSERT_EQ(BEFORE_RECORDS + wrong + AFTER_RECORDS, self->w.met_count);
	for (i = 0; i < BEFORE_RECORDS; i++, m++) {
		EXPECT_EQ(i, m->number);
		EXPECT_EQ(0, m->content);
	}
	EXPECT_EQ(BEFORE_BYTES - 16, m[-1].offset);
	if (wrong) {
		EXPECT_EQ(BEFORE_BYTES, m->offset);
		EXPECT_EQ(BEFORE_RECORDS, m->number);
		EXPECT_EQ(self->size, m->size);
		EXPECT_EQ(fate == LOST ? -EBADMSG : m->kind == FXT_KIND_UNKNOWN ? -ENOTSUP : 0,
			  m->content);
		m++;
	}
	for (i = 0; i < AFTER_RECORDS; i++, m++) {
		EXPECT_EQ(BEFORE_BYTES + 8 * (self->size + 2 * i), m->offset);
		EXPECT_EQ(BEFORE_RECORDS + 1 + i, m->number);
		EXPECT_EQ((enum fxt_kind)FXT_KIND_KERNEL_OBJECT, m->kind);
		EXPECT_EQ(0, m->content);
	}
}

static void check_totals(struct __test_metadata *_metadata, const FIXTURE_DATA(malformed) *self,
			 enum fate fate)
{
	const struct fxt_reader_totals *t = &self->w.totals;

	EXPECT_EQ(built_bytes(&self->b), t->bytes);
	EXPECT_EQ(BEFORE_RECORDS + 1 + AFTER_RECORDS, t->records);
	EXPECT_EQ(fate < LOST ? 0UL : 1UL, t->skipped);
	EXPECT_EQ(fate < LOST ? 0 : 8 * self->size, t->skipped_bytes);
	EXPECT_EQ(fate < USABLE ? 0UL : 1UL, t->deviations);
}

static void swap(struct built *b, void (*build)(struct built *b))
{
	build_free(b);
	b->swapped = true;
	build_before(b);
	build(b);
	build_after(b);
}

TEST_F(malformed, lenient)
{
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	check_told(_metadata, self, variant);
	check_met(_metadata, self, variant->fate);
	check_totals(_metadata, self, variant->fate);
	EXPECT_STREQ(variant->fate < USABLE ? "" : self->text, self->w.error);
}

TEST_F(malformed, lenient_swapped)
{
	swap(&self->b, variant->build);
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	EXPECT_TRUE(self->w.swapped);
	check_told(_metadata, self, variant);
	check_met(_metadata, self, variant->fate);
	check_totals(_metadata, self, variant->fate);
}

TEST_F(malformed, strict)
{
	self->w.o.strict = true;
	EXPECT_EQ(variant->fate < USABLE ? 0 : -EBADMSG, walk_built(&self->w, &self->b));
	check_told(_metadata, self, variant);
	EXPECT_STREQ(variant->fate < USABLE ? "" : self->text, self->w.error);
	if (variant->fate < USABLE) {
		check_met(_metadata, self, variant->fate);
		check_totals(_metadata, self, variant->fate);
		return;
	}
	EXPECT_EQ(1UL, self->w.totals.deviations);
	EXPECT_LE(BEFORE_RECORDS, self->w.met_count);
	EXPECT_GE(BEFORE_RECORDS + 1, self->w.met_count);
}

#define CASE_OF(name, ...)						\
	static void build_##name(struct built *b);			\
	FIXTURE_VARIANT_ADD(malformed, name) {				\
		.build = build_##name, __VA_ARGS__			\
	};								\
	static void build_##name(struct built *b)

#define CASE(name, the_kind, the_fate, the_at, the_field, the_what)	\
	CASE_OF(name, .kind = FXT_DEV_##the_kind, .fate = the_fate, .at = the_at, \
		.field = the_field, .what = the_what)

#endif /* SELFTESTS_MALFORMED_H */
