/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - the causes of one window as a tree: what the thread waited for, and what that waited
 * for.
 *
 * In: the parts of the window.
 * Out: nodes. The children of a thread are its own causes and the threads that it slept for; their
 * times add up to its time. Memory is bounded: if a chain is too long, or has too many threads, one
 * node stands for the rest.
 */
#ifndef FXT_WHY_TREE_H
#define FXT_WHY_TREE_H

#include "account/tape.h"
#include "libfxt/map.h"
#include "path.h"

struct why_node {
	struct map_node node;
	struct why_node *parent;
	bool is_thread;		/* the thread above slept until thread @by.id woke it */
	bool is_held;		/* the thread slept for a lock that @by.id held */
	bool is_released;	/* the thread slept for a lock, for which @by.id woke it */
	bool is_futex;		/* @by.id woke the thread through a futex that need not be a lock */
	bool is_rest;		/* threads that are not listed one by one; has no children */
	uint8_t cause;		/* unless @is_thread, with @detail and @by, one of those who had the CPU */
	uint8_t detail;
	struct why_by by;	/* its ns are those of all parts */
	uint32_t lock;		/* 1 + id of the lock that the thread above slept for; 0: unknown */
	uint32_t holder;	/* unless @is_thread: 1 + id of who held @lock; 0: unknown */
	uint16_t cpu;		/* of the longest part */
	uint64_t longest;	/* ns */
	uint32_t turn;		/* of the longest part; of a thread: that its wakeup began; 0: none */
	/* 1 + id of the reclaim or compaction in which the thread above slept; 0: none */
	uint32_t asleep_in;
	struct history_memory memory;	/* unless it slept: of the thread above */
	unsigned int depth;
	uint32_t crowd;		/* number of threads that the node stands for, if they are many */
	uint64_t most;		/* ns of the one with most time */
	struct why_node **children;	/* sorted by time after why_tree_finish() */
	size_t count;
};

/* Begins with why_tree_open(), ends with why_tree_close(). */
struct why_tree {
	struct map map;
	struct why_node *root;	/* the window's thread */
	size_t count;
	struct tape of_links;	/* nodes by number of the walk's links */
};

void why_tree_open(struct why_tree *t, uint32_t thread);

/* Adds a part to the struct why_tree at @arg. */
why_part_fn why_tree_add;

/* Combine crowds, and sort the children of each node by time, longest first. */
void why_tree_finish(struct why_tree *t);
void why_tree_close(struct why_tree *t);

#endif /* FXT_WHY_TREE_H */
