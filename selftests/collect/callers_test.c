// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the functions of programs that are missing in stacks. The frames are those that libc
 * finds, even beyond a signal handler; known frames stay, unless the register was not a frame
 * pointer; without rules the stack is not changed; the copy is always removed; damaged files do no
 * harm.
 */
#include "harness.h"

#include <elf.h>
#include <execinfo.h>

#include <fxt/fxt_sched.h>

#include "libsym/cfi.h"
#include "fxt-collect/source/source.h"
#include "fxt-collect/symbols/callers.h"
#include "own_program.h"
#include "symbols/mappings.h"
#include "tool.h"

#define noinline	__attribute__((noinline, noclone))
/* On arm64, functions keep a frame pointer unless the option forbids it. */
#define without_frame_pointer	noinline __attribute__((optimize("omit-frame-pointer")))
#define FEWEST		3U	/* frames that a copy certainly has */
#define KERNEL_FRAME	0xffffffff81000001

/* --- a stack of this program --------------------------------------------------------- */

struct stack {
	uint64_t ip;	/* the program counter */
	/* the copy of the stack, in the form of fxt_sched_stack.h */
	uint64_t copy[FXT_SCHED_COPY_WORDS];
	/* all frames, of which the first is in the same function as @ip */
	void *trace[FXT_SCHED_STACK_FRAMES];
	int count;	/* number of frames in @trace */
};

static without_frame_pointer void take_stack(struct stack *s)
{
	uint64_t *copy = s->copy;

#if defined(__x86_64__)
	asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
		     : "=&r"(s->ip), "=&r"(copy[FXT_SCHED_COPY_SP]),
		       "=&r"(copy[FXT_SCHED_COPY_FP]));
	copy[FXT_SCHED_COPY_LINK] = 0;
#elif defined(__aarch64__)
	asm volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"
		     : "=&r"(s->ip), "=&r"(copy[FXT_SCHED_COPY_SP]),
		       "=&r"(copy[FXT_SCHED_COPY_FP]), "=&r"(copy[FXT_SCHED_COPY_LINK]));
#endif
	memcpy(copy + FXT_SCHED_COPY_HEAD, (void *)copy[FXT_SCHED_COPY_SP],
	       FXT_SCHED_COPY_STACK * FXT_WORD);
	s->count = backtrace(s->trace, FXT_SCHED_STACK_FRAMES);
	asm volatile("" : : : "memory");
}

static without_frame_pointer void inner(struct stack *s)
{
	take_stack(s);
	asm volatile("" : : : "memory");
}

static without_frame_pointer void outer(struct stack *s)
{
	inner(s);
	asm volatile("" : : : "memory");
}

/* The functions that it calls have no frame pointer. */
static noinline __attribute__((optimize("no-omit-frame-pointer")))
void with_frame_pointer(struct stack *s)
{
	outer(s);
	asm volatile("" : : : "memory");
}

/* --- records ------------------------------------------------------------------------- */

FIXTURE(callers)
{
	struct callers c;
	struct images images;
	struct elf_server server;
	struct texts texts;
	struct stack s;
	uint32_t process;	/* of the stack */
	uint64_t words[2 * FXT_SCHED_STACK_WORDS];
	struct chunk chunk;
};

FIXTURE_SETUP(callers)
{
	const struct source_filter filter = { .pids = { getpid() }, .pid_count = 1 };
	struct proc_walk *walk;

	memset(self, 0, sizeof(*self));
	self->process = getpid();
	self->c.images = &self->images;
	self->c.depth = FXT_SCHED_STACK_FRAMES;
	ASSERT_EQ(0, elf_server_start(&self->server));
	self->c.server = self->texts.server = &self->server;
	ASSERT_EQ(0, proc_walk_open(&walk, &self->images, &filter, &self->texts));
	EXPECT_EQ(1, proc_walk_step(walk));
	EXPECT_EQ(0, proc_walk_step(walk));
	EXPECT_EQ(0U, proc_walk_left(walk));
	proc_walk_close(walk);
	ASSERT_EQ(0U, self->texts.late);
}

FIXTURE_TEARDOWN(callers)
{
	callers_close(&self->c);
	texts_close(&self->texts);
	elf_server_stop(&self->server);
	images_free(&self->images);
}

