/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own counts of interrupts and idle states. */
#ifndef SELFTESTS_EVENTS_COUNTS_H
#define SELFTESTS_EVENTS_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

#define COUNTS_LINES	256

struct counts_line {
	char name[16];	/* the text before the colon */
	char text[128];	/* the text after the counts */
	bool is_irq;	/* it is an interrupt with a number */
	uint64_t of[MAX_CPUS];	/* the counts, by CPU */
};

struct counts_file {
	unsigned int cpus;	/* number of CPUs */
	size_t count;	/* number of lines */
	struct counts_line lines[COUNTS_LINES];	/* the lines */
};

struct counts_bracket {
	struct counts_file before;
	struct counts_file began;
	struct counts_file ends;
	struct counts_file after;
};

#define counts_for_each_line(file, line)					\
	for (line = (file)->lines; line < (file)->lines + (file)->count; line++)

/* of /proc/interrupts or /proc/softirqs; empty if it cannot be read */
void counts_read_file(struct counts_file *file, const char *path);

/* how often idle states were used; empty if the machine has none */
void counts_read_idle(struct counts_file *file);

/* the growth of a count; 0 if no count has that name */
uint64_t counts_between(const struct counts_file *from, const struct counts_file *to,
			const char *name, uint32_t cpu);

/* number of handlers of an interrupt, at least 1 */
uint64_t counts_handlers(const struct counts_file *file, const char *name);

#endif /* SELFTESTS_EVENTS_COUNTS_H */
