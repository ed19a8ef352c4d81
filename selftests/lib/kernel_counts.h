/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own counts of events, by CPU, from files of /proc. */
#ifndef SELFTESTS_KERNEL_COUNTS_H
#define SELFTESTS_KERNEL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "workload.h"

#define COUNT_ROWS	256

struct count_row {
	char name[16];	/* the text before the colon */
	char text[128];	/* the text after the counts; its last word is the last handler's name */
	uint64_t cpu[MAX_CPUS];
};

struct kernel_counts {
	uint64_t from;	/* CLOCK_BOOTTIME in ns before the file was read */
	uint64_t to;	/* CLOCK_BOOTTIME in ns after it was read */
	struct count_row rows[COUNT_ROWS];
	size_t count;
};

/* of "/proc/interrupts" or "/proc/softirqs"; -1 and no rows if it cannot be read */
int kernel_counts_read(struct kernel_counts *k, const char *path);

const struct count_row *kernel_counts_row(const struct kernel_counts *k, const char *name);

/* the growth of a count; 0 if no row has that name */
uint64_t kernel_counts_between(const struct kernel_counts *a, const struct kernel_counts *b,
			       const char *name, unsigned int cpu);

#endif /* SELFTESTS_KERNEL_COUNTS_H */
