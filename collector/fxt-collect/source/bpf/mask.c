// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mask.c - see mask.h.
 *
 * In: the kernel's types. Out: calls in the programs, for bpf/mask.bpf.h.
 *
 * The calls are patched here, because libbpf would read all types of the kernel for them
 * (see types.h).
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/mask.h"
#include "mask.h"
#include "types.h"

bool mask_find(struct mask_functions *f, const struct kernel_types *t)
{
	f->save = kernel_types_function(t, "bpf_local_irq_save");
	f->restore = kernel_types_function(t, "bpf_local_irq_restore");
	return f->save > 0 && f->restore > 0;
}

static bool put_call(struct bpf_insn *insn, int mark, int function)
{
	if (insn->code != (BPF_JMP | BPF_CALL) || insn->src_reg || insn->imm != mark)
		return false;
	insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn->imm = function;
	return true;
}

int mask_put(struct bpf_program *prog, const struct mask_functions *f)
{
	size_t count = bpf_program__insn_cnt(prog), i;
	struct bpf_insn *insns = calloc(count, sizeof(*insns));
	bool is_used = false;
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), count * sizeof(*insns));
	for (i = 0; i < count; i++) {
		is_used |= put_call(insns + i, FXT_BPF_MASK_SAVE, f->save);
		is_used |= put_call(insns + i, FXT_BPF_MASK_RESTORE, f->restore);
	}
	err = is_used ? bpf_program__set_insns(prog, insns, count) : 0;
	free(insns);
	return err;
}
