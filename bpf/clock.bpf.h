/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.bpf.h - the time in ticks.
 *
 * Context: any.
 */
#ifndef BPF_CLOCK_BPF_H
#define BPF_CLOCK_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "constants.h"

const volatile __u32 clock_kind;	/* enum fxt_bpf_clock */

static __always_inline __u64 clock_now(void)
{
	if (clock_kind == FXT_BPF_CLOCK_MONO)
		return bpf_ktime_get_ns();
	return bpf_ktime_get_boot_ns();
}

/* The same without loading the kind, for use in programs, not in functions that they call. */
static __u64 (*const clock_now_inline)(void) = (void *)FXT_BPF_MARK_CLOCK;

#endif /* BPF_CLOCK_BPF_H */
