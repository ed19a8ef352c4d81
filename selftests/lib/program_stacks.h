/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that block in known functions, and their stacks. */
#ifndef SELFTESTS_PROGRAM_STACKS_H
#define SELFTESTS_PROGRAM_STACKS_H

#include <spawn.h>

#include "blocks.h"
#include "late_names.h"
#include "source_fixture.h"
#include "symbol_lines.h"
#include "tool.h"

/* The fewest stacks to expect: some may lack the frames of the program. */
#define FEWEST	(BLOCK_ROUNDS / 2)

extern char **environ;

static inline const char *beside(const char *name)
{
	static char path[4096];

	return built_path(path, sizeof(path), name);
}

/* Run a program to its end. Return: its process id; the negated exit status, or -1, if it fails. */
static inline int run_file(const char *path, const char *argument)
{
	char *args[] = { (char *)path, (char *)argument, NULL };
	int status;
	pid_t pid;

	if (posix_spawn(&pid, args[0], NULL, NULL, args, environ) ||
	    waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return status ? -WEXITSTATUS(status) : pid;
}

static inline int run_with(const char *name, const char *argument)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s", beside(name));
	return run_file(path, argument);
}

static inline int run(const char *name)
{
	return run_with(name, NULL);
}

/* The number of stacks of sleeps of a process with a frame in a function whose name has @part. */
static inline int count_in(const struct trace *t, int process, const char *part)
{
	int count = 0;
	uint32_t i;

	for (const struct trace_stack *s = t->stacks; s < t->stacks + t->stack_count; s++) {
		if (s->process != (uint64_t)process || s->thread != (uint64_t)process)
			continue;
		for (i = 0; i < s->count; i++)
			if (symbol_lines_have(&t->symbols, process, s->frames[i], part))
				break;
		count += i < s->count;
	}
	return count;
}

#define BEGIN(...) do {								\
	const char *const args[] = { "--stacks=offcpu", "--stacks-min=0", ##__VA_ARGS__, NULL };	\
										\
	NEEDS_STACKS();								\
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args,	\
				 &self->why));					\
} while (0)

#endif /* SELFTESTS_PROGRAM_STACKS_H */
