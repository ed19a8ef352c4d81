// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - call stacks in Perfetto's form: callsites, frames and mappings.
 *
 * In: backtraces, modules, mappings and symbols.
 * Out: the callsite of each backtrace; rows of callsites, frames and mappings at the end, because
 * symbols and mappings come last.
 *
 * A callsite is a frame with its caller; a frame is an address in a process. Their numbers are
 * limited.
 */

#include <fxt/fxt_sched_stack.h>

#include "sched/symbols.h"
#include "table.h"

/* The address space of an address. */
struct space {
	uint32_t provider;
	uint64_t process;	/* 0: the kernel */
};

struct frame {
	struct map_node node;
	struct space of;
	uint64_t address;
	int64_t id;
};

struct callsite {
	struct map_node node;
	const struct callsite *caller;
	const struct frame *frame;
	int64_t id;
	uint32_t depth;
};

struct module {
	struct map_node node;
	struct space of;
	uint16_t id;
	struct table_name *name;
	struct table_name *build_id;
};

/* In the order of sched_files_add(). */
struct mapping {
	uint64_t start;
	uint64_t range;
	uint64_t vaddr;
	int64_t id;		/* of its row in the table mmap */
	struct table_name *name;
	struct table_name *build_id;
};

struct table_stacks {
	struct map frames;
	struct map callsites;
	struct map modules;
	struct mapping *mappings;
	size_t mapping_count;
	struct sched_symbols symbols;
};

static struct table_stacks *stacks_of(struct tables *t)
{
	if (!t->stacks)
		t->stacks = new_zero(struct table_stacks);
	return t->stacks;
}

static bool is_same(const struct space *a, const struct space *b)
{
	return a->provider == b->provider && a->process == b->process;
}

static uint64_t hash_of(const struct space *s, uint64_t value)
{
	return map_hash(map_hash(s->provider, s->process), value);
}

/* --- while the archive is read ----------------------------------------------------------- */

static const struct frame *frame_of(struct tables *t, const struct space *of, uint64_t address)
{
	uint64_t hash = hash_of(of, address);
	struct frame *f;

	if (map_find(&t->stacks->frames, hash, f, is_same(&f->of, of) && f->address == address) ||
	    !table_has_room(t, t->stacks->frames.count, STAT_STACKS_LEFT_OUT))
		return f;
	must(map_new(&t->stacks->frames, hash, f));
	f->of = *of;
	f->address = address;
	f->id = table_id(t, TABLE_STACK_PROFILE_FRAME);
	return f;
}

static const struct callsite *callsite_of(struct tables *t, const struct callsite *caller,
					  const struct frame *frame)
{
	uint64_t hash = map_hash((uintptr_t)caller, (uintptr_t)frame);
	struct callsite *c;

	if (map_find(&t->stacks->callsites, hash, c, c->caller == caller && c->frame == frame) ||
	    !table_has_room(t, t->stacks->callsites.count, STAT_STACKS_LEFT_OUT))
		return c;
	must(map_new(&t->stacks->callsites, hash, c));
	c->caller = caller;
	c->frame = frame;
	c->depth = caller ? caller->depth + 1 : 0;
	c->id = table_id(t, TABLE_STACK_PROFILE_CALLSITE);
	return c;
}

struct table_cell table_callsite(struct tables *t, const struct fxt_record *rec,
				 const struct fxt_content *c)
{
	struct space of = { .provider = rec->provider->id };
	const struct callsite *site = NULL;
	const struct frame *frame;
	unsigned int i;

	stacks_of(t);
	for (i = c->frame_count; i--; ) {
		of.process = fxt_sched_is_kernel(c->frames[i]) ? 0 : c->thread.process;
		frame = frame_of(t, &of, c->frames[i]);
		site = frame ? callsite_of(t, site, frame) : NULL;
		if (!site)
			return cell_null();
	}
	return site ? cell_int(site->id) : cell_null();
}

