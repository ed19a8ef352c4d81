/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer to memory, and records that it accepts or refuses. */
#ifndef SELFTESTS_LIMITS_FIXTURE_H
#define SELFTESTS_LIMITS_FIXTURE_H

#include "harness.h"
#include "archive_copy.h"

#define MOST_BYTES	(1UL << 20)	/* the most bytes of a stream in these tests */

FIXTURE(limits)
{
	struct memory m;
	struct fxt_writer *w;
	char *text;
	struct fxt_content c;
	char why[256];
};

FIXTURE_SETUP(limits)
{
	const struct fxt_content magic = { .kind = FXT_KIND_MAGIC };

	self->text = malloc(MOST_BYTES);
	ASSERT_NE(NULL, self->text);
	memset(self->text, 'x', MOST_BYTES);
	ASSERT_EQ(0, memory_open(&self->m));
	ASSERT_EQ(0, fxt_writer_open(&self->w, self->m.fd));
	ASSERT_EQ(0, fxt_writer_record(self->w, &magic));
	ASSERT_EQ(0, fxt_writer_provider(self->w, 1, "limits"));
}

FIXTURE_TEARDOWN(limits)
{
	fxt_writer_close(self->w);
}

static inline struct fxt_text text_of(FIXTURE_DATA(limits) *self, uint16_t bytes)
{
	return (struct fxt_text){ .bytes = self->text, .length = bytes };
}

/* Write self->c, which must take @words. */
static inline void fits(struct __test_metadata *_metadata, FIXTURE_DATA(limits) *self,
			uint64_t words)
{
	uint64_t before = fxt_writer_bytes(self->w);

	EXPECT_EQ(0, fxt_writer_record(self->w, &self->c))
		TH_LOG("%s of %ju words", fxt_kind_name(self->c.kind), (uintmax_t)words);
	EXPECT_EQ(before + words * FXT_WORD, fxt_writer_bytes(self->w))
		TH_LOG("%s", fxt_kind_name(self->c.kind));
}

static inline void refused(struct __test_metadata *_metadata, FIXTURE_DATA(limits) *self)
{
	uint64_t before = fxt_writer_bytes(self->w);

	EXPECT_EQ(-EINVAL, fxt_writer_record(self->w, &self->c))
		TH_LOG("%s", fxt_kind_name(self->c.kind));
	EXPECT_EQ(before, fxt_writer_bytes(self->w));
}

#define FITS(words)	fits(_metadata, self, words)
#define REFUSED()	refused(_metadata, self)

/* Read back everything that was written. */
static inline int read_back(FIXTURE_DATA(limits) *self)
{
	struct census census;
	int ret = fxt_writer_close(self->w);

	self->w = NULL;
	if (!ret)
		ret = memory_map(&self->m);
	return ret ? ret : census_take(&self->m, &census, self->why);
}

#define READ_BACK()	EXPECT_EQ(0, read_back(self)) TH_LOG("%s", self->why)

#endif /* SELFTESTS_LIMITS_FIXTURE_H */
