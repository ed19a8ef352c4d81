/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unknown.h - records after which something is unknown.
 */
#ifndef FXT_SCHED_UNKNOWN_H
#define FXT_SCHED_UNKNOWN_H

#include "data.h"

/** sched_unknown_fault() - the fault of such a switch that no producer can have written, or NULL */
const char *sched_unknown_fault(const struct fxt_switch *sw) __attribute__((cold));

/** sched_take_stand_in() - a switch that represents a loss; no producer wrote it */
int sched_take_stand_in(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_switch *sw) __attribute__((cold));

/** sched_apply_leave() - apply a SCHED_EVENT_LEAVE */
void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
	__attribute__((cold));

/** sched_wake_unknown() - a thread is woken, and the length of its wait is unknown */
void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
	__attribute__((cold));

#endif /* FXT_SCHED_UNKNOWN_H */
