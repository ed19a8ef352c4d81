/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - the thread that runs on a CPU when switches contradict one another.
 */
#ifndef FXT_SCHED_CHAIN_H
#define FXT_SCHED_CHAIN_H

#include "data.h"

/** sched_leave_unknown() - the state of the thread that was switched in is unknown now */
void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu);

/**
 * sched_break_chain() - another thread is switched out than was switched in, or the
 *	latter is unknown
 *
 * Return: the thread that is switched out, or NULL: m->error.
 */
struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
	__attribute__((cold, noinline));

#endif /* FXT_SCHED_CHAIN_H */
