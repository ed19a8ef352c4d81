// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resolve.c - see resolve.h.
 *
 * Each file is opened once, and one at a time, because a large program has a million functions. The
 * time is proportional to the addresses, mappings and functions, or that of sorting them, whoever
 * chose them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>
#include <fxt/fxt_sched_stack.h>

#include "libfxt/array.h"
#include "libfxt/clock.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "libfxt/text.h"
#include "resolve.h"
#include "shares.h"

/* --- functions -------------------------------------------------------------------------- */

static int functions_add(struct functions *f, uint64_t process, uint64_t start, uint64_t end,
			 const char *name)
{
	if (array_grow(f->list, f->count))
		return -ENOMEM;
	f->list[f->count] = (struct function){ process, start, end, strdup(name) };
	if (!f->list[f->count].name)
		return -ENOMEM;
	f->count++;
	return 0;
}

static int compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void functions_sort(struct functions *f)
{
	if (f->count)
		qsort(f->list, f->count, sizeof(*f->list), compare_functions);
}

const char *functions_find(const struct functions *f, uint64_t process, uint64_t at)
{
	size_t n = array_front(f->count, i, f->list[i].process < process ||
			       (f->list[i].process == process && f->list[i].start <= at));
	const struct function *one = n ? &f->list[n - 1] : NULL;

	return one && one->process == process && at < one->end ? one->name : NULL;
}

void functions_free(struct functions *f)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		free(f->list[i].name);
	free(f->list);
	*f = (struct functions){ 0 };
}

/* --- mapped files ----------------------------------------------------------------------- */

struct fxt_thread_id mapped_of(uint64_t process)
{
	return (struct fxt_thread_id){ .process = process, .ref = FXT_SCHED_THREAD_MAPPED };
}

int mapped_begin(struct fxt_writer *w, uint64_t process)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_THREAD, .index = FXT_SCHED_THREAD_MAPPED,
		.thread = { .process = process },
	};

	return fxt_writer_record(w, &c);
}

/* --- lines ------------------------------------------------------------------------------ */

#define BLOB_BYTES	30000		/* lines in a BLOB */
#define LINE_BYTES	1200		/* longest line; names have at most 512 in kallsyms */
#define NAME_BYTES	400		/* of a program's function; longer names are truncated */
#define FILE_BYTES	100		/* likewise of a file */

/* The record has the name as text, because only the writer of a recording has registered it. */
static int flush_lines(struct symbol_lines *l)
{
	struct fxt_content c = {
		.kind = FXT_KIND_BLOB, .blob = { .data = l->text, .bytes = l->used },
		.blob_held = l->used, .blob_type = FXT_BLOB_DATA,
		.name = fxt_known_text(FXT_STR_SYMBOLS),
	};
	int ret;

	if (!l->used)
		return 0;
	ret = fxt_writer_record(l->w, &c);
	l->used = 0;
	return ret;
}

/* Longer lines are omitted. Return: 0, -ENOMEM or an error of the writer. */
static __attribute__((format(printf, 2, 3))) int add_line(struct symbol_lines *l,
							  const char *format, ...)
{
	va_list args;
	int length;

	if (!l->text)
		l->text = malloc(BLOB_BYTES + LINE_BYTES);
	if (!l->text)
		return -ENOMEM;
	va_start(args, format);
	length = vsnprintf(l->text + l->used, LINE_BYTES, format, args);
	va_end(args);
	if (length < LINE_BYTES)
		l->used += length;
	return l->used < BLOB_BYTES ? 0 : flush_lines(l);
}

static int add_kernel(struct symbol_lines *l, const struct kernel_symbol *s)
{
	return add_line(l, s->module ? "k %" PRIx64 " %" PRIx64 " %s [%s]\n" :
				       "k %" PRIx64 " %" PRIx64 " %s\n",
			s->start, s->end, s->name, s->module);
}