/*
 * Make a chunk of a switch, the stack, and another switch. @known: frames of the program, a 0 at
 * the end
 */
static void make_chunk(FIXTURE_DATA(callers) *self, const uint64_t *known, uint32_t copied)
{
	const struct fxt_sched_state state = { FXT_THREAD_BLOCKED, 0 };
	uint64_t *rec = self->words;
	uint32_t count = 1;

	rec += fxt_sched_put_switch((__u64 *)rec, 1, 0, 11, 0, 1024, FXT_SCHED_WEIGHT_IDLE, state);
	rec[FXT_SCHED_STACK_HEAD] = KERNEL_FRAME;
	for (; known[count - 1]; count++)
		rec[FXT_SCHED_STACK_HEAD + count] = known[count - 1];
	memcpy(rec + FXT_SCHED_STACK_HEAD + count, self->s.copy, copied * FXT_WORD);
	rec += fxt_sched_put_stack_copy((__u64 *)rec, 1, self->process, self->process, count,
				       copied);
	rec += fxt_sched_put_switch((__u64 *)rec, 2, 0, 12, 0, 1024, FXT_SCHED_WEIGHT_IDLE, state);
	self->chunk = (struct chunk){
		.data = self->words, .bytes = (rec - self->words) * FXT_WORD,
	};
}

static const uint64_t *stack_of(FIXTURE_DATA(callers) *self, uint32_t *count)
{
	const uint64_t *rec = self->chunk.data, *end = rec + self->chunk.bytes / FXT_WORD;
	const uint64_t *stack = rec + fxt_get(FXT_SIZE, rec[0]);
	uint64_t words = fxt_get(FXT_SIZE, stack[0]);

	*count = fxt_get(FXT_BACKTRACE_FRAMES, stack[0]);
	if (words != FXT_SCHED_STACK_HEAD + *count || stack[1] != 1 ||
	    stack[2] != self->process || stack[FXT_SCHED_STACK_HEAD] != KERNEL_FRAME)
		return NULL;
	rec = stack + words;
	if (rec + fxt_get(FXT_SIZE, rec[0]) != end || rec[1] != 2 || rec[2] != 12)
		return NULL;
	--*count;
	return stack + FXT_SCHED_STACK_HEAD + 1;
}

static int complete(FIXTURE_DATA(callers) *self)
{
	int ret;

	while ((ret = callers_chunk(&self->c, &self->chunk, false)) == 1)
		callers_wait(&self->c, 1000);
	return ret;
}

#define COMPLETE(known, copied) do {					\
	make_chunk(self, known, copied);				\
	ASSERT_EQ(0, complete(self));					\
	frames = stack_of(self, &count);				\
	ASSERT_NE(NULL, frames);					\
} while (0)

TEST_F(callers, callers_are_found)
{
	const uint64_t *frames;
	uint32_t count, i;

	outer(&self->s);
	COMPLETE(((uint64_t[]){ self->s.ip, 0 }), FXT_SCHED_COPY_WORDS);
	ASSERT_LE(FEWEST, count);
	EXPECT_EQ(self->s.ip, frames[0]);
	for (i = 1; i < count; i++)
		EXPECT_EQ((uintptr_t)self->s.trace[i], frames[i]) TH_LOG("frame %u", i);
	EXPECT_EQ(1U, self->c.counts.stacks);
	EXPECT_EQ(1U, self->c.counts.completed);
}

#if defined(__x86_64__)
static struct stack *stack_of_handler;

static void handle(int signal)
{
	take_stack(stack_of_handler);
	asm volatile("" : : : "memory");
}

static noinline void be_interrupted(void)
{
	asm volatile("int3" : : : "memory");
}

/* The frame of an interrupted function is not the return address of a call. */
TEST_F(callers, signal_handlers_have_callers)
{
	const struct sigaction action = { .sa_handler = handle };
	const uint64_t *frames;
	uint32_t count, i;

	stack_of_handler = &self->s;
	ASSERT_EQ(0, sigaction(SIGTRAP, &action, NULL));
	be_interrupted();
	COMPLETE(((uint64_t[]){ self->s.ip, 0 }), FXT_SCHED_COPY_WORDS);
	/* The frames: take_stack(), handle(), the signal's trampoline, be_interrupted() */
	ASSERT_LE(4U, count);
	for (i = 1; i < count; i++)
		EXPECT_EQ((uintptr_t)self->s.trace[i], frames[i]) TH_LOG("frame %u", i);
	EXPECT_GT(16U, frames[3] - (uintptr_t)be_interrupted);
}
#endif

