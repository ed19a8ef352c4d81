// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Matches for zstd: a parse covers each byte once and copies only existing bytes; it is small if
 * records repeat; and any zstd can decompress the result.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "output/compress.h"

#define BLOCK		(128U << 10)	/* zstd's largest */
#define BLOCK_WORDS	(BLOCK / FXT_WORD)

FIXTURE(match)
{
	struct output_match m;
	__u64 words[BLOCK_WORDS + 2];
	size_t count;
	ZSTD_Sequence *out;
	size_t out_count;
	size_t before;	/* bytes of the frame that are in memory before a block */
	uint64_t state;
	bool used;	/* this zstd accepts our parser */
};

static void begin(FIXTURE_DATA(match) *self)
{
	output_match_begin(&self->m);
	self->before = 0;
}

FIXTURE_SETUP(match)
{
	begin(self);
	self->out = calloc(ZSTD_sequenceBound(BLOCK), sizeof(*self->out));
	ASSERT_NE(NULL, self->out);
	self->state = 1;
}

FIXTURE_TEARDOWN(match) { }

static uint32_t any(FIXTURE_DATA(match) *self, uint32_t limit)
{
	self->state = self->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (self->state >> 33) % limit;
}

static bool parse(FIXTURE_DATA(match) *self, const void *src, size_t bytes)
{
	const unsigned char *b = src;
	const ZSTD_Sequence *s;
	size_t at = 0, i;

	self->out_count = output_match_parse(&self->m, self->out, ZSTD_sequenceBound(bytes), src,
					     bytes, NULL, 0, 1, BLOCK);
	if (!self->out_count || self->out_count > ZSTD_sequenceBound(bytes))
		return false;
	for (s = self->out; s < self->out + self->out_count; s++) {
		at += s->litLength;
		if (s == self->out + self->out_count - 1) {
			self->before += bytes;
			return at == bytes && !s->matchLength && !s->offset;
		}
		if (s->matchLength < 3 || !s->offset || s->offset > self->before + at ||
		    at + s->matchLength > bytes)
			return false;
		/* Byte by byte, because a copy may overlap its source. */
		for (i = 0; i < s->matchLength; i++, at++)
			if (b[at] != b[at - s->offset])
				return false;
	}
	return false;
}

/* zstd itself checks the parse, and any zstd decompresses the result. */
static size_t compressed(FIXTURE_DATA(match) *self, const void *src, size_t bytes)
{
	size_t room = ZSTD_compressBound(bytes), size = 0;
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	void *out = malloc(room), *back = malloc(bytes);

	self->used = output_match_use(zstd, &self->m);
	if (self->used) {
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_validateSequences, 1);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_enableSeqProducerFallback, 0);
	}
	size = ZSTD_compress2(zstd, out, room, src, bytes);
	if (ZSTD_isError(size) || ZSTD_decompress(back, bytes, out, size) != bytes ||
	    memcmp(src, back, bytes))
		size = 0;
	ZSTD_freeCCtx(zstd);
	return size;
}

/* Two threads that wake each other, at unpredictable times. */
static void ping_pong(FIXTURE_DATA(match) *self)
{
	static const struct fxt_sched_state blocked = { FXT_THREAD_BLOCKED, 0 };
	__u64 *words = self->words, time = 1ULL << 40;

	self->count = 0;
	for (unsigned int i = 0; self->count + 2 * FXT_SCHED_SWITCH_WORDS <= BLOCK_WORDS; i++) {
		time += 200 + any(self, 1000);
		self->count += fxt_sched_put_wakeup(words + self->count, time, 3, 1000 + i % 2,
						    1024, 1001 - i % 2);
		time += 200 + any(self, 1000);
		self->count += fxt_sched_put_switch(words + self->count, time, 3, 1001 - i % 2,
						    1000 + i % 2, 1024, 1024, blocked);
	}
}

TEST_F(match, follows_what_repeats)
{
	size_t bytes, size, own, records;
	void *out;

	ping_pong(self);
	bytes = self->count * FXT_WORD;
	records = self->count / FXT_SCHED_USUAL_WAKEUP_WORDS;
	ASSERT_TRUE(parse(self, self->words, bytes));
	/* One copy per record, and sometimes one more when the low bytes of the time overflow. */
	EXPECT_GT(records + records / 16, self->out_count);
	EXPECT_EQ(0U, self->m.rest);
	out = malloc(ZSTD_compressBound(bytes));
	own = ZSTD_compress(out, ZSTD_compressBound(bytes), self->words, bytes, 3);
	size = compressed(self, self->words, bytes);
	ASSERT_NE(0U, size);
	if (self->used)
		EXPECT_GT(own * 4 / 5, size);
}

