/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - a trace in the Trace Event Format (JSON) as an archive.
 */
#ifndef FXT_READ_JSON_IMPORT_H
#define FXT_READ_JSON_IMPORT_H

#include <stdbool.h>

/**
 * json_import() - write an archive with all events of a trace
 * @path: its name, for messages
 * @from: a descriptor of the trace, plain or compressed
 * @strict: stop at the first event that cannot be converted completely
 * @fd: where to write the archive
 *
 * Return: enum verb_exit, after reporting on standard error what could not be read and
 * converted. After VERB_DEVIATES without @strict the archive has all that was readable.
 */
int json_import(const char *path, int from, bool strict, int fd);

#endif /* FXT_READ_JSON_IMPORT_H */
