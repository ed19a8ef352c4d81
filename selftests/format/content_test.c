// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decode valid metadata, events and arguments, put together word by word. Each field of the content
 * must have the value that was written, in both byte orders, and a strict reader must not report
 * anything.
 */
#include "content_fixture.h"

TEST_F(content, head)
{
	struct fxt_reader_options o = { .strict = true };
	static const enum fxt_kind kinds[] = {
		FXT_KIND_MAGIC, FXT_KIND_PROVIDER_INFO, FXT_KIND_INITIALIZATION,
		FXT_KIND_STRING, FXT_KIND_STRING, FXT_KIND_STRING, FXT_KIND_STRING,
		FXT_KIND_THREAD,
	};
	static const uint64_t offsets[] = { 0, 8, 24, 40, 56, 80, 88, 104 };

	ASSERT_EQ(0, fxt_reader_open_memory(&self->r, self->b.words, built_bytes(&self->b), &o));
	EXPECT_EQ(variant->swapped, fxt_reader_swapped(self->r));
	EXPECT_STREQ("none", fxt_reader_compression(self->r));
	for (uint64_t i = 0; i < HEAD_RECORDS; i++) {
		ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec));
		EXPECT_EQ(kinds[i], (enum fxt_kind)self->rec.kind);
		EXPECT_EQ(offsets[i], self->rec.offset);
		EXPECT_EQ(i, self->rec.number);
		EXPECT_EQ(self->rec.size, self->rec.held);
		EXPECT_EQ(offsets[i] + 8 * self->rec.size, fxt_reader_totals(self->r)->bytes);
		EXPECT_EQ(i + 1, fxt_reader_totals(self->r)->records);
		ASSERT_EQ(0, fxt_reader_content(self->r, &self->rec, &self->c));
		EXPECT_EQ(kinds[i], self->c.kind);
		EXPECT_EQ(i ? 0xfedcba98 : 0, self->rec.provider->id);
		EXPECT_EQ(i > 0, self->rec.provider->known);
	}
	EXPECT_EQ(KNOWN_THREAD, self->c.index);
	EXPECT_EQ(PROCESS, self->c.thread.process);
	EXPECT_EQ(THREAD, self->c.thread.thread);
	EXPECT_EQ(24000000UL, self->rec.provider->ticks_per_second);
	EXPECT_TEXT(self->rec.provider->name, "provider", 0);
	EXPECT_EQ((uint64_t)fxt_thread(KNOWN_THREAD), fxt_record_word(self->r, &self->rec, 0));
	EXPECT_EQ(THREAD, fxt_record_word(self->r, &self->rec, 2));
	END();
	EXPECT_EQ(0UL, fxt_reader_totals(self->r)->skipped);
	EXPECT_EQ(0UL, fxt_reader_totals(self->r)->skipped_bytes);
	EXPECT_EQ(0UL, fxt_reader_totals(self->r)->deviations);
}

TEST_F(content, metadata)
{
	struct built *b = &self->b;
	char name[255];

	BUILD(b, fxt_provider_info(1, 3));
	BUILD_TEXT(b, "one");
	BUILD(b, fxt_provider_section(0xfedcba98), fxt_provider_event(0xffffffff, 0),
	      fxt_magic(), fxt_provider_info(0xffffffff, 255));
	memset(name, 'x', sizeof(name));
	build_stream(b, name, sizeof(name));
	BUILD(b, fxt_initialization(), UINT64_MAX);
	STEP(FXT_KIND_PROVIDER_INFO);
	EXPECT_EQ(1U, self->c.provider_id);
	EXPECT_TEXT(self->c.name, "one", 0);
	EXPECT_EQ(1U, self->rec.provider->id);
	EXPECT_EQ(1000000000UL, self->rec.provider->ticks_per_second);
	STEP(FXT_KIND_PROVIDER_SECTION);
	EXPECT_EQ(0xfedcba98, self->c.provider_id);
	EXPECT_EQ(0xfedcba98, self->rec.provider->id);
	EXPECT_TEXT(self->rec.provider->name, "provider", 0);
	STEP(FXT_KIND_PROVIDER_EVENT);
	EXPECT_EQ(0xffffffff, self->c.provider_id);
	EXPECT_EQ(FXT_PROVIDER_EVENT_BUFFER_FULL, self->c.event);
	EXPECT_EQ(0xfedcba98, self->rec.provider->id);
	STEP(FXT_KIND_MAGIC);
	EXPECT_EQ(0U, self->c.provider_id);
	STEP(FXT_KIND_PROVIDER_INFO);
	EXPECT_EQ(255, self->rec.provider->name.length);
	EXPECT_EQ(255, self->c.name.length);
	STEP(FXT_KIND_INITIALIZATION);
	EXPECT_EQ(UINT64_MAX, self->c.ticks_per_second);
	EXPECT_EQ(UINT64_MAX, self->rec.provider->ticks_per_second);
	END();
}

