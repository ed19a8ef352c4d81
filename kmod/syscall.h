/* SPDX-License-Identifier: GPL-2.0 */
/*
 * syscall.h - the probes of system calls.
 */
#ifndef FXT_KMOD_SYSCALL_H
#define FXT_KMOD_SYSCALL_H

struct pt_regs;

void fxt_probe_syscall_enter(void *data, struct pt_regs *regs, long nr);
void fxt_probe_syscall_exit(void *data, struct pt_regs *regs, long ret);

#endif /* FXT_KMOD_SYSCALL_H */
