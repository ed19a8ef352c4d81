// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames.c - see frames.h.
 *
 * The kernel's unwinder is right, but does not show where on the stack it found a return address.
 * Room that functions have not filled yet has old return addresses. So only a word that is on the
 * stack once is certain.
 */
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "frames.h"

#define LESSONS_NEEDED	3
/*
 * The kernel begins each system call at a random place (RANDOMIZE_KSTACK_OFFSET), so the size of
 * the outermost frame but one may seem constant for a while.
 */
#define LESSONS_AT_END	12
#define NOWHERE		-1

/* Words of the registers that an interrupt or a fault leaves on the stack; x86-64. */
#define REGISTERS_CS	17
#define REGISTERS_SS	20
#define KERNEL_CS	0x10
#define KERNEL_SS	0x18

/*
 * x86-64 maps the kernel from KERNEL_CODE on. Modules begin at MODULES; without KASLR they begin
 * lower, but beyond KERNEL_REACH. BPF programs are among the modules, and their code is replaced
 * all the time.
 */
#define KERNEL_CODE	0xffffffff80000000UL
#define MODULES		0xffffffffc0000000UL
#define KERNEL_REACH	(64UL << 20)	/* bytes; no kernel is larger */

static bool is_kernel_code(uint64_t address, uint64_t other)
{
	return address >= KERNEL_CODE && address < MODULES &&
	       address - other + KERNEL_REACH < 2 * KERNEL_REACH;
}

/* The only place of a word; NOWHERE if it has none or several. */
static int place_of(const struct fxt_bpf_lesson *lesson, uint64_t word)
{
	int at = NOWHERE;
	uint32_t i;

	for (i = 0; i < lesson->word_count; i++) {
		if (lesson->words[i] != word)
			continue;
		if (at != NOWHERE)
			return NOWHERE;
		at = i;
	}
	return at;
}

static uint32_t size_of(const struct frame_seen *s)
{
	if (s->times < LESSONS_NEEDED)
		return FXT_BPF_FRAME_UNKNOWN;
	if (s->is_last)
		return FXT_BPF_FRAME_LAST;
	if (s->has_size && (!s->is_at_end || s->times >= LESSONS_AT_END))
		return s->size;
	return s->is_at_end && !s->has_size ? FXT_BPF_FRAME_AT_END : FXT_BPF_FRAME_UNKNOWN;
}

static void update_table(const struct frame_learner *l, const struct frame_seen *s)
{
	__atomic_store_n(&l->table[s - l->seen],
			 fxt_bpf_frame(s->address, size_of(s) | s->shown), __ATOMIC_RELAXED);
}

static struct frame_seen *find_seen(struct frame_learner *l, uint64_t address)
{
	struct frame_seen *set = &l->seen[fxt_bpf_frame_index(address)];
	int i;

	for (i = 0; i < FXT_BPF_FRAMES_WAYS; i++)
		if (set[i].address == address)
			return &set[i];
	return NULL;
}

/* If there is no room, replace the entry that was seen less often. */
static struct frame_seen *seen_of(struct frame_learner *l, uint64_t address)
{
	struct frame_seen *set = &l->seen[fxt_bpf_frame_index(address)];
	struct frame_seen *s = find_seen(l, address);
	int i;

	if (s)
		return s;
	for (s = set, i = 1; i < FXT_BPF_FRAMES_WAYS; i++)
		if (set[i].times < s->times)
			s = &set[i];
	*s = (struct frame_seen) { .address = address };
	return s;
}

static void see(struct frame_learner *l, const struct frame_seen *new)
{
	struct frame_seen *s = seen_of(l, new->address);

	if (!s->times) {
		s->size = new->size;
		s->has_size = new->has_size;
		s->is_at_end = new->is_at_end;
		s->is_last = new->is_last;
	}
	s->has_size = s->has_size && new->has_size && s->size == new->size;
	s->is_at_end = s->is_at_end && new->is_at_end;
	s->is_last = s->is_last && new->is_last;
	s->times++;
	update_table(l, s);
}