/* Records cross the ends of blocks, which are at any word. */
TEST_F(match, goes_on_in_the_next_block)
{
	size_t at, size, first;

	ping_pong(self);
	for (first = 1; first < 3 * FXT_SCHED_SWITCH_WORDS; first++) {
		begin(self);
		for (at = 0; at < self->count; at += size) {
			size = at ? 600 : first;
			size = size < self->count - at ? size : self->count - at;
			ASSERT_TRUE(parse(self, self->words + at, size * FXT_WORD));
			EXPECT_EQ((FXT_SCHED_USUAL_WAKEUP_WORDS - (at + size) % FXT_SCHED_USUAL_WAKEUP_WORDS) %
				  FXT_SCHED_USUAL_WAKEUP_WORDS, self->m.rest);
			EXPECT_TRUE(!at || self->out_count < size / 3);
		}
	}
}

/* Records of many threads, each of which has been seen a while ago, with faults. */
static void fill(FIXTURE_DATA(match) *self, __u64 *words, size_t count)
{
	static const struct fxt_sched_state blocked = { FXT_THREAD_BLOCKED, 0 };
	uint64_t time = 1ULL << 40;
	unsigned int a;
	size_t at = 0;

	while (at + FXT_SCHED_SWITCH_WORDS <= count) {
		time += 200 + any(self, 1000);
		a = 0x1010101 * any(self, 2000);
		at += fxt_sched_put_switch(words + at, time, 3, a, a ^ 0x5a5a5a5a, 1024 + (a & 7),
					   1024, blocked);
		if (!any(self, 500))
			words[any(self, at)] ^= 1ULL << any(self, 64);
	}
	for (; at < count; at++)
		words[at] = 0;
}

/* Decompress like a reader with little memory. Return: bytes; 0 if that fails. */
static size_t decompress(void *back, size_t room, const void *src, size_t bytes)
{
	ZSTD_DStream *zstd = ZSTD_createDStream();
	ZSTD_inBuffer in = { src, bytes, 0 };
	ZSTD_outBuffer out = { back, 0, 0 };
	size_t ret = 1;

	while (ret && !ZSTD_isError(ret) && out.pos < room) {
		out.size = out.pos + 1000 < room ? out.pos + 1000 : room;
		ret = ZSTD_decompressStream(zstd, &out, &in);
	}
	ZSTD_freeDStream(zstd);
	return ZSTD_isError(ret) ? 0 : out.pos;
}

/* Any zstd can decompress blocks that refer to earlier blocks, in pieces of any size. */
TEST_F(match, refers_to_the_blocks_before)
{
	size_t bytes = 24 * BLOCK, room = 2 * bytes, at, piece, odd;
	unsigned char *src = malloc(bytes), *back = malloc(bytes), *out = malloc(room);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();

	/* With the collector's level, copies refer back less far than the words are kept. */
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
	self->used = output_match_use(zstd, &self->m);
	for (odd = 0; odd < 2 && self->used; odd++) {
		ZSTD_outBuffer to = { out, room, 0 };

		fill(self, (__u64 *)src, bytes / FXT_WORD);
		begin(self);
		self->m.is_alone = odd;
		for (at = 0; at < bytes; at += piece) {
			ZSTD_inBuffer in = { src + at, 0, 0 };

			piece = odd ? 1 + any(self, 3 * BLOCK) : FXT_WORD * (1 + any(self, BLOCK_WORDS));
			piece = piece < bytes - at ? piece : bytes - at;
			in.size = piece;
			ASSERT_EQ(0U, ZSTD_compressStream2(zstd, &to, &in, at + piece == bytes ?
							   ZSTD_e_end : ZSTD_e_flush));
		}
		ASSERT_EQ(bytes, decompress(back, bytes, out, to.pos));
		EXPECT_EQ(0, memcmp(src, back, bytes));
	}
	ZSTD_freeCCtx(zstd);
}

/* A block that begins within a record copies from the last block, which has similar records. */
TEST_F(match, begins_a_block_as_the_last_one_ended)
{
	size_t half, literals = 0, i;

	ping_pong(self);
	half = self->count / 2 / FXT_SCHED_SWITCH_WORDS * FXT_SCHED_SWITCH_WORDS;
	half += 2;
	ASSERT_TRUE(parse(self, self->words, half * FXT_WORD));
	ASSERT_TRUE(parse(self, self->words + half, 2 * FXT_SCHED_SWITCH_WORDS * FXT_WORD));
	for (i = 0; i < self->out_count; i++)
		literals += self->out[i].litLength;
	EXPECT_GE(2U * 3, literals);
}

