/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h - writes the records of an archive into a new, valid archive.
 *
 * In: the records of archives that may be compressed, in the other byte order, with the
 * event types of 2017, or damaged.
 * Out: the same records, as far as they are readable, in a form that strict readers accept. Records
 * that the format allows but does not define yet are copied. Omitted and changed records are
 * counted.
 */
#ifndef FXT_REWRITE_REWRITE_H
#define FXT_REWRITE_REWRITE_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "terminal/exit_status.h"
#include "walk/koids.h"

/* Strings of a record that may need repair: category, name, arguments. */
#define REWRITE_TEXTS	(2 + 2 * FXT_MAX_ARGS)

/** struct rewrite - one result; initialize with zeros */
struct rewrite {
	struct fxt_writer *w;		/* writes it */
	/* Strings and threads keep their indices; otherwise they are registered anew. */
	bool keeps_refs;
	int write_error;		/* the error of @w */
	uint64_t refused;		/* records that exceed the limits of the format */
	uint64_t changed;		/* records that were written with changes */
	uint64_t undefined;		/* records of undefined kinds that were copied */
	char *texts[REWRITE_TEXTS];	/* a buffer for each repaired string */
	uint64_t ledger[FXT_LEDGER_WORDS - 1];	/* buffer for a ledger with swapped words */
	struct fxt_content content;	/* the last record taken */
	bool is_changed;		/* @content differs from the record in the archive */
};

/**
 * rewrite_open() - begin with the magic number
 * @f: with @keeps_refs set by the caller
 *
 * Return: 0, -ENOMEM, or -ECANCELED.
 */
int rewrite_open(struct rewrite *f, fxt_writer_sink sink, void *arg);

/** rewrite_close() - end the result; @write_error is 0 if everything was written */
void rewrite_close(struct rewrite *f);

/**
 * rewrite_written() - handle the return value of a function of the writer. Return: the error for
 * the walk: 0 also for refused records, which are counted; -ENOMEM; -ECANCELED if @write_error has
 * the details
 */
int rewrite_written(struct rewrite *f, int ret);

/**
 * rewrite_status() - report omitted and changed records, and write errors. Return: enum verb_exit
 */
int rewrite_status(const struct rewrite *f, const char *archive, const char *output,
		   int status);

/**
 * rewrite_take() - decode a record, and repair it
 * @f: its content is set
 *
 * Return: 1; 0 if it cannot be kept, or the result has one of its own (magic number; without
 * @keeps_refs, strings and threads); -ENOTSUP for an undefined kind, see rewrite_undefined();
 * -ENOMEM; an error of the reader.
 */
int rewrite_take(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/** rewrite_put() - write the record that was taken, with the changes made since */
int rewrite_put(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/**
 * rewrite_undefined() - copy a record of a kind that the format does not define
 *
 * Data that may not be a record is left to the reader, which counts it as skipped. A record counts
 * as refused if it cannot be copied because of its size or byte order, or because its type number
 * had a meaning in 2017.
 *
 * Return: as rewrite_written().
 */
int rewrite_undefined(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/* --------------------------------------------------------------------
 * Copies all records of an archive.
 *
 * In: the records of an archive.
 * Out: the same, as far as they are readable, in the same order. Strings and threads keep their
 * indices, so that undefined records stay valid, too.
 */

/** struct rewrite_copy - one copy; initialize with zeros and f.keeps_refs */
struct rewrite_copy {
	struct rewrite f;		/* the result */
	struct koids introduced;	/* ids of providers that the result has introduced */
};

/** rewrite_copy_record() - copy a record; for io_walk(), with the copy as @arg */
int rewrite_copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/** rewrite_copy_close() - end the result, as rewrite_close() */
void rewrite_copy_close(struct rewrite_copy *c);

#endif /* FXT_REWRITE_REWRITE_H */
