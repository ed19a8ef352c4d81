/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - how the BPF programs see in which interrupt a CPU is.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_CONTEXT_H
#define FXT_COLLECT_SOURCE_BPF_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/context.h"

struct bpf_program;
struct kernel_types;

/**
 * struct context_place - where the kernel's preempt count is
 * @kind: how programs get there
 * @distance: bytes, of FXT_BPF_CONTEXT_RUNQUEUE
 * @variable: its type's id, of FXT_BPF_CONTEXT_VARIABLE
 */
struct context_place {
	enum fxt_bpf_context kind;
	int64_t distance;
	int variable;
};

/**
 * context_find() - find the cheapest way that this kernel allows
 * @t: the kernel's types
 */
struct context_place context_find(const struct kernel_types *t);

/**
 * context_put_variable() - have a program refer to the variable
 * @prog: not loaded yet; nothing is done if it has no use for the variable
 * @variable: context_place.variable
 *
 * Return: 0 or a negative errno.
 */
int context_put_variable(struct bpf_program *prog, int variable);

/**
 * context_is_sane() - does a program find a preempt count where it looks for one?
 * @fd: the program, loaded, which returns what it found
 */
bool context_is_sane(int fd);

#endif /* FXT_COLLECT_SOURCE_BPF_CONTEXT_H */
