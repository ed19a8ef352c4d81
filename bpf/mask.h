/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * mask.h - what the BPF programs and source_bpf share about turning interrupts off.
 */
#ifndef BPF_MASK_H
#define BPF_MASK_H

/*
 * Numbers of helpers that do not exist. User space replaces them in the programs by the kernel's
 * functions bpf_local_irq_save() and bpf_local_irq_restore(). If the kernel lacks these, the
 * verifier removes the calls.
 */
#define FXT_BPF_MASK_SAVE	0x66787473
#define FXT_BPF_MASK_RESTORE	0x66787472

#endif /* BPF_MASK_H */
