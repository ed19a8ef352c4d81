// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The switches, wakeups and ledgers that include/fxt/fxt_sched.h builds, word by word, and the
 * indices of its strings. The expected words are put together by hand from the bit positions of the
 * specification ("Fuchsia trace format"). No word after a record may change.
 */
#include <assert.h>

#include "sched_words.h"
#include "fxt/fxt_mark.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_unknown.h"

/* The sizes that all producers use for their buffers. */
static_assert(FXT_SWITCH_BASE_WORDS + 3 == FXT_SCHED_SWITCH_WORDS, "switch");
static_assert(FXT_WAKEUP_BASE_WORDS + 3 == FXT_SCHED_USUAL_WAKEUP_WORDS, "wakeup");
static_assert(FXT_WAKEUP_BASE_WORDS + 4 == FXT_SCHED_WAKEUP_WORDS, "wakeup");
static_assert(FXT_SCHED_SWITCH_WORDS <= FXT_SCHED_RECORD_WORDS, "largest");
static_assert(FXT_SCHED_WAKEUP_WORDS <= FXT_SCHED_RECORD_WORDS, "largest");
static_assert(sizeof(struct fxt_sched_comm) == FXT_SCHED_COMM_SIZE + FXT_WORD, "comm");

/* --- strings ------------------------------------------------------------------------ */

TEST(string_indices_are_contiguous)
{
	uint32_t next = 1;

	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++, next++) {
		size_t length = strlen(strings[i].text);

		if (next == FXT_STR_BYTES + 1)
			next = FXT_STR_MORE;
		EXPECT_WORD(next, strings[i].index, strings[i].text, i);
		EXPECT_LT(0UL, length);
		EXPECT_GE(32000UL, length);
		for (size_t j = 0; j < i; j++)
			EXPECT_STRNE(strings[i].text, strings[j].text);
	}
}

TEST(string_names_mean_their_texts)
{
	EXPECT_WORD(string("incoming_weight"), FXT_STR_INCOMING_WEIGHT, "index", 1);
	EXPECT_WORD(string("outgoing_weight"), FXT_STR_OUTGOING_WEIGHT, "index", 2);
	EXPECT_WORD(string("weight"), FXT_STR_WEIGHT, "index", 3);
	EXPECT_WORD(string("waker"), FXT_STR_WAKER, "index", 4);
	EXPECT_WORD(string("process"), FXT_STR_PROCESS, "index", 5);
	EXPECT_WORD(string("state"), FXT_STR_STATE, "index", 6);
	EXPECT_WORD(string("D"), FXT_STR_STATE_D, "index", 7);
	EXPECT_WORD(string("I"), FXT_STR_STATE_I, "index", 8);
	EXPECT_WORD(string("t"), FXT_STR_STATE_T, "index", 9);
	EXPECT_WORD(string("P"), FXT_STR_STATE_P, "index", 10);
	EXPECT_WORD(string("fxt_sched.ledger"), FXT_STR_LEDGER, "index", 11);
	EXPECT_WORD(string("fxt_sched.session"), FXT_STR_SESSION, "index", 12);
	EXPECT_WORD(string("fxt_sched"), FXT_STR_CATEGORY, "index", 13);
	EXPECT_WORD(string("lost"), FXT_STR_LOST, "index", 14);
	EXPECT_WORD(string("records"), FXT_STR_RECORDS, "index", 15);
	EXPECT_WORD(string("irq"), FXT_STR_IRQ, "index", 32);
	EXPECT_WORD(string("interrupted"), FXT_STR_INTERRUPTED, "index", 33);
	EXPECT_WORD(string("hard"), FXT_STR_HARD, "index", 34);
	EXPECT_WORD(string("soft"), FXT_STR_SOFT, "index", 35);
	EXPECT_WORD(string("nmi"), FXT_STR_NMI, "index", 36);
	EXPECT_WORD(string("begin"), FXT_STR_BEGIN, "index", 106);
	EXPECT_WORD(string("end"), FXT_STR_END, "index", 107);
	EXPECT_WORD(string("online"), FXT_STR_ONLINE, "index", 108);
	EXPECT_WORD(string("offline"), FXT_STR_OFFLINE, "index", 109);
}

