/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive_copy.h - archives in memory: copied record by record, compared, counted.
 * In:  archives.
 * Out: the records that the reader returns, given to the writer or compared with those of another
 *      archive. All reading is strict.
 */
#ifndef SELFTESTS_ARCHIVE_COPY_H
#define SELFTESTS_ARCHIVE_COPY_H

#include <stdint.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

/** struct memory - an archive in memory */
struct memory {
	int fd;		/* descriptor of an anonymous file */
	void *data;	/* the file's content, mapped by memory_map() */
	size_t bytes;
};

/** memory_open() - open an empty archive; 0 or -1 */
int memory_open(struct memory *m);

/** memory_map() - map everything written so far; 0 or -1 */
int memory_map(struct memory *m);


enum copy_flags {
	COPY_SWAPPED	= 1 << 0,
	COPY_INTERNING	= 1 << 1,
};

/** copy_writer() - open a writer that follows the flags; 0 or a negative errno */
int copy_writer(struct fxt_writer **w, int fd, unsigned int flags);

/**
 * copy_archive() - decode each record and write it again
 * @from: mapped
 * @to: opened and empty; mapped when done
 * @flags: bits of enum copy_flags
 * @why: set to a line that describes the failure
 *
 * Return: 0 or a negative errno of the reader or the writer.
 */
int copy_archive(const struct memory *from, struct memory *to, unsigned int flags, char why[256]);

/**
 * copy_differs() - do two archives have different content?
 * @a: mapped
 * @b: mapped
 * @why: set to a description of the difference
 *
 * Compares strings and threads, but not the string records, thread records and refs that encode
 * them.
 *
 * Return: 0 if the content is the same, else -1.
 */
int copy_differs(const struct memory *a, const struct memory *b, char why[256]);

/** struct census - the counts of an archive's records */
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
