// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Producers of the module that interrupt each other, in user space: kmod/stream.h and
 * kmod/stream.c, with functions of this file in place of the kernel's. Between the reservation of a
 * record and its commit, other producers and hand-overs come at random. Interrupts are disabled
 * there, so only a fault of the kernel or of a driver can cause that. No sub-buffer has more bytes
 * than it has room for; nothing is written outside of the buffer; afterwards the stream records
 * again.
 */
#include "harness.h"

#include <linux/fxt_sched.h>

#include "fxt/fxt_sched.h"
#include "fxt/fxt_sched_stack.h"

/* --- the kernel, as far as streams need it ------------------------------------------- */

typedef __u32 u32;
typedef __u64 u64;
typedef uint64_t cpumask_t;

#define PAGE_SIZE		4096
#define NR_SOFTIRQS		10
#define GFP_KERNEL		0
#define IS_ENABLED(...)	0
#undef static_assert
#define static_assert(is, ...)	_Static_assert(is, #is)
#define ____cacheline_aligned	__attribute__((aligned(64)))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		(x)
#define smp_load_acquire(p)	(*(p))	/* there is one thread */
#define smp_store_release(p, v)	(*(p) = (v))	/* likewise */
#define __this_cpu_write(v, to)	((v) = (to))
#define kvcalloc(n, size, gfp)	calloc(n, size)
#define kvfree			free
#define mutex_init(m)		((void)(m))
#define cpumask_empty(m)	(!*(m))
#define cpumask_test_cpu(c, m)	(*(m) >> (c) & 1)
#define wq_has_sleeper(w)	((void)(w), false)
#define fxt_notify_queue(w)	((void)(w))
#define fxt_notify(n)		((void)(n))

/* The kernel has reported that many sub-buffers. */
static unsigned int warnings;
#define WARN_ON_ONCE(condition)	(warnings += condition, condition)

struct mutex { };
struct rchan { size_t subbuf_size, n_subbufs; };
struct rchan_buf {
	void *start, *data;
	struct rchan *chan;
	size_t produced;
	int read_wait, wakeup_work;
};
struct fxt_clock;
struct fxt_config {
	u32 form;
	bool overwrite;
	cpumask_t filter_cpus;
	unsigned int subbuf_count;
};
static bool fxt_self_ipi;

static void relay_switch_subbuf(struct rchan_buf *buf, size_t length)
{
	(void)length;
	buf->data = buf->start + ++buf->produced % buf->chan->n_subbufs * buf->chan->subbuf_size;
}

static u64 fxt_clock_now(const struct fxt_clock *clock)
{
	(void)clock;
	return 0;
}

/* Both files, without what they include. */
#include "stream.inc"

/* --- one stream ----------------------------------------------------------------------- */

#define SUBBUFS		4U
#define SUBBUF_WORDS	(PAGE_SIZE / sizeof(u64))
#define RECORD_WORDS	7U	/* the most */
#define GUARD		0x5afe5afe5afe5afeULL
#define RECORD		0x1234123412341234ULL
#define ROUNDS		20000U
#define DEPTH_MOST	3U

FIXTURE(producers)
{
	u64 memory[(SUBBUFS + 2) * SUBBUF_WORDS];
	struct rchan channel;
	struct rchan_buf buf;
	struct fxt_stream s;
	u64 now;
};

FIXTURE_SETUP(producers)
{
	struct fxt_config config = { .subbuf_count = SUBBUFS };

	for (size_t i = 0; i < ARRAY_SIZE(self->memory); i++)
		self->memory[i] = GUARD;
	self->channel = (struct rchan){ .subbuf_size = PAGE_SIZE, .n_subbufs = SUBBUFS };
	self->buf.start = self->buf.data = self->memory + SUBBUF_WORDS;
	self->buf.chan = &self->channel;
	ASSERT_EQ(0, fxt_stream_init(&self->s, &config, 0, 0, NULL));
	self->s.buf = &self->buf;
	warnings = 0;
	srand(1);
}

FIXTURE_TEARDOWN(producers)
{
	fxt_stream_free(&self->s);
}

/* What a reader lets the CPU do. */
static void hand_over(FIXTURE_DATA(producers) *self)
{
	if (self->s.pos)
		fxt_stream_close_subbuf(&self->s);
}

static void produce(FIXTURE_DATA(producers) *self, unsigned int depth);

/* Seldom, others come: a hand-over, or producers, which may fill some sub-buffers. */
static void be_interrupted(FIXTURE_DATA(producers) *self, unsigned int depth)
{
	if (depth > DEPTH_MOST || rand() % 64)
		return;
	if (rand() % 2)
		hand_over(self);
	for (unsigned int i = rand() % 2 ? 0 : rand() % 256; i; i--)
		produce(self, depth);
}

/* @depth: of the interruptions that may come; beyond DEPTH_MOST there are none */
static void produce(FIXTURE_DATA(producers) *self, unsigned int depth)
{
	unsigned int words = 2 + rand() % (RECORD_WORDS - 1);
	struct fxt_stream *s = &self->s;
	u64 time = ++self->now, *rec = fxt_stream_reserve(s, time, words);
	bool holds = !(rand() % 4);

	s->events++;
	if (!rec) {
		s->lost++;
		return;
	}
	if (holds)
		fxt_stream_hold(s);
	be_interrupted(self, depth + 1);
	for (unsigned int i = 0; i < words; i++)
		rec[i] = RECORD;
	if (holds)
		fxt_stream_release(s);
	be_interrupted(self, depth + 1);
	fxt_stream_commit(s, rec, time, words);
}

static unsigned int read_all(struct fxt_stream *s)
{
	unsigned int wrong = 0;

	for (; s->consumed < s->complete; s->consumed++)
		wrong += s->used[s->consumed % SUBBUFS] > PAGE_SIZE;
	return wrong;
}

static bool guards_are_whole(const FIXTURE_DATA(producers) *self)
{
	for (size_t i = 0; i < SUBBUF_WORDS; i++)
		if (self->memory[i] != GUARD ||
		    self->memory[ARRAY_SIZE(self->memory) - 1 - i] != GUARD)
			return false;
	return true;
}

TEST_F(producers, interrupt_each_other)
{
	unsigned int wrong = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		produce(self, 0);
		if (!(rand() % 64))
			hand_over(self);
		wrong += read_all(&self->s);
	}
	EXPECT_EQ(0U, wrong);
	EXPECT_TRUE(guards_are_whole(self));
	EXPECT_LT(100U, warnings);
}

/* A record that a hand-over has interrupted costs itself only. */
TEST_F(producers, recover)
{
	struct fxt_stream *s = &self->s;
	u64 *rec;

	for (unsigned int round = 1; round <= 2 * SUBBUFS; round++) {
		rec = fxt_stream_reserve(s, ++self->now, RECORD_WORDS);
		ASSERT_NE(NULL, rec);
		hand_over(self);
		fxt_stream_commit(s, rec, self->now, RECORD_WORDS);
		rec = fxt_stream_reserve(s, ++self->now, RECORD_WORDS);
		ASSERT_NE(NULL, rec) TH_LOG("round %u", round);
		EXPECT_EQ(self->buf.data, (void *)(rec - FXT_LEDGER_WORDS));
		fxt_stream_commit(s, rec, self->now, RECORD_WORDS);
		EXPECT_EQ(round, warnings);
		EXPECT_EQ(round, s->lost);
		hand_over(self);
		EXPECT_EQ(0U, read_all(s));
	}
}
