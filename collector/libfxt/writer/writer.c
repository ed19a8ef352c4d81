// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * writer.c - open and close a writer, set its modes, write records in bulk and payloads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "strings.h"

/* --- passes ----------------------------------------------------------------------------- */

/*
 * One pass over a record, which measures or writes it.
 *
 * Each record goes through the same code twice. The first pass measures it and finds
 * values that do not fit; the second pass writes it. So a refused record writes nothing.
 */

/** struct writer_pass - one pass over a record */
struct writer_pass {
	struct fxt_writer *w;		/* destination; NULL in the first pass */
	uint64_t words;			/* written, or counted in the first pass, so far */
	uint64_t size;			/* words of the record; unknown in the first pass */
};

static inline void pass_word(struct writer_pass *p, uint64_t word)
{
	p->words++;
	if (p->w)
		writer_word(p->w, word);
}

static inline void pass_stream(struct writer_pass *p, const void *data, size_t bytes)
{
	p->words += fxt_stream_words(bytes);
	if (p->w)
		writer_stream(p->w, data, bytes);
}

/* Pass a string if its ref says that it is inline. */
static inline void pass_text(struct writer_pass *p, const struct fxt_text *text,
			     uint16_t ref)
{
	if (ref & FXT_STRING_REF_INLINE)
		pass_stream(p, text->bytes, text->length);
}



/* --- arguments -------------------------------------------------------------------------- */

/*
 * Write the arguments of a record ("Argument types").
 *
 * In:  arguments as the reader returns them, and the refs of their strings.
 * Out: their words.
 *
 * No value is ever truncated: writer_args_fit() finds values that do not fit their type
 * before anything is written.
 */

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

/* Do all arguments fit the format? */
static bool writer_args_fit(const struct fxt_content *c, const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (!value_fits(&c->args[i]) ||
		    arg_words(&c->args[i], refs->args[i].name, refs->args[i].value) >
		    FXT_MAX_RECORD_WORDS)
			return false;
	return true;
}

/* An argument's header, which contains the value of types of up to 32 bits. */
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

/* Pass all arguments, which must fit. */
static void writer_put_args(struct writer_pass *p, const struct fxt_content *c,
			    const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		put_arg(p, &c->args[i], refs->args[i].name, refs->args[i].value);
}

/* --- fields ----------------------------------------------------------------------------- */

/*
 * Write the records of a recorder from their fields.
 *
 * In:  fields, and indices of strings that the caller has registered.
 * Out: one record for each call.
 *
 * Indices that were not registered are refused. A writer that interns refuses all
 * indices, because it chooses its own.
 */

/* May a record with the caller's indices begin here? */
static int ready_for_indices(const struct fxt_writer *w)
{
	int ret = writer_ready(w);

	return !ret && w->intern ? -EINVAL : ret;
}

int fxt_writer_magic(struct fxt_writer *w)
{
	int ret = writer_ready(w);

	return ret ? ret : writer_word(w, fxt_magic());
}

int fxt_writer_provider(struct fxt_writer *w, uint32_t id, const char *name)
{
	size_t bytes = strlen(name);
	int ret = writer_ready(w);

	if (!ret && (bytes > FXT_MAX_PROVIDER_NAME || !writer_text_is_valid(name, bytes)))
		ret = -EINVAL;
	if (ret)
		return ret;
	if (w->intern)
		writer_intern_provider(w->intern, id, true);
	writer_note_provider(w, true);
	writer_word(w, fxt_provider_info(id, bytes));
	return writer_stream(w, name, bytes);
}

int fxt_writer_provider_event(struct fxt_writer *w, uint32_t id)
{
	int ret = writer_ready(w);

	if (ret)
		return ret;
	return writer_word(w, fxt_provider_event(id, FXT_PROVIDER_EVENT_BUFFER_FULL));
}

int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second)
{
	int ret = writer_ready(w);

	if (!ret && !ticks_per_second)
		ret = -EINVAL;
	if (ret)
		return ret;
	writer_word(w, fxt_initialization());
	return writer_word(w, ticks_per_second);
}

int fxt_writer_string(struct fxt_writer *w, uint16_t index, const char *text)
{
	size_t bytes = strlen(text);
	int ret = ready_for_indices(w);

	if (ret)
		return ret;
	if (!index || index > FXT_MAX_STRING_INDEX || bytes > FXT_MAX_STRING ||
	    !writer_text_is_valid(text, bytes))
		return -EINVAL;
	writer_note_string(w, index);
	writer_word(w, fxt_string(index, bytes));
	return writer_stream(w, text, bytes);
}

