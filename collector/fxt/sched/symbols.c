// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - see symbols.h.
 *
 * A process may map several files at one address: the mapping with the highest start before the
 * address counts, and of equal ones the last in the archive.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/stacks.h"
#include "terminal/memory.h"
#include "symbols.h"

/* --- places in files --------------------------------------------------------------------- */

#define MOST_PLACES		(1U << 20)	/* mappings, modules, places */
#define NAME_BYTES	256
/* Outside of all addresses and of all places of functions. */
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

static uint64_t hash_of(uint32_t provider, uint64_t process, uint16_t id)
{
	return map_hash(map_hash(provider, process), id);
}

static struct module *find_module(const struct sched_files *f, uint32_t provider,
				  uint64_t process, uint16_t id)
{
	struct module *m;

	return map_find(&f->modules, hash_of(provider, process, id), m,
			m->provider == provider && m->process == process && m->id == id);
}

static void add_module(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	struct module *m = find_module(f, provider, c->thread.process, c->module_id);

	if (!m && f->modules.count == MOST_PLACES)
		return;
	if (!m) {
		m = new_zero(struct module);
		m->provider = provider;
		m->process = c->thread.process;
		m->id = c->module_id;
		map_put(&f->modules, &m->node, hash_of(provider, m->process, m->id));
	}
	free(m->path);
	m->path = must(strndup(c->name.length ? c->name.bytes : "", c->name.length));
}

static void add_mapping(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	const struct module *m = find_module(f, provider, c->thread.process, c->module_id);

	if (!m || !*m->path || f->mapping_count == MOST_PLACES)
		return;
	array_more(f->mappings, f->mapping_count);
	f->mappings[f->mapping_count] = (struct sched_mapping){
		.provider = provider, .process = c->thread.process, .start = c->start,
		.range = c->range, .vaddr = c->vaddr, .number = f->mapping_count,
		.path = must(strdup(m->path)),
	};
	f->mapping_count++;
	f->is_unsorted = true;
}

void sched_files_add(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_MODULE)
		add_module(f, provider, c);
	else if (c->kind == FXT_KIND_MMAP)
		add_mapping(f, provider, c);
}

/* --- places ---------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct sched_mapping *x = a, *y = b;

	return array_order(x->provider, y->provider) ?: array_order(x->process, y->process) ?:
	       array_order(x->start, y->start) ?: array_order(x->number, y->number);
}

static const struct sched_mapping *mapping_of(struct sched_files *f, uint32_t provider,
					      uint64_t process, uint64_t address)
{
	const struct sched_mapping wanted = {
		.provider = provider, .process = process, .start = address, .number = SIZE_MAX,
	};
	const struct sched_mapping *m;
	size_t n;

	if (f->is_unsorted)
		qsort(f->mappings, f->mapping_count, sizeof(*f->mappings), by_start);
	f->is_unsorted = false;
	n = array_front(f->mapping_count, i, by_start(&f->mappings[i], &wanted) <= 0);
	m = n ? &f->mappings[n - 1] : NULL;
	return m && m->provider == provider && m->process == process &&
	       address - m->start < m->range ? m : NULL;
}

static struct place *new_place(struct sched_files *f, const char *name, uint64_t hash)
{
	size_t bytes = strlen(name) + 1;
	struct place *p = must(calloc(1, sizeof(*p) + bytes));

	memcpy(p->name, name, bytes);
	p->symbol.name = p->name;
	p->symbol.place = FILE_PLACE + f->count;
	array_more(f->list, f->count);
	f->list[f->count++] = &p->symbol;
	map_put(&f->places, &p->node, hash);
	return p;
}

/*
 * Find the place in a file of @frame, an address in a stack. Return: a symbol named after the
 * place, the same one in all processes; NULL if the address is in no file.
 */
static const struct sched_symbol *files_find(struct sched_files *f, uint32_t provider,
					     uint64_t process, uint64_t frame)
{
	uint64_t address = fxt_sched_frame_address(frame), hash;
	const struct sched_mapping *m = mapping_of(f, provider, process, address);
	char text[NAME_BYTES];
	struct place *p;

	if (!m)
		return NULL;
	fxt_place_name(text, sizeof(text), m->path, !process, frame - m->start + m->vaddr);
	hash = fxt_hash_bytes(text, strlen(text));
	if (!map_find(&f->places, hash, p, !strcmp(p->name, text)) && f->count < MOST_PLACES)
		p = new_place(f, text, hash);
	return p ? &p->symbol : NULL;
}

/* Find the symbol with this @place; NULL if there is none. */
static const struct sched_symbol *files_place(const struct sched_files *f, uint64_t place)
{
	return place - FILE_PLACE < f->count ? f->list[place - FILE_PLACE] : NULL;
}

static void files_free(struct sched_files *f)
{
	struct module *m;
	size_t i;

	map_drain(&f->modules, m) {
		free(m->path);
		free(m);
	}
	map_free_all(&f->places, struct place);
	for (i = 0; i < f->mapping_count; i++)
		free(f->mappings[i].path);
	free(f->mappings);
	free(f->list);
}

/* --- functions --------------------------------------------------------------------------- */

/* Neither the kernel nor programs have addresses here, on x86-64 and arm64. */
#define PROGRAM_PLACE	0x8000000000000000ULL

#define MOST_SYMBOLS	(1U << 20)
#define LONGEST_NAME	512	/* length of the longest name in a kernel, with its module */

