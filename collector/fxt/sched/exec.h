/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.h - threads that become the leader of their process in execve().
 */
#ifndef FXT_SCHED_EXEC_H
#define FXT_SCHED_EXEC_H

#include "data.h"

/** sched_is_exec() - did an execve() by a thread other than the leader break this chain? */
bool sched_is_exec(const struct sched_model *m, const struct sched_misfit *f);

/** sched_is_exec_leader() - does an old leader run under the id of such a thread? */
bool sched_is_exec_leader(const struct sched_model *m, const struct sched_misfit *f);

/** sched_fold_execs() - keep only the number of those chains, to make room for others */
void sched_fold_execs(struct sched_model *m);

#endif /* FXT_SCHED_EXEC_H */
