// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One archive as memory, file, pipe and socket; plain and compressed; complete, truncated and
 * damaged: all sources yield the same records. If data is damaged, the reader, even a strict one,
 * returns all records before the damage, and then reports the error.
 */
#include "harness.h"

#include <endian.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <zlib.h>
#include <zstd.h>

#include "archive_builder.h"
#include "libfxt/stream.h"

/* Events of 4 words: a few, and more than the window of 1 MiB holds. */
#define FEW		50
#define MANY		100000
#define EVENT_BYTES	32
#define HEAD_BYTES	64	/* what stands before the first of them */
#define HEAD_RECORDS	5

#define COMPRESSION	((enum fxt_deviation_kind)FXT_DEV_COMPRESSION)

struct bytes {
	unsigned char *data;
	size_t bytes;
};

FIXTURE(source)
{
	struct built b;
	struct bytes packed;
	struct walk w;
	uint64_t sum;		/* a sum over the fields of all records */
	uint64_t expected;
	size_t records;
	pid_t child;
};

static void build_events(struct built *b, int events)
{
	BUILD(b, fxt_magic(), fxt_provider_info(1, 4));
	BUILD_TEXT(b, "this");
	build_string(b, 1, "name");
	BUILD(b, fxt_thread(1), 11, 12);
	for (int i = 0; i < events; i++)
		BUILD(b, fxt_event(4, FXT_EVENT_COUNTER, 1, 1, 1, 1), 1000 + 17 * i,
		      fxt_arg_int32(1, 1, i % 40000 * (i % 50000)), i);
}

static void add(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		const struct fxt_content *c)
{
	uint64_t *sum = w->arg, i;

	*sum = *sum * 31 + rec->offset;
	*sum = *sum * 31 + c->time;
	*sum = *sum * 31 + c->thread.thread;
	for (i = 0; i < c->name.length; i++)
		*sum = *sum * 31 + c->name.bytes[i];
	if (c->kind == FXT_KIND_COUNTER)
		*sum = *sum * 31 + c->id + 7 * c->args[0].i64;
}

static void build(FIXTURE_DATA(source) *self, int events)
{
	build_free(&self->b);
	build_events(&self->b, events);
	self->records = HEAD_RECORDS - 1 + events;
	self->w.each = add;
	self->w.arg = &self->sum;
	self->sum = 0;
	walk_built(&self->w, &self->b);
	self->expected = self->sum;
	self->sum = 0;
}

FIXTURE_SETUP(source)
{
	build(self, FEW);
	ASSERT_EQ(0, self->w.ret);
	ASSERT_EQ(self->records, self->w.met_count);
	ASSERT_EQ(HEAD_BYTES + FEW * EVENT_BYTES, (int)built_bytes(&self->b));
}

FIXTURE_TEARDOWN(source)
{
	if (self->child > 0) {
		kill(self->child, SIGKILL);
		waitpid(self->child, NULL, 0);
	}
}

static void check_all(struct __test_metadata *_metadata, FIXTURE_DATA(source) *self,
		      const char *compression)
{
	EXPECT_EQ(0, self->w.ret) TH_LOG("%s", self->w.error);
	EXPECT_EQ(self->records, self->w.met_count);
	EXPECT_EQ(self->expected, self->sum);
	EXPECT_EQ(0UL, self->w.told_count) TH_LOG("%s", self->w.told[0].text);
	EXPECT_EQ(built_bytes(&self->b), self->w.totals.bytes);
	EXPECT_EQ(self->records, self->w.totals.records);
	EXPECT_STREQ(compression, self->w.compression);
	self->sum = 0;
}

static int file_of(const void *data, size_t bytes)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || lseek(fd, 0, SEEK_SET))
		return -1;
	return fd;
}

/* A pipe that a child fills; the reader gets @piece bytes at a time. */
static int pipe_of(FIXTURE_DATA(source) *self, const void *data, size_t bytes, size_t piece)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_DIRECT))
		return -1;
	self->child = fork();
	if (self->child) {
		close(fds[1]);
		return self->child < 0 ? -1 : fds[0];
	}
	close(fds[0]);
	for (; bytes; data = (const char *)data + piece, bytes -= piece) {
		piece = bytes < piece ? bytes : piece;
		if (write(fds[1], data, piece) != (ssize_t)piece)
			_exit(1);
	}
	_exit(0);
}

