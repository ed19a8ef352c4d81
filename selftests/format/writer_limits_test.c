// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records at each limit of the format, and one step beyond it: a strict reader reads back all that
 * fits in its full size. Everything else is refused with -EINVAL and writes nothing.
 */
#include "limits_fixture.h"

TEST_F(limits, metadata)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_PROVIDER_INFO, .provider_id = ~0U };
	c->name = text_of(self, 255);
	FITS(33);
	c->name = text_of(self, 256);
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_PROVIDER_EVENT, .provider_id = ~0U };
	FITS(1);
	c->event = 16;
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_PROVIDER_SECTION, .provider_id = ~0U };
	FITS(1);
	*c = (struct fxt_content){ .kind = FXT_KIND_INITIALIZATION, .ticks_per_second = ~0ULL };
	FITS(2);
	*c = (struct fxt_content){ .kind = FXT_KIND_UNKNOWN };
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_COUNT };
	REFUSED();
	READ_BACK();
}

/*
 * The field for a string's length allows 32767 bytes, which take 4096 words. So the record's
 * size is the limit.
 */
TEST_F(limits, string_records)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_STRING, .index = 1 };
	c->name = text_of(self, 0);
	FITS(1);
	c->name = text_of(self, 4094 * 8);
	FITS(4095);
	c->name = text_of(self, 4094 * 8 + 1);
	REFUSED();
	c->name = text_of(self, 32767);
	REFUSED();
	c->name = text_of(self, 32768);
	REFUSED();
	c->name = text_of(self, UINT16_MAX);
	REFUSED();
	c->name = text_of(self, 8);
	c->index = 32767;
	FITS(2);
	c->index = 32768;
	REFUSED();
	c->index = 0;
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_THREAD, .index = 255 };
	FITS(3);
	c->index = 256;
	REFUSED();
	c->index = 0;
	REFUSED();
	READ_BACK();
}

TEST_F(limits, events)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_STRING, .index = 1 };
	c->name = text_of(self, 1);
	FITS(2);
	*c = (struct fxt_content){ .kind = FXT_KIND_THREAD, .index = 1 };
	FITS(3);
	/* Header, time, process, thread, category, and name. */
	*c = (struct fxt_content){ .kind = FXT_KIND_INSTANT };
	c->category = text_of(self, 8);
	c->name = text_of(self, 4090 * 8);
	FITS(4095);
	c->name.length++;
	REFUSED();
	/* With indices, only the name is in the record. */
	c->name = (struct fxt_text){ .bytes = "", .ref = 1 };
	c->category = c->name;
	c->thread.ref = 1;
	FITS(2);
	c->name = text_of(self, 4093 * 8);
	FITS(4095);
	c->category = text_of(self, 1);
	REFUSED();
	c->category.length = 0;
	c->name.length++;
	REFUSED();
	/* One word more for the id. */
	c->kind = FXT_KIND_COUNTER;
	c->name = text_of(self, 4092 * 8);
	FITS(4095);
	c->name.length++;
	REFUSED();
	/* More than the fields can hold. */
	c->name = text_of(self, 32768);
	REFUSED();
	READ_BACK();
}

TEST_F(limits, arguments)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_KERNEL_OBJECT, .arg_count = 15 };
	for (unsigned int i = 0; i < FXT_MAX_ARGS; i++)
		c->args[i] = (struct fxt_arg){ .type = FXT_ARG_KOID };
	FITS(2 + 2 * 15);
	c->arg_count = 16;
	REFUSED();
	c->arg_count = ~0U;
	REFUSED();
	/* The record is full with 14 arguments of 2 words and one of 4065. */
	c->arg_count = 15;
	c->args[7] = (struct fxt_arg){
		.type = FXT_ARG_BLOB, .blob = { self->text, 4064 * 8 },
	};
	FITS(4095);
	c->args[7].blob.bytes++;
	REFUSED();
	c->args[7].blob.bytes = UINT32_MAX + 1ULL;
	REFUSED();
	c->args[7].blob.bytes = UINT64_MAX;
	REFUSED();
	c->args[7] = (struct fxt_arg){
		.type = FXT_ARG_STRING, .text = text_of(self, 4063 * 8),
		.name = text_of(self, 1),
	};
	FITS(4095);
	c->args[7].name.length = 9;
	REFUSED();
	c->args[7].name.length = 1;
	c->args[7].text.length++;
	REFUSED();
	c->args[7].text.length = 32768;
	REFUSED();
	/* An undefined type has 32 bits and any words; the type's field has 4 bits. */
	c->args[7] = (struct fxt_arg){ .type = FXT_ARG_BLOB + 1, .u64 = 1ULL << 32 };
	c->args[7].name = text_of(self, 1);
	REFUSED();
	c->args[7].u64 = UINT32_MAX;
	c->args[7].extra = (struct fxt_bytes){ self->text, 7 };
	REFUSED();
	c->args[7].extra.bytes = 8;
	FITS(2 + 2 * 14 + 3);
	c->args[7].type = 16;
	REFUSED();
	/* Ignored in a kind without arguments. */
	c->kind = FXT_KIND_PROVIDER_SECTION;
	c->provider_id = 1;
	c->arg_count = 99;
	FITS(1);
	READ_BACK();
}

