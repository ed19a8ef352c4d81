// SPDX-License-Identifier: GPL-2.0-or-later
/* fail.c - see fail.h. */
#include <errno.h>
#include <string.h>

#include "fail.h"

/* Advice for the user, NULL if there is none. */
static const char *advice(int err)
{
	switch (err) {
	case -ENOSPC:
		return "free some space, use another --output, or compress with -z zstd";
	case -EDQUOT:
		return "free some of your quota, use another --output, or compress with -z zstd";
	case -EFBIG:
		return "raise the limit (ulimit -f), use --rotate size=, or compress with -z zstd";
	case -EPIPE:
	case -ECONNRESET:
		return "its reader has ended";
	case -ETIMEDOUT:
		return "the receiver takes nothing, or its machine cannot be reached";
	case -ECANCELED:
		return "its reader has stopped reading, and the recording ends";
	case -EIO:
		return "the device failed, see the kernel log (dmesg); use another --output";
	case -EPERM:
	case -EACCES:
		return "the directory or its file system refuses writes; use another --output";
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
			    "the archive is lost: %s or its directory was removed during the recording; record again into another directory",
			    path);
	return fail(e, EXIT_FAILED, err, "cannot write to %s: %s%s%s", path,
		    strerror(-err), what ? "; " : "", what ? what : "");
}
