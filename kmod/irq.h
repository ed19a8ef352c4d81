/* SPDX-License-Identifier: GPL-2.0 */
/*
 * irq.h - the probes of hard interrupts.
 */
#ifndef FXT_KMOD_IRQ_H
#define FXT_KMOD_IRQ_H

struct irqaction;

typedef void fxt_handler_entry(void *data, int irq, struct irqaction *action);
typedef void fxt_handler_exit(void *data, int irq, struct irqaction *action, int ret);
typedef void fxt_vector_probe(void *data, int vector);

typedef void fxt_ipi_handler_probe(void *data, const char *reason);

void fxt_vector_headers_fill(void);

fxt_handler_entry fxt_probe_handler_entry_slow, fxt_probe_handler_entry_boot;
fxt_handler_entry fxt_probe_handler_entry_mono, fxt_probe_handler_entry_tsc;
fxt_handler_exit fxt_probe_handler_exit_slow, fxt_probe_handler_exit_boot;
fxt_handler_exit fxt_probe_handler_exit_mono, fxt_probe_handler_exit_tsc;
fxt_vector_probe fxt_probe_vector_entry_slow, fxt_probe_vector_entry_boot;
fxt_vector_probe fxt_probe_vector_entry_mono, fxt_probe_vector_entry_tsc;
fxt_vector_probe fxt_probe_vector_exit_slow, fxt_probe_vector_exit_boot;
fxt_vector_probe fxt_probe_vector_exit_mono, fxt_probe_vector_exit_tsc;
fxt_ipi_handler_probe fxt_probe_ipi_entry, fxt_probe_ipi_exit;

#endif /* FXT_KMOD_IRQ_H */
