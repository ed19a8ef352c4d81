/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace.h - the scheduling of an archive as text of Linux's ftrace.
 *
 * In: the records of an archive, twice. The first walk reads only names of threads,
 * because a name may come after the thread's events.
 * Out: sched_switch, sched_waking, sched_wakeup and task_rename lines, and those of
 * interrupts, idle states, migrations, frequencies and work items, in the order of time.
 */
#ifndef FXT_FORMATS_FTRACE_FTRACE_H
#define FXT_FORMATS_FTRACE_FTRACE_H

#include <stdbool.h>

#include "write/out.h"

struct ftrace;
struct ftrace_sink;

/**
 * ftrace_open() - begin without names
 * @f: set to the new conversion
 * @sink: writes it
 * @json: the text will be the inside of a JSON string
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_open(struct ftrace **f, const struct ftrace_sink *sink, bool json);
void ftrace_close(struct ftrace *f);

/**
 * ftrace_note() - first walk: any record
 * @f: the conversion
 * @c: its content
 * @r: the reader
 * @rec: the record
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_note(struct ftrace *f, const struct fxt_content *c,
		const struct fxt_reader *r, const struct fxt_record *rec);

/**
 * ftrace_begin() - begin the text, and the second walk
 * @f: the conversion
 * @o: the output
 * @arg: for the sink
 */
void ftrace_begin(struct ftrace *f, struct out *o, void *arg);

/**
 * ftrace_record() - second walk: the reader's last record
 * @f: a struct ftrace
 * @r: the reader
 * @rec: the record
 *
 * Return: 0; what fxt_reader_content() returned; -ENOMEM.
 */
int ftrace_record(void *f, struct fxt_reader *r, const struct fxt_record *rec);

/**
 * ftrace_finish() - write all remaining lines
 * @f: the conversion
 * @late: set to the number of lines out of order
 *
 * Return: 0 or -ENOMEM.
 */
int ftrace_finish(struct ftrace *f, uint64_t *late);

/** ftrace_report_late() - report on standard error the number of lines out of order */
void ftrace_report_late(const char *path, uint64_t late);

/** ftrace_report_left_out() - report likewise the number of events without a line */
void ftrace_report_left_out(const char *path, const struct ftrace *f);

#endif /* FXT_FORMATS_FTRACE_FTRACE_H */
