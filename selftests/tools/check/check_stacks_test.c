// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call stacks: a stack that belongs to neither a switch nor a wakeup, and an address that is
 * neither mapped nor named, is a note at its byte, unless the archive says why.
 */
#include "check_fixture.h"
#include "event_story.h"

#define US		1000ULL
#define KERNEL_READ	0xffffffff81000010	/* frames */
#define KERNEL_WAKE	0xffffffff81000080
#define PROGRAM		0x401010
#define NO_FILE		0x7f0000001010
#define UNMAPPED	0x123456789010

static const uint64_t sleeper[] = { KERNEL_READ, PROGRAM, NO_FILE };
static const uint64_t waker[] = { KERNEL_WAKE, PROGRAM };

static void tell_mappings(struct story *s)
{
	event_module(s, 1, 0, 1, "[kernel.kallsyms]", 0xffffffff81000000, 4096);
	event_module(s, 2, 11, 1, "/bin/eleven", 0x401000, 4096);
	event_module(s, 3, 11, 2, "//anon", NO_FILE - 0x10, 4096);
}

/* 12 sleeps from 10 us on, 11 wakes it at 20 us, and it runs from 30 us on. */
static void tell_sleep(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; 0@1us 0>12; 10us 12>11 S");
}

static void tell_waking(struct story *s)
{
	event_stack(s, 19 * US, 12, 11, waker, 2);
	story_wake(s, 20 * US, 0, 12, fxt_sched_waker(11, FXT_SCHED_IRQ_NONE));
}

/* Tell the whole sleep, with its stack. Return: the offset of the stack. */
static uint64_t tell_slept(struct story *s, const uint64_t *frames, uint32_t count)
{
	tell_sleep(s);
	tell_waking(s);
	story_switch(s, 30 * US, 11, 12, FXT_THREAD_NEW);
	return event_stack(s, 30 * US, 12, 11, frames, count);
}

static void tell_end(struct story *s)
{
	story_end(s, 1000 * US);
	tell_mappings(s);
}

#define EXPECT_NOTE(where) do {						\
	EXPECT_EQ(1U, COUNT("notes")) TH_LOG("%s", self->t.out);	\
	EXPECT_STREQ("stack", STRING("notes.0.kind"));			\
	EXPECT_EQ((int64_t)(where), NUMBER("notes.0.offset"));		\
} while (0)

TEST_F(check, stacks_have_no_fault)
{
	struct story *s = &self->s;

	tell_slept(s, sleeper, 3);
	story_switch(s, 40 * US, 12, 11, FXT_THREAD_BLOCKED);
	/* The recording ends between a waker's stack and the wakeup. */
	event_stack(s, 50 * US, 12, 11, waker, 2);
	tell_end(s);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(0U, COUNT("notes")) TH_LOG("%s", self->t.out);
}

TEST_F(check, stack_of_no_wakeup)
{
	uint64_t where;

	tell_sleep(&self->s);
	where = event_stack(&self->s, 18 * US, 12, 11, waker, 2);
	tell_waking(&self->s);
	tell_end(&self->s);
	EXPECT_EQ(0, check_json(self));
	EXPECT_NOTE(where);
	EXPECT_STREQ("sched", STRING("notes.0.class"));
	EXPECT_EQ((int64_t)(18 * US), NUMBER("notes.0.time_ns"));
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("note: byte %ju: thread 12: a stack belongs to neither a switch nor a wakeup [sched stack]\n",
			 (uintmax_t)where));
}

/* The thread is woken already, so a later wakeup is another one. */
TEST_F(check, stack_of_a_runnable_thread)
{
	uint64_t where;

	tell_sleep(&self->s);
	tell_waking(&self->s);
	where = event_stack(&self->s, 25 * US, 12, 11, waker, 2);
	STORY(&self->s, "30us 11>12; 40us 12>11 S; 50us wake 12 by 11 on 0");
	tell_end(&self->s);
	EXPECT_EQ(0, check_json(self));
	EXPECT_NOTE(where);
}

/* The switch before the stack switches the thread out. */
TEST_F(check, stack_of_no_switch)
{
	uint64_t where;

	tell_sleep(&self->s);
	tell_waking(&self->s);
	STORY(&self->s, "30us 11>12; 40us 12>11");
	where = event_stack(&self->s, 40 * US, 12, 11, sleeper, 3);
	tell_end(&self->s);
	EXPECT_EQ(0, check_json(self));
	EXPECT_NOTE(where);
}

/*
 * The stack's wakeup is missing: the thread ran again and slept, until another wakeup or for ever.
 */
