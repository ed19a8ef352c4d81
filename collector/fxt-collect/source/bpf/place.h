/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - create the rings, and put their address into the BPF programs.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_PLACE_H
#define FXT_COLLECT_SOURCE_BPF_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct patch;

/** place_create() - create the rings of that many CPUs for a map that is not loaded yet */
int place_create(struct bpf_map *map, unsigned int cpus);

#define PLACE_PATCHES	3

/**
 * place_patches() - what to replace in the programs
 * @patches: filled in
 * @map: the rings
 * @cpus: as for place_create()
 * @fast: for FXT_BPF_FAST_MARK
 *
 * Return: how many, PLACE_PATCHES.
 */
size_t place_patches(struct patch *patches, const struct bpf_map *map, unsigned int cpus,
		     uint32_t fast);

#endif /* FXT_COLLECT_SOURCE_BPF_PLACE_H */