int fxt_writer_register(struct fxt_writer *w, const char *text)
{
	struct fxt_text t = { .bytes = text, .length = strlen(text) };
	uint16_t ref;
	int ret = writer_ready(w);

	if (ret)
		return ret;
	if (!w->intern || !*text || strlen(text) > WRITER_INTERN_MAX_STRING ||
	    !writer_text_is_valid(text, strlen(text)))
		return -EINVAL;
	return writer_intern_string(w, &t, &ref);
}

static int write_blob(struct fxt_writer *w, uint16_t name, enum fxt_blob_type type,
		      const void *data, size_t bytes)
{
	int ret = ready_for_indices(w);

	if (ret)
		return ret;
	if (!writer_has_string(w, name) || bytes > FXT_MAX_STRING)
		return -EINVAL;
	writer_word(w, fxt_blob(1 + fxt_stream_words(bytes), name, bytes, type));
	return writer_stream(w, data, bytes);
}

int fxt_writer_blob(struct fxt_writer *w, uint16_t name, const void *data,
		    size_t bytes)
{
	return write_blob(w, name, FXT_BLOB_DATA, data, bytes);
}

int fxt_writer_perfetto(struct fxt_writer *w, uint16_t name, const void *data,
			size_t bytes)
{
	return write_blob(w, name, FXT_BLOB_PERFETTO, data, bytes);
}

/* Length of a name, truncated if necessary, but not within a character. */
static size_t name_bytes(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= FXT_MAX_STRING)
		return bytes;
	for (bytes = FXT_MAX_STRING; bytes && (name[bytes] & 0xc0) == 0x80; bytes--)
		;
	return bytes;
}

static int write_object(struct fxt_writer *w, enum fxt_object_type type,
			uint64_t koid, const char *name, unsigned int args,
			unsigned int arg_words)
{
	size_t bytes = name_bytes(name);
	uint64_t ref = bytes ? fxt_string_ref_inline(bytes) : FXT_STRING_REF_EMPTY;

	writer_word(w, fxt_kernel_object(2 + fxt_stream_words(bytes) + arg_words,
					 type, ref, args));
	writer_word(w, koid);
	return writer_stream(w, name, bytes);
}

int fxt_writer_process(struct fxt_writer *w, uint64_t koid, const char *name)
{
	int ret = writer_ready(w);

	return ret ? ret : write_object(w, FXT_OBJECT_PROCESS, koid, name, 0, 0);
}

int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name)
{
	int ret = ready_for_indices(w);

	if (!ret && !writer_has_string(w, process_ref))
		ret = -EINVAL;
	if (ret)
		return ret;
	write_object(w, FXT_OBJECT_THREAD, koid, name, 1, 2);
	writer_word(w, fxt_arg_koid(2, process_ref));
	return writer_word(w, process);
}

int fxt_writer_slice(struct fxt_writer *w, const struct fxt_slice *s)
{
	int ret = ready_for_indices(w);

	if (!ret && !(writer_has_string(w, s->category) && writer_has_string(w, s->name) &&
		      writer_has_string(w, s->arg_name)))
		ret = -EINVAL;
	if (ret)
		return ret;
	writer_word(w, fxt_event(6, FXT_EVENT_DURATION_COMPLETE, 1,
				 FXT_THREAD_REF_INLINE, s->category, s->name));
	writer_word(w, s->start);
	writer_word(w, s->process);
	writer_word(w, s->thread);
	writer_word(w, fxt_arg_uint32(1, s->arg_name, s->arg));
	return writer_word(w, s->end);
}

/* --- records ---------------------------------------------------------------------------- */

/*
 * Write any record from its content.
 *
 * In:  a record's content, from the reader or composed by the caller.
 * Out: the record's words.
 *
 * This must be the inverse of the reader, bit by bit. A record that does not fit the
 * format is refused before its first word is written.
 */

/* Bytes of a large record that contains nothing else. */
#define MAX_PAYLOAD	(UINT32_MAX * (uint64_t)FXT_WORD)

