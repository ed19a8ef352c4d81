/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * end.h - end of a recording while others in the same archive continue.
 */
#ifndef FXT_SCHED_END_H
#define FXT_SCHED_END_H

#include "data.h"

/** sched_find_end() - find the end of the recording, after a stream of @provider was closed */
void sched_find_end(struct sched_model *m, uint32_t provider);

/** sched_end_recordings() - end the recordings that ended before @time */
void sched_end_recordings(struct sched_model *m, uint64_t time)
	__attribute__((cold, noinline));

#endif /* FXT_SCHED_END_H */
