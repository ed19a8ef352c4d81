/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args.h - write the arguments of a record ("Argument types").
 *
 * In:  arguments as the reader returns them, and the refs of their strings.
 * Out: their words.
 *
 * No value is ever truncated: writer_args_fit() finds values that do not fit their type
 * before anything is written.
 */
#ifndef LIBFXT_WRITER_ARGS_H
#define LIBFXT_WRITER_ARGS_H

#include "pass.h"
#include "refs.h"

/** writer_args_fit() - do all arguments fit the format? */
bool writer_args_fit(const struct fxt_content *c, const struct writer_refs *refs);

/** writer_put_args() - pass all arguments, which must fit */
void writer_put_args(struct writer_pass *p, const struct fxt_content *c,
		     const struct writer_refs *refs);

#endif /* LIBFXT_WRITER_ARGS_H */
