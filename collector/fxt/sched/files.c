// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * files.c - see files.h.
 *
 * A process may map one file after the other at an address: the mapping that begins last before
 * the address counts, and of several the last in the archive.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/stacks.h"
#include "files.h"
#include "symbol.h"

#define MOST		(1U << 20)	/* mappings, modules, places */
#define NAME_BYTES	256
/* No address is here, and no place of a function (symbols.c). */
#define FILE_PLACE	0x8100000000000000ULL

struct module {
	struct map_node node;
	uint32_t provider;
	uint16_t id;
	uint64_t process;
	char *path;
};

struct sched_mapping {
	uint32_t provider;
	uint64_t process;
	uint64_t start;
	uint64_t range;
	uint64_t vaddr;
	size_t number;
	char *path;
};

struct place {
	struct map_node node;
	struct sched_symbol symbol;
	char name[];
};

/* --- records ------------------------------------------------------------------------- */

static struct module *find_module(const struct sched_files *f, uint32_t provider,
				  uint64_t process, uint16_t id)
{
	uint64_t hash = map_hash(map_hash(provider, process), id);
	struct map_node *n;
	struct module *m;

	for (n = map_first(&f->modules, hash); n; n = map_next(n, hash)) {
		m = map_entry(n, struct module, node);
		if (m->provider == provider && m->process == process && m->id == id)
			return m;
	}
	return NULL;
}

static int take_module(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	struct module *m = find_module(f, provider, c->thread.process, c->module_id);
	char *path;

	if (!m && f->modules.count == MOST)
		return 0;
	path = strndup(c->name.length ? c->name.bytes : "", c->name.length);
	if (!path)
		return -ENOMEM;
	if (m) {
		free(m->path);
		m->path = path;
		return 0;
	}
	m = calloc(1, sizeof(*m));
	if (!m || map_reserve(&f->modules)) {
		free(m);
		free(path);
		return -ENOMEM;
	}
	*m = (struct module){ .provider = provider, .process = c->thread.process,
			      .id = c->module_id, .path = path };
	map_add(&f->modules, &m->node, map_hash(map_hash(provider, m->process), m->id));
	return 0;
}

static int take_mapping(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	const struct module *m = find_module(f, provider, c->thread.process, c->module_id);
	size_t room = f->room ? 2 * f->room : 256;
	struct sched_mapping *more;

	if (!m || !*m->path || f->mapping_count == MOST)
		return 0;
	if (f->mapping_count == f->room) {
		more = reallocarray(f->mappings, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		f->mappings = more;
		f->room = room;
	}
	f->mappings[f->mapping_count] = (struct sched_mapping){
		.provider = provider, .process = c->thread.process, .start = c->start,
		.range = c->range, .vaddr = c->vaddr, .number = f->mapping_count,
		.path = strdup(m->path),
	};
	if (!f->mappings[f->mapping_count].path)
		return -ENOMEM;
	f->mapping_count++;
	f->is_unsorted = true;
	return 0;
}

int sched_files_take(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_MODULE)
		return take_module(f, provider, c);
	return c->kind == FXT_KIND_MMAP ? take_mapping(f, provider, c) : 0;
}

/* --- places ---------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct sched_mapping *x = a, *y = b;

	if (x->provider != y->provider)
		return x->provider < y->provider ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static const struct sched_mapping *mapping_of(struct sched_files *f, uint32_t provider,
					      uint64_t process, uint64_t address)
{
	const struct sched_mapping wanted = {
		.provider = provider, .process = process, .start = address, .number = SIZE_MAX,
	};
	size_t low = 0, high = f->mapping_count, middle;
	const struct sched_mapping *m;

	if (f->is_unsorted)
		qsort(f->mappings, f->mapping_count, sizeof(*f->mappings), by_start);
	f->is_unsorted = false;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_start(&f->mappings[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	m = low ? &f->mappings[low - 1] : NULL;
	return m && m->provider == provider && m->process == process &&
	       address - m->start < m->range ? m : NULL;
}

static struct place *new_place(struct sched_files *f, const char *name, uint64_t hash)
{
	size_t bytes = strlen(name) + 1, room = f->list_room ? 2 * f->list_room : 256;
	struct place *p = calloc(1, sizeof(*p) + bytes);
	struct sched_symbol **more = f->list;

	if (p && f->count == f->list_room) {
		more = reallocarray(f->list, room, sizeof(*more));
		f->list = more ? more : f->list;
		f->list_room = more ? room : f->list_room;
	}
	if (!p || !more || map_reserve(&f->places)) {
		free(p);
		return NULL;
	}
	memcpy(p->name, name, bytes);
	p->symbol.name = p->name;
	p->symbol.place = FILE_PLACE + f->count;
	f->list[f->count++] = &p->symbol;
	map_add(&f->places, &p->node, hash);
	return p;
}

const struct sched_symbol *sched_files_find(struct sched_files *f, uint32_t provider,
					    uint64_t process, uint64_t frame)
{
	uint64_t address = fxt_sched_frame_address(frame), hash;
	const struct sched_mapping *m = mapping_of(f, provider, process, address);
	char text[NAME_BYTES];
	struct map_node *n;
	struct place *p;

	if (!m)
		return NULL;
	sched_place_name(text, sizeof(text), m->path, !process, frame - m->start + m->vaddr);
	hash = fxt_hash_bytes(text, strlen(text));
	for (n = map_first(&f->places, hash); n; n = map_next(n, hash)) {
		p = map_entry(n, struct place, node);
		if (!strcmp(p->name, text))
			return &p->symbol;
	}
	p = f->count < MOST ? new_place(f, text, hash) : NULL;
	return p ? &p->symbol : NULL;
}

const struct sched_symbol *sched_files_place(const struct sched_files *f, uint64_t place)
{
	return place - FILE_PLACE < f->count ? f->list[place - FILE_PLACE] : NULL;
}

void sched_files_free(struct sched_files *f)
{
	struct map_node *n;
	size_t from = 0, i;

	while ((n = map_take(&f->modules, &from))) {
		struct module *m = map_entry(n, struct module, node);

		free(m->path);
		free(m);
	}
	from = 0;
	while ((n = map_take(&f->places, &from)))
		free(map_entry(n, struct place, node));
	for (i = 0; i < f->mapping_count; i++)
		free(f->mappings[i].path);
	map_free(&f->modules);
	map_free(&f->places);
	free(f->mappings);
	free(f->list);
	*f = (struct sched_files){ 0 };
}
