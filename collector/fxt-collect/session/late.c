// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * late.c - see late.h.
 *
 * Who maps a file decides how long it takes to read it. Meanwhile the buffers are emptied, and what
 * comes from them is kept here, in its order, within limits of time and memory.
 */
#include "late.h"
#include "signals.h"

#define PATIENCE_NS	(3 * NS_PER_SECOND)
#define MOST_BYTES	(16U << 20)

/* Take those that are complete, or, with @is_last, all. */
static int take_some(struct session *s, bool is_last, late_take take)
{
	struct chunks *waiting = &s->late_chunks.chunks;
	size_t at = 0, taken = 0;
	struct chunk c;
	int ret = 0;

	while (!ret && chunks_next(waiting, &at, &c)) {
		ret = symbols_complete(&s->symbols, &c, is_last);
		if (ret)
			break;
		ret = take(s, &c);
		taken = at;
	}
	chunks_drop(waiting, taken);
	return ret < 0 ? ret : 0;
}

int late_put(struct session *s, const struct chunk *c, late_take take)
{
	struct late *l = &s->late_chunks;
	struct chunk complete = *c;
	int ret;

	if (late_is_empty(s)) {
		ret = symbols_complete(&s->symbols, &complete, false);
		if (ret <= 0)
			return ret ? ret : take(s, &complete);
		l->since = session_now();
	}
	ret = chunks_add(&l->chunks, c);
	return ret || l->chunks.used < MOST_BYTES ? ret : take_some(s, true, take);
}

int late_wait(struct session *s, uint64_t until, late_take take)
{
	uint64_t now = session_now();
	int ret = 0;

	while (!ret && !late_is_empty(s) && now < until) {
		if (now > s->late_chunks.since + PATIENCE_NS)
			return take_some(s, true, take);
		if (symbols_wait(&s->symbols, (until - now + NS_PER_MS - 1) / NS_PER_MS))
			ret = take_some(s, false, take);
		now = session_now();
	}
	return ret;
}

int late_end(struct session *s, uint64_t until, late_take take)
{
	int ret = late_wait(s, until, take);

	return ret ? ret : take_some(s, true, take);
}
