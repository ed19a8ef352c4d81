// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - see events.h.
 *
 * Must hold: nothing outside of a record is read, whatever its format describes.
 */
#include <byteswap.h>
#include <errno.h>
#include <event-parse.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>
#include <fxt/fxt_vectors.h>

#include "formats/import/event.h"
#include "formats/import/import.h"
#include "terminal/memory.h"
#include "events.h"

/* --------------------------------------------------------------------
 * The numbers in a kernel's sched_switch are explained by its print format, such as
 *	REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|",
 *		{ 1, "S" }, { 2, "D" }, ...) : "R", REC->prev_state & 1024 ? "+" : ""
 * The flags have the letters, the condition before "+" has the bit of a preempted thread.
 */

#define DEPTH	64	/* limit of nested expressions; deeper ones are ignored */

static bool is_op(const struct tep_print_arg *arg, const char *op)
{
	return arg && arg->type == TEP_PRINT_OP && arg->op.op && !strcmp(arg->op.op, op);
}

/* Returns false if the expression is not constant. */
static bool evaluate(const struct tep_print_arg *arg, int depth, uint64_t *n)
{
	uint64_t left, right;
	char *end;

	if (!arg || depth == DEPTH)
		return false;
	if (arg->type == TEP_PRINT_TYPE)
		return evaluate(arg->typecast.item, depth + 1, n);
	if (arg->type == TEP_PRINT_ATOM) {
		*n = strtoull(arg->atom.atom, &end, 0);
		return end != arg->atom.atom;
	}
	if (arg->type != TEP_PRINT_OP || !evaluate(arg->op.left, depth + 1, &left) ||
	    !evaluate(arg->op.right, depth + 1, &right))
		return false;
	if (is_op(arg, "|"))
		*n = left | right;
	else if (is_op(arg, "+"))
		*n = left + right;
	else if (is_op(arg, "-"))
		*n = left - right;
	else if (is_op(arg, "<<") && right < 64)
		*n = left << right;
	else
		return false;
	return true;
}

static void read_flags(const struct tep_print_flag_sym *flag, struct trace_states *s)
{
	for (s->count = 0; flag && s->count < TRACE_STATES; flag = flag->next)
		s->all[s->count++] = (struct trace_state_bits){
			.bits = strtoull(flag->value, NULL, 0), .letter = flag->str[0],
		};
}

/* libtraceevent parses "CONDITION ? X : Y" as an operator on the condition and "X : Y". */
static void read_preempted(const struct tep_print_arg *arg, struct trace_states *s)
{
	const struct tep_print_arg *plus = is_op(arg->op.right, ":") ? arg->op.right->op.left : NULL;
	uint64_t bits;

	if (!plus || plus->type != TEP_PRINT_ATOM || strcmp(plus->atom.atom, "+"))
		return;
	if (is_op(arg->op.left, "&") && evaluate(arg->op.left->op.right, 0, &bits))
		s->preempted = bits;
}

static void find_letters(const struct tep_print_arg *arg, int depth, struct trace_states *s)
{
	if (!arg || depth == DEPTH)
		return;
	if (arg->type == TEP_PRINT_FLAGS)
		read_flags(arg->flags.flags, s);
	if (arg->type != TEP_PRINT_OP)
		return;
	if (is_op(arg, "?"))
		read_preempted(arg, s);
	find_letters(arg->op.left, depth + 1, s);
	find_letters(arg->op.right, depth + 1, s);
}

/* Without letters in the print format, trace_states_any. */
static struct trace_states tep_states(const struct tep_event *event)
{
	const struct tep_print_arg *arg = event ? event->print_fmt.args : NULL;
	struct trace_states s = { .count = 0 };

	for (; arg; arg = arg->next)
		find_letters(arg, 0, &s);
	return s.count ? s : trace_states_any;
}

/* --- records as events --- */

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), bytes = strlen(end);

	return length > bytes && !strcmp(name + length - bytes, end);
}

static enum trace_what what_of(const struct tep_event *event)
{
	if (!event || !event->name || !event->system)
		return TRACE_NOTHING;
	if (strcmp(event->system, "irq_vectors"))
		return trace_known(event->name, strlen(event->name));
	return ends_with(event->name, "_entry") ? TRACE_VECTOR_ENTRY :
	       ends_with(event->name, "_exit") ? TRACE_VECTOR_EXIT : TRACE_NOTHING;
}

/* Returns false if a field is missing. */
static bool find_fields(struct tep_kind *kind, struct tep_event *event)
{
	const struct trace_field *fields = trace_kinds[kind->what].fields;
	unsigned int i;

	for (i = 0; i < TRACE_FIELDS && fields[i].name; i++) {
		kind->fields[i] = tep_find_field(event, fields[i].name);
		if (!kind->fields[i])
			return false;
	}
	return true;
}

