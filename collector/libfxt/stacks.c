// SPDX-License-Identifier: GPL-2.0-or-later
/* stacks.c - see stacks.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "stacks.h"

#define MOST_STACKS	131072U		/* the default: 38 MiB with 32 frames each */

static uint64_t hash_of(uint32_t provider, uint64_t process, const uint64_t *frames,
			uint32_t count)
{
	return map_hash(map_hash(provider, process),
			fxt_hash_bytes(frames, count * sizeof(*frames)));
}

static const struct fxt_call_stack *find_stack(const struct fxt_call_stacks *s, uint32_t provider,
					    uint64_t process, const uint64_t *frames,
					    uint32_t count, uint64_t hash)
{
	struct fxt_call_stack *stack;

	return map_find(&s->map, hash, stack, stack->provider == provider &&
			stack->process == process && stack->count == count &&
			!memcmp(stack->frames, frames, count * sizeof(*frames)));
}

/* Stacks without frames in a program are the same in all processes. */
static bool has_program(const uint64_t *frames, uint32_t count)
{
	while (count)
		if (!fxt_sched_is_kernel(frames[--count]))
			return true;
	return false;
}

const struct fxt_call_stack *fxt_call_stack_get(struct fxt_call_stacks *s, uint32_t provider,
					  uint64_t process, const uint64_t *frames,
					  uint32_t count)
{
	const struct fxt_call_stack *known;
	struct fxt_call_stack *stack;
	uint64_t hash;

	if (!has_program(frames, count))
		process = 0;
	hash = hash_of(provider, process, frames, count);
	known = find_stack(s, provider, process, frames, count, hash);
	if (known)
		return known;
	if (s->count >= (s->most ? s->most : MOST_STACKS) && count)
		return fxt_call_stack_get(s, provider, 0, frames, 0);
	stack = malloc(sizeof(*stack) + count * sizeof(*frames));
	if (!stack || map_reserve(&s->map)) {
		free(stack);
		return NULL;
	}
	stack->provider = provider;
	stack->process = process;
	stack->id = s->count++;
	stack->count = count;
	if (count)
		memcpy(stack->frames, frames, count * sizeof(*frames));
	map_add(&s->map, &stack->node, hash);
	return stack;
}

void fxt_call_stacks_free(struct fxt_call_stacks *s)
{
	map_free_all(&s->map, struct fxt_call_stack);
}

void fxt_place_name(char *text, size_t room, const char *path, bool is_kernel, uint64_t offset)
{
	const char *name = strrchr(path, '/');
	bool adds = is_kernel && *path != '[';

	name = name && name[1] ? name + 1 : path;
	snprintf(text, room, "%s%.200s%s+0x%" PRIx64, adds ? "[" : "", name, adds ? "]" : "",
		 offset);
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}
