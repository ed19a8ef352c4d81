/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - call stacks, each kept once, so that equal stacks have the same pointer and can be
 * counted.
 */
#ifndef LIBFXT_STACKS_H
#define LIBFXT_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

struct fxt_call_stack {
	struct map_node node;
	uint32_t provider;		/* id, which stands for a machine; 0 in fxt-collect */
	uint64_t process;		/* koid; 0 without frames in a program */
	uint32_t id;			/* from 0, in the order in which stacks were first seen */
	uint32_t count;			/* of frames; 0: unknown */
	uint64_t frames[];		/* innermost first */
};

/* Initialize with zeros. */
struct fxt_call_stacks {
	struct map map;
	uint32_t count;
	uint32_t most;			/* limit of @count; 0: the default */
};

/*
 * Find or add a stack. If there are too many different ones, further ones become one stack without
 * frames. Return: the stack, valid until fxt_call_stacks_free(); NULL without memory.
 */
const struct fxt_call_stack *fxt_call_stack_get(struct fxt_call_stacks *s, uint32_t provider,
					  uint64_t process, const uint64_t *frames,
					  uint32_t count);

void fxt_call_stacks_free(struct fxt_call_stacks *s);

/*
 * Name a frame whose function is unknown by its place in a file. @text: set to "libfoo.so+0x1234",
 * or in the kernel to "[nvme]+0x12", in printable ASCII. @path: of the file, or name of a module of
 * the kernel. @is_kernel: it is such a module. @offset: of the frame in the file
 */
void fxt_place_name(char *text, size_t room, const char *path, bool is_kernel, uint64_t offset);

#endif /* LIBFXT_STACKS_H */