/* Some kernels lack these, or have other events of these names. */
static bool is_optional(enum trace_what what)
{
	return what == TRACE_PRIORITY || what == TRACE_BLOCKED || what >= TRACE_VECTOR_ENTRY;
}

static struct tep_kind *find_kind(struct tep_events *t, unsigned int id)
{
	struct tep_event *event = tep_find_event(t->tep, id);
	struct tep_kind *kind = new_zero(struct tep_kind);
	bool is_complete;

	t->kinds[id] = kind;
	kind->what = what_of(event);
	is_complete = find_fields(kind, event);
	if (!is_complete && is_optional(kind->what)) {
		*kind = (struct tep_kind){ .what = TRACE_NOTHING };
		is_complete = true;
	}
	kind->name = event && (kind->what == TRACE_NOTHING || kind->what == TRACE_STACK) ?
		     event->name : NULL;
	kind->wrong = !event || !is_complete;
	if (kind->what == TRACE_SWITCH)
		t->states = tep_states(event);
	return kind;
}

static bool read_number(const struct tep_format_field *f, const struct tep_record *rec,
			unsigned long long *n)
{
	return f->offset >= 0 && f->size > 0 && f->size <= 8 && f->offset <= rec->size - f->size &&
	       !tep_read_number_field((struct tep_format_field *)f, rec->data, n);
}

/* A text of fixed length, or one whose place and length are in the record. */
static bool read_text(const struct tep_format_field *f, const struct tep_record *rec,
		      const char **text, size_t *length)
{
	long at = f->offset, bytes = f->size;
	unsigned long long place;

	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		if (f->size != 4 || !read_number(f, rec, &place))
			return false;
		at = (place & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? f->offset + f->size : 0);
		bytes = place >> 16 & 0xffff;
	}
	if (at < 0 || bytes < 0 || at > rec->size || bytes > rec->size - at)
		return false;
	*text = (const char *)rec->data + at;
	*length = strnlen(*text, bytes);
	return true;
}

static bool copy_text(const struct trace_field *how, const struct tep_format_field *f,
		      const struct tep_record *rec, void *to)
{
	const char *text, *slash;
	size_t length;

	if (!read_text(f, rec, &text, &length))
		return false;
	slash = how->form == TRACE_FORM_FILE ? memrchr(text, '/', length) : NULL;
	if (slash) {
		length -= slash + 1 - text;
		text = slash + 1;
	}
	trace_name_set(to, text, length);
	return true;
}

/* @frame is a return address. */
static const char *function_of(const struct tep_events *t, uint64_t frame)
{
	uint64_t address = fxt_sched_frame_address(frame);
	const char *name = tep_find_function(t->tep, address);

	if (name && t->symbols)
		trace_symbol_at(t->symbols, tep_find_function_address(t->tep, address), frame, name);
	return name;
}

static void copy_function(const struct tep_events *t, uint64_t address, struct trace_name *to)
{
	const char *name = address ? tep_find_function(t->tep, address) : "";

	if (name)
		trace_name_set(to, name, strlen(name));
	else
		snprintf(to->bytes, sizeof(to->bytes), "0x%" PRIx64, address);
}

/*
 * Old kernels end the list with a word of ones. Call chains of 32-bit kernels are not read, because
 * their addresses do not distinguish the kernel.
 */
static bool copy_frames(const struct tep_events *t, const struct tep_format_field *f,
			const struct tep_record *rec, struct trace_event *e)
{
	uint64_t *frames;
	uint64_t frame;
	int at;

	if (f->offset < 0 || f->offset > rec->size)
		return false;
	if (tep_get_long_size(t->tep) != sizeof(frame)) {
		e->what = TRACE_NOTHING;
		return true;
	}
	frames = must(malloc(FXT_SCHED_STACK_FRAMES * sizeof(*frames)));
	e->frames = frames;
	for (at = f->offset; e->frame_count < FXT_SCHED_STACK_FRAMES &&
	     at + (int)sizeof(frame) <= rec->size; at += sizeof(frame)) {
		memcpy(&frame, (char *)rec->data + at, sizeof(frame));
		if (tep_is_file_bigendian(t->tep) != tep_is_local_bigendian(t->tep))
			frame = bswap_64(frame);
		if (!frame || frame == UINT64_MAX)
			break;
		function_of(t, frame);
		frames[e->frame_count++] = frame;
	}
	return true;
}

static void copy_caller(const struct tep_events *t, uint64_t address, struct trace_event *e)
{
	uint64_t *frame = must(malloc(sizeof(*frame)));
	const char *name;

	*frame = address + !!address;
	e->frames = frame;
	name = address ? function_of(t, *frame) : NULL;
	/* A 32-bit address may not be the kernel's, but one with a name is. */
	if (tep_get_long_size(t->tep) != sizeof(*frame))
		*frame = name && t->symbols ? trace_symbol(t->symbols, 0, name, strlen(name)) : 0;
	e->frame_count = !!*frame;
}

