// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The longest records, and the limits of the reader's memory: the reader reports and skips
 * registrations that exceed its limit, reuses the memory of replaced ones, and reads the rest.
 */

#include "harness.h"
#include "archive_builder.h"

#define TIME		1000

FIXTURE(limits)
{
	struct built b;
	struct walk w;
	char name[32];		/* of the last event that has a content */
};

static void keep_name(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	if (rec->kind == FXT_KIND_INSTANT)
		snprintf(w->arg, 32, "%.*s", c->name.length, c->name.bytes);
}

FIXTURE_SETUP(limits)
{
	self->w.each = keep_name;
	self->w.arg = self->name;
	self->w.o.strict = true;
	BUILD(&self->b, fxt_magic());
}

FIXTURE_TEARDOWN(limits) { }

/* The longest string that fits into a record, and the longest record. */
TEST_F(limits, longest)
{
	static char text[32753];
	struct fxt_content *c = malloc(sizeof(*c));
	struct fxt_reader *r;
	struct fxt_record rec;

	memset(text, 'x', sizeof(text) - 1);
	build_string(&self->b, 32767, text);
	BUILD(&self->b, fxt_event(4095, FXT_EVENT_INSTANT, 1, 0, 32767, 0), TIME, 1, 2,
	      fxt_arg_blob(4091, 32767, 32720));
	build_stream(&self->b, text, 32720);
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), &self->w.o));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(1, fxt_reader_next(r, &rec)) TH_LOG("%s", fxt_reader_error(r));
		ASSERT_EQ(0, fxt_reader_content(r, &rec, c)) TH_LOG("%s", fxt_reader_error(r));
		if (i == 1) {
			EXPECT_EQ(32752, c->name.length);
			EXPECT_TRUE(fxt_text_is(&c->name, text));
		}
		EXPECT_EQ(i ? 4095UL : 1UL, rec.size);
	}
	EXPECT_EQ(32752, c->category.length);
	EXPECT_EQ(32767, c->category.ref);
	EXPECT_TRUE(fxt_text_is(&c->category, text));
	EXPECT_TRUE(fxt_text_is(&c->args[0].name, text));
	EXPECT_EQ(32720UL, c->args[0].blob.bytes);
	EXPECT_EQ(0, memcmp(c->args[0].blob.data, text, 32720));
	fxt_reader_close(r);
}

/* Records of that length, with their end anywhere in a read(2). */
TEST_F(limits, longest_anywhere)
{
	static char zeros[8 * 4094];

	for (uint64_t shift = 0; shift < 4095; shift += 13) {
		build_free(&self->b);
		for (uint64_t i = 0; i <= shift; i++)
			BUILD(&self->b, fxt_magic());
		for (uint64_t i = 0; i < 12; i++) {
			BUILD(&self->b, fxt_blob(4095, 0, sizeof(zeros) - 1, FXT_BLOB_DATA));
			build_stream(&self->b, zeros, sizeof(zeros));
		}
		EXPECT_EQ(0, walk_built(&self->w, &self->b)) TH_LOG("%s", self->w.error);
		EXPECT_EQ(shift + 13, self->w.met_count);
		EXPECT_EQ(0UL, self->w.told_count);
	}
}

#define LIMIT		(1UL << 20)
#define LIMIT_TEXT	"the tables would exceed 1048576 bytes"

static void check_limit(struct __test_metadata *_metadata, FIXTURE_DATA(limits) *self,
			const char *field)
{
	size_t records = self->w.totals.records;
	char text[256];

	ASSERT_LT(0UL, self->w.told_count);
	snprintf(text, sizeof(text), "byte %" PRIu64 ": record %" PRIu64 ": %s: " LIMIT_TEXT,
		 self->w.told[0].offset, self->w.told[0].record, field);
	EXPECT_STREQ(text, self->w.told[0].text);
	EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_LIMIT, self->w.told[0].kind);
	EXPECT_TRUE(self->w.told[0].lost);
	EXPECT_EQ(records, self->w.met_count + self->w.totals.skipped);
	EXPECT_EQ(self->w.totals.deviations, self->w.totals.skipped);
}

/* Registrations beyond the limit are skipped, the rest is read. */
TEST_F(limits, limit_of_strings)
{
	static char text[30001];

	memset(text, 'x', sizeof(text) - 1);
	self->w.o.max_table_bytes = LIMIT;
	self->w.o.strict = false;
	for (int i = 1; i <= 40; i++)
		build_string(&self->b, i, text);
	BUILD(&self->b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 30), TIME, 1, 2);
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	check_limit(_metadata, self, "string value stream");
	/* 34 strings of 30000 bytes fit beside their tables. */
	EXPECT_EQ(36UL, self->w.met_count);
	EXPECT_EQ(6UL, self->w.totals.skipped);
	EXPECT_EQ(6UL * 8 * 3751, self->w.totals.skipped_bytes);
	EXPECT_EQ(0, self->w.met[self->w.met_count - 1].content);

	self->w.o.strict = true;
	EXPECT_EQ(-EBADMSG, walk_built(&self->w, &self->b));
	check_limit(_metadata, self, "string value stream");
	EXPECT_STREQ(self->w.told[0].text, self->w.error);
	EXPECT_EQ(35UL, self->w.met_count);
}

