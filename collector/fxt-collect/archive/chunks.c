// SPDX-License-Identifier: GPL-2.0-or-later
/* chunks.c - see chunks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chunks.h"

void *chunks_add_room(struct chunks *all, const struct chunk *c)
{
	size_t need = all->used + sizeof(*c) + c->bytes, room = all->room;
	unsigned char *bytes;

	if (need > room) {
		room = need > 2 * room ? need : 2 * room;
		bytes = realloc(all->bytes, room);
		if (!bytes)
			return NULL;
		all->bytes = bytes;
		all->room = room;
	}
	bytes = all->bytes + all->used;
	memcpy(bytes, c, sizeof(*c));
	all->used = need;
	return bytes + sizeof(*c);
}

int chunks_add(struct chunks *all, const struct chunk *c)
{
	void *data = chunks_add_room(all, c);

	if (!data)
		return -ENOMEM;
	memcpy(data, c->data, c->bytes);
	return 0;
}

bool chunks_next(const struct chunks *all, size_t *at, struct chunk *c)
{
	if (*at >= all->used)
		return false;
	memcpy(c, all->bytes + *at, sizeof(*c));
	c->data = all->bytes + *at + sizeof(*c);
	*at += sizeof(*c) + c->bytes;
	return true;
}

void chunks_drop(struct chunks *all, size_t bytes)
{
	all->used -= bytes;
	memmove(all->bytes, all->bytes + bytes, all->used);
}

void chunks_free(struct chunks *all)
{
	free(all->bytes);
	*all = (struct chunks){ 0 };
}
