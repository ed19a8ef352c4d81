// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * writer.c - opens and closes a writer, sets its modes, writes records, finished ones in bulk, and
 * payloads.
 *
 * Writing is the inverse of reading, bit by bit. A record is built in the writer first, so that
 * nothing is written of one that does not fit the format.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/text.h"
#include "buffer.h"
#include "strings.h"

/* --- the record that is built ----------------------------------------------------------- */

static void put_word(struct fxt_writer *w, uint64_t word)
{
	if (w->record_words < WRITER_RECORD_WORDS)
		w->record[w->record_words] = writer_swapped(w, word);
	w->record_words++;
}

static void put_stream(struct fxt_writer *w, const void *data, uint64_t bytes)
{
	uint64_t words = fxt_stream_words(bytes), at = w->record_words;

	w->record_words += words;
	if (!words || w->record_words > WRITER_RECORD_WORDS)
		return;
	w->record[at + words - 1] = 0;
	memcpy(&w->record[at], data, bytes);
}

/* Put a string if its ref says that it is inline. */
static void put_text(struct fxt_writer *w, const struct fxt_text *text, uint16_t ref)
{
	if (ref & FXT_STRING_REF_INLINE)
		put_stream(w, text->bytes, text->length);
}

static void put_thread(struct fxt_writer *w, const struct fxt_thread_id *id, uint8_t ref)
{
	if (ref != FXT_THREAD_REF_INLINE)
		return;
	put_word(w, id->process);
	put_word(w, id->thread);
}

/* Set the size in a header that was put without it. */
static void set_size(struct fxt_writer *w, uint64_t at, uint64_t field, uint64_t words)
{
	uint64_t header = writer_swapped(w, w->record[at]);

	w->record[at] = writer_swapped(w, (header & ~field) | fxt_put(field, words));
}

/* --- arguments -------------------------------------------------------------------------- */

/* No value is ever truncated. */
static bool value_fits(const struct fxt_arg *arg)
{
	if (arg->extra.bytes % FXT_WORD)
		return false;
	switch (arg->type) {
	case FXT_ARG_INT32:
		return arg->i64 >= INT32_MIN && arg->i64 <= INT32_MAX;
	case FXT_ARG_UINT32:
		return arg->u64 <= UINT32_MAX;
	case FXT_ARG_BOOL:
		return arg->u64 <= 1;
	case FXT_ARG_BLOB:
		return arg->blob.bytes <= FXT_MAX_RECORD_WORDS * FXT_WORD;
	default:
		return arg->type <= FXT_ARG_BLOB ||
		       (arg->type <= fxt_get(FXT_ARG_TYPE, ~0ULL) && arg->u64 <= UINT32_MAX);
	}
}

/* An argument's header without its size, with the value of types of up to 32 bits. */
static uint64_t arg_header(const struct fxt_arg *arg, uint16_t name, uint16_t value)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		return fxt_arg_int32(0, name, arg->i64);
	case FXT_ARG_UINT32:
		return fxt_arg_uint32(0, name, arg->u64);
	case FXT_ARG_STRING:
		return fxt_arg_string(0, name, value);
	case FXT_ARG_BOOL:
		return fxt_arg_bool(0, name, arg->u64);
	case FXT_ARG_BLOB:
		return fxt_arg_blob(0, name, arg->blob.bytes);
	default:
		return fxt_arg_header(arg->type, 0, name) |
		       (arg->type > FXT_ARG_BLOB ? fxt_put(FXT_ARG_VALUE_32, arg->u64) : 0);
	}
}

/* An argument's size has 12 bits, like that of ordinary records. Return: does it fit? */
static bool put_arg(struct fxt_writer *w, const struct fxt_arg *arg, uint16_t name, uint16_t value)
{
	uint64_t at = w->record_words, words;

	put_word(w, arg_header(arg, name, value));
	put_text(w, &arg->name, name);
	switch (arg->type) {
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		put_word(w, arg->u64);
		break;
	case FXT_ARG_STRING:
		put_text(w, &arg->text, value);
		break;
	case FXT_ARG_BLOB:
		put_stream(w, arg->blob.data, arg->blob.bytes);
		break;
	}
	put_stream(w, arg->extra.data, arg->extra.bytes);
	words = w->record_words - at;
	if (words > FXT_MAX_RECORD_WORDS)
		return false;
	set_size(w, at, FXT_ARG_SIZE, words);
	return true;
}

