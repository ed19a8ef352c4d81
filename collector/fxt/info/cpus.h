/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus.h - what each CPU did, for struct info.
 */
#ifndef FXT_INFO_CPUS_H
#define FXT_INFO_CPUS_H

#include "info.h"

/* For the model of threads; the argument is struct info, whose @model is set. */
extern const struct sched_ops info_cpus_ops;

/** info_cpus_finish() - the model is finished: add the last spells, and CPUs without any */
void info_cpus_finish(struct info *info);

#endif /* FXT_INFO_CPUS_H */
