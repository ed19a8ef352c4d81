/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - tables as an SQLite database: their parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_SQLITE_FORMAT_H
#define FXT_FORMATS_SQLITE_FORMAT_H

#include <stdbool.h>

#include "walk/io.h"

/** sqlite_write() - one database with all tables */
int sqlite_write(struct io *io);

bool sqlite_is_ours(int fd);

#endif /* FXT_FORMATS_SQLITE_FORMAT_H */
