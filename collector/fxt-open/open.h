/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open.h - the parts of fxt-open: who connects, the page for the browser, the server. */
#ifndef FXT_OPEN_OPEN_H
#define FXT_OPEN_OPEN_H

#include <limits.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SERVE_UI	"https://ui.perfetto.dev"
#define SERVE_URL	(256 + 64)	/* Perfetto's address and the path */

/* --- user.c ------------------------------------------------------------------------------ */

/*
 * Find the user who has connected from @from to @port at 127.0.0.1. Returns 0; -ENOENT if the
 * connection is not there or is being closed; -ENOSYS if this system has no such information.
 */
int user_of(const struct sockaddr_in *from, uint16_t port, uid_t *uid);

/*
 * May this user have what this process may have? True for the user of this process, for root, and,
 * if this process is root's, for the user who became root: by sudo, pkexec or doas, or after
 * logging in.
 */
bool user_is_ours(uid_t uid);

/* --- redirect.c -------------------------------------------------------------------------- */

/* A page in a directory; initialize with zeros. */
struct redirect {
	char dir[PATH_MAX - 16];
	char path[PATH_MAX];
};

/*
 * Write a page that redirects to @url, which has no characters to escape in HTML. The directory is
 * new, in
 * $XDG_RUNTIME_DIR or else in /tmp. Only its owner can read the page. Returns 0 or a negative
 * errno.
 */
int redirect_make(struct redirect *r, const char *url);

/* Remove page and directory, if they exist. */
void redirect_remove(struct redirect *r);

/* --- serve.c ----------------------------------------------------------------------------- */

struct serve;

/*
 * Start listening for requests.
 * @fd: a regular file; the caller keeps and closes it
 * @name: the end of the path in the link, without characters that need escapes
 * @port: 0: any free one
 * @any_user: serve all users of this machine, not only those of user_is_ours()
 *
 * Returns NULL with @error.
 */
struct serve *serve_open(int fd, const char *name, uint16_t port, bool any_user, int *error);

/* The link for Perfetto, with 128 random bits. */
void serve_url(const struct serve *s, char url[SERVE_URL]);

/*
 * Answer requests until the file was fetched completely, or a signal arrives at @signals, a
 * descriptor of signalfd(2). Returns 0 or a negative errno.
 */
int serve_run(struct serve *s, int signals, bool *fetched);

void serve_close(struct serve *s);

#endif /* FXT_OPEN_OPEN_H */
