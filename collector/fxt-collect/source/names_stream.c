// SPDX-License-Identifier: GPL-2.0-or-later
/* names_stream.c - see names_stream.h. */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched.h>

#include "names_stream.h"

#define ROOM	8192		/* maximum words of a chunk */

int names_stream_open(struct names_stream *n)
{
	n->buf = malloc(ROOM * FXT_WORD);
	return n->buf ? 0 : -ENOMEM;
}

void names_stream_close(struct names_stream *n)
{
	free(n->buf);
}

void names_stream_drop(struct names_stream *n)
{
	if (n->held)
		n->words = 0;
	n->held = false;
}

bool names_stream_has_room(const struct names_stream *n)
{
	return n->words + FXT_LEDGER_WORDS + FXT_SCHED_ATTACH_WORDS <= ROOM;
}

/* The first task begins a chunk, with a ledger. */
__u64 *names_stream_at(struct names_stream *n, __u64 time)
{
	if (!n->words) {
		fxt_sched_put_ledger(n->buf, &(struct fxt_ledger) {
			.stream = FXT_LEDGER_STREAM_NAMES,
			.kind = FXT_LEDGER_HEAD,
			.sequence = n->sequence++,
			.time = time > n->last ? time : n->last,
			.last = n->last,
			.written = n->kept + n->lost,
			.lost = n->lost,
		});
		n->words = FXT_LEDGER_WORDS;
	}
	return n->buf + n->words;
}

void names_stream_add(struct names_stream *n, __u64 time, __u32 words, __u32 records)
{
	n->words += words;
	n->kept += records;
	if (time > n->last)
		n->last = time;
}

bool names_stream_fetch(struct names_stream *n, struct chunk *c, bool partial)
{
	if (!n->words || (!partial && n->words < ROOM / 2))
		return false;
	*c = (struct chunk){ .data = n->buf, .bytes = n->words * FXT_WORD };
	n->held = true;
	return true;
}
