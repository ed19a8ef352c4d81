// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt convert --to fxt` of archives that are compressed, of the other byte order, of 2017, or
 * damaged: a strict reader accepts the result, which has the same content, as far as a lenient
 * reader can read it.
 */
#include <zlib.h>

#include "convert_run.h"
#include "collector.h"
#include "undefined_records.h"

static int keep(struct memory *m, const struct tool *t)
{
	if (memory_open(m) || write(m->fd, t->out, t->out_bytes) != (ssize_t)t->out_bytes)
		return -1;
	return memory_map(m);
}

static int read_strictly(const struct memory *m)
{
	struct census census;
	char why[256] = "";
	int ret = census_take(m, &census, why);

	if (ret)
		fprintf(stderr, "%s\n", why);
	return ret;
}

/* The next record of this kind; its content stays valid with the reader. */
static bool find_kind(struct fxt_reader *r, enum fxt_kind kind, struct fxt_content *c)
{
	struct fxt_record rec;

	while (fxt_reader_next(r, &rec) > 0)
		if (!fxt_reader_content(r, &rec, c) && c->kind == kind)
			return true;
	return false;
}

TEST(fxt_says_the_same)
{
	static const unsigned int flags[] = { 0, GENERATE_SWAPPED, GENERATE_NO_LARGE };
	struct memory native, m, made, again;
	char why[256] = "";
	struct tool t;

	for (size_t i = 0; i < 3; i++) {
		ASSERT_EQ(0, memory_open(&native));
		ASSERT_EQ(0, generate_all(native.fd, flags[i] & ~GENERATE_SWAPPED));
		ASSERT_EQ(0, memory_map(&native));
		ASSERT_EQ(0, memory_open(&m));
		ASSERT_EQ(0, generate_all(m.fd, flags[i]));
		ASSERT_EQ(0, memory_map(&m));
		ASSERT_EQ(0, convert_piped(&t, "fxt", "--strict", &m)) TH_LOG("%s", t.err);
		ASSERT_EQ(0, keep(&made, &t));
		EXPECT_EQ(0, copy_differs(&native, &made, why)) TH_LOG("%s", why);
		/* A valid archive that is interned already stays unchanged. */
		ASSERT_EQ(0, convert(&t, "fxt", "--strict", &made));
		ASSERT_EQ(0, keep(&again, &t));
		ASSERT_EQ(made.bytes, again.bytes);
		EXPECT_EQ(0, memcmp(made.data, again.data, made.bytes));
	}
}

/* The file extension selects the compression; the archive inside is the same. */
TEST(fxt_is_compressed_by_its_ending)
{
	static const struct {
		const char *ending;
		unsigned char begin[2];
	} kinds[] = {
		{ ".fxt.zst", { 0x28, 0xb5 } }, { ".fxt.zstd", { 0x28, 0xb5 } },
		{ ".fxt.gz", { 0x1f, 0x8b } }, { ".fxt", { 0x10, 0x00 } },
	};
	char dir[64], out[96], in[64];
	unsigned char begin[2];
	struct memory m, made;
	char why[256] = "";
	struct tool t;
	int fd;

	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_all(m.fd, 0));
	ASSERT_EQ(0, memory_map(&m));
	for (size_t i = 0; i < 4; i++) {
		snprintf(out, sizeof(out), "%s/x%s", dir, kinds[i].ending);
		ASSERT_EQ(0, tool_run(&t, ARGS("convert", "-o", out, memory_path(&m, in))))
			TH_LOG("%s", t.err);
		fd = open(out, O_RDONLY | O_CLOEXEC);
		ASSERT_EQ(2, read(fd, begin, 2));
		close(fd);
		EXPECT_EQ(0, memcmp(begin, kinds[i].begin, 2)) TH_LOG("%s", out);
		ASSERT_EQ(0, tool_run(&t, ARGS("convert", "--to", "fxt", out)));
		ASSERT_EQ(0, keep(&made, &t));
		EXPECT_EQ(0, copy_differs(&m, &made, why)) TH_LOG("%s", why);
	}
	dir_remove(dir);
}