/* --- compression -------------------------------------------------------------------- */

static void append_gzip(struct bytes *to, const void *data, size_t bytes)
{
	size_t room = bytes + bytes / 8 + 100;
	z_stream z = { .next_in = (void *)data, .avail_in = bytes };

	to->data = realloc(to->data, to->bytes + room);
	z.next_out = to->data + to->bytes;
	z.avail_out = room;
	if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		exit(EXIT_FAILURE);
	to->bytes += z.total_out;
	deflateEnd(&z);
}

static void append_zstd(struct bytes *to, const void *data, size_t bytes)
{
	size_t room = ZSTD_compressBound(bytes), n;
	ZSTD_CCtx *c = ZSTD_createCCtx();

	to->data = realloc(to->data, to->bytes + room);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(c, to->data + to->bytes, room, data, bytes);
	if (ZSTD_isError(n))
		exit(EXIT_FAILURE);
	to->bytes += n;
	ZSTD_freeCCtx(c);
}

FIXTURE_VARIANT(source)
{
	void (*pack)(struct bytes *to, const void *data, size_t bytes);
	const char *compression;
	int parts;		/* members or frames */
	const char *damaged;	/* the message about damage */
	const char *early;
};

FIXTURE_VARIANT_ADD(source, gzip) {
	append_gzip, "gzip", 1, "gzip data are damaged", "gzip data are truncated",
};

FIXTURE_VARIANT_ADD(source, gzip_members) {
	append_gzip, "gzip", 7, "gzip data are damaged", "gzip data are truncated",
};

FIXTURE_VARIANT_ADD(source, zstd) {
	append_zstd, "zstd", 1, "zstd data are damaged", "zstd data are truncated",
};

FIXTURE_VARIANT_ADD(source, zstd_frames) {
	append_zstd, "zstd", 7, "zstd data are damaged", "zstd data are truncated",
};

static void append_plain(struct bytes *to, const void *data, size_t bytes)
{
	to->data = realloc(to->data, to->bytes + bytes);
	memcpy(to->data + to->bytes, data, bytes);
	to->bytes += bytes;
}

/* A frame that decompressors skip. */
static void append_skippable(struct bytes *to, uint32_t bytes)
{
	const size_t size = 2 * sizeof(uint32_t) + bytes;
	uint32_t *frame = calloc(1, size);

	frame[0] = htole32(0x184d2a50);
	frame[1] = htole32(bytes);
	append_plain(to, (const char *)frame, size);
}

/* zstd's data may begin with such a frame. */
static void append_skippable_zstd(struct bytes *to, const void *data, size_t bytes)
{
	append_skippable(to, 5);
	append_zstd(to, data, bytes);
}

FIXTURE_VARIANT_ADD(source, zstd_skippable) {
	append_skippable_zstd, "zstd", 3, "zstd data are damaged", "zstd data are truncated",
};

FIXTURE_VARIANT_ADD(source, plain) {
	append_plain, "none", 1, NULL, NULL,
};

/* In parts that end within words. */
static void pack(FIXTURE_DATA(source) *self, const FIXTURE_VARIANT(source) *variant)
{
	const char *from = (const char *)self->b.words;
	size_t bytes = built_bytes(&self->b), begin = 0, end;

	self->packed.bytes = 0;
	for (int i = 1; i <= variant->parts; i++, begin = end) {
		end = bytes * i / variant->parts;
		variant->pack(&self->packed, from + begin, end - begin);
	}
}

TEST_F(source, memory)
{
	pack(self, variant);
	walk_memory(&self->w, self->packed.data, self->packed.bytes);
	check_all(_metadata, self, variant->compression);
}

