// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of the writer, word by word, with a different value in every field. The layout of the
 * specification ("Fuchsia trace format") is repeated here by hand as literals; the reader is not
 * used.
 */
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "words.h"

#define MOST_WORDS		64

FIXTURE(words)
{
	int fds[2];
	struct fxt_content c;
};

FIXTURE_SETUP(words)
{
	ASSERT_EQ(0, pipe(self->fds));
}

FIXTURE_TEARDOWN(words) { }

/* The bytes of a stream as a word, on a machine of any byte order. */
static uint64_t bytes(const char *text)
{
	uint64_t word = 0;

	memcpy(&word, text, strlen(text));
	return word;
}

static void expect_words(struct __test_metadata *_metadata, FIXTURE_DATA(words) *self,
			 const uint64_t *expected, size_t count)
{
	uint64_t words[MOST_WORDS] = { 0 };
	struct fxt_writer *w;

	ASSERT_EQ(0, fxt_writer_open(&w, self->fds[1]));
	EXPECT_EQ(0, fxt_writer_record(w, &self->c));
	EXPECT_EQ(count * 8, fxt_writer_bytes(w));
	EXPECT_EQ(0, fxt_writer_close(w));
	ASSERT_EQ((ssize_t)count * 8, read(self->fds[0], words, sizeof(words)));
	for (size_t i = 0; i < count; i++) {
		EXPECT_EQ(expected[i], words[i])
			TH_LOG("%s: word %zu: expected 0x%016jx, written 0x%016jx",
			       fxt_kind_name(self->c.kind), i, (uintmax_t)expected[i],
			       (uintmax_t)words[i]);
	}
}

#define EXPECT_WORDS(...) do {							\
	const uint64_t expected_words[] = { __VA_ARGS__ };			\
										\
	expect_words(_metadata, self, expected_words,				\
		     sizeof(expected_words) / sizeof(uint64_t));		\
} while (0)

static struct fxt_text text(const char *bytes)
{
	return (struct fxt_text){ .bytes = bytes, .length = strlen(bytes) };
}

static struct fxt_text at(uint16_t index)
{
	return (struct fxt_text){ .bytes = "not written", .length = 11, .ref = index };
}

TEST_F(words, metadata)
{
	self->c = (struct fxt_content){ .kind = FXT_KIND_MAGIC };
	EXPECT_WORDS(0x0016547846040010);
	self->c = (struct fxt_content){
		.kind = FXT_KIND_PROVIDER_INFO, .provider_id = 0x89abcdef,
		.name = text("provider!"),
	};
	EXPECT_WORDS(AT(0, 0) | AT(3, 4) | AT(1, 16) | AT(0x89abcdef, 20) | AT(9, 52),
		     bytes("provider"), bytes("!"));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = 0x89abcdef,
	};
	EXPECT_WORDS(AT(0, 0) | AT(1, 4) | AT(2, 16) | AT(0x89abcdef, 20));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_PROVIDER_EVENT, .provider_id = 0x89abcdef, .event = 13,
	};
	EXPECT_WORDS(AT(0, 0) | AT(1, 4) | AT(3, 16) | AT(0x89abcdef, 20) | AT(13, 52));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_INITIALIZATION, .ticks_per_second = 0x0123456789abcdef,
	};
	EXPECT_WORDS(AT(1, 0) | AT(2, 4), 0x0123456789abcdef);
}

TEST_F(words, strings_and_threads)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_STRING, .index = 0x7ffe, .name = text("a string"),
	};
	EXPECT_WORDS(AT(2, 0) | AT(2, 4) | AT(0x7ffe, 16) | AT(8, 32), bytes("a string"));
	self->c.name = text("");
	EXPECT_WORDS(AT(2, 0) | AT(1, 4) | AT(0x7ffe, 16));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_THREAD, .index = 0xfe,
		.thread = { .process = 11, .thread = 12, .ref = 3 },
	};
	EXPECT_WORDS(AT(3, 0) | AT(3, 4) | AT(0xfe, 16), 11, 12);
}

