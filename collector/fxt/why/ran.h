/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ran.h - what ran in the parts of windows, by samples.
 *
 * In: a history, the parts of windows.
 * Out: functions and stacks with the samples that lie in these parts: of a thread of the chain while
 * it ran, and of whoever had the CPU that a thread of the chain wanted. A sample counts once for each
 * window.
 *
 * A part takes the time of a search. A sum takes time that is linear in the samples between the
 * first and the last one of each CPU that count, and in the pairs of threads and stacks that the
 * history has samples of.
 */
#ifndef FXT_WHY_RAN_H
#define FXT_WHY_RAN_H

#include "path.h"

/* What a thread did that was sampled. */
enum why_ran_kind {
	WHY_RAN_CHAIN,		/* it is one of the chain */
	WHY_RAN_CPU,		/* it had the CPU that a thread of the chain wanted */
	WHY_RAN_KINDS
};

/** struct why_ran_row - a function of threads of one name; times and counts are those of samples */
struct why_ran_row {
	struct map_node node;
	enum why_ran_kind kind;
	const char *thread;	/* the name */
	const char *function;	/* its name, or an address */
	uint64_t self_ns;	/* it is the innermost function */
	uint64_t self_count;
	uint64_t ns;
	uint64_t count;
	uint32_t stack;		/* private: 1 + number of the last stack that counts */
};

/** struct why_ran_top - the innermost function that most samples of a thread have */
struct why_ran_top {
	const char *function;
	uint64_t count;		/* of these samples */
	uint64_t all;		/* of all samples of the thread */
};

struct why_ran;

/**
 * why_ran_open() - prepare sums
 * @only_awaited: what the thread of a window ran does not count, unless another one wanted its CPU
 *
 * Return: NULL if the history has no samples, which all functions below take.
 */
struct why_ran *why_ran_open(const struct history *h, bool only_awaited);
void why_ran_close(struct why_ran *r);

/** why_ran_add() - add a part. @count: how many had the CPU, as a why_part_fn gets it */
void why_ran_add(struct why_ran *r, const struct why_part *p, size_t count);

/** why_ran_sum() - sum up the parts that were added since the last sum, whose rows go */
void why_ran_sum(struct why_ran *r);

/** struct why_ran_list - of a kind */
struct why_ran_list {
	struct why_ran_row **rows;	/* those of most time first */
	size_t row_count;
	uint64_t count;			/* of samples */
	uint64_t ns;			/* what these weigh */
};

/** why_ran_list() - what the sum has of a kind */
struct why_ran_list why_ran_list(const struct why_ran *r, enum why_ran_kind kind);

/** why_ran_top() - of the samples of a thread in the sum. Return: false if it has none */
bool why_ran_top(const struct why_ran *r, uint32_t thread, enum why_ran_kind kind,
		 struct why_ran_top *top);

/** struct why_ran_stack - what threads of one name ran; @stack: of sched_functions() */
struct why_ran_stack {
	const char *thread;	/* the name */
	const struct fxt_call_stack *stack;
	uint64_t ns;
};

/**
 * why_ran_stacks() - a new list of the stacks that the sum has of a kind, by name and then in the
 * order of the archive
 */
struct why_ran_stack *why_ran_stacks(const struct why_ran *r, enum why_ran_kind kind, size_t *count);

#endif /* FXT_WHY_RAN_H */