TEST_F(source, file)
{
	int fd, i;

	pack(self, variant);
	fd = file_of(self->packed.data, self->packed.bytes);
	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, lseek(fd, 0, SEEK_SET));
		self->w.o.strict = i;
		walk_fd(&self->w, fd);
		check_all(_metadata, self, variant->compression);
	}
	/* The caller still owns it. */
	EXPECT_EQ(0, close(fd));
}

TEST_F(source, path)
{
	char path[64];
	int fd, next;

	pack(self, variant);
	fd = file_of(self->packed.data, self->packed.bytes);
	ASSERT_LE(0, fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	next = dup(fd);
	close(next);
	walk_path(&self->w, path);
	check_all(_metadata, self, variant->compression);
	/* The reader closes what it has opened. */
	EXPECT_EQ(next, dup(fd));
}

TEST_F(source, standard_input)
{
	int fd;

	pack(self, variant);
	fd = file_of(self->packed.data, self->packed.bytes);
	ASSERT_EQ(0, dup2(fd, 0));
	walk_path(&self->w, "-");
	check_all(_metadata, self, variant->compression);
	/* The reader does not close it. */
	EXPECT_EQ(0, close(0));
}

TEST_F(source, pipe_byte_by_byte)
{
	int fd;

	pack(self, variant);
	fd = pipe_of(self, self->packed.data, self->packed.bytes, 1);
	ASSERT_LE(0, fd);
	walk_fd(&self->w, fd);
	check_all(_metadata, self, variant->compression);
}

/* From the descriptor's position; the archive begins within the file. */
TEST_F(source, from_the_middle)
{
	struct bytes whole = { 0 };
	int fd;

	pack(self, variant);
	append_plain(&whole, "something else", 14);
	append_plain(&whole, self->packed.data, self->packed.bytes);
	fd = file_of(whole.data, whole.bytes);
	ASSERT_EQ(14, lseek(fd, 14, SEEK_SET));
	walk_fd(&self->w, fd);
	check_all(_metadata, self, variant->compression);
}

/* Longer than the window, from every source. */
TEST_F(source, many)
{
	int fd;

	build(self, MANY);
	pack(self, variant);
	walk_memory(&self->w, self->packed.data, self->packed.bytes);
	check_all(_metadata, self, variant->compression);
	fd = file_of(self->packed.data, self->packed.bytes);
	ASSERT_LE(0, fd);
	walk_fd(&self->w, fd);
	check_all(_metadata, self, variant->compression);
	fd = pipe_of(self, self->packed.data, self->packed.bytes, 4093);
	ASSERT_LE(0, fd);
	walk_fd(&self->w, fd);
	check_all(_metadata, self, variant->compression);
}

/*
 * A pipe that is silent, but not closed: the reader has all records that have come, and can be
 * closed.
 */
TEST_F_TIMEOUT(source, silent_pipe, 20)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	size_t sent, records;
	int fd, silent[2];

	build(self, MANY);
	pack(self, variant);
	sent = self->packed.bytes - self->packed.bytes / 4;
	ASSERT_EQ(0, pipe2(silent, O_CLOEXEC));
	fcntl(silent[1], F_SETPIPE_SZ, 1 << 20);
	fd = fork();
	if (!fd) {
		if (write(silent[1], self->packed.data, sent) != (ssize_t)sent)
			_exit(1);
		pause();
		_exit(0);
	}
	self->child = fd;
	ASSERT_EQ(0, fxt_reader_open_fd(&r, silent[0], &self->w.o));
	for (records = 0; records < MANY * 13 / 20 && fxt_reader_next(r, &rec) == 1; records++)
		;
	EXPECT_EQ(MANY * 13UL / 20, records);
	/* A reader that reads ahead waits for the pipe by now. */
	usleep(100000);
	fxt_reader_close(r);
	close(silent[0]);
	close(silent[1]);
	kill(self->child, SIGKILL);
}

/* --- damaged and truncated compressed data ------------------------------------------ */

/*
 * The records before the damage, and the error. @least: bytes of the archive that the reader
 * must return.
 */
