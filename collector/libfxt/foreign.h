/* SPDX-License-Identifier: GPL-2.0-or-later */
/* foreign.h - recognizes files of other tracers by their beginning. */
#ifndef LIBFXT_FOREIGN_H
#define LIBFXT_FOREIGN_H

#include <stddef.h>

/* Bytes of a file that fxt_foreign() needs. */
#define FXT_FOREIGN_BYTES	4096

/*
 * The format of a file that is not an archive. @bytes: fewer than FXT_FOREIGN_BYTES only for a
 * shorter file. Return: for example "a perf.data file"; NULL if the format is unknown.
 */
const char *fxt_foreign(const void *head, size_t bytes);

#endif /* LIBFXT_FOREIGN_H */
