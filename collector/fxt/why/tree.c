// SPDX-License-Identifier: GPL-2.0-or-later
/* tree.c - see tree.h. */
#include <stdlib.h>

#include "terminal/memory.h"
#include "tree.h"
#include "words.h"

#define DEEPEST	32	/* depth of the tree */
#define MOST	20000	/* nodes */

/* This many threads form a crowd if none has more than 1/CROWD_PART of their time. */
#define CROWD		8
#define CROWD_PART	4

static struct why_node *new_node(struct why_tree *t, struct why_node *parent)
{
	struct why_node *n = new_zero(struct why_node);

	n->parent = parent;
	if (parent) {
		array_more(parent->children, parent->count);
		parent->children[parent->count++] = n;
		n->depth = parent->depth + 1;
	}
	t->count++;
	return n;
}

void why_tree_open(struct why_tree *t, uint32_t thread)
{
	*t = (struct why_tree){ 0 };
	tape_open(&t->of_links, sizeof(struct why_node *), TAPE_LITTLE);
	t->root = new_node(t, NULL);
	t->root->is_thread = true;
	t->root->by.id = thread;
}

static bool is_same(const struct why_node *a, const struct why_node *b)
{
	return a->parent == b->parent && a->is_thread == b->is_thread && a->is_rest == b->is_rest &&
	       a->cause == b->cause && a->detail == b->detail && a->by.who == b->by.who &&
	       a->by.id == b->by.id && a->lock == b->lock && a->holder == b->holder &&
	       a->is_held == b->is_held &&
	       a->is_released == b->is_released && a->is_futex == b->is_futex &&
	       a->asleep_in == b->asleep_in;
}

static struct why_node *child_of(struct why_tree *t, const struct why_node *like)
{
	uint64_t hash = map_hash((uintptr_t)like->parent, (uint64_t)like->is_thread << 32 |
				 (uint64_t)like->is_rest << 33 | like->cause << 16 |
				 like->detail << 8 | like->by.who);
	struct why_node *node;

	hash = map_hash(map_hash(hash, like->by.id | (uint64_t)like->lock << 32), like->asleep_in);
	if (map_find(&t->map, hash, node, is_same(node, like)))
		return node;
	node = new_node(t, like->parent);
	node->is_thread = like->is_thread;
	node->is_rest = like->is_rest;
	node->cause = like->cause;
	node->detail = like->detail;
	node->by = like->by;
	node->lock = like->lock;
	node->holder = like->holder;
	node->is_held = like->is_held;
	node->is_released = like->is_released;
	node->is_futex = like->is_futex;
	node->asleep_in = like->asleep_in;
	map_put(&t->map, &node->node, hash);
	return node;
}

/* The thread above slept for a lock until the node's thread, or for another futex. */
static void note_lock(struct why_node *n, const struct history *h, const struct history_lock *lock)
{
	if (!lock)
		return;
	if (!sched_origin_is_lock(history_origin(h, lock->origin))) {
		n->is_futex = lock->waker == n->by.id + 1;
		return;
	}
	n->lock = history_origin(h, lock->origin)->id + 1;
	n->is_held = lock->holder == n->by.id + 1;
	n->is_released = !n->is_held && lock->waker == n->by.id + 1;
}

/* Note the lock for which the thread slept until something other than a thread ended the sleep. */
static void note_wait(struct why_node *n, const struct history *h, const struct why_part *p)
{
	bool is_asleep = p->cause == WHY_ASLEEP && (p->detail == WHY_PLAIN || p->detail == WHY_OWN);
	const struct history_lock *lock = is_asleep ? why_lock(h, p->turn) : NULL;

	if (!lock)
		return;
	n->lock = history_origin(h, lock->origin)->id + 1;
	n->holder = lock->holder;
}

/* Note the lock that a thread waited for when that fired the trigger, if the wait went on. */
static void note_open(struct why_node *n, const struct history *h, const struct why_part *p)
{
	struct history_lock lock;

	if (p->cause != WHY_ASLEEP || p->detail != WHY_OPEN ||
	    !why_open_lock(h, p->thread, p->from, &lock))
		return;
	n->lock = history_origin(h, lock.origin)->id + 1;
	n->holder = lock.holder;
}

/* Find or add the node of a link's thread, for which the thread of @parent slept. */
static struct why_node *thread_below(struct why_tree *t, struct why_node *parent,
				     const struct why_link *link, const struct history *h)
{
	struct why_node like = { .parent = parent, .is_thread = true, .by = { .id = link->thread } };

	if (parent->is_rest)
		return parent;
	if (parent->depth >= DEEPEST || t->count >= MOST) {
		like.is_rest = true;
		like.by.id = 0;
	} else {
		like.asleep_in = history_memory_asleep(h, history_turn(h, link->turn));
		note_lock(&like, h, history_lock_before(h, link->turn));
	}
	return child_of(t, &like);
}

static struct why_node **of_link(struct why_tree *t, uint32_t number)
{
	return tape_at(&t->of_links, number - 1);
}

