/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - let the BPF programs turn interrupts off, where the kernel has functions for it.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_MASK_H
#define FXT_COLLECT_SOURCE_BPF_MASK_H

#include <stdbool.h>
#include <stddef.h>

struct kernel_types;
struct patch;

/**
 * struct mask_functions - BTF ids of the kernel's functions
 * @save: bpf_local_irq_save()
 * @restore: bpf_local_irq_restore()
 */
struct mask_functions {
	int save;
	int restore;
};

/** mask_find() - find them (Linux 6.14 and later); false if the kernel lacks them */
bool mask_find(struct mask_functions *f, const struct kernel_types *t);

#define MASK_PATCHES	2

/** mask_patches() - what to replace in the programs; return: how many, MASK_PATCHES */
size_t mask_patches(struct patch *patches, const struct mask_functions *f);

#endif /* FXT_COLLECT_SOURCE_BPF_MASK_H */
