/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the description of the recording by the collector: filters and marks.
 */
#ifndef FXT_SCHED_SESSION_H
#define FXT_SCHED_SESSION_H

#include "data.h"

/** sched_take_session() - the record that describes the recording */
void sched_take_session(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c);

/** sched_take_mark() - an instant, which may be a mark */
void sched_take_mark(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

/** sched_marks_look() - look for the switches of marks among the events of a block */
void sched_marks_look(struct sched_model *m, const struct sched_block *block,
		      uint32_t events) __attribute__((cold));

/** sched_marks_finish() - judge the marks, after all events are gone */
void sched_marks_finish(struct sched_model *m);

/** sched_marks_trigger() - see sched_model_trigger() */
bool sched_marks_trigger(const struct sched_model *m, struct sched_trigger *t);

#endif /* FXT_SCHED_SESSION_H */
