// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resolve.c - see resolve.h.
 *
 * Each file is opened once, one at a time: a large program has a million functions. Whoever chose
 * addresses, mappings and functions, all that takes time in proportion to them, or to sort them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "lines.h"
#include "mapped.h"
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
		[ELF_TOO_LARGE] = "claims more symbols than are read, or than the file has",
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

/* Mappings that are used, before all are found: that may move them. */
static void use_mappings(struct images *im, const struct addresses *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->slots[i].process)
			images_use(im, a->slots[i].process, a->slots[i].last, a->slots[i].at);
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
	return m;
}

/* --- one file ---------------------------------------------------------------------------------- */

/* "//anon", "[vdso]": no file. */
static bool is_file(const struct module *m)
{
	return m->path[0] == '/' && m->path[1] != '/';
}

/**
 * struct places - where the addresses are
 * @a: in order
 * @mappings: what each is in, NULL if unknown
 * @changes: the number of those before each one of a process whose neighbours are not in the same
 * @order: indices of those in files, by file, then by address; @count of them
 */
struct places {
	const struct addresses *a;
	struct mapping **mappings;
	uint32_t *changes;
	uint32_t *order;
	size_t count;
};

/* @file, @lines, @last...: of the file that is open, and the last line of it. */
struct one_module {
	struct resolution *r;
	const struct places *p;
	struct elf_file file;
	struct symbol_lines lines;
	const struct mapping *last_mapping;
	const struct elf_function *last;
	uint64_t last_process;
};