/* Existing archives and the producers' buffers depend on these. */
TEST(constants)
{
	EXPECT_EQ(1, FXT_SCHED_PROVIDER_ID);
	EXPECT_STREQ("fxt_sched", FXT_SCHED_PROVIDER_NAME);
	EXPECT_EQ(7, FXT_SCHED_SWITCH_WORDS);
	EXPECT_EQ(7, FXT_SCHED_WAKEUP_WORDS);
	EXPECT_EQ(6, FXT_SCHED_USUAL_WAKEUP_WORDS);
	EXPECT_EQ(5, FXT_SCHED_BARE_SWITCH_WORDS);
	EXPECT_EQ(5, FXT_SCHED_BARE_WAKEUP_WORDS);
	EXPECT_EQ(7, FXT_SCHED_RECORD_WORDS);
	EXPECT_EQ(4, FXT_SCHED_PROCESS_WORDS);
	EXPECT_EQ(10, FXT_SCHED_THREAD_WORDS);
	EXPECT_EQ(14, FXT_SCHED_TASK_WORDS);
	EXPECT_EQ(6, FXT_LEDGER_WORDS);
	EXPECT_EQ(40, FXT_LEDGER_BYTES);
	EXPECT_EQ(16, FXT_SCHED_COMM_SIZE);
}

/* Linux ids end at 2^22. The koids of losses begin above them and fit into 32 bits. */
TEST(loss_koids)
{
	EXPECT_EQ(0x7fff0000ULL, FXT_SCHED_KOID_LOSS);
	EXPECT_EQ(0x7fff0001ULL, fxt_sched_loss_koid(0));
	EXPECT_EQ(0x7fff0008ULL, fxt_sched_loss_koid(7));
	EXPECT_EQ(0x80000000ULL, fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES));
}

/* --- switch and wakeup -------------------------------------------------------------- */

FIXTURE(record) {
	__u64 rec[ROOM];
	uint64_t expected[ROOM];
};

FIXTURE_SETUP(record)
{
	poison(self->rec, self->expected);
}

FIXTURE_TEARDOWN(record) {}

TEST_F(record, switch_without_letter)
{
	struct fxt_sched_state s = { BLOCKED, 0 };

	EXPECT_EQ(6U, fxt_sched_put_switch(self->rec, 0x0123456789abcdef, 0xfedc,
					   4194304, 4194303, 1024, 88761, s));
	self->expected[0] = 8 | AT(6, 4) | AT(2, 16) | AT(0xfedc, 20) | AT(3, 36) | AT(1, 60);
	self->expected[1] = 0x0123456789abcdef;
	self->expected[2] = 4194304;
	self->expected[3] = 4194303;
	self->expected[4] = 1 | AT(1, 4) | AT(string("outgoing_weight"), 16) | AT(1024, 32);
	self->expected[5] = 1 | AT(1, 4) | AT(string("incoming_weight"), 16) | AT(88761, 32);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, switch_with_letter)
{
	struct fxt_sched_state s = { SUSPENDED, string("t") };

	EXPECT_EQ(7U, fxt_sched_put_switch(self->rec, 1, 2, 3, 4, 5, 6, s));
	self->expected[0] = 8 | AT(7, 4) | AT(3, 16) | AT(2, 20) | AT(2, 36) | AT(1, 60);
	self->expected[1] = 1;
	self->expected[2] = 3;
	self->expected[3] = 4;
	self->expected[4] = 1 | AT(1, 4) | AT(string("outgoing_weight"), 16) | AT(5, 32);
	self->expected[5] = 1 | AT(1, 4) | AT(string("incoming_weight"), 16) | AT(6, 32);
	self->expected[6] = 6 | AT(1, 4) | AT(string("state"), 16) | AT(string("t"), 32);
	expect_words(_metadata, self->expected, self->rec);
}

