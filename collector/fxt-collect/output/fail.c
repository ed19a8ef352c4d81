// SPDX-License-Identifier: GPL-2.0-or-later
/* fail.c - see fail.h. */
#include <errno.h>
#include <string.h>

#include "fail.h"

/* What to do about it, NULL if there is no advice. */
static const char *advice(int err)
{
	switch (err) {
	case -ENOSPC:
		return "make room, give --output another place, or compress with -z zstd";
	case -EDQUOT:
		return "make room within your quota, give --output another place, or compress with -z zstd";
	case -EFBIG:
		return "raise the limit (ulimit -f), record into several files with --rotate size=, or compress with -z zstd";
	case -EPIPE:
		return "whoever was to read it has ended";
	case -ECANCELED:
		return "whoever is to read it has stopped doing so, and the recording has to end";
	case -EIO:
		return "the device failed, the kernel log (dmesg) says how; give --output another place";
	case -EPERM:
	case -EACCES:
		return "the directory or its file system takes no more; give --output another place";
	}
	return NULL;
}

int output_fail(struct error *e, const char *path, int err)
{
	const char *what = advice(err);

	if (!strcmp(path, "-"))
		path = "standard output";
	if (err == -ENOENT)
		return fail(e, EXIT_FAILED, err,
			    "the archive is lost: %s or its directory was removed while it was written; record again, to a place that stays",
			    path);
	return fail(e, EXIT_FAILED, err, "cannot write to %s: %s%s%s", path,
		    strerror(-err), what ? "; " : "", what ? what : "");
}
