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

#include "bpf/config.h"
#include "bpf/frames.h"
#include "source/source.h"

struct lessons;

/** struct frame_seen - what lessons show about a return address */
struct frame_seen {
	uint64_t address;	/* 0: nothing */
	uint32_t size;	/* words to the next return address */
	uint32_t times;	/* lessons */
	bool has_size;	/* all of them say @size */
	bool is_at_end;	/* in all of them the next return address was the stack's last word */
	bool is_last;	/* in all of them it was the last word itself, and there was no next one */
	uint32_t shown;	/* FXT_BPF_FRAME_SHOWN, FXT_BPF_FRAME_HIDDEN or 0 */
};

/** struct frame_learner - what was learned */
struct frame_learner {
	struct frame_seen seen[FXT_BPF_FRAMES];	/* as in the table */
	uint64_t *table;		/* of the programs */
	uint64_t running;		/* where programs on sched_waking are called; 0: unknown */
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

/** struct lessons_config - source of lessons, and the tables to fill */
struct lessons_config {
	int fd;			/* of the map with the lessons */
	unsigned int cpus;	/* of the map */
	unsigned int depth;	/* maximum frames of a lesson */
	uint64_t *table;	/* of the programs */
	uint64_t *running;	/* likewise: where programs on sched_waking are called */
	const struct fxt_bpf_stack_checks *checks;	/* likewise: what they have found wrong */
};

/** lessons_open() - map the lessons; NULL on error, and then nothing is learned */
struct lessons *lessons_open(const struct lessons_config *c);

/** lessons_learn() - learn from new lessons of the programs; NULL is ignored */
void lessons_learn(struct lessons *l);

/* Compare the stacks that the programs walked with the kernel's; none for NULL. */
struct stack_checks lessons_checks(const struct lessons *l);

void lessons_close(struct lessons *l);

#endif /* FXT_COLLECT_SOURCE_BPF_FRAMES_H */
