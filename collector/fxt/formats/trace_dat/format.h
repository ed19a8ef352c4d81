/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - trace.dat of trace-cmd: its parts of the table of formats (walk/format.h).
 *
 * Read with libtracecmd.
 */
#ifndef FXT_FORMATS_TRACE_DAT_FORMAT_H
#define FXT_FORMATS_TRACE_DAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

bool trace_dat_detect(const char *head, size_t bytes);

/** trace_dat_read() - as struct format's read; @strict: stop at the first damaged record */
int trace_dat_read(const char *path, int from, bool strict, int fd);

#endif /* FXT_FORMATS_TRACE_DAT_FORMAT_H */
