// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * content.c - decodes records, one function for each record type, in the order of "Record Types" in
 * the specification.
 *
 * Each function starts after the header and consumes the whole record. After -EBADMSG the content
 * is invalid.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/text.h"
#include "state.h"
#include "tables.h"

/* --- parts of records ------------------------------------------------------------------- */

struct cursor {
	struct fxt_reader *r;
	const uint64_t *words;		/* in the byte order of the archive */
	uint64_t offset;		/* of words[0], in bytes of the archive */
	uint64_t head;			/* likewise, of the header that contains the refs */
	uint32_t at;			/* next word to decode */
	uint32_t end;			/* after the last word */
	bool any_bytes;			/* invalid UTF-8 is only a note */
	bool keeps;	/* a string that was never registered does not make the record useless */
};

/* If the compiler knew the size, it would emit "rep stos", which is slower than libc's function. */
static inline void set_zero(void *p, size_t bytes)
{
	__asm__("" : "+r" (bytes));
	memset(p, 0, bytes);
}

/* The cursor's position in bytes of the archive. */
static inline uint64_t cursor_offset(const struct cursor *c)
{
	return c->offset + (uint64_t)c->at * FXT_WORD;
}

static int fxt_check_reserved(const struct cursor *c, uint64_t word, uint64_t mask)
{
	if (!(word & mask))
		return 0;
	return fxt_deviate(c->r, c->head, FXT_DEV_RESERVED, false,
			   "reserved bits", "%#" PRIx64 " is set in %#018" PRIx64,
			   word & mask, word);
}

int fxt_check_padding(struct fxt_reader *r, uint64_t offset, const char *field,
		      const void *data, uint64_t bytes)
{
	const unsigned char *p = data;
	uint64_t i, end = fxt_stream_words(bytes) * FXT_WORD;

	for (i = bytes; i < end; i++)
		if (p[i])
			return fxt_deviate(r, offset + i, FXT_DEV_PADDING, false, field,
					   "the padding holds %#04x instead of 0", p[i]);
	return 0;
}

/* The remaining words are undefined. */
static int fxt_decode_extra(struct cursor *c, const char *field, struct fxt_bytes *extra)
{
	uint64_t offset = cursor_offset(c);
	uint32_t words = c->end - c->at;

	if (!words)
		return 0;
	*extra = (struct fxt_bytes){ c->words + c->at, (uint64_t)words * FXT_WORD };
	c->at = c->end;
	return fxt_note_trailing(c->r, offset, field, words);
}

/*
 * The following functions return 0, or report a deviation and return -EBADMSG, like fxt_deviate().
 */
static int fxt_decode_word(struct cursor *c, const char *field, uint64_t *word)
{
	if (c->at >= c->end)
		return fxt_deviate(c->r, cursor_offset(c), FXT_DEV_TOO_SHORT, true, field,
				   "missing: the record has only %u words", c->end);
	*word = from_archive(c->r, c->words[c->at++]);
	return 0;
}

static int fxt_decode_stream(struct cursor *c, const char *field, uint64_t bytes, const void **data)
{
	uint64_t words = fxt_stream_words(bytes), offset = cursor_offset(c);

	if (words > c->end - c->at)
		return fxt_deviate(c->r, offset, FXT_DEV_TOO_SHORT, true, field,
				   "%" PRIu64 " bytes, but %u words are left of %u",
				   bytes, c->end - c->at, c->end);
	*data = c->words + c->at;
	c->at += words;
	return fxt_check_padding(c->r, offset, field, *data, bytes);
}

static int fxt_decode_text(struct cursor *c, const char *field, uint64_t bytes,
			   struct fxt_text *text)
{
	uint64_t offset = cursor_offset(c), valid;
	const void *data = "";
	int ret = fxt_decode_stream(c, field, bytes, &data);

