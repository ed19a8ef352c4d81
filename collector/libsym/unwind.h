/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - the frames that are missing in the stack of a program.
 *
 * In:  frames that the kernel found by frame pointers; registers and a piece of the stack; how to
 * leave functions. Out: all frames, as far as the piece of the stack reaches.
 */
#ifndef LIBSYM_UNWIND_H
#define LIBSYM_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched_stack.h>

#include "cfi.h"

/**
 * unwind_rule - how to leave the function at an address
 * @arg: of unwind()
 * @address: of an instruction of the function, in the process
 *
 * Return: NULL if that is unknown.
 */
typedef const struct cfi_rule *(*unwind_rule)(void *arg, uint64_t address);

/**
 * struct unwinding - of one stack
 * @frames: of the program, innermost first, as the kernel found them: @count, at least 1
 * @copy: what fxt_sched_stack.h calls so: @words, at least FXT_SCHED_COPY_HEAD
 * @rule: finds rules, with @arg
 * @result: what was found: @found frames
 * @added: how many of these the kernel has not found
 * @is_whole: no frame is missing between the innermost one and those of frame pointers, or up
 *	to the end of the stack
 */
struct unwinding {
	const uint64_t *frames;
	size_t count;
	const uint64_t *copy;
	size_t words;
	unwind_rule rule;
	void *arg;
	uint64_t result[FXT_SCHED_STACK_FRAMES];
	size_t found;
	size_t added;
	bool is_whole;
};

/**
 * unwind() - find the missing frames
 * @u: filled in up to @arg
 *
 * Each frame that is added is exact. Those of the kernel are left out if it turns out that the
 * register held no frame pointer.
 */
void unwind(struct unwinding *u);

#endif /* LIBSYM_UNWIND_H */
