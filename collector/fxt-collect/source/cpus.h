/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus.h - the CPUs of this machine.
 */
#ifndef FXT_COLLECT_SOURCE_CPUS_H
#define FXT_COLLECT_SOURCE_CPUS_H

#include <stdbool.h>

#include "source.h"

/** struct cpus - a set of CPUs */
struct cpus {
	bool has[MAX_CPUS];	/* by number: the CPU is in the set */
	unsigned int count;	/* number of CPUs */
	unsigned int end;	/* the largest number, plus 1 */
};

/**
 * cpus_read() - read a set of CPUs
 * @name: "possible", "present" or "online"
 * @cpus: set to the CPUs; empty if unreadable
 */
void cpus_read(const char *name, struct cpus *cpus);

#endif /* FXT_COLLECT_SOURCE_CPUS_H */