/* Events use indexes where they can. The table lists what differs between the types. */
TEST_F(words, event_types)
{
	static const struct {
		enum fxt_kind kind;
		uint64_t type;
		bool more;	/* a word after the arguments */
	} table[] = {
		{ FXT_KIND_INSTANT, 0, false },
		{ FXT_KIND_COUNTER, 1, true },
		{ FXT_KIND_DURATION_BEGIN, 2, false },
		{ FXT_KIND_DURATION_END, 3, false },
		{ FXT_KIND_DURATION_COMPLETE, 4, true },
		{ FXT_KIND_ASYNC_BEGIN, 5, true },
		{ FXT_KIND_ASYNC_INSTANT, 6, true },
		{ FXT_KIND_ASYNC_END, 7, true },
		{ FXT_KIND_FLOW_BEGIN, 8, true },
		{ FXT_KIND_FLOW_STEP, 9, true },
		{ FXT_KIND_FLOW_END, 10, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		uint64_t header = AT(4, 0) | AT(table[i].type, 16) | AT(1, 20) |
				  AT(0xfd, 24) | AT(0x7ffc, 32) | AT(0x7ffb, 48);

		self->c = (struct fxt_content){
			.kind = table[i].kind, .time = 21, .arg_count = 1,
			.thread = { .process = 1, .thread = 2, .ref = 0xfd },
			.category = at(0x7ffc), .name = at(0x7ffb),
		};
		self->c.args[0] = (struct fxt_arg){ .name = at(6), .type = FXT_ARG_NULL };
		if (table[i].kind == FXT_KIND_DURATION_COMPLETE)
			self->c.end = 22;
		else if (table[i].more)
			self->c.id = 22;
		if (table[i].more)
			EXPECT_WORDS(header | AT(4, 4), 21, AT(1, 4) | AT(6, 16), 22);
		else
			EXPECT_WORDS(header | AT(3, 4), 21, AT(1, 4) | AT(6, 16));
	}
}

TEST_F(words, event_with_all_inline)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_COUNTER, .time = 21, .id = 22, .arg_count = 1,
		.thread = { .process = 31, .thread = 32 },
		.category = text("category"), .name = text("name"),
	};
	self->c.args[0] = (struct fxt_arg){
		.name = text("arg"), .type = FXT_ARG_UINT64, .u64 = 23,
	};
	EXPECT_WORDS(AT(4, 0) | AT(10, 4) | AT(1, 16) | AT(1, 20) | AT(0x8008, 32) |
		     AT(0x8004, 48), 21, 31, 32, bytes("category"), bytes("name"),
		     AT(4, 0) | AT(3, 4) | AT(0x8003, 16), bytes("arg"), 23, 22);
	/* Empty in both ways. */
	self->c.category = text("");
	self->c.name = (struct fxt_text){ .bytes = "", .ref = 0x8000 };
	self->c.arg_count = 0;
	EXPECT_WORDS(AT(4, 0) | AT(5, 4) | AT(1, 16) | AT(0x8000, 48), 21, 31, 32, 22);
}

TEST_F(words, arguments)
{
	const struct fxt_arg args[] = {
		{ .name = at(1), .type = FXT_ARG_NULL },
		{ .name = at(2), .type = FXT_ARG_INT32, .i64 = -2 },
		{ .name = at(3), .type = FXT_ARG_UINT32, .u64 = 0xfffffffd },
		{ .name = at(4), .type = FXT_ARG_INT64, .i64 = -4 },
		{ .name = at(5), .type = FXT_ARG_UINT64, .u64 = 0xfffffffffffffffb },
		{ .name = at(6), .type = FXT_ARG_DOUBLE, .f64 = -1.5 },
		{ .name = at(7), .type = FXT_ARG_STRING, .text = at(0x7ff0) },
		{ .name = text("n"), .type = FXT_ARG_STRING, .text = text("v") },
		{ .name = at(8), .type = FXT_ARG_POINTER, .u64 = 108 },
		{ .name = at(9), .type = FXT_ARG_KOID, .u64 = 109 },
		{ .name = at(10), .type = FXT_ARG_BOOL, .u64 = 1 },
		{ .name = at(11), .type = FXT_ARG_BOOL, .u64 = 0 },
		{ .name = at(12), .type = FXT_ARG_BLOB, .blob = { "123456789", 9 } },
		{ .name = text("b"), .type = FXT_ARG_BLOB, .blob = { "\xff", 1 } },
		{ .name = at(13), .type = FXT_ARG_BLOB },
	};

	self->c = (struct fxt_content){
		.kind = FXT_KIND_KERNEL_OBJECT, .object = 41, .object_type = 0xfe,
		.name = at(0x7ffd), .arg_count = 15,
	};
	memcpy(self->c.args, args, sizeof(args));
	EXPECT_WORDS(AT(7, 0) | AT(28, 4) | AT(0xfe, 16) | AT(0x7ffd, 24) | AT(15, 40), 41,
		     AT(0, 0) | AT(1, 4) | AT(1, 16),
		     AT(1, 0) | AT(1, 4) | AT(2, 16) | AT(0xfffffffe, 32),
		     AT(2, 0) | AT(1, 4) | AT(3, 16) | AT(0xfffffffd, 32),
		     AT(3, 0) | AT(2, 4) | AT(4, 16), 0xfffffffffffffffc,
		     AT(4, 0) | AT(2, 4) | AT(5, 16), 0xfffffffffffffffb,
		     AT(5, 0) | AT(2, 4) | AT(6, 16), 0xbff8000000000000,
		     AT(6, 0) | AT(1, 4) | AT(7, 16) | AT(0x7ff0, 32),
		     AT(6, 0) | AT(3, 4) | AT(0x8001, 16) | AT(0x8001, 32),
		     bytes("n"), bytes("v"),
		     AT(7, 0) | AT(2, 4) | AT(8, 16), 108,
		     AT(8, 0) | AT(2, 4) | AT(9, 16), 109,
		     AT(9, 0) | AT(1, 4) | AT(10, 16) | AT(1, 32),
		     AT(9, 0) | AT(1, 4) | AT(11, 16),
		     AT(10, 0) | AT(3, 4) | AT(12, 16) | AT(9, 32),
		     bytes("12345678"), bytes("9"),
		     AT(10, 0) | AT(3, 4) | AT(0x8001, 16) | AT(1, 32),
		     bytes("b"), bytes("\xff"),
		     AT(10, 0) | AT(1, 4) | AT(13, 16));
}

