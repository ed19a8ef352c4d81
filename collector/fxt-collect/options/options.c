// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - see options.h. */
#include <inttypes.h>
#include <stdio.h>

#include "options.h"

const char * const options_without_names[] = {
	"counters", "instants", "host", "trigger", "perfetto-stacks", NULL
};

const char *options_size_text(char *text, size_t room, uint64_t bytes)
{
	if (bytes % (1 << 20) == 0)
		snprintf(text, room, "%" PRIu64 "M", bytes >> 20);
	else
		snprintf(text, room, "%" PRIu64 "K", (bytes + 1023) >> 10);
	return text;
}
