/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mask.bpf.h - turning interrupts off, if the kernel lets programs do that.
 */
#ifndef BPF_MASK_BPF_H
#define BPF_MASK_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "constants.h"

const volatile __u32 masks;		/* programs turn interrupts off */

/* Call a function of the kernel, which user space puts in place of @mark (source/bpf/load.c). */
#define CALL_KERNEL(mark, flags)						\
	asm volatile("r1 = %0; call %1"						\
		     : : "r"(flags), "i"(mark)					\
		     : "r0", "r1", "r2", "r3", "r4", "r5", "memory")

static __always_inline void mask_save(unsigned long *flags)
{
	if (masks)
		CALL_KERNEL(FXT_BPF_MARK_IRQ_SAVE, flags);
}

static __always_inline void mask_restore(unsigned long *flags)
{
	if (masks)
		CALL_KERNEL(FXT_BPF_MARK_IRQ_RESTORE, flags);
}

#endif /* BPF_MASK_BPF_H */
