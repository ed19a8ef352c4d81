// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * callers.c - see callers.h.
 *
 * Threads block at few places, so that nearly all rules are found in a table. Files are opened
 * when the first address in them occurs. If those that are open hold too much, they are closed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "callers.h"
#include "libfxt/map.h"
#include "libsym/cfi.h"
#include "libsym/unwind.h"
#include "source/source.h"

#define HELD_MOST	CFI_MOST
#define FIRST_RULES	1024
#define MOST_RULES	(1U << 16)	/* then all are forgotten */

/* @is_bad: it cannot be used; do not try again. */
struct caller_file {
	struct cfi_file cfi;
	bool is_open;
	bool is_bad;
};

/* @module: its number, plus 1; 0 if the slot is free. */
struct caller_rule {
	uint64_t module;
	uint64_t vaddr;
	bool is_known;
	struct cfi_rule rule;
};

/* --- files -------------------------------------------------------------------------------- */

static void close_files(struct callers *c)
{
	size_t i;

	for (i = 0; i < c->file_count; i++) {
		if (!c->files[i] || !c->files[i]->is_open)
			continue;
		cfi_close(&c->files[i]->cfi);
		c->files[i]->is_open = false;
	}
	c->held = 0;
}

static struct caller_file *file_of(struct callers *c, const struct module *m)
{
	size_t room = c->file_count ? c->file_count : 64;
	struct caller_file **more;

	while (room <= m->number)
		room *= 2;
	if (room > c->file_count) {
		more = reallocarray(c->files, room, sizeof(struct caller_file *));
		if (!more)
			return NULL;
		memset(more + c->file_count, 0,
		       (room - c->file_count) * sizeof(struct caller_file *));
		c->files = more;
		c->file_count = room;
	}
	if (!c->files[m->number])
		c->files[m->number] = calloc(1, sizeof(struct caller_file));
	return c->files[m->number];
}

static int open_file(struct callers *c, const struct module *m, struct caller_file **file)
{
	struct caller_file *f = file_of(c, m);

	*file = f;
	if (!f)
		return -ENOMEM;
	if (f->is_open || f->is_bad)
		return 0;
	/* "[vdso]", "//anon": no file. */
	f->is_bad = m->path[0] != '/' || m->path[1] == '/';
	if (f->is_bad)
		return 0;
	if (cfi_open(&f->cfi, m->path, &m->id) != ELF_FINE) {
		cfi_close(&f->cfi);
		f->is_bad = true;
		return 0;
	}
	if (c->held + f->cfi.held > HELD_MOST)
		close_files(c);
	c->held += f->cfi.held;
	f->is_open = true;
	return 0;
}

/* --- rules -------------------------------------------------------------------------------- */

static struct caller_rule *slot_of(const struct callers *c, uint64_t module, uint64_t vaddr)
{
	size_t at = map_hash(module, vaddr) & (c->room - 1);

	while (c->rules[at].module &&
	       (c->rules[at].module != module || c->rules[at].vaddr != vaddr))
		at = (at + 1) & (c->room - 1);
	return &c->rules[at];
}

/* At least half of the slots are free. */
static int make_room(struct callers *c)
{
	struct caller_rule *old = c->rules;
	size_t room = c->room, i;

	if (c->count < room / 2)
		return 0;
	if (room == MOST_RULES) {
		memset(old, 0, room * sizeof(*old));
		c->count = 0;
		return 0;
	}
	c->room = room ? 2 * room : FIRST_RULES;
	c->rules = calloc(c->room, sizeof(*c->rules));
	if (!c->rules) {
		c->rules = old;
		c->room = room;
		return -ENOMEM;
	}
	for (i = 0; i < room; i++)
		if (old[i].module)
			*slot_of(c, old[i].module, old[i].vaddr) = old[i];
	free(old);
	return 0;
}

/* The address in the file of one in a process. */
static bool vaddr_of(struct callers *c, struct mapping *m, uint64_t address, uint64_t *vaddr)
{
	struct caller_file *f;

	if (m->vaddr == FXT_SCHED_NO_VADDR) {
		if (open_file(c, m->module, &f) || f->is_bad ||
		    !elf_vaddr(&f->cfi.elf, m->offset, &m->vaddr))
			return false;
	}
	*vaddr = address - m->start + m->vaddr;
	return true;
}

static void find_rule(struct callers *c, const struct module *m, struct caller_rule *r)
{
	struct caller_file *f;

	r->is_known = !open_file(c, m, &f) && !f->is_bad &&
		      cfi_find(&f->cfi, r->vaddr, &r->rule);
}

/**
 * struct search - for the rules of one stack
 * @process: of the stack
 * @time: likewise
 */
