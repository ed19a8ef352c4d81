// SPDX-License-Identifier: GPL-2.0-or-later
/* rate.c - how many connections each sender of fxt receive makes in a minute. See receive.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fxt/terminal/message.h"
#include "receive.h"

#define MINUTE_NS	60000000000ULL

static void report(const struct rate *r, uint64_t most)
{
	if (r->count > most)
		message("fxt: receive: %s: refused %" PRIu64 " connections in a minute\n", r->owner,
			r->count - most);
}

/* Return: the sender's entry; that of the oldest minute takes the place of a new sender. */
static struct rate *find(struct rates *r, const char *owner)
{
	struct rate *oldest = r->list;
	size_t i;

	for (i = 0; i < r->count; i++) {
		if (!strcmp(r->list[i].owner, owner))
			return &r->list[i];
		if (r->list[i].since < oldest->since)
			oldest = &r->list[i];
	}
	return r->count < RATES ? &r->list[r->count++] : oldest;
}

bool rates_allow(struct rates *r, const char *owner, uint64_t most)
{
	uint64_t now = connection_now();
	struct rate *of;

	if (!*owner)
		return true;
	of = find(r, owner);
	if (strcmp(of->owner, owner) || now - of->since >= MINUTE_NS) {
		report(of, most);
		of->since = now;
		of->count = 0;
		snprintf(of->owner, sizeof(of->owner), "%s", owner);
	}
	if (++of->count == most + 1)
		message("fxt: receive: %s: refused: it made %" PRIu64 " connections in a minute; "
			"see --connections-minute\n",
			owner, most);
	return of->count <= most;
}

void rates_end(struct rates *r, uint64_t most)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		report(&r->list[i], most);
}