/* The maximum of each value, and negative weights. */
TEST_F(record, switch_of_extremes)
{
	struct fxt_sched_state s = { DEAD, 0 };

	EXPECT_EQ(6U, fxt_sched_put_switch(self->rec, UINT64_MAX, 0xffff, UINT32_MAX,
					   UINT32_MAX, INT32_MIN, -1, s));
	self->expected[0] = 8 | AT(6, 4) | AT(2, 16) | AT(0xffff, 20) | AT(5, 36) | AT(1, 60);
	self->expected[1] = 0xffffffffffffffff;
	self->expected[2] = 0x00000000ffffffff;
	self->expected[3] = 0x00000000ffffffff;
	self->expected[4] = 1 | AT(1, 4) | AT(string("outgoing_weight"), 16) | AT(0x80000000, 32);
	self->expected[5] = 1 | AT(1, 4) | AT(string("incoming_weight"), 16) | AT(0xffffffff, 32);
	expect_words(_metadata, self->expected, self->rec);
}

/* --- without weights, but those of idle threads --------------------------------------- */

#define NO_WEIGHT	FXT_SCHED_WEIGHT_NONE

TEST_F(record, no_weights)
{
	struct fxt_sched_state s = { BLOCKED, string("D") };

	EXPECT_EQ(NO_WEIGHT, fxt_sched_no_weight(1));
	EXPECT_EQ(INT32_MIN, fxt_sched_no_weight(0));
	EXPECT_EQ(5U, fxt_sched_put_switch(self->rec, 1, 2, 3, 4, NO_WEIGHT, NO_WEIGHT, s));
	self->expected[0] = 8 | AT(5, 4) | AT(1, 16) | AT(2, 20) | AT(3, 36) | AT(1, 60);
	self->expected[1] = 1;
	self->expected[2] = 3;
	self->expected[3] = 4;
	self->expected[4] = 6 | AT(1, 4) | AT(string("state"), 16) | AT(string("D"), 32);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, no_weights_of_a_mark)
{
	EXPECT_EQ(6U, fxt_sched_put_mark(self->rec, 1, 2, FXT_STR_BEGIN, 4, NO_WEIGHT));
	self->expected[0] = 8 | AT(6, 4) | AT(2, 16) | AT(2, 20) | AT(1, 60);
	self->expected[1] = 1;
	self->expected[2] = 0;
	self->expected[3] = 4;
	self->expected[4] = 1 | AT(1, 4) | AT(string("outgoing_weight"), 16) | AT(0x80000000, 32);
	self->expected[5] = 6 | AT(1, 4) | AT(string("unknown"), 16) | AT(string("begin"), 32);
	expect_words(_metadata, self->expected, self->rec);
}

static void expect_bare(struct __test_metadata *_metadata, FIXTURE_DATA(record) *self,
			uint64_t out, uint64_t in, const char *idle)
{
	__u64 header = fxt_sched_bare_switch_header(0xfedc, BLOCKED);
	uint32_t args = !!idle;

	poison(self->rec, self->expected);
	self->rec[1] = 7;
	EXPECT_EQ(4 + args, fxt_sched_put_bare_switch(self->rec, header, out, in));
	self->expected[0] = 8 | AT(4 + args, 4) | AT(args, 16) | AT(0xfedc, 20) | AT(3, 36) |
			    AT(1, 60);
	self->expected[1] = 7;
	self->expected[2] = out;
	self->expected[3] = in;
	if (idle)
		self->expected[4] = 1 | AT(1, 4) | AT(string(idle), 16) | AT(0x80000000, 32);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, bare_switch)
{
	expect_bare(_metadata, self, 4194304, 4194303, NULL);
	expect_bare(_metadata, self, 0, 5, "outgoing_weight");
	expect_bare(_metadata, self, 5, 0, "incoming_weight");
}

TEST_F(record, bare_wakeup)
{
	self->rec[1] = 7;
	fxt_sched_put_bare_wakeup(self->rec, 0xfedc, 4194304, 4194303);
	self->expected[0] = 8 | AT(5, 4) | AT(1, 16) | AT(0xfedc, 20) | AT(2, 60);
	self->expected[1] = 7;
	self->expected[2] = 4194304;
	self->expected[3] = 8 | AT(2, 4) | AT(string("waker"), 16);
	self->expected[4] = 4194303;
	expect_words(_metadata, self->expected, self->rec);
	/* That of the slow path. */
	EXPECT_EQ(5U, fxt_sched_put_wakeup(self->rec, 7, 0xfedc, 4194304, NO_WEIGHT, 4194303));
	expect_words(_metadata, self->expected, self->rec);
	/* By the idle thread. */
	poison(self->rec, self->expected);
	EXPECT_EQ(3U, fxt_sched_put_wakeup(self->rec, 7, 0, 11, NO_WEIGHT, 0));
	self->expected[0] = 8 | AT(3, 4) | AT(2, 60);
	self->expected[1] = 7;
	self->expected[2] = 11;
	expect_words(_metadata, self->expected, self->rec);
}

