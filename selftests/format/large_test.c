// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Large records, with payloads around the 1 MiB of the reader's window and beyond it, can be read
 * completely and in pieces from every source, and the caller can skip any part of them. The reader
 * reports a truncated one as soon as it can know.
 */
#include "harness.h"

#include <zlib.h>

#include "archive_builder.h"

#define WINDOW		(1UL << 20)	/* bytes */
#define BEFORE_WORDS	3
#define LARGE_AT	(8 * BEFORE_WORDS)
#define PAYLOAD_AT	(LARGE_AT + 24)
#define KINDS_OF_SOURCE	4

enum source { MEMORY, FILE_OF, PIPE, GZIP };

FIXTURE(large)
{
	struct built b;
	unsigned char *payload;
	size_t bytes;
	struct fxt_reader *r;
	struct fxt_record rec;
	struct fxt_content c;
	struct walk told;	/* for deviations only */
	pid_t child;
};

FIXTURE_SETUP(large) {}

FIXTURE_TEARDOWN(large)
{
	fxt_reader_close(self->r);
	free(self->payload);
	if (self->child > 0) {
		kill(self->child, SIGKILL);
		waitpid(self->child, NULL, 0);
	}
}

static void build_end(struct built *b)
{
	BUILD(b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 0, 0), 77, fxt_magic());
}

/* Build a small record, a large one with @bytes of payload, and two small ones. */
static void build(FIXTURE_DATA(large) *self, size_t bytes, size_t more_words)
{
	struct built *b = &self->b;

	build_free(b);
	self->payload = realloc(self->payload, bytes + 1);
	self->bytes = bytes;
	for (size_t i = 0; i < bytes; i++)
		self->payload[i] = i * 2654435761U >> 13;
	BUILD(b, fxt_magic(), fxt_kernel_object(2, FXT_OBJECT_THREAD, 0, 0), 76);
	BUILD(b, fxt_large_blob(3 + (bytes + 7) / 8 + more_words, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(0, 0), bytes);
	build_stream(b, self->payload, bytes);
	for (size_t i = 0; i < more_words; i++)
		BUILD(b, ~0ULL);
	build_end(b);
}

static int file_of(const void *data, size_t bytes)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || lseek(fd, 0, SEEK_SET))
		return -1;
	return fd;
}

static int gzip_of(const void *data, size_t bytes)
{
	int fd = file_of("", 0);
	gzFile gz = gzdopen(dup(fd), "wb1");

	if (!gz || gzwrite(gz, data, bytes) != (int)bytes || gzclose(gz) != Z_OK)
		return -1;
	return lseek(fd, 0, SEEK_SET) ? -1 : fd;
}

static int pipe_of(FIXTURE_DATA(large) *self, const void *data, size_t bytes)
{
	ssize_t n;
	int fds[2];

	if (pipe(fds))
		return -1;
	self->child = fork();
	if (self->child) {
		close(fds[1]);
		return fds[0];
	}
	close(fds[0]);
	for (; bytes; data = (const char *)data + n, bytes -= n) {
		n = write(fds[1], data, bytes);
		if (n <= 0)
			_exit(1);
	}
	_exit(0);
}

static void keep(void *arg, const struct fxt_deviation *d)
{
	struct walk *w = arg;
	struct told *t = &w->told[w->told_count++];

	*t = (struct told){ d->offset, d->record, d->kind, d->lost, d->note, "", "" };
	snprintf(t->text, sizeof(t->text), "%s", d->text);
}

static void open_at_large(struct __test_metadata *_metadata, FIXTURE_DATA(large) *self,
			  enum source source, size_t bytes, bool strict)
{
	struct fxt_reader_options o = {
		.strict = strict, .deviation = keep, .arg = &self->told,
	};
	const void *data = self->b.words;
	int ret, fd = -1;

