// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - see symbols.h.
 *
 * An address has no time, and a process may have had several files there: its id is reused, or it
 * began another program. So an address gets the name of a file only if all mappings of the archive
 * have the same place there.
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
	char *path;		/* empty: unknown */
	size_t farthest;	/* of the mappings of the process up to this one: the last to end */
	uint64_t other;		/* the highest end of those at another place than that one */
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

static bool add_mapping(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	const struct module *m = find_module(f, provider, c->thread.process, c->module_id);

	if (f->mapping_count == MOST_PLACES)
		return false;
	array_more(f->mappings, f->mapping_count);
	f->mappings[f->mapping_count] = (struct sched_mapping){
		.provider = provider, .process = c->thread.process, .start = c->start,
		.range = c->range, .vaddr = c->vaddr, .number = f->mapping_count,
		.path = must(strdup(m ? m->path : "")),
	};
	f->mapping_count++;
	f->is_unsorted = true;
	return true;
}

bool sched_files_add(struct sched_files *f, uint32_t provider, const struct fxt_content *c)
{
	if (c->kind == FXT_KIND_MODULE)
		add_module(f, provider, c);
	else if (c->kind == FXT_KIND_MMAP)
		return add_mapping(f, provider, c);
	return true;
}

/* --- places ---------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct sched_mapping *x = a, *y = b;

	return array_order(x->provider, y->provider) ?: array_order(x->process, y->process) ?:
	       array_order(x->start, y->start) ?: array_order(x->number, y->number);
}

static bool is_of(const struct sched_mapping *a, const struct sched_mapping *b)
{
	return a->provider == b->provider && a->process == b->process;
}

static uint64_t end_of(const struct sched_mapping *m)
{
	return m->range > UINT64_MAX - m->start ? UINT64_MAX : m->start + m->range;
}

static bool is_same_place(const struct sched_mapping *a, const struct sched_mapping *b)
{
	return a->start - a->vaddr == b->start - b->vaddr && !strcmp(a->path, b->path);
}

static void find_others(struct sched_files *f)
{
	struct sched_mapping *m, *last = NULL, *far;
	size_t i;

	for (i = 0; i < f->mapping_count; i++, last = m) {
		m = &f->mappings[i];
		m->farthest = i;
		m->other = 0;
		if (!last || !is_of(m, last))
			continue;
		far = &f->mappings[last->farthest];
		m->other = last->other;
		if (end_of(m) <= end_of(far)) {
			m->farthest = last->farthest;
			if (!is_same_place(m, far) && end_of(m) > m->other)
				m->other = end_of(m);
		} else if (!is_same_place(m, far)) {
			m->other = end_of(far);
		}
	}
}

static const struct sched_mapping *mapping_of(struct sched_files *f, uint32_t provider,
					      uint64_t process, uint64_t address)
{
	const struct sched_mapping wanted = {
		.provider = provider, .process = process, .start = address, .number = SIZE_MAX,
	};
	const struct sched_mapping *m;
	size_t n;

	if (f->is_unsorted) {
		qsort(f->mappings, f->mapping_count, sizeof(*f->mappings), by_start);
		find_others(f);
	}
	f->is_unsorted = false;
	n = array_front(f->mapping_count, i, by_start(&f->mappings[i], &wanted) <= 0);
	m = n ? &f->mappings[n - 1] : NULL;
	if (!m || !is_of(m, &wanted) || address < m->other)
		return NULL;
	m = &f->mappings[m->farthest];
	return address < end_of(m) ? m : NULL;
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
 * Find the place in a file of @frame, an address in a stack. Returns a symbol named after the
 * place, the same in all processes; NULL if the address is in no file.
 */
static const struct sched_symbol *files_find(struct sched_files *f, uint32_t provider,
					     uint64_t process, uint64_t frame)
{
	uint64_t address = fxt_sched_frame_address(frame), hash;
	const struct sched_mapping *m = mapping_of(f, provider, process, address);
	char text[NAME_BYTES];
	struct place *p;

	if (!m || !*m->path)
		return NULL;
	fxt_place_name(text, sizeof(text), m->path, !process, frame - m->start + m->vaddr);
	hash = fxt_hash_bytes(text, strlen(text));
	if (!map_find(&f->places, hash, p, !strcmp(p->name, text)) && f->count < MOST_PLACES)
		p = new_place(f, text, hash);
	return p ? &p->symbol : NULL;
}

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
#define LONGEST_NAME	512	/* of a kernel's names, with the module */

/* Parse a hexadecimal number and the space after it, if any. */
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
	if (*at == digits)
		return false;
	*at += *at < end;
	return true;
}

static bool is_name(const char *at, const char *end)
{
	if (at >= end || end - at > LONGEST_NAME || *at == ' ')
		return false;
	while (at < end && *at >= ' ' && *at <= '~')
		at++;
	return at == end;
}

/* Likewise a decimal number. */
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

/* "k START END NAME", "u PROCESS START END NAME", "x PROCESS START END" */
static void parse_line(struct sched_symbols *s, uint32_t provider, const char *at,
		       const char *end)
{
	struct sched_symbol one = { .provider = provider };
	bool is_named;

	if (end - at < 2 || !memchr("kux", at[0], 3) || at[1] != ' ' ||
	    s->count >= MOST_SYMBOLS)
		return;
	is_named = at[0] != 'x';
	at += 2;
	if (at[-2] != 'k' && (!parse_decimal(&at, end, &one.process) || !one.process))
		return;
	if (!parse_hex(&at, end, &one.start) || !parse_hex(&at, end, &one.end) ||
	    one.start >= one.end || (is_named ? !is_name(at, end) : at < end))
		return;
	if (is_named)
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
		if (s->all[i].process && s->all[i].name)
			names[count++] = &s->all[i];
	}
	qsort(names, count, sizeof(*names), by_name);
	for (i = 1; i < count; i++)
		if (!strcmp(names[i]->name, names[i - 1]->name))
			names[i]->place = names[i - 1]->place;
	free(names);
}