/* Learn whether the kernel shows a function of threads that are off the CPU. */
static void show(struct frame_learner *l, uint64_t address, uint32_t shown)
{
	struct frame_seen *s = seen_of(l, address);

	s->shown |= shown;
	if (s->shown == (FXT_BPF_FRAME_SHOWN | FXT_BPF_FRAME_HIDDEN))
		s->has_size = s->is_at_end = s->is_last = false;
	update_table(l, s);
}

/* After the return address come the registers of kernel code that a fault interrupted. */
static bool is_interrupt(const struct fxt_bpf_lesson *lesson, uint32_t at)
{
	const __u64 *registers = lesson->words + at + 1;

	return at + 1 + REGISTERS_SS < lesson->word_count &&
	       registers[REGISTERS_CS] == KERNEL_CS && registers[REGISTERS_SS] == KERNEL_SS;
}

static void see_next(struct frame_learner *l, const struct fxt_bpf_lesson *lesson,
		     uint64_t address, int at, int next)
{
	struct frame_seen new = { .address = address, .has_size = true };

	if (at == NOWHERE || next == NOWHERE || next <= at || is_interrupt(lesson, at))
		return;
	new.size = next - at;
	new.is_at_end = next + 1 == (int)lesson->word_count;
	see(l, &new);
}

static void see_last(struct frame_learner *l, const struct fxt_bpf_lesson *lesson, uint64_t address,
		     int at)
{
	struct frame_seen new = { .address = address, .is_last = true };

	if (at + 1 == (int)lesson->word_count)
		see(l, &new);
}

/*
 * Of running code, the kernel shows all functions. The first return address is not on the stack:
 * its frame begins where the lesson's stack begins.
 */
static void learn_running(struct frame_learner *l, const struct fxt_bpf_lesson *lesson,
			  unsigned int depth)
{
	const __u64 *frames = lesson->frames;
	uint32_t i, count = lesson->frame_count;
	int at = NOWHERE, next;

	if (lesson->kind == FXT_BPF_LESSON_WAKING) {
		if (!l->running)
			l->running = frames[0];
		if (l->running == frames[0])
			at = 0;
	}
	for (i = 0; i + 1 < count; i++, at = next) {
		next = place_of(lesson, frames[i + 1]);
		if (is_kernel_code(frames[i], frames[0]) && is_kernel_code(frames[i + 1], frames[0]))
			see_next(l, lesson, frames[i], at, next);
	}
	if (count < depth && is_kernel_code(frames[i], frames[0]))
		see_last(l, lesson, frames[i], at);
}

/* Do frames of known sizes lead from one place to another? Calls @hide, if any, for each. */
static bool leads_to(struct frame_learner *l, const struct fxt_bpf_lesson *lesson, uint32_t from,
		     uint32_t to, void (*hide)(struct frame_learner *l, uint64_t address))
{
	const struct frame_seen *s;
	uint64_t address;
	uint32_t size;

	while (from < to) {
		address = lesson->words[from];
		s = find_seen(l, address);
		size = s ? size_of(s) : FXT_BPF_FRAME_UNKNOWN;
		if (!size || size >= FXT_BPF_FRAME_AT_END)
			return false;
		if (hide)
			hide(l, address);
		from += size;
	}
	return from == to;
}

static void hide(struct frame_learner *l, uint64_t address)
{
	show(l, address, FXT_BPF_FRAME_HIDDEN);
}

/*
 * Find the second return address of a thread off the CPU; @first is the place of the first shown
 * function. If the size of the innermost frame is unknown, the place is certain only if frames of
 * known sizes lead from no other one to @first. Return: NOWHERE if it is uncertain
 */
