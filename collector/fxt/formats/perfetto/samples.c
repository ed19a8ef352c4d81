// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samples.c - samples of a trace in the Trace Event Format.
 *
 * In: the blob of stackFrames in the first walk; instants of phase P in the second.
 * Out: samples with their stacks, which Perfetto sums up in flame graphs.
 * Must hold: stackFrames take at most JSON_VALUE_BYTES, a stack has at most FRAMES_MOST frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "formats/json/fields.h"
#include "formats/json/scan.h"
#include "terminal/memory.h"
#include "perfetto.h"

#define FRAMES_MOST	256U
#define UNIT_COUNT	9	/* Perfetto's number of this unit */

static const struct fxt_arg *find_field(const struct fxt_content *c, const char *field)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (fxt_text_is(&c->args[i].name, field))
			return &c->args[i];
	return NULL;
}

/* --- the table of frames --------------------------------------------------------------- */

static size_t text_bytes(const struct json_value *v)
{
	return v ? v->length + 1 : 0;
}

static char *keep_text(char **to, const struct json_value *v)
{
	char *kept = *to;

	if (!v)
		return NULL;
	memcpy(kept, v->text, v->length);
	kept[v->length] = '\0';
	*to += v->length + 1;
	return kept;
}

/* Members that are not objects are not frames. */
static void add_known_frame(struct perfetto_frames *f, const struct json_member *m,
			    struct json_element *fields)
{
	const struct json_value *name, *parent;
	char *text;

	if (m->value.type != JSON_OBJECT ||
	    json_element_parse(fields, JSON_MEMBERS, m->value.text, m->value.length))
		return;
	name = json_members_find(&fields->object, "name");
	parent = json_members_find(&fields->object, "parent");
	text = must(malloc(text_bytes(&m->name) + text_bytes(name) + text_bytes(parent)));
	array_more(f->list, f->count);
	f->list[f->count].id = keep_text(&text, &m->name);
	f->list[f->count].name = keep_text(&text, name);
	f->list[f->count++].parent = keep_text(&text, parent);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct perfetto_frame *)a)->id, ((const struct perfetto_frame *)b)->id);
}

/* Called after all blobs of stackFrames have been read. */
static void parse_frames(struct perfetto_frames *f)
{
	struct json_element all = { 0 }, fields = { 0 };
	size_t i;

	f->is_complete = !json_element_parse(&all, JSON_MEMBERS, f->text, f->bytes);
	for (i = 0; f->is_complete && all.value.type == JSON_OBJECT && i < all.object.count; i++)
		add_known_frame(f, &all.object.list[i], &fields);
	if (f->count)
		qsort(f->list, f->count, sizeof(*f->list), by_id);
	json_element_free(&all);
	json_element_free(&fields);
}

void perfetto_frames(struct perfetto *p)
{
	const struct fxt_bytes *blob = &p->content.blob;
	struct perfetto_frames *f = &p->frames;

	if (f->is_complete || !fxt_text_is(&p->content.name, "stackFrames") ||
	    blob->bytes > JSON_VALUE_BYTES - f->bytes)
		return;
	f->text = must(realloc(f->text, f->bytes + blob->bytes + 1));
	if (blob->bytes)
		memcpy(f->text + f->bytes, blob->data, blob->bytes);
	f->bytes += blob->bytes;
	if (blob->bytes == JSON_PART_BYTES)
		return;
	parse_frames(f);
	free(f->text);
	f->text = NULL;
	f->bytes = 0;
}

void perfetto_frames_free(struct perfetto_frames *f)
{
	while (f->count)
		free(f->list[--f->count].id);
	free(f->list);
	free(f->text);
}

/* --- stacks ------------------------------------------------------------------------------ */

/* @stack: the array "stack" of the event, which owns the texts of the frames */
struct stack {
	struct json_element stack;
	Perfetto__InlineFrame frames[FRAMES_MOST];
	Perfetto__InlineFrame *list[FRAMES_MOST];
	uint32_t count;
};

