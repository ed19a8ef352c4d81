/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throttle.h - throttled cgroups: their slices on each CPU, and their names.
 */
#ifndef FXT_SCHED_THROTTLE_H
#define FXT_SCHED_THROTTLE_H

#include "data.h"

/** sched_check_throttle() - reports it if the cgroup was throttled on that CPU already */
void sched_check_throttle(struct sched_model *m, const struct sched_event *e);

/** sched_take_cgroup() - keep the name of a cgroup's track. Return: 0 or -ENOMEM */
int sched_take_cgroup(struct sched_model *m, const struct fxt_content *object);

/** sched_name_cgroups() - at the end of the archive: name cgroups after their tracks */
void sched_name_cgroups(struct sched_model *m);

void sched_throttle_close(struct sched_model *m);

#endif /* FXT_SCHED_THROTTLE_H */
