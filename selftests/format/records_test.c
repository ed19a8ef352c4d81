// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records_test.c - the records of fxt_sched.h and fxt_unknown.h, word by word.
 *
 * What flows in: what include/fxt/fxt_sched.h makes of facts of the scheduler:
 * weights, states, names, whole records and ledgers. What they are held
 * against: words put together here by hand from the bit positions of the
 * specification ("Fuchsia trace format"), the kernel's own numbers
 * (include/linux/sched.h, sched_prio_to_weight[]), and Unicode's table of
 * well-formed UTF-8. What must hold: every bit of a record, not one word
 * written beyond it, and no byte in a name that is not UTF-8.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"
#include "libfxt/fxt_strings.h"
#include "fxt/fxt_sched.h"
#include "fxt/fxt_unknown.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define AT(value, lo)		((uint64_t)(value) << (lo))
#define POISON			0xa5a5a5a5a5a5a5a5ULL

/* EXPECT_EQ() that also tells the words in hexadecimal, and of what they are. */
#define EXPECT_WORD(expected, seen, what, at) \
	expect_word(_metadata, expected, seen, what, at)

static void expect_word(struct __test_metadata *_metadata, uint64_t expected,
			uint64_t seen, const char *what, int at)
{
	EXPECT_EQ(expected, seen) {
		TH_LOG("%s %d: expected 0x%016jx, seen 0x%016jx", what, at,
		       (uintmax_t)expected, (uintmax_t)seen);
	}
}

/* Sizes that buffers of every producer are held against. */
static_assert(FXT_SWITCH_BASE_WORDS + 3 == FXT_SCHED_SWITCH_WORDS, "switch");
static_assert(FXT_WAKEUP_BASE_WORDS + 3 == FXT_SCHED_USUAL_WAKEUP_WORDS, "wakeup");
static_assert(FXT_WAKEUP_BASE_WORDS + 4 == FXT_SCHED_WAKEUP_WORDS, "wakeup");
static_assert(FXT_SCHED_SWITCH_WORDS <= FXT_SCHED_RECORD_WORDS, "largest");
static_assert(FXT_SCHED_WAKEUP_WORDS <= FXT_SCHED_RECORD_WORDS, "largest");
static_assert(sizeof(struct fxt_sched_comm) == FXT_SCHED_COMM_SIZE + FXT_WORD, "comm");

/* --- strings ---------------------------------------------------------------- */

static const struct {
	uint32_t index;
	const char *text;
} strings[] = {
#define STRING(index, text) { index, text },
	FXT_SCHED_STRINGS(STRING)
};

/* The index that archives register a text at: words are told by their texts. */
static uint64_t string(const char *text)
{
	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
		if (!strcmp(strings[i].text, text))
			return strings[i].index;
	abort();
}

TEST(string_indices_are_contiguous)
{
	for (size_t i = 0; i < ARRAY_LENGTH(strings); i++) {
		size_t length = strlen(strings[i].text);

		EXPECT_WORD(i + 1, strings[i].index, strings[i].text, i);
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
}

/* What archives that exist hold, and what buffers are made of. */
TEST(constants)
{
	EXPECT_EQ(1, FXT_SCHED_PROVIDER_ID);
	EXPECT_STREQ("fxt_sched", FXT_SCHED_PROVIDER_NAME);
	EXPECT_EQ(7, FXT_SCHED_SWITCH_WORDS);
	EXPECT_EQ(7, FXT_SCHED_WAKEUP_WORDS);
	EXPECT_EQ(6, FXT_SCHED_USUAL_WAKEUP_WORDS);
	EXPECT_EQ(7, FXT_SCHED_RECORD_WORDS);
	EXPECT_EQ(4, FXT_SCHED_PROCESS_WORDS);
	EXPECT_EQ(8, FXT_SCHED_THREAD_WORDS);
	EXPECT_EQ(12, FXT_SCHED_TASK_WORDS);
	EXPECT_EQ(6, FXT_LEDGER_WORDS);
	EXPECT_EQ(40, FXT_LEDGER_BYTES);
	EXPECT_EQ(16, FXT_SCHED_COMM_SIZE);
}

/* Linux ids end at 2^22, koids of losses begin beyond and stay in 32 bits. */
TEST(loss_koids)
{
	EXPECT_EQ(0x7fff0000ULL, FXT_SCHED_KOID_LOSS);
	EXPECT_EQ(0x7fff0001ULL, fxt_sched_loss_koid(0));
	EXPECT_EQ(0x7fff0008ULL, fxt_sched_loss_koid(7));
	EXPECT_EQ(0x80000000ULL, fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES));
}

