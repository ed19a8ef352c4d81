/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - providers, and the strings and threads that they register.
 */
#ifndef LIBFXT_READER_TABLES_H
#define LIBFXT_READER_TABLES_H

#include "state.h"

int fxt_tables_open(struct fxt_reader *r);
void fxt_tables_close(struct fxt_reader *r);

/** fxt_tables_apply() - what a record registers takes effect */
int fxt_tables_apply(struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c);

/** fxt_find_string() - a registered string, NULL if there is none; index > 0 */
static inline const struct string_entry *
fxt_find_string(const struct fxt_reader *r, uint32_t index)
{
	const struct string_entry *page = r->current->pages[index / PAGE_STRINGS];

	if (!page || !page[index % PAGE_STRINGS].bytes)
		return NULL;
	return &page[index % PAGE_STRINGS];
}

#endif /* LIBFXT_READER_TABLES_H */