TEST_F(limits, argument_values)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_KERNEL_OBJECT, .arg_count = 1 };
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = INT32_MAX };
	FITS(3);
	c->args[0].i64 = INT32_MIN;
	FITS(3);
	c->args[0].i64 = INT32_MAX + 1LL;
	REFUSED();
	c->args[0].i64 = INT32_MIN - 1LL;
	REFUSED();
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_UINT32, .u64 = UINT32_MAX };
	FITS(3);
	c->args[0].u64++;
	REFUSED();
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_BOOL, .u64 = 1 };
	FITS(3);
	c->args[0].u64++;
	REFUSED();
	READ_BACK();
}

TEST_F(limits, blobs)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_BLOB };
	c->blob = (struct fxt_bytes){ self->text, 4094 * 8 };
	c->blob_held = c->blob.bytes;
	c->blob_type = FXT_BLOB_DATA;
	FITS(4095);
	c->blob_held = ++c->blob.bytes;
	REFUSED();
	c->blob.bytes = 32767;
	c->blob_held = c->blob.bytes;
	REFUSED();
	c->blob.bytes = 32768 + 8;
	c->blob_held = c->blob.bytes;
	REFUSED();
	c->blob.bytes = 1ULL << 32;
	c->blob_held = c->blob.bytes;
	REFUSED();
	c->blob.bytes = UINT64_MAX;
	c->blob_held = c->blob.bytes;
	REFUSED();
	/* Ordinary blobs must have their payload with them. */
	c->blob.bytes = 10;
	c->blob_held = 9;
	REFUSED();
	c->blob_held = 11;
	REFUSED();
	c->name = text_of(self, 8);
	c->blob.bytes = 4093 * 8;
	c->blob_held = c->blob.bytes;
	FITS(4095);
	c->name = text_of(self, 9);
	REFUSED();
	READ_BACK();
}

TEST_F(limits, scheduling)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_CONTEXT_SWITCH };
	c->sw = (struct fxt_switch){ .cpu = UINT16_MAX, .state = FXT_THREAD_DEAD };
	FITS(4);
	c->sw.state = 16;
	REFUSED();
	c->sw.state = 0;
	c->arg_count = 15;
	for (unsigned int i = 0; i < FXT_MAX_ARGS; i++)
		c->args[i] = (struct fxt_arg){ .type = FXT_ARG_NULL };
	FITS(4 + 15);
	c->arg_count = 16;
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_THREAD_WAKEUP };
	c->wakeup = (struct fxt_wakeup){ .cpu = UINT16_MAX };
	FITS(3);
	*c = (struct fxt_content){ .kind = FXT_KIND_LEGACY_SWITCH };
	c->legacy = (struct fxt_legacy_switch){
		.cpu = 255, .state = FXT_THREAD_DEAD, .out_priority = 255, .in_priority = 255,
	};
	FITS(6);
	c->legacy.state = 16;
	REFUSED();
	READ_BACK();
}

TEST_F(limits, log_and_profiler)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_LOG };
	c->name = text_of(self, 4091 * 8);
	FITS(4095);
	c->name.length++;
	REFUSED();
	c->name = text_of(self, 32768);
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_MODULE, .module_id = UINT16_MAX };
	c->name = text_of(self, 255);
	c->build_id = (struct fxt_bytes){ self->text, 255 };
	FITS(4 + 32 + 32);
	c->build_id.bytes = 256;
	REFUSED();
	c->build_id.bytes = UINT64_MAX;
	REFUSED();
	c->build_id.bytes = 1;
	c->name = text_of(self, 256);
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_MMAP, .module_id = UINT16_MAX, .flags = 7 };
	FITS(7);
	c->flags = 8;
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_BACKTRACE, .frame_count = 255 };
	FITS(4 + 255);
	READ_BACK();
}

/* --- large records ------------------------------------------------------------------ */

