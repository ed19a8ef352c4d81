/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus.h - the CPUs of this machine.
 */
#ifndef FXT_COLLECT_SOURCE_CPUS_H
#define FXT_COLLECT_SOURCE_CPUS_H

#include <stdbool.h>

#include "source.h"

/**
 * struct cpus - a set of CPUs
 * @has: by number: the CPU is in the set
 * @count: number of CPUs
 * @end: the largest number, plus 1
 */
struct cpus {
	bool has[MAX_CPUS];
	unsigned int count;
	unsigned int end;
};

/**
 * cpus_read() - read a set of CPUs
 * @name: "possible", "present" or "online"
 * @cpus: set to the CPUs; empty if unreadable
 */
void cpus_read(const char *name, struct cpus *cpus);

#endif /* FXT_COLLECT_SOURCE_CPUS_H */
