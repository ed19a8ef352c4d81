/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - decides, at the end of the archive, which misfits are violations.
 */
#ifndef FXT_SCHED_JUDGE_H
#define FXT_SCHED_JUDGE_H

#include "data.h"

/** sched_judge_finish() - report all misfits, as violations or notes */
void sched_judge_finish(struct sched_model *m);

#endif /* FXT_SCHED_JUDGE_H */
