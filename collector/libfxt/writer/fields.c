// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fields.c - write the records of a recorder from their fields.
 *
 * In:  fields, and indices of strings that the caller has registered.
 * Out: one record for each call.
 *
 * Indices that were not registered are refused. A writer that interns refuses all
 * indices, because it chooses its own.
 */
#include <errno.h>
#include <string.h>

#include "intern.h"
#include "strings.h"
#include "valid.h"

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

static int put_blob(struct fxt_writer *w, uint16_t name, enum fxt_blob_type type,
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
	return put_blob(w, name, FXT_BLOB_DATA, data, bytes);
}

int fxt_writer_perfetto(struct fxt_writer *w, uint16_t name, const void *data,
			size_t bytes)
{
	return put_blob(w, name, FXT_BLOB_PERFETTO, data, bytes);
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

static int put_object(struct fxt_writer *w, enum fxt_object_type type,
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

	return ret ? ret : put_object(w, FXT_OBJECT_PROCESS, koid, name, 0, 0);
}

int fxt_writer_thread(struct fxt_writer *w, uint64_t koid, uint64_t process,
		      uint16_t process_ref, const char *name)
{
	int ret = ready_for_indices(w);

	if (!ret && !writer_has_string(w, process_ref))
		ret = -EINVAL;
	if (ret)
		return ret;
	put_object(w, FXT_OBJECT_THREAD, koid, name, 1, 2);
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
