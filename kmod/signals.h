/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals.h - the probes of signals.
 */
#ifndef FXT_KMOD_SIGNALS_H
#define FXT_KMOD_SIGNALS_H

struct k_sigaction;
struct kernel_siginfo;
struct task_struct;

void fxt_probe_signal_generate(void *data, int signal, struct kernel_siginfo *info,
			       struct task_struct *target, int group, int result);
void fxt_probe_signal_deliver(void *data, int signal, struct kernel_siginfo *info,
			      struct k_sigaction *action);

#endif /* FXT_KMOD_SIGNALS_H */