/* --- wakeups -------------------------------------------------------------------------- */

TEST_F(record, wakeup)
{
	EXPECT_EQ(6U, fxt_sched_put_wakeup(self->rec, 0x0123456789abcdef, 0xfedc,
					   4194304, -2, 4194303));
	self->expected[0] = 8 | AT(6, 4) | AT(2, 16) | AT(0xfedc, 20) | AT(2, 60);
	self->expected[1] = 0x0123456789abcdef;
	self->expected[2] = 4194304;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(0xfffffffe, 32);
	self->expected[4] = 8 | AT(2, 4) | AT(string("waker"), 16);
	self->expected[5] = 4194303;
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, wakeup_of_extremes)
{
	EXPECT_EQ(6U, fxt_sched_put_usual_wakeup(self->rec, UINT64_MAX, 0x10000, UINT32_MAX,
						 INT32_MAX, UINT32_MAX));
	self->expected[0] = 8 | AT(6, 4) | AT(2, 16) | AT(2, 60);
	self->expected[1] = 0xffffffffffffffff;
	self->expected[2] = 0x00000000ffffffff;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(0x7fffffff, 32);
	self->expected[4] = 8 | AT(2, 4) | AT(string("waker"), 16);
	self->expected[5] = 0x00000000ffffffff;
	expect_words(_metadata, self->expected, self->rec);
}

static void expect_irq(struct __test_metadata *_metadata, FIXTURE_DATA(record) *self,
		       uint32_t irq, const char *name)
{
	memset(self->expected, 0, sizeof(self->expected));
	memset(self->rec, 0, sizeof(self->rec));
	EXPECT_EQ(7U, fxt_sched_put_wakeup(self->rec, 5, 3, 11, 1024,
					   fxt_sched_waker(4194303, irq)));
	self->expected[0] = 8 | AT(7, 4) | AT(3, 16) | AT(3, 20) | AT(2, 60);
	self->expected[1] = 5;
	self->expected[2] = 11;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(1024, 32);
	self->expected[4] = 6 | AT(1, 4) | AT(string("irq"), 16) | AT(string(name), 32);
	self->expected[5] = 8 | AT(2, 4) | AT(string("interrupted"), 16);
	self->expected[6] = 4194303;
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, wakeup_by_interrupt)
{
	expect_irq(_metadata, self, FXT_SCHED_IRQ_HARD, "hard");
	expect_irq(_metadata, self, FXT_SCHED_IRQ_SOFT, "soft");
	expect_irq(_metadata, self, FXT_SCHED_IRQ_NMI, "nmi");
}

TEST_F(record, wakeup_on_idle_cpu)
{
	EXPECT_EQ(5U, fxt_sched_put_wakeup(self->rec, 5, 3, 11, 1024,
					   fxt_sched_waker(0, FXT_SCHED_IRQ_SOFT)));
	self->expected[0] = 8 | AT(5, 4) | AT(2, 16) | AT(3, 20) | AT(2, 60);
	self->expected[1] = 5;
	self->expected[2] = 11;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(1024, 32);
	self->expected[4] = 6 | AT(1, 4) | AT(string("irq"), 16) | AT(string("soft"), 32);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, wakeup_by_idle_thread)
{
	EXPECT_EQ(4U, fxt_sched_put_wakeup(self->rec, 5, 3, 11, 1024,
					   fxt_sched_waker(0, FXT_SCHED_IRQ_NONE)));
	self->expected[0] = 8 | AT(4, 4) | AT(1, 16) | AT(3, 20) | AT(2, 60);
	self->expected[1] = 5;
	self->expected[2] = 11;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(1024, 32);
	expect_words(_metadata, self->expected, self->rec);
}

/* --- records of filters ------------------------------------------------------------- */