/* The addresses are sorted, so those of a function follow each other. */
int lines_kernel(struct symbol_lines *l, const struct addresses *a,
		 const struct kernel_symbols *k)
{
	const struct kernel_symbol *s = NULL;
	size_t i;
	int ret = 0;

	for (i = 0; i < a->count && !a->slots[i].process && !ret; i++) {
		if (s && a->slots[i].at < s->end)
			continue;
		s = kernel_symbols_find(k, a->slots[i].at);
		if (s)
			ret = add_kernel(l, s);
	}
	return ret;
}

/* Copy a name up to the character @end. Names can be anything, but a line must have one. */
static void clean(char *to, size_t most, const char *from, char end)
{
	size_t i;

	for (i = 0; from[i] && (!i || from[i] != end) && i < most; i++)
		to[i] = from[i] >= (i ? ' ' : '!') && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}

/*
 * Add the line of a function of a process. @start, @end: addresses in the process. @path: of the
 * file
 */
static int lines_user(struct symbol_lines *l, uint64_t process, uint64_t start, uint64_t end,
		      const char *name, const char *path)
{
	char function[NAME_BYTES + 1], file[FILE_BYTES + 1];
	const char *slash = strrchr(path, '/');

	/* "clock_nanosleep@@GLIBC_2.17" */
	clean(function, NAME_BYTES, name, '@');
	clean(file, FILE_BYTES, slash ? slash + 1 : path, '\0');
	return add_line(l, "u %" PRIu64 " %" PRIx64 " %" PRIx64 " %s [%s]\n", process, start, end,
			function, file);
}

int lines_end(struct symbol_lines *l, int ret)
{
	ret = ret ? ret : flush_lines(l);
	free(l->text);
	*l = (struct symbol_lines){ .w = l->w };
	return ret;
}

/* --- addresses -------------------------------------------------------------------------- */

#define PATH_MOST	255	/* of a module's name in a record */
#define WAIT_MS		5	/* of a single wait */
#define FIRST_NS	(200 * 1000000ULL)	/* for a file, as long as others wait */
#define LAST_NS		(8000 * 1000000ULL)	/* for a file, on a busy machine */

const char *resolve_fault(enum elf_fault fault)
{
	static const char * const texts[ELF_FAULTS] = {
		[ELF_FINE] = "has all functions",
		[ELF_NO_ID] = "had no build id when it was mapped",
		[ELF_NO_FILE] = "cannot be opened",
		[ELF_DAMAGED] = "is damaged",
		[ELF_OTHER_ID] = "has a different build id from the file that was mapped",
		[ELF_TOO_LARGE] = "claims more symbols than are read, or than the file has",
		[ELF_TOO_SLOW] = "took too long to read; fxt symbolize may read it",
		[ELF_CRASHED] = "cannot be read: the process that reads it has ended",
		[ELF_NO_FUNCTIONS] = "has no symbols, nor is there a separate debug file",
	};

	return texts[fault];
}

/* Mark all used mappings before the first one is looked up, because marking may move them. */
static void use_mappings(struct images *im, const struct addresses *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->slots[i].process)
			images_use(im, a->slots[i].process, a->slots[i].last, a->slots[i].at);
}

static struct mapping *find_mapping(struct resolution *r, struct images *im,
				    const struct address *a)
{
	struct mapping *m = images_steady(im, a->process, a->first, a->last, a->at);

	r->addresses++;
	if (!m && (images_find(im, a->process, a->first, a->at) ||
		   images_find(im, a->process, a->last, a->at)))
		r->changed++;
	else if (!m)
		r->unmapped++;
	return m;
}

/* --- one file ------------------------------------------------------------------------- */

/* "//anon" and "[vdso]" are not files. */
static bool is_file(const struct module *m)
{
	return m->path[0] == '/' && m->path[1] != '/';
}

struct places {
	const struct addresses *a;	/* sorted */
	struct mapping **mappings;	/* of each address; NULL: unknown */
	uint32_t *changes;	/* of each: how often the mapping changed before it in a process */
	uint32_t *order;	/* of addresses in files, by file, then by address */
	size_t count;
};

