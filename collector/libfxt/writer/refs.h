/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refs.h - the string and thread refs that a record is written with.
 */
#ifndef LIBFXT_WRITER_REFS_H
#define LIBFXT_WRITER_REFS_H

#include "buffer.h"

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

#endif /* LIBFXT_WRITER_REFS_H */
