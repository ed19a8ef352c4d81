// SPDX-License-Identifier: GPL-2.0-or-later
/* survey.c - the stacks of an archive. See symbolize.h. */
#include <string.h>

#include <fxt/fxt_sched.h>

#include "symbolize.h"
#include "terminal/memory.h"

struct known_module {
	struct map_node node;
	uint64_t process;
	uint16_t id;
	struct module *module;
};

static struct known_module *find_module(const struct survey *s, uint64_t process, uint16_t id)
{
	struct known_module *k;

	return map_find(&s->modules, map_hash(process, id), k, k->process == process && k->id == id);
}

static void add_module(struct survey *s, const struct fxt_content *c)
{
	uint64_t process = c->thread.process;
	struct elf_id id = { .bytes = 0 };
	struct known_module *k;

	if (c->build_id.bytes && c->build_id.bytes <= sizeof(id.id)) {
		memcpy(id.id, c->build_id.data, c->build_id.bytes);
		id.bytes = c->build_id.bytes;
	}
	if (!process && fxt_text_is(&c->name, FXT_SCHED_KERNEL_MODULE)) {
		s->kernel_id = id;
		s->kernel_module = c->module_id;
	}
	if (!process)
		return;
	if (map_get(&s->modules, map_hash(process, c->module_id), k,
		    k->process == process && k->id == c->module_id)) {
		k->process = process;
		k->id = c->module_id;
	}
	/* A path does not contain a zero byte. */
	k->module = must(images_module(&s->images, c->name.length ? c->name.bytes : "",
				       c->name.length ? strnlen(c->name.bytes, c->name.length) : 0,
				       &id));
	/* Mappings of this module may follow. */
	k->module->uses++;
}

static void add_mapping(struct survey *s, const struct fxt_content *c)
{
	const struct known_module *k = find_module(s, c->thread.process, c->module_id);
	struct mapping m = {
		.time = c->time, .kind = MAPPING_FILE, .start = c->start,
		.end = c->start + c->range, .offset = c->vaddr, .vaddr = c->vaddr,
	};

	if (!c->thread.process && c->module_id == s->kernel_module && s->kernel_id.bytes)
		s->kernel_start = c->start;
	if (!k || m.end <= m.start)
		return;
	m.module = k->module;
	must_fit(images_add(&s->images, c->thread.process, &m));
}

static void add_stack(struct survey *s, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	unsigned int i;

	s->is_merged |= s->has_stacks && s->provider != rec->provider->id;
	s->has_stacks = true;
	s->provider = rec->provider->id;
	for (i = 0; i < c->frame_count; i++)
		must_fit(addresses_add(&s->addresses, c->thread.process, c->frames[i], c->time));
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
		add_module(s, c);
		break;
	case FXT_KIND_MMAP:
		add_mapping(s, c);
		break;
	case FXT_KIND_BACKTRACE:
		add_stack(s, rec, c);
		break;
	default:
		if (c->name.known == FXT_STR_SYMBOLS)
			sched_symbols_parse(&s->known, rec->provider->id, &c->blob);
	}
	return 0;
}

void survey_finish(struct survey *s)
{
	struct addresses *a = &s->addresses;
	size_t i, count = 0;

	addresses_sort(a);
	for (i = 0; i < a->count; i++)
		if (!sched_symbol_knows(&s->known, s->provider, a->slots[i].process,
					a->slots[i].at))
			a->slots[count++] = a->slots[i];
	a->count = count;
}

void survey_free(struct survey *s)
{
	addresses_free(&s->addresses);
	images_free(&s->images);
	sched_symbols_free(&s->known);
	map_free_all(&s->modules, struct known_module);
}