static uint64_t tell_two_sleeps(struct story *s, bool is_woken)
{
	uint64_t where;

	tell_sleep(s);
	STORY(s, "15us wake 12 by 11 on 0; 16us 11>12");
	where = event_stack(s, 17 * US, 12, 11, waker, 2);
	STORY(s, "18us 12>11; 20us 11>12; 30us 12>11 S");
	if (is_woken)
		story_wake(s, 40 * US, 0, 12, fxt_sched_waker(11, FXT_SCHED_IRQ_NONE));
	tell_end(s);
	return where;
}

TEST_F(check, stack_before_another_sleep)
{
	uint64_t where;

	for (int is_woken = 0; is_woken < 2; is_woken++) {
		where = tell_two_sleeps(&self->s, is_woken);
		EXPECT_EQ(0, check_json(self));
		EXPECT_NOTE(where);
		story_restart(&self->s);
	}
}

TEST_F(check, stacks_where_records_were_lost)
{
	tell_sleep(&self->s);
	event_stack(&self->s, 18 * US, 12, 11, waker, 2);
	STORY(&self->s, "lose 0 5 @100us; 100us 12>11 S");
	tell_waking(&self->s);
	tell_end(&self->s);
	CHECK("--json", NULL, NULL);
	EXPECT_NOT_IN(self->t.out, "neither a switch");
}

TEST_F(check, addresses_outside_of_mappings)
{
	static const uint64_t stray[] = { KERNEL_READ, PROGRAM, UNMAPPED, 0x402001, UNMAPPED };
	uint64_t where;

	where = tell_slept(&self->s, stray, 5);
	story_switch(&self->s, 40 * US, 12, 11, FXT_THREAD_NEW);
	event_stack(&self->s, 40 * US, 11, 11, stray, 5);
	tell_end(&self->s);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1U, COUNT("notes")) TH_LOG("%s", self->t.out);
	EXPECT_STREQ("unmapped", STRING("notes.0.kind"));
	EXPECT_STREQ("sched", STRING("notes.0.class"));
	EXPECT_EQ((int64_t)where, NUMBER("notes.0.offset"));
	/* 0x402001 is the return address of a call at the very end of the mapping. */
	EXPECT_EQ(2, NUMBER("notes.0.count"));
	EXPECT_EQ(2, NUMBER("note_counts.sched.unmapped"));
	EXPECT_TRUE(TEXT("addresses of programs in stacks are outside of every mapping (2 of 3, in 1 process), first 0x402000 of process 11"));
}

/* Mappings of another process, or of the kernel, do not count. */
TEST_F(check, mappings_are_of_their_process)
{
	static const uint64_t frames[] = { KERNEL_READ, PROGRAM };

	tell_slept(&self->s, frames, 2);
	story_end(&self->s, 1000 * US);
	event_module(&self->s, 1, 0, 1, "[kernel.kallsyms]", 0x400000, 65536);
	event_module(&self->s, 2, 21, 1, "/bin/other", 0x401000, 4096);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(2U, COUNT("notes"));
	EXPECT_TRUE(TEXT("addresses of the kernel in stacks are outside of every mapping (2 of 2), first 0xffffffff8100007f"));
	EXPECT_TRUE(TEXT("addresses of programs in stacks are outside of every mapping (1 of 1, in 1 process)"));
}

TEST_F(check, symbols_replace_mappings)
{
	static const uint64_t frames[] = { KERNEL_READ, UNMAPPED };

	tell_slept(&self->s, frames, 2);
	tell_end(&self->s);
	event_symbols(&self->s, "u 11 123456789000 123456789010 jitted\n");
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(0U, COUNT("notes")) TH_LOG("%s", self->t.out);
}

TEST_F(check, symbols_are_of_their_process)
{
	static const uint64_t frames[] = { KERNEL_READ, UNMAPPED };

	tell_slept(&self->s, frames, 2);
	tell_end(&self->s);
	event_symbols(&self->s, "u 12 123456789000 123456789010 jitted\n");
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("note_counts.sched.unmapped"));
}

TEST_F(check, stacks_are_of_one_class)
{
	static const uint64_t frames[] = { UNMAPPED };

	tell_sleep(&self->s);
	event_stack(&self->s, 18 * US, 12, 11, frames, 1);
	tell_waking(&self->s);
	tell_end(&self->s);
	EXPECT_EQ(0, CHECK("--json", "--only", "format,perfetto"));
	EXPECT_NOT_IN(self->t.out, "stack");
}