/* --- weights ---------------------------------------------------------------- */

TEST(weight_of_fair_threads)
{
	/* The kernel's load weights of nice -20 to 19. */
	static const int32_t weights[] = {
		88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
		9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
		1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
		110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
	};

	ASSERT_EQ(40UL, ARRAY_LENGTH(weights));
	for (int i = 0; i < 40; i++)
		EXPECT_EQ(weights[i], fxt_sched_weight(1, 100 + i, weights[i]));
	/* SCHED_IDLE, which is not the idle task. */
	EXPECT_EQ(3, fxt_sched_weight(4194304, 120, 3));
}

TEST(weight_of_real_time_threads)
{
	for (int priority = 1; priority <= 99; priority++) {
		EXPECT_EQ(1000000 + priority, fxt_sched_weight(1, 99 - priority, 1024));
		EXPECT_EQ(1000000 + priority, fxt_sched_weight(4194304, 99 - priority, 0));
	}
}

TEST(weight_of_deadline_and_idle)
{
	EXPECT_EQ(INT32_MAX, fxt_sched_weight(1, -1, 1024));
	EXPECT_EQ(INT32_MAX, fxt_sched_weight(1, INT32_MIN, 0));
	EXPECT_EQ(INT32_MIN, fxt_sched_weight(0, 120, 1024));
	EXPECT_EQ(INT32_MIN, fxt_sched_weight(0, 0, 1024));
	EXPECT_EQ(INT32_MIN, fxt_sched_weight(0, -1, 1024));
}

TEST(prio)
{
	EXPECT_EQ(INT32_MIN, fxt_sched_prio(0, 120));
	EXPECT_EQ(INT32_MIN, fxt_sched_prio(0, -1));
	for (int32_t prio = -1; prio <= 139; prio++)
		EXPECT_EQ(prio, fxt_sched_prio(1, prio));
}

/* --- states ----------------------------------------------------------------- */

#define NEW		0
#define SUSPENDED	2
#define BLOCKED		3
#define DYING		4
#define DEAD		5

/* The kernel's TASK_* and EXIT_* bits. */
TEST(linux_state_bits)
{
	EXPECT_EQ(0x0002, FXT_LINUX_UNINTERRUPTIBLE);
	EXPECT_EQ(0x0004, FXT_LINUX_STOPPED);
	EXPECT_EQ(0x0008, FXT_LINUX_TRACED);
	EXPECT_EQ(0x0010, FXT_LINUX_EXIT_DEAD);
	EXPECT_EQ(0x0020, FXT_LINUX_EXIT_ZOMBIE);
	EXPECT_EQ(0x0040, FXT_LINUX_PARKED);
	EXPECT_EQ(0x0080, FXT_LINUX_DEAD);
	EXPECT_EQ(0x0400, FXT_LINUX_NOLOAD);
	EXPECT_EQ(0x1000, FXT_LINUX_RTLOCK_WAIT);
	EXPECT_EQ(0x8000, FXT_LINUX_FROZEN);
}

