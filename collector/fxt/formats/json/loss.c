// SPDX-License-Identifier: GPL-2.0-or-later
/* loss.c - what a record cannot have of an event, in words. */
#include "read_event.h"

const char *json_loss_name(enum json_loss loss)
{
	static const char *const names[JSON_LOSS_COUNT] = {
		[JSON_LOSS_EVENT]	= "events that are no objects, have no phase or do not fit a record",
		[JSON_LOSS_NO_TIME]	= "events without a time",
		[JSON_LOSS_NEGATIVE]	= "events at a negative time, or one beyond 64 bits",
		[JSON_LOSS_ARGS]	= "events with more fields than a record holds",
		[JSON_LOSS_LONG]	= "strings that were truncated",
		[JSON_LOSS_UTF8]	= "strings with invalid UTF-8, which became question marks",
		[JSON_LOSS_COUNTER]	= "fields and arguments of counters that are not numbers of a series",
	};

	return names[loss];
}