static uint32_t words_to_frame_pointer(const struct stack *s)
{
	return FXT_SCHED_COPY_HEAD + fxt_sched_copy_bytes(s->copy[FXT_SCHED_COPY_SP],
							  s->copy[FXT_SCHED_COPY_FP]) / FXT_WORD;
}

#define KNOWN	0x1234567UL

#if defined(__x86_64__)
#define IS_X86	true
#else
#define IS_X86	false
#endif

/* The kernel has found the return address above the frame pointer, and all frames after it. */
#define PLACES		12000U	/* where a program sleeps */
#define PLACES_MOST	(4096U + 256U * 20)	/* that it may ask for in that time */
#define OTHER		4200000U	/* no process has this id */

/* A program that sleeps at ever new places is not served forever, but others are. */
TEST_F(callers, many_places_cost_others_nothing)
{
	const struct mapping fork = { .time = 0, .kind = MAPPING_FORK, .parent = getpid() };
	const uint64_t *frames;
	uint32_t count, i;

	for (i = 0; i < PLACES; i++) {
		make_chunk(self, (uint64_t[]){ (uintptr_t)&qsort + i, 0 }, FXT_SCHED_COPY_WORDS);
		ASSERT_EQ(0, complete(self));
	}
	EXPECT_LE(PLACES - PLACES_MOST, self->c.refused);
	EXPECT_GE(PLACES - 4096U, self->c.refused);
	self->process = OTHER;
	ASSERT_EQ(0, images_add(&self->images, OTHER, &fork));
	outer(&self->s);
	COMPLETE(((uint64_t[]){ self->s.ip, 0 }), FXT_SCHED_COPY_WORDS);
	EXPECT_LE(FEWEST, count);
	EXPECT_EQ(self->s.ip, frames[0]);
}

TEST_F(callers, known_frames_follow)
{
	const uint64_t *frames;
	uint32_t count, i;

	with_frame_pointer(&self->s);
	ASSERT_GT((uint32_t)FXT_SCHED_COPY_WORDS, words_to_frame_pointer(&self->s));
	COMPLETE(((uint64_t[]){ self->s.ip, (uintptr_t)self->s.trace[4], KNOWN, 0 }),
		 words_to_frame_pointer(&self->s));
	if (IS_X86) {
		ASSERT_EQ(6U, count);
		EXPECT_EQ(self->s.ip, frames[0]);
		for (i = 1; i < 5; i++)
			EXPECT_EQ((uintptr_t)self->s.trace[i], frames[i]) TH_LOG("frame %u", i);
		EXPECT_EQ(KNOWN, frames[5]);
		EXPECT_EQ(0U, self->c.counts.lacking);
	}
	/* The depth limits the number of frames. */
	self->c.depth = 3;
	COMPLETE(((uint64_t[]){ self->s.ip, (uintptr_t)self->s.trace[4], KNOWN, 0 }),
		 words_to_frame_pointer(&self->s));
	ASSERT_EQ(3U, count);
}

TEST_F(callers, what_is_no_frame_pointer_has_no_frames)
{
	const uint64_t *frames;
	uint32_t count, i;

	with_frame_pointer(&self->s);
	/* The frame pointer leads to a place without a return address. */
	self->s.copy[FXT_SCHED_COPY_FP] = self->s.copy[FXT_SCHED_COPY_SP] +
					  (IS_X86 ? 1 : 2) * FXT_WORD;
	COMPLETE(((uint64_t[]){ self->s.ip, KNOWN, 0 }), FXT_SCHED_COPY_WORDS);
	ASSERT_LE(FEWEST, count);
	for (i = 0; i < count; i++)
		EXPECT_NE(KNOWN, frames[i]);
	/* The same, but the copy ends at that place. */
	COMPLETE(((uint64_t[]){ self->s.ip, KNOWN, 0 }), words_to_frame_pointer(&self->s));
	for (i = 0; i < count; i++)
		EXPECT_NE(KNOWN, frames[i]);
	EXPECT_LE(1U, self->c.counts.lacking);
}

