/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the parts of the writer share.
 *
 * What flows in: from fields.c and records.c, words and streams.
 * What flows out: to writer.c, bytes in the archive's order. A record goes
 * through the same code twice: measured first, which also finds what does not
 * fit, and written only then. So a record that is refused leaves no trace.
 */
#ifndef LIBFXT_WRITER_INTERNAL_H
#define LIBFXT_WRITER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

#define WRITER_BUFFER_BYTES	(64U << 10)

struct writer_intern;

/**
 * struct fxt_writer - a writer
 * @fd: the archive, unless there is a sink
 * @sink: takes the bytes instead, or NULL
 * @sink_arg: for @sink
 * @error: the first of write(2) or of @sink, negative
 * @swapped: words have the other byte order
 * @intern: its tables; NULL unless it chooses the refs itself
 * @bytes: written so far, buffered ones included
 * @missing: bytes of the last large blob's payload that are still to come
 * @padding: zeros to be written after those
 * @is_section: records of a provider follow whose strings are not known here
 * @strings: indices that the last provider info's records registered, a bit each
 * @used: of @buffer
 */
struct fxt_writer {
	int fd;
	fxt_writer_sink sink;
	void *sink_arg;
	int error;
	bool swapped;
	struct writer_intern *intern;
	uint64_t bytes;
	uint64_t missing;
	uint8_t padding;
	bool is_section;
	uint64_t strings[(FXT_MAX_STRING_INDEX + 1) / 64];
	size_t used;
	unsigned char buffer[WRITER_BUFFER_BYTES];
};

/** writer_ready() - may a record begin here? 0, @error, or -EINVAL */
int writer_ready(const struct fxt_writer *w);

/** writer_word() - one word, in the archive's byte order; returns @error */
int writer_word(struct fxt_writer *w, uint64_t word);

/** writer_bytes() - bytes as they are; returns @error */
int writer_bytes(struct fxt_writer *w, const void *data, size_t bytes);

/** writer_stream() - bytes, padded with zeros to whole words; returns @error */
int writer_stream(struct fxt_writer *w, const void *data, size_t bytes);

/* --- records by their content ------------------------------------------------ */

/**
 * struct writer_refs - the refs that one record is written with
 *
 * Those that its kind does not have are 0.
 */
struct writer_refs {
	uint16_t category;
	uint16_t name;
	uint8_t thread;
	uint8_t out;		/* of a legacy context switch */
	uint8_t in;
	struct {
		uint16_t name;
		uint16_t value;
	} args[FXT_MAX_ARGS];
};

/* Which of the common parts a record of some kind has. */
enum writer_part {
	WRITER_CATEGORY		= 1 << 0,
	WRITER_NAME		= 1 << 1,	/* by string ref */
	WRITER_THREAD		= 1 << 2,
	WRITER_PROCESS		= 1 << 3,	/* a thread ref, inline without thread */
	WRITER_TWO_THREADS	= 1 << 4,	/* of a legacy context switch */
	WRITER_ARGS		= 1 << 5,
};

/** writer_parts() - bits of enum writer_part */
unsigned int writer_parts(enum fxt_kind kind);

/**
 * writer_choose_refs() - the refs that a record is to have
 * @w: the writer
 * @c: the record
 * @refs: filled in; in a writer that interns, indices are not known yet
 *
 * Return: 0; -EINVAL if a string is too long or there are too many arguments.
 */
int writer_choose_refs(const struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

/**
 * writer_intern_refs() - find the indices, and register what is not yet
 * @w: the writer; it interns
 * @c: the record, which fits
 * @refs: as writer_choose_refs() left it
 *
 * Return: 0 or -ENOMEM.
 */
int writer_intern_refs(struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

/**
 * struct writer_pass - a record on its way, for the first or the second time
 * @w: where it goes; NULL when it is measured
 * @words: so far
 * @size: words of the whole record; not known yet when it is measured
 */
struct writer_pass {
	struct fxt_writer *w;
	uint64_t words;
	uint64_t size;
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

/* A string where it stands in the record, if its ref says that it does. */
static inline void pass_text(struct writer_pass *p, const struct fxt_text *text,
			     uint16_t ref)
{
	if (ref & FXT_STRING_REF_INLINE)
		pass_stream(p, text->bytes, text->length);
}

/* --- valid.c --- */

/** writer_text_is_valid() - UTF-8 throughout? */
bool writer_text_is_valid(const char *bytes, size_t length);

/** writer_is_valid() - does the format allow what a record says, as it would be written? */
bool writer_is_valid(const struct fxt_writer *w, const struct fxt_content *c,
		     const struct writer_refs *refs);

/** writer_note_string() - a string was registered */
void writer_note_string(struct fxt_writer *w, uint16_t index);

/** writer_note_provider() - other records follow; @anew: after a provider info */
void writer_note_provider(struct fxt_writer *w, bool anew);

/** writer_has_string() - may a record refer to this string? */
bool writer_has_string(const struct fxt_writer *w, uint16_t index);

/** writer_args_fit() - has the format room for each of the arguments? */
bool writer_args_fit(const struct fxt_content *c, const struct writer_refs *refs);

/** writer_put_args() - all arguments; they fit */
void writer_put_args(struct writer_pass *p, const struct fxt_content *c,
		     const struct writer_refs *refs);

/* --- interning ---------------------------------------------------------------- */

/*
 * Strings that are longer stay inline. Texts of that size are messages rather
 * than names: hardly any comes twice, and each would push out a name that does.
 * It also bounds what the tables can hold.
 */
#define WRITER_INTERN_MAX_STRING	256

int writer_intern_open(struct writer_intern **in);
void writer_intern_close(struct writer_intern *in);

/**
 * writer_intern_provider() - other records follow
 * @in: the tables
 * @id: provider id
 * @anew: readers forget its tables here, as they do at a provider info
 */
void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew);

/**
 * writer_intern_string() - the index of a string
 * @w: the writer; a string record is written if need be
 * @text: 1 to WRITER_INTERN_MAX_STRING bytes
 * @ref: set to the index
 *
 * An index stays valid for as long as fewer than FXT_MAX_STRING_INDEX other
 * strings are asked for, which is more than any record needs.
 *
 * Return: 0 or -ENOMEM.
 */
int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text,
			 uint16_t *ref);

/** writer_intern_thread() - the same for a thread, out of FXT_MAX_THREAD_INDEX */
int writer_intern_thread(struct fxt_writer *w, const struct fxt_thread_id *thread,
			 uint8_t *ref);

#endif /* LIBFXT_WRITER_INTERNAL_H */