/* Links have greater numbers than their parents, so parents have their nodes first. */
static struct why_node *node_of(struct why_tree *t, const struct why_walk *w, uint32_t number)
{
	const struct why_link *f;
	struct why_node **node;

	while (t->of_links.count < number) {
		node = tape_add(&t->of_links);
		f = why_link(w, t->of_links.count);
		*node = f->parent ? thread_below(t, *of_link(t, f->parent), f, why_history(w)) :
				    t->root;
	}
	return *of_link(t, number);
}

static void add_above(const struct why_walk *w, struct why_node *n, const struct why_part *p)
{
	uint64_t ns = p->to - p->from;

	if (n->is_thread && ns > n->longest && p->link > 1) {
		n->longest = ns;
		n->turn = why_link(w, p->link)->turn;
	}
	for (; n; n = n->parent)
		n->by.ns += ns;
}

void why_tree_add(void *arg, const struct why_walk *w, const struct why_part *p,
		  const struct why_by *by, size_t count)
{
	struct why_tree *t = arg;
	struct why_by all = { .who = WHY_NOBODY, .ns = p->to - p->from, .stolen = p->stolen };
	struct why_node *above = node_of(t, w, p->link), *n;
	struct why_node like = {
		.parent = above, .cause = p->cause, .detail = p->detail,
		.asleep_in = p->cause == WHY_ASLEEP ? p->memory.origin : 0,
	};
	size_t i;

	note_wait(&like, why_history(w), p);
	note_open(&like, why_history(w), p);
	add_above(w, above, p);
	if (above->is_rest)
		return;
	if (!count) {
		by = &all;
		count = 1;
	}
	for (i = 0; i < count; i++) {
		like.by = (struct why_by){ .who = by[i].who, .id = by[i].id };
		n = child_of(t, &like);
		n->by.ns += by[i].ns;
		n->by.stolen += by[i].stolen;
		n->by.queued += by[i].queued;
		if (by[i].ns > n->longest || !n->longest) {
			n->longest = by[i].ns;
			n->cpu = p->cpu;
			/* The turn before a sleep that goes on says nothing of it. */
			n->turn = p->cause == WHY_ASLEEP && p->detail == WHY_OPEN ?
				  HISTORY_NONE : p->turn;
		}
		/* Of those who shared the CPU, it is unknown who had it meanwhile. */
		if (count == 1 && p->cause != WHY_ASLEEP)
			history_memory_add(&n->memory, &p->memory);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct why_node *x = *(struct why_node *const *)a, *y = *(struct why_node *const *)b;

	return array_order(y->by.ns, x->by.ns) ?: array_order(x->by.id, y->by.id);
}

static bool is_in_crowd(const struct why_node *n)
{
	return !n->is_thread && n->cause == WHY_RUNNABLE && n->by.who == WHY_THREAD;
}

/* Did many threads have the CPU, and none of them for much of the time? */
static bool has_crowd(const struct why_node *n, struct why_node *crowd)
{
	size_t i;

	for (i = 0; i < n->count; i++) {
		if (!is_in_crowd(n->children[i]))
			continue;
		crowd->crowd++;
		crowd->by.ns += n->children[i]->by.ns;
		crowd->by.stolen += n->children[i]->by.stolen;
		if (n->children[i]->by.ns <= crowd->most)
			continue;
		crowd->most = n->children[i]->by.ns;
		crowd->by.id = n->children[i]->by.id;
	}
	return crowd->crowd >= CROWD && crowd->most < crowd->by.ns / CROWD_PART;
}

/* Replace the nodes of a crowd, which stay in the map, by one node. */
static void sum_up_crowd(struct why_tree *t, struct why_node *n)
{
	struct why_node crowd = { .parent = n, .cause = WHY_RUNNABLE, .depth = n->depth + 1,
				  .cpu = HISTORY_NO_CPU };
	struct why_node *node;
	size_t i, kept = 0;

	if (!has_crowd(n, &crowd))
		return;
	node = new_zero(struct why_node);
	*node = crowd;
	map_put(&t->map, &node->node, 0);
	for (i = 0; i < n->count; i++)
		if (!is_in_crowd(n->children[i]))
			n->children[kept++] = n->children[i];
	n->children[kept++] = node;
	n->count = kept;
}

static void finish_node(struct why_tree *t, struct why_node *n)
{
	sum_up_crowd(t, n);
	if (n->count > 1)
		qsort(n->children, n->count, sizeof(*n->children), by_time);
}

void why_tree_finish(struct why_tree *t)
{
	struct why_node *n;

	finish_node(t, t->root);
	map_each(&t->map, n)
		finish_node(t, n);
}

static void free_node(struct why_node *n)
{
	free(n->children);
	free(n);
}

void why_tree_close(struct why_tree *t)
{
	struct why_node *n;

	map_drain(&t->map, n)
		free_node(n);
	free_node(t->root);
	tape_close(&t->of_links);
}
