// SPDX-License-Identifier: GPL-2.0-or-later
/* aside.c - see aside.h. */
#include "aside.h"
#include "fetch.h"

#define MOST_BYTES	(256U << 20)

void session_set_aside(void *session)
{
	struct session *s = session;
	struct aside *a = &s->aside;
	struct chunk c;

	while (!a->error && a->chunks.used < MOST_BYTES) {
		int ret = s->source->ops->next(s->source, &c, false, s->e);

		if (ret <= 0) {
			a->error = ret;
			return;
		}
		a->error = chunks_add(&a->chunks, &c);
	}
}

void session_drop_aside(struct session *s)
{
	struct aside *a = &s->aside;

	chunks_free(&a->chunks);
	a->error = 0;
}

int session_take_aside(struct session *s)
{
	struct aside *a = &s->aside;
	int ret = a->error;
	struct chunk c;
	size_t at = 0;

	while (!ret && chunks_next(&a->chunks, &at, &c))
		ret = session_chunk(s, &c);
	session_drop_aside(s);
	return ret;
}
