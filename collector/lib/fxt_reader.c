// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt_reader.c - see fxt_reader.h.
 *
 * Every access is held against the end of its record first, and every record
 * against the end of the file, so that no archive whatever can lead astray.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fxt_reader.h"

struct fxt_reader {
	const uint64_t *words;
	size_t bytes;		/* of the whole file */
	size_t size;		/* whole words in it */
	size_t next;		/* word that the next record begins at */
	uint64_t ticks_per_second;
	char error[160];
	struct fxt_text strings[FXT_MAX_STRING_INDEX + 1];
};

/* What is left of one record while its parts are taken off. */
struct cursor {
	struct fxt_reader *r;
	const struct fxt_record *rec;
	uint32_t at;
	uint32_t end;
};

static int __attribute__((format(printf, 3, 4)))
malformed(struct fxt_reader *r, uint64_t offset, const char *format, ...)
{
	va_list args;
	int n = snprintf(r->error, sizeof(r->error), "byte %" PRIu64 ": ", offset);

	va_start(args, format);
	vsnprintf(r->error + n, sizeof(r->error) - n, format, args);
	va_end(args);
	return -EBADMSG;
}

int fxt_reader_open(struct fxt_reader **out, const char *path)
{
	struct fxt_reader *r;
	struct stat st;
	int fd, ret;
	void *map;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : 0;
	if (!ret && st.st_size < FXT_WORD)
		ret = -EBADMSG;
	if (!ret) {
		map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		ret = map == MAP_FAILED ? -errno : 0;
	}
	close(fd);
	if (ret)
		return ret;

	r = *(const uint64_t *)map == FXT_MAGIC_RECORD ? calloc(1, sizeof(*r)) : NULL;
	if (!r) {
		ret = *(const uint64_t *)map == FXT_MAGIC_RECORD ? -ENOMEM : -EBADMSG;
		munmap(map, st.st_size);
		return ret;
	}
	r->words = map;
	r->bytes = st.st_size;
	r->size = st.st_size / FXT_WORD;
	r->ticks_per_second = 1000000000;
	*out = r;
	return 0;
}

void fxt_reader_close(struct fxt_reader *r)
{
	if (!r)
		return;
	munmap((void *)r->words, r->bytes);
	free(r);
}

const char *fxt_reader_error(const struct fxt_reader *r)
{
	return r->error;
}

uint64_t fxt_reader_ticks_per_second(const struct fxt_reader *r)
{
	return r->ticks_per_second;
}

bool fxt_text_is(const struct fxt_text *text, const char *other)
{
	return text->length == strlen(other) &&
	       !memcmp(text->bytes, other, text->length);
}

static int note_string(struct fxt_reader *r, const struct fxt_record *rec)
{
	uint32_t index = fxt_get(FXT_STRING_INDEX, rec->words[0]);
	uint32_t length = fxt_get(FXT_STRING_LENGTH, rec->words[0]);

	if (1 + fxt_stream_words(length) > rec->size)
		return malformed(r, rec->offset, "string of %u bytes in a record of %u words",
				 length, rec->size);
	if (index)
		r->strings[index] = (struct fxt_text){
			(const char *)(rec->words + 1), length };
	return 0;
}

int fxt_reader_next(struct fxt_reader *r, struct fxt_record *rec)
{
	uint64_t header, size, offset = (uint64_t)r->next * FXT_WORD;

	if (r->next == r->size) {
		if (r->bytes % FXT_WORD)
			return malformed(r, offset, "%zu bytes that are no whole word at the end",
					 r->bytes % FXT_WORD);
		return 0;
	}
	header = r->words[r->next];
	size = fxt_get(FXT_TYPE, header) == FXT_RECORD_LARGE ?
	       fxt_get(FXT_LARGE_SIZE, header) : fxt_get(FXT_SIZE, header);
	if (!size)
		return malformed(r, offset, "record of size 0");
	if (size > r->size - r->next)
		return malformed(r, offset, "record of %" PRIu64 " words, but the file ends after %zu",
				 size, r->size - r->next);
	rec->offset = offset;
	rec->words = r->words + r->next;
	rec->size = size;
	rec->type = fxt_get(FXT_TYPE, header);
	r->next += size;

	if (rec->type == FXT_RECORD_STRING && note_string(r, rec))
		return -EBADMSG;
	if (rec->type == FXT_RECORD_INITIALIZATION && size >= FXT_INITIALIZATION_WORDS)
		r->ticks_per_second = rec->words[1];
	return 1;
}

static int take_word(struct cursor *c, uint64_t *word)
{
	if (c->at >= c->end)
		return malformed(c->r, c->rec->offset, "record of %u words is too short",
				 c->rec->size);
	*word = c->rec->words[c->at++];
	return 0;
}

static int take_string(struct cursor *c, uint64_t ref, struct fxt_text *text)
{
	uint64_t length = fxt_get(FXT_STRING_REF_LENGTH, ref);

	*text = (struct fxt_text){ "", 0 };
	if (ref == FXT_STRING_REF_EMPTY)
		return 0;
	if (!(ref & FXT_STRING_REF_INLINE)) {
		*text = c->r->strings[ref];
		if (!text->bytes)
			return malformed(c->r, c->rec->offset,
					 "string %" PRIu64 " was never registered", ref);
		return 0;
	}
	if (fxt_stream_words(length) > c->end - c->at)
		return malformed(c->r, c->rec->offset,
				 "inline string of %" PRIu64 " bytes does not fit", length);
	*text = (struct fxt_text){ (const char *)(c->rec->words + c->at), length };
	c->at += fxt_stream_words(length);
	return 0;
}