static void add_frame(struct stack *s, char *name)
{
	Perfetto__InlineFrame *f = &s->frames[s->count];

	*f = (Perfetto__InlineFrame)PERFETTO__INLINE_FRAME__INIT;
	f->function_name = name ? name : (char *)"?";
	s->list[s->count++] = f;
}

/* Add a frame and its callers. They come innermost first; Perfetto wants the outermost first. */
static void add_chain(struct stack *s, const struct perfetto_frames *frames, const char *id)
{
	struct perfetto_frame key, *frame;
	uint32_t i;

	while (id && s->count < FRAMES_MOST) {
		key.id = (char *)id;
		frame = bsearch(&key, frames->list, frames->count, sizeof(key), by_id);
		if (!frame)
			break;
		add_frame(s, frame->name);
		id = frame->parent;
	}
	for (i = 0; i < s->count / 2; i++) {
		Perfetto__InlineFrame *last = s->list[s->count - 1 - i];

		s->list[s->count - 1 - i] = s->list[i];
		s->list[i] = last;
	}
}

/* The text of a frame is terminated in place, because the text after it has been read. */
static char *frame_text(struct json_value *v)
{
	if (v->type == JSON_NULL || v->type == JSON_OBJECT || v->type == JSON_ARRAY)
		return NULL;
	if (v->text[v->length])
		v->text[v->length] = '\0';
	return v->text;
}

static void add_array(struct stack *s, const struct fxt_text *text)
{
	struct json_members *m = &s->stack.object;
	size_t i;

	if (json_element_parse(&s->stack, JSON_MEMBERS, text->bytes, text->length) ||
	    s->stack.value.type != JSON_ARRAY)
		return;
	for (i = 0; i < m->count && i < FRAMES_MOST; i++)
		add_frame(s, frame_text(&m->list[i].value));
}

/* Write an id, a text or a number, to @to. Returns @to, or NULL. */
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

	s->count = 0;
	if (id && p->frames.count)
		add_chain(s, &p->frames, id_of(id, text));
	if (!s->count && array && array->type == FXT_ARG_STRING)
		add_array(s, &array->text);
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

static void put_sample(struct perfetto *p, struct stack *s, uint64_t ns)
{
	Perfetto__Packet packet = PERFETTO__PACKET__INIT;
	Perfetto__StackSample sample = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__TaskContext task = PERFETTO__TASK_CONTEXT__INIT;
	Perfetto__InlineCallstack stack = PERFETTO__INLINE_CALLSTACK__INIT;
	Perfetto__SampleCounter counter = PERFETTO__SAMPLE_COUNTER__INIT;
	const struct fxt_content *c = &p->content;

	task.has_pid = c->thread.process;
	task.pid = c->thread.process;
	PERFETTO_SET(&task, tid, c->thread.thread);
	stack.frames = s->list;
	stack.n_frames = s->count;
	counter.name = p->texts.name;
	snprintf(p->texts.name, sizeof(p->texts.name), "%.*s", c->name.length ? c->name.length : 7,
		 c->name.length ? c->name.bytes : "samples");
	PERFETTO_SET(&counter, unit, UNIT_COUNT);
	sample.task_context = &task;
	sample.callstack = &stack;
	sample.primary_descriptor = &counter;
	PERFETTO_SET(&sample, primary_weight, weight_of(c));
	PERFETTO_SET(&packet, timestamp, ns);
	packet.stack_sample = &sample;
	packets_put(&p->packets, &packet);
}

bool perfetto_sample(struct perfetto *p, uint64_t ns)
{
	const struct fxt_arg *ph = find_field(&p->content, JSON_FIELD "ph");
	struct stack *s;
	bool has_stack;

	if (!ph || ph->type != FXT_ARG_STRING || !fxt_text_is(&ph->text, "P"))
		return false;
	s = must(malloc(sizeof(*s)));
	s->stack = (struct json_element){ 0 };
	find_stack(p, s);
	has_stack = s->count;
	if (has_stack)
		put_sample(p, s, ns);
	json_element_free(&s->stack);
	free(s);
	return has_stack;
}
