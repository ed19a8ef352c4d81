// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - see symbols.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "symbols.h"

/* No address is here: neither kernel nor program, on x86-64 and arm64. */
#define PROGRAM_PLACE	0x8000000000000000ULL

#define MOST_SYMBOLS	(1U << 20)
#define NAME_BYTES	512		/* the longest that a kernel has, with its module */

/* Take a hexadecimal number and the space after it. Return: false if there is none. */
static bool take_hex(const char **at, const char *end, uint64_t *value)
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
	if (at >= end || end - at > NAME_BYTES || *at == ' ')
		return false;
	while (at < end && *at >= ' ' && *at <= '~')
		at++;
	return at == end;
}

static int add(struct sched_symbols *s, const struct sched_symbol *one, const char *name,
	       size_t length)
{
	size_t room = s->room ? 2 * s->room : 256;
	struct sched_symbol *more;

	if (s->count == s->room) {
		more = reallocarray(s->all, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->all = more;
		s->room = room;
	}
	s->all[s->count] = *one;
	s->all[s->count].name = strndup(name, length);
	if (!s->all[s->count].name)
		return -ENOMEM;
	s->count++;
	s->is_unsorted = true;
	return 0;
}

/* Take a decimal number and the space after it, likewise. */
static bool take_decimal(const char **at, const char *end, uint64_t *value)
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
static int take_line(struct sched_symbols *s, uint32_t provider, const char *at,
		     const char *end)
{
	struct sched_symbol one = { .provider = provider };

	if (end - at < 2 || (at[0] != 'k' && at[0] != 'u') || at[1] != ' ' ||
	    s->count >= MOST_SYMBOLS)
		return 0;
	at += 2;
	if (at[-2] == 'u' && (!take_decimal(&at, end, &one.process) || !one.process))
		return 0;
	if (!take_hex(&at, end, &one.start) || !take_hex(&at, end, &one.end) ||
	    one.start >= one.end || !is_name(at, end))
		return 0;
	return add(s, &one, at, end - at);
}

int sched_symbols_take(struct sched_symbols *s, uint32_t provider,
		       const struct fxt_bytes *lines)
{
	const char *at = lines->data, *end = at + lines->bytes, *stop;
	int ret = 0;

	for (; at < end && !ret; at = stop + 1) {
		stop = memchr(at, '\n', end - at);
		stop = stop ? stop : end;
		ret = take_line(s, provider, at, stop);
	}
	return ret;
}

static int by_place(const void *a, const void *b)
{
	const struct sched_symbol *x = a, *y = b;

	if (x->provider != y->provider)
		return x->provider < y->provider ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static int by_name(const void *a, const void *b)
{
	const struct sched_symbol *x = *(struct sched_symbol *const *)a;
	const struct sched_symbol *y = *(struct sched_symbol *const *)b;

	return strcmp(x->name, y->name) ?: (x > y) - (x < y);
}

/*
 * Number the functions of programs by name: each process has them at other addresses. Without
 * memory each has its own number.
 */
static void set_places(struct sched_symbols *s)
{
	struct sched_symbol **names = calloc(s->count + 1, sizeof(*names));
	size_t i, count = 0;

	for (i = 0; i < s->count; i++) {
		s->all[i].place = s->all[i].process ? PROGRAM_PLACE + i : s->all[i].start;
		if (names && s->all[i].process)
			names[count++] = &s->all[i];
	}
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (i = 1; i < count; i++)
		if (!strcmp(names[i]->name, names[i - 1]->name))
			names[i]->place = names[i - 1]->place;
	free(names);
}

/* Offsets are those of frames. */
static const struct sched_symbol *find_in_files(struct sched_symbols *s, uint32_t provider,
						uint64_t process, uint64_t address)
{
	const struct sched_symbol *symbol = sched_files_place(&s->files, address);

	return symbol ? symbol : sched_files_find(&s->files, provider, process, address + 1);
}

const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t process, uint64_t address)
{
	bool is_kernel = fxt_sched_is_kernel(address);
	const struct sched_symbol wanted = {
		.provider = provider, .process = is_kernel ? 0 : process, .start = address,
	};
	size_t low = 0, high = s->count, middle;

	if (s->is_unsorted) {
		qsort(s->all, s->count, sizeof(*s->all), by_place);
		set_places(s);
	}
	s->is_unsorted = false;
	if (address - PROGRAM_PLACE < s->count)
		return &s->all[address - PROGRAM_PLACE];
	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_place(&s->all[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || s->all[low - 1].provider != provider ||
	    s->all[low - 1].process != wanted.process || address >= s->all[low - 1].end)
		return find_in_files(s, provider, wanted.process, address);
	return &s->all[low - 1];
}

void sched_symbols_free(struct sched_symbols *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->all[i].name);
	free(s->all);
	sched_files_free(&s->files);
	*s = (struct sched_symbols){ 0 };
}