	self->told.told_count = 0;
	fxt_reader_close(self->r);
	if (source == MEMORY) {
		ret = fxt_reader_open_memory(&self->r, data, bytes, &o);
	} else {
		fd = source == FILE_OF ? file_of(data, bytes) :
		     source == PIPE ? pipe_of(self, data, bytes) : gzip_of(data, bytes);
		ASSERT_LE(0, fd);
		ret = fxt_reader_open_fd(&self->r, fd, &o);
	}
	ASSERT_EQ(0, ret);
	ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec));
	ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec));
	ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec)) {
		TH_LOG("%s", fxt_reader_error(self->r));
	}
	EXPECT_EQ(FXT_KIND_LARGE_BLOB_BARE, self->rec.kind);
	EXPECT_EQ(LARGE_AT, (int)self->rec.offset);
	EXPECT_EQ(2UL, self->rec.number);
}

#define OPEN(source, strict)	\
	open_at_large(_metadata, self, source, built_bytes(&self->b), strict)
#define OPEN_CUT(source, bytes, strict)	\
	open_at_large(_metadata, self, source, bytes, strict)

static void check_content(struct __test_metadata *_metadata, FIXTURE_DATA(large) *self)
{
	uint64_t held = 8 * (uint64_t)self->rec.held - 24;

	ASSERT_EQ(0, fxt_reader_content(self->r, &self->rec, &self->c));
	EXPECT_EQ(self->bytes, self->c.blob.bytes);
	EXPECT_EQ(held < self->bytes ? held : self->bytes, self->c.blob_held);
	EXPECT_EQ(self->rec.size < WINDOW / 8 ? self->rec.size : WINDOW / 8, self->rec.held);
	EXPECT_EQ(0, memcmp(self->c.blob.data, self->payload, self->c.blob_held));
}

/* Read to the payload's end. Return: bytes read, or an error. */
static int64_t read_payload(struct __test_metadata *_metadata, FIXTURE_DATA(large) *self)
{
	uint64_t at = self->c.blob_held;
	struct fxt_bytes piece;
	int ret;

	while ((ret = fxt_reader_payload(self->r, &piece)) == 1) {
		ASSERT_LT(0UL, piece.bytes);
		ASSERT_LE(at + piece.bytes, self->bytes);
		EXPECT_EQ(0, memcmp(piece.data, self->payload + at, piece.bytes));
		at += piece.bytes;
	}
	return ret ? ret : (int64_t)at;
}

static void check_end(struct __test_metadata *_metadata, FIXTURE_DATA(large) *self)
{
	struct fxt_bytes piece;

	ASSERT_EQ(1, fxt_reader_next(self->r, &self->rec)) {
		TH_LOG("%s", fxt_reader_error(self->r));
	}
	EXPECT_EQ(3UL, self->rec.number);
	EXPECT_EQ(built_bytes(&self->b) - 24, self->rec.offset);
	EXPECT_EQ(77UL, fxt_record_word(self->r, &self->rec, 1));
	/* It has no payload to read or to skip. */
	EXPECT_EQ(0, fxt_reader_payload(self->r, &piece));
	EXPECT_EQ(1, fxt_reader_next(self->r, &self->rec));
	EXPECT_EQ(0, fxt_reader_next(self->r, &self->rec));
	EXPECT_EQ(built_bytes(&self->b), fxt_reader_totals(self->r)->bytes);
	EXPECT_EQ(5UL, fxt_reader_totals(self->r)->records);
}

static const size_t sizes[] = {
	1, 8, 70000, WINDOW - 33, WINDOW - 32, WINDOW - 25, WINDOW - 24, WINDOW - 23,
	WINDOW - 16, WINDOW - 8, WINDOW, WINDOW + 1, WINDOW + 8, 2 * WINDOW - 24,
	2 * WINDOW - 1, 3 * WINDOW + 12345,
};

#define SIZES	(sizeof(sizes) / sizeof(*sizes))

/* --- complete payloads -------------------------------------------------------------- */

TEST_F(large, read)
{
	for (size_t i = 0; i < SIZES; i++) {
		build(self, sizes[i], 0);
		for (int source = 0; source < KINDS_OF_SOURCE; source++) {
			OPEN(source, true);
			check_content(_metadata, self);
			EXPECT_EQ((int64_t)sizes[i], read_payload(_metadata, self));
			check_end(_metadata, self);
			EXPECT_EQ(0UL, self->told.told_count);
		}
	}
}

