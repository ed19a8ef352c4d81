// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * program_stacks_test.c - the functions of programs in stacks.
 *
 * In:  programs that block in functions with known names: one that lives for some ms, the same
 *      as a static one, a library that is loaded while recording, code without a file.
 * Must hold: the archive names the functions, the file that each is in, and no function where
 *      there is none; without symbols it has what fxt symbolize needs for the same.
 */
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source_fixture.h"
#include "symbol_lines.h"
#include "tool.h"

BPF_FIXTURE(program_stacks);

/* block_main.c sleeps twice as often, but a sleep may be over before it begins. */
#define FEWEST	10

extern char **environ;

static const char *beside(const char *name)
{
	static char path[4096];

	return built_path(path, sizeof(path), name);
}

/* Return: its process id, after it has ended; -1 if it cannot be run. */
static int run(const char *name)
{
	char *args[] = { (char *)beside(name), NULL };
	int status;
	pid_t pid;

	if (posix_spawn(&pid, args[0], NULL, NULL, args, environ) ||
	    waitpid(pid, &status, 0) != pid || status)
		return -1;
	return pid;
}

/* How many stacks of sleeps of a process have a frame in such a function? */
static int count_in(const struct trace *t, int process, const char *part)
{
	const struct trace_stack *s;
	int count = 0;
	uint32_t i;

	for (s = t->stacks; s < t->stacks + t->stack_count; s++) {
		if (s->process != (uint64_t)process || s->thread != (uint64_t)process)
			continue;
		for (i = 0; i < s->count; i++)
			if (symbol_lines_have(t->symbols, process, s->frames[i], part))
				break;
		count += i < s->count;
	}
	return count;
}

#define BEGIN(...) do {								\
	const char *const args[] = { "--stacks=offcpu", "--stacks-min=0", ##__VA_ARGS__, NULL };	\
										\
	NEEDS_SOURCE();								\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args,	\
				 &self->why));					\
} while (0)

TEST_F(program_stacks, short_lived_programs_have_names)
{
	int pid;

	BEGIN();
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "nanosleep [libc"));
}

TEST_F(program_stacks, static_programs_have_names)
{
	int pid;

	BEGIN();
	pid = run("block_static");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block_static]"))
		TH_LOG("%s", self->c.text);
}

static void call_library(void)
{
	void *library = dlopen(beside("block.so"), RTLD_NOW);
	void *function = library ? dlsym(library, "block_in_library") : NULL;

	if (function)
		((void (*)(void))function)();
	if (library)
		dlclose(library);
}

TEST_F(program_stacks, libraries_have_names)
{
	BEGIN();
	call_library();
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, getpid(), "block_in_library [block.so]"))
		TH_LOG("%s", self->c.text);
}

/* A function that keeps a frame pointer and calls its argument. */
static const unsigned char code[] = {
#if defined(__x86_64__)
	0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3,
#elif defined(__aarch64__)
	0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x3f, 0xd6,
	0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6,
#endif
};

TEST_F(program_stacks, code_without_a_file_has_no_names)
{
	void *library = dlopen(beside("block.so"), RTLD_NOW);
	size_t i, found = 0;
	unsigned char *page;
	uint32_t j;

	if (!sizeof(code))
		SKIP(return, "no code for this architecture");
	ASSERT_NE(NULL, library);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	memcpy(page, code, sizeof(code));
	__builtin___clear_cache((char *)page, (char *)page + sizeof(code));
	BEGIN();
	((void (*)(void *))page)(dlsym(library, "block_in_library"));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (i = 0; i < self->t.stack_count; i++) {
		const struct trace_stack *s = &self->t.stacks[i];

		for (j = 0; j < s->count; j++) {
			if (s->frames[j] - (uintptr_t)page >= 4096)
				continue;
			found++;
			EXPECT_FALSE(symbol_lines_have(self->t.symbols, s->process,
						       s->frames[j], ""));
		}
	}
	EXPECT_LE((size_t)FEWEST, found);
	munmap(page, 4096);
	dlclose(library);
}

TEST_F(program_stacks, symbolize_names_them_later)
{
	const char *args[] = { "symbolize", NULL, NULL };
	struct tool tool = { 0 };
	int pid;

	BEGIN("--no-symbols");
	pid = run("block");
	ASSERT_LT(0, pid);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(NULL, self->t.symbols);
	args[1] = self->c.output;
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	tool_free(&tool);
	trace_free(&self->t);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "block_in_program [block]"))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(FEWEST, count_in(&self->t, pid, "hrtimer_nanosleep"));
}

TEST_HARNESS_MAIN