/* Replaced strings, and providers announced again, return their memory. */
TEST_F(limits, limit_is_of_what_is_kept)
{
	static char text[30001];

	memset(text, 'x', sizeof(text) - 1);
	self->w.o.max_table_bytes = LIMIT;
	for (int i = 0; i < 100; i++)
		build_string(&self->b, 1 + i % 10, text);
	for (int i = 0; i < 10; i++) {
		build_provider(&self->b, 1, "one");
		for (int j = 1; j <= 20; j++)
			build_string(&self->b, j * 256, text);
	}
	EXPECT_EQ(0, walk_built(&self->w, &self->b)) TH_LOG("%s", self->w.error);
}

/* A string that does not fit leaves nothing of the string that it replaces. */
TEST_F(limits, limit_of_replacement)
{
	static char text[30001];

	memset(text, 'x', sizeof(text) - 1);
	self->w.o.max_table_bytes = LIMIT;
	self->w.o.strict = false;
	build_string(&self->b, 50, "short");
	for (int i = 1; i <= 34; i++)
		build_string(&self->b, i, text);
	build_string(&self->b, 50, text);
	BUILD(&self->b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 50), TIME, 1, 2);
	build_string(&self->b, 50, "small");
	BUILD(&self->b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 50), TIME, 1, 2);
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	ASSERT_EQ(2UL, self->w.told_count);
	EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_LIMIT, self->w.told[0].kind);
	EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_STRING_REF, self->w.told[1].kind);
	EXPECT_STREQ("small", self->name);
}

/* Its memory must not be returned twice either. */
TEST_F(limits, limit_of_replacement_again)
{
	static char text[32001];

	memset(text, 'x', sizeof(text) - 1);
	self->w.o.max_table_bytes = LIMIT;
	self->w.o.strict = false;
	/* About 1000 bytes are left, so 32000 do not fit instead of 30000. */
	for (int i = 0; i < 35; i++) {
		BUILD(&self->b, fxt_string(1 + i, i ? 30000 : 22000));
		build_stream(&self->b, text, i ? 30000 : 22000);
	}
	for (int i = 0; i < 5; i++)
		build_string(&self->b, 35, text);
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	EXPECT_EQ(5UL, self->w.told_count);
	EXPECT_EQ(5UL, self->w.totals.skipped);
	check_limit(_metadata, self, "string value stream");
}

/*
 * Finding one of many providers must not take longer than finding one of few. If the buckets
 * grew with their number, this would take minutes.
 */
TEST_F(limits, many_providers)
{
	const uint64_t providers = 120000, sections = 4000000;
	struct fxt_record rec;
	struct fxt_reader *r;
	uint64_t *words, i, n = 0;

	words = malloc((1 + providers + sections) * sizeof(*words));
	ASSERT_NE(NULL, words);
	words[n++] = fxt_magic();
	for (i = 0; i < providers; i++)
		words[n++] = fxt_provider_info(i, 0);
	/* In an order that defeats caches. */
	for (i = 0; i < sections; i++)
		words[n++] = fxt_provider_section(i * 48611 % providers);
	self->w.o.strict = true;
	ASSERT_EQ(0, fxt_reader_open_memory(&r, words, n * sizeof(*words), &self->w.o));
	for (i = 0; fxt_reader_next(r, &rec) > 0; i++)
		if (i > providers && rec.provider->id != (i - 1 - providers) * 48611 % providers)
			break;
	EXPECT_EQ(n, i);
	fxt_reader_close(r);
}

TEST_F(limits, limit_of_others)
{
	static const char * const fields[] = { "provider id", "thread index", "string index" };

	self->w.o.max_table_bytes = LIMIT;
	for (uint64_t what = 0; what < 3; what++) {
		build_free(&self->b);
		BUILD(&self->b, fxt_magic());
		for (uint64_t i = 0; i < 3000; i++) {
			BUILD(&self->b, fxt_provider_info(i, 0));
			if (what == 1)
				BUILD(&self->b, fxt_thread(1), 1, 2);
			else if (what == 2)
				BUILD(&self->b, fxt_string(1, 0), fxt_string(256, 0));
		}
		self->w.o.strict = true;
		EXPECT_EQ(-EBADMSG, walk_built(&self->w, &self->b));
		check_limit(_metadata, self, what ? self->w.told[0].field : fields[0]);
		self->w.o.strict = false;
		EXPECT_EQ(0, walk_built(&self->w, &self->b));
		EXPECT_EQ(self->w.totals.records, self->w.met_count + self->w.totals.skipped);
	}
	/* Existing providers, so that only their tables do not fit. */
	for (uint64_t what = 1; what < 3; what++) {
		build_free(&self->b);
		BUILD(&self->b, fxt_magic());
		for (uint64_t i = 1; i <= 300; i++)
			BUILD(&self->b, fxt_provider_info(i, 0));
		for (uint64_t i = 1; i <= 300; i++) {
			BUILD(&self->b, fxt_provider_section(i));
			if (what == 1)
				BUILD(&self->b, fxt_thread(1), 1, 2);
			else
				BUILD(&self->b, fxt_string(1, 0));
		}
		self->w.o.strict = false;
		EXPECT_EQ(0, walk_built(&self->w, &self->b));
		check_limit(_metadata, self, fields[what]);
	}
}
