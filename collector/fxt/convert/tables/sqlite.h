/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite.h - an archive as an SQLite database.
 */
#ifndef FXT_CONVERT_TABLES_SQLITE_H
#define FXT_CONVERT_TABLES_SQLITE_H

#include "walk/io.h"

/** convert_sqlite() - as convert_fxt(), to one database with all tables */
int convert_sqlite(struct io *io);

#endif /* FXT_CONVERT_TABLES_SQLITE_H */