/* The limits of ordinary records do not apply, but those of arguments do. */
TEST_F(limits, large_records)
{
	struct fxt_content *c = &self->c;

	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB, .arg_count = 15 };
	c->name = text_of(self, 32767);
	c->category = c->name;
	for (unsigned int i = 0; i < FXT_MAX_ARGS; i++)
		c->args[i] = (struct fxt_arg){
			.type = FXT_ARG_BLOB, .blob = { self->text, 4094 * 8 },
		};
	FITS(2 + 2 * 4096 + 3 + 15 * 4095 + 1);
	c->args[14].blob.bytes++;
	REFUSED();
	c->args[14].blob.bytes--;
	c->name.length++;
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	c->blob = (struct fxt_bytes){ self->text, 10 };
	c->blob_held = 11;
	REFUSED();
	c->blob_held = MOST_BYTES;
	c->blob.bytes = c->blob_held;
	FITS(3 + MOST_BYTES / 8);
	READ_BACK();
}

/* The size of a large record has 32 bits, in words. */
TEST_F(limits, largest_record)
{
	struct fxt_content *c = &self->c;
	uint64_t before = fxt_writer_bytes(self->w);

	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	c->blob.bytes = (UINT32_MAX - 3ULL) * 8 + 1;
	REFUSED();
	c->blob.bytes = UINT32_MAX * 8ULL;
	REFUSED();
	c->blob.bytes = UINT64_MAX;
	REFUSED();
	c->blob.bytes = UINT64_MAX - 7;
	REFUSED();
	c->blob.bytes = (UINT32_MAX - 3ULL) * 8;
	EXPECT_EQ(0, fxt_writer_record(self->w, c));
	EXPECT_EQ(before + 3 * 8, fxt_writer_bytes(self->w));
	/* The payload is incomplete. */
	EXPECT_EQ(-EINVAL, fxt_writer_close(self->w));
	self->w = NULL;
}

TEST_F(limits, payload_in_pieces)
{
	static const size_t pieces[] = { 1, 7, 8, 9, 4096, 65535, 65536, 65537, 0, 300000 };
	struct fxt_content *c = &self->c;
	size_t total = 2 * MOST_BYTES - 3, left, n, i;
	const unsigned char *end;

	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB };
	c->blob = (struct fxt_bytes){ self->text, total };
	c->blob_held = 5;
	ASSERT_EQ(0, fxt_writer_record(self->w, c));
	for (left = total - 5, i = 0; left; left -= n, i++) {
		n = pieces[i % 10] < left ? pieces[i % 10] : left;
		ASSERT_EQ(0, fxt_writer_payload(self->w, self->text, n));
	}
	EXPECT_EQ(0, fxt_writer_payload(self->w, NULL, 0));
	EXPECT_EQ(-EINVAL, fxt_writer_payload(self->w, self->text, 1));
	*c = (struct fxt_content){ .kind = FXT_KIND_PROVIDER_EVENT, .provider_id = 1 };
	FITS(1);
	READ_BACK();
	/* The padding is in its place, before the last record. */
	ASSERT_LT(total, self->m.bytes);
	end = (const unsigned char *)self->m.data + self->m.bytes - 8;
	EXPECT_EQ(0, memcmp(end - 4, "x\0\0\0", 4));
}

TEST_F(limits, nothing_within_a_payload)
{
	const struct fxt_slice slice = { 0 };
	struct fxt_content *c = &self->c;
	uint64_t bytes;

	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	c->blob = (struct fxt_bytes){ self->text, 17 };
	c->blob_held = 8;
	ASSERT_EQ(0, fxt_writer_record(self->w, c));
	bytes = fxt_writer_bytes(self->w);
	EXPECT_EQ(-EINVAL, fxt_writer_record(self->w, c));
	EXPECT_EQ(-EINVAL, fxt_writer_put(self->w, &bytes, 8));
	EXPECT_EQ(-EINVAL, fxt_writer_magic(self->w));
	EXPECT_EQ(-EINVAL, fxt_writer_provider(self->w, 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_provider_event(self->w, 1));
	EXPECT_EQ(-EINVAL, fxt_writer_initialization(self->w, 1));
	EXPECT_EQ(-EINVAL, fxt_writer_string(self->w, 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_blob(self->w, 1, "x", 1));
	EXPECT_EQ(-EINVAL, fxt_writer_process(self->w, 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_thread(self->w, 1, 1, 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_slice(self->w, &slice));
	EXPECT_EQ(-EINVAL, fxt_writer_payload(self->w, self->text, 10));
	EXPECT_EQ(bytes, fxt_writer_bytes(self->w));
	EXPECT_EQ(0, fxt_writer_flush(self->w));
	EXPECT_EQ(0, fxt_writer_payload(self->w, self->text, 9));
	EXPECT_EQ(bytes + 16, fxt_writer_bytes(self->w));
	READ_BACK();
}

TEST_F(limits, incomplete_payload)
{
	self->c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	self->c.blob.bytes = 1;
	ASSERT_EQ(0, fxt_writer_record(self->w, &self->c));
	EXPECT_EQ(-EINVAL, fxt_writer_close(self->w));
	self->w = NULL;
}
