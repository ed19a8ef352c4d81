// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values and calls that the writer refuses, and errors of write(2): each call returns its error and
 * writes nothing, and the writer is still usable.
 */
#include "fxt/fxt_unknown.h"
#include "limits_fixture.h"

TEST_F(limits, values_that_are_not_allowed)
{
	static const uint8_t states[] = { 6, 9, 14, FXT_SCHED_STATE_UNKNOWN };
	struct fxt_content *c = &self->c;

	EXPECT_EQ(-EINVAL, fxt_writer_initialization(self->w, 0));
	*c = (struct fxt_content){ .kind = FXT_KIND_INITIALIZATION };
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_CONTEXT_SWITCH };
	for (unsigned int i = 0; i < 4; i++) {
		c->sw.state = states[i];
		REFUSED();
	}
	c->arg_count = 1;
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_STRING };
	c->args[0].name = (struct fxt_text){ .bytes = "unknown", .length = 7 };
	c->args[0].text = (struct fxt_text){ .bytes = "lost", .length = 4 };
	FITS(4 + 3);
	*c = (struct fxt_content){ .kind = FXT_KIND_LEGACY_SWITCH };
	c->legacy.state = FXT_THREAD_RUNNING;
	REFUSED();
	c->legacy.state = FXT_THREAD_DEAD + 1;
	REFUSED();
	READ_BACK();
}

TEST_F(limits, text_that_is_not_utf8)
{
	static const enum fxt_kind kinds[] = {
		FXT_KIND_PROVIDER_INFO, FXT_KIND_STRING, FXT_KIND_INSTANT, FXT_KIND_BLOB,
		FXT_KIND_USERSPACE_OBJECT, FXT_KIND_LOG, FXT_KIND_MODULE,
		FXT_KIND_LARGE_BLOB, FXT_KIND_LARGE_BLOB_BARE,
	};
	const struct fxt_text bad = { .bytes = "a\xff", .length = 2 };
	struct fxt_content *c = &self->c;

	EXPECT_EQ(-EINVAL, fxt_writer_provider(self->w, 2, bad.bytes));
	EXPECT_EQ(-EINVAL, fxt_writer_string(self->w, 1, bad.bytes));
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		*c = (struct fxt_content){ .kind = kinds[i], .name = bad };
		if (kinds[i] == FXT_KIND_STRING)
			c->index = 1;
		REFUSED();
	}
	*c = (struct fxt_content){ .kind = FXT_KIND_INSTANT, .category = bad };
	REFUSED();
	*c = (struct fxt_content){ .kind = FXT_KIND_INSTANT, .arg_count = 1 };
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_NULL, .name = bad };
	REFUSED();
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_STRING, .text = bad };
	REFUSED();
	/* A truncated character, and a character that crosses eight bytes. */
	*c = (struct fxt_content){ .kind = FXT_KIND_INSTANT };
	c->name = (struct fxt_text){ .bytes = "abcdefg\xc3", .length = 8 };
	REFUSED();
	c->name = (struct fxt_text){ .bytes = "abcdefg\xc3\xa4", .length = 9 };
	FITS(4 + 2);
	READ_BACK();
}

/* Functions that take indices know which provider has registered them. */
TEST_F(limits, strings_that_nobody_registered)
{
	struct fxt_slice s = { .process = 1, .thread = 2, .category = 1, .name = 2, .arg_name = 3 };
	struct fxt_writer *w = self->w;
	uint16_t *refs[] = { &s.category, &s.name, &s.arg_name };
	uint64_t bytes;

	for (unsigned int i = 1; i < 4; i++)
		ASSERT_EQ(0, fxt_writer_string(w, i, "x"));
	bytes = fxt_writer_bytes(w);
	EXPECT_EQ(-EINVAL, fxt_writer_blob(w, 99, "x", 1));
	EXPECT_EQ(-EINVAL, fxt_writer_perfetto(w, 32767, "x", 1));
	EXPECT_EQ(-EINVAL, fxt_writer_blob(w, 32768, "x", 1));
	EXPECT_EQ(-EINVAL, fxt_writer_thread(w, 1, 1, 99, "x"));
	for (unsigned int i = 0; i < 3; i++) {
		*refs[i] += 96;
		EXPECT_EQ(-EINVAL, fxt_writer_slice(w, &s)) TH_LOG("%u", i);
		*refs[i] -= 96;
	}
	EXPECT_EQ(bytes, fxt_writer_bytes(w));
	EXPECT_EQ(0, fxt_writer_slice(w, &s));
	EXPECT_EQ(0, fxt_writer_blob(w, 3, "x", 1));
	EXPECT_EQ(0, fxt_writer_blob(w, 0, "x", 1));
	/* A new provider has no strings yet; a previous one may have any. */
	EXPECT_EQ(0, fxt_writer_provider(w, 2, "second"));
	EXPECT_EQ(-EINVAL, fxt_writer_blob(w, 3, "x", 1));
	self->c = (struct fxt_content){ .kind = FXT_KIND_PROVIDER_SECTION, .provider_id = 1 };
	FITS(1);
	EXPECT_EQ(0, fxt_writer_blob(w, 3, "x", 1));
	READ_BACK();
}

TEST_F(limits, modes_come_first)
{
	EXPECT_EQ(-EINVAL, fxt_writer_swap(self->w));
	EXPECT_EQ(-EINVAL, fxt_writer_intern(self->w));
	READ_BACK();
}

TEST_F(limits, no_bulk_in_other_byte_order)
{
	struct fxt_writer *w;
	uint64_t word = fxt_magic();

	ASSERT_EQ(0, copy_writer(&w, self->m.fd, COPY_SWAPPED));
	EXPECT_EQ(-EINVAL, fxt_writer_put(w, &word, sizeof(word)));
	EXPECT_EQ(0UL, fxt_writer_bytes(w));
	EXPECT_EQ(0, fxt_writer_close(w));
}

