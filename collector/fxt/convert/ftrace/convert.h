/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.h - the scheduling of an archive as a file of ftrace text.
 */
#ifndef FXT_CONVERT_FTRACE_CONVERT_H
#define FXT_CONVERT_FTRACE_CONVERT_H

#include "walk/io.h"

/** convert_ftrace() - as convert_fxt(), to ftrace text */
int convert_ftrace(struct io *io);

#endif /* FXT_CONVERT_FTRACE_CONVERT_H */
