/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ran.h - what ran in the parts of windows, by samples.
 *
 * In: a history, the parts of windows.
 * Out: functions and stacks with the samples in these parts: of a thread of the chain while it ran,
 * and of whoever had the CPU that such a thread wanted. A sample counts once for each window.
 *
 * A part takes the time of a search. A sum takes time that is linear in the samples of each CPU
 * between the first and the last one that count, and in the pairs of threads and stacks with
 * samples.
 */
#ifndef FXT_WHY_RAN_H
#define FXT_WHY_RAN_H

#include "path.h"

enum why_ran_kind {
	WHY_RAN_CHAIN,		/* it is in the chain */
	WHY_RAN_CPU,		/* it had the CPU that a thread of the chain wanted */
	WHY_RAN_KINDS
};

/* A function of threads of one name; times and counts are those of samples. */
struct why_ran_row {
	struct map_node node;
	enum why_ran_kind kind;
	const char *thread;	/* the name */
	const char *function;	/* its name, or an address */
	uint64_t self_ns;	/* while it is the innermost function */
	uint64_t self_count;
	uint64_t ns;
	uint64_t count;
	uint32_t stack;		/* private: 1 + number of the last stack that counts */
};

/* The innermost function that most samples of a thread have. */
struct why_ran_top {
	const char *function;
	uint64_t count;		/* of these samples */
	uint64_t all;		/* of all samples of the thread */
};

struct why_ran;

/*
 * Prepare sums. @only_awaited: the window's thread counts only while another one wanted its CPU.
 * Returns NULL if the history has no samples, which all functions below accept.
 */
struct why_ran *why_ran_open(const struct history *h, bool only_awaited);
void why_ran_close(struct why_ran *r);

/* Add a part. @count: how many had the CPU, as passed to a why_part_fn */
void why_ran_add(struct why_ran *r, const struct why_part *p, size_t count);

/* Sum up the parts added since the last sum, whose rows are freed. */
void why_ran_sum(struct why_ran *r);

struct why_ran_list {
	struct why_ran_row **rows;	/* those of most time first */
	size_t row_count;
	uint64_t count;			/* of samples */
	uint64_t ns;			/* their weight */
};

/* The rows of a kind in the sum. */
struct why_ran_list why_ran_list(const struct why_ran *r, enum why_ran_kind kind);

/* Of the samples of a thread in the sum. Returns false if it has none. */
bool why_ran_top(const struct why_ran *r, uint32_t thread, enum why_ran_kind kind,
		 struct why_ran_top *top);

/* What threads of one name ran. */
struct why_ran_stack {
	const char *thread;	/* the name */
	const struct fxt_call_stack *stack;	/* from sched_functions() */
	uint64_t ns;
};

/* A new list of the stacks of a kind in the sum, by name and then in the order of the archive. */
struct why_ran_stack *why_ran_stacks(const struct why_ran *r, enum why_ran_kind kind, size_t *count);

#endif /* FXT_WHY_RAN_H */
