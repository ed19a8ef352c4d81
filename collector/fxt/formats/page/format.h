/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - traces in pages for browsers: their parts of the table of formats (walk/format.h).
 *
 * In: a page of Android's systrace or of catapult's trace2html: scripts of class "trace-data" or
 * with the id "viewer-data", whose content is ftrace's text or JSON in the Trace Event Format,
 * perhaps compressed with gzip, in base64.
 */
#ifndef FXT_FORMATS_PAGE_FORMAT_H
#define FXT_FORMATS_PAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

bool page_detect(const char *head, size_t bytes);

/**
 * page_read() - as struct format's read
 *
 * One JSON and any number of texts become one archive; what is in other parts is reported.
 */
int page_read(const char *path, int from, bool strict, int fd);

#endif /* FXT_FORMATS_PAGE_FORMAT_H */
