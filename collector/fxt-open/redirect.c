// SPDX-License-Identifier: GPL-2.0-or-later
/* redirect.c - passes a link to a browser in a file, because all users can see its arguments. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "open.h"

static int make_in(struct redirect *r, const char *parent)
{
	int n = snprintf(r->dir, sizeof(r->dir), "%s/fxt-open.XXXXXX", parent);

	if (n >= (int)sizeof(r->dir) || !mkdtemp(r->dir)) {
		*r->dir = '\0';
		return -1;
	}
	snprintf(r->path, sizeof(r->path), "%s/open.html", r->dir);
	return 0;
}

static int write_page(const struct redirect *r, const char *url)
{
	int fd = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		return -errno;
	fprintf(f, "<!DOCTYPE html><meta charset=\"utf-8\"><title>fxt open</title>\n"
		"<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n"
		"<a href=\"%s\">Open in Perfetto</a>\n", url, url);
	return fclose(f) ? -errno : 0;
}

void redirect_remove(struct redirect *r)
{
	if (!*r->dir)
		return;
	unlink(r->path);
	rmdir(r->dir);
	*r->dir = '\0';
}

int redirect_make(struct redirect *r, const char *url)
{
	const char *own = getenv("XDG_RUNTIME_DIR");
	int ret;

	if (!(own && *own == '/' && !make_in(r, own)) && make_in(r, P_tmpdir))
		return -errno;
	ret = write_page(r, url);
	if (ret)
		redirect_remove(r);
	return ret;
}
