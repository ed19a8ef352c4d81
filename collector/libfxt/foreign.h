/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign.h - files of other tracers, told from FXT archives by how they begin.
 */
#ifndef LIBFXT_FOREIGN_H
#define LIBFXT_FOREIGN_H

#include <stddef.h>

/* So much of a file is enough for fxt_foreign(). */
#define FXT_FOREIGN_BYTES	4096

/**
 * fxt_foreign() - what a file is that is no archive
 * @head: how it begins
 * @bytes: at @head; fewer than FXT_FOREIGN_BYTES if the file is shorter
 *
 * Return: "a perf.data file" or the like, NULL if it is none that is known.
 */
const char *fxt_foreign(const void *head, size_t bytes);

#endif /* LIBFXT_FOREIGN_H */
