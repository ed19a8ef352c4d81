/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - the Trace Event Format (JSON): its parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_JSON_FORMAT_H
#define FXT_FORMATS_JSON_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "walk/io.h"

bool json_detect(const char *head, size_t bytes);

/** json_read() - as struct format's read; @strict: stop at the first event that cannot be
 * converted completely
 */
int json_read(const char *path, int from, bool strict, int fd);

int json_write(struct io *io);

/** json_write_with_ftrace() - the same, but scheduling is ftrace text, not slices */
int json_write_with_ftrace(struct io *io);

bool json_is_ours(int fd);

#endif /* FXT_FORMATS_JSON_FORMAT_H */
