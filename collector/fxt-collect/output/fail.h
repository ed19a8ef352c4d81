/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail.h - what to say when the archive cannot be written.
 */
#ifndef FXT_COLLECT_OUTPUT_FAIL_H
#define FXT_COLLECT_OUTPUT_FAIL_H

#include "process/error.h"

/**
 * output_fail() - the line for what a function of output.h returned
 * @e: filled in
 * @path: of the output; "-" is standard output
 * @err: negative errno
 *
 * Says what happened and what to do, not what became of the archive: that is up to
 * whoever went back, or did not.
 *
 * Return: @err.
 */
int output_fail(struct error *e, const char *path, int err);

#endif /* FXT_COLLECT_OUTPUT_FAIL_H */
