/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ipi.h - the probes of interrupts of other CPUs.
 */
#ifndef FXT_KMOD_IPI_H
#define FXT_KMOD_IPI_H

struct cpumask;

void fxt_probe_ipi_cpu(void *data, unsigned int cpu, unsigned long site, void *function);
void fxt_probe_ipi_mask(void *data, const struct cpumask *cpus, unsigned long site,
			void *function);

#endif /* FXT_KMOD_IPI_H */
