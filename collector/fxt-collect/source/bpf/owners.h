/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners.h - a program on each CPU, in an interrupt: who has the CPU, and a fence.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_OWNERS_H
#define FXT_COLLECT_SOURCE_BPF_OWNERS_H

#include <stdbool.h>

#include "source/source.h"

struct fxt_bpf_owner;

/**
 * struct owners - the program that sees who has a CPU
 * @prog: its descriptor
 * @seen: what it has seen last, in shared memory
 */
struct owners {
	int prog;
	const struct fxt_bpf_owner *seen;
};

/**
 * owners_keep() - what running the program takes later
 * @o: the program
 *
 * Return: of enum privilege_keep; none if this kernel cannot run it on a chosen CPU.
 */
unsigned int owners_keep(struct owners *o);

/** owners_see() - implements source_ops.marks() */
void owners_see(const struct owners *o, source_take_mark take, void *arg);

/**
 * owners_fence() - interrupt each online CPU once
 * @o: the program
 *
 * Afterwards, programs that had interrupts off have ended, and what they have stored is visible.
 * All others, wherever they were interrupted or preempted, see what the caller has stored before,
 * in all they load from then on; and what they had stored is visible. It takes 5 us for each CPU,
 * however busy it is. Where the kernel cannot run the program on a chosen CPU (before Linux 5.10),
 * it waits for a grace period instead.
 */
void owners_fence(const struct owners *o);

#endif /* FXT_COLLECT_SOURCE_BPF_OWNERS_H */
