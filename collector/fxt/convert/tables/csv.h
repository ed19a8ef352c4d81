/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.h - an archive as a directory of CSV files.
 */
#ifndef FXT_CONVERT_TABLES_CSV_H
#define FXT_CONVERT_TABLES_CSV_H

#include "walk/io.h"

/** convert_csv() - as convert_fxt(), to one file per table; the output is a directory */
int convert_csv(struct io *io);

/** convert_csv_raw() - the same, with all texts as they are, even if they look like formulas */
int convert_csv_raw(struct io *io);

#endif /* FXT_CONVERT_TABLES_CSV_H */
