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

/**
 * struct fxt_call_stack - a stack
 * @provider: id of the provider of its records, which stands for a machine; 0 in fxt-collect
 * @process: koid of the process of the frames in a program; 0 without such frames
 * @id: number of the stack, from 0, in the order in which stacks were first seen
 * @count: of frames; 0 if the stack is unknown
 * @frames: addresses, innermost first
 */
struct fxt_call_stack {
	struct map_node node;
	uint32_t provider;
	uint64_t process;
	uint32_t id;
	uint32_t count;
	uint64_t frames[];
};

/**
 * struct fxt_call_stacks - all stacks; initialize with zeros
 * @count: number of stacks
 * @most: limit of @count, 0 for the default
 */
struct fxt_call_stacks {
	struct map map;
	uint32_t count;
	uint32_t most;
};

/**
 * fxt_call_stack_get() - find a stack, or add it
 * @s: the stacks
 * @provider: id of the record's provider
 * @process: koid of the record's process
 * @frames: addresses, innermost first
 * @count: of frames
 *
 * If there are too many different stacks, further ones become one stack without frames.
 *
 * Return: the stack, valid until fxt_call_stacks_free(); NULL without memory.
 */
const struct fxt_call_stack *fxt_call_stack_get(struct fxt_call_stacks *s, uint32_t provider,
					  uint64_t process, const uint64_t *frames,
					  uint32_t count);

void fxt_call_stacks_free(struct fxt_call_stacks *s);

/**
 * fxt_place_name() - name a frame whose function is unknown by its place in a file
 * @text: set to "libfoo.so+0x1234", or in the kernel to "[nvme]+0x12", in printable ASCII
 * @room: bytes at @text
 * @path: of the file, or name of a module of the kernel
 * @is_kernel: the file is a module of the kernel
 * @offset: of the frame in the file
 */
void fxt_place_name(char *text, size_t room, const char *path, bool is_kernel,
		      uint64_t offset);

#endif /* LIBFXT_STACKS_H */
