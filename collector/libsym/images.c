// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * images.c - see images.h.
 *
 * A forked process is not given its parent's mappings, most of which its exec would drop: it is
 * looked up in the parent. So a process that has ended is needed as long as there are children
 * of it without an exec.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "images.h"

#define MOST_PARENTS	32	/* forks without an exec in between */
#define LOST_BEFORE_TRY	4096	/* to make room takes time */

struct process {
	struct map_node node;
	uint64_t id;
	struct mapping *all;
	size_t count;
	size_t room;
	bool is_sorted;
	bool has_ended;
	bool is_needed;
};

/* --- modules ------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *path, size_t length, const struct elf_id *id)
{
	return map_hash(fxt_hash_bytes(path, length), fxt_hash_bytes(id->id, id->bytes));
}

struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id)
{
	uint64_t hash = hash_of(path, length, id);
	struct map_node *n;
	struct module *m;

	for (n = map_first(&im->modules, hash); n; n = map_next(n, hash)) {
		m = map_entry(n, struct module, node);
		if (strlen(m->path) == length && !memcmp(m->path, path, length) &&
		    m->id.bytes == id->bytes && !memcmp(m->id.id, id->id, id->bytes))
			return m;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->path = strndup(path, length);
	if (!m->path || map_reserve(&im->modules)) {
		free(m->path);
		free(m);
		return NULL;
	}
	m->id = *id;
	m->number = im->module_count++;
	m->next = im->first;
	im->first = m;
	map_add(&im->modules, &m->node, hash);
	return m;
}

/* --- processes ------------------------------------------------------------------------------- */

static struct process *find_process(const struct images *im, uint64_t id)
{
	uint64_t hash = map_hash(id, 0);
	struct map_node *n;

	for (n = map_first(&im->processes, hash); n; n = map_next(n, hash))
		if (map_entry(n, struct process, node)->id == id)
			return map_entry(n, struct process, node);
	return NULL;
}

static struct process *get_process(struct images *im, uint64_t id)
{
	struct process *p = find_process(im, id);

	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p || map_reserve(&im->processes)) {
		free(p);
		return NULL;
	}
	p->id = id;
	map_add(&im->processes, &p->node, map_hash(id, 0));
	return p;
}

void images_exit(struct images *im, uint64_t process)
{
	struct process *p = find_process(im, process);

	if (p)
		p->has_ended = true;
}

/* A process that has not ended, and its parents as far as it has their mappings. */
static void need(const struct images *im, struct process *p)
{
	unsigned int parents = 0;
	size_t i;

	while (p && !p->is_needed && parents++ < MOST_PARENTS) {
		p->is_needed = true;
		for (i = p->count; i && p->all[i - 1].kind == MAPPING_FILE; i--)
			;
		p = i && p->all[i - 1].kind == MAPPING_FORK ?
		    find_process(im, p->all[i - 1].parent) : NULL;
	}
}

/* Forget processes that have ended. */
static void make_room(struct images *im)
{
	struct map kept = { 0 };
	struct map_node *n;
	struct process *p;
	size_t from = 0;

	for (n = im->processes.oldest; n; n = n->newer)
		if (!map_entry(n, struct process, node)->has_ended)
			need(im, map_entry(n, struct process, node));
	while ((n = map_take(&im->processes, &from))) {
		p = map_entry(n, struct process, node);
		if (p->is_needed && !map_reserve(&kept)) {
			p->is_needed = false;
			map_add(&kept, &p->node, map_hash(p->id, 0));
			continue;
		}
		im->count -= p->count;
		free(p->all);
		free(p);
	}
	map_free(&im->processes);
	im->processes = kept;
}

int images_add(struct images *im, uint64_t process, const struct mapping *m)
{
	struct process *p;
	struct mapping *more;

	if (im->count >= IMAGES_MOST && !(im->lost % LOST_BEFORE_TRY))
		make_room(im);
	if (im->count >= IMAGES_MOST) {
		im->lost++;
		return 0;
	}
	p = get_process(im, process);
	if (!p)
		return -ENOMEM;
	if (p->count == p->room) {
		more = reallocarray(p->all, p->room ? 2 * p->room : 8, sizeof(*more));
		if (!more)
			return -ENOMEM;
		p->all = more;
		p->room = p->room ? 2 * p->room : 8;
	}
	if (m->kind == MAPPING_FORK)
		p->has_ended = false;
	p->all[p->count] = *m;
	p->all[p->count].order = p->count;
	p->count++;
	p->is_sorted = false;
	im->count++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at)
{
	struct process *p = find_process(im, process);
	unsigned int parents = 0;
	struct mapping *m;

	while (p && p->count && parents++ < MOST_PARENTS) {
		if (!p->is_sorted)
			qsort(p->all, p->count, sizeof(*p->all), by_time);
		p->is_sorted = true;
		for (m = p->all + p->count; m > p->all; ) {
			if ((--m)->time > time)
				continue;
			if (m->kind == MAPPING_EXEC)
				return NULL;
			if (m->kind == MAPPING_FORK)
				break;
			if (at >= m->start && at < m->end)
				return m;
		}
		if (m->kind != MAPPING_FORK || m->time > time)
			return NULL;
		time = m->time;
		p = find_process(im, m->parent);
	}
	return NULL;
}

void images_free(struct images *im)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&im->processes, &from))) {
		free(map_entry(n, struct process, node)->all);
		free(map_entry(n, struct process, node));
	}
	map_free(&im->processes);
	from = 0;
	while ((n = map_take(&im->modules, &from))) {
		free(map_entry(n, struct module, node)->path);
		free(map_entry(n, struct module, node));
	}
	map_free(&im->modules);
	*im = (struct images){ 0 };
}
