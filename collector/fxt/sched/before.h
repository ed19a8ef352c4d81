/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * before.h - what threads did last before a part of a recording (<fxt/fxt_before.h>).
 */
#ifndef FXT_SCHED_BEFORE_H
#define FXT_SCHED_BEFORE_H

#include "data.h"

/** sched_take_before() - take a BLOB of that name. Return: 0 or a negative errno */
int sched_take_before(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c) __attribute__((cold));

#endif /* FXT_SCHED_BEFORE_H */
