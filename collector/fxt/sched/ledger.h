/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger.h - the streams of records, and their losses.
 */
#ifndef FXT_SCHED_LEDGER_H
#define FXT_SCHED_LEDGER_H

#include "data.h"

int sched_take_ledger(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);
void sched_take_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c);

/* Does the time of a record fit its stream? If not, call sched_time_misfit(). */
static inline bool sched_time_fits(const struct sched_stream *s, uint64_t ticks)
{
	return !s->check_next && ticks >= s->last_ticks;
}

void sched_time_misfit(struct sched_model *m, struct sched_stream *s,
		       const struct fxt_record *rec, uint64_t ticks);

/** sched_ledgers_finish() - at the end: are all streams closed, all losses reported? */
void sched_ledgers_finish(struct sched_model *m);

#endif /* FXT_SCHED_LEDGER_H */
