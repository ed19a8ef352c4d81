/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - a trace in a page for browsers as an archive.
 *
 * In: a page of Android's systrace or of catapult's trace2html: scripts of class "trace-data" or
 * with the id "viewer-data", whose content is ftrace's text or JSON in the Trace Event Format,
 * perhaps compressed with gzip, in base64.
 */
#ifndef FXT_READ_PAGE_IMPORT_H
#define FXT_READ_PAGE_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

/** page_import_fits() - does a file begin like a page? @head: its first @bytes */
bool page_import_fits(const char *head, size_t bytes);

/**
 * page_import() - write an archive of what is in a page
 * @path: its name, for messages
 * @from: a descriptor of the page, plain or compressed
 * @strict: stop at the first violation of a format
 * @fd: where to write the archive
 *
 * One JSON and any number of texts become one archive; what is in other parts is reported.
 *
 * Return: enum verb_exit, as of json_import().
 */
int page_import(const char *path, int from, bool strict, int fd);

#endif /* FXT_READ_PAGE_IMPORT_H */
