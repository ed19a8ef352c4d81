/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_bpf.h - what the BPF source can do beyond source.h.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_H
#define FXT_COLLECT_SOURCE_BPF_H

#include <stdbool.h>
#include <stdint.h>

struct source;

/**
 * source_bpf_verbose() - let the loader tell what it does, on standard error
 * @on: true for all it has to say, the verifier's log of a refused program
 *	included; false, the default, for nothing
 *
 * Holds for all sources that are opened afterwards.
 */
void source_bpf_verbose(bool on);

/**
 * source_bpf_skipped() - events that the kernel did not show to the programs
 * @s: a source of source_bpf
 *
 * The kernel skips a program that it would have to run inside itself: a thread
 * wakes itself with interrupts on, and an interrupt wakes another right then.
 * No stream's counts include these events. Kernels before 5.12 do not tell.
 *
 * Return: their number since open.
 */
uint64_t source_bpf_skipped(struct source *s);

#endif /* FXT_COLLECT_SOURCE_BPF_H */