	*text = (struct fxt_text){ .bytes = data, .length = ret ? 0 : bytes };
	if (ret)
		return ret;
	text->known = fxt_known_string(text->bytes, bytes);
	valid = fxt_utf8_valid(text->bytes, bytes);
	if (valid == bytes)
		return 0;
	if (c->any_bytes)
		return fxt_note(c->r, offset + valid, FXT_DEV_UTF8, field,
				"invalid UTF-8: byte %#04x",
				(unsigned char)text->bytes[valid]);
	return fxt_deviate(c->r, offset + valid, FXT_DEV_UTF8, false, field,
			   "invalid UTF-8: byte %#04x",
			   (unsigned char)text->bytes[valid]);
}

/* Replace an unknown string, so that the rest of the record can be decoded. */
static int make_placeholder(struct cursor *c, const char *field, uint64_t ref,
			    struct fxt_text *text)
{
	struct fxt_reader *r = c->r;
	char *place = r->placeholders[r->placeholder_count++ % PLACEHOLDERS];
	int length = snprintf(place, PLACEHOLDER_BYTES, "<string %" PRIu64 ">", ref);

	*text = (struct fxt_text){ .bytes = place, .length = length };
	r->suspect |= !r->quiet;
	return fxt_deviate(r, c->head, FXT_DEV_STRING_REF, false, field,
			   "string %" PRIu64 " was never registered", ref);
}

/* Any string but one that is registered. */
static int decode_other_string(struct cursor *c, const char *field, uint64_t ref,
			       struct fxt_text *text)
{
	int ret;

	if (ref & FXT_STRING_REF_INLINE) {
		ret = fxt_decode_text(c, field, fxt_get(FXT_STRING_REF_LENGTH, ref), text);
		text->ref = ref;
		return ret;
	}
	*text = (struct fxt_text){ .bytes = "" };
	if (ref == FXT_STRING_REF_EMPTY)
		return 0;
	if (c->keeps)
		return make_placeholder(c, field, ref, text);
	return fxt_deviate(c->r, c->head, FXT_DEV_STRING_REF, true, field,
			   "string %" PRIu64 " was never registered", ref);
}

static inline int fxt_decode_string(struct cursor *c, const char *field, uint64_t ref,
				    struct fxt_text *text)
{
	const struct string_entry *e = ref & FXT_STRING_REF_INLINE ? NULL :
				       fxt_find_string(c->r, ref);

	if (!e)
		return decode_other_string(c, field, ref, text);
	*text = (struct fxt_text){ e->bytes, e->length, ref, e->known };
	return 0;
}

static int fxt_decode_thread(struct cursor *c, const char *field, uint64_t ref,
			     struct fxt_thread_id *id)
{
	const struct thread_entry *e = c->r->current->threads;

	id->ref = ref;
	if (ref == FXT_THREAD_REF_INLINE)
		return fxt_decode_word(c, "process id", &id->process) ?:
		       fxt_decode_word(c, "thread id", &id->thread);
	if (!e || !e[ref].registered)
		return fxt_deviate(c->r, c->head, FXT_DEV_THREAD_REF, true, field,
				   "thread %" PRIu64 " was never registered", ref);
	id->process = e[ref].process;
	id->thread = e[ref].thread;
	return 0;
}

/* Bits of an argument's header that its type does not use. */
static uint64_t reserved_of(unsigned int type)
{
	switch (type) {
	case FXT_ARG_INT32:
	case FXT_ARG_UINT32:
	case FXT_ARG_BLOB:
		return 0;
	case FXT_ARG_BOOL:
		return FXT_ARG_BOOL_RESERVED;
	case FXT_ARG_STRING:
		return FXT_ARG_STRING_RESERVED;
	default:
		return FXT_ARG_RESERVED;
	}
}

/* Types of up to 32 bits have their value in the header. */
static int decode_value(struct cursor *c, uint64_t header, struct fxt_arg *arg)
{
	uint64_t value = fxt_get(FXT_ARG_VALUE_32, header);
	int ret;

	switch (arg->type) {
	case FXT_ARG_NULL:
		return 0;
	case FXT_ARG_INT32:
		arg->i64 = (int32_t)value;
		return 0;
	case FXT_ARG_UINT32:
		arg->u64 = value;
		return 0;
	case FXT_ARG_BOOL:
		arg->u64 = fxt_get(FXT_ARG_VALUE_BOOL, header);
		return 0;
	case FXT_ARG_STRING:
		return fxt_decode_string(c, "argument value",
					 fxt_get(FXT_ARG_VALUE_STRING, header), &arg->text);
	case FXT_ARG_BLOB:
		arg->blob = (struct fxt_bytes){ NULL, value };
		ret = fxt_decode_stream(c, "argument payload", value, &arg->blob.data);
		if (!value)
			arg->blob.data = NULL;
		return ret;
	default:
		return fxt_decode_word(c, "argument value", &arg->u64);
	}
}

