// SPDX-License-Identifier: GPL-2.0-or-later
/* thread_names.c - see thread_names.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "thread_names.h"

#define FIRST_ROOM	256

static int grow(struct thread_names *n)
{
	size_t room = n->room ? 2 * n->room : FIRST_ROOM;
	struct thread_name *more = reallocarray(n->list, room, sizeof(*more));

	if (!more)
		return -ENOMEM;
	n->list = more;
	n->room = room;
	return 0;
}

int thread_names_learn(struct thread_names *n, const struct fxt_content *c, bool first)
{
	struct thread_name name = { .length = c->name.length };
	uint64_t i;

	if (c->kind != FXT_KIND_KERNEL_OBJECT || c->object_type != FXT_OBJECT_THREAD ||
	    !name.length)
		return 0;
	if (!koids_get(&n->at, c->object, &i)) {
		i = n->count;
		if ((i == n->room && grow(n)) || koids_set(&n->at, c->object, i))
			return -ENOMEM;
		n->list[n->count++] = (struct thread_name){ 0 };
	} else if (first || (n->list[i].length == name.length &&
			     !memcmp(n->list[i].bytes, c->name.bytes, name.length))) {
		return 0;
	}
	name.bytes = malloc(name.length);
	if (!name.bytes)
		return -ENOMEM;
	memcpy(name.bytes, c->name.bytes, name.length);
	free(n->list[i].bytes);
	n->list[i] = name;
	return 0;
}

const struct thread_name *thread_names_get(const struct thread_names *n, uint64_t koid)
{
	uint64_t i;

	if (!koids_get(&n->at, koid, &i) || !n->list[i].bytes)
		return NULL;
	return &n->list[i];
}

void thread_names_free(struct thread_names *n)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		free(n->list[i].bytes);
	free(n->list);
	koids_free(&n->at);
	memset(n, 0, sizeof(*n));
}
