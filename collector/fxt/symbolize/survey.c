// SPDX-License-Identifier: GPL-2.0-or-later
/* survey.c - see survey.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "survey.h"

struct known_module {
	struct map_node node;
	uint64_t process;
	uint16_t id;
	struct module *module;
};

static struct known_module *find_module(const struct survey *s, uint64_t process, uint16_t id)
{
	uint64_t hash = map_hash(process, id);
	struct known_module *k;
	struct map_node *n;

	for (n = map_first(&s->modules, hash); n; n = map_next(n, hash)) {
		k = map_entry(n, struct known_module, node);
		if (k->process == process && k->id == id)
			return k;
	}
	return NULL;
}

static int take_module(struct survey *s, const struct fxt_content *c)
{
	uint64_t process = c->thread.process;
	struct known_module *k = find_module(s, process, c->module_id);
	struct elf_id id = { .bytes = 0 };

	if (c->build_id.bytes && c->build_id.bytes <= sizeof(id.id)) {
		memcpy(id.id, c->build_id.data, c->build_id.bytes);
		id.bytes = c->build_id.bytes;
	}
	if (!process) {
		if (!fxt_text_is(&c->name, FXT_SCHED_KERNEL_MODULE))
			return 0;
		s->kernel_id = id;
		s->kernel_module = c->module_id;
		return 0;
	}
	if (!k) {
		k = calloc(1, sizeof(*k));
		if (!k || map_reserve(&s->modules)) {
			free(k);
			return -ENOMEM;
		}
		k->process = process;
		k->id = c->module_id;
		map_add(&s->modules, &k->node, map_hash(process, c->module_id));
	}
	/* A path has no 0 in it. */
	if (c->name.length)
		k->module = images_module(&s->images, c->name.bytes,
					  strnlen(c->name.bytes, c->name.length), &id);
	else
		k->module = images_module(&s->images, "", 0, &id);
	if (!k->module)
		return -ENOMEM;
	/* Mappings of it may follow. */
	k->module->uses++;
	return 0;
}

static int take_mapping(struct survey *s, const struct fxt_content *c)
{
	const struct known_module *k = find_module(s, c->thread.process, c->module_id);
	struct mapping m = {
		.time = c->time, .kind = MAPPING_FILE, .start = c->start,
		.end = c->start + c->range, .offset = c->vaddr, .vaddr = c->vaddr,
	};

	if (!c->thread.process && c->module_id == s->kernel_module && s->kernel_id.bytes)
		s->kernel_start = c->start;
	if (!k || m.end <= m.start)
		return 0;
	m.module = k->module;
	return images_add(&s->images, c->thread.process, &m);
}

static int take_stack(struct survey *s, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	unsigned int i;
	int ret = 0;

	s->is_merged |= s->has_stacks && s->provider != rec->provider->id;
	s->has_stacks = true;
	s->provider = rec->provider->id;
	for (i = 0; i < c->frame_count && !ret; i++)
		ret = addresses_add(&s->addresses, c->thread.process, c->frames[i], c->time);
	return ret;
}

int survey_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct survey *s = arg;
	struct fxt_content *c = &s->content;
	int ret;

	if ((rec->kind != FXT_KIND_BLOB && rec->kind != FXT_KIND_MODULE &&
	     rec->kind != FXT_KIND_MMAP && rec->kind != FXT_KIND_BACKTRACE) ||
	    !fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		return 0;
	ret = fxt_reader_content(r, rec, c);
	if (ret)
		return ret;
	switch (rec->kind) {
	case FXT_KIND_MODULE:
		return take_module(s, c);
	case FXT_KIND_MMAP:
		return take_mapping(s, c);
	case FXT_KIND_BACKTRACE:
		return take_stack(s, rec, c);
	default:
		return c->name.known == FXT_STR_SYMBOLS ?
		       sched_symbols_take(&s->known, rec->provider->id, &c->blob) : 0;
	}
}

void survey_finish(struct survey *s)
{
	struct addresses *a = &s->addresses;
	size_t i, count = 0;

	addresses_sort(a);
	for (i = 0; i < a->count; i++)
		if (!sched_symbol_find(&s->known, s->provider, a->slots[i].process,
				       a->slots[i].at))
			a->slots[count++] = a->slots[i];
	a->count = count;
}

void survey_free(struct survey *s)
{
	struct map_node *n;
	size_t from = 0;

	addresses_free(&s->addresses);
	images_free(&s->images);
	sched_symbols_free(&s->known);
	while ((n = map_take(&s->modules, &from)))
		free(map_entry(n, struct known_module, node));
	map_free(&s->modules);
}
