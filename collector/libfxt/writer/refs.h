/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refs.h - the string and thread refs of a record.
 *
 * In:  a record's content with the caller's refs.
 * Out: these refs, or the writer's own if it interns.
 *
 * The writer chooses its refs in two steps. writer_choose_refs() decides which are
 * indices; the record's size depends only on that. For a record that fits,
 * writer_intern_refs() then finds the indices and registers new strings and threads.
 */
#ifndef LIBFXT_WRITER_REFS_H
#define LIBFXT_WRITER_REFS_H

#include "buffer.h"

/**
 * struct writer_refs - the refs of one record
 *
 * Refs that its kind does not have are 0.
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

/* The parts that several kinds of records have. */
enum writer_part {
	WRITER_CATEGORY		= 1 << 0,
	WRITER_NAME		= 1 << 1,	/* by string ref */
	WRITER_THREAD		= 1 << 2,
	WRITER_PROCESS		= 1 << 3,	/* thread ref; only the process if inline */
	WRITER_TWO_THREADS	= 1 << 4,	/* of a legacy context switch */
	WRITER_ARGS		= 1 << 5,
};

/** writer_parts() - the parts of a kind, bits of enum writer_part */
unsigned int writer_parts(enum fxt_kind kind);

/**
 * writer_choose_refs() - choose the refs of a record
 * @w: the writer
 * @c: the record
 * @refs: filled in; a writer that interns does not know the indices yet
 *
 * Return: 0; -EINVAL if a string is too long or there are too many arguments.
 */
int writer_choose_refs(const struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

/**
 * writer_intern_refs() - find the indices, and register new strings and threads
 * @w: the writer, which interns
 * @c: the record, which fits
 * @refs: as writer_choose_refs() set them
 *
 * Return: 0; -ENOMEM; the writer's error.
 */
int writer_intern_refs(struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs);

#endif /* LIBFXT_WRITER_REFS_H */
