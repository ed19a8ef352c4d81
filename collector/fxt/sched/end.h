/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * end.h - where a recording ends and others in the same archive go on.
 */
#ifndef FXT_SCHED_END_H
#define FXT_SCHED_END_H

#include "data.h"

/** sched_find_end() - a stream of this provider was closed: is its recording's end known? */
void sched_find_end(struct sched_model *m, uint32_t provider);

/** sched_end_recordings() - time has come to here: end those that ended before */
void sched_end_recordings(struct sched_model *m, uint64_t time)
	__attribute__((cold, noinline));

#endif /* FXT_SCHED_END_H */
