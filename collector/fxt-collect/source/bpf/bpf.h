/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bpf.h - what the BPF source can do beyond source.h. */
#ifndef FXT_COLLECT_SOURCE_BPF_H
#define FXT_COLLECT_SOURCE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

/*
 * Print all of libbpf's messages, with the verifier's log of a rejected program, on standard error;
 * default: none. Applies to sources opened afterwards.
 */
void source_bpf_verbose(bool on);

#endif /* FXT_COLLECT_SOURCE_BPF_H */