struct one_module {
	struct resolution *r;
	const struct places *p;
	struct symbol_lines lines;
	struct elf_hello hello;	/* first answer about it */
	uint64_t last_bias;	/* of the last line that was written */
	uint64_t last_start;
	uint64_t last_process;
	bool has_begun;		/* its functions were requested, and may have been written */
	unsigned char packet[ELF_PACKET_BYTES];	/* last answer */
	char name[ELF_NAME_BYTES + 1];	/* of the last function in @packet */
};

/* The index of the first address that is not before this one. */
static size_t first_from(const struct addresses *a, uint64_t process, uint64_t at)
{
	return array_front(a->count, i, a->slots[i].process < process ||
			   (a->slots[i].process == process && a->slots[i].at < at));
}

/*
 * Lines have no time. So a function is not named if an address shows that the process had something
 * else there at another time.
 */
static bool is_reused(const struct places *p, uint64_t process, uint64_t start, uint64_t end)
{
	size_t from = first_from(p->a, process, start), to = first_from(p->a, process, end);

	return to > from && p->changes[to] != p->changes[from + 1];
}

static uint64_t bias_of(const struct mapping *m)
{
	return m->start - m->vaddr;
}

/* Addresses are in order, so those of a function are successive. */
static int write_function(struct one_module *one, size_t i, const struct elf_named *f)
{
	const struct address *a = &one->p->a->slots[i];
	const struct mapping *m = one->p->mappings[i];
	uint64_t bias = bias_of(m);
	int ret = 0;

	if (is_reused(one->p, a->process, f->start + bias, f->end + bias)) {
		one->r->changed++;
		return 0;
	}
	one->r->named++;
	if (f->start == one->last_start && a->process == one->last_process &&
	    bias == one->last_bias)
		return 0;
	one->last_start = f->start;
	one->last_process = a->process;
	one->last_bias = bias;
	if (one->r->functions)
		ret = functions_add(one->r->functions, a->process, f->start + bias,
				    f->end + bias, one->name);
	return ret ? ret : lines_user(&one->lines, a->process, f->start + bias, f->end + bias,
				      one->name, m->module->path);
}

/* The process that answers is not trusted, because it has parsed the file. */
static int read_functions(struct one_module *one, const uint32_t *order, size_t count, size_t bytes,
			  size_t *taken)
{
	const struct elf_functions *head = (const void *)one->packet;
	size_t at = sizeof(*head), i;
	struct elf_named f;
	int ret = 0;

	for (i = 0; i < head->count && *taken < count && bytes - at >= sizeof(f) && !ret; i++) {
		memcpy(&f, one->packet + at, sizeof(f));
		at += sizeof(f);
		if (f.length > ELF_NAME_BYTES || f.length > bytes - at)
			break;
		if (f.length) {
			memcpy(one->name, one->packet + at, f.length);
			one->name[f.length] = '\0';
			at += f.length;
		}
		if (f.start < f.end && f.at >= f.start && f.at < f.end && one->name[0])
			ret = write_function(one, order[*taken], &f);
		++*taken;
	}
	return ret;
}

/* Return: bytes of the answer; 0 if none came in time; -1 if the process has ended. */
static long wait_for(struct one_module *one, int link, uint64_t until)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	long n = 0;

	while (!n && now < until) {
		n = elf_link_receive(link, one->packet, WAIT_MS);
		if (!n && one->r->idle)
			one->r->idle(one->r->arg);
		now = clock_ns(CLOCK_MONOTONIC);
	}
	return n;
}

static void set_vaddrs(const struct one_module *one, const uint32_t *order, size_t count)
{
	struct elf_file f = { .load_count = one->hello.load_count };
	struct mapping *m;
	size_t i;

	memcpy(f.loads, one->hello.loads, sizeof(f.loads));
	if (f.load_count > ELF_LOADS)
		f.load_count = 0;
	for (i = 0; i < count; i++) {
		m = one->p->mappings[order[i]];
		if (m->vaddr == FXT_SCHED_NO_VADDR)
			elf_vaddr(&f, m->offset, &m->vaddr);
	}
}