/* Return: 0, or -EINVAL if one does not fit the format. */
static int put_args(struct fxt_writer *w, const struct fxt_content *c,
		    const struct writer_refs *refs)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (!value_fits(&c->args[i]) ||
		    !put_arg(w, &c->args[i], refs->args[i].name, refs->args[i].value))
			return -EINVAL;
	return 0;
}

/* --- the fields of each kind ------------------------------------------------------------ */

/* Bytes of a large record that contains nothing else. */
#define MAX_PAYLOAD	(UINT32_MAX * (uint64_t)FXT_WORD)

/*
 * Values that could be too large for their fields. Texts of string and log records could not,
 * because a record's words reach their limit before the field for the length does.
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

static void put_metadata(struct fxt_writer *w, const struct fxt_content *c)
{
	switch (c->kind) {
	case FXT_KIND_MAGIC:
		put_word(w, fxt_magic());
		break;
	case FXT_KIND_PROVIDER_INFO:
		put_word(w, fxt_provider_info(c->provider_id, c->name.length));
		put_stream(w, c->name.bytes, c->name.length);
		break;
	case FXT_KIND_PROVIDER_SECTION:
		put_word(w, fxt_provider_section(c->provider_id));
		break;
	case FXT_KIND_PROVIDER_EVENT:
		put_word(w, fxt_provider_event(c->provider_id, c->event));
		break;
	case FXT_KIND_INITIALIZATION:
		put_word(w, fxt_initialization());
		put_word(w, c->ticks_per_second);
		break;
	case FXT_KIND_STRING:
		put_word(w, fxt_string(c->index, c->name.length));
		put_stream(w, c->name.bytes, c->name.length);
		break;
	default:
		put_word(w, fxt_thread(c->index));
		put_thread(w, &c->thread, FXT_THREAD_REF_INLINE);
		break;
	}
}

static int put_event(struct fxt_writer *w, const struct fxt_content *c,
		     const struct writer_refs *refs)
{
	static const uint8_t types[] = {
		[FXT_KIND_INSTANT] = FXT_EVENT_INSTANT,
		[FXT_KIND_COUNTER] = FXT_EVENT_COUNTER,
		[FXT_KIND_DURATION_BEGIN] = FXT_EVENT_DURATION_BEGIN,
		[FXT_KIND_DURATION_END] = FXT_EVENT_DURATION_END,
		[FXT_KIND_DURATION_COMPLETE] = FXT_EVENT_DURATION_COMPLETE,
		[FXT_KIND_ASYNC_BEGIN] = FXT_EVENT_ASYNC_BEGIN,
		[FXT_KIND_ASYNC_INSTANT] = FXT_EVENT_ASYNC_INSTANT,
		[FXT_KIND_ASYNC_END] = FXT_EVENT_ASYNC_END,
		[FXT_KIND_FLOW_BEGIN] = FXT_EVENT_FLOW_BEGIN,
		[FXT_KIND_FLOW_STEP] = FXT_EVENT_FLOW_STEP,
		[FXT_KIND_FLOW_END] = FXT_EVENT_FLOW_END,
	};
	int ret;

	put_word(w, fxt_event(0, types[c->kind], c->arg_count, refs->thread, refs->category,
			      refs->name));
	put_word(w, c->time);
	put_thread(w, &c->thread, refs->thread);
	put_text(w, &c->category, refs->category);
	put_text(w, &c->name, refs->name);
	ret = put_args(w, c, refs);
	switch (c->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		break;
	case FXT_KIND_DURATION_COMPLETE:
		put_word(w, c->end);
		break;
	default:
		put_word(w, c->id);
		break;
	}
	return ret;
}

static int put_object(struct fxt_writer *w, const struct fxt_content *c,
		      const struct writer_refs *refs)
{
	bool is_kernel = c->kind == FXT_KIND_KERNEL_OBJECT;

	put_word(w, is_kernel ? fxt_kernel_object(0, c->object_type, refs->name, c->arg_count) :
		 fxt_userspace_object(0, refs->thread, refs->name, c->arg_count));
	put_word(w, c->object);
	if (!is_kernel && refs->thread == FXT_THREAD_REF_INLINE)
		put_word(w, c->thread.process);
	put_text(w, &c->name, refs->name);
	return put_args(w, c, refs);
}

static int put_scheduling(struct fxt_writer *w, const struct fxt_content *c,
			  const struct writer_refs *refs)
{
	const struct fxt_legacy_switch *l = &c->legacy;

	switch (c->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		put_word(w, fxt_context_switch(0, c->arg_count, c->sw.cpu, c->sw.state));
		put_word(w, c->time);
		put_word(w, c->sw.out);
		put_word(w, c->sw.in);
		return put_args(w, c, refs);
	case FXT_KIND_THREAD_WAKEUP:
		put_word(w, fxt_thread_wakeup(0, c->arg_count, c->wakeup.cpu));
		put_word(w, c->time);
		put_word(w, c->wakeup.thread);
		return put_args(w, c, refs);
	default:
		put_word(w, fxt_legacy_switch(0, l->cpu, l->state, refs->out, refs->in,
					      l->out_priority, l->in_priority));
		put_word(w, c->time);
		put_thread(w, &l->out, refs->out);
		put_thread(w, &l->in, refs->in);
		return 0;
	}
}

static uint64_t profiler_header(const struct fxt_content *c, uint8_t thread)
{
	switch (c->kind) {
	case FXT_KIND_MODULE:
		return fxt_profiler_module(0, thread, c->module_id, c->name.length,
					   c->build_id.bytes);
	case FXT_KIND_MMAP:
		return fxt_profiler_mmap(0, thread, c->module_id, c->flags);
	default:
		return fxt_profiler_backtrace(0, thread, c->frame_count) |
		       fxt_put(FXT_BACKTRACE_FLAGS, c->frame_flags);
	}
}

static void put_profiler(struct fxt_writer *w, const struct fxt_content *c,
			 const struct writer_refs *refs)
{
	unsigned int i;

	put_word(w, profiler_header(c, refs->thread));
	put_word(w, c->time);
	put_thread(w, &c->thread, refs->thread);
	switch (c->kind) {
	case FXT_KIND_MODULE:
		put_stream(w, c->name.bytes, c->name.length);
		put_stream(w, c->build_id.data, c->build_id.bytes);
		break;
	case FXT_KIND_MMAP:
		put_word(w, c->start);
		put_word(w, c->range);
		put_word(w, c->vaddr);
		break;
	default:
		for (i = 0; i < c->frame_count; i++)
			put_word(w, c->frames[i]);
		break;
	}
}

/* Put everything except the payload. */
static int put_large_blob(struct fxt_writer *w, const struct fxt_content *c,
			  const struct writer_refs *refs)
{
	bool bare = c->kind == FXT_KIND_LARGE_BLOB_BARE;
	int ret = 0;

	put_word(w, fxt_large_blob(0, bare ? FXT_LARGE_BLOB_NO_METADATA : FXT_LARGE_BLOB_METADATA));
	put_word(w, bare ? fxt_large_blob_no_metadata(refs->category, refs->name) :
			   fxt_large_blob_metadata(refs->category, refs->name, c->arg_count,
						   refs->thread));
	put_text(w, &c->category, refs->category);
	put_text(w, &c->name, refs->name);
	if (!bare) {
		put_word(w, c->time);
		put_thread(w, &c->thread, refs->thread);
		ret = put_args(w, c, refs);
	}
	put_word(w, c->blob.bytes);
	return ret;
}

