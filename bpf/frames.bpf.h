/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.bpf.h - walks kernel stacks with the frame sizes that source_bpf learned (frames.h).
 *
 * In:  a stack; the table of frames.
 * Out: return addresses, or a lesson for source_bpf.
 *
 * Context: interrupts are off, and no program runs in NMIs, so nothing else uses this CPU's copy
 * and lessons.
 */
#ifndef BPF_FRAMES_BPF_H
#define BPF_FRAMES_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "frames.h"
#include "fxt/fxt_word.h"
#include "map.bpf.h"

#define SCHEDULER_FRAMES	8	/* that the kernel omits from a stack, at most */
#define OWN_FRAMES	2	/* innermost frames, of the program and its function, are omitted */

const volatile struct fxt_bpf_stacks stacks;

/* Written by user space. */
__u64 frames[FXT_BPF_FRAMES];		/* fxt_bpf_frame(), from fxt_bpf_frame_index() on */
__u64 running_frame;	/* return address of programs on sched_waking; 0: not learned */

SHARED_ARRAY(lessons, 1, struct fxt_bpf_lessons);	/* one per possible CPU */

struct fxt_bpf_stack_checks stack_checks;

/* @most: an upper bound for the verifier */
static __always_inline __u32 add_words(__u64 *to, const __u64 *from, __u64 words, __u64 most)
{
	barrier_var(words);
	if (words > most)
		words = most;
	return bpf_probe_read_kernel(to, words * FXT_WORD, from) ? 0 : words;
}

/*
 * A copy of the stack that is walked, and the state of the walk. They are in memory, because the
 * verifier would follow each value in registers separately.
 */
struct stack_copy {
	__u64 begin;			/* address of the stack */
	__u64 end;			/* address after the stack */
	__u64 count;			/* words; 0: the stack cannot be walked */
	__u64 address;			/* return address that the walk has reached */
	__u64 at;			/* its index in @words */
	__u64 found;			/* number of @frames */
	__u64 words[FXT_BPF_STACK_WORDS];	/* innermost first */
	__u64 frames[FXT_SCHED_STACK_FRAMES];	/* return addresses that the walk has found */
};

CPU_ARRAY(stack_copies, 1, struct stack_copy);

struct unwound_stack {
	__u64 frames[FXT_SCHED_STACK_FRAMES];
};

/* Room for the kernel to unwind stacks that were walked. */
CPU_ARRAY(unwound_stacks, 1, struct unwound_stack);

/*
 * @begin may be in another stack, for instance of an interrupt, and is then too far from @end.
 * Return: NULL if the stack cannot be walked.
 */
static __always_inline struct stack_copy *copy_stack(const void *begin, const void *end)
{
	struct stack_copy *s;
	__u32 zero = 0;
	__u64 bytes;

	s = bpf_map_lookup_elem(&stack_copies, &zero);
	if (!s)
		return NULL;
	/* Programs can calculate with pointers that were numbers in memory. */
	*(const void *volatile *)&s->begin = begin;
	*(const void *volatile *)&s->end = end;
	bytes = *(volatile __u64 *)&s->end - *(volatile __u64 *)&s->begin;
	s->count = 0;
	if (bytes > sizeof(s->words) || bpf_probe_read_kernel(s->words, bytes, begin))
		return NULL;
	s->count = bytes / FXT_WORD;
	return s;
}

/* Return: FXT_BPF_FRAME_*; 0 if the return address is unknown. */
static __always_inline __u32 find_frame(__u64 address)
{
	const volatile __u64 *set = &frames[fxt_bpf_frame_index(address)];
	__u64 frame = set[0];

	if (!fxt_bpf_frame_is(frame, address))
		frame = set[1];
	return fxt_bpf_frame_is(frame, address) ? (__u32)frame : 0;
}

enum step {
	STEP_ON,
	STEP_DONE,
	STEP_UNKNOWN,
};

