/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.h - an archive as a current and valid one.
 */
#ifndef FXT_CONVERT_FXT_CONVERT_H
#define FXT_CONVERT_FXT_CONVERT_H

#include "walk/io.h"

/**
 * convert_fxt() - write the archive again, in the current format and this byte order
 * @io: its paths and the options of its archive are set
 *
 * Opens both ends, converts all records and closes them.
 *
 * Return: enum verb_exit, after reporting errors on standard error.
 */
int convert_fxt(struct io *io);

#endif /* FXT_CONVERT_FXT_CONVERT_H */
