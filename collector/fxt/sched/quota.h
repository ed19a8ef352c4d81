/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quota.h - what the kernel counts of cgroups with a quota of CPU time.
 */
#ifndef FXT_SCHED_QUOTA_H
#define FXT_SCHED_QUOTA_H

#include "data.h"

/**
 * sched_take_quota() - take a counter of a cgroup
 * @m: the model
 * @rec: the record
 * @c: its content: kernel_event_counts_cgroup() holds
 *
 * Return: 0, or a negative errno that ends the walk.
 */
int sched_take_quota(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c);

void sched_quotas_close(struct sched_model *m);

#endif /* FXT_SCHED_QUOTA_H */