/* The index of the first address that is not before this one. */
static size_t first_from(const struct addresses *a, uint64_t process, uint64_t at)
{
	size_t low = 0, high = a->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (a->slots[middle].process < process ||
		    (a->slots[middle].process == process && a->slots[middle].at < at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * A line has no time. So a function is not named if the process had something else at its
 * addresses at another time, and it occurs.
 */
static bool is_reused(const struct places *p, uint64_t process, uint64_t start, uint64_t end)
{
	size_t from = first_from(p->a, process, start), to = first_from(p->a, process, end);

	return to > from && p->changes[to] != p->changes[from + 1];
}

/* Addresses come in order, so those of a function follow each other. */
static int write_function(struct one_module *one, size_t i)
{
	const struct address *a = &one->p->a->slots[i];
	const struct mapping *m = one->p->mappings[i];
	uint64_t bias = m->start - m->vaddr;
	const struct elf_function *f = elf_find(&one->file, a->at - bias);
	struct functions *named = one->r->functions;
	int ret = 0;

	if (!f)
		return 0;
	if (is_reused(one->p, a->process, f->start + bias, f->end + bias)) {
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

/* @count places in a file, which begin at @order */
static int write_functions(struct one_module *one, const uint32_t *order, size_t count)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		if (one->p->mappings[order[i]]->vaddr != FXT_SCHED_NO_VADDR)
			ret = write_function(one, order[i]);
	return ret;
}

static void set_vaddrs(const struct one_module *one, const uint32_t *order, size_t count)
{
	struct mapping *m;
	size_t i;

	for (i = 0; i < count; i++) {
		m = one->p->mappings[order[i]];
		if (m->vaddr == FXT_SCHED_NO_VADDR)
			elf_vaddr(&one->file, m->offset, &m->vaddr);
	}
}

static int resolve_module(struct one_module *one, struct module *module, const uint32_t *order,
			  size_t count)
{
	enum elf_fault fault = elf_open(&one->file, module->path, &module->id);
	int ret = 0;

	if (fault == ELF_FINE)
		set_vaddrs(one, order, count);
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
		ret = write_functions(one, order, count);
	elf_close(&one->file);
	module->fault = fault;
	if (!fault)
		return ret;
	if (!one->r->faults[fault]++)
		snprintf(one->r->example[fault], sizeof(one->r->example[fault]), "%s",
			 module->path);
	return ret;
}

static struct module *module_of(const struct places *p, size_t place)
{
	return p->mappings[p->order[place]]->module;
}

static int resolve_modules(struct resolution *r, const struct places *p)
{
	struct one_module one = { .r = r, .p = p, .lines = { .w = r->w } };
	size_t from, to;
	int ret = 0;

	for (from = 0; from < p->count && !ret; from = to) {
		for (to = from + 1; to < p->count; to++)
			if (module_of(p, to) != module_of(p, from))
				break;
		ret = resolve_module(&one, module_of(p, from), p->order + from, to - from);
	}
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
		.kind = FXT_KIND_MODULE, .time = m->time, .thread = mapped_of(process),
		.name = name_of(m->module), .module_id = m->module->written_as,
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
		.kind = FXT_KIND_MMAP, .time = m->time, .thread = mapped_of(process),
		.module_id = m->module->written_as, .flags = EXECUTABLE,
		.start = m->start, .range = m->end - m->start, .vaddr = m->vaddr,
	};

	return fxt_writer_record(w, &c);
}

/* @process: the last one; @count: modules of it */
struct record_writer {
	struct resolution *r;
	uint64_t process;
	uint32_t count;
};

/* Ids of modules are of a process. */
static int write_records(void *arg, uint64_t process, struct mapping *m)
{
	struct record_writer *rw = arg;
	int ret = 0;

	if (rw->process != process) {
		rw->process = process;
		rw->count = 0;
		ret = mapped_begin(rw->r->w, process);
	}
	if (!ret && m->module->written_for != process + 1) {
		if (rw->count > UINT16_MAX) {
			rw->r->left_out++;
			return 0;
		}
		m->module->written_for = process + 1;
		m->module->written_as = rw->count++;
		ret = write_module(rw->r->w, process, m);
	}
	return ret ? ret : write_mapping(rw->r->w, process, m);
}

static int skip(void *arg, uint64_t process, struct mapping *m)
{
	(void)arg, (void)process, (void)m;
	return 0;
}

/* --- all ------------------------------------------------------------------------------------------ */

/* By file, in the order in which they came, then by address. */
static int by_module(const void *x, const void *y, void *arg)
{
	const struct places *p = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint64_t of_a = p->mappings[a]->module->number, of_b = p->mappings[b]->module->number;

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return a < b ? -1 : 1;
}

static void find_places(struct resolution *r, struct images *im, struct places *p)
{
	const struct addresses *a = p->a;
	size_t i;

	for (i = 0; i < a->count; i++)
		p->mappings[i] = a->slots[i].process ? find(r, im, &a->slots[i]) : NULL;
	for (i = 0; i < a->count; i++)
		p->changes[i + 1] = p->changes[i] +
			(i && a->slots[i].process == a->slots[i - 1].process &&
			 !is_same(p->mappings[i], p->mappings[i - 1]));
	for (i = 0; i < a->count; i++)
		if (p->mappings[i] && is_file(p->mappings[i]->module))
			p->order[p->count++] = i;
	if (p->count)
		qsort_r(p->order, p->count, sizeof(*p->order), by_module, p);
}

int resolve(struct resolution *r, struct images *im, const struct addresses *a)
{
	struct places p = {
		.a = a, .mappings = calloc(a->count + 1, sizeof(*p.mappings)),
		.changes = calloc(a->count + 1, sizeof(*p.changes)),
		.order = calloc(a->count + 1, sizeof(*p.order)),
	};
	struct record_writer rw = { .r = r, .process = UINT64_MAX };
	struct map_node *n;
	int ret = -ENOMEM;

	for (n = im->modules.oldest; n; n = n->newer)
		map_entry(n, struct module, node)->written_for = 0;
	if (p.mappings && p.changes && p.order) {
		use_mappings(im, a);
		find_places(r, im, &p);
		ret = resolve_modules(r, &p);
	}
	if (!ret)
		ret = images_each_used(im, r->records ? write_records : skip, &rw);
	free(p.mappings);
	free(p.changes);
	free(p.order);
	return ret;
}
