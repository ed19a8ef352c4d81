/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parquet.h - an archive as a directory of Parquet files.
 */
#ifndef FXT_CONVERT_TABLES_PARQUET_H
#define FXT_CONVERT_TABLES_PARQUET_H

#include "walk/io.h"

/** convert_parquet() - as convert_csv(), to Parquet files */
int convert_parquet(struct io *io);

/** convert_parquet_partition() - the same, as one of many in the directory; see partition.h */
int convert_parquet_partition(struct io *io);

#endif /* FXT_CONVERT_TABLES_PARQUET_H */
