/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail.h - the error message for a failed write of the archive.
 */
#ifndef FXT_COLLECT_OUTPUT_FAIL_H
#define FXT_COLLECT_OUTPUT_FAIL_H

#include "process/error.h"

/**
 * output_fail() - describe an error of output.h
 * @e: filled in
 * @path: the output; "-" is standard output
 * @err: negative errno
 *
 * The message says what failed and what to do; the caller adds the state of the archive.
 *
 * Return: @err.
 */
int output_fail(struct error *e, const char *path, int err);

#endif /* FXT_COLLECT_OUTPUT_FAIL_H */
