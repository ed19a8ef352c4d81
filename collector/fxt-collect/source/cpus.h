/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpus.h - the CPUs of this machine. */
#ifndef FXT_COLLECT_SOURCE_CPUS_H
#define FXT_COLLECT_SOURCE_CPUS_H

#include <stdbool.h>

#include "source.h"

/* A set of CPUs. */
struct cpus {
	bool has[MAX_CPUS];	/* by number */
	unsigned int count;
	unsigned int end;	/* the largest number, plus 1 */
};

/* Read "possible", "present" or "online"; the set is empty if that is unreadable. */
void cpus_read(const char *name, struct cpus *cpus);

#endif /* FXT_COLLECT_SOURCE_CPUS_H */
