/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - tables as CSV files: their parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_CSV_FORMAT_H
#define FXT_FORMATS_CSV_FORMAT_H

#include "walk/io.h"

/** csv_write() - one file per table; the output is a directory */
int csv_write(struct io *io);

/** csv_write_raw() - the same, with all texts as they are, even if they look like formulas */
int csv_write_raw(struct io *io);

#endif /* FXT_FORMATS_CSV_FORMAT_H */
