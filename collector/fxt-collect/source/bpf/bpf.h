/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf.h - what the BPF source can do beyond source.h.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_H
#define FXT_COLLECT_SOURCE_BPF_H

#include <stdbool.h>

/**
 * source_bpf_verbose() - let the loader tell what it does, on standard error
 * @on: true for all it has to say, the verifier's log of a refused program
 *	included; false, the default, for nothing
 *
 * Holds for all sources that are opened afterwards.
 */
void source_bpf_verbose(bool on);

#endif /* FXT_COLLECT_SOURCE_BPF_H */
