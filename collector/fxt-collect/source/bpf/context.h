/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - how the BPF programs find the interrupt context of a CPU.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_CONTEXT_H
#define FXT_COLLECT_SOURCE_BPF_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/context.h"

struct bpf_program;
struct kernel_types;

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

/**
 * context_put_variable() - patch the reference to the variable into a program
 * @prog: not loaded yet; unchanged if it does not use the variable
 * @variable: context_place.variable
 *
 * Return: 0 or a negative errno.
 */
int context_put_variable(struct bpf_program *prog, int variable);

/**
 * context_is_sane() - does a program read a plausible preempt count?
 * @fd: the loaded program, which returns the value
 */
bool context_is_sane(int fd);

#endif /* FXT_COLLECT_SOURCE_BPF_CONTEXT_H */
