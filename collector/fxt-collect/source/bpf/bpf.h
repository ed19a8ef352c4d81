/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf.h - what the BPF source can do beyond source.h.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_H
#define FXT_COLLECT_SOURCE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

/* --- the source ------------------------------------------------------------------------- */

/**
 * source_bpf_verbose() - print the loader's messages on standard error
 * @on: true for all messages, including the verifier's log of a rejected program; false
 *	(the default) for none
 *
 * Applies to all sources opened afterwards.
 */
void source_bpf_verbose(bool on);

#endif /* FXT_COLLECT_SOURCE_BPF_H */
