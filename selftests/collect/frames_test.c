// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Learning the sizes of the kernel's frames from stacks that the kernel unwound. The table has
 * sizes that are constant; it has no size that depends on an old return address, on chance or on
 * interrupted code; a lesson that contradicts a learned size removes it.
 */
#include "harness.h"
#include "fxt-collect/source/bpf/frames.h"
#include "tool.h"

#define DEPTH		32
#define ENOUGH		3
#define ENOUGH_AT_END	12
#define CODE(n)		(0xffffffffbf000000UL + (n))
#define TRACEPOINT	CODE(0x100)
#define WAKE		CODE(0x200)
#define WRITE		CODE(0x300)
#define READ		CODE(0x400)
#define SYSCALL		CODE(0x500)
#define ENTRY		CODE(0x600)
#define SCHEDULE_INNER	CODE(0x700)	/* of a thread that is running */
#define SCHEDULE_AT	CODE(0x708)	/* of a thread that is off the CPU */
#define SCHEDULE	CODE(0x800)
#define TIMEOUT		CODE(0x900)	/* a function of the scheduler that calls SCHEDULE */
#define BPF_CODE	0xffffffffc0001000UL
#define KERNEL_CS	0x10
#define KERNEL_SS	0x18

FIXTURE(frames) {
	struct frame_learner l;
	uint64_t table[FXT_BPF_FRAMES];
	struct fxt_bpf_lesson lesson;
};

FIXTURE_SETUP(frames)
{
	self->l.table = self->table;
}

FIXTURE_TEARDOWN(frames) { }

static void begin(struct fxt_bpf_lesson *lesson, enum fxt_bpf_lesson_kind kind)
{
	*lesson = (struct fxt_bpf_lesson) { .kind = kind };
}

/* Add a return address, @words words after the previous one; 0: it is not on the stack. */
static void add(struct fxt_bpf_lesson *lesson, uint64_t address, uint32_t words)
{
	lesson->frames[lesson->frame_count++] = address;
	if (!words)
		return;
	lesson->word_count += words;
	lesson->words[lesson->word_count - 1] = address;
}

/* @words: distance from the previous return address to this one */
struct frame {
	uint64_t address;
	uint32_t words;
};

/* A lesson of a program on sched_waking. The first distance is from the word before the stack. */
static void waking(struct fxt_bpf_lesson *lesson, const struct frame *frames)
{
	begin(lesson, FXT_BPF_LESSON_WAKING);
	add(lesson, TRACEPOINT, 0);
	lesson->word_count = 1;
	for (; frames->address; frames++)
		add(lesson, frames->address, frames->words);
}

#define WAKING(...) \
	waking(&self->lesson, (const struct frame[]){ __VA_ARGS__, { 0, 0 } })

/* A write in a system call whose frame begins @random words lower. */
#define WRITING(random) \
	WAKING({ WAKE, 6 }, { WRITE, 10 }, { SYSCALL, 4 }, { ENTRY, 8 + (random) })

static uint32_t known(const uint64_t *table, uint64_t address)
{
	const uint64_t *set = table + fxt_bpf_frame_index(address);

	for (int i = 0; i < FXT_BPF_FRAMES_WAYS; i++)
		if (fxt_bpf_frame_is(set[i], address))
			return set[i];
	return FXT_BPF_FRAME_UNKNOWN;
}

TEST_F(frames, sizes_that_are_constant)
{
	for (unsigned int i = 0; i < ENOUGH; i++) {
		EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WAKE));
		WRITING(2 * i);
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
	EXPECT_EQ(TRACEPOINT, self->l.running);
	EXPECT_EQ(6U, known(self->table, TRACEPOINT));
	EXPECT_EQ(10U, known(self->table, WAKE));
	EXPECT_EQ(4U, known(self->table, WRITE));
	EXPECT_EQ(FXT_BPF_FRAME_AT_END, known(self->table, SYSCALL));
	EXPECT_EQ(FXT_BPF_FRAME_LAST, known(self->table, ENTRY));
	/* The same function with another caller and another frame size. */
	WAKING({ WAKE, 6 }, { READ, 11 });
	frames_learn(&self->l, &self->lesson, DEPTH);
	EXPECT_EQ(6U, known(self->table, TRACEPOINT));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WAKE));
	EXPECT_EQ(4U, known(self->table, WRITE));
}

