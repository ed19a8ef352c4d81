/* SPDX-License-Identifier: GPL-2.0 */
/*
 * softirq.h - the probes of soft interrupts.
 */
#ifndef FXT_KMOD_SOFTIRQ_H
#define FXT_KMOD_SOFTIRQ_H

typedef void fxt_softirq_probe(void *data, unsigned int vector);

void fxt_softirq_headers_fill(void);

fxt_softirq_probe fxt_probe_softirq_entry_slow, fxt_probe_softirq_entry_boot;
fxt_softirq_probe fxt_probe_softirq_entry_mono, fxt_probe_softirq_entry_tsc;
fxt_softirq_probe fxt_probe_softirq_exit_slow, fxt_probe_softirq_exit_boot;
fxt_softirq_probe fxt_probe_softirq_exit_mono, fxt_probe_softirq_exit_tsc;

#endif /* FXT_KMOD_SOFTIRQ_H */
