// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader's state between records: providers have their own strings, threads and clocks, the
 * last registration counts, and each deviation is reported once.
 */

#include "harness.h"
#include "archive_builder.h"

#define TIME		1000

/* One line for each record: its kind, its provider, and a few fields. */
struct lines {
	char text[8192];
	size_t length;
};

FIXTURE(reader)
{
	struct built b;
	struct walk w;
	struct lines lines;
};

static void add_line(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	struct lines *l = w->arg;

	if (rec->kind != FXT_KIND_INSTANT)
		return;
	l->length += snprintf(l->text + l->length, sizeof(l->text) - l->length,
			      "%" PRIu32 " %.*s: %.*s %" PRIu64 "/%" PRIu64 " %" PRIu64 "\n",
			      rec->provider->id, rec->provider->name.length,
			      rec->provider->name.bytes, c->name.length, c->name.bytes,
			      c->thread.process, c->thread.thread,
			      fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second));
}

FIXTURE_SETUP(reader)
{
	self->w.each = add_line;
	self->w.arg = &self->lines;
	self->w.o.strict = true;
	BUILD(&self->b, fxt_magic());
}

FIXTURE_TEARDOWN(reader) { }

static void put_event(struct built *b, uint64_t thread, uint64_t name)
{
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, thread, 0, name), TIME);
}

/* --- providers ---------------------------------------------------------------------- */

TEST_F(reader, tables_of_providers)
{
	struct built *b = &self->b;

	build_provider(b, 1, "one");
	BUILD(b, fxt_initialization(), 1000);
	build_string(b, 7, "of one");
	BUILD(b, fxt_thread(7), 11, 12);
	build_provider(b, 2, "two");
	build_string(b, 7, "of two");
	BUILD(b, fxt_thread(7), 21, 22);
	put_event(b, 7, 7);
	BUILD(b, fxt_provider_section(1));
	put_event(b, 7, 7);
	/* A replacement is valid only for this provider, and only from here on. */
	build_string(b, 7, "one again");
	BUILD(b, fxt_thread(7), 13, 14);
	put_event(b, 7, 7);
	BUILD(b, fxt_provider_section(2));
	put_event(b, 7, 7);
	BUILD(b, fxt_initialization(), 3);
	put_event(b, 7, 7);
	BUILD(b, fxt_provider_section(1), fxt_provider_event(2, 0));
	put_event(b, 7, 7);
	EXPECT_EQ(0, walk_built(&self->w, b)) TH_LOG("%s", self->w.error);
	EXPECT_STREQ("2 two: of two 21/22 1000\n"
		     "1 one: of one 11/12 1000000000\n"
		     "1 one: one again 13/14 1000000000\n"
		     "2 two: of two 21/22 1000\n"
		     "2 two: of two 21/22 333333333333\n"
		     "1 one: one again 13/14 1000000000\n", self->lines.text);
}

/* A provider that is announced again starts with empty tables. */
TEST_F(reader, info_anew)
{
	struct built *b = &self->b;

	build_provider(b, 1, "one");
	BUILD(b, fxt_initialization(), 1000);
	build_string(b, 1, "string");
	BUILD(b, fxt_thread(1), 11, 12);
	build_provider(b, 1, "other");
	put_event(b, 1, 0);
	BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 1), TIME, 1, 2);
	BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 0), TIME, 1, 2);
	self->w.o.strict = false;
	EXPECT_EQ(0, walk_built(&self->w, b));
	ASSERT_EQ(2UL, self->w.told_count);
	EXPECT_STREQ("byte 96: record 6: thread: thread 1 was never registered",
		     self->w.told[0].text);
	EXPECT_STREQ("byte 112: record 7: name: string 1 was never registered",
		     self->w.told[1].text);
	EXPECT_STREQ("1 other: <string 1> 1/2 1000\n1 other:  1/2 1000\n", self->lines.text);
}

/* Records before any provider info belong to provider 0, which can be announced later. */
TEST_F(reader, no_provider)
{
	struct built *b = &self->b;

	build_string(b, 1, "early");
	BUILD(b, fxt_thread(1), 11, 12, fxt_initialization(), 1000000);
	put_event(b, 1, 1);
	build_provider(b, 1, "one");
	BUILD(b, fxt_provider_section(0));
	put_event(b, 1, 1);
	self->w.o.strict = false;
	EXPECT_EQ(0, walk_built(&self->w, b));
	EXPECT_STREQ("0 : early 11/12 1000000\n0 : early 11/12 1000000\n", self->lines.text);
	ASSERT_EQ(1UL, self->w.told_count);
	EXPECT_STREQ("byte 96: record 6: provider id: "
		     "provider 0 has no provider info before its section", self->w.told[0].text);
}

