/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - one file over HTTP, to a browser on this machine.
 *
 * In: a file.
 * Out: the same bytes, to whoever asks for that file at 127.0.0.1, by that name or as
 * localhost, by a path that nobody guesses, from ui.perfetto.dev or from no page at all.
 * All else is refused: other hosts (a page elsewhere may have its own name point here)
 * and other origins (403), methods (405), paths (404).
 */
#ifndef FXT_OPEN_SERVE_H
#define FXT_OPEN_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#define SERVE_UI	"https://ui.perfetto.dev"

struct serve;

/**
 * serve_open() - be ready for requests
 * @s: set to it
 * @fd: of a regular file; it stays the caller's
 * @name: what the path that it is served by ends with, letters that need no escape
 * @port: to listen on; 0 is any that is free
 *
 * Return: 0 or a negative errno.
 */
int serve_open(struct serve **s, int fd, const char *name, uint16_t port);

/** serve_port() - that it listens on */
uint16_t serve_port(const struct serve *s);

/**
 * serve_path() - that it serves: "/TOKEN/NAME"
 *
 * TOKEN is 128 random bits in hexadecimal digits, others each time.
 */
const char *serve_path(const struct serve *s);

/**
 * serve_run() - answer requests until the file was fetched, whole, or a signal has come
 * @s: what serve_open() has made
 * @signals: a descriptor of signalfd(2)
 * @fetched: set to whether it was
 *
 * Return: 0 or a negative errno.
 */
int serve_run(struct serve *s, int signals, bool *fetched);

/** serve_close() - answer no more; NULL is ignored */
void serve_close(struct serve *s);

#endif /* FXT_OPEN_SERVE_H */
