// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * patch.c - see patch.h.
 *
 * In: programs with marks. Out: the same with other numbers in their place.
 *
 * The marks are in programs only: libbpf adds the functions that they call when it loads them.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "patch.h"

/* An instruction that loads 64 bits takes the place of two; the program has both. */
static bool has_mark(const struct bpf_insn *insn, const struct patch *p)
{
	return insn->code == p->code && !insn->src_reg && insn->imm == (int32_t)p->mark &&
	       (p->code != PATCH_LOAD || insn[1].imm == (int32_t)(p->mark >> 32));
}

static bool patch(struct bpf_insn *insn, const struct patch *p)
{
	if (!has_mark(insn, p))
		return false;
	insn->src_reg = p->src_reg;
	insn->imm = p->imm;
	if (p->code == PATCH_LOAD)
		insn[1].imm = 0;
	return true;
}

int patch_program(struct bpf_program *prog, const struct patch *patches, size_t count)
{
	size_t insn_count = bpf_program__insn_cnt(prog), i, j;
	struct bpf_insn *insns = calloc(insn_count, sizeof(*insns));
	bool is_used = false;
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), insn_count * sizeof(*insns));
	for (i = 0; i < insn_count; i++)
		for (j = 0; j < count; j++)
			is_used |= patch(insns + i, patches + j);
	err = is_used ? bpf_program__set_insns(prog, insns, insn_count) : 0;
	free(insns);
	return err;
}