/* A new frame begins with a record, whatever the previous one ended with. */
TEST_F(match, forgets_where_the_last_one_ended)
{
	size_t count;

	ping_pong(self);
	ASSERT_TRUE(parse(self, self->words, 60 * FXT_WORD));
	count = self->out_count;
	ASSERT_TRUE(parse(self, self->words + 60, 56 * FXT_WORD));
	ASSERT_NE(0U, self->m.rest);
	begin(self);
	ASSERT_TRUE(parse(self, self->words, 60 * FXT_WORD));
	EXPECT_EQ(count, self->out_count);
}

/* Many threads in random order, each with an earlier similar record: one copy per record. */
TEST_F(match, finds_the_last_of_its_kind)
{
	static const struct fxt_sched_state blocked = { FXT_THREAD_BLOCKED, 0 };
	size_t records = 0, literals = 0, i;
	uint64_t time = 1ULL << 40;
	unsigned int a;

	for (self->count = 0; self->count + FXT_SCHED_SWITCH_WORDS <= BLOCK_WORDS; records++) {
		time += 20 + any(self, 10);
		a = 0x1010101 * any(self, 40);
		self->count += fxt_sched_put_switch(self->words + self->count, time, 3, a,
						    a ^ 0x5a5a5a5a, 1024 + (a & 7), 1024, blocked);
	}
	ASSERT_TRUE(parse(self, self->words, self->count * FXT_WORD));
	for (i = 0; i < self->out_count; i++)
		literals += self->out[i].litLength;
	EXPECT_GT(records * 5 / 4, self->out_count);
	/* Only bytes of the time are literals, and it changes little. */
	EXPECT_GT(records * 3, literals);
}

/* Several CPUs can have records of the same time. */
TEST_F(match, takes_equal_times)
{
	size_t i;

	for (i = 0; i + FXT_SCHED_USUAL_WAKEUP_WORDS <= BLOCK_WORDS; i += FXT_SCHED_USUAL_WAKEUP_WORDS)
		fxt_sched_put_wakeup(self->words + i, 1ULL << 40, 3, 1000, 1024, 1001);
	ASSERT_TRUE(parse(self, self->words, i * FXT_WORD));
	/* The whole block is one copy of its first record. */
	EXPECT_EQ(2U, self->out_count);
	EXPECT_EQ((size_t)FXT_SCHED_USUAL_WAKEUP_WORDS * FXT_WORD, self->out[0].litLength);
	ASSERT_NE(0U, compressed(self, self->words, i * FXT_WORD));
}

/* Parse the same bytes at the beginning or at the end of readable memory. */
static bool parse_fenced(FIXTURE_DATA(match) *self, const void *src, size_t bytes, bool at_end)
{
	size_t page = sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
	unsigned char *map, *at;
	bool ret;

	map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map + page, room, PROT_READ | PROT_WRITE))
		return false;
	at = map + page + (at_end ? room - bytes : 0);
	memcpy(at, src, bytes);
	ret = parse(self, at, bytes);
	munmap(map, room + 2 * page);
	return ret;
}

/* Other data is only larger. */
TEST_F(match, takes_anything)
{
	unsigned char *b = (unsigned char *)self->words;
	size_t bytes, i, round;

	for (round = 0; round < 3000; round++) {
		bytes = 1 + any(self, round % 8 ? 2000 : BLOCK);
		ping_pong(self);
		switch (round % 4) {
		case 0:		/* noise */
			for (i = 0; i < bytes; i++)
				b[i] = any(self, 256);
			break;
		case 1:		/* little noise */
			for (i = 0; i < bytes; i++)
				b[i] = any(self, 2) << 4;
			break;
		case 2:		/* records with faults */
			for (i = 0; i < 1 + bytes / 64; i++)
				b[any(self, bytes)] ^= 1 << any(self, 8);
			break;
		}
		begin(self);
		ASSERT_TRUE(parse_fenced(self, b + round % 3, bytes, round % 5)) TH_LOG("round %zu", round);
		if (round % 50 < 4) {
			output_match_begin(&self->m);
			ASSERT_NE(0U, compressed(self, b + round % 3, bytes));
		}
	}
}

TEST_F(match, takes_records_of_any_size)
{
	for (size_t size = 0; size <= FXT_MAX_RECORD_WORDS; size += size < 9 ? 1 : 511) {
		for (size_t i = 0; i < BLOCK_WORDS; i++)
			self->words[i] = size && i % size ? i / size : fxt_put(FXT_SIZE, size);
		begin(self);
		ASSERT_TRUE(parse(self, self->words, BLOCK)) TH_LOG("%zu words", size);
		EXPECT_EQ(size ? (size - BLOCK_WORDS % size) % size : 0, self->m.rest);
		ASSERT_NE(0U, compressed(self, self->words, BLOCK));
	}
}