static struct module *find_module(struct tables *t, const struct space *of, uint16_t id)
{
	struct module *m;

	return map_find(&t->stacks->modules, hash_of(of, id), m,
			is_same(&m->of, of) && m->id == id);
}

void table_module(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	struct space of = { rec->provider->id, c->thread.process };
	struct map *modules = &stacks_of(t)->modules;
	struct module *m = find_module(t, &of, c->module_id);

	sched_files_add(&t->stacks->symbols.files, of.provider, c);
	if (!m && !table_has_room(t, modules->count, STAT_STACKS_LEFT_OUT))
		return;
	if (!m) {
		must(map_new(modules, hash_of(&of, c->module_id), m));
		m->of = of;
		m->id = c->module_id;
	}
	table_name_put(t, m->name);
	table_name_put(t, m->build_id);
	m->name = table_name_text(t, &c->name);
	m->build_id = table_name_hex(t, &c->build_id);
}

void table_mapping(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c,
		   int64_t id)
{
	struct space of = { rec->provider->id, c->thread.process };
	struct table_stacks *s = stacks_of(t);
	const struct module *m;

	if (!table_has_room(t, s->mapping_count, STAT_STACKS_LEFT_OUT))
		return;
	if (!sched_files_add(&s->symbols.files, of.provider, c)) {
		t->stats[STAT_STACKS_LEFT_OUT]++;
		return;
	}
	array_more(s->mappings, s->mapping_count);
	m = find_module(t, &of, c->module_id);
	s->mappings[s->mapping_count++] = (struct mapping){
		.start = c->start, .range = c->range, .vaddr = c->vaddr, .id = id,
		.name = m ? table_name_ref(m->name) : NULL,
		.build_id = m ? table_name_ref(m->build_id) : NULL,
	};
}

void table_symbols(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	sched_symbols_parse(&stacks_of(t)->symbols, rec->provider->id, &c->blob);
}

/* --- when it has ended ----------------------------------------------------------------------- */

static void frame_row(struct tables *t, const struct frame *f)
{
	uint64_t address = fxt_sched_frame_address(f->address);
	struct table_stacks *s = t->stacks;
	const struct sched_symbol *symbol =
		sched_symbol_find(&s->symbols, f->of.provider, f->of.process, address);
	const struct mapping *m = NULL;
	size_t number;

	if (sched_mapping_find(&s->symbols, f->of.provider, f->of.process, address, &number))
		m = &s->mappings[number];
	TABLE_ROW(t, TABLE_STACK_PROFILE_FRAME, cell_int(f->id),
		  symbol ? cell_str(symbol->name) : cell_null(),
		  m ? cell_int(m->id) : cell_null(),
		  cell_int(m ? f->address - m->start + m->vaddr : f->address));
}

void table_stacks_finish(struct tables *t)
{
	struct table_stacks *s = t->stacks;
	const struct callsite *c;
	const struct mapping *m;
	const struct frame *f;

	if (!s)
		return;
	for (m = s->mappings; m && m < s->mappings + s->mapping_count; m++)
		TABLE_ROW(t, TABLE_STACK_PROFILE_MAPPING, cell_int(m->id), cell_name(m->build_id),
			  cell_int(m->start), cell_int(m->start + m->range), cell_name(m->name));
	map_each(&s->frames, f)
		frame_row(t, f);
	map_each(&s->callsites, c)
		TABLE_ROW(t, TABLE_STACK_PROFILE_CALLSITE, cell_int(c->id), cell_int(c->depth),
			  c->caller ? cell_int(c->caller->id) : cell_null(),
			  cell_int(c->frame->id));
}

void table_stacks_free(struct tables *t)
{
	struct table_stacks *s = t->stacks;

	if (!s)
		return;
	map_free_all(&s->frames, struct frame);
	map_free_all(&s->callsites, struct callsite);
	map_free_all(&s->modules, struct module);
	sched_symbols_free(&s->symbols);
	free(s->mappings);
	free(s);
}
