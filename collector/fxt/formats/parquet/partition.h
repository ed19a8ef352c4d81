/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition.h - the place of an archive in a directory of many.
 *
 * In: an archive of a recorder, which says on which host and when it was recorded.
 * Out: DIR/host=HOST/date=DATE/archive=NAME, as engines expect partitions (Hive's layout).
 */
#ifndef FXT_FORMATS_PARQUET_PARTITION_H
#define FXT_FORMATS_PARQUET_PARTITION_H

#include <limits.h>

#include "walk/io.h"

/**
 * partition_path() - find the place
 * @io: its output is DIR; if the archive is read from a pipe, a copy takes its place
 * @path: set to it
 *
 * DATE is that of the first time stamp, in UTC. NAME is that of the file, without the
 * extension, and the time of the first time stamp: files of different recordings may have the
 * same name. Reads all of the archive.
 *
 * Return: VERB_DONE, or another status after reporting why.
 */
int partition_path(struct io *io, char path[PATH_MAX]);

#endif /* FXT_FORMATS_PARQUET_PARTITION_H */