TEST_F(callers, stacks_without_rules_stay)
{
	const uint64_t *frames;
	uint32_t count;

	self->s.copy[FXT_SCHED_COPY_SP] = 0x7000;
	self->s.copy[FXT_SCHED_COPY_FP] = 0x7010;
	COMPLETE(((uint64_t[]){ 0x1000, KNOWN, 0 }), FXT_SCHED_COPY_WORDS);
	ASSERT_EQ(2U, count);
	EXPECT_EQ(0x1000U, frames[0]);
	EXPECT_EQ(KNOWN, frames[1]);
	EXPECT_EQ(1U, self->c.counts.lacking);
	EXPECT_EQ(0U, self->c.counts.completed);
}

/* The code has no file, so that no file is opened and none may be closed. */
TEST_F(callers, code_without_a_file_has_no_rules)
{
	const struct elf_id none = { .bytes = 0 };
	struct mapping m = { .start = 0x1000, .end = 0x2000, .vaddr = FXT_SCHED_NO_VADDR };
	const uint64_t *frames;
	uint32_t count;

	m.module = images_module(&self->images, "//anon", 6, &none);
	ASSERT_EQ(0, images_add(&self->images, getpid(), &m));
	self->s.copy[FXT_SCHED_COPY_SP] = 0x7000;
	self->s.copy[FXT_SCHED_COPY_FP] = 0x7010;
	for (int i = 0; i < 2; i++) {
		COMPLETE(((uint64_t[]){ 0x1800, KNOWN, 0 }), FXT_SCHED_COPY_WORDS);
		EXPECT_EQ(2U, count);
	}
	EXPECT_LE(0, fcntl(STDIN_FILENO, F_GETFD));
}

TEST_F(callers, no_copy_stays)
{
	const uint64_t *frames;
	uint32_t count, copied;

	outer(&self->s);
	for (copied = 0; copied <= FXT_SCHED_COPY_WORDS; copied++) {
		COMPLETE(((uint64_t[]){ self->s.ip, 0 }), copied);
		EXPECT_EQ(self->s.ip, frames[0]);
		/* The same with no frame of the program at all. */
		COMPLETE(((uint64_t[]){ 0 }), copied);
		EXPECT_EQ(0U, count);
	}
}

TEST_F(callers, malformed_chunks_are_refused)
{
	uint64_t *stack = self->words + FXT_SCHED_USUAL_SWITCH_WORDS;

	outer(&self->s);
	make_chunk(self, (uint64_t[]){ self->s.ip, 0 }, FXT_SCHED_COPY_WORDS);
	stack[0] += fxt_put(FXT_BACKTRACE_FRAMES, 100);
	EXPECT_EQ(-EPROTO, callers_chunk(&self->c, &self->chunk, true));
	make_chunk(self, (uint64_t[]){ self->s.ip, 0 }, FXT_SCHED_COPY_WORDS);
	stack[0] += fxt_put(FXT_SIZE, 100);
	EXPECT_EQ(-EPROTO, callers_chunk(&self->c, &self->chunk, true));
	make_chunk(self, (uint64_t[]){ self->s.ip, 0 }, FXT_SCHED_COPY_WORDS);
	stack[0] &= ~FXT_SIZE;
	EXPECT_EQ(-EPROTO, callers_chunk(&self->c, &self->chunk, true));
}

/* --- rules made up ------------------------------------------------------------------- */

#define SP	0x7000UL
#define FP	0x7100UL

/*
 * Rules for a handler, for the trampoline that it returns to, and for a function that a signal
 * interrupted at its beginning.
 */
static const struct cfi_rule *find_made_up(void *arg, uint64_t address)
{
	static const struct cfi_rule handler = { .cfa = 16, .link = CFI_SAVED, .link_at = -8 },
		trampoline = { .cfa = 24, .is_cfa_saved = true, .is_signal = true,
			       .link = CFI_SAVED_AT_BASE, .link_at = 32,
			       .fp = CFI_SAVED_AT_BASE, .fp_at = 16 },
		interrupted = { .base = CFI_FP, .cfa = 16, .link = CFI_SAVED, .link_at = -8 };

	return address == 0x1000 ? &handler : address == 0x2000 - 1 ? &trampoline :
	       address == 0x3000 ? &interrupted : NULL;
}

