/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * online.h - CPUs that go offline and come online.
 */
#ifndef FXT_SCHED_ONLINE_H
#define FXT_SCHED_ONLINE_H

#include "data.h"

/** sched_is_stopper() - is it the stopper thread of this CPU? */
bool sched_is_stopper(const struct sched_thread *t, uint16_t cpu);

/** sched_is_offline() - did this chain break because the CPU was offline? */
bool sched_is_offline(const struct sched_misfit *f);

/** sched_is_back_online() - is it a stopper that is woken when its CPU comes back? */
bool sched_is_back_online(const struct sched_misfit *f);

/** sched_find_leaving() - mark a SCHED_NOT_WOKEN that a CPU going offline may explain */
void sched_find_leaving(const struct sched_model *m, struct sched_misfit *f);

/**
 * sched_find_coming() - remove and count the misfits that a CPU coming online explains
 * @m: the model
 * @e: a CPU's switch that breaks its chain, or its first one
 */
void sched_find_coming(struct sched_model *m, const struct sched_event *e);

/** sched_woken_by_leaving() - at the end: did a CPU going offline wake the thread? */
bool sched_woken_by_leaving(const struct sched_model *m, const struct sched_misfit *f);

#endif /* FXT_SCHED_ONLINE_H */