/* More providers than buckets, each with its own string. */
TEST_F(reader, many_providers)
{
	char name[32];

	self->w.each = NULL;
	for (size_t i = 0; i < 5000; i++) {
		build_provider(&self->b, 7919 * i, "p");
		snprintf(name, sizeof(name), "string %zu", i);
		build_string(&self->b, 1 + i, name);
	}
	for (size_t i = 0; i < 5000; i++) {
		BUILD(&self->b, fxt_provider_section(7919 * i));
		BUILD(&self->b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, 0, 1 + i), TIME, 1, 2);
	}
	EXPECT_EQ(0, walk_built(&self->w, &self->b)) TH_LOG("%s", self->w.error);
	EXPECT_EQ(20001UL, self->w.met_count);
}

/* Its address identifies a provider as long as the reader is open. */
TEST_F(reader, provider_address)
{
	const struct fxt_provider *one, *two;
	struct fxt_record rec;
	struct fxt_reader *r;

	build_provider(&self->b, 1, "one");
	build_provider(&self->b, 2, "two");
	BUILD(&self->b, fxt_provider_section(1), fxt_provider_event(2, 0));
	build_provider(&self->b, 1, "one again");
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), NULL));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_FALSE(rec.provider->known);
	EXPECT_EQ(0U, rec.provider->id);
	EXPECT_EQ(0, rec.provider->name.length);
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	one = rec.provider;
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	two = rec.provider;
	EXPECT_NE(one, two);
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(one, rec.provider);
	EXPECT_TRUE(fxt_text_is(&rec.provider->name, "one"));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(one, rec.provider);
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(one, rec.provider);
	EXPECT_TRUE(fxt_text_is(&rec.provider->name, "one again"));
	fxt_reader_close(r);
	fxt_reader_close(NULL);
}

TEST(ticks)
{
	EXPECT_EQ(UINT64_MAX, fxt_ticks_to_ns(UINT64_MAX, 1000000000));
	EXPECT_EQ(3000000000UL, fxt_ticks_to_ns(3, 1));
	EXPECT_EQ(333333333UL, fxt_ticks_to_ns(1, 3));
	EXPECT_EQ(666666666UL, fxt_ticks_to_ns(2, 3));
	EXPECT_EQ(41666666666UL, fxt_ticks_to_ns(1000000000, 24000000));
	/* 2^63 ticks at 2 GHz: the product has more than 64 bits. */
	EXPECT_EQ(1ULL << 62, fxt_ticks_to_ns(1ULL << 63, 2000000000));
	EXPECT_EQ(999999999UL, fxt_ticks_to_ns(UINT64_MAX - 1, UINT64_MAX));
	EXPECT_EQ(UINT64_MAX * 1000000000UL, fxt_ticks_to_ns(UINT64_MAX, 1));
}

/* --- the format of 2017 ------------------------------------------------------------- */