static bool copy_mark(const struct tep_format_field *f, const struct tep_record *rec,
		      struct trace_event *e)
{
	const char *text = (const char *)rec->data + f->offset;

	if (f->offset < 0 || f->offset > rec->size)
		return false;
	trace_event_mark(e, text, strnlen(text, rec->size - f->offset));
	return true;
}

/* A mask is an array of longs. */
static bool copy_mask(const struct tep_events *t, const struct tep_format_field *f,
		      const struct tep_record *rec, struct trace_event *e)
{
	int size = tep_get_long_size(t->tep), at, begin, end;
	unsigned long long place;
	uint64_t word;

	if (!(f->flags & TEP_FIELD_IS_DYNAMIC) || f->size != 4 || !read_number(f, rec, &place) ||
	    (size != 4 && size != 8))
		return false;
	begin = (place & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? f->offset + f->size : 0);
	end = begin + (place >> 16 & 0xffff);
	if (end > rec->size)
		return false;
	e->mask = e->value = 0;
	for (at = begin; at + size <= end; at += size) {
		word = tep_read_number(t->tep, (char *)rec->data + at, size);
		if (at - begin < (int)sizeof(e->mask))
			e->mask |= word << (at - begin) * 8;
		e->value += __builtin_popcountll(word);
	}
	return true;
}

static bool read_field(const struct tep_events *t, const struct trace_field *how,
		       const struct tep_format_field *f, const struct tep_record *rec,
		       struct trace_event *e)
{
	void *to = (char *)e + how->to;
	unsigned long long n;
	uint32_t value;

	if (how->form == TRACE_FORM_NAME || how->form == TRACE_FORM_FILE)
		return copy_text(how, f, rec, to);
	if (how->form == TRACE_FORM_TEXT)
		return copy_mark(f, rec, e);
	if (how->form == TRACE_FORM_FRAMES)
		return copy_frames(t, f, rec, e);
	if (how->form == TRACE_FORM_MASK)
		return copy_mask(t, f, rec, e);
	if (!read_number(f, rec, &n))
		return false;
	if (how->form == TRACE_FORM_STATE) {
		e->state = trace_state_letter(&t->states, n);
	} else if (how->form == TRACE_FORM_FUNCTION) {
		copy_function(t, n, to);
	} else if (how->form == TRACE_FORM_CALLER) {
		copy_caller(t, n, e);
	} else {
		value = how->form == TRACE_FORM_CLONE ? !!(n & CLONE_THREAD) :
			how->form == TRACE_FORM_VECTOR ? fxt_vector_name(n) : n;
		memcpy(to, &value, sizeof(value));
	}
	return true;
}

/* The fields that each record begins with, whatever its format describes. */
struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

static struct common common_of(const struct tep_events *t, const struct tep_record *rec)
{
	struct common c;

	memcpy(&c, rec->data, sizeof(c));
	if (tep_is_file_bigendian(t->tep) != tep_is_local_bigendian(t->tep)) {
		c.type = bswap_16(c.type);
		c.pid = bswap_32(c.pid);
	}
	return c;
}

static const struct tep_kind *kind_of(struct tep_events *t, const struct tep_record *rec)
{
	unsigned int id = common_of(t, rec).type;

	return t->kinds[id] ? t->kinds[id] : find_kind(t, id);
}

static bool has_common(const struct tep_record *rec)
{
	return rec->data && rec->size >= (int)sizeof(struct common);
}

int tep_events_what(struct tep_events *t, const struct tep_record *rec)
{
	return has_common(rec) ? kind_of(t, rec)->what : -EBADMSG;
}

int tep_events_read(struct tep_events *t, const struct tep_record *rec, struct trace_event *e)
{
	const struct tep_kind *kind;
	struct common common;
	unsigned int i;

	if (!has_common(rec))
		return -EBADMSG;
	kind = kind_of(t, rec);
	if (kind->wrong)
		return -EBADMSG;
	common = common_of(t, rec);
	memset(e, 0, offsetof(struct trace_event, name));
	e->name.bytes[0] = e->other_name.bytes[0] = e->on_name.bytes[0] = '\0';
	e->ns = rec->ts;
	e->cpu = rec->cpu;
	e->on = common.pid < 0 ? 0 : common.pid;
	e->irq = trace_irq_of(common.flags);
	e->what = kind->what;
	if (kind->name)
		snprintf(e->name.bytes, sizeof(e->name.bytes), "%s", kind->name);
	for (i = 0; i < TRACE_FIELDS && kind->fields[i]; i++)
		if (!read_field(t, &trace_kinds[kind->what].fields[i], kind->fields[i], rec, e))
			return -EBADMSG;
	return 0;
}

void tep_events_close(struct tep_events *t)
{
	size_t i;

	for (i = 0; i < TEP_EVENT_IDS; i++)
		free(t->kinds[i]);
}