TEST(signals_interrupt_anywhere)
{
	const uint64_t frames[] = { 0x1000, 0x4000, 0x5000 };
	const uint64_t copy[] = { SP, FP, 0, 0, 0x2000, 0, 0, FP, SP + 0x80, 0x3000 };
	struct unwinding u = {
		.frames = frames, .count = 3, .copy = copy, .words = 10, .rule = find_made_up,
	};
	static const uint64_t right[] = { 0x1000, 0x2000, 0x3000, 0x4000, 0x5000 };

	/* The kernel has found the return address of the interrupted function. */
	unwind(&u);
	EXPECT_TRUE(u.is_whole);
	EXPECT_EQ(2U, u.added);
	ASSERT_EQ(5U, u.found);
	for (size_t i = 0; i < u.found; i++)
		EXPECT_EQ(right[i], u.result[i]);
}

/* Words that were taken for return addresses are no frames, wherever they come from. */
TEST(words_that_are_no_code_are_no_frames)
{
	static const uint64_t words[] = { UINT64_MAX, 1ULL << 63, 0x7ffcdf5ff1c000, 0x40 };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const uint64_t found[] = { 0x5000, 0x4000, words[i], 0x6000 };
		const uint64_t frames[] = { 0x1000 }, copy[] = { SP, FP, 0, 0, words[i] };
		struct unwinding by_kernel = {
			.frames = found, .count = 4, .copy = copy, .words = 5, .rule = find_made_up,
		}, by_rule = {
			.frames = frames, .count = 1, .copy = copy, .words = 5, .rule = find_made_up,
		};

		unwind(&by_kernel);
		ASSERT_EQ(2U, by_kernel.found);
		EXPECT_EQ(0x4000U, by_kernel.result[1]);
		unwind(&by_rule);
		EXPECT_EQ(1U, by_rule.found);
		EXPECT_FALSE(by_rule.is_whole);
	}
}

/* --- files --------------------------------------------------------------------------- */

FIXTURE(cfi)
{
	struct cfi_file f;
	struct elf_id id;
	char *bytes;
	size_t size;
	char path[32];
};

FIXTURE_SETUP(cfi)
{
	int fd;

	memset(self, 0, sizeof(*self));
	self->f.elf.fd = self->f.elf.debug_fd = -1;
	self->bytes = own_program_read(&self->size, &self->id);
	ASSERT_NE(NULL, self->bytes);
	ASSERT_LT(0U, self->id.bytes) TH_LOG("the linker writes no build ids");
	strcpy(self->path, "/tmp/cfi_test.XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_LE(0, fd);
	close(fd);
}

FIXTURE_TEARDOWN(cfi)
{
	cfi_close(&self->f);
	unlink(self->path);
}

static int open_path(FIXTURE_DATA(cfi) *self, const char *path, const struct elf_id *id)
{
	cfi_close(&self->f);
	return cfi_open(&self->f, elf_open_regular(path), id);
}

static int open_it(FIXTURE_DATA(cfi) *self, size_t size)
{
	save_file(self->path, self->bytes, size);
	return open_path(self, self->path, &self->id);
}

static Elf64_Shdr *sections_of(FIXTURE_DATA(cfi) *self, unsigned int *count)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)self->bytes;

	*count = head->e_shnum;
	return (Elf64_Shdr *)(self->bytes + head->e_shoff);
}

/* At the beginning of a function, the stack pointer is still that of the call. */
TEST_F(cfi, rules_are_found)
{
	struct cfi_rule rule;

	ASSERT_EQ(ELF_FINE, open_it(self, self->size));
	ASSERT_TRUE(cfi_find(&self->f, (uintptr_t)with_frame_pointer - own_bias(), &rule));
	EXPECT_EQ(CFI_SP, rule.base);
	EXPECT_EQ(CFI_KEPT, rule.fp);
#if defined(__x86_64__)
	EXPECT_EQ(8, rule.cfa);
	EXPECT_EQ(CFI_SAVED, rule.link);
	EXPECT_EQ(-8, rule.link_at);
#elif defined(__aarch64__)
	EXPECT_EQ(0, rule.cfa);
	EXPECT_EQ(CFI_KEPT, rule.link);
#endif
	EXPECT_FALSE(cfi_find(&self->f, 0, &rule));
	EXPECT_FALSE(cfi_find(&self->f, UINT64_MAX, &rule));
	/* Only a small part of the file is read. */
	EXPECT_GT(self->size / 2, self->f.held);
}

