/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - the thread that runs on a CPU, where switches contradict one another.
 */
#ifndef FXT_SCHED_CHAIN_H
#define FXT_SCHED_CHAIN_H

#include "data.h"

/** sched_leave_unknown() - nobody knows what has become of the thread that had come in */
void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu);

/**
 * sched_break_chain() - who goes out is not who had come in, or nobody knows who had
 *
 * Return: who goes out, or NULL: m->error.
 */
struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
	__attribute__((cold, noinline));

#endif /* FXT_SCHED_CHAIN_H */
