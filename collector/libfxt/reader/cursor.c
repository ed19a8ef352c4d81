// SPDX-License-Identifier: GPL-2.0-or-later
/* cursor.c - see cursor.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libfxt/text.h"
#include "cursor.h"
#include "deviation.h"
#include "tables.h"

int fxt_check_reserved(const struct cursor *c, uint64_t word, uint64_t mask)
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

int fxt_take_extra(struct cursor *c, const char *field, struct fxt_bytes *extra)
{
	uint64_t offset = cursor_offset(c);
	uint32_t words = c->end - c->at;

	if (!words)
		return 0;
	*extra = (struct fxt_bytes){ c->words + c->at, (uint64_t)words * FXT_WORD };
	c->at = c->end;
	return fxt_note_trailing(c->r, offset, field, words);
}

int fxt_take_word(struct cursor *c, const char *field, uint64_t *word)
{
	if (c->at >= c->end)
		return fxt_deviate(c->r, cursor_offset(c), FXT_DEV_TOO_SHORT, true, field,
				   "missing: the record has only %u words", c->end);
	*word = from_archive(c->r, c->words[c->at++]);
	return 0;
}

int fxt_take_stream(struct cursor *c, const char *field, uint64_t bytes,
		    const void **data)
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

int fxt_take_text(struct cursor *c, const char *field, uint64_t bytes,
		  struct fxt_text *text)
{
	uint64_t offset = cursor_offset(c), valid;
	const void *data = "";
	int ret = fxt_take_stream(c, field, bytes, &data);

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

/* Lets the decoder continue with the rest of the record. */
static int take_placeholder(struct cursor *c, const char *field, uint64_t ref,
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

int fxt_take_string(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_text *text)
{
	const struct string_entry *e;
	int ret;

	if (ref & FXT_STRING_REF_INLINE) {
		ret = fxt_take_text(c, field, fxt_get(FXT_STRING_REF_LENGTH, ref), text);
		text->ref = ref;
		return ret;
	}
	*text = (struct fxt_text){ .bytes = "" };
	if (ref == FXT_STRING_REF_EMPTY)
		return 0;
	e = fxt_find_string(c->r, ref);
	if (!e && c->keeps)
		return take_placeholder(c, field, ref, text);
	if (!e)
		return fxt_deviate(c->r, c->head, FXT_DEV_STRING_REF, true, field,
				   "string %" PRIu64 " was never registered", ref);
	*text = (struct fxt_text){ e->bytes, e->length, ref, e->known };
	return 0;
}

int fxt_take_thread(struct cursor *c, const char *field, uint64_t ref,
		    struct fxt_thread_id *id)
{
	const struct thread_entry *e = c->r->current->threads;

	id->ref = ref;
	if (ref == FXT_THREAD_REF_INLINE)
		return fxt_take_word(c, "process id", &id->process) ?:
		       fxt_take_word(c, "thread id", &id->thread);
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
static int take_value(struct cursor *c, uint64_t header, struct fxt_arg *arg)
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
		return fxt_take_string(c, "argument value",
				       fxt_get(FXT_ARG_VALUE_STRING, header), &arg->text);
	case FXT_ARG_BLOB:
		arg->blob = (struct fxt_bytes){ NULL, value };
		ret = fxt_take_stream(c, "argument payload", value, &arg->blob.data);
		if (!value)
			arg->blob.data = NULL;
		return ret;
	default:
		return fxt_take_word(c, "argument value", &arg->u64);
	}
}

/* @c: ends with the argument, stands after its header. */
static int take_known_arg(struct cursor *c, uint64_t header, struct fxt_arg *arg)
{
	return fxt_check_reserved(c, header, reserved_of(arg->type)) ?:
	       fxt_take_string(c, "argument name", fxt_get(FXT_ARG_NAME, header),
			       &arg->name) ?:
	       take_value(c, header, arg) ?:
	       fxt_take_extra(c, "argument size", &arg->extra);
}

/* The same for an undefined type: every word after the name belongs to the value. */
static int take_undefined_arg(struct cursor *c, uint64_t header, struct fxt_arg *arg)
{
	int ret = fxt_take_string(c, "argument name", fxt_get(FXT_ARG_NAME, header),
				  &arg->name);

	arg->u64 = fxt_get(FXT_ARG_VALUE_32, header);
	arg->extra = (struct fxt_bytes){ c->words + c->at,
					 (uint64_t)(c->end - c->at) * FXT_WORD };
	return ret;
}

static int take_arg(struct cursor *c, struct fxt_arg *arg)
{
	uint64_t header = 0;
	struct cursor in = *c;
	uint32_t size;
	int ret;

	in.head = cursor_offset(c);
	ret = fxt_take_word(&in, "argument header", &header);
	if (ret)
		return ret;
	*arg = (struct fxt_arg){ .name.bytes = "", .type = fxt_get(FXT_ARG_TYPE, header) };
	size = fxt_get(FXT_ARG_SIZE, header);
	if (!size || size > c->end - c->at)
		return fxt_deviate(c->r, in.head, FXT_DEV_ARGUMENT, true, "argument size",
				   "argument of %u words, but %u are left of the record",
				   size, c->end - c->at);
	in.end = c->at + size;
	c->at = in.end;
	if (arg->type <= FXT_ARG_BLOB)
		return take_known_arg(&in, header, arg);
	return take_undefined_arg(&in, header, arg);
}

int fxt_take_args(struct cursor *c, unsigned int count, struct fxt_content *to)
{
	int ret = 0;

	for (to->arg_count = 0; to->arg_count < count && !ret; to->arg_count++)
		ret = take_arg(c, &to->args[to->arg_count]);
	return ret;
}