TEST_F(words, blobs_and_objects)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_BLOB, .name = text("blob"), .blob = { "payload", 7 },
		.blob_held = 7, .blob_type = 0xfd,
	};
	EXPECT_WORDS(AT(5, 0) | AT(3, 4) | AT(0x8004, 16) | AT(7, 32) | AT(0xfd, 48),
		     bytes("blob"), bytes("payload"));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_KERNEL_OBJECT, .object = 41, .object_type = 2,
		.name = text("main"),
	};
	EXPECT_WORDS(AT(7, 0) | AT(3, 4) | AT(2, 16) | AT(0x8004, 24), 41, bytes("main"));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_USERSPACE_OBJECT, .object = 42, .name = text("object"),
		.thread = { .process = 43, .thread = 44 }, .arg_count = 1,
	};
	self->c.args[0] = (struct fxt_arg){ .name = at(6), .type = FXT_ARG_NULL };
	EXPECT_WORDS(AT(6, 0) | AT(5, 4) | AT(0x8006, 24) | AT(1, 40), 42, 43,
		     bytes("object"), AT(1, 4) | AT(6, 16));
	self->c.thread.ref = 0xfe;
	self->c.name = at(0x7ffd);
	EXPECT_WORDS(AT(6, 0) | AT(3, 4) | AT(0xfe, 16) | AT(0x7ffd, 24) | AT(1, 40), 42,
		     AT(1, 4) | AT(6, 16));
}

TEST_F(words, scheduling)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_CONTEXT_SWITCH, .time = 51, .arg_count = 2,
		.sw = { .time = 1, .out = 52, .in = 53, .cpu = 0xfffe, .state = 5,
			.out_weight = 2, .in_weight = 3, .letter = 'D' },
	};
	self->c.args[0] = (struct fxt_arg){ .name = at(6), .type = FXT_ARG_NULL };
	self->c.args[1] = (struct fxt_arg){ .name = at(7), .type = FXT_ARG_NULL };
	EXPECT_WORDS(AT(8, 0) | AT(6, 4) | AT(2, 16) | AT(0xfffe, 20) | AT(5, 36) |
		     AT(1, 60), 51, 52, 53, AT(1, 4) | AT(6, 16), AT(1, 4) | AT(7, 16));
	self->c.kind = FXT_KIND_THREAD_WAKEUP;
	self->c.wakeup = (struct fxt_wakeup){
		.time = 1, .thread = 54, .waker = 2, .weight = 3, .cpu = 0xfffd,
	};
	EXPECT_WORDS(AT(8, 0) | AT(5, 4) | AT(2, 16) | AT(0xfffd, 20) | AT(2, 60), 51, 54,
		     AT(1, 4) | AT(6, 16), AT(1, 4) | AT(7, 16));
}

