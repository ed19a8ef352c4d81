/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - one file over HTTP, to a browser on this machine.
 *
 * In: a file.
 * Out: the same bytes, to a client that asks for that file at 127.0.0.1 (by that name or as
 * localhost), by a path that cannot be guessed, from ui.perfetto.dev or from no page at all.
 * Connections of other users are closed at once.
 * All other requests are refused: other hosts, because a page elsewhere may point its own
 * name here, and other origins (403), methods (405), paths (404).
 */
#ifndef FXT_OPEN_SERVE_H
#define FXT_OPEN_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#define SERVE_UI	"https://ui.perfetto.dev"

struct serve;

/**
 * serve_open() - start to listen for requests
 * @s: set to it
 * @fd: a regular file; the caller keeps and closes it
 * @name: the end of the path in the link; characters that need no escape
 * @port: to listen on; 0 is any that is free
 * @any_user: serve all users of this machine, not only those of user_is_ours()
 *
 * Return: 0 or a negative errno.
 */
int serve_open(struct serve **s, int fd, const char *name, uint16_t port,
	       bool any_user);

/** serve_port() - the port that it listens on */
uint16_t serve_port(const struct serve *s);

/**
 * serve_path() - the path that it serves: "/TOKEN/NAME"
 *
 * TOKEN is 128 random bits in hexadecimal digits, different each time.
 */
const char *serve_path(const struct serve *s);

/**
 * serve_run() - answer requests until the file was fetched completely, or a signal arrives
 * @s: what serve_open() has made
 * @signals: a descriptor of signalfd(2)
 * @fetched: set to true if the file was fetched
 *
 * Return: 0 or a negative errno.
 */
int serve_run(struct serve *s, int signals, bool *fetched);

/** serve_close() - stop listening; NULL is ignored */
void serve_close(struct serve *s);

#endif /* FXT_OPEN_SERVE_H */