/* Unless the kernel omits the return address. Return: is there room for more? */
static __always_inline bool store_address(struct stack_copy *s, __u64 address)
{
	__u64 found = s->found;

	barrier_var(found);
	if (found >= FXT_SCHED_STACK_FRAMES || found >= stacks.kernel / FXT_WORD)
		return false;
	s->frames[found] = address;
	s->found = found + 1;
	return found + 1 < stacks.kernel / FXT_WORD;
}

static __always_inline enum step step(bool is_asleep)
{
	__u32 zero = 0, what, size;
	struct stack_copy *s = bpf_map_lookup_elem(&stack_copies, &zero);
	__u64 address, at;

	if (!s)
		return STEP_UNKNOWN;
	address = s->address;
	at = s->at;
	what = find_frame(address);
	if (is_asleep && !(what & (FXT_BPF_FRAME_SHOWN | FXT_BPF_FRAME_HIDDEN)))
		return STEP_UNKNOWN;
	if (!(is_asleep && what & FXT_BPF_FRAME_HIDDEN) && !store_address(s, address))
		return STEP_DONE;
	size = what & FXT_BPF_FRAME_SIZE;
	if (size == FXT_BPF_FRAME_LAST)
		return at + 1 == s->count ? STEP_DONE : STEP_UNKNOWN;
	at = size == FXT_BPF_FRAME_AT_END ? s->count - 1 : at + size;
	if (size == FXT_BPF_FRAME_UNKNOWN || at >= s->count || at >= FXT_BPF_STACK_WORDS)
		return STEP_UNKNOWN;
	s->at = at;
	s->address = s->words[at];
	return STEP_ON;
}

/*
 * Global functions, because the verifier checks these once. It would check static ones anew for
 * each state of the calling program, with each step of each path through the steps before. Before
 * Linux 5.13, global functions cannot have pointers as arguments. Return: enum step.
 */
__noinline int step_sleeper(void)
{
	return step(true);
}

__noinline int step_waker(void)
{
	return step(false);
}

/* Return: number of frames; 0 if a frame's size is unknown. */
static __always_inline int walk_copy(bool is_asleep)
{
	int result = STEP_ON;
	__u32 zero = 0, i;
	struct stack_copy *s = bpf_map_lookup_elem(&stack_copies, &zero);

	if (!s)
		return 0;
	s->found = 0;
	s->at = is_asleep ? FXT_BPF_ASLEEP_AT : 0;
	s->address = is_asleep ? s->words[FXT_BPF_ASLEEP_AT] : running_frame;
	/* With a depth of 1, the walk would end before it looks an address up. */
	if (!s->address)
		return 0;
	for (i = 0; i < stacks.kernel / FXT_WORD + SCHEDULER_FRAMES; i++) {
		result = is_asleep ? step_sleeper() : step_waker();
		if (result != STEP_ON)
			break;
	}
	return result == STEP_DONE ? s->found : 0;
}

__noinline int walk_sleeper(void)
{
	return walk_copy(true);
}

__noinline int walk_waker(void)
{
	return walk_copy(false);
}

/*
 * Find the return addresses in a stack. @to: room for stacks.kernel bytes. @begin: address of its
 * innermost word. @end: address after the outermost one. @kind: not that of a switch.
 *
 * Return: number of return addresses; 0 if the kernel must unwind the stack. The caller may then
 * call teach_frames().
 */
static __always_inline __u64 walk_stack(__u64 *to, const void *begin, const void *end,
					const __u32 kind)
{
	struct stack_copy *s = copy_stack(begin, end);
	int found;

	if (!s)
		return 0;
	found = kind == FXT_BPF_LESSON_ASLEEP ? walk_sleeper() : walk_waker();
	return found > 0 ? add_words(to, s->frames, found, stacks.kernel / FXT_WORD) : 0;
}

/* Room to unwind a stack that was walked; NULL if the walk is not checked. */
static __always_inline __u64 *begin_check(void)
{
	struct unwound_stack *s = NULL;
	__u32 zero = 0;

	if (stacks.check)
		s = bpf_map_lookup_elem(&unwound_stacks, &zero);
	return s ? s->frames : NULL;
}

