// SPDX-License-Identifier: GPL-2.0-or-later
/* args.c - see args.h. */
#include <string.h>

#include "args.h"

/*
 * Words of one argument, including its header. An argument's size has 12 bits, like that
 * of ordinary records. In a large record, this is its only limit.
 */
static uint64_t arg_words(const struct fxt_arg *arg, uint16_t name, uint16_t value)
{
	uint64_t words = 1 + arg->extra.bytes / FXT_WORD;

	if (name & FXT_STRING_REF_INLINE)
		words += fxt_stream_words(arg->name.length);
	switch (arg->type) {
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		return words + 1;
	case FXT_ARG_STRING:
		if (value & FXT_STRING_REF_INLINE)
			words += fxt_stream_words(arg->text.length);
		return words;
	case FXT_ARG_BLOB:
		return words + fxt_stream_words(arg->blob.bytes);
	}
	return words;
}

static bool value_fits(const struct fxt_arg *arg)
{
	if (arg->extra.bytes % FXT_WORD)
		return false;
	switch (arg->type) {
	case FXT_ARG_NULL:
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_STRING:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		return true;
	case FXT_ARG_INT32:
		return arg->i64 >= INT32_MIN && arg->i64 <= INT32_MAX;
	case FXT_ARG_UINT32:
		return arg->u64 <= UINT32_MAX;
	case FXT_ARG_BOOL:
		return arg->u64 <= 1;
	case FXT_ARG_BLOB:
		return arg->blob.bytes <= FXT_MAX_RECORD_WORDS * FXT_WORD;
	}
	return arg->type <= fxt_get(FXT_ARG_TYPE, ~0ULL) && arg->u64 <= UINT32_MAX;
}

bool writer_args_fit(const struct fxt_content *c, const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (!value_fits(&c->args[i]) ||
		    arg_words(&c->args[i], refs->args[i].name, refs->args[i].value) >
		    FXT_MAX_RECORD_WORDS)
			return false;
	return true;
}

/* The header; for some types it holds the whole value. */
static uint64_t arg_header(const struct fxt_arg *arg, uint16_t name, uint16_t value)
{
	uint64_t words = arg_words(arg, name, value);

	switch (arg->type) {
	case FXT_ARG_INT32:
		return fxt_arg_int32(words, name, arg->i64);
	case FXT_ARG_UINT32:
		return fxt_arg_uint32(words, name, arg->u64);
	case FXT_ARG_STRING:
		return fxt_arg_string(words, name, value);
	case FXT_ARG_BOOL:
		return fxt_arg_bool(words, name, arg->u64);
	case FXT_ARG_BLOB:
		return fxt_arg_blob(words, name, arg->blob.bytes);
	}
	if (arg->type > FXT_ARG_BLOB)
		return fxt_arg_header(arg->type, words, name) |
		       fxt_put(FXT_ARG_VALUE_32, arg->u64);
	return fxt_arg_header(arg->type, words, name);
}

static void put_arg(struct writer_pass *p, const struct fxt_arg *arg,
		    uint16_t name, uint16_t value)
{
	uint64_t bits;

	pass_word(p, arg_header(arg, name, value));
	pass_text(p, &arg->name, name);
	switch (arg->type) {
	case FXT_ARG_INT64:
		pass_word(p, (uint64_t)arg->i64);
		break;
	case FXT_ARG_UINT64:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		pass_word(p, arg->u64);
		break;
	case FXT_ARG_DOUBLE:
		memcpy(&bits, &arg->f64, sizeof(bits));
		pass_word(p, bits);
		break;
	case FXT_ARG_STRING:
		pass_text(p, &arg->text, value);
		break;
	case FXT_ARG_BLOB:
		pass_stream(p, arg->blob.data, arg->blob.bytes);
		break;
	}
	pass_stream(p, arg->extra.data, arg->extra.bytes);
}

void writer_put_args(struct writer_pass *p, const struct fxt_content *c,
		     const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		put_arg(p, &c->args[i], refs->args[i].name, refs->args[i].value);
}