/* By chance, a system call's frame may have the same size several times. */
TEST_F(frames, system_calls_begin_anywhere)
{
	for (unsigned int i = 0; i < ENOUGH_AT_END; i++) {
		EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, SYSCALL));
		WRITING(0);
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
	EXPECT_EQ(8U, known(self->table, SYSCALL));
	WRITING(1);
	frames_learn(&self->l, &self->lesson, DEPTH);
	EXPECT_EQ(FXT_BPF_FRAME_AT_END, known(self->table, SYSCALL));
}

/* Two return addresses share a place in the table. */
TEST_F(frames, places_that_are_the_same)
{
	uint64_t other = WAKE + 1;

	while (fxt_bpf_frame_index(other) != fxt_bpf_frame_index(WAKE))
		other++;
	for (unsigned int i = 0; i < ENOUGH; i++) {
		WAKING({ WAKE, 6 }, { other, 10 }, { WRITE, 5 }, { READ, 5 });
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
	EXPECT_EQ(10U, known(self->table, WAKE));
	EXPECT_EQ(5U, known(self->table, other));
}

/* If a return address is on the stack twice, it is unknown which one is old. */
TEST_F(frames, old_return_addresses)
{
	for (unsigned int i = 0; i < ENOUGH; i++) {
		WRITING(0);
		self->lesson.words[12] = WRITE;
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
	EXPECT_EQ(6U, known(self->table, TRACEPOINT));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WAKE));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WRITE));
}

/* If a stack is as deep as a recording allows, its last frame may not be the outermost one. */
TEST_F(frames, stacks_that_are_cut_off)
{
	for (unsigned int i = 0; i < ENOUGH; i++) {
		WRITING(0);
		frames_learn(&self->l, &self->lesson, self->lesson.frame_count);
	}
	EXPECT_EQ(10U, known(self->table, WAKE));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, ENTRY));
}

/*
 * BPF code can be replaced while the kernel runs, and code that a fault interrupted has not made a
 * call.
 */
TEST_F(frames, what_is_no_call)
{
	for (unsigned int i = 0; i < ENOUGH; i++) {
		WAKING({ WAKE, 6 }, { BPF_CODE, 4 }, { WRITE, 4 },
		       { READ, 17 }, { SYSCALL, 20 }, { ENTRY, 2 });
		self->lesson.words[14 + 1 + 17] = KERNEL_CS;
		self->lesson.words[14 + 1 + 20] = KERNEL_SS;
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
	EXPECT_EQ(6U, known(self->table, TRACEPOINT));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WAKE));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, BPF_CODE));
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, WRITE));
	EXPECT_EQ(20U, known(self->table, READ));
}

/* @has_timeout: one more function of the scheduler */
static void add_sleep(struct fxt_bpf_lesson *lesson, bool runs, bool has_timeout)
{
	begin(lesson, runs ? FXT_BPF_LESSON_SWITCH : FXT_BPF_LESSON_ASLEEP);
	if (runs) {
		add(lesson, TRACEPOINT, 0);
		lesson->word_count = 4;
		add(lesson, SCHEDULE_INNER, 6);
		add(lesson, SCHEDULE, 9);
	} else {
		lesson->word_count = FXT_BPF_ASLEEP_AT + 1;
		lesson->words[FXT_BPF_ASLEEP_AT] = SCHEDULE_AT;
		lesson->word_count += 9;
		lesson->words[lesson->word_count - 1] = SCHEDULE;
	}
	if (runs && has_timeout)
		add(lesson, TIMEOUT, 3);
	if (!runs && has_timeout) {
		lesson->word_count += 3;
		lesson->words[lesson->word_count - 1] = TIMEOUT;
	}
	add(lesson, READ, 3);
	add(lesson, SYSCALL, 7);
	add(lesson, ENTRY, 5);
}

