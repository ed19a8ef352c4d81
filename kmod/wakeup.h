/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wakeup.h - the probes of sched_waking, sched_wakeup and sched_wakeup_new.
 */
#ifndef FXT_KMOD_WAKEUP_H
#define FXT_KMOD_WAKEUP_H

struct task_struct;

void fxt_probe_waking_slow(void *data, struct task_struct *p);
void fxt_probe_waking_fast(void *data, struct task_struct *p);
void fxt_probe_wakeup_slow(void *data, struct task_struct *p);
void fxt_probe_wakeup_boot(void *data, struct task_struct *p);
void fxt_probe_wakeup_mono(void *data, struct task_struct *p);
void fxt_probe_wakeup_tsc(void *data, struct task_struct *p);
void fxt_probe_wakeup_new(void *data, struct task_struct *p);

#endif /* FXT_KMOD_WAKEUP_H */
