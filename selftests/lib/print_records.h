/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of an archive that a test is still writing, as text. */
#ifndef SELFTESTS_PRINT_RECORDS_H
#define SELFTESTS_PRINT_RECORDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"

#define KIND(kind)	(1ULL << FXT_KIND_##kind)

_Static_assert(FXT_KIND_COUNT <= 64, "a set of kinds is a word");

/* Prints one record, or nothing. */
typedef void print_record(void *arg, const struct fxt_record *rec, const struct fxt_content *c,
			  FILE *f);

/*
 * With a strict reader. The writer @w is flushed and stays usable. @kinds: the records to print,
 * KIND(...) of each. Return: the text, for free(); NULL if the archive deviates from the format.
 */
static inline char *print_records(struct fxt_writer *w, int fd, uint64_t kinds,
				  print_record *print, void *arg)
{
	static const struct fxt_reader_options strict = { .strict = true };
	static struct fxt_content c;
	struct fxt_record rec;
	struct fxt_reader *r;
	char *text = NULL;
	size_t size;
	FILE *f;
	int ret;

	if (fxt_writer_flush(w) || lseek(fd, 0, SEEK_SET) || fxt_reader_open_fd(&r, fd, &strict))
		return NULL;
	f = open_memstream(&text, &size);
	while ((ret = fxt_reader_next(r, &rec)) > 0) {
		if (!(kinds >> rec.kind & 1))
			continue;
		ret = fxt_reader_content(r, &rec, &c);
		if (ret)
			break;
		print(arg, &rec, &c, f);
	}
	fclose(f);
	fxt_reader_close(r);
	if (!ret)
		return text;
	free(text);
	return NULL;
}

#endif /* SELFTESTS_PRINT_RECORDS_H */