/* Put all defined fields. Return: 0; -EINVAL for an undefined kind, or one that does not fit. */
static int put_fields(struct fxt_writer *w, const struct fxt_content *c,
		      const struct writer_refs *refs)
{
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_THREAD:
		put_metadata(w, c);
		return 0;
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
		return put_event(w, c, refs);
	case FXT_KIND_BLOB:
		put_word(w, fxt_blob(0, refs->name, c->blob.bytes, c->blob_type));
		put_text(w, &c->name, refs->name);
		put_stream(w, c->blob.data, c->blob.bytes);
		return 0;
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_KERNEL_OBJECT:
		return put_object(w, c, refs);
	case FXT_KIND_LEGACY_SWITCH ... FXT_KIND_THREAD_WAKEUP:
		return put_scheduling(w, c, refs);
	case FXT_KIND_LOG:
		put_word(w, fxt_log(0, c->name.length, refs->thread));
		put_word(w, c->time);
		put_thread(w, &c->thread, refs->thread);
		put_stream(w, c->name.bytes, c->name.length);
		return 0;
	case FXT_KIND_MODULE ... FXT_KIND_BACKTRACE:
		put_profiler(w, c, refs);
		return 0;
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		return put_large_blob(w, c, refs);
	default:
		return -EINVAL;
	}
}