/* Ask for the functions of some of the addresses. Return: a fault, or a negative errno. */
static int ask_functions(struct one_module *one, int link, const uint32_t *order, size_t count,
			 uint64_t until)
{
	const struct elf_functions *head = (const void *)one->packet;
	uint64_t vaddrs[ELF_ADDRESSES_MOST];
	size_t taken = 0, i;
	bool is_last = false;
	int ret = 0;
	long n;

	for (i = 0; i < count; i++)
		vaddrs[i] = one->p->a->slots[order[i]].at - bias_of(one->p->mappings[order[i]]);
	if (!elf_link_ask_functions(link, vaddrs, count))
		return ELF_CRASHED;
	one->name[0] = '\0';
	one->has_begun = true;
	while (!is_last && !ret) {
		n = wait_for(one, link, until);
		if (n <= (long)sizeof(*head) - 1)
			return n < 0 ? ELF_CRASHED : ELF_TOO_SLOW;
		ret = read_functions(one, order, count, n, &taken);
		is_last = head->is_last;
	}
	return ret ? ret : (int)(head->fault < ELF_FAULTS ? head->fault : ELF_CRASHED);
}

/* Move the addresses whose place in the file is known to the front. Only these can have a name. */
static size_t known_places(struct one_module *one, uint32_t *order, size_t count)
{
	size_t i, known = 0;
	uint32_t place;

	for (i = 0; i < count; i++) {
		if (one->p->mappings[order[i]]->vaddr == FXT_SCHED_NO_VADDR)
			continue;
		place = order[i];
		order[i] = order[known];
		order[known++] = place;
	}
	return known;
}

/* @process: that has mapped it; 0: unknown */
static struct elf_place place_of(const struct module *m, uint32_t process)
{
	struct elf_place place = {
		.id = m->id, .device = m->device, .inode = m->inode, .process = process,
	};

	snprintf(place.path, sizeof(place.path), "%s", m->path);
	return place;
}

/* Return: a fault, or a negative errno. */
static int ask_module(struct one_module *one, int link, struct module *module, uint32_t *order,
		      size_t count, uint64_t until)
{
	long n = wait_for(one, link, until);
	size_t i, some;
	int ret = 0;

	if (n != sizeof(one->hello))
		return n ? ELF_CRASHED : ELF_TOO_SLOW;
	memcpy(&one->hello, one->packet, sizeof(one->hello));
	if (one->hello.fault >= ELF_FAULTS || one->hello.id.bytes > sizeof(one->hello.id.id))
		return ELF_CRASHED;
	if (!module->id.bytes)
		module->id = one->hello.id;
	if (one->hello.fault == ELF_FINE)
		set_vaddrs(one, order, count);
	count = known_places(one, order, count);
	if (!one->r->symbols || one->hello.fault == ELF_NO_ID || !count)
		return one->hello.fault;
	for (i = 0; i < count && !ret; i += some) {
		some = count - i < ELF_ADDRESSES_MOST ? count - i : ELF_ADDRESSES_MOST;
		ret = ask_functions(one, link, order + i, some, until);
	}
	/* If that worked despite a fault of the file, separate symbols were enough. */
	return ret > 0 && one->hello.fault ? (int)one->hello.fault : ret;
}

static int open_module(struct one_module *one, struct module *module, uint32_t process,
		       uint32_t *order, size_t count, uint64_t until)
{
	const struct elf_place place = place_of(module, process);
	int link = elf_link_open(one->r->server, &place, one->r->debug), ret;

	one->last_start = UINT64_MAX;
	one->has_begun = false;
	ret = link < 0 ? ELF_CRASHED : ask_module(one, link, module, order, count, until);
	if (link >= 0)
		close(link);
	return ret;
}

/*
 * First without a process: its root directory may be a file system of its own user, which makes
 * opening take forever, while others have mapped the same file.
 */