static void check_ended(struct __test_metadata *_metadata, FIXTURE_DATA(source) *self,
			const char *what, size_t least)
{
	const struct told *t = &self->w.told[0];
	size_t n = self->w.met_count, i;
	char text[256];

	ASSERT_LT(0UL, self->w.told_count);
	for (i = 1; i < self->w.told_count; i++)
		EXPECT_NE(COMPRESSION, self->w.told[i].kind);
	snprintf(text, sizeof(text), "byte %" PRIu64 ": record %zu: compression: %s", t->offset,
		 n, what);
	EXPECT_STREQ(text, t->text);
	EXPECT_STREQ("compression", t->field);
	EXPECT_EQ(COMPRESSION, t->kind);
	EXPECT_EQ(n, t->record);
	EXPECT_FALSE(t->lost);
	EXPECT_LE(least, t->offset);
	for (i = 0; i < n; i++) {
		EXPECT_EQ(i, self->w.met[i].number);
		EXPECT_EQ(0, self->w.met[i].content);
	}
	if (n < HEAD_RECORDS)
		return;
	/* All complete records before the end were returned. */
	EXPECT_LE(self->w.met[n - 1].offset + EVENT_BYTES, t->offset);
	EXPECT_GT(self->w.met[n - 1].offset + 2 * EVENT_BYTES, t->offset);
}

TEST_F(source, cut_anywhere)
{
	size_t bytes, before = 0;

	if (!variant->early)
		return;
	pack(self, variant);
	/* The compression can end between its parts. */
	for (bytes = 4; bytes < self->packed.bytes; bytes++) {
		self->w.o.strict = false;
		walk_memory(&self->w, self->packed.data, bytes);
		EXPECT_LE(before, self->w.met_count);
		before = self->w.met_count;
		if (variant->parts == 1 ||
		    (self->w.told_count && self->w.told[0].kind == COMPRESSION))
			check_ended(_metadata, self, variant->early, 0);
		EXPECT_EQ(self->w.met_count ? 0 : -EBADMSG, self->w.ret);
		self->w.o.strict = true;
		walk_memory(&self->w, self->packed.data, bytes);
		EXPECT_EQ(before, self->w.met_count);
		if (variant->parts == 1)
			EXPECT_EQ(-EBADMSG, self->w.ret);
	}
	/* Without the last byte, only a checksum is incomplete. */
	EXPECT_EQ(self->records, before);
}

TEST_F(source, flipped_anywhere)
{
	size_t at, header = 12;		/* bytes */

	if (!variant->damaged)
		return;
	pack(self, variant);
	/* Some bytes of the header have no effect. */
	for (at = header; at < self->packed.bytes; at++) {
		self->packed.data[at] ^= 0x55;
		walk_memory(&self->w, self->packed.data, self->packed.bytes);
		self->packed.data[at] ^= 0x55;
		if (variant->parts == 1)
			EXPECT_LT(0UL, self->w.told_count) TH_LOG("byte %zu", at);
	}
}

TEST_F(source, check_sum)
{
	size_t least = MANY * EVENT_BYTES;

	if (!variant->damaged)
		return;
	build(self, MANY);
	pack(self, variant);
	/* zstd's frames end with the checksum; in gzip's members the length follows it. */
	self->packed.data[self->packed.bytes - 5 + 4 * (variant->pack != append_gzip)] ^= 1;
	self->w.o.strict = true;
	EXPECT_EQ(-EBADMSG, walk_memory(&self->w, self->packed.data, self->packed.bytes));
	check_ended(_metadata, self, variant->damaged, least - 4096);
	if (variant->pack == append_gzip)
		EXPECT_EQ(self->records, self->w.met_count);
	self->w.o.strict = false;
	EXPECT_EQ(0, walk_memory(&self->w, self->packed.data, self->packed.bytes));
	check_ended(_metadata, self, variant->damaged, least - 4096);
	EXPECT_EQ(COMPRESSION, self->w.told[0].kind);
}

TEST_F(source, garbage_behind)
{
	if (!variant->damaged)
		return;
	pack(self, variant);
	append_plain(&self->packed, "\x01garbage", 8);
	EXPECT_EQ(0, walk_memory(&self->w, self->packed.data, self->packed.bytes));
	EXPECT_EQ(self->records, self->w.met_count);
	EXPECT_EQ(self->expected, self->sum);
	check_ended(_metadata, self, variant->damaged, built_bytes(&self->b));
}

