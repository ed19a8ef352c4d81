/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - the causes of one window as a tree: what the thread waited for, and what that waited
 * for.
 *
 * In: the parts of the window.
 * Out: nodes. The children of a thread are its own causes and the threads that it slept for; their
 * times add up to its time. Threads in long chains, or too many of them, are one
 * node: memory is bounded.
 */
#ifndef FXT_WHY_TREE_H
#define FXT_WHY_TREE_H

#include "account/tape.h"
#include "libfxt/map.h"
#include "path.h"

/**
 * struct why_node - a thread, or a cause
 * @is_thread: the thread above slept, and @by.id is the thread that it slept for
 * @is_rest: threads that are not listed one by one; has no children
 * @cause: otherwise the cause, with @detail and @by, one of those who had the CPU
 * @by: its ns are those of all parts
 * @cpu: CPU of the longest part; @turn likewise
 * @longest: ns
 * @turn: of a thread: the turn that its wakeup began, which has the stacks; 0: none
 * @crowd: for a node that stands for many threads that had the CPU: their number; @most: ns of the
 *	one with most time
 * @children: sorted by time after why_tree_finish()
 */
struct why_node {
	struct map_node node;
	struct why_node *parent;
	bool is_thread;
	bool is_rest;
	uint8_t cause;
	uint8_t detail;
	struct why_by by;
	uint16_t cpu;
	uint64_t longest;
	uint32_t turn;
	unsigned int depth;
	uint32_t crowd;
	uint64_t most;
	struct why_node **children;
	size_t count;
};

/**
 * struct why_tree - begins with why_tree_open(), ends with why_tree_close()
 * @root: the window's thread
 * @of_frames: nodes by number of the walk's frames
 */
struct why_tree {
	struct map map;
	struct why_node *root;
	size_t count;
	struct tape of_frames;
};

/** why_tree_open() - begin a tree */
void why_tree_open(struct why_tree *t, uint32_t thread);

/** why_tree_add() - add a part; a why_part_fn with the struct why_tree as @arg */
void why_tree_add(void *arg, const struct why_walk *w, const struct why_part *p,
		  const struct why_by *by, size_t count);

/**
 * why_tree_finish() - combine crowds, and sort the children of each node by time, longest first
 * @t: the tree; nothing is added to it any more
 *
 * Return: 0 or -ENOMEM.
 */
void why_tree_finish(struct why_tree *t);
void why_tree_close(struct why_tree *t);

#endif /* FXT_WHY_TREE_H */