/* @c: the argument without its header, and nothing after it */
static int decode_known_arg(struct cursor *c, uint64_t header, struct fxt_arg *arg)
{
	return fxt_check_reserved(c, header, reserved_of(arg->type)) ?:
	       fxt_decode_string(c, "argument name", fxt_get(FXT_ARG_NAME, header), &arg->name) ?:
	       decode_value(c, header, arg) ?:
	       fxt_decode_extra(c, "argument size", &arg->extra);
}

/* Every word after the name belongs to the value. */
static int decode_undefined_arg(struct cursor *c, uint64_t header, struct fxt_arg *arg)
{
	int ret = fxt_decode_string(c, "argument name", fxt_get(FXT_ARG_NAME, header), &arg->name);

	arg->u64 = fxt_get(FXT_ARG_VALUE_32, header);
	arg->extra = (struct fxt_bytes){ c->words + c->at,
					 (uint64_t)(c->end - c->at) * FXT_WORD };
	return ret;
}

/*
 * Decode a number with a registered name, which most arguments are. Return: false if it is another
 * argument, or deviates.
 */
static inline bool decode_number(struct cursor *c, struct fxt_arg *arg)
{
	uint64_t header = from_archive(c->r, c->words[c->at]), value;
	uint32_t name = fxt_get(FXT_ARG_NAME, header), type = fxt_get(FXT_ARG_TYPE, header);
	const struct string_entry *e;
	bool is_short = type == FXT_ARG_INT32 || type == FXT_ARG_UINT32;

	if ((!is_short && (type < FXT_ARG_INT64 || type > FXT_ARG_KOID || type == FXT_ARG_STRING ||
			   header & FXT_ARG_RESERVED)) ||
	    fxt_get(FXT_ARG_SIZE, header) != 2U - is_short || c->end - c->at < 2U - is_short ||
	    name & FXT_STRING_REF_INLINE)
		return false;
	e = fxt_find_string(c->r, name);
	if (!e)
		return false;
	value = type == FXT_ARG_INT32 ? (uint64_t)(int32_t)fxt_get(FXT_ARG_VALUE_32, header) :
		is_short ? fxt_get(FXT_ARG_VALUE_32, header) :
		from_archive(c->r, c->words[c->at + 1]);
	*arg = (struct fxt_arg){
		.name = { e->bytes, e->length, name, e->known }, .type = type, .u64 = value,
	};
	c->at += 2U - is_short;
	return true;
}

static __attribute__((noinline)) int decode_arg(struct cursor *c, struct fxt_arg *arg)
{
	uint64_t header = 0;
	struct cursor in = *c;
	uint32_t size;
	int ret;

	in.head = cursor_offset(c);
	ret = fxt_decode_word(&in, "argument header", &header);
	if (ret)
		return ret;
	set_zero(arg, sizeof(*arg));
	arg->name.bytes = "";
	arg->type = fxt_get(FXT_ARG_TYPE, header);
	size = fxt_get(FXT_ARG_SIZE, header);
	if (!size || size > c->end - c->at)
		return fxt_deviate(c->r, in.head, FXT_DEV_ARGUMENT, true, "argument size",
				   "argument of %u words, but %u are left of the record",
				   size, c->end - c->at);
	in.end = c->at + size;
	c->at = in.end;
	if (arg->type <= FXT_ARG_BLOB)
		return decode_known_arg(&in, header, arg);
	return decode_undefined_arg(&in, header, arg);
}

static int fxt_decode_args(struct cursor *c, unsigned int count, struct fxt_content *to)
{
	int ret = 0;

	for (to->arg_count = 0; to->arg_count < count && !ret; to->arg_count++)
		ret = c->at < c->end && decode_number(c, &to->args[to->arg_count]) ?
		      0 : decode_arg(c, &to->args[to->arg_count]);
	return ret;
}