TEST_F(large, left_out)
{
	struct fxt_bytes piece;

	for (size_t i = 0; i < SIZES; i++) {
		build(self, sizes[i], 0);
		for (int source = 0; source < KINDS_OF_SOURCE; source++) {
			/* The whole payload; a content comes first. */
			OPEN(source, true);
			EXPECT_EQ(0, fxt_reader_payload(self->r, &piece));
			check_end(_metadata, self);
			/* Everything after the part in the content. */
			OPEN(source, true);
			check_content(_metadata, self);
			check_end(_metadata, self);
			/* Everything except one more piece. */
			OPEN(source, true);
			check_content(_metadata, self);
			EXPECT_EQ(self->c.blob_held < sizes[i],
				  fxt_reader_payload(self->r, &piece));
			check_end(_metadata, self);
		}
	}
}

TEST_F(large, swapped)
{
	self->b.swapped = true;
	build(self, 3 * WINDOW + 5, 0);
	OPEN(PIPE, true);
	EXPECT_TRUE(fxt_reader_swapped(self->r));
	check_content(_metadata, self);
	EXPECT_EQ(3 * (int64_t)WINDOW + 5, read_payload(_metadata, self));
	check_end(_metadata, self);
}

/* --- invalid and truncated payloads ------------------------------------------------- */

#define TOLD(text_is, kind_is, note_is)						\
	do {									\
		ASSERT_EQ(1UL, self->told.told_count);				\
		EXPECT_STREQ(text_is, self->told.told[0].text);			\
		EXPECT_EQ((enum fxt_deviation_kind)kind_is, self->told.told[0].kind);	\
		EXPECT_EQ(note_is, self->told.told[0].note);			\
		EXPECT_EQ(2UL, self->told.told[0].record);			\
	} while (0)

/* The padding is checked if the caller has asked for the content. */
TEST_F(large, padding)
{
	size_t bytes = 3 * WINDOW + 5;
	struct fxt_bytes piece;
	char text[256];
	int source, ret;

	build(self, bytes, 0);
	((char *)self->b.words)[PAYLOAD_AT + bytes + 1] = 0x55;
	snprintf(text, sizeof(text), "byte %zu: record 2: payload stream: "
		 "the padding holds 0x55 instead of 0", PAYLOAD_AT + bytes + 1);
	for (source = 0; source < KINDS_OF_SOURCE; source++) {
		OPEN(source, false);
		check_content(_metadata, self);
		EXPECT_EQ((int64_t)bytes, read_payload(_metadata, self));
		TOLD(text, FXT_DEV_PADDING, false);
		check_end(_metadata, self);
		TOLD(text, FXT_DEV_PADDING, false);

		OPEN(source, false);
		check_content(_metadata, self);
		check_end(_metadata, self);
		TOLD(text, FXT_DEV_PADDING, false);

		/* The padding is reported once, whenever the caller asks for the content. */
		OPEN(source, false);
		check_content(_metadata, self);
		EXPECT_EQ(0, fxt_reader_content(self->r, &self->rec, &self->c));
		EXPECT_EQ((int64_t)bytes, read_payload(_metadata, self));
		check_end(_metadata, self);
		TOLD(text, FXT_DEV_PADDING, false);

		OPEN(source, false);
		check_end(_metadata, self);
		EXPECT_EQ(0UL, self->told.told_count);

		OPEN(source, true);
		check_content(_metadata, self);
		EXPECT_EQ(-EBADMSG, fxt_reader_next(self->r, &self->rec));
		EXPECT_STREQ(text, fxt_reader_error(self->r));

		OPEN(source, true);
		check_content(_metadata, self);
		do
			ret = fxt_reader_payload(self->r, &piece);
		while (ret == 1);
		EXPECT_EQ(-EBADMSG, ret);
		EXPECT_STREQ(text, fxt_reader_error(self->r));
	}
}

