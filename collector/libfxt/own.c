// SPDX-License-Identifier: GPL-2.0-or-later
/* own.c - see own.h. */
#include <string.h>

#include "fxt_reader.h"
#include "own.h"

bool fxt_own_archive(int fd)
{
	struct fxt_reader *r = NULL;
	struct fxt_record rec;
	bool is_one = !fxt_reader_open_fd(&r, fd, NULL) && fxt_reader_next(r, &rec) > 0 &&
		      rec.kind == FXT_KIND_MAGIC;

	fxt_reader_close(r);
	return is_one;
}

bool fxt_own_descriptor(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}
