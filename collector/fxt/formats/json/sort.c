// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sort.c - events in the order of time.
 *
 * In: events in the order of the archive.
 * Out: the same events in the order of time; events of equal time keep their order.
 * Must hold: waiting events take no more than JSON_HELD_BYTES; at that limit, the earlier
 * half is written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define FIRST_ROOM	1024

/**
 * struct json_held - a waiting event
 * @number: in the order of the archive
 * @refs: marks arguments that refer to objects
 * @restores: it was an event of this format
 * @head: its content, without arguments
 * @args: its arguments, followed by all its strings and blobs
 */
struct json_held {
	uint64_t ns;
	uint64_t number;
	uint64_t ticks_per_second;
	size_t bytes;
	uint16_t refs;
	bool restores;
	unsigned char head[offsetof(struct fxt_content, args)]
		__attribute__((aligned(sizeof(uint64_t))));
	struct fxt_arg args[];
};

static size_t bytes_of(const struct fxt_content *c)
{
	size_t bytes = sizeof(struct json_held) + c->arg_count * sizeof(c->args[0]) +
		       c->category.length + c->name.length;
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		bytes += c->args[i].name.length;
		if (c->args[i].type == FXT_ARG_STRING)
			bytes += c->args[i].text.length;
		else if (c->args[i].type == FXT_ARG_BLOB)
			bytes += c->args[i].blob.bytes;
	}
	return bytes;
}

/* Copy bytes to @to, where they stay. Return: the end of the copy. */
static char *keep(char *to, const void *from, size_t bytes, const char **at)
{
	if (bytes)
		memcpy(to, from, bytes);
	*at = to;
	return to + bytes;
}

static char *copy_arg(struct fxt_arg *to, const struct fxt_arg *from, char *texts)
{
	const char *blob;

	*to = *from;
	texts = keep(texts, from->name.bytes, from->name.length, &to->name.bytes);
	if (from->type == FXT_ARG_STRING)
		return keep(texts, from->text.bytes, from->text.length, &to->text.bytes);
	if (from->type != FXT_ARG_BLOB)
		return texts;
	texts = keep(texts, from->blob.data, from->blob.bytes, &blob);
	to->blob.data = blob;
	return texts;
}

static struct json_held *copy(struct fxt_content *c)
{
	size_t bytes = bytes_of(c);
	struct json_held *h = malloc(bytes);
	unsigned int i;
	char *texts;

	if (!h)
		return NULL;
	h->bytes = bytes;
	texts = keep((char *)&h->args[c->arg_count], c->category.bytes, c->category.length,
		     &c->category.bytes);
	texts = keep(texts, c->name.bytes, c->name.length, &c->name.bytes);
	memcpy(h->head, c, sizeof(h->head));
	for (i = 0; i < c->arg_count; i++)
		texts = copy_arg(&h->args[i], &c->args[i], texts);
	return h;
}

static int by_time(const void *a, const void *b)
{
	const struct json_held *x = *(struct json_held *const *)a;
	const struct json_held *y = *(struct json_held *const *)b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int write_held(struct json *j, struct json_held *h)
{
	int ret;

	memcpy(&j->content, h->head, sizeof(h->head));
	memcpy(j->content.args, h->args, j->content.arg_count * sizeof(h->args[0]));
	j->refs = h->refs;
	j->restores = h->restores;
	if (h->ns < j->held_until)
		j->late++;
	else
		j->held_until = h->ns;
	ret = json_event(j, h->ns, h->ticks_per_second);
	j->held_bytes -= h->bytes;
	free(h);
	return ret;
}

/* Write the earliest @count of the events. */
static int write_some(struct json *j, size_t count)
{
	size_t i;
	int ret = 0;

	if (j->held_count)
		qsort(j->held, j->held_count, sizeof(*j->held), by_time);
	for (i = 0; i < count && !ret; i++)
		ret = write_held(j, j->held[i]);
	j->held_count -= i;
	if (i)
		memmove(j->held, j->held + i, j->held_count * sizeof(*j->held));
	return ret;
}

int json_hold(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	size_t room = j->held_room ? 2 * j->held_room : FIRST_ROOM;
	struct json_held *h, **more;

	if (j->held_count == j->held_room) {
		more = reallocarray(j->held, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		j->held = more;
		j->held_room = room;
	}
	h = copy(&j->content);
	if (!h)
		return -ENOMEM;
	h->ns = ns;
	h->number = j->held_number++;
	h->ticks_per_second = ticks_per_second;
	h->refs = j->refs;
	h->restores = j->restores;
	j->held[j->held_count++] = h;
	j->held_bytes += h->bytes;
	return j->held_bytes > JSON_HELD_BYTES ? write_some(j, (j->held_count + 1) / 2) : 0;
}

int json_held_finish(struct json *j)
{
	return write_some(j, j->held_count);
}

void json_held_free(struct json *j)
{
	while (j->held_count)
		free(j->held[--j->held_count]);
	free(j->held);
}