/* --- frames that are decompressed at the same time ----------------------------------- */

/* More than a place for frames holds, which is 6 MiB. */
#define VERY_MANY	250000
#define FRAMES		40

/* Frames of different sizes; those of fxt-collect are like that. */
FIXTURE(frames)
{
	struct built b;
	struct bytes packed;
	struct walk w;
	uint64_t sum;
	uint64_t expected;
	size_t content[FRAMES + 1];	/* where each begins, bytes of the archive */
	size_t at[FRAMES + 1];		/* and of the compressed file */
};

FIXTURE_VARIANT(frames)
{
	bool is_file;
	bool is_alone;		/* one CPU */
};

FIXTURE_VARIANT_ADD(frames, memory) {
	.is_file = false,
};

FIXTURE_VARIANT_ADD(frames, file) {
	.is_file = true,
};

FIXTURE_VARIANT_ADD(frames, one_cpu) {
	.is_file = true, .is_alone = true,
};

FIXTURE_SETUP(frames)
{
	cpu_set_t one;

	if (variant->is_alone) {
		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		ASSERT_EQ(0, sched_setaffinity(0, sizeof(one), &one));
	}
	build_events(&self->b, VERY_MANY);
	self->w.each = add;
	self->w.arg = &self->sum;
	walk_built(&self->w, &self->b);
	self->expected = self->sum;
}

FIXTURE_TEARDOWN(frames) { }

/* Frame number @large has as much as all others together; FRAMES for none. */
static void pack_frames(FIXTURE_DATA(frames) *self, int large)
{
	size_t bytes = built_bytes(&self->b), parts = 0, part = 0;
	const char *from = (const char *)self->b.words;

	for (int i = 0; i < FRAMES; i++)
		parts += i == large ? 8 * FRAMES : i % 3;
	self->packed.bytes = 0;
	for (int i = 0; i < FRAMES; i++) {
		self->at[i] = self->packed.bytes;
		part += i == large ? 8 * FRAMES : i % 3;
		self->content[i + 1] = bytes * part / parts;
		append_zstd(&self->packed, from + self->content[i],
			    self->content[i + 1] - self->content[i]);
	}
	self->at[FRAMES] = self->packed.bytes;
}

static void walk_frames(FIXTURE_DATA(frames) *self, const FIXTURE_VARIANT(frames) *variant,
			size_t bytes)
{
	int fd;

	self->sum = 0;
	if (!variant->is_file) {
		walk_memory(&self->w, self->packed.data, bytes);
		return;
	}
	fd = file_of(self->packed.data, bytes);
	walk_fd(&self->w, fd);
	close(fd);
}

static void check_frames(struct __test_metadata *_metadata, FIXTURE_DATA(frames) *self)
{
	EXPECT_EQ(0, self->w.ret) TH_LOG("%s", self->w.error);
	EXPECT_EQ(0UL, self->w.told_count) TH_LOG("%s", self->w.told[0].text);
	EXPECT_EQ(HEAD_RECORDS - 1UL + VERY_MANY, self->w.met_count);
	EXPECT_EQ(self->expected, self->sum);
	EXPECT_EQ(built_bytes(&self->b), self->w.totals.bytes);
}

TEST_F(frames, in_order)
{
	pack_frames(self, FRAMES);
	/* Otherwise, one thread would do it alone. */
	EXPECT_LT(built_bytes(&self->b) / 8, self->packed.bytes);
	walk_frames(self, variant, self->packed.bytes);
	check_frames(_metadata, self);
}

/* What follows a frame that is too large for a place is not lost. */
TEST_F(frames, large)
{
	int at[] = { 0, 5, 30, FRAMES - 1 };

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		pack_frames(self, at[i]);
		walk_frames(self, variant, self->packed.bytes);
		check_frames(_metadata, self);
	}
}

