/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - ftrace's text as an archive.
 *
 * In: the text of /sys/kernel/tracing/trace or trace_pipe, of `trace-cmd report`, of
 * `fxt convert --to ftrace`, or a page of Android's systrace with such a text in it.
 */
#ifndef FXT_READ_FTRACE_IMPORT_H
#define FXT_READ_FTRACE_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

/** ftrace_import_fits() - does a file begin like ftrace's text? @head: its first @bytes */
bool ftrace_import_fits(const char *head, size_t bytes);

/** ftrace_import_has_event() - does a text begin like it, and is there an event in it? */
bool ftrace_import_has_event(const char *text, size_t bytes);

/**
 * ftrace_import() - write an archive of a text
 * @path: its name, for messages
 * @from: a descriptor of the text, plain or compressed
 * @strict: stop at the first line that is not understood
 * @fd: where to write the archive
 *
 * Return: enum verb_exit, after reporting on standard error what could not be read and
 * converted. After VERB_DEVIATES without @strict the archive has all that was readable.
 */
int ftrace_import(const char *path, int from, bool strict, int fd);

/** ftrace_import_part() - as ftrace_import(), but write to the end of an archive */
int ftrace_import_part(const char *path, int from, bool strict, int fd);

#endif /* FXT_READ_FTRACE_IMPORT_H */
