// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mask.c - see mask.h.
 *
 * In: the kernel's types. Out: calls in the programs, for bpf/mask.bpf.h.
 *
 * The calls are patched, because libbpf would read all types of the kernel for them
 * (see types.h).
 */
#include <linux/bpf.h>

#include "bpf/mask.h"
#include "mask.h"
#include "patch.h"
#include "types.h"

bool mask_find(struct mask_functions *f, const struct kernel_types *t)
{
	f->save = kernel_types_function(t, "bpf_local_irq_save");
	f->restore = kernel_types_function(t, "bpf_local_irq_restore");
	return f->save > 0 && f->restore > 0;
}

size_t mask_patches(struct patch *patches, const struct mask_functions *f)
{
	patches[0] = (struct patch){ FXT_BPF_MASK_SAVE, PATCH_CALL, BPF_PSEUDO_KFUNC_CALL,
				     f->save };
	patches[1] = (struct patch){ FXT_BPF_MASK_RESTORE, PATCH_CALL, BPF_PSEUDO_KFUNC_CALL,
				     f->restore };
	return MASK_PATCHES;
}
