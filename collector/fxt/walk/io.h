/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io.h - what conversions do alike: open both ends, walk, close them.
 *
 * What flows in: the records of an archive, once or several times. What flows
 * out: a result beside it, messages on standard error, the exit status.
 */
#ifndef FXT_WALK_IO_H
#define FXT_WALK_IO_H

#include "convert/convert.h"
#include "write/out.h"
#include "write/pack.h"

/** struct convert_input - where a second walk over the archive begins */
struct convert_input {
	int64_t start;		/* offset in standard input, -1 if the archive has a path */
};

/**
 * convert_rereadable() - see to it that the archive can be walked over again
 * @c: @input becomes "-" if standard input takes its place
 * @in: filled in
 *
 * What is no regular file is put into a temporary file first, which nobody else
 * sees and which goes away with the process.
 *
 * Return: VERB_DONE, or VERB_UNREADABLE after saying why.
 */
int convert_rereadable(struct convert *c, struct convert_input *in);

/**
 * convert_open() - open the archive
 * @c: the conversion
 * @in: as convert_rereadable() filled it in; NULL if there is one walk only
 *
 * Return: VERB_DONE, else after saying why.
 */
int convert_open(struct convert *c, const struct convert_input *in);

/**
 * convert_create() - begin the result
 * @c: the conversion; its archive is open
 * @kind: what it will be
 *
 * Return: VERB_DONE; VERB_USAGE if the result would overwrite the archive, or
 * VERB_UNWRITABLE, after saying why. The archive is closed then.
 */
int convert_create(struct convert *c, enum result_kind kind);

/** convert_create_text() - the same, to be written by @o */
int convert_create_text(struct convert *c, enum result_kind kind, struct out *o);

/** convert_create_packed() - the same, compressed as the file's ending says */
int convert_create_packed(struct convert *c, struct pack **p);

/**
 * convert_walk() - hand over all records of the archive
 * @c: the conversion; its archive is open
 * @o: the result: the walk ends when it cannot be written. May be NULL
 * @record: called for each record; -EBADMSG and -ENOTSUP if it makes no sense,
 *	which a lenient walk passes over; other negative errnos end the walk
 * @arg: handed to @record
 *
 * Return: 0, or what ended the walk.
 */
int convert_walk(struct convert *c, const struct out *o,
		 int (*record)(void *arg, struct fxt_reader *r,
			       const struct fxt_record *rec), void *arg);

/** convert_late() - say that so many lines of ftrace text are not in order */
void convert_late(const struct convert *c, uint64_t late);

/**
 * convert_close() - close both ends
 * @c: the conversion
 * @o: writes the result
 * @ret: what the walk ended with; the result is removed unless this is 0
 *
 * Return: enum verb_exit, after saying what went wrong.
 */
int convert_close(struct convert *c, struct out *o, int ret);

#endif /* FXT_WALK_IO_H */