/*
 * Check values that could be too large for their fields. measure() finds values that need too many
 * words. These include the texts of string and log records, because a record's words reach their
 * limit before the field for the text's length does.
 */
static bool values_fit(const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
		return c->name.length <= FXT_MAX_PROVIDER_NAME;
	case FXT_KIND_PROVIDER_EVENT:
		return c->event <= fxt_get(FXT_PROVIDER_EVENT_ID, ~0ULL);
	case FXT_KIND_STRING:
		return c->index && c->index <= FXT_MAX_STRING_INDEX;
	case FXT_KIND_THREAD:
		return c->index && c->index <= FXT_MAX_THREAD_INDEX;
	case FXT_KIND_BLOB:
		return c->blob.bytes <= fxt_get(FXT_BLOB_SIZE, ~0ULL) &&
		       c->blob_held == c->blob.bytes;
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return c->blob.bytes <= MAX_PAYLOAD && c->blob_held <= c->blob.bytes;
	case FXT_KIND_LEGACY_SWITCH:
		return c->legacy.state <= fxt_get(FXT_LEGACY_STATE, ~0ULL);
	case FXT_KIND_CONTEXT_SWITCH:
		return c->sw.state <= fxt_get(FXT_SWITCH_STATE, ~0ULL);
	case FXT_KIND_MODULE:
		return c->name.length <= fxt_get(FXT_MODULE_NAME_LENGTH, ~0ULL) &&
		       c->build_id.bytes <= fxt_get(FXT_MODULE_BUILD_ID_LENGTH, ~0ULL);
	case FXT_KIND_MMAP:
		return c->flags <= fxt_get(FXT_MMAP_FLAGS, ~0ULL);
	default:
		return true;
	}
}

static void put_thread(struct writer_pass *p, const struct fxt_thread_id *id, uint8_t ref)
{
	if (ref != FXT_THREAD_REF_INLINE)
		return;
	pass_word(p, id->process);
	pass_word(p, id->thread);
}

/* Pass a header, for builders that do not account for words after the last field. */
static void pass_header(struct writer_pass *p, uint64_t header)
{
	pass_word(p, (header & ~FXT_SIZE) | fxt_put(FXT_SIZE, p->size));
}

/* "Metadata record", "Initialization record", "String record", "Thread record" */
static void put_metadata(struct writer_pass *p, const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_MAGIC:
		pass_word(p, fxt_magic());
		break;
	case FXT_KIND_PROVIDER_INFO:
		pass_header(p, fxt_provider_info(c->provider_id, c->name.length));
		pass_stream(p, c->name.bytes, c->name.length);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		pass_header(p, fxt_provider_section(c->provider_id));
		break;
	case FXT_KIND_PROVIDER_EVENT:
		pass_header(p, fxt_provider_event(c->provider_id, c->event));
		break;
	case FXT_KIND_INITIALIZATION:
		pass_header(p, fxt_initialization());
		pass_word(p, c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		pass_header(p, fxt_string(c->index, c->name.length));
		pass_stream(p, c->name.bytes, c->name.length);
		break;
	default:
		pass_header(p, fxt_thread(c->index));
		put_thread(p, &c->thread, FXT_THREAD_REF_INLINE);
		break;
	}
}

static enum fxt_event_type event_type(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_COUNTER:
		return FXT_EVENT_COUNTER;
	case FXT_KIND_DURATION_BEGIN:
		return FXT_EVENT_DURATION_BEGIN;
	case FXT_KIND_DURATION_END:
		return FXT_EVENT_DURATION_END;
	case FXT_KIND_DURATION_COMPLETE:
		return FXT_EVENT_DURATION_COMPLETE;
	case FXT_KIND_ASYNC_BEGIN:
		return FXT_EVENT_ASYNC_BEGIN;
	case FXT_KIND_ASYNC_INSTANT:
		return FXT_EVENT_ASYNC_INSTANT;
	case FXT_KIND_ASYNC_END:
		return FXT_EVENT_ASYNC_END;
	case FXT_KIND_FLOW_BEGIN:
		return FXT_EVENT_FLOW_BEGIN;
	case FXT_KIND_FLOW_STEP:
		return FXT_EVENT_FLOW_STEP;
	case FXT_KIND_FLOW_END:
		return FXT_EVENT_FLOW_END;
	default:
		return FXT_EVENT_INSTANT;
	}
}

