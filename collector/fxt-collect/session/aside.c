// SPDX-License-Identifier: GPL-2.0-or-later
/* aside.c - see aside.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "aside.h"
#include "fetch.h"

#define MOST_BYTES	(256U << 20)

/* Return: is there memory? */
static bool keep(struct aside *a, const struct chunk *c)
{
	void *data = malloc(c->bytes);

	if (!data || array_grow(a->chunks, a->count)) {
		free(data);
		return false;
	}
	memcpy(data, c->data, c->bytes);
	a->chunks[a->count] = *c;
	a->chunks[a->count++].data = data;
	a->bytes += c->bytes;
	return true;
}

void session_set_aside(void *session)
{
	struct session *s = session;
	struct aside *a = &s->aside;
	struct chunk c;

	while (!a->error && a->bytes < MOST_BYTES) {
		int ret = s->source->ops->next(s->source, &c, false, s->e);

		if (ret <= 0) {
			a->error = ret;
			return;
		}
		if (!keep(a, &c))
			a->error = -ENOMEM;
	}
}

void session_drop_aside(struct session *s)
{
	struct aside *a = &s->aside;

	while (a->count)
		free((void *)a->chunks[--a->count].data);
	free(a->chunks);
	*a = (struct aside){ .count = 0 };
}

int session_take_aside(struct session *s)
{
	struct aside *a = &s->aside;
	int ret = a->error;
	size_t i;

	for (i = 0; i < a->count && !ret; i++)
		ret = session_chunk(s, &a->chunks[i]);
	session_drop_aside(s);
	return ret;
}
