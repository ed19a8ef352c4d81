/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * redirect.h - a link that a browser gets by a file, because all users see its arguments.
 *
 * In: a link. Out: a page in a directory of the user's own, which leads there.
 */
#ifndef FXT_OPEN_REDIRECT_H
#define FXT_OPEN_REDIRECT_H

#include <limits.h>

/** struct redirect - a page in a directory; begins as zero */
struct redirect {
	char dir[PATH_MAX - 16];
	char path[PATH_MAX];
};

/**
 * redirect_make() - write the page
 * @r: set to it
 * @url: the link; without characters that need an escape in HTML
 *
 * The directory is new, in $XDG_RUNTIME_DIR or else in /tmp. Only its owner can read them.
 *
 * Return: 0 or a negative errno.
 */
int redirect_make(struct redirect *r, const char *url);

/** redirect_remove() - remove both; nothing if there are none */
void redirect_remove(struct redirect *r);

#endif /* FXT_OPEN_REDIRECT_H */