/* --- arguments of switches and wakeups -------------------------------------------------- */

static void switch_argument(struct fxt_switch *sw, const struct fxt_arg *arg)
{
	switch (arg->name.known) {
	case FXT_STR_OUTGOING_WEIGHT:
		sw->has_out_weight = arg->type == FXT_ARG_INT32;
		sw->out_weight = sw->has_out_weight ? arg->i64 : 0;
		sw->bad_weight |= !sw->has_out_weight;
		break;
	case FXT_STR_INCOMING_WEIGHT:
		sw->has_in_weight = arg->type == FXT_ARG_INT32;
		sw->in_weight = sw->has_in_weight ? arg->i64 : 0;
		sw->bad_weight |= !sw->has_in_weight;
		break;
	case FXT_STR_STATE:
		sw->letter = arg->type == FXT_ARG_STRING && arg->text.length == 1 ?
			     arg->text.bytes[0] : 0;
		break;
	case FXT_STR_UNKNOWN:
		sw->unknown = arg->type == FXT_ARG_STRING ? fxt_reason_of(arg->text.known) : 0;
		break;
	}
}

static void wakeup_argument(struct fxt_wakeup *w, const struct fxt_arg *arg)
{
	switch (arg->name.known) {
	case FXT_STR_WEIGHT:
		w->has_weight = arg->type == FXT_ARG_INT32;
		w->weight = w->has_weight ? arg->i64 : 0;
		w->bad_weight |= !w->has_weight;
		break;
	case FXT_STR_WAKER:
		w->has_waker = arg->type == FXT_ARG_KOID;
		w->waker = w->has_waker ? arg->u64 : 0;
		w->bad_waker |= !w->has_waker;
		break;
	case FXT_STR_UNKNOWN:
		w->unknown = arg->type == FXT_ARG_STRING ? fxt_reason_of(arg->text.known) : 0;
		break;
	case FXT_STR_IRQ:
		w->has_irq = arg->type == FXT_ARG_STRING;
		w->irq = w->has_irq ? fxt_irq_of(arg->text.known) : FXT_SCHED_IRQ_NONE;
		w->bad_irq |= !w->has_irq;
		break;
	case FXT_STR_INTERRUPTED:
		w->has_interrupted = arg->type == FXT_ARG_KOID;
		w->interrupted = w->has_interrupted ? arg->u64 : 0;
		w->bad_irq |= !w->has_interrupted;
		break;
	}
}

/* Set the fields of a switch or wakeup that come from arguments. */
static void fxt_sched_arguments(struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		if (c->kind == FXT_KIND_CONTEXT_SWITCH)
			switch_argument(&c->sw, &c->args[i]);
		else
			wakeup_argument(&c->wakeup, &c->args[i]);
	}
}

/* --- records ---------------------------------------------------------------------------- */

static int decode_metadata(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	uint64_t reserved = 0;

	to->provider_id = fxt_get(FXT_PROVIDER_ID, header);
	switch (to->kind) {
	case FXT_KIND_PROVIDER_INFO:
		return fxt_check_reserved(c, header, FXT_PROVIDER_INFO_RESERVED) ?:
		       fxt_decode_text(c, "provider name stream",
				       fxt_get(FXT_PROVIDER_NAME_LENGTH, header), &to->name);
	case FXT_KIND_PROVIDER_SECTION:
		reserved = FXT_PROVIDER_SECTION_RESERVED;
		break;
	case FXT_KIND_PROVIDER_EVENT:
		reserved = FXT_PROVIDER_EVENT_RESERVED;
		to->event = fxt_get(FXT_PROVIDER_EVENT_ID, header);
		if (to->event != FXT_PROVIDER_EVENT_BUFFER_FULL)
			fxt_note(c->r, c->head, FXT_DEV_VALUE, "event id",
				 "%u is not defined", to->event);
		break;
	default:
		to->provider_id = 0;
		/* Includes the size: only this record must not be extended. */
		if ((header & ~FXT_TRACE_INFO_RESERVED) != FXT_MAGIC_RECORD)
			return fxt_deviate(c->r, c->head, FXT_DEV_VALUE, false,
					   "magic number", "%#018" PRIx64 " is not the magic number record",
					   header);
		reserved = FXT_TRACE_INFO_RESERVED;
	}
	return fxt_check_reserved(c, header, reserved);
}