static void learn_sleeps(struct frame_learner *l, unsigned int times, bool runs, bool has_timeout)
{
	struct fxt_bpf_lesson lesson;

	for (; times; times--) {
		add_sleep(&lesson, runs, has_timeout);
		frames_learn(l, &lesson, DEPTH);
	}
}

/* For a thread that is off the CPU, the kernel omits functions of the scheduler. */
TEST_F(frames, threads_off_the_cpu)
{
	learn_sleeps(&self->l, ENOUGH, false, false);
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, SCHEDULE_AT));
	learn_sleeps(&self->l, ENOUGH_AT_END, true, false);
	EXPECT_EQ(3U, known(self->table, SCHEDULE));
	learn_sleeps(&self->l, ENOUGH, false, false);
	EXPECT_EQ(9 | FXT_BPF_FRAME_HIDDEN, known(self->table, SCHEDULE_AT));
	EXPECT_EQ(3 | FXT_BPF_FRAME_HIDDEN, known(self->table, SCHEDULE));
	EXPECT_EQ(7 | FXT_BPF_FRAME_SHOWN, known(self->table, READ));
	EXPECT_EQ(5 | FXT_BPF_FRAME_SHOWN, known(self->table, SYSCALL));
	EXPECT_EQ(FXT_BPF_FRAME_LAST | FXT_BPF_FRAME_SHOWN, known(self->table, ENTRY));
	/* These lessons do not show where programs on other events are called. */
	EXPECT_EQ(0U, self->l.running);
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, TRACEPOINT));
}

/*
 * Two functions lead to the first one that is shown, so the size of the innermost frame is
 * uncertain until other sleeps have taught it.
 */
TEST_F(frames, more_functions_of_the_scheduler)
{
	learn_sleeps(&self->l, ENOUGH_AT_END, true, true);
	EXPECT_EQ(3U, known(self->table, TIMEOUT));
	learn_sleeps(&self->l, ENOUGH, false, true);
	EXPECT_EQ(FXT_BPF_FRAME_UNKNOWN, known(self->table, SCHEDULE_AT));
	learn_sleeps(&self->l, ENOUGH, false, false);
	EXPECT_EQ(9 | FXT_BPF_FRAME_HIDDEN, known(self->table, SCHEDULE_AT));
	EXPECT_EQ(3U, known(self->table, TIMEOUT));
	learn_sleeps(&self->l, 1, false, true);
	EXPECT_EQ(9 | FXT_BPF_FRAME_HIDDEN, known(self->table, SCHEDULE_AT));
	EXPECT_EQ(3 | FXT_BPF_FRAME_HIDDEN, known(self->table, SCHEDULE));
	EXPECT_EQ(3 | FXT_BPF_FRAME_HIDDEN, known(self->table, TIMEOUT));
}

/* Lessons of any bytes neither damage the programs' memory nor are read beyond their ends. */
TEST_F(frames, any_lesson)
{
	static const uint64_t codes[] = { WAKE, WRITE, READ, SYSCALL, ENTRY, SCHEDULE, BPF_CODE, 0 };

	srand(1);
	for (unsigned int n = 0; n < 20000; n++) {
		begin(&self->lesson, rand() % 3);
		self->lesson.frame_count = rand() % (FXT_SCHED_STACK_FRAMES + 1);
		self->lesson.word_count = rand() % (FXT_BPF_STACK_WORDS + 1);
		for (unsigned int i = 0; i < self->lesson.frame_count; i++)
			self->lesson.frames[i] = codes[rand() % 8];
		for (unsigned int i = 0; i < self->lesson.word_count; i++)
			self->lesson.words[i] = codes[rand() % 8];
		frames_learn(&self->l, &self->lesson, DEPTH);
	}
}
