/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lessons.h - take the lessons of all CPUs, for frames.h.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_LESSONS_H
#define FXT_COLLECT_SOURCE_BPF_LESSONS_H

#include <stdint.h>

#include "bpf/stack_config.h"
#include "source/source.h"

struct lessons;

/**
 * struct lessons_config - of whom to learn, and what for
 * @fd: of the map with the lessons
 * @cpus: of the map
 * @depth: the most frames that a lesson can have
 * @table: of the programs
 * @running: likewise: where programs on sched_waking are called
 * @checks: likewise: what they have found wrong
 */
struct lessons_config {
	int fd;
	unsigned int cpus;
	unsigned int depth;
	uint64_t *table;
	uint64_t *running;
	const struct fxt_bpf_stack_checks *checks;
};

/** lessons_open() - map the lessons; NULL on error, and then nothing is learned */
struct lessons *lessons_open(const struct lessons_config *c);

/** lessons_learn() - learn what the programs gave since; NULL is ignored */
void lessons_learn(struct lessons *l);

/** lessons_checks() - are the stacks that the programs walked as the kernel's? none of NULL */
struct stack_checks lessons_checks(const struct lessons *l);
void lessons_close(struct lessons *l);

#endif /* FXT_COLLECT_SOURCE_BPF_LESSONS_H */