static int decode_initialization(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	return fxt_check_reserved(c, header, FXT_INITIALIZATION_RESERVED) ?:
	       fxt_decode_word(c, "tick multiplier", &to->ticks_per_second);
}

static int decode_string_record(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	to->index = fxt_get(FXT_STRING_INDEX, header);
	return fxt_check_reserved(c, header, FXT_STRING_RESERVED) ?:
	       fxt_decode_text(c, "string value stream", fxt_get(FXT_STRING_LENGTH, header),
			       &to->name);
}

static int decode_thread_record(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	to->index = fxt_get(FXT_THREAD_INDEX, header);
	return fxt_check_reserved(c, header, FXT_THREAD_RESERVED) ?:
	       fxt_decode_word(c, "process id", &to->thread.process) ?:
	       fxt_decode_word(c, "thread id", &to->thread.thread);
}

/* Every event type adds at most one word. */
static int decode_event(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	int ret;

	c->keeps = true;
	ret = fxt_decode_word(c, "timestamp", &to->time) ?:
	      fxt_decode_thread(c, "thread", fxt_get(FXT_EVENT_THREAD, header), &to->thread) ?:
	      fxt_decode_string(c, "category", fxt_get(FXT_EVENT_CATEGORY, header),
				&to->category) ?:
	      fxt_decode_string(c, "name", fxt_get(FXT_EVENT_NAME, header), &to->name) ?:
	      fxt_decode_args(c, fxt_get(FXT_EVENT_ARGS, header), to);
	if (ret)
		return ret;
	switch (to->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		return 0;
	case FXT_KIND_DURATION_COMPLETE:
		return fxt_decode_word(c, "end time", &to->end);
	case FXT_KIND_COUNTER:
		return fxt_decode_word(c, "counter id", &to->id);
	default:
		return fxt_decode_word(c, "correlation id", &to->id);
	}
}

static int decode_blob(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	int ret;

	to->blob_type = fxt_get(FXT_BLOB_TYPE, header);
	to->blob.bytes = fxt_get(FXT_BLOB_SIZE, header);
	to->blob_held = to->blob.bytes;
	ret = fxt_check_reserved(c, header, FXT_BLOB_RESERVED) ?:
	      fxt_decode_string(c, "blob name", fxt_get(FXT_BLOB_NAME, header), &to->name) ?:
	      fxt_decode_stream(c, "payload stream", to->blob.bytes, &to->blob.data);
	if (!to->blob.bytes)
		to->blob.data = NULL;
	if (ret || (to->blob_type >= FXT_BLOB_DATA && to->blob_type <= FXT_BLOB_PERFETTO))
		return ret;
	return fxt_note(c->r, c->head, FXT_DEV_VALUE, "blob type", "%u is not defined",
			to->blob_type);
}

/* Only the process of the thread ref counts. */
static int decode_userspace_object(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	uint64_t ref = fxt_get(FXT_USERSPACE_OBJECT_PROCESS, header);
	int ret = fxt_check_reserved(c, header, FXT_USERSPACE_OBJECT_RESERVED) ?:
		  fxt_decode_word(c, "pointer", &to->object);

	if (ret)
		return ret;
	if (ref == FXT_THREAD_REF_INLINE)
		ret = fxt_decode_word(c, "process id", &to->thread.process);
	else
		ret = fxt_decode_thread(c, "process", ref, &to->thread);
	return ret ?:
	       fxt_decode_string(c, "name", fxt_get(FXT_USERSPACE_OBJECT_NAME, header),
				 &to->name) ?:
	       fxt_decode_args(c, fxt_get(FXT_USERSPACE_OBJECT_ARGS, header), to);
}

