// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A long archive of all sorts of records, with unknown, damaged and large ones: the reader returns
 * the same records whether the caller decodes all, none or some of them, so all fast paths are
 * right.
 */

#include "harness.h"
#include "archive_builder.h"

#define TIME		31415926535897ULL
#define ROUNDS		700	/* of about 1100 words each, more than the window holds */
#define ENDLESS		2	/* damages that cost one record and 2 words */
#define NUMBERS		3	/* damages that add one record and cost 1 word */

struct seen {
	uint64_t offset;
	uint64_t number;
	uint64_t size;
	uint64_t header;
	uint64_t total;		/* bytes up to its end */
	uint32_t provider;
	uint32_t held;
	uint16_t kind;
	uint8_t type;
};

FIXTURE(plain)
{
	struct built b;
	struct seen *seen;	/* records of a walk that decodes all of them */
	size_t count;
	struct fxt_reader_totals totals;
};

FIXTURE_VARIANT(plain)
{
	bool swapped;
	bool format_2017;
};

FIXTURE_VARIANT_ADD(plain, native) { false, false };
FIXTURE_VARIANT_ADD(plain, swapped) { true, false };
FIXTURE_VARIANT_ADD(plain, format_2017) { false, true };

static void build_blob(struct built *b, int words)
{
	static const char bytes[8 * 4094];

	BUILD(b, fxt_blob(words, 1, 8 * (words - 1), FXT_BLOB_DATA));
	build_stream(b, bytes, 8 * (words - 1));
}

/* Register strings and threads for the next round, after a record that changes nothing. */
static void build_names(struct built *b, int next)
{
	BUILD(b, fxt_thread(1 + next % 255), next, next + 1, fxt_string(1 + 40 * next, 4));
	BUILD_TEXT(b, "name");
}

static void build_round(struct built *b, int n)
{
	/* Only the high byte is set, so that it looks like a type in the other byte order. */
	int name = 1 + 40 * n, i;

	/* This header looks like that of a record of unknown type; valid records follow. */
	if (n % 50 == 25 && n % 7 > 3 && n % 11 > 3)
		BUILD(b, fxt_header(11, 31));
	for (i = 0; i < n % 7; i++) {
		BUILD(b, fxt_context_switch(4, 0, n % 64, FXT_THREAD_BLOCKED), TIME + n, n, n + 1);
		BUILD(b, fxt_thread_wakeup(3, 0, n % 64), TIME + n, n);
		BUILD(b, fxt_event(3, n % 11, 0, 1 + n % 255, 1, name), TIME, n);
	}
	BUILD(b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 1, 0), n);
	if (n % 5 == 0)
		BUILD(b, fxt_header(11 + n % 4, 3), ~0ULL, TIME);
	if (n % 11 == 0)
		BUILD(b, fxt_provider_section(1 + n / 11 % 2), fxt_initialization(), 1000 + n);
	if (n % 13 == 0)
		BUILD(b, fxt_log(2, 0, 1), TIME, fxt_profiler_mmap(5, 1, 1, 1), TIME, 1, 2, 3);
	if (n % 250 == 249)
		BUILD(b, FXT_RECORD_EVENT, 0);		/* size 0 */
	if (n % 200 == 199) {
		BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA), 0, 8, TIME);
		BUILD(b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 1, 0), n);
	}
	build_blob(b, n / 5 % 9 == 3 ? 4095 : 201);
	build_blob(b, n / 5 % 9 == 3 ? 4095 : 1);
	build_names(b, n + 1);
}

enum choice { ALL, NONE, SECOND, THIRD, SCHEDULING, OTHERS, RANDOM, CHOICES };

static bool chosen(enum choice choice, const struct fxt_record *rec)
{
	bool scheduling = rec->type == FXT_RECORD_SCHEDULING;

	switch (choice) {
	case ALL:
		return true;
	case SECOND:
		return rec->number % 2;
	case THIRD:
		return rec->number % 3;
	case SCHEDULING:
		return scheduling;
	case OTHERS:
		return !scheduling;
	case RANDOM:
		return (rec->number * 2654435761U >> 7) % 8 == 0;
	default:
		return false;
	}
}

static size_t see(struct __test_metadata *_metadata, FIXTURE_DATA(plain) *self,
		  const FIXTURE_VARIANT(plain) *variant, enum choice choice, struct seen **to)
{
	struct fxt_reader_options o = { .format_2017 = variant->format_2017 };
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;
	size_t count = 0;
	int ret;

	*to = calloc(self->b.count, sizeof(**to));
	ASSERT_NE(NULL, *to);
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), &o));
	while ((ret = fxt_reader_next(r, &rec)) == 1) {
		(*to)[count++] = (struct seen){
			.offset = rec.offset, .number = rec.number, .size = rec.size,
			.header = fxt_record_word(r, &rec, 0),
			.total = fxt_reader_totals(r)->bytes,
			.provider = rec.provider->id, .held = rec.held,
			.kind = rec.kind, .type = rec.type,
		};
		if (chosen(choice, &rec))
			EXPECT_NE(-EBADMSG, fxt_reader_content(r, &rec, &c));
	}
	EXPECT_EQ(0, ret);
	self->totals = *fxt_reader_totals(r);
	fxt_reader_close(r);
	return count;
}

FIXTURE_SETUP(plain)
{
	self->b.swapped = variant->swapped;
	BUILD(&self->b, fxt_magic(), fxt_provider_info(2, 0), fxt_string(1, 0), fxt_thread(1), 1, 2,
	      fxt_provider_info(1, 0));
	build_names(&self->b, 0);
	for (int i = 0; i < ROUNDS; i++)
		build_round(&self->b, i);
	self->count = see(_metadata, self, variant, ALL, &self->seen);
}

FIXTURE_TEARDOWN(plain) { }

TEST_F(plain, same_records)
{
	struct fxt_reader_totals totals = self->totals;
	struct seen *seen;

	EXPECT_EQ(ENDLESS + NUMBERS, (int)totals.skipped);
	EXPECT_EQ(8 * (2 * ENDLESS + NUMBERS), (int)totals.skipped_bytes);
	for (int choice = NONE; choice < CHOICES; choice++) {
		ASSERT_EQ(self->count, see(_metadata, self, variant, choice, &seen));
		for (size_t i = 0; i < self->count; i++) {
			ASSERT_EQ(0, memcmp(&self->seen[i], &seen[i], sizeof(*seen))) {
				TH_LOG("choice %d, record %" PRIu64 " at byte %" PRIu64, choice,
				       self->seen[i].number, self->seen[i].offset);
			}
		EXPECT_EQ(0, memcmp(&totals, &self->totals, sizeof(totals)));
		}
	}
}

/* The walk returns what was built: one record after the other, except for the damage. */
TEST_F(plain, all_of_them)
{
	const struct seen *s = self->seen;
	size_t i, gaps = 0;

	for (i = 1; i < self->count; i++) {
		gaps += s[i].offset != s[i - 1].offset + 8 * s[i - 1].size;
		EXPECT_EQ(s[i].offset + 8 * s[i].size, s[i].total);
		EXPECT_EQ(fxt_get(FXT_TYPE, s[i].header), s[i].type);
	}
	EXPECT_EQ(ENDLESS + NUMBERS, (int)gaps);
	EXPECT_EQ(built_bytes(&self->b), self->totals.bytes);
	EXPECT_EQ(self->count + ENDLESS, self->totals.records);
}
