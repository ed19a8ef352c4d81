// SPDX-License-Identifier: GPL-2.0-or-later
/* history_answer.c - see history_answer.h. */
#include <errno.h>

#include "history_answer.h"
#include "terminal/memory.h"
#include "walk/io.h"

int history_answer(const char *verb, struct archive *a, const char *path, struct filter *f,
		   int (*answer)(void *command, struct history *h), void *command)
{
	int status = earliest_limits(verb, a, &path, f), ret, end;
	struct history *h;

	if (!status)
		status = archive_open(a, path);
	if (status)
		return status;
	h = history_open();
	ret = history_read(h, a);
	if (!ret || ret == -EBADMSG) {
		must_fit(history_finish(h));
		status = answer(command, h);
	}
	history_close(h);
	end = archive_close(a, status == VERB_UNWRITABLE ? 0 : ret);
	return status ? status : end;
}
