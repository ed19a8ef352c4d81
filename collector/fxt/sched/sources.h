/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sources.h - what slices are of: interrupts, idle states, functions of work items.
 */
#ifndef FXT_SCHED_SOURCES_H
#define FXT_SCHED_SOURCES_H

#include "data.h"

/**
 * sched_source_get() - find or make a source
 * @m: the model
 * @e: the event
 * @name: its name
 *
 * There are SCHED_SOURCES at most; all further ones of a kind count as one.
 *
 * Return: NULL: no memory.
 */
struct sched_source *sched_source_get(struct sched_model *m, const struct kernel_event *e,
				      const struct fxt_text *name);

void sched_sources_close(struct sched_model *m);

#endif /* FXT_SCHED_SOURCES_H */
