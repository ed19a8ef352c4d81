/* SPDX-License-Identifier: GPL-2.0 */
/*
 * work.h - the probes of work items.
 */
#ifndef FXT_KMOD_WORK_H
#define FXT_KMOD_WORK_H

#include <linux/workqueue.h>

void fxt_probe_work_start(void *data, struct work_struct *work);
void fxt_probe_work_end(void *data, struct work_struct *work, work_func_t function);

#endif /* FXT_KMOD_WORK_H */
