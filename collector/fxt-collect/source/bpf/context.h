/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - how the BPF programs find the interrupt context of a CPU.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_CONTEXT_H
#define FXT_COLLECT_SOURCE_BPF_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/context.h"

struct kernel_types;
struct patch;

/**
 * struct context_place - location of the kernel's preempt count
 * @kind: how programs access it
 * @distance: bytes, for FXT_BPF_CONTEXT_RUNQUEUE
 * @variable: its BTF id, for FXT_BPF_CONTEXT_VARIABLE
 */
struct context_place {
	enum fxt_bpf_context kind;
	int64_t distance;
	int variable;
};

/**
 * context_find() - find the cheapest access that this kernel allows
 * @t: the kernel's types
 */
struct context_place context_find(const struct kernel_types *t);

#define CONTEXT_PATCHES	1

/** context_patches() - what to replace in the programs; return: how many, or 0 */
size_t context_patches(struct patch *patches, const struct context_place *place);

/**
 * context_is_sane() - does a program read a plausible preempt count?
 * @fd: the loaded program, which returns the value
 */
bool context_is_sane(int fd);

#endif /* FXT_COLLECT_SOURCE_BPF_CONTEXT_H */
