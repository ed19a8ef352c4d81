// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samples.c - samples of a trace in the Trace Event Format.
 *
 * In: the blob of its stackFrames, in the first walk; instants of the phase P, in the second.
 * Out: samples with their stacks, which Perfetto adds up in flame graphs.
 * Must hold: stackFrames take at most JSON_VALUE_BYTES, a stack has at most FRAMES_MOST frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json/fields.h"
#include "formats/json/scan.h"
#include "perfetto.h"

#define FRAMES_MOST	256U
#define UNIT_COUNT	9	/* Perfetto's number of it */

static const struct fxt_arg *find_field(const struct fxt_content *c, const char *field)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (fxt_text_is(&c->args[i].name, field))
			return &c->args[i];
	return NULL;
}

/* --- the table of frames --------------------------------------------------------------- */

int perfetto_frames(struct perfetto *p)
{
	const struct fxt_bytes *blob = &p->content.blob;
	struct perfetto_frames *f = &p->frames;
	char *more;

	if (f->table || !fxt_text_is(&p->content.name, "stackFrames") ||
	    blob->bytes > JSON_VALUE_BYTES - f->bytes)
		return 0;
	more = realloc(f->text, f->bytes + blob->bytes + 1);
	if (!more)
		return -ENOMEM;
	f->text = more;
	if (blob->bytes)
		memcpy(f->text + f->bytes, blob->data, blob->bytes);
	f->bytes += blob->bytes;
	if (blob->bytes == JSON_PART_BYTES)
		return 0;
	f->table = json_value_of_text(f->text, f->bytes);
	free(f->text);
	f->text = NULL;
	f->bytes = 0;
	return 0;
}

void perfetto_frames_free(struct perfetto_frames *f)
{
	json_object_put(f->table);
	free(f->text);
}

/* --- stacks ------------------------------------------------------------------------------ */

/* @stack: the array "stack" of the event, which owns its texts */
struct stack {
	struct json_object *stack;
	Perfetto__InlineFrame frames[FRAMES_MOST];
	Perfetto__InlineFrame *list[FRAMES_MOST];
	uint32_t count;
};

static void add_frame(struct stack *s, struct json_object *name)
{
	Perfetto__InlineFrame *f = &s->frames[s->count];

	*f = (Perfetto__InlineFrame)PERFETTO__INLINE_FRAME__INIT;
	f->function_name = name ? (char *)json_object_get_string(name) : (char *)"?";
	s->list[s->count++] = f;
}

/* From the innermost frame to its outermost parent; Perfetto has the outermost one first. */
static void add_chain(struct stack *s, const struct perfetto_frames *frames, const char *id)
{
	struct json_object *frame, *parent;
	uint32_t i;

	while (id && s->count < FRAMES_MOST) {
		frame = json_object_object_get(frames->table, id);
		if (!json_object_is_type(frame, json_type_object))
			break;
		add_frame(s, json_object_object_get(frame, "name"));
		parent = json_object_object_get(frame, "parent");
		id = parent ? json_object_get_string(parent) : NULL;
	}
	for (i = 0; i < s->count / 2; i++) {
		Perfetto__InlineFrame *last = s->list[s->count - 1 - i];

		s->list[s->count - 1 - i] = s->list[i];
		s->list[i] = last;
	}
}

/* An id is a text or a number. Return: it in @to, or NULL */
static const char *id_of(const struct fxt_arg *a, char to[24])
{
	if (a->type == FXT_ARG_STRING && a->text.length < 24) {
		memcpy(to, a->text.bytes, a->text.length);
		to[a->text.length] = '\0';
		return to;
	}
	if (a->type != FXT_ARG_INT32 && a->type != FXT_ARG_INT64)
		return NULL;
	snprintf(to, 24, "%" PRId64, a->i64);
	return to;
}

static void find_stack(const struct perfetto *p, struct stack *s)
{
	const struct fxt_arg *id = find_field(&p->content, JSON_FIELD "sf");
	const struct fxt_arg *array = find_field(&p->content, JSON_FIELD "stack");
	char text[24];
	size_t i;

	s->stack = NULL;
	s->count = 0;
	if (id && p->frames.table)
		add_chain(s, &p->frames, id_of(id, text));
	if (s->count || !array || array->type != FXT_ARG_STRING)
		return;
	s->stack = json_value_of_text(array->text.bytes, array->text.length);
	if (!json_object_is_type(s->stack, json_type_array))
		return;
	for (i = 0; i < json_object_array_length(s->stack) && i < FRAMES_MOST; i++)
		add_frame(s, json_object_array_get_idx(s->stack, i));
}

/* --- samples ------------------------------------------------------------------------------- */

static uint64_t weight_of(const struct fxt_content *c)
{
	const struct fxt_arg *a = find_field(c, JSON_FIELD "weight");

	if (!a)
		return 1;
	if (a->type == FXT_ARG_DOUBLE)
		return a->f64 > 0 && a->f64 < 0x1p63 ? (uint64_t)(a->f64 + 0.5) : 0;
	return a->type == FXT_ARG_INT32 || a->type == FXT_ARG_INT64 ?
	       (uint64_t)(a->i64 > 0 ? a->i64 : 0) : 1;
}

static int put_sample(struct perfetto *p, struct stack *s, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__StackSample sample = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__TaskContext task = PERFETTO__TASK_CONTEXT__INIT;
	Perfetto__InlineCallstack stack = PERFETTO__INLINE_CALLSTACK__INIT;
	Perfetto__SampleCounter counter = PERFETTO__SAMPLE_COUNTER__INIT;
	const struct fxt_content *c = &p->content;

	task.has_pid = c->thread.process;
	task.pid = c->thread.process;
	task.has_tid = true;
	task.tid = c->thread.thread;
	stack.frames = s->list;
	stack.n_frames = s->count;
	counter.name = p->texts.name;
	memcpy(p->texts.name, c->name.length ? c->name.bytes : "samples",
	       c->name.length ? c->name.length : 7);
	p->texts.name[c->name.length ? c->name.length : 7] = '\0';
	counter.has_unit = true;
	counter.unit = UNIT_COUNT;
	sample.task_context = &task;
	sample.callstack = &stack;
	sample.primary_descriptor = &counter;
	sample.has_primary_weight = true;
	sample.primary_weight = weight_of(c);
	packet.has_timestamp = true;
	packet.timestamp = ns;
	packet.stack_sample = &sample;
	return packets_put(&p->packets, &packet);
}

int perfetto_sample(struct perfetto *p, uint64_t ns)
{
	const struct fxt_arg *ph = find_field(&p->content, JSON_FIELD "ph");
	struct stack *s;
	int ret = 0;

	if (!ph || ph->type != FXT_ARG_STRING || !fxt_text_is(&ph->text, "P"))
		return 0;
	s = malloc(sizeof(*s));
	if (!s)
		return -ENOMEM;
	find_stack(p, s);
	if (s->count)
		ret = put_sample(p, s, ns);
	ret = ret ? ret : s->count > 0;
	json_object_put(s->stack);
	free(s);
	return ret;
}