/* --- records ---------------------------------------------------------------------------- */

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

/* Return: 0, or -EINVAL if the record does not fit the format. */
static int build(struct fxt_writer *w, const struct fxt_content *c, const struct writer_refs *refs)
{
	bool large = is_large(c->kind);
	uint64_t size;

	w->record_words = 0;
	if (!values_fit(c) || put_fields(w, c, refs))
		return -EINVAL;
	put_stream(w, c->extra.data, c->extra.bytes);
	size = w->record_words + (large ? fxt_stream_words(c->blob.bytes) : 0);
	if (w->record_words > WRITER_RECORD_WORDS ||
	    size > (large ? UINT32_MAX : FXT_MAX_RECORD_WORDS))
		return -EINVAL;
	set_size(w, 0, large ? FXT_LARGE_SIZE : FXT_SIZE, size);
	return 0;
}

/*
 * Keep track of the strings and the provider that a record sets; in a writer that interns, before
 * the record.
 */
static void note(struct fxt_writer *w, const struct fxt_content *c)
{
	bool anew = c->kind == FXT_KIND_PROVIDER_INFO;

	if (c->kind == FXT_KIND_STRING)
		writer_note_string(w, c->index);
	if (!anew && c->kind != FXT_KIND_PROVIDER_SECTION)
		return;
	writer_note_provider(w, anew);
	if (w->intern)
		writer_intern_provider(w->intern, c->provider_id, anew);
}

