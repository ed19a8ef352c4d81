/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lifecycle.h - the probes of the events in the life of a thread.
 */
#ifndef FXT_KMOD_LIFECYCLE_H
#define FXT_KMOD_LIFECYCLE_H

#include <linux/types.h>

#include "compat.h"

struct linux_binprm;
struct task_struct;

void fxt_probe_fork(void *data, struct task_struct *parent, struct task_struct *child);
void fxt_probe_exec(void *data, struct task_struct *p, pid_t old_pid,
		    struct linux_binprm *bprm);
void fxt_probe_rename(void *data, struct task_struct *p, const char *comm);
void FXT_PROBE_EXIT(fxt_probe_exit);

#endif /* FXT_KMOD_LIFECYCLE_H */
