// SPDX-License-Identifier: GPL-2.0-or-later
/* lines.c - see lines.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_strings.h"
#include "libfxt/fxt_writer.h"
#include "lines.h"

#define BLOB_BYTES	30000		/* lines in a BLOB */
#define LINE_BYTES	1200		/* the longest; names have at most 512 in kallsyms */
#define NAME_BYTES	400		/* of a function of a program; the rest is cut off */
#define FILE_BYTES	100		/* likewise of a file */

static const char *name_of_blob(void)
{
#define TEXT(index, text) [index] = text,
	static const char * const texts[] = { FXT_SCHED_STRINGS(TEXT) };
#undef TEXT

	return texts[FXT_STR_SYMBOLS];
}

/* By name, because only the writer of a recording has registered the string. */
static int flush_lines(struct symbol_lines *l)
{
	struct fxt_content c = {
		.kind = FXT_KIND_BLOB, .blob = { .data = l->text, .bytes = l->used },
		.blob_held = l->used, .blob_type = FXT_BLOB_DATA,
	};
	const char *name = name_of_blob();
	int ret;

	if (!l->used)
		return 0;
	c.name = (struct fxt_text){ .bytes = name, .length = strlen(name) };
	ret = fxt_writer_record(l->w, &c);
	l->used = 0;
	return ret;
}

static char *room(struct symbol_lines *l)
{
	if (!l->text)
		l->text = malloc(BLOB_BYTES + LINE_BYTES);
	return l->text ? l->text + l->used : NULL;
}

static int take(struct symbol_lines *l, int length)
{
	if (length < LINE_BYTES)
		l->used += length;
	return l->used < BLOB_BYTES ? 0 : flush_lines(l);
}

static int add_kernel(struct symbol_lines *l, const struct kernel_symbol *s)
{
	char *line = room(l);

	if (!line)
		return -ENOMEM;
	return take(l, snprintf(line, LINE_BYTES,
				s->module ? "k %" PRIx64 " %" PRIx64 " %s [%s]\n" :
					    "k %" PRIx64 " %" PRIx64 " %s\n",
				s->start, s->end, s->name, s->module));
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

/* Anyone can write names, but a space would end them. @end: what comes before this character */
static void clean(char *to, size_t most, const char *from, char end)
{
	size_t i;

	for (i = 0; from[i] && (!i || from[i] != end) && i < most; i++)
		to[i] = from[i] > ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}

int lines_user(struct symbol_lines *l, uint64_t process, uint64_t start, uint64_t end,
	       const char *name, const char *path)
{
	char function[NAME_BYTES + 1], file[FILE_BYTES + 1], *line = room(l);
	const char *slash = strrchr(path, '/');

	if (!line)
		return -ENOMEM;
	/* "clock_nanosleep@@GLIBC_2.17" */
	clean(function, NAME_BYTES, name, '@');
	clean(file, FILE_BYTES, slash ? slash + 1 : path, '\0');
	return take(l, snprintf(line, LINE_BYTES,
				"u %" PRIu64 " %" PRIx64 " %" PRIx64 " %s [%s]\n",
				process, start, end, function, file));
}

int lines_end(struct symbol_lines *l, int ret)
{
	if (!ret)
		ret = flush_lines(l);
	free(l->text);
	*l = (struct symbol_lines){ .w = l->w };
	return ret;
}
