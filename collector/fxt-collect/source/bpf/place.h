/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - create the rings, and put their address into the BPF programs.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_PLACE_H
#define FXT_COLLECT_SOURCE_BPF_PLACE_H

struct bpf_map;
struct bpf_program;

/** place_create() - create the rings of that many CPUs for a map that is not loaded yet */
int place_create(struct bpf_map *map, unsigned int cpus);

/** place_put() - put their address into a program that is not loaded yet */
int place_put(struct bpf_program *prog, const struct bpf_map *map, unsigned int cpus);

#endif /* FXT_COLLECT_SOURCE_BPF_PLACE_H */