/* Small frames share a place, until their contents no longer fit. */
TEST_F(frames, compressible)
{
	uint64_t *words = self->b.words + HEAD_BYTES / FXT_WORD;

	for (int i = VERY_MANY / 8; i < VERY_MANY; i++)
		memcpy(words + i * EVENT_BYTES / FXT_WORD, words, EVENT_BYTES);
	self->sum = 0;
	walk_built(&self->w, &self->b);
	self->expected = self->sum;
	pack_frames(self, FRAMES);
	EXPECT_GT(128U << 10, self->at[FRAMES] - self->at[FRAMES / 8 + 2]);
	walk_frames(self, variant, self->packed.bytes);
	check_frames(_metadata, self);
}

/* The last one is larger than any frame that is decompressed beside others. */
TEST_F(frames, skippable)
{
	static const uint32_t sizes[] = { 0, 1, 300000, 5 << 20 };
	struct bytes mixed = { 0 };

	pack_frames(self, FRAMES);
	for (int i = 0; i < FRAMES; i++) {
		append_plain(&mixed, self->packed.data + self->at[i], self->at[i + 1] - self->at[i]);
		if (i % 9 == 8)
			append_skippable(&mixed, sizes[i / 9]);
	}
	self->packed = mixed;
	walk_frames(self, variant, mixed.bytes);
	check_frames(_metadata, self);
}

static void check_frames_end(struct __test_metadata *_metadata, FIXTURE_DATA(frames) *self,
			     const char *what, size_t from, size_t to)
{
	const struct told *t = &self->w.told[0];
	char text[256];

	ASSERT_LT(0UL, self->w.told_count);
	snprintf(text, sizeof(text), "byte %" PRIu64 ": record %zu: compression: %s", t->offset,
		 self->w.met_count, what);
	EXPECT_STREQ(text, t->text);
	EXPECT_LE(from, t->offset);
	EXPECT_GT(to, t->offset);
	EXPECT_EQ((t->offset - HEAD_BYTES) / EVENT_BYTES + HEAD_RECORDS - 1, self->w.met_count);
}

/* All records before the damage, then the error, and nothing of the frames after it. */
TEST_F(frames, damaged)
{
	pack_frames(self, FRAMES);
	for (int i = 4; i < FRAMES; i++) {
		size_t middle = (self->at[i] + self->at[i + 1]) / 2, last = self->at[i + 1] - 1;

		if (i % 3 == 0)
			continue;
		self->packed.data[middle] ^= 0x55;
		walk_frames(self, variant, self->packed.bytes);
		self->packed.data[middle] ^= 0x55;
		check_frames_end(_metadata, self, "zstd data are damaged", self->content[i],
				 self->content[i + 1]);
		/* The checksum at the end. */
		self->packed.data[last] ^= 1;
		walk_frames(self, variant, self->packed.bytes);
		self->packed.data[last] ^= 1;
		check_frames_end(_metadata, self, "zstd data are damaged",
				 self->content[i + 1] - 4096, self->content[i + 1]);
	}
}

/* A frame cannot begin where it should. What comes before is whole. */
TEST_F(frames, damaged_at_begin)
{
	pack_frames(self, FRAMES);
	/* The first frame with contents is number 1. */
	for (int i = 2; i < FRAMES; i++) {
		self->packed.data[self->at[i]] ^= 0x55;
		walk_frames(self, variant, self->packed.bytes);
		self->packed.data[self->at[i]] ^= 0x55;
		check_frames_end(_metadata, self, "zstd data are damaged", self->content[i],
				 self->content[i] + 1);
	}
}

/*
 * A frame of @content bytes, which are all alike, then nothing, so that both have @packed bytes,
 * then garbage and the other frame.
 */
