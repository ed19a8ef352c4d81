/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of fxt-collect that must fail. */
#ifndef SELFTESTS_FAILURE_H
#define SELFTESTS_FAILURE_H

#include <stdio.h>
#include <string.h>

#include "collector.h"

#define PREFIX		"fxt-collect: "

/* A run that must fail with a status and one line that contains a text. */
struct failure {
	int status;
	const char *says;
	const char *args[12];
};

/* Check the exit status, and that @c->text is one line. */
static int check_failure(const struct collector *c, int status, int expected,
			 const char *says, struct why *why)
{
	const char *end = strchr(c->text, '\n');

	if (status != expected)
		return complain(why, "status %d, not %d: %.300s", status, expected,
				collector_said(c));
	if (strncmp(c->text, PREFIX, strlen(PREFIX)) || !end || end[1])
		return complain(why, "not one line that begins with '" PREFIX "': '%.300s'",
				c->text);
	if (!strstr(c->text, says))
		return complain(why, "nothing of '%s' in: %.300s", says, collector_said(c));
	return 0;
}

static int check_run(struct collector *c, const char *dir, const struct failure *f, struct why *why)
{
	int status = collector_run(c, dir, f->args), i, used = 0;
	char line[128] = "";
	struct why what;

	if (!check_failure(c, status, f->status, f->says, &what))
		return 0;
	for (i = 0; f->args[i] && used < (int)sizeof(line); i++)
		used += snprintf(line + used, sizeof(line) - used, " %s", f->args[i]);
	return complain(why, "fxt-collect%s: %.380s", line, what.text);
}

#endif /* SELFTESTS_FAILURE_H */
