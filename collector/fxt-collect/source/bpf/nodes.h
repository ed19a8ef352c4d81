/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - on which NUMA nodes the memory of the maps is.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_NODES_H
#define FXT_COLLECT_SOURCE_BPF_NODES_H

#include <stdbool.h>

/**
 * nodes_spread() - let the kernel take this thread's memory from all nodes in turn
 *
 * The kernel takes a map's memory when the map is created, from the node of the thread that
 * creates it. The buffers of all CPUs are one map. On one node they would load its memory with
 * the stores of all CPUs, and might not fit there.
 *
 * Return: true if that is so until nodes_gather(); false if there is one node only, or if the
 * user has chosen nodes, as with numactl(8).
 */
bool nodes_spread(void);

/** nodes_gather() - undo nodes_spread() */
void nodes_gather(void);

#endif /* FXT_COLLECT_SOURCE_BPF_NODES_H */
