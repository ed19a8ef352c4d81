// SPDX-License-Identifier: GPL-2.0-or-later
/* start_at.c - see start_at.h. */
#include <errno.h>

#include "libfxt/units.h"
#include "start_at.h"

static uint64_t next_multiple(uint64_t now, uint64_t every)
{
	return (now / every + 1) * every;
}

int start_at_parse(struct start_at *s, const char *value, uint64_t now, struct error *e)
{
	uint64_t ns;

	*s = (struct start_at){ 0 };
	if ((*value != '/' && *value != '@') || fxt_parse_time(value + 1, &ns) || !ns ||
	    ns > INT64_MAX)
		return fail(e, EXIT_USAGE, -EINVAL,
			    "--start-at %s: invalid time; use e.g. /10s for the next multiple of 10 s, or @SECONDS since 1970, as date +%%s prints them",
			    value);
	if (*value == '/') {
		s->every = ns;
		s->at = next_multiple(now, ns);
		return 0;
	}
	s->at = ns;
	return ns > now ? 0 : fail(e, EXIT_USAGE, -EINVAL, "--start-at %s: this is in the past",
				   value);
}

void start_at_missed(struct start_at *s, uint64_t now)
{
	if (s->every)
		s->at = next_multiple(now, s->every);
}
