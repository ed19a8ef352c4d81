/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iterators.h - BPF programs that the kernel calls for each task.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_ITERATORS_H
#define FXT_COLLECT_SOURCE_BPF_ITERATORS_H

#include "source/source.h"

struct programs;

/*
 * One before the start, one after it, and one for each archive that misses names; when
 * they are used up, /proc is read instead. Each takes a descriptor, and little memory
 * until it is read.
 */
#define RUNDOWNS	16

/** rundowns_init() - set all RUNDOWNS descriptors to -1: none */
void rundowns_init(int *rundowns);

/** rundowns_open() - open RUNDOWNS iterators, each to be read once; 0 or a negative errno */
int rundowns_open(int *rundowns, const struct programs *p, struct error *e);

/** rundowns_close() - close those that were not read */
void rundowns_close(int *rundowns);

/** rundowns_read() - implements source_ops.rundown() with the next iterator */
int rundowns_read(int *rundowns, source_emit emit, void *arg, struct error *e);

/** iterators_mark() - let the filter evaluate all existing threads; 0 or a negative errno */
int iterators_mark(const struct programs *p, struct error *e);

#endif /* FXT_COLLECT_SOURCE_BPF_ITERATORS_H */