TEST_F(words, legacy_switches)
{
	const uint64_t header = AT(8, 0) | AT(0xfe, 16) | AT(5, 24) | AT(0xfb, 44) |
				AT(0xfa, 52);

	self->c = (struct fxt_content){ .kind = FXT_KIND_LEGACY_SWITCH, .time = 51 };
	self->c.legacy = (struct fxt_legacy_switch){
		.out = { .process = 61, .thread = 62 }, .in = { .process = 63, .thread = 64 },
		.cpu = 0xfe, .state = 5, .out_priority = 0xfb, .in_priority = 0xfa,
	};
	EXPECT_WORDS(header | AT(6, 4), 51, 61, 62, 63, 64);
	self->c.legacy.in.ref = 0xfc;
	EXPECT_WORDS(header | AT(4, 4) | AT(0xfc, 36), 51, 61, 62);
	self->c.legacy.out.ref = 0xfd;
	EXPECT_WORDS(header | AT(2, 4) | AT(0xfd, 28) | AT(0xfc, 36), 51);
	self->c.legacy.in.ref = 0;
	EXPECT_WORDS(header | AT(4, 4) | AT(0xfd, 28), 51, 63, 64);
}

TEST_F(words, log_and_profiler)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_LOG, .time = 71, .name = text("a message"),
		.thread = { .process = 72, .thread = 73 },
	};
	EXPECT_WORDS(AT(9, 0) | AT(6, 4) | AT(9, 16), 71, 72, 73, bytes("a messag"), bytes("e"));
	self->c.thread.ref = 0xfe;
	EXPECT_WORDS(AT(9, 0) | AT(4, 4) | AT(9, 16) | AT(0xfe, 32), 71,
		     bytes("a messag"), bytes("e"));
	self->c.kind = FXT_KIND_MODULE;
	self->c.name = text("libc");
	self->c.module_id = 0xfffd;
	self->c.build_id = (struct fxt_bytes){ "\x01\x02\x03", 3 };
	EXPECT_WORDS(AT(10, 0) | AT(4, 4) | AT(0, 16) | AT(0xfe, 20) | AT(0xfffd, 28) |
		     AT(4, 44) | AT(3, 52), 71, bytes("libc"), bytes("\x01\x02\x03"));
	self->c = (struct fxt_content){
		.kind = FXT_KIND_MMAP, .time = 71, .thread.ref = 0xfe, .module_id = 0xfffd,
		.flags = 5, .start = 74, .range = 75, .vaddr = 76,
	};
	EXPECT_WORDS(AT(10, 0) | AT(5, 4) | AT(1, 16) | AT(0xfe, 20) | AT(0xfffd, 28) |
		     AT(5, 44), 71, 74, 75, 76);
	self->c = (struct fxt_content){
		.kind = FXT_KIND_BACKTRACE, .time = 71, .frame_count = 3,
		.thread = { .process = 72, .thread = 73 }, .frames = { 77, 78, 79, 80 },
	};
	EXPECT_WORDS(AT(10, 0) | AT(7, 4) | AT(2, 16) | AT(3, 28), 71, 72, 73, 77, 78, 79);
}

TEST_F(words, large_blobs)
{
	self->c = (struct fxt_content){
		.kind = FXT_KIND_LARGE_BLOB, .time = 81, .category = text("category"),
		.name = text("name"), .thread = { .process = 82, .thread = 83 },
		.blob = { "a payload", 9 }, .blob_held = 9, .arg_count = 1,
	};
	self->c.args[0] = (struct fxt_arg){ .name = at(6), .type = FXT_ARG_NULL };
	EXPECT_WORDS(AT(15, 0) | AT(11, 4) | AT(0, 36) | AT(0, 40),
		     AT(0x8008, 0) | AT(0x8004, 16) | AT(1, 32), bytes("category"),
		     bytes("name"), 81, 82, 83, AT(1, 4) | AT(6, 16), 9,
		     bytes("a payloa"), bytes("d"));
	self->c.thread.ref = 0xfe;
	self->c.name = at(0x7ffd);
	EXPECT_WORDS(AT(15, 0) | AT(8, 4) | AT(0, 36) | AT(0, 40),
		     AT(0x8008, 0) | AT(0x7ffd, 16) | AT(1, 32) | AT(0xfe, 36),
		     bytes("category"), 81, AT(1, 4) | AT(6, 16), 9, bytes("a payloa"), bytes("d"));
	self->c.kind = FXT_KIND_LARGE_BLOB_BARE;
	EXPECT_WORDS(AT(15, 0) | AT(6, 4) | AT(0, 36) | AT(1, 40),
		     AT(0x8008, 0) | AT(0x7ffd, 16), bytes("category"), 9,
		     bytes("a payloa"), bytes("d"));
}