TEST(states)
{
	static const struct {
		const char *name;
		uint32_t task, exit;
		uint32_t state;
		const char *letter;
	} table[] = {
		{ "S, interruptible",		0x0001, 0, BLOCKED, NULL },
		{ "S, freezable",		0x2001, 0, BLOCKED, NULL },
		{ "S, freezable unsafe",	0x6001, 0, BLOCKED, NULL },
		{ "S, no load",			0x0401, 0, BLOCKED, NULL },
		{ "D, uninterruptible",		0x0002, 0, BLOCKED, "D" },
		{ "D, killable",		0x0102, 0, BLOCKED, "D" },
		{ "D, freezable",		0x2002, 0, BLOCKED, "D" },
		{ "D, killable freezable",	0x2102, 0, BLOCKED, "D" },
		{ "D, freezable unsafe",	0x6102, 0, BLOCKED, "D" },
		{ "D, rtlock",			0x1000, 0, BLOCKED, "D" },
		{ "D, frozen",			0x8000, 0, BLOCKED, "D" },
		{ "I, idle",			0x0402, 0, BLOCKED, "I" },
		{ "I, freezable",		0x2402, 0, BLOCKED, "I" },
		{ "T, stopped",			0x0104, 0, SUSPENDED, NULL },
		{ "T, without wakekill",	0x0004, 0, SUSPENDED, NULL },
		{ "t, traced",			0x0008, 0, SUSPENDED, "t" },
		{ "t, with wakekill",		0x0108, 0, SUSPENDED, "t" },
		{ "P, parked",			0x0040, 0, SUSPENDED, "P" },
		{ "Z, zombie",			0x0080, 0x20, DYING, NULL },
		{ "Z, told by exit_state",	0x0001, 0x20, DYING, NULL },
		{ "Z, being reaped",		0x0080, 0x30, DYING, NULL },
		{ "Z, in D",			0x0002, 0x20, DYING, NULL },
		{ "X, in I",			0x0402, 0x10, DEAD, NULL },
		{ "X, dead",			0x0080, 0x10, DEAD, NULL },
		{ "X, told by exit_state",	0x0001, 0x10, DEAD, NULL },
		{ "X, told by the task",	0x0080, 0, DEAD, NULL },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		struct fxt_sched_state s = fxt_sched_state(1, table[i].task, table[i].exit);
		uint64_t letter = table[i].letter ? string(table[i].letter) : 0;

		EXPECT_WORD(table[i].state, s.state, table[i].name, i);
		EXPECT_WORD(letter, s.letter, table[i].name, i);

		/* The same bits, but preempted: the thread can go on at once. */
		s = fxt_sched_state(0, table[i].task, table[i].exit);
		EXPECT_WORD(NEW, s.state, table[i].name, i);
		EXPECT_WORD(0, s.letter, table[i].name, i);
	}
}

/* Whatever the bits: a state that the format has, and a letter of that state. */
TEST(states_of_any_bits)
{
	const uint32_t d = string("D"), i = string("I"), t = string("t"), p = string("P");

	for (uint32_t bits = 0; bits < 4 * 0x20000; bits++) {
		struct fxt_sched_state s = fxt_sched_state(1, bits / 4, bits % 4 * 0x10);

		ASSERT_EQ(s.state == BLOCKED && !s.letter,
			  fxt_sched_is_sleep(bits / 4, bits % 4 * 0x10));
		if (s.letter == d || s.letter == i) {
			ASSERT_EQ((uint32_t)BLOCKED, s.state);
		} else if (s.letter == t || s.letter == p) {
			ASSERT_EQ((uint32_t)SUSPENDED, s.state);
		} else {
			ASSERT_EQ(0U, s.letter);
		}
		ASSERT_LE((uint32_t)SUSPENDED, s.state);
		ASSERT_GE((uint32_t)DEAD, s.state);
	}
}

TEST(running_is_new)
{
	struct fxt_sched_state s = fxt_sched_state(0, 0, 0);

	EXPECT_EQ((uint32_t)NEW, s.state);
	EXPECT_EQ(0U, s.letter);
}