/* A line without a name is of no function. */
static bool is_same_name(const struct sched_symbol *a, const struct sched_symbol *b)
{
	return a->name && b->name && !strcmp(a->name, b->name);
}

/*
 * Parts of a recording were named separately, so their functions may be those of two processes with
 * one id. Such functions overlap, those of one program do not.
 */
static void find_ambiguous(struct sched_symbols *s)
{
	struct sched_symbol *one, *last = NULL;

	for (one = s->all; one < s->all + s->count; one++) {
		if (!one->process)
			continue;
		if (last && last->provider == one->provider && last->process == one->process &&
		    one->start < last->end && (last->is_ambiguous || !is_same_name(one, last)))
			one->is_ambiguous = last->is_ambiguous = true;
		if (!last || last->provider != one->provider || last->process != one->process ||
		    one->end >= last->end)
			last = one;
	}
}

static bool has_name(const struct sched_symbol *line)
{
	return line->name && !line->is_ambiguous;
}

static void sort_symbols(struct sched_symbols *s)
{
	if (s->is_unsorted) {
		qsort(s->all, s->count, sizeof(*s->all), by_place);
		find_ambiguous(s);
		set_places(s);
	}
	s->is_unsorted = false;
}

/* The line that has the address, or NULL. */
static const struct sched_symbol *line_of(struct sched_symbols *s, uint32_t provider,
					  uint64_t process, uint64_t address)
{
	const struct sched_symbol wanted = {
		.provider = provider, .process = process, .start = address,
	}, *found;
	size_t n;

	sort_symbols(s);
	n = array_front(s->count, i, by_place(&s->all[i], &wanted) <= 0);
	found = n ? &s->all[n - 1] : NULL;
	return found && found->provider == provider && found->process == process &&
	       address < found->end ? found : NULL;
}

bool sched_symbol_knows(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address)
{
	return line_of(s, provider, fxt_sched_is_kernel(address) ? 0 : process, address);
}

bool sched_mapping_find(struct sched_symbols *s, uint32_t provider, uint64_t process,
			uint64_t address, size_t *number)
{
	uint64_t owner = fxt_sched_is_kernel(address) ? 0 : process;
	const struct sched_symbol *line = line_of(s, provider, owner, address);
	const struct sched_mapping *m = NULL;

	if (!line || has_name(line))
		m = mapping_of(&s->files, provider, owner, address);
	*number = m ? m->number : 0;
	return m;
}

const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address)
{
	uint64_t owner = fxt_sched_is_kernel(address) ? 0 : process;
	const struct sched_symbol *line;

	line = line_of(s, provider, owner, address);
	if (!line)
		return files_find(&s->files, provider, owner, address + 1);
	return has_name(line) ? line : NULL;
}

const struct sched_symbol *sched_symbol_at(struct sched_symbols *s, uint32_t provider,
					   uint64_t place)
{
	const struct sched_symbol *line;

	sort_symbols(s);
	if (place - PROGRAM_PLACE < s->count) {
		line = &s->all[place - PROGRAM_PLACE];
		/* Any word may be a frame. */
		return line->process && has_name(line) ? line : NULL;
	}
	line = fxt_sched_is_kernel(place) ? line_of(s, provider, 0, place) : NULL;
	return line && line->start == place ? line : files_place(&s->files, place);
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

bool sched_symbol_is_of_tracer(const char *name)
{
	static const char *const begins[] = {
		"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_",
	};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

#define MATCHES(name, patterns)	matches(name, patterns, sizeof(patterns) / sizeof((patterns)[0]))

static bool matches(const char *name, const char *const *patterns, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!fnmatch(patterns[i], name, 0))
			return true;
	return false;
}

bool sched_symbol_is_of_scheduler(const char *name)
{
	static const char *const patterns[] = {
		"*schedule", "schedule_*", "*schedule_timeout*",
		"try_to_wake_up*", "ttwu_*", "wake_up_process*", "default_wake_function*",
		"__wake_up*", "autoremove_wake_function*", "wake_up_q*", "__cond_resched*",
	};

	return MATCHES(name, patterns) || sched_symbol_is_of_tracer(name);
}

bool sched_symbol_is_of_locks(const char *name)
{
	static const char *const patterns[] = {
		/* Of the kernel. */
		"mutex_*lock*", "__mutex_*lock*", "rwsem_*", "down", "down_*", "__down*", "up",
		"up_read*", "up_write*", "__up", "__up.*", "__up_*", "percpu_*down_*", "percpu_*up_*",
		"__percpu_*", "rt_mutex_*", "__rt_mutex_*", "*rt_mutex_slow*", "rwbase_*", "rt_spin_*",
		"rt_read_*", "rt_write_*", "rtlock_*", "schedule_preempt_disabled", "wake_q_*",
		/* Its system call futex(), and the way there. */
		"futex_*", "__futex_*", "do_futex*", "*_sys_futex*", "do_syscall_64*",
		"x64_sys_call*", "entry_SYSCALL_64*", "invoke_syscall*", "el0_svc*", "do_el0_svc*",
		"el0t_64_sync*", "__arm64_sys_*",
		/* Of programs. */
		"*lll_*lock*", "*pthread_mutex_*", "*pthread_rwlock_*", "*pthread_spin_*",
		"*pthread_cond_*", "*futex_wait*", "*futex_wake*", "syscall", "syscall [[]*",
		"std::*mutex*", "std::*lock_guard*", "std::*unique_lock*", "std::sys::*",
	};

	return MATCHES(name, patterns);
}
