/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - Perfetto's packets: their parts of the table of formats (walk/format.h).
 */
#ifndef FXT_FORMATS_PERFETTO_FORMAT_H
#define FXT_FORMATS_PERFETTO_FORMAT_H

#include <stdbool.h>

#include "walk/io.h"

int perfetto_write(struct io *io);

bool perfetto_is_ours(int fd);

#endif /* FXT_FORMATS_PERFETTO_FORMAT_H */
