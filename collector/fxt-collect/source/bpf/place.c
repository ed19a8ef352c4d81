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
#include <stdint.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "bpf/rings.h"
#include "patch.h"
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

size_t place_patches(struct patch *patches, const struct bpf_map *map, unsigned int cpus,
		     uint32_t fast)
{
	patches[0] = (struct patch){ FXT_BPF_RINGS_MARK, PATCH_LOAD, BPF_PSEUDO_MAP_VALUE,
				     bpf_map__fd(map) };
	patches[1] = (struct patch){ FXT_BPF_CPUS_MARK, PATCH_AND, 0, rings_of(cpus) - 1 };
	patches[2] = (struct patch){ FXT_BPF_FAST_MARK, PATCH_MOVE, 0, fast };
	return PLACE_PATCHES;
}
