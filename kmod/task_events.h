/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_events.h - the probes of the lives of threads.
 */
#ifndef FXT_KMOD_TASK_EVENTS_H
#define FXT_KMOD_TASK_EVENTS_H

#include "compat.h"

struct task_struct;

void fxt_probe_task_fork(void *data, struct task_struct *parent, struct task_struct *child);
void FXT_PROBE_EXIT(fxt_probe_task_exit);
void fxt_probe_task_priority(void *data, struct task_struct *p, struct task_struct *donor);

#endif /* FXT_KMOD_TASK_EVENTS_H */
