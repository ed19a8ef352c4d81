// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place.c - see place.h.
 *
 * In: the number of CPUs. Out: a map with one element, which has a ring for each; its address in
 * the programs, for bpf/rings.bpf.h.
 *
 * The map is created here, because its descriptor must be known before libbpf loads the
 * programs.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "bpf/rings.h"
#include "place.h"

/* A power of two, so that a mask bounds the number of a CPU. */
static uint32_t rings_of(unsigned int cpus)
{
	uint32_t count = 1;

	while (count < cpus)
		count *= 2;
	return count;
}

int place_create(struct bpf_map *map, unsigned int cpus)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rings", sizeof(uint32_t),
				rings_of(cpus) * sizeof(struct fxt_ring), 1, &opts);
	int err;

	if (fd < 0)
		return fd;
	/* It keeps a descriptor of its own. */
	err = bpf_map__reuse_fd(map, fd);
	close(fd);
	return err;
}

static bool put_address(struct bpf_insn *insn, int map)
{
	if (insn[0].code != (BPF_LD | BPF_IMM | BPF_DW) || insn[0].src_reg ||
	    insn[0].imm != (int32_t)FXT_BPF_RINGS_MARK ||
	    insn[1].imm != (int32_t)(FXT_BPF_RINGS_MARK >> 32))
		return false;
	insn[0].src_reg = BPF_PSEUDO_MAP_VALUE;
	insn[0].imm = map;
	insn[1].imm = 0;
	return true;
}

static bool put_mask(struct bpf_insn *insn, int mask)
{
	if (insn->code != (BPF_ALU64 | BPF_AND | BPF_K) || insn->imm != FXT_BPF_CPUS_MARK)
		return false;
	insn->imm = mask;
	return true;
}

int place_put(struct bpf_program *prog, const struct bpf_map *map, unsigned int cpus)
{
	size_t count = bpf_program__insn_cnt(prog), i;
	struct bpf_insn *insns = calloc(count, sizeof(*insns));
	bool is_used = false;
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(prog), count * sizeof(*insns));
	for (i = 0; i + 1 < count; i++) {
		is_used |= put_address(insns + i, bpf_map__fd(map));
		is_used |= put_mask(insns + i, rings_of(cpus) - 1);
	}
	err = is_used ? bpf_program__set_insns(prog, insns, count) : 0;
	free(insns);
	return err;
}
