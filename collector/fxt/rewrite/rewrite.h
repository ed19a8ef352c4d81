/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h - writes the records of an archive into a new, valid archive.
 *
 * In: the records of archives that may be compressed, in the other byte order, with the
 * event types of 2017, or damaged.
 * Out: the same records, as far as they are readable, in a form that strict readers accept. Records
 * that the format allows but does not define yet are copied. Omitted and changed records are
 * counted, and the first error of writing is kept: nothing is written after it.
 */
#ifndef FXT_REWRITE_REWRITE_H
#define FXT_REWRITE_REWRITE_H

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "terminal/exit_status.h"
#include "walk/io.h"
#include "walk/koids.h"
#include "write/pack.h"

/* Strings of a record that may need repair: category, name, arguments. */
#define REWRITE_TEXTS	(2 + 2 * FXT_MAX_ARGS)

/** struct rewrite - one result; initialize with zeros */
struct rewrite {
	struct fxt_writer *w;
	struct pack *pack;
	/* Strings and threads keep their indices; otherwise they are registered anew. */
	bool keeps_refs;
	int write_error;		/* negative errno */
	uint64_t refused;		/* records that exceed the limits of the format */
	uint64_t changed;		/* records that were written with changes */
	uint64_t undefined;		/* records of undefined kinds that were copied */
	char *texts[REWRITE_TEXTS];	/* a buffer for each repaired string */
	uint64_t ledger[FXT_LEDGER_WORDS - 1];	/* buffer for a ledger with swapped words */
	struct fxt_content content;	/* the last record taken */
	bool is_changed;		/* @content differs from the record in the archive */
};

/** rewrite_open() - begin with the magic number; @f: with @keeps_refs; takes over @pack */
void rewrite_open(struct rewrite *f, struct pack *pack);

/** rewrite_close() - end the result; @write_error is 0 if everything was written */
void rewrite_close(struct rewrite *f);

/** rewrite_written() - count, or keep the error, that a function of the writer has returned */
void rewrite_written(struct rewrite *f, int ret);

/** rewrite_error() - the result for a walk, whose records are written: -ECANCELED or 0 */
static inline int rewrite_error(const struct rewrite *f)
{
	return f->write_error ? -ECANCELED : 0;
}

/**
 * rewrite_status() - report omitted and changed records, and write errors, after rewrite_close()
 * @output: path, NULL for standard output
 * @status: enum verb_exit so far
 *
 * Return: enum verb_exit.
 */
int rewrite_status(const struct rewrite *f, const char *archive, const char *output, int status);

/**
 * rewrite_read() - decode the reader's last record to @content, and repair it. Return: 1; 0 if it
 * cannot be kept, or the result has one of its own (magic number; without @keeps_refs, strings and
 * threads); -ENOTSUP for an undefined kind, see rewrite_undefined(); an error of the reader.
 */
int rewrite_read(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/**
 * rewrite_put() - write the record that was taken, with the changes made since. Return: as
 * rewrite_error(), or an error of the reader.
 */
int rewrite_put(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/**
 * rewrite_undefined() - copy a record of a kind that the format does not define. Data that may not
 * be a record is left to the reader, which counts it as skipped. A record counts as refused if it
 * cannot be copied because of its size or byte order, or because its type number had a meaning in
 * 2017. Return: as rewrite_error().
 */
int rewrite_undefined(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/* Replace invalid UTF-8 by question marks. @to: room for all of @text */
void rewrite_clean(char *to, const struct fxt_text *text);

/** rewrite_session() - write a description of the recording, as text */
void rewrite_session(struct rewrite *f, const char *text, size_t bytes);

/* --------------------------------------------------------------------
 * Walks that take hot records (fxt_reader.h) in runs.
 */

/** struct rewrite_walk - what is called for the records of an archive */
struct rewrite_walk {
	/* As io_walk(). */
	int (*record)(void *arg, struct fxt_reader *r, const struct fxt_record *rec);
	/*
	 * Takes hot records of a provider. Return: how many; with fewer than all, @record is called
	 * for the next one.
	 */
	size_t (*hot)(void *arg, const struct fxt_provider *provider,
		      const struct fxt_hot_run *run);
	void *arg;
};

/** rewrite_skip_hot() - for walks that have no use for hot records */
size_t rewrite_skip_hot(void *arg, const struct fxt_provider *provider,
			const struct fxt_hot_run *run);

/**
 * rewrite_step() - take the next run of records, or the next record
 * @provider: NULL before the first step; set to the provider of the last record
 *
 * Return: 1; 0 at the end; an error that ends the walk.
 */
int rewrite_step(struct archive *a, const struct rewrite_walk *walk,
		 const struct fxt_provider **provider);

/** rewrite_walk() - pass all records of an archive, which is open. Return: as io_walk() */
int rewrite_walk(struct archive *a, const struct rewrite_walk *walk);

/* --------------------------------------------------------------------
 * Copies the readable records of an archive, in the same order. Strings and threads keep their
 * indices, so that undefined records stay valid, too.
 */

/** struct rewrite_copy - one copy; initialize with zeros and f.keeps_refs */
struct rewrite_copy {
	struct rewrite f;
	struct koids introduced;	/* ids of providers that the result has introduced */
};

/** rewrite_copy_record() - copy a record; for io_walk(), with the copy as @arg */
int rewrite_copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/** rewrite_copy_hot() - copy hot records; for rewrite_walk() */
size_t rewrite_copy_hot(void *arg, const struct fxt_provider *provider,
			const struct fxt_hot_run *run);

/** rewrite_copy_close() - end the result, as rewrite_close() */
void rewrite_copy_close(struct rewrite_copy *c);

#endif /* FXT_REWRITE_REWRITE_H */
