// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resolve.c - see resolve.h.
 *
 * Each file is opened once, one at a time: a large program has a million functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "lines.h"
#include "resolve.h"

#define PATH_MOST	255	/* bytes of a module's name in a record */

const char *resolve_fault(enum elf_fault fault)
{
	static const char * const texts[ELF_FAULTS] = {
		[ELF_FINE] = "has all functions",
		[ELF_NO_ID] = "had no build id when it was mapped",
		[ELF_NO_FILE] = "cannot be opened",
		[ELF_DAMAGED] = "is damaged",
		[ELF_OTHER_ID] = "has another build id than what was mapped",
		[ELF_NO_FUNCTIONS] = "has no symbols, nor is there a separate debug file",
	};

	return texts[fault];
}

/* --- addresses ------------------------------------------------------------------------------- */

/* /proc and an event can tell of the same mapping. */
static bool is_same(const struct mapping *a, const struct mapping *b)
{
	return a == b || (a && b && a->module == b->module &&
			  a->start - a->offset == b->start - b->offset);
}

static struct mapping *find(struct resolution *r, struct images *im, const struct address *a)
{
	struct mapping *m = images_find(im, a->process, a->last, a->at);

	r->addresses++;
	if (!is_same(m, images_find(im, a->process, a->first, a->at))) {
		r->changed++;
		return NULL;
	}
	if (!m)
		r->unmapped++;
	else
		m->module->is_used = true;
	return m;
}

/* --- one file ---------------------------------------------------------------------------------- */

/* "//anon", "[vdso]": no file. */
static bool is_file(const struct module *m)
{
	return m->path[0] == '/' && m->path[1] != '/';
}

struct one_module {
	struct resolution *r;
	struct elf_file file;
	struct symbol_lines lines;
	const struct mapping *last_mapping;
	const struct elf_function *last;
	uint64_t last_process;
};

/**
 * struct place - an address, among all others
 * @a: in order
 * @mappings: what each is in, NULL if unknown
 * @i: the number of this one
 */
struct place {
	const struct addresses *a;
	struct mapping **mappings;
	size_t i;
};

static bool is_near(const struct place *p, size_t i, uint64_t start, uint64_t end)
{
	return p->a->slots[i].process == p->a->slots[p->i].process &&
	       p->a->slots[i].at >= start && p->a->slots[i].at < end;
}

/*
 * A line has no time. So a function is not named if the process had something else at its
 * addresses at another time, and it occurs.
 */
static bool is_reused(const struct place *p, uint64_t start, uint64_t end)
{
	size_t i;

	for (i = p->i; i && is_near(p, i - 1, start, end); i--)
		if (!is_same(p->mappings[i - 1], p->mappings[p->i]))
			return true;
	for (i = p->i + 1; i < p->a->count && is_near(p, i, start, end); i++)
		if (!is_same(p->mappings[i], p->mappings[p->i]))
			return true;
	return false;
}

/* Addresses come in order, so those of a function follow each other. */
static int write_function(struct one_module *one, const struct place *p)
{
	const struct address *a = &p->a->slots[p->i];
	const struct mapping *m = p->mappings[p->i];
	uint64_t bias = m->start - m->vaddr;
	const struct elf_function *f = elf_find(&one->file, a->at - bias);
	struct functions *named = one->r->functions;
	int ret = 0;

	if (!f)
		return 0;
	if (is_reused(p, f->start + bias, f->end + bias)) {
		one->r->changed++;
		return 0;
	}
	one->r->named++;
	if (f == one->last && a->process == one->last_process && m == one->last_mapping)
		return 0;
	one->last = f;
	one->last_process = a->process;
	one->last_mapping = m;
	if (named)
		ret = functions_add(named, a->process, f->start + bias, f->end + bias, f->name);
	return ret ? ret : lines_user(&one->lines, a->process, f->start + bias, f->end + bias,
				      f->name, m->module->path);
}

static int write_functions(struct one_module *one, const struct module *module,
			   const struct addresses *a, struct mapping **mappings)
{
	struct place p = { a, mappings, 0 };
	int ret = 0;

	for (; p.i < a->count && !ret; p.i++)
		if (mappings[p.i] && mappings[p.i]->module == module &&
		    mappings[p.i]->vaddr != FXT_SCHED_NO_VADDR)
			ret = write_function(one, &p);
	return ret;
}

static void set_vaddrs(const struct elf_file *f, const struct module *module, size_t count,
		       struct mapping **mappings)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (mappings[i] && mappings[i]->module == module &&
		    mappings[i]->vaddr == FXT_SCHED_NO_VADDR)
			elf_vaddr(f, mappings[i]->offset, &mappings[i]->vaddr);
}

