/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - makes a report of an archive in one walk.
 */
#ifndef FXT_REPORT_STATS_ENGINE_H
#define FXT_REPORT_STATS_ENGINE_H

#include "report.h"

struct report_engine;

/**
 * report_open() - begin
 * @e: set to it
 * @options: the caller keeps them valid
 *
 * Return: 0; -EINVAL if the pattern is invalid; -ENOMEM.
 */
int report_open(struct report_engine **e, const struct report_options *options);
void report_close(struct report_engine *e);

/**
 * report_next() - go on to the next record that has to be fed
 *
 * As fxt_reader_next(), but feeds and skips usual records.
 */
int report_next(struct report_engine *e, struct fxt_reader *r, struct fxt_record *rec);

/** report_record() - feed a record. Return: as sched_model_record() */
int report_record(struct report_engine *e, struct fxt_reader *r,
		  const struct fxt_record *rec);

/** report_finish() - complete the report, at the end. Return: 0 or a negative errno */
int report_finish(struct report_engine *e);

/** report_of() - the report; valid until report_close() */
const struct report *report_of(const struct report_engine *e);

#endif /* FXT_REPORT_STATS_ENGINE_H */
