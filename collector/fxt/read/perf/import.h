/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - a perf.data file as an archive, with the formats of events by libtraceevent.
 */
#ifndef FXT_READ_PERF_IMPORT_H
#define FXT_READ_PERF_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

/** perf_import_fits() - does a file begin like perf.data? @head: its first @bytes */
bool perf_import_fits(const char *head, size_t bytes);

/** perf_import() - as ftrace_import(); @strict: stop at the first damaged record */
int perf_import(const char *path, int from, bool strict, int fd);

#endif /* FXT_READ_PERF_IMPORT_H */