static int resolve_module(struct one_module *one, struct module *module,
			  const struct addresses *a, struct mapping **mappings)
{
	enum elf_fault fault = elf_open(&one->file, module->path, &module->id);
	int ret = 0;

	if (fault == ELF_FINE)
		set_vaddrs(&one->file, module, a->count, mappings);
	if (one->r->symbols && fault != ELF_NO_ID) {
		ret = elf_read_functions(&one->file, &module->id, one->r->debug);
		if (ret > 0 && fault == ELF_FINE)
			fault = ret;
		ret = ret < 0 ? ret : 0;
		if (one->file.count)
			fault = ELF_FINE;
	}
	one->last = NULL;
	if (!ret && one->file.count)
		ret = write_functions(one, module, a, mappings);
	elf_close(&one->file);
	module->fault = fault;
	if (!fault)
		return ret;
	if (!one->r->faults[fault]++)
		snprintf(one->r->example[fault], sizeof(one->r->example[fault]), "%s",
			 module->path);
	return ret;
}

static int resolve_modules(struct resolution *r, struct images *im, const struct addresses *a,
			   struct mapping **mappings)
{
	struct one_module one = { .r = r, .lines = { .w = r->w } };
	struct module *m;
	int ret = 0;

	for (m = im->first; m && !ret; m = m->next)
		if (m->is_used && is_file(m))
			ret = resolve_module(&one, m, a, mappings);
	return lines_end(&one.lines, ret);
}

/* --- records ------------------------------------------------------------------------------------ */

/* The end of a path says more than its beginning. UTF-8 must not be cut. */
static struct fxt_text name_of(const struct module *m)
{
	size_t length = strlen(m->path);
	const char *name = m->path;

	if (length > PATH_MOST) {
		name += length - PATH_MOST;
		while ((*name & 0xc0) == 0x80)
			name++;
	}
	return (struct fxt_text){ .bytes = name, .length = strlen(name) };
}

static int write_module(struct fxt_writer *w, uint64_t process, const struct mapping *m)
{
	struct fxt_content c = {
		.kind = FXT_KIND_MODULE, .time = m->time, .thread = { .process = process },
		.name = name_of(m->module), .module_id = m->module->number,
	};
	int ret;

	c.build_id = (struct fxt_bytes) {
		.data = m->module->id.bytes ? m->module->id.id : NULL,
		.bytes = m->module->id.bytes,
	};
	ret = fxt_writer_record(w, &c);
	if (ret != -EINVAL)
		return ret;
	/* A path that is no UTF-8. */
	c.name = (struct fxt_text){ .bytes = "?", .length = 1 };
	return fxt_writer_record(w, &c);
}

#define EXECUTABLE	5	/* readable, executable */

static int write_mapping(struct fxt_writer *w, uint64_t process, const struct mapping *m)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_MMAP, .time = m->time, .thread = { .process = process },
		.module_id = m->module->number, .flags = EXECUTABLE,
		.start = m->start, .range = m->end - m->start, .vaddr = m->vaddr,
	};

	return fxt_writer_record(w, &c);
}

static int write_records(struct resolution *r, const struct addresses *a,
			 struct mapping **mappings)
{
	const struct mapping *last = NULL, *m;
	uint64_t process = 0;
	int ret = 0;
	size_t i;

	for (i = 0; i < a->count && !ret; i++) {
		m = mappings[i];
		if (!m || (m == last && a->slots[i].process == process))
			continue;
		if (m->module->number > UINT16_MAX)
			continue;
		if (!last || a->slots[i].process != process || last->module != m->module)
			ret = write_module(r->w, a->slots[i].process, m);
		if (!ret)
			ret = write_mapping(r->w, a->slots[i].process, m);
		last = m;
		process = a->slots[i].process;
	}
	return ret;
}

int resolve(struct resolution *r, struct images *im, const struct addresses *a)
{
	struct mapping **mappings = calloc(a->count + 1, sizeof(*mappings));
	struct module *m;
	size_t i;
	int ret;

	if (!mappings)
		return -ENOMEM;
	for (m = im->first; m; m = m->next)
		m->is_used = false;
	for (i = 0; i < a->count; i++)
		mappings[i] = a->slots[i].process ? find(r, im, &a->slots[i]) : NULL;
	ret = resolve_modules(r, im, a, mappings);
	if (!ret && r->records)
		ret = write_records(r, a, mappings);
	free(mappings);
	return ret;
}
