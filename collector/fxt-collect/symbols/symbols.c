// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - see symbols.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "build_id.h"
#include "kernel.h"
#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "source/source.h"
#include "symbols.h"

#define BLOB_BYTES	30000		/* lines in a BLOB */
#define LINE_BYTES	1200		/* the longest; names have at most 512 in kallsyms */

/* --- modules and mappings --------------------------------------------------------------- */

static int write_module(struct fxt_writer *w, uint64_t time, uint16_t id,
			const struct kernel_range *range)
{
	struct fxt_content module = {
		.kind = FXT_KIND_MODULE, .time = time, .module_id = id,
	}, mmap = {
		.kind = FXT_KIND_MMAP, .time = time, .module_id = id,
	};
	unsigned char build_id[BUILD_ID_MOST];
	char name[80];
	int ret;

	if (range->name)
		snprintf(name, sizeof(name), "[%s]", range->name);
	else
		snprintf(name, sizeof(name), "%s", FXT_SCHED_KERNEL_MODULE);
	module.name = (struct fxt_text){ .bytes = name, .length = strlen(name) };
	module.build_id.bytes = build_id_of_kernel(range->name, build_id);
	module.build_id.data = module.build_id.bytes ? build_id : NULL;
	ret = fxt_writer_record(w, &module);
	mmap.start = range->start;
	mmap.range = range->end - range->start;
	return ret ? ret : fxt_writer_record(w, &mmap);
}

static bool occurs(const struct addresses *a, const struct kernel_range *range)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->slots[i] >= range->start && a->slots[i] < range->end)
			return true;
	return false;
}

static int write_modules(const struct addresses *a, const struct kernel_symbols *k,
			 struct fxt_writer *w, uint64_t time)
{
	uint16_t id = 0;
	size_t i;
	int ret = 0;

	for (i = 0; i < k->range_count && id < UINT16_MAX && !ret; i++)
		if (occurs(a, &k->ranges[i]))
			ret = write_module(w, time, ++id, &k->ranges[i]);
	return ret;
}

/* --- symbols -------------------------------------------------------------------------------- */

struct lines {
	struct fxt_writer *w;
	size_t used;
	char text[BLOB_BYTES + LINE_BYTES];
};

static int flush_lines(struct lines *l)
{
	int ret = l->used ? fxt_writer_blob(l->w, FXT_STR_SYMBOLS, l->text, l->used) : 0;

	l->used = 0;
	return ret;
}

static int write_line(struct lines *l, const struct kernel_symbol *s)
{
	int n = snprintf(l->text + l->used, LINE_BYTES,
			 s->module ? "k %" PRIx64 " %" PRIx64 " %s [%s]\n" :
				     "k %" PRIx64 " %" PRIx64 " %s\n",
			 s->start, s->end, s->name, s->module);

	if (n < LINE_BYTES)
		l->used += n;
	return l->used < BLOB_BYTES ? 0 : flush_lines(l);
}

/* The addresses are sorted, so those of a function follow each other. */
static int write_lines(const struct addresses *a, const struct kernel_symbols *k,
		       struct fxt_writer *w)
{
	struct lines *l = calloc(1, sizeof(*l));
	const struct kernel_symbol *s = NULL;
	size_t i;
	int ret = 0;

	if (!l)
		return -ENOMEM;
	l->w = w;
	for (i = 0; i < a->count && !ret; i++) {
		if (s && a->slots[i] < s->end)
			continue;
		s = kernel_symbols_find(k, a->slots[i]);
		if (s)
			ret = write_line(l, s);
	}
	if (!ret)
		ret = flush_lines(l);
	free(l);
	return ret;
}

/* --- a recording ---------------------------------------------------------------------------- */

void symbols_open(struct symbols *s)
{
	s->is_on = true;
	s->kallsyms = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	s->modules = open("/proc/modules", O_RDONLY | O_CLOEXEC);
}

int symbols_chunk(struct symbols *s, const struct chunk *c)
{
	return s->is_on ? addresses_chunk(&s->addresses, c) : 0;
}

int symbols_write(struct symbols *s, struct fxt_writer *w, uint64_t time)
{
	struct kernel_symbols kernel;
	int ret;

	if (!s->addresses.count)
		return 0;
	/* Read again each time: modules come and go. */
	ret = s->kallsyms < 0 ? -ENOENT : kernel_symbols_read(&kernel, s->kallsyms, s->modules);
	if (ret) {
		s->unnamed = true;
		addresses_free(&s->addresses);
		return ret == -ENOMEM ? ret : 0;
	}
	addresses_sort(&s->addresses);
	ret = write_modules(&s->addresses, &kernel, w, time);
	if (!ret)
		ret = write_lines(&s->addresses, &kernel, w);
	kernel_symbols_free(&kernel);
	addresses_free(&s->addresses);
	return ret;
}

void symbols_close(struct symbols *s)
{
	if (!s->is_on)
		return;
	if (s->kallsyms >= 0)
		close(s->kallsyms);
	if (s->modules >= 0)
		close(s->modules);
	addresses_free(&s->addresses);
}
