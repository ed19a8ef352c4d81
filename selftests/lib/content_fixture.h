/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An archive that is built word by word, and read strictly: records of the test, after a head of
 * strings and a thread.
 */
#ifndef SELFTESTS_CONTENT_FIXTURE_H
#define SELFTESTS_CONTENT_FIXTURE_H

#include "harness.h"
#include "fxt/fxt_sched.h"

#include "archive_builder.h"

#define TIME		0xfedcba9876543210ULL
#define PROCESS		0x1111222233334444ULL
#define THREAD		0x5555666677778888ULL
#define INLINE(bytes)	fxt_string_ref_inline(bytes)

enum { CATEGORY = 5, NAME = 0x7fff, EMPTY = 300, UMLAUT = 256 };
#define KNOWN_THREAD	255
#define HEAD_RECORDS	8

FIXTURE(content)
{
	struct built b;
	struct fxt_reader *r;
	struct fxt_record rec;
	struct fxt_content c;
};

FIXTURE_VARIANT(content)
{
	bool swapped;
};

FIXTURE_VARIANT_ADD(content, native) { false };
FIXTURE_VARIANT_ADD(content, swapped) { true };

FIXTURE_SETUP(content)
{
	struct built *b = &self->b;

	b->swapped = variant->swapped;
	BUILD(b, fxt_magic(), fxt_provider_info(0xfedcba98, 8));
	BUILD_TEXT(b, "provider");
	BUILD(b, fxt_initialization(), 24000000, fxt_string(CATEGORY, 8));
	BUILD_TEXT(b, "category");
	build_string(b, NAME, "some name");
	BUILD(b, fxt_string(EMPTY, 0), fxt_string(UMLAUT, 6));
	BUILD_TEXT(b, "\xc3\xa4\xf0\x9f\x90\xa7");
	BUILD(b, fxt_thread(KNOWN_THREAD), PROCESS, THREAD);
}

FIXTURE_TEARDOWN(content) { }

/* Go to the next record; the first call skips the head. */
static inline void step(struct __test_metadata *_metadata, FIXTURE_DATA(content) *self,
			enum fxt_kind kind)
{
	struct fxt_reader_options o = { .strict = true };

	if (!self->r) {
		ASSERT_EQ(0, fxt_reader_open_memory(&self->r, self->b.words,
						    built_bytes(&self->b), &o));
		for (int i = 0; i < HEAD_RECORDS; i++)
			ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec));
	}
	ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec)) {
		TH_LOG("%s", fxt_reader_error(self->r));
	}
	EXPECT_EQ(kind, (enum fxt_kind)self->rec.kind);
	memset(&self->c, 0xee, sizeof(self->c));
	ASSERT_EQ(0, fxt_reader_content(self->r, &self->rec, &self->c)) {
		TH_LOG("%s", fxt_reader_error(self->r));
	}
	EXPECT_EQ(kind, self->c.kind);
	/* If the record lacks a text, the text is empty. */
	EXPECT_NE(NULL, self->c.category.bytes);
	EXPECT_NE(NULL, self->c.name.bytes);
}

static inline void end(struct __test_metadata *_metadata, FIXTURE_DATA(content) *self)
{
	EXPECT_EQ(0, fxt_reader_next(self->r, &self->rec));
	EXPECT_EQ(0, fxt_reader_next(self->r, &self->rec));
	EXPECT_STREQ("", fxt_reader_error(self->r));
}

#define STEP(kind)	step(_metadata, self, kind)
#define END()		end(_metadata, self)

#define EXPECT_TEXT(text, string, the_ref)				\
	do {								\
		EXPECT_TRUE(fxt_text_is(&(text), string)) {		\
			TH_LOG("'%.*s' is not '%s'", (text).length, (text).bytes, string); \
		}							\
		EXPECT_EQ(the_ref, (text).ref);				\
	} while (0)

#define EXPECT_BYTES(blob, string, count)				\
	do {								\
		EXPECT_EQ((uint64_t)(count), (blob).bytes);		\
		ASSERT_NE(NULL, (blob).data);				\
		EXPECT_EQ(0, memcmp((blob).data, string, count));	\
	} while (0)

#define EXPECT_THREAD(id, the_ref)					\
	do {								\
		EXPECT_EQ(PROCESS, (id).process);			\
		EXPECT_EQ(THREAD, (id).thread);				\
		EXPECT_EQ(the_ref, (id).ref);				\
	} while (0)

#endif /* SELFTESTS_CONTENT_FIXTURE_H */
