/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - a trace.dat file of trace-cmd as an archive, with libtracecmd.
 */
#ifndef FXT_READ_TRACECMD_IMPORT_H
#define FXT_READ_TRACECMD_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

/** tracecmd_import_fits() - does a file begin like trace.dat? @head: its first @bytes */
bool tracecmd_import_fits(const char *head, size_t bytes);

/** tracecmd_import() - as ftrace_import(); @strict: stop at the first damaged record */
int tracecmd_import(const char *path, int from, bool strict, int fd);

#endif /* FXT_READ_TRACECMD_IMPORT_H */