static void put_event(struct writer_pass *p, const struct fxt_content *c,
		      const struct writer_refs *refs)
{
	pass_word(p, fxt_event(p->size, event_type(c->kind), c->arg_count,
			       refs->thread, refs->category, refs->name));
	pass_word(p, c->time);
	put_thread(p, &c->thread, refs->thread);
	pass_text(p, &c->category, refs->category);
	pass_text(p, &c->name, refs->name);
	writer_put_args(p, c, refs);
	switch (c->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	case FXT_KIND_DURATION_COMPLETE:
		pass_word(p, c->end);
		break;
	default:
		pass_word(p, c->id);
		break;
	}
}

static void put_blob(struct writer_pass *p, const struct fxt_content *c,
		     const struct writer_refs *refs)
{
	pass_word(p, fxt_blob(p->size, refs->name, c->blob.bytes, c->blob_type));
	pass_text(p, &c->name, refs->name);
	pass_stream(p, c->blob.data, c->blob.bytes);
}

static void put_object(struct writer_pass *p, const struct fxt_content *c,
		       const struct writer_refs *refs)
{
	if (c->kind == FXT_KIND_KERNEL_OBJECT)
		pass_word(p, fxt_kernel_object(p->size, c->object_type, refs->name,
					       c->arg_count));
	else
		pass_word(p, fxt_userspace_object(p->size, refs->thread, refs->name,
						  c->arg_count));
	pass_word(p, c->object);
	if (c->kind == FXT_KIND_USERSPACE_OBJECT &&
	    refs->thread == FXT_THREAD_REF_INLINE)
		pass_word(p, c->thread.process);
	pass_text(p, &c->name, refs->name);
	writer_put_args(p, c, refs);
}

static void put_scheduling(struct writer_pass *p, const struct fxt_content *c,
			   const struct writer_refs *refs)
{
	const struct fxt_legacy_switch *l = &c->legacy;

	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		pass_word(p, fxt_context_switch(p->size, c->arg_count, c->sw.cpu,
						c->sw.state));
		pass_word(p, c->time);
		pass_word(p, c->sw.out);
		pass_word(p, c->sw.in);
		writer_put_args(p, c, refs);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		pass_word(p, fxt_thread_wakeup(p->size, c->arg_count, c->wakeup.cpu));
		pass_word(p, c->time);
		pass_word(p, c->wakeup.thread);
		writer_put_args(p, c, refs);
		break;
	default:
		pass_word(p, fxt_legacy_switch(p->size, l->cpu, l->state, refs->out,
					       refs->in, l->out_priority,
					       l->in_priority));
		pass_word(p, c->time);
		put_thread(p, &l->out, refs->out);
		put_thread(p, &l->in, refs->in);
		break;
	}
}

static void put_log(struct writer_pass *p, const struct fxt_content *c,
		    const struct writer_refs *refs)
{
	pass_word(p, fxt_log(p->size, c->name.length, refs->thread));
	pass_word(p, c->time);
	put_thread(p, &c->thread, refs->thread);
	pass_stream(p, c->name.bytes, c->name.length);
}

static uint64_t profiler_header(const struct writer_pass *p,
				const struct fxt_content *c, uint8_t thread)
{
	switch (c->kind) {
	case FXT_KIND_MODULE:
		return fxt_profiler_module(p->size, thread, c->module_id,
					   c->name.length, c->build_id.bytes);
	case FXT_KIND_MMAP:
		return fxt_profiler_mmap(p->size, thread, c->module_id, c->flags);
	default:
		return fxt_profiler_backtrace(p->size, thread, c->frame_count) |
		       fxt_put(FXT_BACKTRACE_FLAGS, c->frame_flags);
	}
}

static void put_profiler(struct writer_pass *p, const struct fxt_content *c,
			 const struct writer_refs *refs)
{
	unsigned int i;

	pass_word(p, profiler_header(p, c, refs->thread));
	pass_word(p, c->time);
	put_thread(p, &c->thread, refs->thread);
	switch (c->kind) {
	case FXT_KIND_MODULE:
		pass_stream(p, c->name.bytes, c->name.length);
		pass_stream(p, c->build_id.data, c->build_id.bytes);
		break;
	case FXT_KIND_MMAP:
		pass_word(p, c->start);
		pass_word(p, c->range);
		pass_word(p, c->vaddr);
		break;
	default:
		for (i = 0; i < c->frame_count; i++)
			pass_word(p, c->frames[i]);
		break;
	}
}