TEST_F(large, words_behind)
{
	size_t bytes = 2 * WINDOW + 3;
	char text[256];

	build(self, bytes, 200000);
	snprintf(text, sizeof(text), "byte %zu: record 2: record size: "
		 "200000 words after the last defined field", PAYLOAD_AT + bytes + 5);
	for (int source = 0; source < KINDS_OF_SOURCE; source++) {
		OPEN(source, true);
		check_content(_metadata, self);
		TOLD(text, FXT_DEV_TRAILING, true);
		EXPECT_EQ((int64_t)bytes, read_payload(_metadata, self));
		check_end(_metadata, self);
		OPEN(source, true);
		check_content(_metadata, self);
		check_end(_metadata, self);
		TOLD(text, FXT_DEV_TRAILING, true);
	}
}

/* The end of a file or of memory is known in advance, so the record is not returned. */
TEST_F(large, cut_told_at_once)
{
	static const size_t ends[] = { 24, 3 * WINDOW / 2, 3 * WINDOW - 8 };
	enum source source;
	char text[256];
	int fd;

	build(self, 3 * WINDOW + 5, 0);
	for (size_t i = 0; i < 3; i++) {
		for (source = MEMORY; source <= FILE_OF; source++) {
			struct walk w = { .ret = 0 };

			fd = file_of(self->b.words, LARGE_AT + ends[i]);
			ASSERT_LE(0, fd);
			ASSERT_EQ(0, source == MEMORY ?
				  walk_memory(&w, self->b.words, LARGE_AT + ends[i]) :
				  walk_fd(&w, fd));
			EXPECT_EQ(2UL, w.met_count);
			snprintf(text, sizeof(text), "byte 24: record 2: record size: "
				 "record of 393220 words, but the archive ends after %zu",
				 ends[i] / 8);
			ASSERT_EQ(1UL, w.told_count);
			EXPECT_STREQ(text, w.told[0].text);
			EXPECT_EQ(ends[i], w.totals.skipped_bytes);
			EXPECT_EQ(1UL, w.totals.skipped);
			EXPECT_EQ(3UL, w.totals.records);
			close(fd);
		}
	}
}

/* The same if the archive does not begin at the beginning of the file. */
TEST_F(large, cut_behind_something)
{
	size_t end = 3 * WINDOW, i;
	struct walk w = { .ret = 0 };
	char text[256];
	int fd = file_of("1234567812345678", 16);

	build(self, end, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(16, lseek(fd, 16, SEEK_SET));
	for (i = 0; i < end; i += 8192)
		ASSERT_EQ(8192, write(fd, (char *)self->b.words + i, 8192));
	ASSERT_EQ(40, write(fd, (char *)self->b.words + end, 40));
	ASSERT_EQ(16, lseek(fd, 16, SEEK_SET));
	EXPECT_EQ(0, walk_fd(&w, fd));
	snprintf(text, sizeof(text), "byte 24: record 2: record size: "
		 "record of 393219 words, but the archive ends after %zu", (end + 40 - 24) / 8);
	ASSERT_LT(0UL, w.told_count);
	EXPECT_STREQ(text, w.told[0].text);
	close(fd);
}

/* The end of a pipe is not known in advance: the part of the payload before it is returned. */
TEST_F(large, cut_told_at_the_end)
{
	size_t end = 2 * WINDOW, at;
	struct fxt_bytes piece;
	char text[256];

	build(self, 3 * WINDOW + 5, 0);
	snprintf(text, sizeof(text), "byte %zu: record 2: record size: "
		 "the archive ends %zu words before the record does", LARGE_AT + end,
		 (3 * WINDOW + 32 - end) / 8);
	for (int source = PIPE; source <= GZIP; source++) {
		OPEN_CUT(source, LARGE_AT + end, false);
		check_content(_metadata, self);
		at = read_payload(_metadata, self);
		EXPECT_EQ(end - 24, at);
		TOLD(text, FXT_DEV_PAST_END, false);
		/* The error persists. */
		EXPECT_EQ(0, fxt_reader_payload(self->r, &piece));
		EXPECT_EQ(0, fxt_reader_payload(self->r, &piece));
		EXPECT_EQ(0, fxt_reader_next(self->r, &self->rec));
		TOLD(text, FXT_DEV_PAST_END, false);
		EXPECT_EQ(LARGE_AT + end, fxt_reader_totals(self->r)->bytes);
		EXPECT_EQ(1UL, fxt_reader_totals(self->r)->skipped);

		OPEN_CUT(source, LARGE_AT + end, false);
		check_content(_metadata, self);
		EXPECT_EQ(0, fxt_reader_next(self->r, &self->rec));
		TOLD(text, FXT_DEV_PAST_END, false);

		OPEN_CUT(source, LARGE_AT + end, true);
		check_content(_metadata, self);
		EXPECT_EQ(-EBADMSG, read_payload(_metadata, self));
		EXPECT_STREQ(text, fxt_reader_error(self->r));

		OPEN_CUT(source, LARGE_AT + end, true);
		EXPECT_EQ(-EBADMSG, fxt_reader_next(self->r, &self->rec));
		EXPECT_STREQ(text, fxt_reader_error(self->r));
	}
}

/* The end of the compressed data is reported first, then its consequence. */
TEST_F(large, cut_gzip)
{
	struct walk w = { .ret = 0 };
	unsigned char *packed;
	ssize_t bytes;
	char text[256];
	int fd;

	build(self, 3 * WINDOW, 0);
	fd = gzip_of(self->b.words, built_bytes(&self->b));
	packed = malloc(4 * WINDOW);
	bytes = read(fd, packed, 4 * WINDOW);
	ASSERT_LT(0, bytes);
	EXPECT_EQ(0, walk_memory(&w, packed, bytes / 2));
	free(packed);
	close(fd);
	EXPECT_EQ(3UL, w.met_count);
	ASSERT_LE(2UL, w.told_count);
	snprintf(text, sizeof(text), "byte %" PRIu64 ": record 2: compression: "
		 "gzip data are truncated", w.told[0].offset);
	EXPECT_STREQ(text, w.told[0].text);
	EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_PAST_END, w.told[1].kind);
	EXPECT_EQ(w.told[0].offset & ~7, w.told[1].offset);
	EXPECT_EQ(2UL, w.told[1].record);
}