static void pack_around(FIXTURE_DATA(frames) *self, size_t content, size_t packed, size_t garbage)
{
	static const unsigned char nonsense[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	const char *from = (const char *)self->b.words;

	self->packed.bytes = 0;
	append_zstd(&self->packed, from, content);
	append_skippable(&self->packed, packed - self->packed.bytes - 8);
	append_plain(&self->packed, nonsense, garbage);
	append_zstd(&self->packed, from + content, built_bytes(&self->b) - content);
}

/*
 * Damage between frames ends the archive just before, and where, the archive has become large
 * enough for frames to be decompressed in parallel from there on.
 */
TEST_F(frames, damaged_between)
{
	uint64_t *words = self->b.words + HEAD_BYTES / FXT_WORD;
	size_t half = VERY_MANY / 2, content = HEAD_BYTES + half * EVENT_BYTES, garbage, i;

	for (i = 1; i < half; i++)
		memcpy(words + i * EVENT_BYTES / FXT_WORD, words, EVENT_BYTES);
	for (garbage = 1; garbage <= 9; garbage += 4) {
		for (i = 0; i < 2; i++) {
			pack_around(self, content, content / 8 + i, garbage);
			walk_frames(self, variant, self->packed.bytes);
			check_frames_end(_metadata, self, "zstd data are damaged", content, content + 1);
		}
	}
}

TEST_F(frames, truncated)
{
	pack_frames(self, FRAMES);
	for (int i = 4; i < FRAMES; i++) {
		size_t middle = (self->at[i] + self->at[i + 1]) / 2;

		if (i % 3 == 0)
			continue;
		walk_frames(self, variant, middle);
		check_frames_end(_metadata, self, "zstd data are truncated", self->content[i],
				 self->content[i + 1]);
	}
}

TEST_F(frames, closed_early)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	size_t most, n;

	pack_frames(self, FRAMES);
	for (most = 1; most < VERY_MANY; most += 10007) {
		ASSERT_EQ(0, fxt_reader_open_memory(&r, self->packed.data, self->packed.bytes,
						    &self->w.o));
		for (n = 0; n < most && fxt_reader_next(r, &rec) == 1; n++)
			;
		EXPECT_EQ(most, n);
		fxt_reader_close(r);
	}
}

/* --- errors of the system ----------------------------------------------------------- */

TEST(no_such_file)
{
	struct walk w = { .ret = 0 };

	EXPECT_EQ(-ENOENT, walk_path(&w, "vectors/no such file"));
	EXPECT_EQ(-EISDIR, walk_path(&w, "/"));
	EXPECT_EQ(-EBADF, walk_fd(&w, 12345));
}

/* Records before the error are returned before the error. */
TEST(read_error)
{
	struct walk w = { .ret = 0 };
	struct built b = { 0 };
	char text[256];
	int fds[2];

	build_events(&b, FEW);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	/* Closing a socket with unread data breaks the connection. */
	ASSERT_EQ(1, write(fds[0], "x", 1));
	ASSERT_EQ((ssize_t)built_bytes(&b), write(fds[1], b.words, built_bytes(&b)));
	close(fds[1]);
	EXPECT_EQ(-ECONNRESET, walk_fd(&w, fds[0]));
	EXPECT_EQ(HEAD_RECORDS - 1UL + FEW, w.met_count);
	EXPECT_EQ(0UL, w.told_count);
	snprintf(text, sizeof(text), "cannot read after byte %zu: Connection reset by peer",
		 built_bytes(&b));
	EXPECT_STREQ(text, w.error);
}

static volatile sig_atomic_t interrupts;

static void count_signal(int signal)
{
	interrupts++;
}

TEST(interrupted)
{
	struct sigaction action = { .sa_handler = count_signal };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct walk w = { .ret = 0 };
	struct built b = { 0 };
	int fds[2];
	pid_t child;

	build_events(&b, FEW);
	ASSERT_EQ(0, pipe(fds));
	child = fork();
	if (!child) {
		usleep(50000);
		_exit(write(fds[1], b.words, built_bytes(&b)) < 0);
	}
	close(fds[1]);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	EXPECT_EQ(0, walk_fd(&w, fds[0]));
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	EXPECT_LT(0, interrupts);
	EXPECT_EQ(HEAD_RECORDS - 1UL + FEW, w.met_count);
	waitpid(child, NULL, 0);
}

/* --- files that are not archives ---------------------------------------------------- */

