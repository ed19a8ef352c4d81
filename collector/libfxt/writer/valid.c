// SPDX-License-Identifier: GPL-2.0-or-later
/* valid.c - see valid.h. */
#include <fxt/fxt_unknown.h>

#include "libfxt/text.h"
#include "valid.h"

bool writer_text_is_valid(const char *bytes, size_t length)
{
	return fxt_utf8_valid(bytes, length) == length;
}

/* A string written only as an index is not checked: another record contains it. */
static bool string_is_valid(const struct fxt_writer *w, const struct fxt_text *text,
			    uint16_t ref)
{
	if (!w->intern && !(ref & FXT_STRING_REF_INLINE))
		return true;
	return writer_text_is_valid(text->bytes, text->length);
}

static bool args_are_valid(const struct fxt_writer *w, const struct fxt_content *c,
			   const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		const struct fxt_arg *arg = &c->args[i];

		if (!string_is_valid(w, &arg->name, refs->args[i].name))
			return false;
		if (arg->type == FXT_ARG_STRING &&
		    !string_is_valid(w, &arg->text, refs->args[i].value))
			return false;
	}
	return true;
}

static bool strings_are_valid(const struct fxt_writer *w, const struct fxt_content *c,
			      const struct writer_refs *refs)
{
	unsigned int parts = writer_parts(c->kind);

	if (parts & WRITER_CATEGORY && !string_is_valid(w, &c->category, refs->category))
		return false;
	if (parts & WRITER_NAME && c->kind != FXT_KIND_KERNEL_OBJECT &&
	    !string_is_valid(w, &c->name, refs->name))
		return false;
	return !(parts & WRITER_ARGS) || args_are_valid(w, c, refs);
}

/* The state of our extension requires the argument that gives the reason. */
static bool switch_is_valid(const struct fxt_content *c)
{
	unsigned int i;

	if (c->sw.state <= FXT_THREAD_DEAD)
		return true;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == FXT_STR_UNKNOWN ||
		    fxt_text_is(&c->args[i].name, "unknown"))
			return c->sw.state == FXT_SCHED_STATE_UNKNOWN;
	return false;
}

bool writer_is_valid(const struct fxt_writer *w, const struct fxt_content *c,
		     const struct writer_refs *refs)
{
	if (!strings_are_valid(w, c, refs))
		return false;
	switch (c->kind) {
	case FXT_KIND_INITIALIZATION:
		return c->ticks_per_second;
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_STRING:
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE:
		return writer_text_is_valid(c->name.bytes, c->name.length);
	case FXT_KIND_CONTEXT_SWITCH:
		return switch_is_valid(c);
	case FXT_KIND_LEGACY_SWITCH:
		return c->legacy.state <= FXT_THREAD_DEAD &&
		       c->legacy.state != FXT_THREAD_RUNNING;
	default:
		return true;
	}
}