/* Kernels accept any bytes in a name. */
static int decode_kernel_object(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	int ret;

	to->object_type = fxt_get(FXT_KERNEL_OBJECT_TYPE, header);
	c->any_bytes = true;
	ret = fxt_check_reserved(c, header, FXT_KERNEL_OBJECT_RESERVED) ?:
	      fxt_decode_word(c, "koid", &to->object) ?:
	      fxt_decode_string(c, "name", fxt_get(FXT_KERNEL_OBJECT_NAME, header), &to->name);
	c->any_bytes = false;
	return ret ?: fxt_decode_args(c, fxt_get(FXT_KERNEL_OBJECT_ARGS, header), to);
}

static int check_state(const struct cursor *c, unsigned int state, bool is_valid)
{
	if (is_valid)
		return 0;
	return fxt_deviate(c->r, c->head, FXT_DEV_VALUE, false, "outgoing thread state",
			   "%u is not a valid state of an outgoing thread", state);
}

static int decode_switch(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	struct fxt_switch *sw = &to->sw;
	int ret;

	sw->cpu = fxt_get(FXT_SWITCH_CPU, header);
	sw->state = fxt_get(FXT_SWITCH_STATE, header);
	ret = fxt_check_reserved(c, header, FXT_SWITCH_RESERVED) ?:
	      fxt_decode_word(c, "timestamp", &to->time) ?:
	      fxt_decode_word(c, "outgoing thread id", &sw->out) ?:
	      fxt_decode_word(c, "incoming thread id", &sw->in) ?:
	      fxt_decode_args(c, fxt_get(FXT_SWITCH_ARGS, header), to);
	sw->time = to->time;
	if (ret)
		return ret;
	fxt_sched_arguments(to);
	return check_state(c, sw->state, fxt_state_is_defined(sw->state, sw->unknown));
}

static int decode_wakeup(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	struct fxt_wakeup *w = &to->wakeup;
	int ret;

	w->cpu = fxt_get(FXT_WAKEUP_CPU, header);
	ret = fxt_check_reserved(c, header, FXT_WAKEUP_RESERVED) ?:
	      fxt_decode_word(c, "timestamp", &to->time) ?:
	      fxt_decode_word(c, "waking thread id", &w->thread) ?:
	      fxt_decode_args(c, fxt_get(FXT_WAKEUP_ARGS, header), to);
	w->time = to->time;
	if (ret)
		return ret;
	fxt_sched_arguments(to);
	return 0;
}

/* The format of 2017 had no priorities. */
static int decode_legacy(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	struct fxt_legacy_switch *l = &to->legacy;

	l->cpu = fxt_get(FXT_LEGACY_CPU, header);
	l->state = fxt_get(FXT_LEGACY_STATE, header);
	if (c->r->o.format_2017 &&
	    fxt_check_reserved(c, header, FXT_LEGACY_OUT_PRIORITY | FXT_LEGACY_IN_PRIORITY))
		return -EBADMSG;
	l->out_priority = fxt_get(FXT_LEGACY_OUT_PRIORITY, header);
	l->in_priority = fxt_get(FXT_LEGACY_IN_PRIORITY, header);
	return check_state(c, l->state, l->state <= FXT_THREAD_DEAD &&
				       l->state != FXT_THREAD_RUNNING) ?:
	       fxt_decode_word(c, "timestamp", &to->time) ?:
	       fxt_decode_thread(c, "outgoing thread", fxt_get(FXT_LEGACY_OUT_THREAD, header),
				 &l->out) ?:
	       fxt_decode_thread(c, "incoming thread", fxt_get(FXT_LEGACY_IN_THREAD, header),
				 &l->in);
}

static int decode_log(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	return fxt_check_reserved(c, header, FXT_LOG_RESERVED) ?:
	       fxt_decode_word(c, "timestamp", &to->time) ?:
	       fxt_decode_thread(c, "thread", fxt_get(FXT_LOG_THREAD, header), &to->thread) ?:
	       fxt_decode_text(c, "log message stream", fxt_get(FXT_LOG_LENGTH, header), &to->name);
}