static int take_arg(struct cursor *c, struct fxt_arg *arg)
{
	struct cursor in = *c;
	uint64_t header = 0;
	int ret = take_word(&in, &header);

	if (ret)
		return ret;
	*arg = (struct fxt_arg){ .type = fxt_get(FXT_ARG_TYPE, header) };
	in.end = c->at + fxt_get(FXT_ARG_SIZE, header);
	if (in.end <= c->at || in.end > c->end)
		return malformed(c->r, c->rec->offset, "argument of %u words does not fit",
				 in.end - c->at);
	c->at = in.end;
	ret = take_string(&in, fxt_get(FXT_ARG_NAME, header), &arg->name);
	if (ret)
		return ret;

	switch (arg->type) {
	case FXT_ARG_INT32:
		arg->value = (int32_t)fxt_get(FXT_ARG_VALUE_32, header);
		return 0;
	case FXT_ARG_UINT32:
	case FXT_ARG_BLOB:
		arg->value = fxt_get(FXT_ARG_VALUE_32, header);
		return 0;
	case FXT_ARG_BOOL:
		arg->value = fxt_get(FXT_ARG_VALUE_BOOL, header);
		return 0;
	case FXT_ARG_STRING:
		return take_string(&in, fxt_get(FXT_ARG_VALUE_STRING, header),
				   &arg->text);
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		return take_word(&in, &arg->value);
	}
	return 0;
}

static struct cursor cursor_of(struct fxt_reader *r, const struct fxt_record *rec)
{
	return (struct cursor){ r, rec, 1, rec->size };
}

int fxt_read_switch(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_switch *out)
{
	struct cursor c = cursor_of(r, rec);
	unsigned int args = fxt_get(FXT_SWITCH_ARGS, rec->words[0]);
	struct fxt_arg arg;

	*out = (struct fxt_switch){
		.cpu = fxt_get(FXT_SWITCH_CPU, rec->words[0]),
		.state = fxt_get(FXT_SWITCH_STATE, rec->words[0]),
	};
	if (take_word(&c, &out->time) || take_word(&c, &out->out) ||
	    take_word(&c, &out->in))
		return -EBADMSG;
	while (args--) {
		if (take_arg(&c, &arg))
			return -EBADMSG;
		if (fxt_text_is(&arg.name, "outgoing_weight"))
			out->out_weight = arg.value;
		else if (fxt_text_is(&arg.name, "incoming_weight"))
			out->in_weight = arg.value;
		else if (fxt_text_is(&arg.name, "state") && arg.text.length == 1)
			out->letter = arg.text.bytes[0];
	}
	return 0;
}

int fxt_read_wakeup(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_wakeup *out)
{
	struct cursor c = cursor_of(r, rec);
	unsigned int args = fxt_get(FXT_WAKEUP_ARGS, rec->words[0]);
	struct fxt_arg arg;

	*out = (struct fxt_wakeup){
		.cpu = fxt_get(FXT_WAKEUP_CPU, rec->words[0]),
	};
	if (take_word(&c, &out->time) || take_word(&c, &out->thread))
		return -EBADMSG;
	while (args--) {
		if (take_arg(&c, &arg))
			return -EBADMSG;
		if (fxt_text_is(&arg.name, "weight")) {
			out->weight = arg.value;
		} else if (fxt_text_is(&arg.name, "waker")) {
			out->waker = arg.value;
			out->has_waker = true;
		}
	}
	return 0;
}

int fxt_read_object(struct fxt_reader *r, const struct fxt_record *rec,
		    struct fxt_object *out)
{
	struct cursor c = cursor_of(r, rec);
	unsigned int args = fxt_get(FXT_KERNEL_OBJECT_ARGS, rec->words[0]);
	struct fxt_arg arg;

	*out = (struct fxt_object){
		.type = fxt_get(FXT_KERNEL_OBJECT_TYPE, rec->words[0]),
	};
	if (take_word(&c, &out->koid) ||
	    take_string(&c, fxt_get(FXT_KERNEL_OBJECT_NAME, rec->words[0]), &out->name))
		return -EBADMSG;
	while (args--) {
		if (take_arg(&c, &arg))
			return -EBADMSG;
		if (fxt_text_is(&arg.name, "process") && arg.type == FXT_ARG_KOID)
			out->process = arg.value;
	}
	return 0;
}

int fxt_read_event(struct fxt_reader *r, const struct fxt_record *rec,
		   struct fxt_event_info *out, struct fxt_arg *args,
		   unsigned int *arg_count)
{
	struct cursor c = cursor_of(r, rec);
	uint64_t header = rec->words[0];
	unsigned int i;

	*out = (struct fxt_event_info){ .type = fxt_get(FXT_EVENT_TYPE, header) };
	*arg_count = fxt_get(FXT_EVENT_ARGS, header);
	if (take_word(&c, &out->time))
		return -EBADMSG;
	if (fxt_get(FXT_EVENT_THREAD, header) == FXT_THREAD_REF_INLINE &&
	    (take_word(&c, &out->process) || take_word(&c, &out->thread)))
		return -EBADMSG;
	if (take_string(&c, fxt_get(FXT_EVENT_CATEGORY, header), &out->category) ||
	    take_string(&c, fxt_get(FXT_EVENT_NAME, header), &out->name))
		return -EBADMSG;
	for (i = 0; i < *arg_count; i++)
		if (take_arg(&c, &args[i]))
			return -EBADMSG;
	switch (out->type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
		return 0;
	}
	return take_word(&c, &out->last);
}
