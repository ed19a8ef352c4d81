/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h - records of an archive, written again into one that is sound.
 *
 * What flows in: the records of archives that may be compressed, in the other byte
 * order, with the event types of 2017, damaged. What flows out: the same records, as
 * far as they could be read, as a strict reader takes them. All strings and threads
 * are registered anew.
 */
#ifndef FXT_TOOL_REWRITE_H
#define FXT_TOOL_REWRITE_H

#include <fxt/fxt_sched.h>

#include "../lib/fxt_reader.h"
#include "../lib/fxt_writer.h"
#include "verbs.h"

/* Strings of one record that may need repair: category, name, arguments. */
#define REWRITE_TEXTS	(2 + 2 * FXT_MAX_ARGS)

/**
 * struct rewrite - one result; begins as zeros
 * @w: it
 * @write_error: what @w ended with
 * @refused: records that the format has no room for
 * @texts: room for one repaired string each
 * @ledger: room for one with its words swapped
 * @content: the record that was taken last
 */
struct rewrite {
	struct fxt_writer *w;
	int write_error;
	uint64_t refused;
	char *texts[REWRITE_TEXTS];
	uint64_t ledger[FXT_LEDGER_WORDS - 1];
	struct fxt_content content;
};

/** rewrite_open() - begin with the magic number; 0, -ENOMEM, or -ECANCELED */
int rewrite_open(struct rewrite *f, fxt_writer_sink sink, void *arg);

/** rewrite_close() - end it; @write_error says if all is written */
void rewrite_close(struct rewrite *f);

/**
 * rewrite_written() - what a function of the writer returned
 *
 * Return: what a walk is to end with: 0 also for what was refused, which is counted;
 * -ENOMEM; -ECANCELED if @write_error says more.
 */
int rewrite_written(struct rewrite *f, int ret);

/**
 * rewrite_status() - say what could not be written
 * @f: ended
 * @archive: path of what was read
 * @output: path, NULL for standard output
 * @status: enum verb_exit so far
 *
 * Return: enum verb_exit.
 */
int rewrite_status(const struct rewrite *f, const char *archive, const char *output,
		   int status);

/**
 * rewrite_take() - take a record apart, and repair it
 * @f: its content is set
 * @r: the reader
 * @rec: its last record
 *
 * Return: 1; 0 if nothing of it can stay, or the result has its own (magic number,
 * strings, threads); -ENOMEM; what the reader returned.
 */
int rewrite_take(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

/** rewrite_put() - write what was taken, which may have been changed meanwhile */
int rewrite_put(struct rewrite *f, struct fxt_reader *r, const struct fxt_record *rec);

#endif /* FXT_TOOL_REWRITE_H */