static int resolve_module(struct one_module *one, struct module *module, uint32_t *order,
			  size_t count, uint64_t until)
{
	uint32_t process = one->r->is_here ? one->p->a->slots[*order].process : 0;
	int ret = open_module(one, module, 0, order, count, until);

	if (process && elf_is_elsewhere(ret))
		ret = open_module(one, module, process, order, count, until);
	module->fault = ret < 0 ? ELF_FINE : ret;
	module->is_late = ret == ELF_TOO_SLOW && !one->has_begun;
	return ret < 0 ? ret : 0;
}

static void note_fault(struct resolution *r, const struct module *m)
{
	if (m->fault && !r->faults[m->fault]++)
		snprintf(r->example[m->fault], sizeof(r->example[m->fault]), "%s", m->path);
}

static struct module *module_of(const struct places *p, size_t place)
{
	return p->mappings[p->order[place]]->module;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct reading {
	struct one_module *one;
	const struct places *p;
	uint32_t *first;	/* of each file and of the end, index in the order of addresses */
	bool *is_done;		/* of each file: it was read, or cannot be */
	size_t count;
	uint64_t end;		/* ns, when no more is read */
};

static void read_file(struct reading *all, size_t file, uint64_t until, int *ret)
{
	const struct places *p = all->p;
	uint32_t from = all->first[file];
	struct module *m = module_of(p, from);

	*ret = resolve_module(all->one, m, p->order + from, all->first[file + 1] - from, until);
	all->is_done[file] = *ret || !m->is_late;
}

/* Each process of a file that is not done. Return: NULL without memory. */
static struct share *list_shares(const struct reading *all, size_t *count)
{
	const struct places *p = all->p;
	struct share *list = calloc(p->count + 1, sizeof(*list)), *last = NULL;
	const struct address *a;
	size_t file, i;

