// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Weights, states and interrupts of fxt_sched.h, compared with the kernel's own numbers
 * (include/linux/sched.h, sched_prio_to_weight[]), repeated here by hand.
 */
#include "sched_words.h"
#include "fxt/fxt_sched.h"

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
		{ "D, rtlock of a zombie",	0x1000, 0x20, BLOCKED, "D" },
		{ "D, rtlock of an ending one",	0x1000, 0x10, BLOCKED, "D" },
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

		/* The same bits, but preempted: the thread is runnable. */
		s = fxt_sched_state(0, table[i].task, table[i].exit);
		EXPECT_WORD(NEW, s.state, table[i].name, i);
		EXPECT_WORD(0, s.letter, table[i].name, i);
	}
}

/* Any bits give a state of the format, and a letter that belongs to the state. */
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

/* Preemption disabled, softirqs disabled or served, and each kind of interrupt around it. */
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

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		EXPECT_WORD(known[i].irq, fxt_sched_irq(known[i].count), "count", i);
	EXPECT_EQ(4194303U, fxt_sched_waker(4194303, FXT_SCHED_IRQ_NONE));
	EXPECT_TRUE(fxt_sched_waker_is_thread(1));
	EXPECT_TRUE(fxt_sched_waker_is_thread(4194303));
	EXPECT_FALSE(fxt_sched_waker_is_thread(0));
	for (size_t i = FXT_SCHED_IRQ_HARD; i <= FXT_SCHED_IRQ_NMI; i++) {
		EXPECT_FALSE(fxt_sched_waker_is_thread(fxt_sched_waker(0, i)));
		EXPECT_FALSE(fxt_sched_waker_is_thread(fxt_sched_waker(4194303, i)));
	}
}
