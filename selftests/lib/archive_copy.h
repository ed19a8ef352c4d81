/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives in memory: copied record by record, compared, counted. All reading is strict. */
#ifndef SELFTESTS_ARCHIVE_COPY_H
#define SELFTESTS_ARCHIVE_COPY_H

#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

struct memory {
	int fd;		/* descriptor of an anonymous file */
	void *data;	/* the file's content, mapped by memory_map() */
	size_t bytes;
};

int memory_open(struct memory *m);

/* Map everything written so far. */
int memory_map(struct memory *m);

enum copy_flags {
	COPY_SWAPPED	= 1 << 0,
	COPY_INTERNING	= 1 << 1,
};

int copy_writer(struct fxt_writer **w, int fd, unsigned int flags);

/*
 * Decode each record of @from, which is mapped, and write it again to @to, which is opened and
 * empty, and mapped when done. @flags: bits of enum copy_flags. Return: 0 or a negative errno of
 * the reader or the writer.
 */
int copy_archive(const struct memory *from, struct memory *to, unsigned int flags, char why[256]);

/*
 * Compare strings and threads, but not the string records, thread records and refs that encode
 * them. Both archives are mapped. Return: 0 if the content is the same, else -1.
 */
int copy_differs(const struct memory *a, const struct memory *b, char why[256]);

struct census {
	uint64_t kinds[FXT_KIND_COUNT];
	uint64_t args[16];	/* by type, defined or not */
	uint64_t arg_counts[FXT_MAX_ARGS + 1];	/* records with that many arguments */
	uint64_t inline_strings;
	uint64_t indexed_strings;
	uint64_t empty_strings;
	uint64_t inline_threads;
	uint64_t indexed_threads;
};

/** census_take() - count the records; 0 or a negative errno of the reader */
int census_take(const struct memory *m, struct census *census, char why[256]);

#endif /* SELFTESTS_ARCHIVE_COPY_H */