/* Six words and the argument "unknown", from thread @out to thread @in. */
static void expect_unknown(uint64_t *to, uint64_t state, uint64_t out, uint64_t in,
			   uint32_t out_weight, uint32_t in_weight)
{
	to[0] = 8 | AT(7, 4) | AT(3, 16) | AT(2, 20) | AT(state, 36) | AT(1, 60);
	to[1] = 1;
	to[2] = out;
	to[3] = in;
	to[4] = 1 | AT(1, 4) | AT(string("outgoing_weight"), 16) | AT((uint64_t)out_weight, 32);
	to[5] = 1 | AT(1, 4) | AT(string("incoming_weight"), 16) | AT((uint64_t)in_weight, 32);
	to[6] = 6 | AT(1, 4) | AT(string("unknown"), 16) | AT(string("filtered"), 32);
}

/* The state of a thread that does not match is hidden, including its letter. */
TEST_F(record, switch_to_a_match)
{
	struct fxt_sched_state s = { BLOCKED, string("D") };

	EXPECT_EQ(7U, fxt_sched_put_kept_switch(self->rec, 1, 2, 11, 12, 5, 6, s,
						FXT_SCHED_KEPT_IN));
	expect_unknown(self->expected, 15, 11, 12, 5, 6);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, switch_of_no_match)
{
	struct fxt_sched_state s = { BLOCKED, 0 };

	EXPECT_EQ(7U, fxt_sched_put_kept_switch(self->rec, 1, 2, 11, 12, 5, 6, s,
						FXT_SCHED_KEPT_OUT));
	expect_unknown(self->expected, 15, 11, 0, 5, 0x80000000);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, switch_of_no_match_that_has_ended)
{
	struct fxt_sched_state s = { DEAD, 0 };

	EXPECT_EQ(7U, fxt_sched_put_kept_switch(self->rec, 1, 2, 11, 12, 5, 6, s,
						FXT_SCHED_KEPT_OUT));
	expect_unknown(self->expected, DEAD, 11, 0, 5, 0x80000000);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(record, switch_of_an_idle_thread_that_is_no_match)
{
	struct fxt_sched_state s = { NEW, 0 };

	EXPECT_EQ(7U, fxt_sched_put_kept_switch(self->rec, 1, 2, 0, 12, INT32_MIN, 6, s,
						FXT_SCHED_KEPT_OUT));
	expect_unknown(self->expected, NEW, 0, 0, 0x80000000, 0x80000000);
	expect_words(_metadata, self->expected, self->rec);
}

/* Where nothing is hidden, the record is like any other. */
TEST_F(record, switch_that_is_kept_whole)
{
	const enum fxt_sched_kept kept[] = {
		FXT_SCHED_KEPT_ALL, FXT_SCHED_KEPT_IN, FXT_SCHED_KEPT_IN,
	};
	const struct fxt_sched_state states[] = { { BLOCKED, 0 }, { DYING, 0 }, { NEW, 0 } };
	const uint32_t out[] = { 11, 11, 0 };

	for (unsigned int i = 0; i < 3; i++) {
		poison(self->rec, self->expected);
		fxt_sched_put_switch((__u64 *)self->expected, 1, 2, out[i], 12, 5, 6, states[i]);
		EXPECT_EQ(6U, fxt_sched_put_kept_switch(self->rec, 1, 2, out[i], 12, 5, 6,
							states[i], kept[i]));
		expect_words(_metadata, self->expected, self->rec);
	}
}

TEST_F(record, wakeup_of_no_match)
{
	EXPECT_EQ(7U, fxt_sched_put_unknown_wakeup(self->rec, 1, 2, 11, 12));
	self->expected[0] = 8 | AT(7, 4) | AT(3, 16) | AT(2, 20) | AT(2, 60);
	self->expected[1] = 1;
	self->expected[2] = 11;
	self->expected[3] = 1 | AT(1, 4) | AT(string("weight"), 16) | AT(0x80000000, 32);
	self->expected[4] = 8 | AT(2, 4) | AT(string("waker"), 16);
	self->expected[5] = 12;
	self->expected[6] = 6 | AT(1, 4) | AT(string("unknown"), 16) |
			    AT(string("filtered"), 32);
	expect_words(_metadata, self->expected, self->rec);
}

/* --- the ledger --------------------------------------------------------------------- */

TEST_F(record, ledger)
{
	const struct fxt_ledger ledger = {
		.stream = 0x1234, .kind = FXT_LEDGER_CLOSING, .sequence = 0x9abcdef0,
		.time = 11, .last = 12, .written = 13, .lost = 14,
	};

	fxt_sched_put_ledger(self->rec, &ledger);
	self->expected[0] = 5 | AT(6, 4) | AT(string("fxt_sched.ledger"), 16) | AT(40, 32) |
			    AT(1, 48);
	self->expected[1] = 0x1234 | AT(1, 16) | AT(2, 24) | AT(0x9abcdef0, 32);
	self->expected[2] = 11;
	self->expected[3] = 12;
	self->expected[4] = 13;
	self->expected[5] = 14;
	expect_words(_metadata, self->expected, self->rec);
}

TEST(ledger_word)
{
	EXPECT_EQ(0, FXT_LEDGER_HEAD);
	EXPECT_EQ(1, FXT_LEDGER_CONTINUED);
	EXPECT_EQ(2, FXT_LEDGER_CLOSING);
	EXPECT_EQ(0xffff, FXT_LEDGER_STREAM_NAMES);
	EXPECT_EQ(0x0000000000010000ULL, fxt_ledger_word(0, 0, 0));
	EXPECT_EQ(0x000000000001ffffULL, fxt_ledger_word(0xffff, 0, 0));
	EXPECT_EQ(0x00000000ff010000ULL, fxt_ledger_word(0, 0xff, 0));
	EXPECT_EQ(0xffffffff00010000ULL, fxt_ledger_word(0, 0, 0xffffffff));
	EXPECT_EQ(0x0000000000010000ULL, fxt_ledger_word(0x10000, 0x100, 0));
	EXPECT_EQ(0xffffffffff01ffffULL, fxt_ledger_word(~0U, ~0U, ~0U));
	EXPECT_EQ(~0ULL, FXT_LEDGER_STREAM + FXT_LEDGER_VERSION + FXT_LEDGER_KIND +
			 FXT_LEDGER_SEQUENCE);
}

TEST(ledger_round_trip)
{
	static const struct fxt_ledger table[] = {
		{ 0, FXT_LEDGER_HEAD, 0, 0, 0, 0, 0 },
		{ 1, FXT_LEDGER_CONTINUED, 2, 3, 4, 5, 6 },
		{ 0xffff, 0xff, UINT32_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX },
		{ FXT_LEDGER_STREAM_NAMES, FXT_LEDGER_CLOSING, 0x12345678,
		  0x1122334455667788, 0x99aabbccddeeff00, 0x1020304050607080, 0x0123456789abcdef },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		struct fxt_ledger seen = { ~0U, ~0U, ~0U, 99, 99, 99, 99 };
		__u64 rec[6];

		fxt_sched_put_ledger(rec, &table[i]);
		ASSERT_EQ(1, fxt_sched_get_ledger(rec, &seen));
		EXPECT_WORD(table[i].stream, seen.stream, "stream", i);
		EXPECT_WORD(table[i].kind, seen.kind, "kind", i);
		EXPECT_WORD(table[i].sequence, seen.sequence, "sequence", i);
		EXPECT_WORD(table[i].time, seen.time, "time", i);
		EXPECT_WORD(table[i].last, seen.last, "last", i);
		EXPECT_WORD(table[i].written, seen.written, "written", i);
		EXPECT_WORD(table[i].lost, seen.lost, "lost", i);
	}
}

TEST(ledger_refused)
{
	const struct fxt_ledger ledger = { 1, FXT_LEDGER_HEAD, 2, 3, 4, 5, 6 };
	struct fxt_ledger seen;
	__u64 rec[6], version;

	fxt_sched_put_ledger(rec, &ledger);
	for (int bit = 0; bit < 64; bit++) {
		rec[0] ^= AT(1, bit);
		EXPECT_WORD(0, fxt_sched_get_ledger(rec, &seen), "header, bit", bit);
		rec[0] ^= AT(1, bit);
	}
	for (version = 0; version < 256; version++) {
		rec[1] = AT(version, 16);
		EXPECT_WORD(version == 1, fxt_sched_get_ledger(rec, &seen), "version", version);
	}
}