static void check_no_archive(struct __test_metadata *_metadata, const void *data, size_t bytes,
			     const char *text)
{
	struct walk w = { .ret = 0 };

	for (int strict = 0; strict < 2; strict++) {
		w.o.strict = strict;
		EXPECT_EQ(-EBADMSG, walk_memory(&w, data, bytes));
		EXPECT_STREQ(text, w.error);
		ASSERT_EQ(1UL, w.told_count);
		EXPECT_STREQ(text, w.told[0].text);
		EXPECT_STREQ("magic number record", w.told[0].field);
		EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_NO_MAGIC, w.told[0].kind);
		EXPECT_EQ(0UL, w.told[0].offset);
		EXPECT_EQ(0UL, w.told[0].record);
		EXPECT_TRUE(w.told[0].lost);
		EXPECT_EQ(0UL, w.met_count);
	}
}

#define NO_WORD		"byte 0: record 0: magic number record: fewer than 8 bytes, " \
			"so this is not an FXT archive"
#define EMPTY		"byte 0: record 0: magic number record: missing, because the input is empty"
#define FIRST_WORD(word) "byte 0: record 0: magic number record: the first word is " word \
			 ", so this is not an FXT archive"

#define FOREIGN(what)	"byte 0: record 0: magic number record: this is " what \
			", not an FXT archive"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_WORD(little, big)	FIRST_WORD(little)
#else
#define HOST_WORD(little, big)	FIRST_WORD(big)
#endif

TEST(no_archive)
{
	static const char zeros[100];

	check_no_archive(_metadata, NULL, 0, EMPTY);
	check_no_archive(_metadata, "", 0, EMPTY);
	check_no_archive(_metadata, "\x10\0\x04\x46\x78\x54\x16", 7, NO_WORD);
	check_no_archive(_metadata, zeros, sizeof(zeros), FIRST_WORD("0x0000000000000000"));
	check_no_archive(_metadata, zeros, 8, FIRST_WORD("0x0000000000000000"));
	check_no_archive(_metadata, "\x7f""ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", 16,
			 HOST_WORD("0x00010102464c457f", "0x7f454c4602010100"));
	check_no_archive(_metadata, "# tracer: nop\n#\n", 16, FOREIGN("the text of ftrace"));
}

/* The same messages for compressed files. */
TEST(no_archive_compressed)
{
	static const char zeros[100];
	struct bytes packed = { 0 };

	append_gzip(&packed, zeros, sizeof(zeros));
	check_no_archive(_metadata, packed.data, packed.bytes, FIRST_WORD("0x0000000000000000"));
	packed.bytes = 0;
	append_zstd(&packed, zeros, 0);
	check_no_archive(_metadata, packed.data, packed.bytes, EMPTY);
}

/* Archives of 2017 have no magic number, so an empty file is one. */
TEST(empty_2017)
{
	struct walk w = { .o.format_2017 = true };

	EXPECT_EQ(0, walk_memory(&w, "", 0));
	EXPECT_EQ(0UL, w.met_count);
	EXPECT_EQ(0UL, w.told_count);
}

/*
 * "12345678" twice, and then a copy of 258 bytes from 1025 bytes before. The library counts these
 * as output, but they are what its memory held before.
 */
TEST(gzip_reaches_too_far_back)
{
	static const unsigned char packed[100] = {
		0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x33, 0x34, 0x32, 0x36, 0x31, 0x35, 0x33, 0xb7,
		0x30, 0x34, 0x32, 0x36, 0x31, 0x35, 0x33, 0xb7, 0x18, 0x2d,
	};
	unsigned char out[4096];
	struct fxt_stream *s;
	ssize_t n = 0, got = 0;

	ASSERT_EQ(0, fxt_stream_open(&s, -1, packed, sizeof(packed)));
	while ((n = fxt_stream_read(s, out + got, sizeof(out) - got)) > 0)
		got += n;
	EXPECT_EQ(-EBADMSG, n);
	EXPECT_EQ(16, got);
	EXPECT_EQ(0, memcmp(out, "1234567812345678", 16));
	EXPECT_STREQ("gzip data are damaged", fxt_stream_error(s));
	fxt_stream_close(s);
}
