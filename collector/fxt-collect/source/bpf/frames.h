/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - learns the sizes of the kernel's frames from lessons (bpf/frames.h), and fills the
 * table by which the programs walk stacks.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_FRAMES_H
#define FXT_COLLECT_SOURCE_BPF_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/config.h"
#include "bpf/frames.h"
#include "source/source.h"

struct lessons;

/* What lessons show about a return address. */
struct frame_seen {
	uint64_t address;	/* 0: nothing */
	uint32_t size;		/* words to the next return address */
	uint32_t times;		/* lessons */
	bool has_size;		/* all of them say @size */
	bool is_at_end;		/* in all, the next return address was the stack's last word */
	bool is_last;		/* in all, it was the last word itself, and there was no next one */
	uint32_t shown;		/* FXT_BPF_FRAME_SHOWN, FXT_BPF_FRAME_HIDDEN or 0 */
};

struct frame_learner {
	struct frame_seen seen[FXT_BPF_FRAMES];	/* as in the table */
	uint64_t *table;		/* of the programs */
	uint64_t running;		/* where programs on sched_waking are called; 0: unknown */
};

/**
 * frames_learn() - learn from one lesson of at most @depth frames
 *
 * The table has a return address only after several lessons that agree, and until one does not. An
 * address that is on a stack twice teaches nothing, because one of them is an old one.
 */
void frames_learn(struct frame_learner *l, const struct fxt_bpf_lesson *lesson,
		  unsigned int depth);

/* --- lessons ---------------------------------------------------------------------------- */

struct lessons_config {
	int fd;			/* of the map with the lessons */
	unsigned int cpus;	/* of the map */
	unsigned int depth;	/* maximum frames of a lesson */
	uint64_t *table;	/* of the programs */
	uint64_t *running;	/* likewise: where programs on sched_waking are called */
	const struct fxt_bpf_stack_checks *checks;	/* likewise: what they have found wrong */
};

/* Map the lessons. Return: NULL on error; then nothing is learned */
struct lessons *lessons_open(const struct lessons_config *c);

/* Learn from new lessons; NULL is ignored. */
void lessons_learn(struct lessons *l);

/* How often the programs' stacks differed from the kernel's; zeros for NULL. */
struct stack_checks lessons_checks(const struct lessons *l);

void lessons_close(struct lessons *l);

#endif /* FXT_COLLECT_SOURCE_BPF_FRAMES_H */
