/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args.h - the arguments of a record.
 */
#ifndef LIBFXT_WRITER_ARGS_H
#define LIBFXT_WRITER_ARGS_H

#include "pass.h"
#include "refs.h"

/** writer_args_fit() - has the format room for each of the arguments? */
bool writer_args_fit(const struct fxt_content *c, const struct writer_refs *refs);

/** writer_put_args() - all arguments; they fit */
void writer_put_args(struct writer_pass *p, const struct fxt_content *c,
		     const struct writer_refs *refs);

#endif /* LIBFXT_WRITER_ARGS_H */
