/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.h - the strings and threads that an archive has registered, and refs to them.
 */
#ifndef LIBFXT_WRITER_STRINGS_H
#define LIBFXT_WRITER_STRINGS_H

#include "buffer.h"

/* --- strings and threads of an archive -------------------------------------------------- */

/*
 * The string and thread tables of a writer that chooses refs. At every point of the archive, they
 * must be the same as those of every reader. Therefore an index is returned only after its record
 * was written, and where readers may have empty tables, these are emptied as well.
 */

/*
 * Longer strings stay inline. They are messages rather than names: they seldom occur twice, and
 * each would replace a name that occurs often. The limit also bounds the memory of the tables.
 */
#define WRITER_INTERN_MAX_STRING	256

int writer_intern_open(struct writer_intern **in);

void writer_intern_close(struct writer_intern *in);

/* Switch to the tables of a provider. @anew: empty them, as readers do at a provider info */
void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew);

/*
 * Find or register a string of 1 to WRITER_INTERN_MAX_STRING bytes. If it is new, @w takes a string
 * record. An index stays valid until FXT_MAX_STRING_INDEX other strings have been used, more than
 * any record needs. Return: 0; -ENOMEM; the writer's error.
 */
int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text, uint16_t *ref);

/* --- references ------------------------------------------------------------------------- */

/*
 * The string and thread refs of a record: the caller's, or the writer's own if it interns.
 *
 * The writer chooses its refs in two steps. writer_choose_refs() decides which are indices; the
 * record's size depends only on that. For a record that fits, writer_intern_refs() then registers
 * new strings and threads, and notes the use of all.
 */

/* Refs that the record's kind does not have are 0. */
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
	/* all strings of the record, and where above each has its ref */
	struct {
		const struct fxt_text *text;
		uint16_t *ref;
	} strings[2 + 2 * FXT_MAX_ARGS];
	unsigned int count;
	unsigned int heads;	/* the first of them, which are not in arguments */
	bool are_new;		/* the writer interns and lacks some, so indices are not valid */
};

/* Parts that several kinds of records have. */
enum writer_part {
	WRITER_CATEGORY		= 1 << 0,
	WRITER_NAME		= 1 << 1,	/* by string ref */
	WRITER_THREAD		= 1 << 2,
	WRITER_PROCESS		= 1 << 3,	/* thread ref; only the process if inline */
	WRITER_TWO_THREADS	= 1 << 4,	/* of a legacy context switch */
	WRITER_ARGS		= 1 << 5,
};

/* Bits of enum writer_part. */
unsigned int writer_parts(enum fxt_kind kind);

/*
 * Choose the refs of a record; see @are_new. Return: 0; -EINVAL if a string is too long or there
 * are too many arguments.
 */
int writer_choose_refs(const struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

/*
 * Register new strings and threads, and find the indices if some are new; the record fits. @refs:
 * of writer_choose_refs(). Return: 0; -ENOMEM; the writer's error.
 */
int writer_intern_refs(struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

/* --- values that the format allows ------------------------------------------------------ */

/*
 * Does a strict reader accept the record? Values may fit the format and yet be invalid. Names of
 * kernel objects may be any bytes. Numbers that the format does not define are allowed, unless it
 * restricts them.
 */

bool writer_text_is_valid(const char *bytes, size_t length);

/* Does the format allow the record with these refs? */
bool writer_is_valid(const struct fxt_content *c, const struct writer_refs *refs);

/* --- string records --------------------------------------------------------------------- */

void writer_note_string(struct fxt_writer *w, uint16_t index);

/* Note a change of the provider. @anew: by a provider info */
void writer_note_provider(struct fxt_writer *w, bool anew);

bool writer_has_string(const struct fxt_writer *w, uint16_t index);

#endif /* LIBFXT_WRITER_STRINGS_H */
