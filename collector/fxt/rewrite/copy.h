/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy.h - copies all records of an archive.
 *
 * In: the records of an archive. Out: the same, as far as they are readable, in the same order.
 * Strings and threads keep their indices, so that undefined records stay valid, too.
 */
#ifndef FXT_REWRITE_COPY_H
#define FXT_REWRITE_COPY_H

#include "rewrite.h"
#include "walk/koids.h"

/**
 * struct rewrite_copy - one copy; begins as zeros, with f.keeps_refs
 * @f: the result
 * @introduced: ids of the providers that were introduced in the result
 */
struct rewrite_copy {
	struct rewrite f;
	struct koids introduced;
};

/** rewrite_copy_record() - copy a record; for io_walk(), with the copy as @arg */
int rewrite_copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec);

/** rewrite_copy_close() - end the result, as rewrite_close() */
void rewrite_copy_close(struct rewrite_copy *c);

#endif /* FXT_REWRITE_COPY_H */
