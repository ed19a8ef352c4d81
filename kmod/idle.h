/* SPDX-License-Identifier: GPL-2.0 */
/*
 * idle.h - the probes of idle states.
 */
#ifndef FXT_KMOD_IDLE_H
#define FXT_KMOD_IDLE_H

#include <linux/types.h>

typedef void fxt_idle_probe(void *data, unsigned int state, unsigned int cpu);

fxt_idle_probe fxt_probe_idle_slow, fxt_probe_idle_boot;
fxt_idle_probe fxt_probe_idle_mono, fxt_probe_idle_tsc;
void fxt_probe_idle_miss(void *data, unsigned int cpu, unsigned int state, bool below);

#endif /* FXT_KMOD_IDLE_H */
