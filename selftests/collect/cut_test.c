// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Divide chunks at an instant: no word is lost, changed, or on the wrong side of the instant; the
 * part held back consists of valid chunks.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "fxt-collect/archive/chunks.h"

#define INSTANT		1000
#define MOST_WORDS	4096
#define MOST_TAKEN	512

struct made {
	__u64 words[MOST_WORDS];
	size_t count;
	struct chunk c;
};

static struct fxt_ledger ledger_of(__u32 stream, __u32 kind)
{
	return (struct fxt_ledger){
		.stream = stream, .kind = kind, .sequence = 7,
		.time = 500, .last = 400, .written = 90, .lost = 3,
	};
}

static void begin(struct made *m, __u32 stream, __u32 kind)
{
	struct fxt_ledger l = ledger_of(stream, kind);

	fxt_sched_put_ledger(m->words, &l);
	m->count = FXT_LEDGER_WORDS;
	m->c = (struct chunk){ .data = m->words, .bytes = m->count * FXT_WORD };
}

/* A record of one of three lengths. */
static void add(struct made *m, __u64 time)
{
	static const struct fxt_sched_state states[] = {
		{ FXT_THREAD_NEW, 0 },
		{ FXT_THREAD_BLOCKED, FXT_STR_STATE_D },
	};
	__u64 *rec = m->words + m->count;

	if (time % 3)
		m->count += fxt_sched_put_switch(rec, time, 2, 11, 12, 1024, 1024,
						 states[time % 3 - 1]);
	else
		m->count += fxt_sched_put_wakeup(rec, time, 2, 11, 1024, 12);
	m->c.bytes = m->count * FXT_WORD;
}

static void add_each(struct made *m, __u64 from, __u64 to)
{
	while (from <= to)
		add(m, from++);
}

struct taken {
	__u64 words[2 * MOST_WORDS];
	size_t count;
	size_t begins[MOST_TAKEN + 1];
	size_t chunks;
	size_t calls;
	size_t fails_at;
};

static int take(void *arg, const struct chunk *c)
{
	struct taken *t = arg;

	if (++t->calls == t->fails_at)
		return -ENOSPC;
	if (t->chunks == MOST_TAKEN || t->count * FXT_WORD + c->bytes > sizeof(t->words))
		abort();
	memcpy(t->words + t->count, c->data, c->bytes);
	t->count += c->bytes / FXT_WORD;
	t->begins[++t->chunks] = t->count;
	return 0;
}

FIXTURE(cut)
{
	struct cut cut;
	struct made m;
	struct taken t;
};

FIXTURE_SETUP(cut)
{
	cut_begin(&self->cut, INSTANT);
}

FIXTURE_TEARDOWN(cut) { }

#define EXPECT_WORDS(expected, count, seen)					\
	EXPECT_EQ(0, memcmp(expected, seen, (count) * FXT_WORD))

TEST_F(cut, divides_within_a_chunk)
{
	struct fxt_ledger l;
	size_t at;

	begin(&self->m, 2, FXT_LEDGER_HEAD);
	add_each(&self->m, INSTANT - 4, INSTANT);
	at = self->m.count;
	add_each(&self->m, INSTANT + 1, INSTANT + 5);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_TRUE(self->m.c.data == self->m.words);
	EXPECT_EQ(at * FXT_WORD, self->m.c.bytes);

	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	ASSERT_EQ(1U, self->t.chunks);
	ASSERT_EQ(FXT_LEDGER_WORDS + self->m.count - at, self->t.count);
	EXPECT_WORDS(self->m.words + at, self->m.count - at, self->t.words + FXT_LEDGER_WORDS);
	/* The ledger is of kind continued, with the same sub-buffer and counts. */
	ASSERT_EQ(1, fxt_sched_get_ledger(self->t.words, &l));
	EXPECT_TRUE(l.kind == FXT_LEDGER_CONTINUED);
	l.kind = FXT_LEDGER_HEAD;
	fxt_sched_put_ledger(self->t.words, &l);
	EXPECT_WORDS(self->m.words, FXT_LEDGER_WORDS, self->t.words);
}

TEST_F(cut, keeps_what_was_before)
{
	begin(&self->m, 2, FXT_LEDGER_HEAD);
	add_each(&self->m, INSTANT - 4, INSTANT);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_EQ(self->m.count * FXT_WORD, self->m.c.bytes);
	/* A sub-buffer without a record yet belongs to the earlier part. */
	begin(&self->m, 2, FXT_LEDGER_HEAD);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_EQ(self->m.count * FXT_WORD, self->m.c.bytes);
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	EXPECT_EQ(0U, self->t.chunks);
}

/*
 * A head that is not held back would be reported before the held-back part of the previous
 * sub-buffer.
 */
TEST_F(cut, holds_back_a_head_alone)
{
	struct fxt_ledger l = ledger_of(2, FXT_LEDGER_HEAD);

	begin(&self->m, 2, FXT_LEDGER_HEAD);
	l.time = INSTANT;
	fxt_sched_put_ledger(self->m.words, &l);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_EQ(self->m.count * FXT_WORD, self->m.c.bytes);
	l.time = INSTANT + 1;
	fxt_sched_put_ledger(self->m.words, &l);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_EQ(0U, self->m.c.bytes);
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	ASSERT_EQ(1U, self->t.chunks);
	ASSERT_EQ((size_t)FXT_LEDGER_WORDS, self->t.count);
	EXPECT_WORDS(self->m.words, FXT_LEDGER_WORDS, self->t.words);
}