int fxt_writer_record(struct fxt_writer *w, const struct fxt_content *c)
{
	struct writer_refs refs;
	int ret = writer_ready(w);

	if (!ret)
		ret = writer_choose_refs(w, c, &refs);
	if (!ret && !extra_fits(w, c))
		ret = -EINVAL;
	if (!ret)
		ret = build(w, c, &refs);
	if (!ret && !writer_is_valid(c, &refs))
		ret = -EINVAL;
	if (ret || (w->intern && (c->kind == FXT_KIND_STRING || c->kind == FXT_KIND_THREAD)))
		return ret;
	note(w, c);
	if (w->intern && refs.count + refs.thread + refs.out + refs.in) {
		ret = writer_intern_refs(w, c, &refs);
		if (ret)
			return ret;
		if (refs.are_new)
			build(w, c, &refs);
	}
	writer_words(w, w->record, w->record_words);
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

/* --- fields ----------------------------------------------------------------------------- */

/*
 * The records of a recorder, from their fields and indices of strings that it has registered. A
 * writer that interns chooses its own indices, so it only takes those of FXT_SCHED_STRINGS.
 */

/* Return: 0, or -EINVAL for an index that was not registered. */
static int string_at(const struct fxt_writer *w, uint16_t index, struct fxt_text *text)
{
	if (w->intern) {
		*text = fxt_known_text(index <= FXT_STR_LAST ? index : 0);
		return text->bytes ? 0 : -EINVAL;
	}
	*text = (struct fxt_text){ .bytes = "", .ref = index };
	return writer_has_string(w, index) ? 0 : -EINVAL;
}

int fxt_writer_magic(struct fxt_writer *w)
{
	return fxt_writer_record(w, &(struct fxt_content){ .kind = FXT_KIND_MAGIC });
}

int fxt_writer_provider(struct fxt_writer *w, uint32_t id, const char *name)
{
	struct fxt_content c = { .kind = FXT_KIND_PROVIDER_INFO, .provider_id = id };
	size_t bytes = strlen(name);

	if (bytes > FXT_MAX_PROVIDER_NAME)
		return w->error ? w->error : -EINVAL;
	c.name = (struct fxt_text){ .bytes = name, .length = bytes };
	return fxt_writer_record(w, &c);
}

int fxt_writer_provider_event(struct fxt_writer *w, uint32_t id)
{
	return fxt_writer_record(w, &(struct fxt_content){
		.kind = FXT_KIND_PROVIDER_EVENT, .provider_id = id,
		.event = FXT_PROVIDER_EVENT_BUFFER_FULL,
	});
}

int fxt_writer_initialization(struct fxt_writer *w, uint64_t ticks_per_second)
{
	return fxt_writer_record(w, &(struct fxt_content){
		.kind = FXT_KIND_INITIALIZATION, .ticks_per_second = ticks_per_second,
	});
}

int fxt_writer_string(struct fxt_writer *w, uint16_t index, const char *text)
{
	struct fxt_content c = { .kind = FXT_KIND_STRING, .index = index };
	size_t bytes = strlen(text);

	if (w->intern || bytes > FXT_MAX_STRING)
		return w->error ? w->error : -EINVAL;
	c.name = (struct fxt_text){ .bytes = text, .length = bytes };
	return fxt_writer_record(w, &c);
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
	struct fxt_content c = {
		.kind = FXT_KIND_BLOB, .blob = { data, bytes }, .blob_held = bytes,
		.blob_type = type,
	};

	if (string_at(w, name, &c.name) || bytes > FXT_MAX_STRING)
		return w->error ? w->error : -EINVAL;
	return fxt_writer_record(w, &c);
}

int fxt_writer_blob(struct fxt_writer *w, uint16_t name, const void *data, size_t bytes)
{
	return write_blob(w, name, FXT_BLOB_DATA, data, bytes);
}

int fxt_writer_perfetto(struct fxt_writer *w, uint16_t name, const void *data, size_t bytes)
{
	return write_blob(w, name, FXT_BLOB_PERFETTO, data, bytes);
}

/* A name, truncated if necessary, but not within a character. */
static struct fxt_text name_text(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes > FXT_MAX_STRING)
		for (bytes = FXT_MAX_STRING; bytes && (name[bytes] & 0xc0) == 0x80; bytes--)
			;
	return (struct fxt_text){ .bytes = name, .length = bytes };
}

int fxt_writer_process(struct fxt_writer *w, uint64_t koid, const char *name)
{
	return fxt_writer_record(w, &(struct fxt_content){
		.kind = FXT_KIND_KERNEL_OBJECT, .object = koid,
		.object_type = FXT_OBJECT_PROCESS, .name = name_text(name),
	});
}

int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name)
{
	struct fxt_content c = {
		.kind = FXT_KIND_KERNEL_OBJECT, .object = koid,
		.object_type = FXT_OBJECT_THREAD, .name = name_text(name),
		.arg_count = 1, .args = { { .type = FXT_ARG_KOID, .u64 = process } },
	};

	if (string_at(w, process_ref, &c.args[0].name))
		return w->error ? w->error : -EINVAL;
	return fxt_writer_record(w, &c);
}

int fxt_writer_slice(struct fxt_writer *w, const struct fxt_slice *s)
{
	struct fxt_content c = {
		.kind = FXT_KIND_DURATION_COMPLETE, .time = s->start, .end = s->end,
		.thread = { .process = s->process, .thread = s->thread },
		.arg_count = 1, .args = { { .type = FXT_ARG_UINT32, .u64 = s->arg } },
	};

	if (string_at(w, s->category, &c.category) || string_at(w, s->name, &c.name) ||
	    string_at(w, s->arg_name, &c.args[0].name))
		return w->error ? w->error : -EINVAL;
	return fxt_writer_record(w, &c);
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