TEST_F(content, strings_and_threads)
{
	struct built *b = &self->b;

	build_string(b, 1, "first");
	BUILD(b, fxt_string(NAME, 0), fxt_thread(1), 0, UINT64_MAX);
	STEP(FXT_KIND_STRING);
	EXPECT_EQ(1, self->c.index);
	EXPECT_TEXT(self->c.name, "first", 0);
	STEP(FXT_KIND_STRING);
	EXPECT_EQ(NAME, self->c.index);
	EXPECT_TEXT(self->c.name, "", 0);
	STEP(FXT_KIND_THREAD);
	EXPECT_EQ(1, self->c.index);
	EXPECT_EQ(0UL, self->c.thread.process);
	EXPECT_EQ(UINT64_MAX, self->c.thread.thread);
	END();
}

static const struct {
	enum fxt_kind kind;
	uint64_t type, words;
	uint64_t type_2017;	/* 99: it did not exist */
} events[] = {
	{ FXT_KIND_INSTANT,		0,  0, 0 },
	{ FXT_KIND_COUNTER,		1,  1, 1 },
	{ FXT_KIND_DURATION_BEGIN,	2,  0, 2 },
	{ FXT_KIND_DURATION_END,	3,  0, 3 },
	{ FXT_KIND_DURATION_COMPLETE,	4,  1, 99 },
	{ FXT_KIND_ASYNC_BEGIN,		5,  1, 4 },
	{ FXT_KIND_ASYNC_INSTANT,	6,  1, 5 },
	{ FXT_KIND_ASYNC_END,		7,  1, 6 },
	{ FXT_KIND_FLOW_BEGIN,		8,  1, 7 },
	{ FXT_KIND_FLOW_STEP,		9,  1, 8 },
	{ FXT_KIND_FLOW_END,		10, 1, 9 },
};

#define EVENTS	(sizeof(events) / sizeof(*events))

TEST_F(content, events)
{
	struct built *b = &self->b;

	for (size_t i = 0; i < EVENTS; i++) {
		BUILD(b, fxt_event(2 + events[i].words, events[i].type, 0, KNOWN_THREAD, CATEGORY,
				   NAME), TIME + i);
		if (events[i].words)
			BUILD(b, ~i);
	}
	for (size_t i = 0; i < EVENTS; i++) {
		STEP(events[i].kind);
		EXPECT_TRUE(fxt_kind_has_time(self->c.kind));
		EXPECT_EQ(TIME + i, self->c.time);
		EXPECT_EQ(FXT_RECORD_EVENT, self->rec.type);
		EXPECT_THREAD(self->c.thread, KNOWN_THREAD);
		EXPECT_TEXT(self->c.category, "category", CATEGORY);
		EXPECT_TEXT(self->c.name, "some name", NAME);
		EXPECT_EQ(0U, self->c.arg_count);
		if (events[i].words)
			EXPECT_EQ(~i, self->c.kind == FXT_KIND_DURATION_COMPLETE ?
				  self->c.end : self->c.id);
	}
	END();
}

TEST_F(content, event_inline)
{
	struct built *b = &self->b;

	BUILD(b, fxt_event(10, FXT_EVENT_FLOW_END, 1, 0, INLINE(8), INLINE(9)), TIME, PROCESS,
	      THREAD);
	BUILD_TEXT(b, "12345678");
	BUILD_TEXT(b, "123456789");
	BUILD(b, fxt_arg_int32(2, INLINE(3), INT32_MIN));
	BUILD_TEXT(b, "arg");
	BUILD(b, 77);
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, 0, INLINE(0)), TIME);
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, KNOWN_THREAD, EMPTY, UMLAUT), TIME);
	STEP(FXT_KIND_FLOW_END);
	EXPECT_THREAD(self->c.thread, 0);
	EXPECT_TEXT(self->c.category, "12345678", 0x8008);
	EXPECT_TEXT(self->c.name, "123456789", 0x8009);
	ASSERT_EQ(1U, self->c.arg_count);
	EXPECT_EQ(FXT_ARG_INT32, self->c.args[0].type);
	EXPECT_TEXT(self->c.args[0].name, "arg", 0x8003);
	EXPECT_EQ(INT32_MIN, self->c.args[0].i64);
	EXPECT_EQ(77UL, self->c.id);
	STEP(FXT_KIND_INSTANT);
	EXPECT_TEXT(self->c.category, "", 0);
	EXPECT_NE(NULL, self->c.category.bytes);
	EXPECT_TEXT(self->c.name, "", 0x8000);
	EXPECT_NE(NULL, self->c.name.bytes);
	STEP(FXT_KIND_INSTANT);
	EXPECT_TEXT(self->c.category, "", EMPTY);
	EXPECT_NE(NULL, self->c.category.bytes);
	EXPECT_TEXT(self->c.name, "\xc3\xa4\xf0\x9f\x90\xa7", UMLAUT);
	END();
}