/* The head was not handed out yet, so the ledger remains a head. */
TEST_F(cut, holds_back_what_is_later)
{
	static const __u32 kinds[] = { FXT_LEDGER_HEAD, FXT_LEDGER_CONTINUED };

	for (size_t i = 0; i < 2; i++) {
		cut_begin(&self->cut, INSTANT);
		begin(&self->m, 2, kinds[i]);
		add_each(&self->m, INSTANT + 1, INSTANT + 5);
		ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
		EXPECT_EQ(0U, self->m.c.bytes);
		self->t.chunks = 0;
		self->t.count = 0;
		ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
		ASSERT_EQ(1U, self->t.chunks);
		ASSERT_EQ(self->m.count, self->t.count);
		EXPECT_WORDS(self->m.words, self->m.count, self->t.words);
	}
}

/* Words of names may look like times, but are not. */
TEST_F(cut, leaves_names_alone)
{
	begin(&self->m, FXT_LEDGER_STREAM_NAMES, FXT_LEDGER_HEAD);
	add_each(&self->m, INSTANT + 1, INSTANT + 5);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	EXPECT_EQ(self->m.count * FXT_WORD, self->m.c.bytes);
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	EXPECT_EQ(0U, self->t.chunks);
}

/* Hold back more than the initial allocation, of several streams; the order of arrival counts. */
TEST_F(cut, hands_out_in_order)
{
	for (size_t i = 0; i < 300; i++) {
		begin(&self->m, i % 5, i % 2);
		add(&self->m, INSTANT + 1 + i);
		ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
		ASSERT_EQ(0U, self->m.c.bytes);
		/* Overwrite the chunk: cut_chunk() must have copied it. */
		memset(&self->m, 0, sizeof(self->m));
	}
	EXPECT_TRUE(self->cut.is_on);
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	EXPECT_FALSE(self->cut.is_on);
	ASSERT_EQ(300U, self->t.chunks);
	for (size_t i = 0; i < 300; i++) {
		begin(&self->m, i % 5, i % 2);
		add(&self->m, INSTANT + 1 + i);
		ASSERT_EQ(self->m.count, self->t.begins[i + 1] - self->t.begins[i]);
		EXPECT_WORDS(self->m.words, self->m.count, self->t.words + self->t.begins[i]);
	}
	/* Each chunk is handed out once. */
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	EXPECT_EQ(300U, self->t.chunks);
}

/* Chunks held back at one instant can be divided at the next. */
TEST_F(cut, divides_again)
{
	struct chunk c;
	size_t first, second;

	begin(&self->m, 2, FXT_LEDGER_HEAD);
	add(&self->m, INSTANT);
	first = self->m.count;
	add(&self->m, INSTANT + 10);
	second = self->m.count;
	add(&self->m, INSTANT + 11);
	ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	ASSERT_EQ(1U, self->t.chunks);
	c = (struct chunk){ .data = self->t.words, .bytes = self->t.count * FXT_WORD };

	cut_begin(&self->cut, INSTANT + 10);
	ASSERT_EQ(0, cut_chunk(&self->cut, &c));
	EXPECT_EQ((FXT_LEDGER_WORDS + second - first) * FXT_WORD, c.bytes);
	ASSERT_EQ(0, cut_end(&self->cut, take, &self->t));
	ASSERT_EQ(2U, self->t.chunks);
	EXPECT_WORDS(self->m.words + second, self->m.count - second,
		     self->t.words + self->t.begins[1] + FXT_LEDGER_WORDS);
}

TEST_F(cut, ends_where_it_cannot_go_on)
{
	for (size_t i = 0; i < 3; i++) {
		begin(&self->m, i, FXT_LEDGER_HEAD);
		add(&self->m, INSTANT + 1);
		ASSERT_EQ(0, cut_chunk(&self->cut, &self->m.c));
	}
	self->t.fails_at = 2;
	EXPECT_EQ(-ENOSPC, cut_end(&self->cut, take, &self->t));
	EXPECT_EQ(2U, self->t.calls);
	EXPECT_FALSE(self->cut.is_on);
}

TEST_F(cut, refuses_what_is_no_chunk)
{
	/* A chunk that is shorter than a ledger, and one without a ledger. */
	begin(&self->m, 2, FXT_LEDGER_HEAD);
	self->m.c.bytes -= FXT_WORD;
	EXPECT_EQ(-EPROTO, cut_chunk(&self->cut, &self->m.c));
	begin(&self->m, 2, FXT_LEDGER_HEAD);
	self->m.words[0]++;
	EXPECT_EQ(-EPROTO, cut_chunk(&self->cut, &self->m.c));
	/* A record without room for a time; words after the chunk must not be read. */
	for (size_t size = 0; size < 2; size++) {
		begin(&self->m, 2, FXT_LEDGER_HEAD);
		self->m.words[FXT_LEDGER_WORDS] = fxt_put(FXT_SIZE, size);
		self->m.words[FXT_LEDGER_WORDS + 1] = INSTANT - 1;
		self->m.c.bytes += FXT_WORD;
		EXPECT_EQ(-EPROTO, cut_chunk(&self->cut, &self->m.c));
	}
	begin(&self->m, 2, FXT_LEDGER_HEAD);
	add(&self->m, INSTANT - 1);
	for (size_t ends = FXT_LEDGER_WORDS + 1; ends < self->m.count; ends++) {
		self->m.c.bytes = ends * FXT_WORD;
		EXPECT_EQ(-EPROTO, cut_chunk(&self->cut, &self->m.c));
	}
	EXPECT_EQ(0U, self->cut.held.used);
}
