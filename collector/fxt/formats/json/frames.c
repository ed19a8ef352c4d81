// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frames.c - the stacks of backtraces.
 *
 * In: backtrace records, each with the addresses of one stack.
 * Out: each event refers to the innermost frame of its stack. The dictionary "stackFrames" at the
 * end has the frames with the names of functions that the archive has. A frame's parent is its
 * caller, so stacks with the same outer frames share them.
 *
 * The dictionary is bounded. A stack that does not fit is written in its event.
 */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "terminal/memory.h"
#include "json.h"

/* Frames are numbered from 1; the outermost ones have the parent 0. */
struct json_frame {
	struct map_node node;
	uint32_t parent;
	uint32_t number;
	uint32_t provider;	/* the machine that the address belongs to */
	uint64_t process;	/* 0: the kernel */
	uint64_t address;
};

#define FRAME_BYTES	(sizeof(struct json_frame) + 3 * sizeof(void *))

static bool is_same(const struct json_frame *a, const struct json_frame *b)
{
	return a->parent == b->parent && a->address == b->address && a->process == b->process &&
	       a->provider == b->provider;
}

static uint32_t number_of(struct json *j, const struct json_frame *wanted)
{
	uint64_t hash = map_hash(map_hash(wanted->parent, wanted->address),
				 map_hash(wanted->process, wanted->provider));
	struct json_frame *f;

	if (map_find(&j->frame_map, hash, f, is_same(f, wanted)))
		return f->number;
	if ((j->frame_count + 1) * FRAME_BYTES > JSON_TABLE_BYTES)
		return 0;
	array_more(j->frames, j->frame_count);
	f = new_zero(struct json_frame);
	j->frames[j->frame_count++] = f;
	*f = *wanted;
	f->number = j->frame_count;
	map_put(&j->frame_map, &f->node, hash);
	return f->number;
}

/* Write a stack, the outermost frame first; records have the innermost frame first. */
static void put_stack(struct json *j)
{
	unsigned int i;

	out_str(j->o, ",\"stack\":[");
	for (i = j->content.frame_count; i; i--) {
		json_hex(j->o, j->content.frames[i - 1]);
		if (i > 1)
			out_char(j->o, ',');
	}
	out_char(j->o, ']');
}

void json_stack(struct json *j)
{
	unsigned int i = j->content.frame_count;
	struct json_frame frame = { .provider = j->provider };
	uint32_t number = 0;

	if (!i)
		return;
	do {
		frame.parent = number;
		frame.address = j->content.frames[--i];
		frame.process = fxt_sched_is_kernel(frame.address) ? 0 :
				j->stack_process;
		number = number_of(j, &frame);
	} while (i && number);
	if (!number) {
		put_stack(j);
		return;
	}
	out_str(j->o, ",\"sf\":");
	out_u64(j->o, number);
}

static void put_function(struct json *j, const struct json_frame *f)
{
	const struct sched_symbol *symbol =
		sched_symbol_find(&j->symbols, f->provider, f->process,
				  fxt_sched_frame_address(f->address));

	if (symbol)
		out_json(j->o, symbol->name, strlen(symbol->name));
	else
		json_hex(j->o, f->address);
}

void json_frames_write(struct json *j)
{
	struct out *o = j->o;
	size_t i;

	if (!j->frame_count)
		return;
	out_str(o, ",\n\"stackFrames\":{");
	for (i = 0; i < j->frame_count; i++) {
		const struct json_frame *f = j->frames[i];

		out_printf(o, "%s\n\"%u\":{\"name\":", i ? "," : "", f->number);
		put_function(j, f);
		if (f->parent)
			out_printf(o, ",\"parent\":\"%u\"", f->parent);
		out_char(o, '}');
	}
	out_str(o, "\n}");
}

void json_frames_free(struct json *j)
{
	while (j->frame_count)
		free(j->frames[--j->frame_count]);
	free(j->frames);
	map_free(&j->frame_map);
	sched_symbols_free(&j->symbols);
}
