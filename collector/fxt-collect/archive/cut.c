// SPDX-License-Identifier: GPL-2.0-or-later
/* cut.c - see cut.h. */
#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include <fxt/fxt_sched.h>

#include "cut.h"

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
