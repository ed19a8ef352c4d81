/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive_copy.h - archives in memory: copied record by record, compared, counted.
 *
 * In:  archives.
 * Out: what the reader makes of them, given to the writer, or held against what it makes of
 *      another archive. All reading is strict.
 */
#ifndef SELFTESTS_ARCHIVE_COPY_H
#define SELFTESTS_ARCHIVE_COPY_H

#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

/**
 * struct memory - an archive in memory
 * @fd: of an anonymous file
 * @data: the same, mapped by memory_map()
 */
struct memory {
	int fd;
	void *data;
	size_t bytes;
};

/** memory_open() - an empty one; 0 or -1 */
int memory_open(struct memory *m);

/** memory_map() - all that was written to it; 0 or -1 */
int memory_map(struct memory *m);

void memory_close(struct memory *m);

enum copy_flags {
	COPY_SWAPPED	= 1 << 0,
	COPY_INTERNING	= 1 << 1,
};

/** copy_writer() - a writer that follows the flags; 0 or a negative errno */
int copy_writer(struct fxt_writer **w, int fd, unsigned int flags);

/**
 * copy_archive() - take each record apart and write it again
 * @from: mapped
 * @to: opened and empty; mapped when done
 * @flags: bits of enum copy_flags
 * @why: set to a line that tells what went wrong
 *
 * Return: 0 or a negative errno of the reader or the writer.
 */
int copy_archive(const struct memory *from, struct memory *to, unsigned int flags,
		 char why[256]);

/**
 * copy_differs() - do two archives say the same?
 * @a: mapped
 * @b: mapped
 * @why: set to what differs
 *
 * String records, thread records and refs are not looked at, but what they
 * stand for is.
 *
 * Return: 0 if they do, else -1.
 */
int copy_differs(const struct memory *a, const struct memory *b, char why[256]);

/**
 * struct census - what an archive holds
 */
struct census {
	uint64_t kinds[FXT_KIND_COUNT];
	uint64_t args[16];	/* by type, defined or not */
	uint64_t arg_counts[FXT_MAX_ARGS + 1];	/* records with so many */
	uint64_t inline_strings;
	uint64_t indexed_strings;
	uint64_t empty_strings;
	uint64_t inline_threads;
	uint64_t indexed_threads;
};

/** census_take() - count; 0 or a negative errno of the reader */
int census_take(const struct memory *m, struct census *census, char why[256]);

#endif /* SELFTESTS_ARCHIVE_COPY_H */
