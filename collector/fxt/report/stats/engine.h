/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - one walk over an archive that makes a report of it.
 */
#ifndef FXT_REPORT_STATS_ENGINE_H
#define FXT_REPORT_STATS_ENGINE_H

#include "report.h"

struct report_engine;

/**
 * report_open() - begin
 * @e: set to it
 * @options: stay the caller's, and valid
 *
 * Return: 0; -EINVAL if the pattern is none; -ENOMEM.
 */
int report_open(struct report_engine **e, const struct report_options *options);
void report_close(struct report_engine *e);

/**
 * report_next() - walk on to the next record that has to be fed
 *
 * As fxt_reader_next(), but what is usual is fed and passed over.
 */
int report_next(struct report_engine *e, struct fxt_reader *r, struct fxt_record *rec);

/** report_record() - feed it. Return: as sched_model_record() */
int report_record(struct report_engine *e, struct fxt_reader *r,
		  const struct fxt_record *rec);

/** report_finish() - the archive has ended. Return: 0 or a negative errno */
int report_finish(struct report_engine *e);

/** report_of() - what came out; valid until report_close() */
const struct report *report_of(const struct report_engine *e);

#endif /* FXT_REPORT_STATS_ENGINE_H */
