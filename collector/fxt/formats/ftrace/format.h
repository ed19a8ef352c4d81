/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - ftrace's text: its parts of the table of formats (walk/format.h).
 *
 * Read are the text of /sys/kernel/tracing/trace or trace_pipe, of `trace-cmd report`, and of
 * `fxt convert --to ftrace`.
 */
#ifndef FXT_FORMATS_FTRACE_FORMAT_H
#define FXT_FORMATS_FTRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "walk/io.h"

bool ftrace_detect(const char *head, size_t bytes);

/** ftrace_has_event() - does a text begin like ftrace's, and is there an event in it? */
bool ftrace_has_event(const char *text, size_t bytes);

/** ftrace_read() - as struct format's read; @strict: stop at the first line not understood */
int ftrace_read(const char *path, int from, bool strict, int fd);

/** ftrace_read_part() - as ftrace_read(), but write to the end of an archive */
int ftrace_read_part(const char *path, int from, bool strict, int fd);

int ftrace_write(struct io *io);

bool ftrace_is_ours(int fd);

#endif /* FXT_FORMATS_FTRACE_FORMAT_H */