/* --- switch and wakeup ------------------------------------------------------- */

/* Room for a record and more, and what must be in it afterwards. */
#define ROOM 16

static void poison(__u64 *rec, uint64_t *expected)
{
	for (int i = 0; i < ROOM; i++) {
		rec[i] = POISON;
		expected[i] = POISON;
	}
}

static void expect_words(struct __test_metadata *_metadata,
			 const uint64_t *expected, const __u64 *rec)
{
	for (int i = 0; i < ROOM; i++)
		EXPECT_WORD(expected[i], rec[i], "word", i);
}

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

/* The most that each value can be, and weights below zero. */
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

/* --- what a filter keeps ------------------------------------------------------- */

/* @args: of six words and the argument "unknown"; 11 goes out, @in comes in. */
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

/* The state of a thread that does not match is hidden, letter and all. */
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

/* Where nothing is hidden the record is like any other. */
TEST_F(record, switch_that_is_kept_whole)
{
	const enum fxt_sched_kept kept[] = {
		FXT_SCHED_KEPT_ALL, FXT_SCHED_KEPT_IN, FXT_SCHED_KEPT_IN,
	};
	const struct fxt_sched_state states[] = { { BLOCKED, 0 }, { DYING, 0 }, { NEW, 0 } };
	const uint32_t out[] = { 11, 11, 0 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
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

/* Preemption off, a soft interrupt off or served, each of the others around it. */
TEST(interrupts)
{
	static const struct {
		uint32_t count;
		uint32_t irq;
	} known[] = {
		{ 0, FXT_SCHED_IRQ_NONE }, { 0xff, FXT_SCHED_IRQ_NONE },
		{ 0x80000001, FXT_SCHED_IRQ_NONE }, { 0x200, FXT_SCHED_IRQ_NONE },
		{ 0xfe00, FXT_SCHED_IRQ_NONE }, { 0x100, FXT_SCHED_IRQ_SOFT },
		{ 0x80000101, FXT_SCHED_IRQ_SOFT }, { 0x301, FXT_SCHED_IRQ_SOFT },
		{ 0x10000, FXT_SCHED_IRQ_HARD }, { 0x80010101, FXT_SCHED_IRQ_HARD },
		{ 0xf0200, FXT_SCHED_IRQ_HARD }, { 0x100000, FXT_SCHED_IRQ_NMI },
		{ 0x80f10101, FXT_SCHED_IRQ_NMI }, { 0x1000000, FXT_SCHED_IRQ_NONE },
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(known); i++)
		EXPECT_WORD(known[i].irq, fxt_sched_irq(known[i].count), "count", i);
	EXPECT_EQ(4194303U, fxt_sched_waker(4194303, FXT_SCHED_IRQ_NONE));
	EXPECT_TRUE(fxt_sched_waker_is_thread(1));
	EXPECT_TRUE(fxt_sched_waker_is_thread(4194303));
	EXPECT_FALSE(fxt_sched_waker_is_thread(0));
	for (i = FXT_SCHED_IRQ_HARD; i <= FXT_SCHED_IRQ_NMI; i++) {
		EXPECT_FALSE(fxt_sched_waker_is_thread(fxt_sched_waker(0, i)));
		EXPECT_FALSE(fxt_sched_waker_is_thread(fxt_sched_waker(4194303, i)));
	}
}

/* --- tasks ------------------------------------------------------------------- */

FIXTURE(task) {
	__u64 rec[ROOM];
	uint64_t expected[ROOM];
};

FIXTURE_VARIANT(task) {
	const char *name;
	uint64_t ref;		/* by hand: bit 15, and the length */
	uint32_t stream;	/* words */
};

FIXTURE_VARIANT_ADD(task, bytes_0) { "", 0x0000, 0 };
FIXTURE_VARIANT_ADD(task, bytes_1) { "a", 0x8001, 1 };
FIXTURE_VARIANT_ADD(task, bytes_7) { "rcu_gp7", 0x8007, 1 };
FIXTURE_VARIANT_ADD(task, bytes_8) { "kthreadd", 0x8008, 1 };
FIXTURE_VARIANT_ADD(task, bytes_9) { "migration", 0x8009, 2 };
FIXTURE_VARIANT_ADD(task, bytes_15) { "kworker/u16:3-e", 0x800f, 2 };

FIXTURE_SETUP(task)
{
	poison(self->rec, self->expected);
}

FIXTURE_TEARDOWN(task) {}

/* One kernel object record, without arguments: the words at its place. */
static uint32_t expect_object(uint64_t *expected, uint64_t header, uint64_t koid,
			      const char *name, uint32_t stream)
{
	unsigned char bytes[16] = { 0 };

	for (size_t i = 0; name[i]; i++)
		bytes[i] = name[i];
	expected[0] = header;
	expected[1] = koid;
	memcpy(&expected[2], bytes, 8 * stream);
	return 2 + stream;
}

static uint32_t expect_thread(uint64_t *expected, uint64_t tid, uint64_t tgid,
			      const char *name, uint64_t ref, uint32_t stream)
{
	uint64_t header = 7 | AT(4 + stream, 4) | AT(2, 16) | AT(ref, 24) | AT(1, 40);
	uint32_t n = expect_object(expected, header, tid, name, stream);

	expected[n++] = 8 | AT(2, 4) | AT(string("process"), 16);
	expected[n++] = tgid;
	return n;
}

TEST_F(task, thread)
{
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	uint32_t words, records = 99;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 4194304, 4194303, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	EXPECT_EQ(1U, records);
	EXPECT_EQ(words, expect_thread(self->expected, 4194304, 4194303, variant->name,
				       variant->ref, variant->stream));
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, event)
{
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	struct fxt_sched_event event = { FXT_STR_RENAME, 0x123456789abcdef0ULL };
	uint32_t words, records = 99, n;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 17, 16, &comm, event, &records);
	EXPECT_EQ(1U, records);
	n = expect_thread(self->expected, 17, 16, variant->name, variant->ref,
			  variant->stream);
	/* Two words and one argument more; a Uint64 called "rename". */
	self->expected[0] += AT(2, 4) + AT(1, 40);
	self->expected[n++] = 4 | AT(2, 4) | AT(23, 16);
	self->expected[n++] = event.time;
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, fork_of_a_leader)
{
	uint64_t header = 7 | AT(2 + variant->stream, 4) | AT(1, 16) | AT(variant->ref, 24);
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	struct fxt_sched_event event = { FXT_STR_FORK, 0xfedcba9876543210ULL };
	uint32_t words, records = 99, n, thread;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, 17, 17, &comm, event, &records);
	EXPECT_EQ(2U, records);
	EXPECT_GE((uint32_t)FXT_SCHED_TASK_WORDS, words);
	thread = expect_object(self->expected, header, 17, variant->name, variant->stream);
	n = thread + expect_thread(self->expected + thread, 17, 17, variant->name,
				   variant->ref, variant->stream);
	/* As above; a Uint64 called "fork". */
	self->expected[thread] += AT(2, 4) + AT(1, 40);
	self->expected[n++] = 4 | AT(2, 4) | AT(29, 16);
	self->expected[n++] = event.time;
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

TEST_F(task, leader)
{
	uint64_t header = 7 | AT(2 + variant->stream, 4) | AT(1, 16) | AT(variant->ref, 24);
	struct fxt_sched_comm comm = { { 0, 0 }, strlen(variant->name) };
	uint32_t words, records = 99, n;

	memcpy(comm.words, variant->name, comm.bytes);
	words = fxt_sched_put_task(self->rec, UINT32_MAX, UINT32_MAX, &comm,
				   (struct fxt_sched_event){ 0 }, &records);
	EXPECT_EQ(2U, records);
	EXPECT_GE((uint32_t)FXT_SCHED_TASK_WORDS, words);
	n = expect_object(self->expected, header, 0xffffffff, variant->name, variant->stream);
	n += expect_thread(self->expected + n, 0xffffffff, 0xffffffff, variant->name,
			   variant->ref, variant->stream);
	EXPECT_EQ(n, words);
	expect_words(_metadata, self->expected, self->rec);
}

/* --- names ------------------------------------------------------------------- */

/* Unicode, table "Well-Formed UTF-8 Byte Sequences": its corners, and beyond. */
TEST(utf8_corners)
{
	static const struct {
		const char *s;
		uint32_t bytes, length;
	} table[] = {
		{ "\x00", 1, 1 }, { "\x7f", 1, 1 }, { "ab", 2, 1 }, { "\xc2\x80", 2, 2 },
		{ "\xdf\xbf", 2, 2 }, { "\xdf\xbf\xbf", 3, 2 }, { "\xe0\xa0\x80", 3, 3 },
		{ "\xe0\xbf\xbf", 3, 3 }, { "\xe1\x80\x80", 3, 3 }, { "\xec\xbf\xbf", 3, 3 },
		{ "\xed\x80\x80", 3, 3 }, { "\xed\x9f\xbf", 3, 3 }, { "\xee\x80\x80", 3, 3 },
		{ "\xef\xbf\xbf", 3, 3 }, { "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf0\xbf\xbf\xbf", 4, 4 }, { "\xf1\x80\x80\x80", 4, 4 },
		{ "\xf3\xbf\xbf\xbf", 4, 4 }, { "\xf4\x80\x80\x80", 4, 4 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		/* no head of a sequence */
		{ "\x80", 1, 0 }, { "\xbf\x80", 2, 0 }, { "\xf5\x80\x80\x80", 4, 0 },
		{ "\xf8\x88\x80\x80", 4, 0 }, { "\xfe", 1, 0 }, { "\xff\xff\xff\xff", 4, 0 },
		/* overlong */
		{ "\xc0\x80", 2, 0 }, { "\xc1\xbf", 2, 0 }, { "\xe0\x80\x80", 3, 0 },
		{ "\xe0\x9f\xbf", 3, 0 }, { "\xf0\x80\x80\x80", 4, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		/* surrogates, and beyond U+10FFFF */
		{ "\xed\xa0\x80", 3, 0 }, { "\xed\xbf\xbf", 3, 0 },
		{ "\xf4\x90\x80\x80", 4, 0 }, { "\xf4\xbf\xbf\xbf", 4, 0 },
		/* something else goes on */
		{ "\xc2\x7f", 2, 0 }, { "\xc2\xc0", 2, 0 }, { "\xe1\x80\x7f", 3, 0 },
		{ "\xe1\x80\xc0", 3, 0 }, { "\xe1\x7f\x80", 3, 0 },
		{ "\xf1\x80\x80\x7f", 4, 0 }, { "\xf1\x80\xc0\x80", 4, 0 },
		/* cut, though the bytes that follow would do */
		{ "\xc2\x80", 1, 0 }, { "\xe1\x80\x80", 2, 0 }, { "\xe1\x80\x80", 1, 0 },
		{ "\xf1\x80\x80\x80", 3, 0 }, { "\xf1\x80\x80\x80", 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		/* Of just that size, for checkers of memory. */
		unsigned char *s = malloc(table[i].bytes);

		ASSERT_NE(NULL, s);
		memcpy(s, table[i].s, table[i].bytes);
		EXPECT_WORD(table[i].length, fxt_utf8_length(s, table[i].bytes), "row", i);
		free(s);
	}
}

/* Every character is taken; by their number, nothing else is. */
TEST(utf8_characters)
{
	static const unsigned char heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	uint32_t count[5] = { 0 };

	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		uint32_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		uint32_t length = c >= 0xd800 && c <= 0xdfff ? 0 : bytes;
		unsigned char s[4] = { 0, 0x80 | (c >> 12 & 0x3f), 0x80 | (c >> 6 & 0x3f),
				       0x80 | (c & 0x3f) };

		s[4 - bytes] = heads[bytes] | c >> (6 * (bytes - 1));
		ASSERT_EQ(length, fxt_utf8_length(s + 4 - bytes, bytes));
	}
	for (uint32_t i = 0; i < 0x1000000; i++) {
		unsigned char s[4] = { i >> 16, i >> 8, i, 0x80 };

		count[fxt_utf8_length(s, 4)]++;
	}
	EXPECT_EQ(128U * 0x10000, count[1]);
	EXPECT_EQ(1920U * 0x100, count[2]);
	EXPECT_EQ(61440U, count[3]);
	EXPECT_EQ(1048576U / 64, count[4]);
}

static void expect_name(struct __test_metadata *_metadata, const char *comm,
			const char *name, int row)
{
	unsigned char padded[16] = { 0 };
	char *exact = malloc(16);	/* of just that size, for checkers of memory */
	struct fxt_sched_comm c;

	ASSERT_NE(NULL, exact);
	memcpy(exact, comm, 16);
	c = fxt_sched_comm(exact);
	free(exact);
	memcpy(padded, name, strlen(name));
	EXPECT_WORD(strlen(name), c.bytes, "length of row", row);
	EXPECT_WORD(0, !!memcmp(padded, c.words, 16), "bytes of row", row);
}

TEST(comm)
{
	static const struct {
		const char comm[17];	/* as task_struct has it, 16 bytes */
		const char *name;
	} table[] = {
		{ "", "" },
		{ "a", "a" },
		{ "kthreadd", "kthreadd" },
		{ "migration/0", "migration/0" },
		{ "kworker/u16:3-e", "kworker/u16:3-e" },
		/* without a terminator: the 16th byte is never the name's */
		{ "0123456789abcdef", "0123456789abcde" },
		/* what a longer name left behind */
		{ "ab\0cdefghijklmn", "ab" },
		{ "\0bcdefghijklmno", "" },
		/* UTF-8, and UTF-8 to the last byte */
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "0123456789abc\xc3\xa9", "0123456789abc\xc3\xa9" },
		{ "0123456789a\xf0\x9f\x98\x80", "0123456789a\xf0\x9f\x98\x80" },
		/* cut in a character, with the rest of it as the 16th byte or not */
		{ "0123456789abcd\xc3", "0123456789abcd?" },
		{ "0123456789abcd\xc3\xa9", "0123456789abcd?" },
		{ "0123456789abc\xe2\x82", "0123456789abc??" },
		{ "0123456789abc\xe2\x82\xac", "0123456789abc??" },
		{ "0123456789ab\xf0\x9f\x98", "0123456789ab???" },
		{ "ab\xe2\0\x82\xac", "ab?" },
		/* no UTF-8 */
		{ "\xff\xfe", "??" },
		{ "\x80" "a\xbf", "?a?" },
		{ "\xc0\x80", "??" },
		{ "\xed\xa0\x80", "???" },
		{ "\xc3(", "?(" },
		{ "\xe2(\xa1", "?(?" },
		{ "\xe2\x82(", "?" "?(" },
		{ "\x80\xc3\xa9", "?\xc3\xa9" },
		{ "\xe2\xc3\xa9", "?\xc3\xa9" },
		{ "\xf4\x90\x80\x80", "????" },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		  "???????????????" },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		expect_name(_metadata, table[i].comm, table[i].name, i);
}

TEST(comm_of_each_byte)
{
	for (int byte = 1; byte < 256; byte++) {
		const char comm[16] = { 'x', byte, 'y' };
		const char name[] = { 'x', byte < 0x80 ? byte : '?', 'y', 0 };

		expect_name(_metadata, comm, name, byte);
	}
}

/* --- the ledger --------------------------------------------------------------- */

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

TEST_HARNESS_MAIN