/* Write everything except the payload. */
static void put_large_blob(struct writer_pass *p, const struct fxt_content *c,
			   const struct writer_refs *refs)
{
	bool bare = c->kind == FXT_KIND_LARGE_BLOB_BARE;

	pass_word(p, fxt_large_blob(p->size, bare ? FXT_LARGE_BLOB_NO_METADATA :
						    FXT_LARGE_BLOB_METADATA));
	if (bare)
		pass_word(p, fxt_large_blob_no_metadata(refs->category, refs->name));
	else
		pass_word(p, fxt_large_blob_metadata(refs->category, refs->name,
						     c->arg_count, refs->thread));
	pass_text(p, &c->category, refs->category);
	pass_text(p, &c->name, refs->name);
	if (!bare) {
		pass_word(p, c->time);
		put_thread(p, &c->thread, refs->thread);
		writer_put_args(p, c, refs);
	}
	pass_word(p, c->blob.bytes);
}

/* Pass all defined fields. Return: 0; -EINVAL for an undefined kind. */
static int put_fields(struct writer_pass *p, const struct fxt_content *c,
		      const struct writer_refs *refs)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_THREAD:
		put_metadata(p, c);
		return 0;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		put_event(p, c, refs);
		return 0;
	case FXT_KIND_BLOB:
		put_blob(p, c, refs);
		return 0;
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		put_object(p, c, refs);
		return 0;
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		put_scheduling(p, c, refs);
		return 0;
	case FXT_KIND_LOG:
		put_log(p, c, refs);
		return 0;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(p, c, refs);
		return 0;
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		put_large_blob(p, c, refs);
		return 0;
	default:
		return -EINVAL;
	}
}

static int put_record(struct writer_pass *p, const struct fxt_content *c,
		      const struct writer_refs *refs)
{
	int ret = put_fields(p, c, refs);

	if (!ret)
		pass_stream(p, c->extra.data, c->extra.bytes);
	return ret;
}

static bool is_large(enum fxt_kind kind)
{
	return kind == FXT_KIND_LARGE_BLOB || kind == FXT_KIND_LARGE_BLOB_BARE;
}

/*
 * May the record have undefined words? The writer cannot swap them, because it does not know which
 * of them are streams. After a payload and after the magic number the format does not allow any.
 */
static bool extra_fits(const struct fxt_writer *w, const struct fxt_content *c)
{
	unsigned int i, count = writer_parts(c->kind) & WRITER_ARGS ? c->arg_count : 0;
	uint64_t bytes = c->extra.bytes;

	if (bytes && (is_large(c->kind) || c->kind == FXT_KIND_MAGIC))
		return false;
	for (i = 0; i < count; i++)
		bytes |= c->args[i].extra.bytes;
	return !bytes || (!w->swapped && !(bytes % FXT_WORD));
}

/* Do the first pass, and set @size to the record's words. Return: 0 or -EINVAL. */
static int measure(const struct fxt_content *c, const struct writer_refs *refs,
		   uint64_t *size)
{
	struct writer_pass p = { 0 };
	int ret;

	if (!values_fit(c))
		return -EINVAL;
	if (writer_parts(c->kind) & WRITER_ARGS && !writer_args_fit(c, refs))
		return -EINVAL;
	ret = put_record(&p, c, refs);
	if (ret)
		return ret;
	*size = p.words;
	if (!is_large(c->kind))
		return *size <= FXT_MAX_RECORD_WORDS ? 0 : -EINVAL;
	*size += fxt_stream_words(c->blob.bytes);
	return *size <= UINT32_MAX ? 0 : -EINVAL;
}

/* Set the refs of a record that fits, or switch tables, before it is written. */
static int intern(struct fxt_writer *w, const struct fxt_content *c,
		  struct writer_refs *refs)
{
	if (c->kind == FXT_KIND_PROVIDER_INFO || c->kind == FXT_KIND_PROVIDER_SECTION) {
		writer_intern_provider(w->intern, c->provider_id,
				       c->kind == FXT_KIND_PROVIDER_INFO);
		return 0;
	}
	return writer_intern_refs(w, c, refs);
}

