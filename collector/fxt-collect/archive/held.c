// SPDX-License-Identifier: GPL-2.0-or-later
/* held.c - see held.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"

int held_add(struct held *h, const struct chunk *c)
{
	size_t need = h->used + sizeof(*c) + c->bytes, room = h->room;
	unsigned char *bytes;

	if (need > room) {
		room = need > 2 * room ? need : 2 * room;
		bytes = realloc(h->bytes, room);
		if (!bytes)
			return -ENOMEM;
		h->bytes = bytes;
		h->room = room;
	}
	memcpy(h->bytes + h->used, c, sizeof(*c));
	memcpy(h->bytes + h->used + sizeof(*c), c->data, c->bytes);
	h->used = need;
	return 0;
}

bool held_next(const struct held *h, size_t *at, struct chunk *c)
{
	if (*at >= h->used)
		return false;
	memcpy(c, h->bytes + *at, sizeof(*c));
	c->data = h->bytes + *at + sizeof(*c);
	*at += sizeof(*c) + c->bytes;
	return true;
}

void held_drop(struct held *h, size_t bytes)
{
	h->used -= bytes;
	memmove(h->bytes, h->bytes + bytes, h->used);
}

void held_free(struct held *h)
{
	free(h->bytes);
	*h = (struct held){ 0 };
}