/* Ledgers are words to fxt-sched, bytes to the format. */
TEST(fxt_keeps_ledgers)
{
	struct fxt_ledger ledger = { .stream = 3, .time = 1, .last = 2, .written = 4, .lost = 5 };
	struct fxt_content c = {
		.kind = FXT_KIND_BLOB, .name = TEXT("fxt_sched.ledger"), .blob_type = FXT_BLOB_DATA,
	};
	uint64_t words[FXT_LEDGER_WORDS], i;
	struct fxt_reader *r;
	struct fxt_writer *w;
	struct memory m, made;
	struct tool t;

	fxt_sched_put_ledger((__u64 *)words, &ledger);
	for (i = 1; i < FXT_LEDGER_WORDS; i++)
		words[i] = __builtin_bswap64(words[i]);
	c.blob = (struct fxt_bytes){ words + 1, FXT_LEDGER_BYTES };
	c.blob_held = FXT_LEDGER_BYTES;
	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, fxt_writer_open(&w, m.fd));
	ASSERT_EQ(0, fxt_writer_swap(w));
	ASSERT_EQ(0, fxt_writer_magic(w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, convert(&t, "fxt", "--strict", &m));
	ASSERT_EQ(0, keep(&made, &t));
	ASSERT_EQ(0, fxt_reader_open_memory(&r, made.data, made.bytes, NULL));
	ASSERT_TRUE(find_kind(r, FXT_KIND_BLOB, &c));
	fxt_sched_put_ledger((__u64 *)words, &ledger);
	ASSERT_EQ(FXT_LEDGER_BYTES, (int)c.blob.bytes);
	EXPECT_EQ(0, memcmp(words + 1, c.blob.data, FXT_LEDGER_BYTES));
	fxt_reader_close(r);
}

TEST(fxt_takes_compressed_ones)
{
	struct memory m, packed, made;
	char path[64], why[256];
	struct tool t;
	gzFile gz;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 5000, 2));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, memory_open(&packed));
	gz = gzopen(memory_path(&packed, path), "w");
	ASSERT_NE(NULL, gz);
	ASSERT_EQ((int)m.bytes, gzwrite(gz, m.data, m.bytes));
	ASSERT_EQ(Z_OK, gzclose(gz));
	ASSERT_EQ(0, memory_map(&packed));
	ASSERT_EQ(0, convert(&t, "fxt", "--strict", &packed)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, copy_differs(&m, &made, why)) TH_LOG("%s", why);
}

/* The first version of the format: no magic number, other event types. */
TEST(fxt_takes_2017)
{
	const uint64_t words[] = {
		fxt_event(5, FXT_2017_EVENT_ASYNC_BEGIN, 0, FXT_THREAD_REF_INLINE,
			  FXT_STRING_REF_EMPTY, FXT_STRING_REF_EMPTY),
		123, 5, 7, 0xabc,
	};
	struct memory m, made;
	struct census census;
	char why[256] = "";
	struct tool t;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ((ssize_t)sizeof(words), write(m.fd, words, sizeof(words)));
	ASSERT_EQ(0, memory_map(&m));
	EXPECT_EQ(EXIT_UNREADABLE, convert(&t, "fxt", NULL, &m));
	ASSERT_EQ(0, convert(&t, "fxt", "--format=2017", &m)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, census_take(&made, &census, why)) TH_LOG("%s", why);
	EXPECT_EQ(1, (int)census.kinds[FXT_KIND_ASYNC_BEGIN]);
}

/* Undefined records are copied, unless today's format would take them for an event. */
TEST(fxt_keeps_no_number_of_2017)
{
	const uint64_t undefined = fxt_put(FXT_SIZE, 2) | FXT_RECORD_EVENT;
	const uint64_t words[] = {
		undefined | 15 << 16, 0x123,
		undefined | FXT_EVENT_FLOW_END << 16, 0x456,
		fxt_event(4, FXT_2017_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			  FXT_STRING_REF_EMPTY, FXT_STRING_REF_EMPTY), 123, 5, 7,
	};
	struct memory m, made;
	struct tool t;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ((ssize_t)sizeof(words), write(m.fd, words, sizeof(words)));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(EXIT_DEVIATES, convert(&t, "fxt", "--format=2017", &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, ": 1 records were omitted");
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, read_strictly(&made));
	EXPECT_EQ(8 + 16 + 32, (int)made.bytes);
}