#if defined(__x86_64__)
/* From its second half on, an entry of a linkage table has pushed a word. */
TEST_F(cfi, linkage_tables_have_rules)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)self->bytes;
	unsigned int count, i;
	const Elf64_Shdr *sections = sections_of(self, &count);
	const char *names = self->bytes + sections[head->e_shstrndx].sh_offset;
	struct cfi_rule rule;
	int32_t last = 8;

	for (i = 0; i < count && strcmp(names + sections[i].sh_name, ".plt"); i++)
		;
	if (i == count || sections[i].sh_size < 32)
		SKIP(return, "this program has no linkage table");
	ASSERT_EQ(ELF_FINE, open_it(self, self->size));
	for (count = 0; count < 16; count++) {
		ASSERT_TRUE(cfi_find(&self->f, sections[i].sh_addr + 16 + count, &rule));
		EXPECT_EQ(CFI_SP, rule.base);
		EXPECT_EQ(CFI_SAVED, rule.link);
		EXPECT_EQ(-8, rule.link_at);
		EXPECT_TRUE(rule.cfa == last || rule.cfa == 16) TH_LOG("%d", rule.cfa);
		last = rule.cfa;
	}
	ASSERT_TRUE(cfi_find(&self->f, sections[i].sh_addr + 16, &rule));
	EXPECT_EQ(8, rule.cfa);
	EXPECT_EQ(16, last);
}
#endif

TEST_F(cfi, symbols_are_not_needed)
{
	unsigned int count, i;
	Elf64_Shdr *sections = sections_of(self, &count);
	struct cfi_rule rule;

	for (i = 0; i < count; i++)
		if (sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM)
			sections[i].sh_type = SHT_NULL;
	ASSERT_EQ(ELF_FINE, open_it(self, self->size));
	EXPECT_TRUE(cfi_find(&self->f, (uintptr_t)with_frame_pointer - own_bias(), &rule));
}

TEST_F(cfi, other_files_are_not_trusted)
{
	struct elf_id none = { .bytes = 0 };
	struct cfi_rule rule;

	save_file(self->path, self->bytes, self->size);
	EXPECT_EQ(ELF_NO_ID, open_path(self, self->path, &none));
	EXPECT_EQ(ELF_NO_FILE, open_path(self, "/dev/null", &self->id));
	self->id.id[0] ^= 1;
	EXPECT_EQ(ELF_OTHER_ID, open_path(self, self->path, &self->id));
	EXPECT_FALSE(cfi_find(&self->f, (uintptr_t)with_frame_pointer - own_bias(), &rule));
}

/* Only the build id is verified, so a damaged file may yield rules. */
static void use_it(FIXTURE_DATA(cfi) *self, size_t size)
{
	struct cfi_rule rule;

	if (open_it(self, size))
		return;
	for (uint64_t at = 0; at < self->size; at += 509)
		cfi_find(&self->f, at, &rule);
	cfi_find(&self->f, (uintptr_t)with_frame_pointer - own_bias(), &rule);
}

TEST_F(cfi, damaged_files_do_no_harm)
{
	unsigned int count, i, j;
	const Elf64_Shdr *sections = sections_of(self, &count);
	const uint64_t end = self->size - count * sizeof(*sections);
	uint64_t at, from, bytes;
	char old;

	for (i = 0; i < 32; i++)
		use_it(self, self->size / 32 * i);
	srandom(1);
	for (i = 0; i < count; i++) {
		/* Sections like .eh_frame and those that point into it. */
		if (sections[i].sh_flags != SHF_ALLOC || sections[i].sh_type == SHT_NOBITS)
			continue;
		from = sections[i].sh_offset;
		bytes = sections[i].sh_size;
		for (j = 0; j < 20; j++) {
			at = j & 1 ? from + random() % bytes : end + random() % (self->size - end);
			old = self->bytes[at];
			self->bytes[at] ^= 1 << random() % 8;
			use_it(self, self->size);
			self->bytes[at] = old;
		}
	}
}