/* Parse a hexadecimal number and the space after it. Return: false if there is none. */
static bool parse_hex(const char **at, const char *end, uint64_t *value)
{
	const char *digits = *at;
	unsigned int digit;

	for (*value = 0; *at < end && **at != ' '; ++*at) {
		if (**at >= '0' && **at <= '9')
			digit = **at - '0';
		else if (**at >= 'a' && **at <= 'f')
			digit = **at - 'a' + 10;
		else
			return false;
		if (*value >> 60)
			return false;
		*value = *value << 4 | digit;
	}
	return *at > digits && (*at)++ < end;
}

static bool is_name(const char *at, const char *end)
{
	if (at >= end || end - at > LONGEST_NAME || *at == ' ')
		return false;
	while (at < end && *at >= ' ' && *at <= '~')
		at++;
	return at == end;
}

/* Parse a decimal number and the space after it, likewise. */
static bool parse_decimal(const char **at, const char *end, uint64_t *value)
{
	const char *digits = *at;

	for (*value = 0; *at < end && **at >= '0' && **at <= '9'; ++*at) {
		if (*value > UINT64_MAX / 10 - 1)
			return false;
		*value = *value * 10 + (**at - '0');
	}
	return *at > digits && *at < end && *(*at)++ == ' ';
}

/* "k START END NAME", "u PROCESS START END NAME" */
static void parse_line(struct sched_symbols *s, uint32_t provider, const char *at,
		       const char *end)
{
	struct sched_symbol one = { .provider = provider };

	if (end - at < 2 || (at[0] != 'k' && at[0] != 'u') || at[1] != ' ' ||
	    s->count >= MOST_SYMBOLS)
		return;
	at += 2;
	if (at[-2] == 'u' && (!parse_decimal(&at, end, &one.process) || !one.process))
		return;
	if (!parse_hex(&at, end, &one.start) || !parse_hex(&at, end, &one.end) ||
	    one.start >= one.end || !is_name(at, end))
		return;
	one.name = must(strndup(at, end - at));
	array_more(s->all, s->count);
	s->all[s->count++] = one;
	s->is_unsorted = true;
}

void sched_symbols_parse(struct sched_symbols *s, uint32_t provider,
			 const struct fxt_bytes *lines)
{
	const char *at = lines->data, *end = at + lines->bytes, *stop;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', end - at);
		stop = stop ? stop : end;
		parse_line(s, provider, at, stop);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct sched_symbol *x = a, *y = b;

	return array_order(x->provider, y->provider) ?: array_order(x->process, y->process) ?:
	       array_order(x->start, y->start);
}

static int by_name(const void *a, const void *b)
{
	const struct sched_symbol *x = *(struct sched_symbol *const *)a;
	const struct sched_symbol *y = *(struct sched_symbol *const *)b;

	return strcmp(x->name, y->name) ?: (x > y) - (x < y);
}

/* Number functions of programs by name, because their addresses differ between processes. */
static void set_places(struct sched_symbols *s)
{
	struct sched_symbol **names = must(calloc(s->count + 1, sizeof(*names)));
	size_t i, count = 0;

	for (i = 0; i < s->count; i++) {
		s->all[i].place = s->all[i].process ? PROGRAM_PLACE + i : s->all[i].start;
		if (s->all[i].process)
			names[count++] = &s->all[i];
	}
	qsort(names, count, sizeof(*names), by_name);
	for (i = 1; i < count; i++)
		if (!strcmp(names[i]->name, names[i - 1]->name))
			names[i]->place = names[i - 1]->place;
	free(names);
}

/* Offsets are relative to the start of the function. */
static const struct sched_symbol *find_in_files(struct sched_symbols *s, uint32_t provider,
						uint64_t process, uint64_t address)
{
	const struct sched_symbol *symbol = files_place(&s->files, address);

	return symbol ? symbol : files_find(&s->files, provider, process, address + 1);
}

const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address)
{
	bool is_kernel = fxt_sched_is_kernel(address);
	const struct sched_symbol wanted = {
		.provider = provider, .process = is_kernel ? 0 : process, .start = address,
	};
	size_t n;

	if (s->is_unsorted) {
		qsort(s->all, s->count, sizeof(*s->all), by_place);
		set_places(s);
	}
	s->is_unsorted = false;
	if (address - PROGRAM_PLACE < s->count)
		return &s->all[address - PROGRAM_PLACE];
	n = array_front(s->count, i, by_place(&s->all[i], &wanted) <= 0);
	if (!n || s->all[n - 1].provider != provider ||
	    s->all[n - 1].process != wanted.process || address >= s->all[n - 1].end)
		return find_in_files(s, provider, wanted.process, address);
	return &s->all[n - 1];
}

void sched_symbols_free(struct sched_symbols *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->all[i].name);
	free(s->all);
	files_free(&s->files);
	*s = (struct sched_symbols){ 0 };
}

bool sched_symbol_is_of_scheduler(const char *name)
{
	static const char *const patterns[] = {
		"bpf_prog_*", "bpf_trace_run*", "__bpf_trace_*", "__traceiter_*",
		"bpf_trampoline_*", "*schedule", "schedule_*", "*schedule_timeout*",
		"try_to_wake_up*", "ttwu_*", "wake_up_process*", "default_wake_function*",
		"__wake_up*", "autoremove_wake_function*", "wake_up_q*", "__cond_resched*",
	};
	size_t i;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (!fnmatch(patterns[i], name, 0))
			return true;
	return false;
}