TEST(fxt_repairs)
{
	const uint64_t words[] = {
		FXT_MAGIC_RECORD,
		fxt_provider_section(77),
		fxt_initialization(), 0,
		fxt_string(1, 3), 0x636261,
		/* Reserved bits, and three bytes. */
		fxt_blob(2, FXT_STRING_REF_EMPTY, 3, FXT_BLOB_DATA) | 1ULL << 63, 0x636261,
		/* A byte that is invalid UTF-8. */
		fxt_event(5, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			  FXT_STRING_REF_EMPTY, fxt_string_ref_inline(3)), 1, 2, 3, 0x63ff61,
		/* Threads that are switched out without a state, and in the state "running". */
		fxt_context_switch(4, 0, 2, 9), 4, 5, 6,
		fxt_legacy_switch(6, 0, FXT_THREAD_RUNNING, 0, 0, 1, 1), 5, 6, 6, 7, 7,
		fxt_provider_section(77),
		fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			  FXT_STRING_REF_EMPTY, 1), 6, 2, 3,
	};
	struct memory m, made;
	struct fxt_content c;
	struct fxt_reader *r;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, words, sizeof(words)));
	ASSERT_EQ(EXIT_DEVIATES, convert(&t, "fxt", NULL, &m)) TH_LOG("%s", t.err);
	/* Two sections, reserved bits, text, two states. */
	EXPECT_IN(t.err, ": 6 records were changed");
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, read_strictly(&made));
	ASSERT_EQ(0, fxt_reader_open_memory(&r, made.data, made.bytes, NULL));
	ASSERT_TRUE(find_kind(r, FXT_KIND_PROVIDER_INFO, &c));
	EXPECT_EQ(77, (int)c.provider_id);
	ASSERT_TRUE(find_kind(r, FXT_KIND_BLOB, &c));
	EXPECT_EQ(0, memcmp("abc", c.blob.data, 3));
	ASSERT_TRUE(find_kind(r, FXT_KIND_INSTANT, &c));
	EXPECT_TRUE(fxt_text_is(&c.name, "a?c"));
	ASSERT_TRUE(find_kind(r, FXT_KIND_CONTEXT_SWITCH, &c));
	EXPECT_EQ(FXT_THREAD_NEW, c.sw.state);
	ASSERT_TRUE(find_kind(r, FXT_KIND_LEGACY_SWITCH, &c));
	EXPECT_EQ(FXT_THREAD_NEW, c.legacy.state);
	/* A string is registered where it is needed; a second section needs no provider info. */
	ASSERT_TRUE(find_kind(r, FXT_KIND_INSTANT, &c));
	EXPECT_TRUE(fxt_text_is(&c.name, "abc"));
	fxt_reader_close(r);
}

TEST(fxt_keeps_what_is_not_defined)
{
	struct built b = { 0 };
	struct memory m, made;
	char path[64];
	struct tool t;

	build_undefined(&b);
	ASSERT_EQ(0, hold_bytes(&m, b.words, built_bytes(&b)));
	ASSERT_EQ(0, convert(&t, "fxt", NULL, &m)) TH_LOG("%s", t.err);
	EXPECT_STREQ("", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	ASSERT_EQ(m.bytes, made.bytes);
	EXPECT_EQ(0, memcmp(m.data, made.data, m.bytes));
	EXPECT_TRUE(undefined_is_whole(memory_path(&made, path)));
}

/* Words behind the last field are copied, too, if the record cannot have arguments. */
TEST(fxt_keeps_words_behind_metadata)
{
	const uint64_t one = fxt_put(FXT_SIZE, 1), word = UNDEFINED_WORD;
	const uint64_t words[] = {
		FXT_MAGIC_RECORD,
		fxt_provider_info(7, 3) + one, 0x6e6567, word,
		fxt_initialization() + 2 * one, 1000, 0, word,
		fxt_string(1, 3) + one, 0x636261, word,
		fxt_thread(1) + one, 5, 6, word,
		fxt_provider_event(7, FXT_PROVIDER_EVENT_BUFFER_FULL) + one, word,
		fxt_provider_section(7) + one, word,
		fxt_event(2, FXT_EVENT_INSTANT, 0, 1, 1, 1), 100,
	};
	struct memory m, made;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, words, sizeof(words)));
	ASSERT_EQ(0, convert(&t, "fxt", NULL, &m)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	ASSERT_EQ(m.bytes, made.bytes);
	EXPECT_EQ(0, memcmp(m.data, made.data, m.bytes));
}

/* Names of kernel objects may be any bytes, and stay unchanged. */
TEST(fxt_keeps_names_of_objects)
{
	const uint64_t words[] = {
		FXT_MAGIC_RECORD,
		fxt_kernel_object(3, FXT_OBJECT_PROCESS, fxt_string_ref_inline(3), 0), 7, 0x63ff61,
	};
	struct memory m, made;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, words, sizeof(words)));
	ASSERT_EQ(0, convert(&t, "fxt", "--strict", &m)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	ASSERT_EQ(m.bytes, made.bytes);
	EXPECT_EQ(0, memcmp(m.data, made.data, m.bytes));
}

