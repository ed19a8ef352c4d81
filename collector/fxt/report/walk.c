// SPDX-License-Identifier: GPL-2.0-or-later
/* walk.c - see walk.h. */
#include <errno.h>

#include "walk.h"

int report_walk(struct report_engine **e, const struct report_options *options, struct archive *a,
		void (*note)(void *arg, const struct fxt_record *rec), void *arg)
{
	struct fxt_record rec;
	int ret = 0, end;

	*e = report_open(options);
	while (archive_continues(a, ret)) {
		ret = report_next(*e, a->r, &rec);
		if (ret <= 0)
			break;
		if (note)
			note(arg, &rec);
		ret = report_record(*e, a->r, &rec);
	}
	if (!report_walk_is_done(ret))
		return ret;
	end = report_finish(*e);
	return end ? end : ret;
}