	*count = 0;
	for (file = 0; list && file < all->count; file++) {
		if (all->is_done[file])
			continue;
		for (i = all->first[file]; i < all->first[file + 1]; i++) {
			a = &p->a->slots[p->order[i]];
			last = *count ? &list[*count - 1] : NULL;
			if (!last || last->file != file || last->process != a->process)
				list[(*count)++] = (struct share){
					addresses_user(p->a, a->process), a->process, 1, file,
				};
			else
				last->uses++;
		}
	}
	return list;
}

/*
 * Read the files that are not done, each for no longer than @patience. Check the time before
 * asking, which takes time, too: an archive can have any number of files.
 */
static int read_round(struct reading *all, uint64_t patience)
{
	const struct resolution *r = all->one->r;
	uint64_t now = clock_ns(CLOCK_MONOTONIC), begun, until, spent;
	struct shares shares = { .count = 0 };
	size_t count, file;
	struct share *list = list_shares(all, &count);
	int ret = list ? shares_open(&shares, list, count) : -ENOMEM;

	while (!ret && now < all->end && shares_next(&shares, &file, &spent)) {
		begun = now;
		until = least(now + patience, all->end);
		if (r->each)
			until = least(until, now + (spent < r->each ? r->each - spent : 0));
		if (!all->is_done[file] && until > now)
			read_file(all, file, until, &ret);
		now = clock_ns(CLOCK_MONOTONIC);
		shares_spend(&shares, now - begun);
	}
	shares_close(&shares);
	free(list);
	return ret;
}

/* A file that was not read, because there was no time for it. */
static void note_faults(struct reading *all, struct resolution *r)
{
	size_t file;

	for (file = 0; file < all->count; file++) {
		struct module *m = module_of(all->p, all->first[file]);

		if (!all->is_done[file])
			m->fault = ELF_TOO_SLOW;
		note_fault(r, m);
	}
}

static void find_files(struct reading *all)
{
	const struct places *p = all->p;
	size_t i;

	for (i = 0; i < p->count; i++)
		if (!i || module_of(p, i) != module_of(p, i - 1))
			all->first[all->count++] = i;
	all->first[all->count] = p->count;
}

/* A slow file has to wait until all others are done, so that it does not delay them. */
static int resolve_modules(struct resolution *r, const struct places *p)
{
	struct reading all = {
		.one = calloc(1, sizeof(*all.one)), .p = p,
		.first = calloc(p->count + 1, sizeof(*all.first)),
		.is_done = calloc(p->count + 1, sizeof(*all.is_done)),
		.end = r->limit ? clock_ns(CLOCK_MONOTONIC) + r->limit : UINT64_MAX,
	};
	int ret = -ENOMEM;

	if (all.one && all.first && all.is_done) {
		all.one->r = r;
		all.one->p = p;
		all.one->lines.w = r->w;
		find_files(&all);
		ret = read_round(&all, FIRST_NS);
		ret = ret ? ret : read_round(&all, LAST_NS);
		if (!ret)
			note_faults(&all, r);
		ret = lines_end(&all.one->lines, ret);
	}
	free(all.one);
	free(all.first);
	free(all.is_done);
	return ret;
}

/* --- addresses without a place -------------------------------------------------------- */

/* The index of the first address of the next process, or of the end. */
static size_t next_process(const struct addresses *a, size_t i)
{
	uint64_t process = a->slots[i].process;

	while (i < a->count && a->slots[i].process == process)
		i++;
	return i;
}

static bool has_mappings(struct images *im, const struct addresses *a, size_t i, size_t end)
{
	while (i < end && !images_find(im, a->slots[i].process, a->slots[i].last, a->slots[i].at))
		i++;
	return i < end;
}

/*
 * The archive has the mappings of all lives and programs of a process, so a reader would name these
 * addresses by a file that was not there, or not always. One line for successive addresses.
 */
static int write_unknown(struct resolution *r, struct images *im, const struct places *p)
{
	struct symbol_lines lines = { .w = r->w };
	const struct address *all = p->a->slots;
	size_t i, from, end, count = p->a->count;
	int ret = 0;

	for (i = 0; i < count && !ret; i = end) {
		end = next_process(p->a, i);
		if (!all[i].process || !has_mappings(im, p->a, i, end))
			continue;
		for (; i < end && !ret; i++) {
			for (from = i; i < end && !p->mappings[i]; i++)
				;
			if (i > from)
				ret = add_line(&lines, "x %" PRIu64 " %" PRIx64 " %" PRIx64 "\n",
					       all[from].process, all[from].at, all[i - 1].at + 1);
		}
	}
	return lines_end(&lines, ret);
}

/* --- records -------------------------------------------------------------------------- */

/* Cut a long path at its beginning, because its end says more, but not within a character. */
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
	/* The path is not UTF-8. */
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

/* @process: the last one. @count: modules of it */
struct record_writer {
	struct resolution *r;
	uint64_t process;
	uint32_t count;
};

/* Write a mapping, after its module if that is new to the process: ids of modules belong to it. */
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

/* --- all ------------------------------------------------------------------------------ */

static int by_module(const void *x, const void *y, void *arg)
{
	const struct places *p = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint64_t of_a = p->mappings[a]->module->number, of_b = p->mappings[b]->module->number;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return a < b ? -1 : 1;
}

static void find_places(struct resolution *r, struct images *im, struct places *p)
{
	const struct addresses *a = p->a;
	size_t i;

	for (i = 0; i < a->count; i++)
		p->mappings[i] = a->slots[i].process ? find_mapping(r, im, &a->slots[i]) : NULL;
	for (i = 0; i < a->count; i++)
		p->changes[i + 1] = p->changes[i] +
			(i && a->slots[i].process == a->slots[i - 1].process &&
			 !images_same_place(p->mappings[i], p->mappings[i - 1]));
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
	struct module *m;
	int ret = -ENOMEM;

	map_each(&im->modules, m)
		m->written_for = 0;
	if (p.mappings && p.changes && p.order) {
		use_mappings(im, a);
		find_places(r, im, &p);
		ret = resolve_modules(r, &p);
	}
	if (!ret && r->records)
		ret = write_unknown(r, im, &p);
	if (!ret)
		ret = images_each_used(im, r->records ? write_records : skip, &rw);
	free(p.mappings);
	free(p.changes);
	free(p.order);
	return ret;
}