/* So may the flags of a backtrace, which the format reserves. */
TEST(fxt_keeps_flags_of_backtraces)
{
	const uint64_t words[] = {
		FXT_MAGIC_RECORD, fxt_profiler_backtrace(5, 0, 1) | 5ULL << 37, 1000, 7, 8, 0x1234,
	};
	struct memory m, made;
	struct tool t;

	ASSERT_EQ(0, hold_bytes(&m, words, sizeof(words)));
	ASSERT_EQ(0, convert(&t, "fxt", "--strict", &m)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	ASSERT_EQ(m.bytes, made.bytes);
	EXPECT_EQ(0, memcmp(m.data, made.data, m.bytes));
}

/* In the other byte order, it is unknown which words of an undefined record are text. */
TEST(fxt_counts_what_it_cannot_keep)
{
	struct built b = { .swapped = true };
	struct memory m, made;
	struct tool t;

	build_undefined(&b);
	ASSERT_EQ(0, hold_bytes(&m, b.words, built_bytes(&b)));
	ASSERT_EQ(EXIT_DEVIATES, convert(&t, "fxt", NULL, &m));
	EXPECT_IN(t.err, ": 5 records were omitted");
	EXPECT_IN(t.err, ": 1 records were changed");
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, read_strictly(&made));
}

/*
 * A record begins with its size. Here, the archive ends before the record does, which a tool that
 * cannot seek finds out late.
 */
TEST(fxt_shortens_large_blobs)
{
	enum { PROMISED = 8 << 20, KEPT = 5000000 };
	struct fxt_content c = {
		.kind = FXT_KIND_LARGE_BLOB, .name = TEXT("large"), .arg_count = 1,
	};
	struct fxt_writer *w;
	struct memory m, cut, made;
	struct fxt_reader *r;
	char *data = calloc(1, PROMISED);
	struct tool t;

	for (size_t i = 0; i < PROMISED; i++)
		data[i] = i % 251;
	c.args[0] = (struct fxt_arg){ .name = TEXT("argument"), .type = FXT_ARG_STRING };
	c.args[0].text = TEXT("value");
	c.blob = (struct fxt_bytes){ data, PROMISED };
	c.blob_held = PROMISED;
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, hold_bytes(&cut, m.data, KEPT));
	EXPECT_EQ(EXIT_DEVIATES, convert_piped(&t, "fxt", NULL, &cut)) TH_LOG("%s", t.err);
	ASSERT_EQ(0, keep(&made, &t));
	EXPECT_EQ(0, read_strictly(&made));
	ASSERT_EQ(0, fxt_reader_open_memory(&r, made.data, made.bytes, NULL));
	ASSERT_TRUE(find_kind(r, FXT_KIND_LARGE_BLOB, &c)) TH_LOG("%s", t.err);
	EXPECT_GT(KEPT, (int)c.blob.bytes);
	EXPECT_LT(KEPT - 200, (int)c.blob.bytes);
	EXPECT_EQ(0, memcmp(data, c.blob.data, c.blob_held));
	EXPECT_EQ(0, memcmp("value", c.args[0].text.bytes, 5));
	fxt_reader_close(r);
}

/* Keep the first @bytes of @whole, and change some of them. */
static int damage(struct memory *m, const struct memory *whole, size_t bytes)
{
	static const char bad[] = { '\xff', '\x80' };

	if (memory_open(m) || write(m->fd, whole->data, bytes) != (ssize_t)bytes)
		return -1;
	for (size_t at = bytes / 3; at + 8 < bytes; at += 1 + bytes / 7)
		if (pwrite(m->fd, &bad[at % 2], 1, at) != 1)
			return -1;
	return memory_map(m);
}

TEST(fxt_is_sound_whatever_comes)
{
	struct memory whole, m, made;
	struct tool t;
	size_t cut;

	ASSERT_EQ(0, memory_open(&whole));
	ASSERT_EQ(0, generate_all(whole.fd, 0));
	ASSERT_EQ(0, memory_map(&whole));
	for (cut = 64; cut < whole.bytes; cut += 1 + (cut < 300000 ? 4321 : whole.bytes / 13)) {
		ASSERT_EQ(0, damage(&m, &whole, cut));
		EXPECT_GE(EXIT_DEVIATES, convert(&t, "fxt", NULL, &m));
		ASSERT_EQ(0, keep(&made, &t));
		EXPECT_EQ(0, read_strictly(&made)) TH_LOG("%zu bytes", cut);
	}
}
