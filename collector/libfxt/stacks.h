/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - call stacks, each kept once.
 *
 * In:  backtraces.
 * Out: the same pointer for equal stacks, so that they can be counted.
 */
#ifndef LIBFXT_STACKS_H
#define LIBFXT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

/** struct fxt_call_stack - a stack */
struct fxt_call_stack {
	struct map_node node;
	uint32_t provider;		/* its id, which stands for a machine; 0 in fxt-collect */
	uint64_t process;		/* koid, of frames in a program; 0 without such frames */
	uint32_t id;			/* from 0, in the order in which stacks were first seen */
	uint32_t count;			/* of frames; 0 if the stack is unknown */
	uint64_t frames[];		/* addresses, innermost first */
};

/** struct fxt_call_stacks - all stacks; initialize with zeros */
struct fxt_call_stacks {
	struct map map;
	uint32_t count;			/* number of stacks */
	uint32_t most;			/* limit of @count, 0 for the default */
};

/**
 * fxt_call_stack_get() - find a stack, or add it. If there are too many different stacks, further
 * ones become one stack without frames. Return: the stack, valid until fxt_call_stacks_free();
 * NULL without memory.
 */
const struct fxt_call_stack *fxt_call_stack_get(struct fxt_call_stacks *s, uint32_t provider,
					  uint64_t process, const uint64_t *frames,
					  uint32_t count);

void fxt_call_stacks_free(struct fxt_call_stacks *s);

/**
 * fxt_place_name() - name a frame whose function is unknown by its place in a file
 * @text: set to "libfoo.so+0x1234", or in the kernel to "[nvme]+0x12", in printable ASCII
 * @path: of the file, or name of a module of the kernel
 * @is_kernel: the file is a module of the kernel
 * @offset: of the frame in the file
 */
void fxt_place_name(char *text, size_t room, const char *path, bool is_kernel, uint64_t offset);

#endif /* LIBFXT_STACKS_H */