static int second_of(struct frame_learner *l, const struct fxt_bpf_lesson *lesson, int first)
{
	int at, found = NOWHERE;

	if (first > FXT_BPF_ASLEEP_AT && leads_to(l, lesson, FXT_BPF_ASLEEP_AT, first, NULL))
		return FXT_BPF_ASLEEP_AT +
		       size_of(find_seen(l, lesson->words[FXT_BPF_ASLEEP_AT]));
	for (at = FXT_BPF_ASLEEP_AT + 1; at < first; at++) {
		if (!leads_to(l, lesson, at, first, NULL))
			continue;
		if (found != NOWHERE)
			return NOWHERE;
		found = at;
	}
	return found;
}

/*
 * For threads off the CPU, the kernel omits functions of the scheduler, among them the innermost
 * two. Earlier lessons have taught their sizes, except that of the first one.
 */
static void learn_asleep(struct frame_learner *l, const struct fxt_bpf_lesson *lesson)
{
	int first = place_of(lesson, lesson->frames[0]), second;
	uint64_t address = lesson->words[FXT_BPF_ASLEEP_AT];
	uint32_t i;

	for (i = 0; i < lesson->frame_count; i++)
		if (is_kernel_code(lesson->frames[i], address))
			show(l, lesson->frames[i], FXT_BPF_FRAME_SHOWN);
	second = second_of(l, lesson, first);
	if (second == NOWHERE)
		return;
	see_next(l, lesson, address, FXT_BPF_ASLEEP_AT, second);
	hide(l, address);
	leads_to(l, lesson, second, first, hide);
}

void frames_learn(struct frame_learner *l, const struct fxt_bpf_lesson *lesson,
		  unsigned int depth)
{
	uint64_t begin = lesson->frames[0];

	if (!lesson->frame_count || lesson->word_count <= FXT_BPF_ASLEEP_AT)
		return;
	if (lesson->kind == FXT_BPF_LESSON_ASLEEP)
		begin = lesson->words[FXT_BPF_ASLEEP_AT];
	if (!is_kernel_code(begin, begin))
		return;
	if (lesson->kind == FXT_BPF_LESSON_ASLEEP)
		learn_asleep(l, lesson);
	else
		learn_running(l, lesson, depth);
}

/* --- lessons ---------------------------------------------------------------------------- */

struct lessons {
	struct lessons_config config;
	struct fxt_bpf_lessons *cpus;	/* of each CPU, mapped */
	struct frame_learner learner;
};

struct lessons *lessons_open(const struct lessons_config *c)
{
	struct lessons *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->config = *c;
	l->learner.table = c->table;
	l->cpus = mmap(NULL, c->cpus * sizeof(*l->cpus), PROT_READ | PROT_WRITE, MAP_SHARED,
		       c->fd, 0);
	if (l->cpus != MAP_FAILED)
		return l;
	free(l);
	return NULL;
}

static void learn_of(struct lessons *l, struct fxt_bpf_lessons *cpu)
{
	uint32_t given = __atomic_load_n(&cpu->given, __ATOMIC_ACQUIRE), read = cpu->read;

	for (; read != given; read++)
		frames_learn(&l->learner, &cpu->all[read % FXT_BPF_LESSONS], l->config.depth);
	__atomic_store_n(&cpu->read, read, __ATOMIC_RELEASE);
}

void lessons_learn(struct lessons *l)
{
	unsigned int i;

	if (!l)
		return;
	for (i = 0; i < l->config.cpus; i++)
		learn_of(l, &l->cpus[i]);
	__atomic_store_n(l->config.running, l->learner.running, __ATOMIC_RELAXED);
}

struct stack_checks lessons_checks(const struct lessons *l)
{
	if (!l)
		return (struct stack_checks) { 0 };
	return (struct stack_checks) {
		.stacks = __atomic_load_n(&l->config.checks->stacks, __ATOMIC_RELAXED),
		.wrong = __atomic_load_n(&l->config.checks->wrong, __ATOMIC_RELAXED),
	};
}

void lessons_close(struct lessons *l)
{
	if (!l)
		return;
	munmap(l->cpus, l->config.cpus * sizeof(*l->cpus));
	free(l);
}