static int decode_module(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	int ret;

	to->module_id = fxt_get(FXT_MODULE_ID, header);
	to->build_id.bytes = fxt_get(FXT_MODULE_BUILD_ID_LENGTH, header);
	ret = fxt_check_reserved(c, header, FXT_MODULE_RESERVED) ?:
	      fxt_decode_text(c, "module name stream",
			      fxt_get(FXT_MODULE_NAME_LENGTH, header), &to->name) ?:
	      fxt_decode_stream(c, "build id stream", to->build_id.bytes, &to->build_id.data);
	if (!to->build_id.bytes)
		to->build_id.data = NULL;
	return ret;
}

static int decode_mmap(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	to->module_id = fxt_get(FXT_MODULE_ID, header);
	to->flags = fxt_get(FXT_MMAP_FLAGS, header);
	return fxt_check_reserved(c, header, FXT_MMAP_RESERVED) ?:
	       fxt_decode_word(c, "start address", &to->start) ?:
	       fxt_decode_word(c, "address range", &to->range) ?:
	       fxt_decode_word(c, "vaddr", &to->vaddr);
}

static int decode_backtrace(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	unsigned int i;
	int ret = 0;

	to->frame_flags = fxt_get(FXT_BACKTRACE_FLAGS, header);
	if (to->frame_flags && to->frame_flags != FXT_SCHED_ASLEEP &&
	    !fxt_sched_sample_ns(to->frame_flags))
		fxt_note(c->r, c->head, FXT_DEV_RESERVED, "flags",
			 "%#" PRIx32 ", in bits that the format reserves", to->frame_flags);
	to->frame_count = fxt_get(FXT_BACKTRACE_FRAMES, header);
	for (i = 0; i < to->frame_count && !ret; i++)
		ret = fxt_decode_word(c, "backtrace data", &to->frames[i]);
	return ret;
}

static int decode_profiler(struct cursor *c, uint64_t header, struct fxt_content *to)
{
	int ret = fxt_decode_word(c, "timestamp", &to->time) ?:
		  fxt_decode_thread(c, "thread", fxt_get(FXT_PROFILER_THREAD, header), &to->thread);

	if (ret)
		return ret;
	switch (to->kind) {
	case FXT_KIND_MODULE:
		return decode_module(c, header, to);
	case FXT_KIND_MMAP:
		return decode_mmap(c, header, to);
	default:
		return decode_backtrace(c, header, to);
	}
}

/*
 * Take the part of a large blob's payload that is in the window, where @c ends. The record has
 * @size words.
 */
static int decode_payload(struct cursor *c, uint64_t size, struct fxt_content *to)
{
	struct fxt_reader *r = c->r;
	uint64_t bytes = 0, words, offset, held;
	int ret = fxt_decode_word(c, "blob size", &bytes);

	if (ret)
		return ret;
	offset = cursor_offset(c);
	words = bytes / FXT_WORD + !!(bytes % FXT_WORD);
	if (words > size - c->at)
		return fxt_deviate(r, offset - FXT_WORD, FXT_DEV_TOO_SHORT, true, "blob size",
				   "%" PRIu64 " bytes, but %" PRIu64 " words are left of %" PRIu64,
				   bytes, size - c->at, size);
	held = (uint64_t)(c->end - c->at) * FXT_WORD;
	to->blob.bytes = bytes;
	to->blob_held = bytes < held ? bytes : held;
	to->blob.data = bytes ? c->words + c->at : NULL;
	if (words < size - c->at) {
		to->extra.bytes = (size - c->at - words) * FXT_WORD;
		ret = fxt_note_trailing(r, offset + words * FXT_WORD, "record size",
					size - c->at - words);
	} else if (held < words * FXT_WORD && !r->quiet) {
		r->payload_pad = words * FXT_WORD - bytes;
	}
	if (held >= words * FXT_WORD && !ret)
		ret = fxt_check_padding(r, offset, "payload stream", c->words + c->at, bytes);
	r->payload_left = bytes - to->blob_held;
	c->at = c->end;
	return ret;
}

