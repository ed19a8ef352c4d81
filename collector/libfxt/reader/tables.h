/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - providers, and the strings and threads that they register.
 *
 * In:  metadata, initialization, string and thread records.
 * Out: registered strings and threads by index.
 *
 * Each provider has its own tables. A new registration replaces the old one, and index 0
 * is never registered. The options limit the memory of all tables together.
 */
#ifndef LIBFXT_READER_TABLES_H
#define LIBFXT_READER_TABLES_H

#include "state.h"

int fxt_tables_open(struct fxt_reader *r);
void fxt_tables_close(struct fxt_reader *r);

/*
 * Apply a record to the tables. Return: 0; -EBADMSG if the tables would exceed their limit, or in a
 * strict reader after a deviation; -ENOMEM.
 */
int fxt_tables_apply(struct fxt_reader *r, const struct fxt_record *rec,
		     const struct fxt_content *c);

/* The string registered at @index > 0; NULL if there is none. */
static inline const struct string_entry *
fxt_find_string(const struct fxt_reader *r, uint32_t index)
{
	const struct string_entry *page = r->current->pages[index / PAGE_STRINGS];

	if (!page || !page[index % PAGE_STRINGS].bytes)
		return NULL;
	return &page[index % PAGE_STRINGS];
}

#endif /* LIBFXT_READER_TABLES_H */
