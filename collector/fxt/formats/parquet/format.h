/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - tables as Parquet files: their parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_PARQUET_FORMAT_H
#define FXT_FORMATS_PARQUET_FORMAT_H

#include "walk/io.h"

/** parquet_write() - one file per table; the output is a directory */
int parquet_write(struct io *io);

/** parquet_write_partition() - the same, as one of many in the directory; see partition.h */
int parquet_write_partition(struct io *io);

#endif /* FXT_FORMATS_PARQUET_FORMAT_H */
