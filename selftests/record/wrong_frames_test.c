// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads sleep with a frame pointer of their choice: one that leads in a circle, down the stack,
 * to no memory, into the kernel. Their stacks have the frames that can be followed, and no other.
 */
#include "off_cpu.h"
#include "source_fixture.h"

#ifdef __x86_64__

MODULE_FIXTURE(wrong_frames);

#define SLEEPS		5
#define SLEEP_NS	2000000

struct frame {
	const void *caller;
	const void *ret;
};

enum wrong { NOTHING, LOOP, BELOW, UNALIGNED, UNMAPPED, OF_KERNEL, RETURN_TO_KERNEL, RETURN_TO_0 };

/*
 * A stack has two frames of the program: where it is, and its direct caller. The collector finds
 * the caller, and sees that all further frames that can be followed are not of the program. If none
 * can be followed, it has a longer copy of the stack, in which it may find more callers.
 */
static const struct {
	const char *what;
	unsigned int frames;
	bool or_more;
} wrongs[] = {
	[NOTHING] = { "nothing", 2 },
	[LOOP] = { "a frame that is its own caller", 2 },
	[BELOW] = { "a caller further down the stack", 2 },
	[UNALIGNED] = { "an address within a word", 2, true },
	[UNMAPPED] = { "an address that is not mapped", 2, true },
	[OF_KERNEL] = { "an address of the kernel", 2, true },
	[RETURN_TO_KERNEL] = { "a return into the kernel", 2, true },
	[RETURN_TO_0] = { "a return to address 0", 2, true },
};

static __attribute__((noinline)) void sleep_with_frame(const void *frame)
{
	const struct timespec time = { .tv_nsec = SLEEP_NS };
	long ret = SYS_nanosleep;

	__asm__ volatile("mov %%rbp, %%rbx; mov %[frame], %%rbp; syscall; mov %%rbx, %%rbp"
			 : "+a" (ret) : "D" (&time), "S" (0L), [frame] "r" (frame)
			 : "rbx", "rcx", "r11", "memory");
}

static void sleep_in_frames(struct worker *w)
{
	const enum wrong *wrong = w->arg;
	struct frame frames[3] = {
		{ NULL, sleep_in_frames },
		{ &frames[2], sleep_in_frames },
		{ NULL, sleep_in_frames },
	};
	const void *frame = &frames[1];
	long before;

	if (*wrong == LOOP)
		frames[1].caller = &frames[1];
	if (*wrong == BELOW)
		frames[1].caller = &frames[0];
	if (*wrong == UNALIGNED)
		frame = (const char *)frames + 4;
	if (*wrong == UNMAPPED)
		frame = (const void *)0x7fffffffeff0;
	if (*wrong == OF_KERNEL)
		frame = (const void *)0xffff888000000000;
	if (*wrong == RETURN_TO_KERNEL)
		frames[1].ret = (const void *)0xffffffff81000000;
	if (*wrong == RETURN_TO_0)
		frames[1].ret = NULL;
	/* Make the compiler store the frames, because it cannot see who reads them. */
	__asm__ volatile("" : : "r" (frames) : "memory");
	for (before = times_slept(); times_slept() < before + SLEEPS; )
		sleep_with_frame(frame);
	w->failed = false;
}

extern const char __executable_start[], etext[];	/* from the linker */

/* Return: a thread's stacks that begin in this program; -1 if one has a wrong number of frames. */
static int count_frames(const struct trace *t, const struct worker *w, enum wrong wrong,
			struct why *why)
{
	int count = 0;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++) {
		if (s->thread != (uint64_t)w->tid || !s->count ||
		    s->frames[0] < (uintptr_t)__executable_start ||
		    s->frames[0] >= (uintptr_t)etext)
			continue;
		if (s->count < wrongs[wrong].frames ||
		    (s->count > wrongs[wrong].frames && !wrongs[wrong].or_more))
			return complain(why, "%s: %u frames, not %u", wrongs[wrong].what, s->count,
					wrongs[wrong].frames);
		count++;
	}
	return count;
}

SOURCE_TEST(wrong_frames, end_the_stack)
{
	struct worker workers[ARRAY_SIZE(wrongs)];
	enum wrong wrong[ARRAY_SIZE(wrongs)];

	ASSERT_BEGIN("--stacks=offcpu,user", "--stacks-min=0");
	for (unsigned int i = 0; i < ARRAY_SIZE(wrongs); i++) {
		wrong[i] = i;
		workers[i] = (struct worker){ .name = "frames", .run = sleep_in_frames,
					      .arg = &wrong[i], .cpu = ANY_CPU };
		ASSERT_EQ(0, worker_start(&workers[i]));
		ASSERT_EQ(0, worker_join(&workers[i]));
	}
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (unsigned int i = 0; i < ARRAY_SIZE(wrongs); i++)
		EXPECT_LE(SLEEPS - 1, count_frames(&self->t, &workers[i], i, &self->why))
			TH_LOG("%s", self->why.text);
}

#endif
