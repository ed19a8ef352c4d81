// SPDX-License-Identifier: GPL-2.0-or-later
/* chunks.c - see chunks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

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

/* --- chunks that are cut at an instant -------------------------------------------------- */

void cut_begin(struct cut *cut, uint64_t at)
{
	cut->is_on = true;
	cut->at = at;
	chunks_drop(&cut->held, cut->held.used);
}

/* The number of words before the first record that is too late; times never decrease. */
static ssize_t find_cut(const struct cut *cut, const uint64_t *words, size_t count)
{
	const uint64_t *rec = words + FXT_LEDGER_WORDS, *end = words + count, *next;

	for (; rec < end; rec = next) {
		next = chunk_after(rec, end);
		if (!next)
			return -EPROTO;
		if (chunk_record_time(rec) > cut->at)
			break;
	}
	return rec - words;
}

int cut_chunk(struct cut *cut, struct chunk *c)
{
	const __u64 *words = c->data;
	size_t count = c->bytes / FXT_WORD, rest;
	struct chunk later = { 0 };
	struct fxt_ledger ledger;
	__u64 *held;
	ssize_t at;

	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD || !fxt_sched_get_ledger(words, &ledger))
		return -EPROTO;
	if (ledger.stream == FXT_LEDGER_STREAM_NAMES)
		return 0;
	at = find_cut(cut, c->data, count);
	if (at < 0)
		return at;
	rest = count - at;
	/* The ledger at the head has the time of the first record, even if that comes later. */
	if (!rest && (ledger.kind != FXT_LEDGER_HEAD || ledger.time <= cut->at))
		return 0;
	later.bytes = (FXT_LEDGER_WORDS + rest) * FXT_WORD;
	held = chunks_add_room(&cut->held, &later);
	if (!held)
		return -ENOMEM;
	/* The first part, if any, has the head of the sub-buffer. */
	if (at > FXT_LEDGER_WORDS)
		ledger.kind = FXT_LEDGER_CONTINUED;
	fxt_sched_put_ledger(held, &ledger);
	memcpy(held + FXT_LEDGER_WORDS, words + at, rest * FXT_WORD);
	c->bytes = at > FXT_LEDGER_WORDS ? at * FXT_WORD : 0;
	/* The producer's counts include the later part. */
	c->kept = 0;
	return 0;
}

int cut_end(struct cut *cut, int (*take)(void *arg, const struct chunk *c), void *arg)
{
	struct chunk c;
	size_t at = 0;
	int ret = 0;

	cut->is_on = false;
	while (!ret && chunks_next(&cut->held, &at, &c))
		ret = take(arg, &c);
	chunks_drop(&cut->held, cut->held.used);
	return ret;
}

void cut_free(struct cut *cut)
{
	chunks_free(&cut->held);
	*cut = (struct cut){ 0 };
}