/*
 * Compare the stack that was walked last with what the kernel unwound into the room of
 * begin_check(). @count: frames that were walked. @bytes: of the unwound frames; negative if the
 * kernel could not unwind the stack.
 *
 * Global for the same reason as step_sleeper().
 */
__noinline int end_check(__u32 count, __s32 bytes)
{
	bool is_wrong = bytes != (__s32)(count * FXT_WORD);
	__u32 zero = 0, i;
	struct stack_copy *walked = bpf_map_lookup_elem(&stack_copies, &zero);
	struct unwound_stack *unwound = bpf_map_lookup_elem(&unwound_stacks, &zero);

	if (!walked || !unwound)
		return 0;
	for (i = 0; i < FXT_SCHED_STACK_FRAMES && i < count; i++)
		is_wrong |= walked->frames[i] != unwound->frames[i];
	__sync_fetch_and_add(&stack_checks.stacks, 1);
	if (is_wrong)
		__sync_fetch_and_add(&stack_checks.wrong, 1);
	return 0;
}

/* Room for a lesson of this CPU; NULL if user space has not read the older ones yet. */
static __always_inline struct fxt_bpf_lesson *begin_lesson(struct fxt_bpf_lessons *own)
{
	if (own->given - *(volatile __u32 *)&own->read >= FXT_BPF_LESSONS)
		return NULL;
	return &own->all[own->given % FXT_BPF_LESSONS];
}

/* x86, the only architecture with lessons, keeps the order of stores. */
static __always_inline void end_lesson(struct fxt_bpf_lessons *own, struct fxt_bpf_lesson *lesson,
				       const struct stack_copy *s, __u64 count, __u32 kind)
{
	__u64 words = s->count;

	if (words > FXT_BPF_STACK_WORDS)
		return;
	bpf_probe_read_kernel(lesson->words, words * FXT_WORD, s->words);
	lesson->kind = kind;
	lesson->word_count = words;
	lesson->frame_count = count;
	barrier();
	*(volatile __u32 *)&own->given = own->given + 1;
}

/*
 * Pass on what the kernel found in the stack that walk_stack() has copied: @count return addresses.
 */
static __noinline int teach_frames(const __u64 *from, __u64 count, __u32 kind)
{
	__u32 zero = 0, cpu = bpf_get_smp_processor_id();
	struct stack_copy *s = bpf_map_lookup_elem(&stack_copies, &zero);
	struct fxt_bpf_lessons *own = bpf_map_lookup_elem(&lessons, &cpu);
	struct fxt_bpf_lesson *lesson = own ? begin_lesson(own) : NULL;

	if (!s || !lesson || !s->count || count > FXT_SCHED_STACK_FRAMES)
		return 0;
	bpf_probe_read_kernel(lesson->frames, count * FXT_WORD, from);
	end_lesson(own, lesson, s, count, kind);
	return 0;
}

/*
 * Few lessons are from switches. Programs check this before they call teach_switch(), because a
 * call costs more than the check.
 */
static __always_inline bool wants_switch(__u32 cpu)
{
	const struct fxt_bpf_lessons *own = bpf_map_lookup_elem(&lessons, &cpu);

	return own && own->given % FXT_BPF_LESSONS == 0;
}

/*
 * Unwind the stack of a thread that is switched out, for a lesson. Only such stacks have the
 * functions of the scheduler.
 */
static __noinline int teach_switch(void *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct fxt_bpf_lessons *own = bpf_map_lookup_elem(&lessons, &cpu);
	struct fxt_bpf_lesson *lesson = own ? begin_lesson(own) : NULL;
	struct stack_copy *s = NULL;
	long bytes;
	void *current;

	if (lesson) {
		current = (void *)bpf_get_current_task_btf();
		s = copy_stack(ctx, (void *)bpf_task_pt_regs(current));
	}
	bytes = s ? bpf_get_stack(ctx, lesson->frames, stacks.kernel, OWN_FRAMES) : 0;
	if (bytes > 0)
		end_lesson(own, lesson, s, bytes / FXT_WORD, FXT_BPF_LESSON_SWITCH);
	return 0;
}

#endif /* BPF_FRAMES_BPF_H */
