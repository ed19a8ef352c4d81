// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock.c - relates the archive's clock to that of other traces.
 *
 * In: the session record.
 * Out: a clock sync event. Its id identifies time 0 of that clock in that boot of the
 * machine. Traces with the same id have the same time there.
 */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "walk/session_text.h"

#define NOT_MOVED	"+0.000000000 "

void json_clock_sync(struct json *j)
{
	static const struct json_place nowhere;
	const char *text = j->content.blob.data;
	size_t bytes = j->content.blob.bytes, boot_length, clock_length, length;
	const char *boot = session_value(text, bytes, "boot", &boot_length);
	const char *clock = session_value(text, bytes, "clock", &clock_length);
	const char *moved = session_value(text, bytes, "merge clock", &length);
	char id[128];

	/* In a merged archive, time 0 of a later recording may be another moment. */
	if (j->synced || !boot || !clock ||
	    (moved && (length < sizeof(NOT_MOVED) - 1 ||
		       memcmp(moved, NOT_MOVED, sizeof(NOT_MOVED) - 1))))
		return;
	j->synced = true;
	json_open(j, 'c', &nowhere, 0);
	snprintf(id, sizeof(id), "boot %.*s clock %.*s", (int)boot_length, boot,
		 (int)clock_length, clock);
	out_str(j->o, ",\"name\":\"clock_sync\",\"args\":{\"sync_id\":");
	out_json(j->o, id, strlen(id));
	out_char(j->o, '}');
	json_end(j);
}
