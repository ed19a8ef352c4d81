/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - the streams and the CPUs that an archive has.
 */
#ifndef FXT_SCHED_STREAM_H
#define FXT_SCHED_STREAM_H

#include "data.h"

/** sched_stream_get() - find or make a stream; NULL: no memory */
struct sched_stream *sched_stream_get(struct sched_model *m, uint32_t id);

/** sched_cpu_add() - note that there is a CPU; without memory m->error is set */
void sched_cpu_add(struct sched_model *m, uint16_t number) __attribute__((cold));

#endif /* FXT_SCHED_STREAM_H */