/* 2^35 - 8 bytes, from a pipe that contains fewer than the window holds, and more. */
TEST_F(large, most)
{
	const uint64_t header = fxt_large_blob(0xffffffff, FXT_LARGE_BLOB_NO_METADATA);
	struct built *b = &self->b;
	struct walk w = { .ret = 0 };

	build(self, 8000, 0);
	b->words[BEFORE_WORDS] = header;
	EXPECT_EQ(0, walk_fd(&w, pipe_of(self, b->words, built_bytes(b))));
	ASSERT_LT(0UL, w.told_count);
	EXPECT_STREQ("byte 24: record 2: record size: record of 4294967295 words, "
		     "but the archive ends after 1006", w.told[0].text);
	build(self, 2 * WINDOW, 0);
	b->words[BEFORE_WORDS] = header;
	EXPECT_EQ(0, walk_fd(&w, pipe_of(self, b->words, built_bytes(b))));
	EXPECT_EQ(3UL, w.met_count);
	ASSERT_EQ(2UL, w.told_count);
	EXPECT_STREQ("byte 2097200: record 2: record size: "
		     "4294705148 words after the last defined field", w.told[0].text);
	EXPECT_STREQ("byte 2097224: record 2: record size: "
		     "the archive ends 4294705145 words before the record does", w.told[1].text);
}

/* More bytes than the words of a large record can hold. */
TEST_F(large, sizes_that_overflow)
{
	static const uint64_t bad[] = { UINT64_MAX, UINT64_MAX - 7, 1ULL << 63, 2 * WINDOW + 9 };
	struct fxt_bytes piece;
	char text[256];

	for (size_t i = 0; i < 4; i++) {
		build(self, 2 * WINDOW + 8, 0);
		self->b.words[BEFORE_WORDS + 2] = bad[i];
		OPEN(PIPE, false);
		EXPECT_EQ(-EBADMSG, fxt_reader_content(self->r, &self->rec, &self->c));
		snprintf(text, sizeof(text), "byte 40: record 2: blob size: %" PRIu64
			 " bytes, but 262145 words are left of 262148", bad[i]);
		TOLD(text, FXT_DEV_TOO_SHORT, false);
		EXPECT_TRUE(self->told.told[0].lost);
		EXPECT_EQ(0, fxt_reader_payload(self->r, &piece));
		check_end(_metadata, self);
	}
}
