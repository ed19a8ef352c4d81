// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.c - see kernel.h.
 *
 * kallsyms has no sizes: a function ends where the next one begins. So an address behind the last
 * function of the kernel or of a module would belong to that function; the ranges of code exclude
 * it. Functions of BPF and other code that the kernel generates at run time are outside of all
 * ranges, and known only if kallsyms lists them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/array.h"
#include "kernel.h"

#define FIRST_ROOM	(1 << 20)	/* bytes of text */
#define MADE_BYTES	65536U		/* of a function generated at run time, at most */

/* Return: the text, terminated; NULL with errno set. */
static char *read_text(int fd)
{
	size_t room = FIRST_ROOM, used = 0;
	char *text = malloc(room), *more;
	ssize_t n = text ? 1 : -1;

	while (n > 0) {
		if (used + 1 == room) {
			more = realloc(text, 2 * room);
			if (!more) {
				n = -1;
				break;
			}
			text = more;
			room *= 2;
		}
		n = pread(fd, text + used, room - used - 1, used);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			used += n;
	}
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	return text;
}

static char *next_line(char **text)
{
	char *line = *text, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	*text = end ? end + 1 : NULL;
	return line;
}

/*
 * kallsyms has more than 100,000 lines, and strtoull(3) would take a third of the time to read
 * them. Return: 0 if there are no digits; @end: behind the last digit
 */
static uint64_t parse_hex(char *text, char **end)
{
	uint64_t value = 0;

	for (; ; text++) {
		if (*text >= '0' && *text <= '9')
			value = value << 4 | (uint64_t)(*text - '0');
		else if (*text >= 'a' && *text <= 'f')
			value = value << 4 | (uint64_t)(*text - 'a' + 10);
		else
			break;
	}
	*end = text;
	return value;
}

/* "ffffffff81000000 T _stext", "ffffffffc0000000 t init_once\t[fuse]" */
static bool parse_symbol(struct kernel_symbol *s, char *line, bool *is_code)
{
	char *end, *bracket;

	s->start = parse_hex(line, &end);
	if (!s->start || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	s->name = end + 3;
	/* "$x" and "$d" of modules on arm64 say whether code or data follow. */
	*is_code = strchr("tTwW", end[1]) && s->name[0] != '$';
	s->module = NULL;
	end = strchr(end + 3, '\t');
	if (!end)
		return true;
	*end = '\0';
	bracket = strchr(end + 1, ']');
	if (end[1] == '[' && bracket) {
		*bracket = '\0';
		s->module = end + 2;
	}
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* Of two names for the same function, the first one in kallsyms comes first. */
	return x->name < y->name ? -1 : x->name > y->name;
}

static int add_range(struct kernel_symbols *k, uint64_t start, uint64_t end, const char *name)
{
	if (array_grow(k->ranges, k->range_count))
		return -ENOMEM;
	k->ranges[k->range_count++] = (struct kernel_range){ start, end, name };
	return 0;
}

/* "fuse 176128 1 - Live 0xffffffffc0000000" */
static int parse_modules(struct kernel_symbols *k)
{
	char *rest = k->modules, *line, *at, *end;
	uint64_t size, start;
	int ret = 0;

	while (!ret && (line = next_line(&rest))) {
		at = strchr(line, ' ');
		end = strstr(line, " 0x");
		if (!at || !end)
			continue;
		*at = '\0';
		size = strtoull(at + 1, NULL, 10);
		start = strtoull(end + 1, NULL, 16);
		if (start && size)
			ret = add_range(k, start, start + size, line);
	}
	return ret;
}

const struct kernel_range *kernel_symbols_range(const struct kernel_symbols *k,
						uint64_t address)
{
	size_t i;

	for (i = 0; i < k->range_count; i++)
		if (address >= k->ranges[i].start && address < k->ranges[i].end)
			return &k->ranges[i];
	return NULL;
}

/* A function ends where the next one begins. Several names may begin at the same address. */
static void find_ends(struct kernel_symbols *k)
{
	const struct kernel_range *range;
	uint64_t next = UINT64_MAX, most;
	size_t i;

	for (i = k->count; i--; ) {
		if (i + 1 < k->count && k->all[i + 1].start != k->all[i].start)
			next = k->all[i + 1].start;
		range = kernel_symbols_range(k, k->all[i].start);
		most = range ? range->end : k->all[i].start + MADE_BYTES;
		k->all[i].end = next < most ? next : most;
	}
}

static int add_symbol(struct kernel_symbols *k, const struct kernel_symbol *s)
{
	if (array_grow(k->all, k->count))
		return -ENOMEM;
	k->all[k->count++] = *s;
	return 0;
}

/*
 * The range of the functions that belong to no module, which are those of the kernel. Modules are
 * after the kernel on x86, and before it on arm64; kallsyms gives other code that is generated at
 * run time a module's name ("[bpf]").
 */
static void find_bounds(const struct kernel_symbols *k, uint64_t *first, uint64_t *last)
{
	size_t i;

	*first = *last = 0;
	for (i = 0; i < k->count; i++) {
		if (k->all[i].module)
			continue;
		if (!*first)
			*first = k->all[i].start;
		*last = k->all[i].start;
	}
}

/* kallsyms has the functions of the kernel in order, then those of modules in any order. */
static void sort_symbols(struct kernel_symbols *k)
{
	size_t sorted = 1;

	while (sorted < k->count && !k->all[sorted].module &&
	       by_start(&k->all[sorted - 1], &k->all[sorted]) < 0)
		sorted++;
	qsort(k->all + sorted, k->count - sorted, sizeof(*k->all), by_start);
	if (sorted < k->count && by_start(&k->all[sorted - 1], &k->all[sorted]) > 0)
		qsort(k->all, k->count, sizeof(*k->all), by_start);
}

static int parse_symbols(struct kernel_symbols *k)
{
	char *rest = k->text, *line;
	uint64_t first = 0, last = 0;
	struct kernel_symbol s;
	bool is_code;

	while ((line = next_line(&rest))) {
		if (!parse_symbol(&s, line, &is_code))
			continue;
		/* Whatever their types: on arm64 the code ends where data begin. */
		if (!s.module && !strcmp(s.name, "_stext"))
			first = s.start;
		if (!s.module && !strcmp(s.name, "_etext"))
			last = s.start;
		if (is_code && add_symbol(k, &s))
			return -ENOMEM;
	}
	if (!k->count)
		return -ENOENT;
	sort_symbols(k);
	/* Some kernels list neither _stext nor _etext. */
	if (first >= last)
		find_bounds(k, &first, &last);
	return add_range(k, first, last, NULL);
}

int kernel_symbols_read(struct kernel_symbols *k, int kallsyms, int modules)
{
	int ret = 0;

	*k = (struct kernel_symbols){ .text = read_text(kallsyms) };
	if (!k->text)
		return -errno;
	k->modules = modules >= 0 ? read_text(modules) : NULL;
	ret = parse_symbols(k);
	if (!ret && k->modules)
		ret = parse_modules(k);
	if (ret)
		kernel_symbols_free(k);
	else
		find_ends(k);
	return ret;
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	free(k->all);
	free(k->ranges);
	free(k->text);
	free(k->modules);
	*k = (struct kernel_symbols){ 0 };
}

const struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *k,
						uint64_t address)
{
	size_t n = array_front(k->count, i, k->all[i].start <= address);

	/* Of several names that begin there, take the first. */
	while (n > 1 && k->all[n - 2].start == k->all[n - 1].start)
		n--;
	return n && address < k->all[n - 1].end ? &k->all[n - 1] : NULL;
}