static int decode_large(struct cursor *c, uint64_t header, uint64_t size, struct fxt_content *to)
{
	bool bare = to->kind == FXT_KIND_LARGE_BLOB_BARE;
	uint64_t format = 0;
	int ret = fxt_check_reserved(c, header, FXT_LARGE_BLOB_RESERVED) ?:
		  fxt_decode_word(c, "format header", &format);

	c->head += FXT_WORD;
	ret = ret ?:
	      fxt_check_reserved(c, format, bare ? FXT_LARGE_NO_METADATA_RESERVED :
						   FXT_LARGE_METADATA_RESERVED) ?:
	      fxt_decode_string(c, "category", fxt_get(FXT_LARGE_CATEGORY, format),
				&to->category) ?:
	      fxt_decode_string(c, "name", fxt_get(FXT_LARGE_NAME, format), &to->name);
	if (!ret && !bare)
		ret = fxt_decode_word(c, "timestamp", &to->time) ?:
		      fxt_decode_thread(c, "thread", fxt_get(FXT_LARGE_THREAD, format),
					&to->thread) ?:
		      fxt_decode_args(c, fxt_get(FXT_LARGE_ARGS, format), to);
	return ret ?: decode_payload(c, size, to);
}

static int decode_fields(struct cursor *c, uint64_t header, const struct fxt_record *rec,
			 struct fxt_content *to)
{
	switch (to->kind) {
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_MAGIC:
		return decode_metadata(c, header, to);
	case FXT_KIND_INITIALIZATION:
		return decode_initialization(c, header, to);
	case FXT_KIND_STRING:
		return decode_string_record(c, header, to);
	case FXT_KIND_THREAD:
		return decode_thread_record(c, header, to);
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		return decode_event(c, header, to);
	case FXT_KIND_BLOB:
		return decode_blob(c, header, to);
	case FXT_KIND_USERSPACE_OBJECT:
		return decode_userspace_object(c, header, to);
	case FXT_KIND_KERNEL_OBJECT:
		return decode_kernel_object(c, header, to);
	case FXT_KIND_LEGACY_SWITCH:
		return decode_legacy(c, header, to);
	case FXT_KIND_CONTEXT_SWITCH:
		return decode_switch(c, header, to);
	case FXT_KIND_THREAD_WAKEUP:
		return decode_wakeup(c, header, to);
	case FXT_KIND_LOG:
		return decode_log(c, header, to);
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		return decode_profiler(c, header, to);
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return decode_large(c, header, rec->size, to);
	default:
		return -ENOTSUP;
	}
}

/* Clear everything before the arrays. Their counts limit which elements are valid. */
static void clear(struct fxt_content *c)
{
	set_zero(c, offsetof(struct fxt_content, args));
	c->category.bytes = "";
	c->name.bytes = "";
}

int fxt_reader_content(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_content *to)
{
	struct cursor c = {
		.r = r,
		.words = rec->words,
		.offset = rec->offset,
		.head = rec->offset,
		.at = 1,
		.end = rec->held,
	};
	int ret;

	clear(to);
	to->kind = rec->kind;
	fxt_look_at(r, rec);
	r->quiet = r->decoded;
	r->placeholder_count = 0;
	ret = decode_fields(&c, from_archive(r, rec->words[0]), rec, to) ?:
	      fxt_decode_extra(&c, "record size", &to->extra);
	/* A record that is decoded again must not be counted again. */
	if (!r->decoded && ret == -EBADMSG)
		fxt_count_skipped(r, rec->size * FXT_WORD);
	r->decoded = true;
	r->attention = true;
	r->quiet = false;
	return ret;
}

/* --- switches and wakeups alone --------------------------------------------------------- */

int fxt_reader_switch(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_switch *sw)
{
	int ret;

	if (fxt_fast_switch(r, rec, sw))
		return 0;
	ret = fxt_reader_content(r, rec, &r->scratch);
	*sw = r->scratch.sw;
	return ret;
}

int fxt_reader_wakeup(struct fxt_reader *r, const struct fxt_record *rec, struct fxt_wakeup *wk)
{
	int ret;

	if (fxt_fast_wakeup(r, rec, wk))
		return 0;
	ret = fxt_reader_content(r, rec, &r->scratch);
	*wk = r->scratch.wakeup;
	return ret;
}
