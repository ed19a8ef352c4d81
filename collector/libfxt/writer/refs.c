// SPDX-License-Identifier: GPL-2.0-or-later
/* refs.c - see refs.h. */
#include <errno.h>

#include "libfxt/text.h"
#include "intern.h"
#include "refs.h"

/* Placeholder for an index that is not known yet. */
#define SOME_INDEX	1

unsigned int writer_parts(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
	case FXT_KIND_LARGE_BLOB:
		return WRITER_CATEGORY | WRITER_NAME | WRITER_THREAD | WRITER_ARGS;
	case FXT_KIND_LARGE_BLOB_BARE:
		return WRITER_CATEGORY | WRITER_NAME;
	case FXT_KIND_BLOB:
		return WRITER_NAME;
	case FXT_KIND_USERSPACE_OBJECT:
		return WRITER_NAME | WRITER_PROCESS | WRITER_ARGS;
	case FXT_KIND_KERNEL_OBJECT:
		return WRITER_NAME | WRITER_ARGS;
	case FXT_KIND_LEGACY_SWITCH:
		return WRITER_TWO_THREADS;
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_THREAD_WAKEUP:
		return WRITER_ARGS;
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
	case FXT_KIND_BACKTRACE:
		return WRITER_THREAD;
	default:
		return 0;
	}
}

/* --- the first step --------------------------------------------------------------- */

static bool choose_string(const struct fxt_writer *w, const struct fxt_text *text,
			  uint16_t *ref)
{
	bool is_inline = text->ref ? text->ref & FXT_STRING_REF_INLINE : text->length;

	*ref = text->ref;
	if (w->intern) {
		*ref = text->length ? SOME_INDEX : FXT_STRING_REF_EMPTY;
		is_inline = text->length > WRITER_INTERN_MAX_STRING;
	}
	if (!is_inline)
		return true;
	*ref = fxt_string_ref_inline(text->length);
	return text->length <= FXT_MAX_STRING_FIELD;
}

static uint8_t choose_thread(const struct fxt_writer *w, const struct fxt_thread_id *id)
{
	return w->intern ? SOME_INDEX : id->ref;
}

int writer_choose_refs(const struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs)
{
	unsigned int parts = writer_parts(c->kind), count, i;
	bool fits = true;

	*refs = (struct writer_refs){ 0 };
	if (parts & WRITER_CATEGORY)
		fits &= choose_string(w, &c->category, &refs->category);
	if (parts & WRITER_NAME)
		fits &= choose_string(w, &c->name, &refs->name);
	/* Only these names may be invalid UTF-8, which a string record must not contain. */
	if (w->intern && c->kind == FXT_KIND_KERNEL_OBJECT &&
	    fxt_utf8_valid(c->name.bytes, c->name.length) < c->name.length)
		refs->name = fxt_string_ref_inline(c->name.length);
	if (parts & WRITER_THREAD)
		refs->thread = choose_thread(w, &c->thread);
	/* A thread record needs a thread id, but these records have only a process. */
	if (parts & WRITER_PROCESS)
		refs->thread = w->intern ? FXT_THREAD_REF_INLINE : c->thread.ref;
	if (parts & WRITER_TWO_THREADS) {
		refs->out = choose_thread(w, &c->legacy.out);
		refs->in = choose_thread(w, &c->legacy.in);
	}
	count = parts & WRITER_ARGS ? c->arg_count : 0;
	if (count > FXT_MAX_ARGS)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		fits &= choose_string(w, &c->args[i].name, &refs->args[i].name);
		if (c->args[i].type == FXT_ARG_STRING)
			fits &= choose_string(w, &c->args[i].text, &refs->args[i].value);
	}
	return fits ? 0 : -EINVAL;
}

/* --- the second step -------------------------------------------------------------- */

static int intern_string(struct fxt_writer *w, const struct fxt_text *text, uint16_t *ref)
{
	return *ref == SOME_INDEX ? writer_intern_string(w, text, ref) : 0;
}

static int intern_args(struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->arg_count && !ret; i++) {
		ret = intern_string(w, &c->args[i].name, &refs->args[i].name);
		if (!ret)
			ret = intern_string(w, &c->args[i].text, &refs->args[i].value);
	}
	return ret;
}

int writer_intern_refs(struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs)
{
	int ret = intern_string(w, &c->category, &refs->category);

	if (!ret)
		ret = intern_string(w, &c->name, &refs->name);
	if (!ret && refs->thread)
		ret = writer_intern_thread(w, &c->thread, &refs->thread);
	if (!ret && refs->out)
		ret = writer_intern_thread(w, &c->legacy.out, &refs->out);
	if (!ret && refs->in)
		ret = writer_intern_thread(w, &c->legacy.in, &refs->in);
	if (!ret && writer_parts(c->kind) & WRITER_ARGS)
		ret = intern_args(w, c, refs);
	return ret;
}