TEST_F(reader, format_2017)
{
	static const enum fxt_kind kinds[] = {
		FXT_KIND_INSTANT, FXT_KIND_COUNTER, FXT_KIND_DURATION_BEGIN,
		FXT_KIND_DURATION_END, FXT_KIND_ASYNC_BEGIN, FXT_KIND_ASYNC_INSTANT,
		FXT_KIND_ASYNC_END, FXT_KIND_FLOW_BEGIN, FXT_KIND_FLOW_STEP, FXT_KIND_FLOW_END,
		FXT_KIND_UNKNOWN, FXT_KIND_UNKNOWN,
	};

	build_free(&self->b);
	build_provider(&self->b, 1, "one");
	for (size_t i = 0; i < 12; i++)
		BUILD(&self->b, fxt_event(5, i, 0, 0, 0, 0), TIME, 1, 2, 77);
	BUILD(&self->b, fxt_legacy_switch(6, 0, FXT_THREAD_DEAD, 0, 0, 0, 0), TIME, 1, 2, 3, 4);
	EXPECT_EQ(-EBADMSG, walk_built(&self->w, &self->b));
	self->w.o.format_2017 = true;
	EXPECT_EQ(0, walk_built(&self->w, &self->b)) TH_LOG("%s", self->w.error);
	ASSERT_EQ(14UL, self->w.met_count);
	EXPECT_EQ((enum fxt_kind)FXT_KIND_PROVIDER_INFO, self->w.met[0].kind);
	for (size_t i = 0; i < 12; i++)
		EXPECT_EQ(kinds[i], self->w.met[1 + i].kind);
	/* Instants and durations have the same words as today. */
	EXPECT_EQ(3UL, self->w.told_count);

	/* That format had no priorities. */
	BUILD(&self->b, fxt_legacy_switch(6, 0, FXT_THREAD_DEAD, 0, 0, 1, 0), TIME, 1, 2, 3, 4);
	EXPECT_EQ(-EBADMSG, walk_built(&self->w, &self->b));
	EXPECT_STREQ("byte 544: record 14: reserved bits: 0x100000000000 is set in "
		     "0x0000100005000068", self->w.error);
	/* That format has no magic number record, but accepts it. */
	build_free(&self->b);
	BUILD(&self->b, fxt_magic());
	build_provider(&self->b, 1, "one");
	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	EXPECT_EQ(2UL, self->w.met_count);
}

/* --- decoding a record again -------------------------------------------------------- */

static void count_told(void *arg, const struct fxt_deviation *d)
{
	++*(unsigned int *)arg;
}

/* Each deviation of a record is reported and counted once, whichever function finds it. */
TEST_F(reader, content_twice)
{
	unsigned int told = 0;
	struct fxt_reader_options o = { .deviation = count_told, .arg = &told };
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;

	BUILD(&self->b, fxt_event(2, FXT_EVENT_INSTANT, 0, 9, 0, 0), TIME,
	      fxt_kernel_object(3, 1, 0, 0) | 1ULL << 63, 2, 3,
	      fxt_string(1, 0) | 1ULL << 63, fxt_header(12, 1), fxt_magic());
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), &o));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(-EBADMSG, fxt_reader_content(r, &rec, &c));
		EXPECT_EQ(1U, told);
		EXPECT_EQ(1UL, fxt_reader_totals(r)->skipped);
		EXPECT_EQ(16UL, fxt_reader_totals(r)->skipped_bytes);
	}
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(0, fxt_reader_content(r, &rec, &c));
		EXPECT_EQ(2UL, c.object);
		/* The reserved bit and the additional word. */
		EXPECT_EQ(3U, told);
		EXPECT_EQ(2UL, fxt_reader_totals(r)->deviations);
	}
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(0, fxt_reader_content(r, &rec, &c));
	EXPECT_EQ(4U, told);
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(FXT_KIND_UNKNOWN, rec.kind);
	EXPECT_EQ(-ENOTSUP, fxt_reader_content(r, &rec, &c));
	EXPECT_EQ(-ENOTSUP, fxt_reader_content(r, &rec, &c));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(0, fxt_reader_next(r, &rec));
	EXPECT_EQ(3UL, fxt_reader_totals(r)->deviations);
	EXPECT_EQ(1UL, fxt_reader_totals(r)->skipped);
	fxt_reader_close(r);
}

/* A strict reader does not continue after an error, a lenient one not after the end. */
TEST_F(reader, after_the_end)
{
	struct fxt_reader_options o = { .strict = true };
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;

	BUILD(&self->b, fxt_event(2, FXT_EVENT_INSTANT, 0, 9, 0, 0), TIME, fxt_magic());
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), &o));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	EXPECT_EQ(-EBADMSG, fxt_reader_content(r, &rec, &c));
	EXPECT_EQ(-EBADMSG, fxt_reader_next(r, &rec));
	fxt_reader_close(r);

	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, 13, NULL));
	ASSERT_EQ(1, fxt_reader_next(r, &rec));
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(0, fxt_reader_next(r, &rec));
		EXPECT_EQ(1UL, fxt_reader_totals(r)->deviations);
		EXPECT_EQ(5UL, fxt_reader_totals(r)->skipped_bytes);
		EXPECT_EQ(13UL, fxt_reader_totals(r)->bytes);
	}
	EXPECT_STREQ("byte 8: record 1: record header: "
		     "incomplete word of 5 bytes at the end", fxt_reader_error(r));
	fxt_reader_close(r);
}

