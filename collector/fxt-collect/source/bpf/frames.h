/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - learn the sizes of the kernel's frames, for programs that walk stacks.
 *
 * In:  lessons (bpf/frames.h).
 * Out: the table that the programs walk with.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_FRAMES_H
#define FXT_COLLECT_SOURCE_BPF_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/frames.h"
#include "bpf/stack_config.h"
#include "source/source.h"

struct lessons;

/**
 * struct frame_seen - what lessons show about a return address
 * @address: 0: nothing
 * @size: words to the next return address
 * @times: lessons
 * @has_size: all of them say @size
 * @is_at_end: in all of them the next return address was the stack's last word
 * @is_last: in all of them it was the last word itself, and there was no next one
 * @shown: FXT_BPF_FRAME_SHOWN, FXT_BPF_FRAME_HIDDEN or 0
 */
struct frame_seen {
	uint64_t address;
	uint32_t size;
	uint32_t times;
	bool has_size;
	bool is_at_end;
	bool is_last;
	uint32_t shown;
};

/**
 * struct frame_learner - what was learned
 * @seen: as in the table
 * @table: of the programs
 * @running: where programs on sched_waking are called; 0: unknown
 */
struct frame_learner {
	struct frame_seen seen[FXT_BPF_FRAMES];
	uint64_t *table;
	uint64_t running;
};

/**
 * frames_learn() - learn from one lesson
 * @depth: maximum frames of a lesson
 *
 * A return address is in the table only after several lessons that agree, and no longer after
 * one that does not. A return address that is on a stack twice teaches nothing, because one
 * of them is an old one.
 */
void frames_learn(struct frame_learner *l, const struct fxt_bpf_lesson *lesson,
		  unsigned int depth);

/* --- lessons ---------------------------------------------------------------------------- */

/**
 * struct lessons_config - source of lessons, and the tables to fill
 * @fd: of the map with the lessons
 * @cpus: of the map
 * @depth: maximum frames of a lesson
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

/** lessons_learn() - learn from new lessons of the programs; NULL is ignored */
void lessons_learn(struct lessons *l);

/**
 * lessons_checks() - compare the stacks that the programs walked with the kernel's; none for NULL
 */
struct stack_checks lessons_checks(const struct lessons *l);

void lessons_close(struct lessons *l);

#endif /* FXT_COLLECT_SOURCE_BPF_FRAMES_H */
