// SPDX-License-Identifier: GPL-2.0-or-later
/* functions.c - see functions.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

int functions_add(struct functions *f, uint64_t process, uint64_t start, uint64_t end,
		  const char *name)
{
	size_t room = f->room ? 2 * f->room : 256;
	struct function *more;

	if (f->count == f->room) {
		more = reallocarray(f->list, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		f->list = more;
		f->room = room;
	}
	f->list[f->count] = (struct function){ process, start, end, strdup(name) };
	if (!f->list[f->count].name)
		return -ENOMEM;
	f->count++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void functions_sort(struct functions *f)
{
	if (f->count)
		qsort(f->list, f->count, sizeof(*f->list), compare);
}

const char *functions_find(const struct functions *f, uint64_t process, uint64_t at)
{
	size_t low = 0, high = f->count, middle;
	const struct function *one;

	while (low < high) {
		middle = low + (high - low) / 2;
		one = &f->list[middle];
		if (one->process < process || (one->process == process && one->start <= at))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	one = &f->list[low - 1];
	return one->process == process && at < one->end ? one->name : NULL;
}

void functions_free(struct functions *f)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		free(f->list[i].name);
	free(f->list);
	*f = (struct functions){ 0 };
}