struct search {
	struct callers *c;
	uint64_t process;
	uint64_t time;
};

static const struct cfi_rule *rule_at(void *arg, uint64_t address)
{
	struct search *s = arg;
	struct mapping *m = images_find(s->c->images, s->process, s->time, address);
	struct caller_rule *r;
	uint64_t vaddr;

	if (!m || make_room(s->c) || !vaddr_of(s->c, m, address, &vaddr))
		return NULL;
	r = slot_of(s->c, m->module->number + 1, vaddr);
	if (!r->module) {
		*r = (struct caller_rule){ .module = m->module->number + 1, .vaddr = vaddr };
		find_rule(s->c, m->module, r);
		s->c->count++;
	}
	return r->is_known ? &r->rule : NULL;
}

/* --- chunks ------------------------------------------------------------------------------- */

/* Words behind the frames of a backtrace. */
static uint64_t copied(const uint64_t *rec, uint64_t words)
{
	return words - FXT_SCHED_STACK_HEAD - fxt_get(FXT_BACKTRACE_FRAMES, rec[0]);
}

static bool is_backtrace(const uint64_t *rec)
{
	return fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER &&
	       fxt_get(FXT_PROFILER_TYPE, rec[0]) == FXT_PROFILER_BACKTRACE;
}

static bool is_malformed(const uint64_t *rec, uint64_t words, uint64_t left)
{
	if (!words || words > left)
		return true;
	return is_backtrace(rec) &&
	       (words < FXT_SCHED_STACK_HEAD ||
		fxt_get(FXT_BACKTRACE_FRAMES, rec[0]) > words - FXT_SCHED_STACK_HEAD);
}

static size_t kernel_frames(const uint64_t *frames, size_t count)
{
	size_t i = 0;

	while (i < count && fxt_sched_is_kernel(frames[i]))
		i++;
	return i;
}

/* Write the record without its copy. Return: words written, not more than the record has. */
static uint64_t complete(struct callers *c, uint64_t *to, const uint64_t *rec, uint64_t words)
{
	const uint64_t *frames = rec + FXT_SCHED_STACK_HEAD;
	size_t count = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]), kernel = kernel_frames(frames, count);
	struct search s = { c, rec[2], rec[1] };
	struct unwinding u = {
		.frames = frames + kernel, .count = count - kernel,
		.copy = frames + count, .words = copied(rec, words), .rule = rule_at, .arg = &s,
	};

	memcpy(to, rec, (FXT_SCHED_STACK_HEAD + count) * FXT_WORD);
	if (u.words >= FXT_SCHED_COPY_HEAD && u.count) {
		unwind(&u);
		c->stacks++;
		c->completed += u.added > 0;
		c->lacking += !u.is_whole;
		if (u.found > c->depth)
			u.found = c->depth;
		if (u.found > count - kernel + u.words)
			u.found = count - kernel + u.words;
		memcpy(to + FXT_SCHED_STACK_HEAD + kernel, u.result, u.found * FXT_WORD);
		count = kernel + u.found;
	}
	return fxt_sched_put_stack((__u64 *)to, rec[1], rec[3], rec[2], count);
}

static int make_copy(struct callers *c, const struct chunk *chunk)
{
	uint64_t *more;

	if (c->size < chunk->bytes / FXT_WORD) {
		more = realloc(c->words, chunk->bytes);
		if (!more)
			return -ENOMEM;
		c->words = more;
		c->size = chunk->bytes / FXT_WORD;
	}
	return 0;
}

int callers_chunk(struct callers *c, struct chunk *chunk)
{
	const uint64_t *rec = chunk->data, *end = rec + chunk->bytes / FXT_WORD, *from = rec;
	uint64_t words, *to = NULL;
	int ret;

	for (; rec < end; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (is_malformed(rec, words, end - rec))
			return -EPROTO;
		if (!is_backtrace(rec) || !copied(rec, words))
			continue;
		if (!to) {
			ret = make_copy(c, chunk);
			if (ret)
				return ret;
			to = c->words;
		}
		memcpy(to, from, (rec - from) * FXT_WORD);
		to += rec - from;
		to += complete(c, to, rec, words);
		from = rec + words;
	}
	if (!to)
		return 0;
	memcpy(to, from, (end - from) * FXT_WORD);
	to += end - from;
	chunk->data = c->words;
	chunk->bytes = (to - c->words) * FXT_WORD;
	return 0;
}

void callers_close(struct callers *c)
{
	size_t i;

	close_files(c);
	for (i = 0; i < c->file_count; i++)
		free(c->files[i]);
	free(c->files);
	free(c->rules);
	free(c->words);
	*c = (struct callers){
		.stacks = c->stacks, .completed = c->completed, .lacking = c->lacking,
	};
}
