/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unnamed.h - threads without a name.
 */
#ifndef FXT_SCHED_UNNAMED_H
#define FXT_SCHED_UNNAMED_H

#include "data.h"

/** sched_tell_unnamed() - at the end: which threads have no kernel object record? */
void sched_tell_unnamed(struct sched_model *m);

#endif /* FXT_SCHED_UNNAMED_H */
