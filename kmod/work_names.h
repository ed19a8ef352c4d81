/* SPDX-License-Identifier: GPL-2.0 */
/*
 * work_names.h - the names of work items' functions.
 */
#ifndef FXT_KMOD_WORK_NAMES_H
#define FXT_KMOD_WORK_NAMES_H

#include <linux/workqueue.h>

#include <fxt/fxt_sched_event.h>

struct fxt_work_names;

struct fxt_work_names *fxt_work_names_new(void);
void fxt_work_names_free(struct fxt_work_names *names);
const struct fxt_sched_label *fxt_work_name(struct fxt_work_names *names, work_func_t function,
					    struct fxt_sched_label *room);

#endif /* FXT_KMOD_WORK_NAMES_H */