/* Without a callback, a lenient reader keeps the first text. */
TEST_F(reader, first_error)
{
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;

	BUILD(&self->b, fxt_event(2, FXT_EVENT_INSTANT, 0, 9, 0, 0), TIME,
	      fxt_event(2, FXT_EVENT_INSTANT, 0, 8, 0, 0), TIME);
	ASSERT_EQ(0, fxt_reader_open_memory(&r, self->b.words, built_bytes(&self->b), NULL));
	EXPECT_STREQ("", fxt_reader_error(r));
	while (fxt_reader_next(r, &rec) == 1)
		fxt_reader_content(r, &rec, &c);
	EXPECT_STREQ("byte 8: record 1: thread: thread 9 was never registered",
		     fxt_reader_error(r));
	EXPECT_EQ(2UL, fxt_reader_totals(r)->deviations);
	fxt_reader_close(r);
}

/* --- archives of other programs ----------------------------------------------------- */

static unsigned int kinds_seen[FXT_KIND_COUNT], args_seen[16];

static void count_kind(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		       const struct fxt_content *c)
{
	kinds_seen[c->kind]++;
	for (unsigned int i = 0; i < c->arg_count; i++)
		args_seen[c->args[i].type]++;
	if (c->kind == FXT_KIND_COUNTER)
		*(unsigned int *)w->arg += c->arg_count == 5;
}

TEST(vector_go_writer)
{
	unsigned int five = 0, kind;
	struct walk w = { .each = count_kind, .arg = &five };

	ASSERT_EQ(0, walk_path(&w, "vectors/go-writer.fxt"));
	ASSERT_EQ(1UL, w.told_count);
	EXPECT_STREQ("byte 1552: record 65: blob name: string 2591 was never registered",
		     w.told[0].text);
	EXPECT_EQ(91UL, w.met_count);
	EXPECT_EQ(1UL, w.totals.skipped);
	EXPECT_EQ(24UL, w.totals.skipped_bytes);
	EXPECT_EQ(2272UL, w.totals.bytes);
	for (kind = FXT_KIND_INSTANT; kind <= FXT_KIND_FLOW_END; kind++)
		EXPECT_LT(0U, kinds_seen[kind]) TH_LOG("%s", fxt_kind_name(kind));
	EXPECT_EQ(3U, five);
	for (kind = FXT_ARG_NULL; kind <= FXT_ARG_BOOL; kind++)
		EXPECT_LT(0U, args_seen[kind]) TH_LOG("argument type %u", kind);
	EXPECT_EQ(1U, kinds_seen[FXT_KIND_USERSPACE_OBJECT]);
	EXPECT_EQ(2U, kinds_seen[FXT_KIND_CONTEXT_SWITCH]);
	EXPECT_EQ(1U, kinds_seen[FXT_KIND_THREAD_WAKEUP]);
	w.o.strict = true;
	EXPECT_EQ(-EBADMSG, walk_path(&w, "vectors/go-writer.fxt"));
	EXPECT_STREQ(w.told[0].text, w.error);
}

TEST(vector_magic_trace)
{
	unsigned int five = 0;
	struct walk w = { .each = count_kind, .arg = &five, .o.strict = true };

	ASSERT_EQ(0, walk_path(&w, "vectors/magic-trace.fxt.gz")) TH_LOG("%s", w.error);
	EXPECT_STREQ("gzip", w.compression);
	EXPECT_EQ(1U, kinds_seen[FXT_KIND_PROVIDER_INFO]);
	EXPECT_EQ(864U, kinds_seen[FXT_KIND_STRING]);
	EXPECT_EQ(1U, kinds_seen[FXT_KIND_THREAD]);
	EXPECT_EQ(2U, kinds_seen[FXT_KIND_KERNEL_OBJECT]);
	EXPECT_EQ(34592U, kinds_seen[FXT_KIND_DURATION_BEGIN] + kinds_seen[FXT_KIND_DURATION_END]);
	EXPECT_EQ(17296U, kinds_seen[FXT_KIND_DURATION_BEGIN]);
	EXPECT_EQ(0UL, w.totals.deviations);
	EXPECT_EQ(1UL, w.told_count);
	EXPECT_STREQ("byte 72: record 4: record size: 2 words after the last defined field",
		     w.told[0].text);
	EXPECT_EQ(992384UL, w.totals.bytes);
}
