/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.h - an archive as "Trace Event Format".
 */
#ifndef FXT_CONVERT_JSON_CONVERT_H
#define FXT_CONVERT_JSON_CONVERT_H

#include "walk/io.h"

/** convert_json() - as convert_fxt(), to Trace Event Format */
int convert_json(struct io *io);

/** convert_json_with_ftrace() - the same, but scheduling is ftrace text, not slices */
int convert_json_with_ftrace(struct io *io);

#endif /* FXT_CONVERT_JSON_CONVERT_H */
