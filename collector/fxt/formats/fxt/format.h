/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - archives: their parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_FXT_FORMAT_H
#define FXT_FORMATS_FXT_FORMAT_H

#include "walk/io.h"

/** archive_write() - write an archive again, in the current format and this byte order */
int archive_write(struct io *io);

#endif /* FXT_FORMATS_FXT_FORMAT_H */