TEST_F(limits, no_indices_of_others_while_interning)
{
	const struct fxt_slice slice = { 0 };
	struct fxt_writer *w;
	uint64_t word = fxt_magic();

	ASSERT_EQ(0, copy_writer(&w, self->m.fd, COPY_INTERNING));
	EXPECT_EQ(-EINVAL, fxt_writer_intern(w));
	EXPECT_EQ(-EINVAL, fxt_writer_put(w, &word, sizeof(word)));
	EXPECT_EQ(-EINVAL, fxt_writer_string(w, 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_blob(w, FXT_STR_LAST + 1, "x", 1));
	EXPECT_EQ(-EINVAL, fxt_writer_thread(w, 1, 1, FXT_STR_LAST + 1, "x"));
	EXPECT_EQ(-EINVAL, fxt_writer_slice(w, &slice));
	EXPECT_EQ(0UL, fxt_writer_bytes(w));
	EXPECT_EQ(0, fxt_writer_close(w));
}

/* A refused string is not registered. */
TEST_F(limits, strings_registered_ahead)
{
	struct fxt_writer *w;

	EXPECT_EQ(-EINVAL, fxt_writer_register(self->w, "not interning"));
	ASSERT_EQ(0, copy_writer(&w, self->m.fd, COPY_INTERNING));
	EXPECT_EQ(-EINVAL, fxt_writer_register(w, ""));
	self->text[257] = '\0';
	EXPECT_EQ(-EINVAL, fxt_writer_register(w, self->text));
	EXPECT_EQ(0U, fxt_writer_bytes(w));
	EXPECT_EQ(0, fxt_writer_register(w, self->text + 1));
	EXPECT_EQ(8U + 256, fxt_writer_bytes(w));
	/* Once is enough. */
	EXPECT_EQ(0, fxt_writer_register(w, self->text + 1));
	EXPECT_EQ(8U + 256, fxt_writer_bytes(w));
	fxt_writer_close(w);
}

TEST_F(limits, refused_while_interning)
{
	struct fxt_content *c = &self->c;

	EXPECT_EQ(0, fxt_writer_close(self->w));
	ASSERT_EQ(0, ftruncate(self->m.fd, 0));
	ASSERT_EQ(0, lseek(self->m.fd, 0, SEEK_SET));
	ASSERT_EQ(0, copy_writer(&self->w, self->m.fd, COPY_INTERNING));
	ASSERT_EQ(0, fxt_writer_magic(self->w));
	ASSERT_EQ(0, fxt_writer_provider(self->w, 1, "limits"));
	*c = (struct fxt_content){ .kind = FXT_KIND_INSTANT, .arg_count = 1 };
	c->category = text_of(self, 8);
	c->name = text_of(self, 256);
	c->args[0] = (struct fxt_arg){ .type = FXT_ARG_BOOL, .u64 = 2 };
	REFUSED();
	c->args[0] = (struct fxt_arg){
		.type = FXT_ARG_BLOB, .name = text_of(self, 8),
		.blob = { self->text, 4092 * 8 + 1 },
	};
	REFUSED();
	/* Two strings and a thread are written before it. */
	c->args[0].blob.bytes--;
	FITS(2 + 33 + 3 + 4095);
	READ_BACK();
}

/* After the caller has truncated the archive, the writer continues with the strings it has. */
TEST_F(limits, goes_on_where_it_was_cut)
{
	static const struct fxt_slice slice = {
		.start = 1, .end = 2, .process = 1, .thread = 2, .category = 1, .name = 1,
		.arg_name = 1,
	};
	struct fxt_content *c = &self->c;
	uint64_t kept;

	ASSERT_EQ(0, fxt_writer_string(self->w, 1, "text"));
	ASSERT_EQ(0, fxt_writer_flush(self->w));
	kept = fxt_writer_bytes(self->w);
	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	c->blob.bytes = 9;
	ASSERT_EQ(0, fxt_writer_record(self->w, c));
	EXPECT_EQ(-EINVAL, fxt_writer_cut(self->w, fxt_writer_bytes(self->w) + FXT_WORD));
	EXPECT_EQ(0, fxt_writer_cut(self->w, kept));
	EXPECT_EQ(kept, fxt_writer_bytes(self->w));
	EXPECT_EQ(0, fxt_writer_slice(self->w, &slice));
	EXPECT_EQ(kept + 6 * FXT_WORD, fxt_writer_bytes(self->w));
	READ_BACK();
}

/* The first error of write(2) persists until fxt_writer_cut(). */
TEST_F(limits, no_space)
{
	struct fxt_content *c = &self->c;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct fxt_writer *w;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fxt_writer_open(&w, fd));
	EXPECT_EQ(0, fxt_writer_magic(w));
	EXPECT_EQ(-ENOSPC, fxt_writer_flush(w));
	*c = (struct fxt_content){ .kind = FXT_KIND_LARGE_BLOB_BARE };
	EXPECT_EQ(-ENOSPC, fxt_writer_record(w, c));
	EXPECT_EQ(-ENOSPC, fxt_writer_payload(w, "x", 1));
	EXPECT_EQ(-ENOSPC, fxt_writer_magic(w));
	EXPECT_EQ(-ENOSPC, fxt_writer_put(w, "12345678", 8));
	EXPECT_EQ(-ENOSPC, fxt_writer_flush(w));
	EXPECT_EQ(0, fxt_writer_cut(w, 0));
	EXPECT_EQ(0, fxt_writer_magic(w));
	EXPECT_EQ(-ENOSPC, fxt_writer_close(w));
	close(fd);
}
