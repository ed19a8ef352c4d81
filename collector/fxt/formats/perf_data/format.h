/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - perf.data of perf: its parts of the table of formats (walk/format.h).
 *
 * libtraceevent knows the formats of events.
 */
#ifndef FXT_FORMATS_PERF_DATA_FORMAT_H
#define FXT_FORMATS_PERF_DATA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

bool perf_data_detect(const char *head, size_t bytes);

/** perf_data_read() - as struct format's read; @strict: stop at the first damaged record */
int perf_data_read(const char *path, int from, bool strict, int fd);

#endif /* FXT_FORMATS_PERF_DATA_FORMAT_H */