/* 15 arguments of all types, and the word of the event after them. */
static void build_arguments(struct built *b)
{
	static const double number = -1.5e300;
	uint64_t bits;

	memcpy(&bits, &number, 8);
	BUILD(b, fxt_event(32, FXT_EVENT_COUNTER, 15, KNOWN_THREAD, CATEGORY, NAME), TIME,
	      fxt_arg_null(1, NAME), fxt_arg_int32(1, NAME, -2), fxt_arg_uint32(1, NAME, ~0U),
	      fxt_arg_int64(2, NAME), INT64_MIN, fxt_arg_uint64(2, NAME), UINT64_MAX,
	      fxt_arg_double(2, NAME), bits, fxt_arg_string(1, NAME, CATEGORY),
	      fxt_arg_pointer(2, NAME), 0xffff888000001234, fxt_arg_koid(2, NAME), THREAD,
	      fxt_arg_bool(1, NAME, 1), fxt_arg_blob(4, INLINE(4), 9));
	BUILD_TEXT(b, "blob");
	build_stream(b, "\0\1\2\3\4\5\6\7\x80", 9);
	BUILD(b, fxt_arg_string(5, INLINE(9), INLINE(10)));
	BUILD_TEXT(b, "long name");
	BUILD_TEXT(b, "long value");
	BUILD(b, fxt_arg_header(14, 3, INLINE(1)) | 0xffffffffULL << 32);
	BUILD_TEXT(b, "?");
	BUILD(b, 5, fxt_arg_bool(1, 0, 0), fxt_arg_blob(1, NAME, 0), 99);
}

TEST_F(content, arguments)
{
	const struct fxt_arg *a = self->c.args;

	build_arguments(&self->b);
	STEP(FXT_KIND_COUNTER);
	ASSERT_EQ(15U, self->c.arg_count);
	for (int i = 0; i < 15; i++)
		EXPECT_EQ(i < 11 ? i : i == 11 ? FXT_ARG_STRING : i == 12 ? 14 :
			  i == 13 ? FXT_ARG_BOOL : FXT_ARG_BLOB, a[i].type);
	for (int i = 0; i < 10; i++)
		EXPECT_TEXT(a[i].name, "some name", NAME);
	EXPECT_EQ(-2, a[1].i64);
	EXPECT_EQ(0xffffffffUL, a[2].u64);
	EXPECT_EQ(INT64_MIN, a[3].i64);
	EXPECT_EQ(UINT64_MAX, a[4].u64);
	EXPECT_EQ(-1.5e300, a[5].f64);
	EXPECT_TEXT(a[6].text, "category", CATEGORY);
	EXPECT_EQ(0xffff888000001234, a[7].u64);
	EXPECT_EQ(THREAD, a[8].u64);
	EXPECT_EQ(1UL, a[9].u64);
	EXPECT_TEXT(a[10].name, "blob", 0x8004);
	EXPECT_BYTES(a[10].blob, "\0\1\2\3\4\5\6\7\x80", 9);
	EXPECT_TEXT(a[11].name, "long name", 0x8009);
	EXPECT_TEXT(a[11].text, "long value", 0x800a);
	EXPECT_TEXT(a[12].name, "?", 0x8001);
	EXPECT_TEXT(a[13].name, "", 0);
	EXPECT_EQ(0UL, a[13].u64);
	EXPECT_EQ(0UL, a[14].blob.bytes);
	EXPECT_EQ(NULL, a[14].blob.data);
	EXPECT_EQ(99UL, self->c.id);
	END();
}

TEST_F(content, arguments_of_others)
{
	struct built *b = &self->b;

	BUILD(b, fxt_userspace_object(5, KNOWN_THREAD, NAME, 3), 0x1234, fxt_arg_null(1, CATEGORY),
	      fxt_arg_uint32(1, NAME, 1), fxt_arg_uint32(1, NAME, 2),
	      fxt_kernel_object(4, FXT_OBJECT_THREAD, NAME, 1), THREAD, fxt_arg_koid(2, CATEGORY),
	      PROCESS);
	STEP(FXT_KIND_USERSPACE_OBJECT);
	ASSERT_EQ(3U, self->c.arg_count);
	EXPECT_EQ(FXT_ARG_NULL, self->c.args[0].type);
	EXPECT_TEXT(self->c.args[0].name, "category", CATEGORY);
	EXPECT_EQ(2UL, self->c.args[2].u64);
	STEP(FXT_KIND_KERNEL_OBJECT);
	ASSERT_EQ(1U, self->c.arg_count);
	EXPECT_EQ(FXT_ARG_KOID, self->c.args[0].type);
	EXPECT_EQ(PROCESS, self->c.args[0].u64);
	END();
}