/* Keep track of the strings that a record registers, after it was written. */
static void note(struct fxt_writer *w, const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_STRING)
		writer_note_string(w, c->index);
	else if (c->kind == FXT_KIND_PROVIDER_INFO || c->kind == FXT_KIND_PROVIDER_SECTION)
		writer_note_provider(w, c->kind == FXT_KIND_PROVIDER_INFO);
}

int fxt_writer_record(struct fxt_writer *w, const struct fxt_content *c)
{
	struct writer_refs refs;
	struct writer_pass p = { .w = w };
	int ret = writer_ready(w);

	if (!ret)
		ret = writer_choose_refs(w, c, &refs);
	if (!ret && !extra_fits(w, c))
		ret = -EINVAL;
	if (!ret)
		ret = measure(c, &refs, &p.size);
	if (!ret && !writer_is_valid(w, c, &refs))
		ret = -EINVAL;
	if (ret)
		return ret;
	if (w->intern && (c->kind == FXT_KIND_STRING || c->kind == FXT_KIND_THREAD))
		return 0;
	if (w->intern)
		ret = intern(w, c, &refs);
	if (ret)
		return ret;
	put_record(&p, c, &refs);
	note(w, c);
	if (!is_large(c->kind))
		return w->error;
	w->missing = c->blob.bytes;
	w->padding = fxt_stream_words(c->blob.bytes) * FXT_WORD - c->blob.bytes;
	return fxt_writer_payload(w, c->blob.data, c->blob_held);
}

int fxt_writer_undefined(struct fxt_writer *w, const void *words, size_t bytes)
{
	uint64_t header, size;
	int ret = writer_ready(w);

	if (ret)
		return ret;
	if (w->swapped || bytes < FXT_WORD)
		return -EINVAL;
	memcpy(&header, words, sizeof(header));
	size = fxt_get(FXT_TYPE, header) == FXT_RECORD_LARGE ? fxt_get(FXT_LARGE_SIZE, header) :
							       fxt_get(FXT_SIZE, header);
	if (bytes % FXT_WORD || bytes / FXT_WORD != size)
		return -EINVAL;
	return writer_bytes(w, words, bytes);
}

/* --- writers ---------------------------------------------------------------------------- */

int fxt_writer_open(struct fxt_writer **w, int fd)
{
	*w = calloc(1, sizeof(**w));
	if (!*w)
		return -ENOMEM;
	(*w)->fd = fd;
	return 0;
}

int fxt_writer_open_sink(struct fxt_writer **w, fxt_writer_sink sink, void *arg)
{
	int ret = fxt_writer_open(w, -1);

	if (ret)
		return ret;
	(*w)->sink = sink;
	(*w)->sink_arg = arg;
	return 0;
}

int fxt_writer_swap(struct fxt_writer *w)
{
	if (w->bytes)
		return -EINVAL;
	w->swapped = true;
	return 0;
}

int fxt_writer_intern(struct fxt_writer *w)
{
	if (w->bytes || w->intern)
		return -EINVAL;
	return writer_intern_open(&w->intern);
}

int fxt_writer_cut(struct fxt_writer *w, uint64_t bytes)
{
	if (w->intern || bytes > w->bytes)
		return -EINVAL;
	w->bytes = bytes;
	w->used = 0;
	w->missing = 0;
	w->padding = 0;
	w->error = 0;
	return 0;
}

int fxt_writer_close(struct fxt_writer *w)
{
	int ret;

	if (!w)
		return 0;
	ret = fxt_writer_flush(w);
	if (!ret && w->missing)
		ret = -EINVAL;
	writer_intern_close(w->intern);
	free(w);
	return ret;
}

uint64_t fxt_writer_bytes(const struct fxt_writer *w)
{
	return w->bytes;
}

int fxt_writer_put(struct fxt_writer *w, const void *records, size_t bytes)
{
	int ret = writer_ready(w);

	if (ret)
		return ret;
	if (w->swapped || w->intern)
		return -EINVAL;
	return writer_bytes(w, records, bytes);
}

int fxt_writer_payload(struct fxt_writer *w, const void *data, uint64_t bytes)
{
	if (w->error)
		return w->error;
	if (bytes > w->missing)
		return -EINVAL;
	w->missing -= bytes;
	writer_bytes(w, data, bytes);
	if (w->missing)
		return w->error;
	bytes = w->padding;
	w->padding = 0;
	return writer_zeros(w, bytes);
}
