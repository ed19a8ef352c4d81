/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parents.h - parents of processes.
 */
#ifndef FXT_SCHED_PARENTS_H
#define FXT_SCHED_PARENTS_H

#include "data.h"

/** sched_parents_finish() - find the parent of each process, when all names are known */
void sched_parents_finish(struct sched_model *m);

#endif /* FXT_SCHED_PARENTS_H */
