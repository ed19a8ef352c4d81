// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - see symbols.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

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

/* "k START END NAME" */
static int take_line(struct sched_symbols *s, uint32_t provider, const char *at,
		     const char *end)
{
	struct sched_symbol one = { .provider = provider };

	if (end - at < 2 || at[0] != 'k' || at[1] != ' ' || s->count >= MOST_SYMBOLS)
		return 0;
	at += 2;
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
	return x->start < y->start ? -1 : x->start > y->start;
}

const struct sched_symbol *sched_symbol_find(struct sched_symbols *s, uint32_t provider,
					     uint64_t address)
{
	const struct sched_symbol wanted = { .provider = provider, .start = address };
	size_t low = 0, high = s->count, middle;

	if (s->is_unsorted)
		qsort(s->all, s->count, sizeof(*s->all), by_place);
	s->is_unsorted = false;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (by_place(&s->all[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || s->all[low - 1].provider != provider || address >= s->all[low - 1].end)
		return NULL;
	return &s->all[low - 1];
}

void sched_symbols_free(struct sched_symbols *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->all[i].name);
	free(s->all);
	*s = (struct sched_symbols){ 0 };
}
