// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open.c - open and close a reader.
 *
 * In:  a file, a pipe or memory.
 * Out: a reader that knows the byte order and stands before the first record.
 */
#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/foreign.h"
#include "deviation.h"
#include "resync.h"
#include "tables.h"
#include "window.h"

#define DEFAULT_TABLE_BYTES	(256UL << 20)

/* Name the format of a file that does not begin with the magic number. */
static const char *find_foreign(struct fxt_reader *r)
{
	fxt_window_fill(r, 0, FXT_FOREIGN_BYTES / FXT_WORD);
	return fxt_foreign(r->window, r->end * FXT_WORD + r->tail);
}

/* The magic number determines the byte order. Only archives of 2017 may lack it. */
static int read_magic(struct fxt_reader *r)
{
	const char *foreign;
	uint64_t word;
	int ret = 0;

	fxt_window_fill(r, 0, 1);
	if (!r->end)
		ret = fxt_window_failure(r);
	if (ret)
		return ret;
	word = r->end ? r->window[0] : 0;
	r->swapped = word == bswap_64(FXT_MAGIC_RECORD);
	r->attention = r->swapped;
	if (word == FXT_MAGIC_RECORD || r->swapped || r->o.format_2017)
		return 0;
	foreign = find_foreign(r);
	if (!foreign && fxt_begins(r))
		return fxt_note(r, 0, FXT_DEV_NO_MAGIC, "magic number record",
				"missing; assuming the current event type numbers");
	if (foreign)
		return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
				   "this is %s, not an FXT archive", foreign);
	return fxt_deviate(r, 0, FXT_DEV_NO_MAGIC, true, "magic number record",
			   r->end ? "the first word is 0x%016" PRIx64 ", so this is not an FXT archive" :
				    "fewer than 8 bytes, so this is not an FXT archive",
			   word);
}

static int open_stream(struct fxt_reader **out, int fd, const void *data,
		       size_t bytes, const struct fxt_reader_options *o)
{
	struct fxt_reader *r = calloc(1, sizeof(*r));
	int ret = r ? 0 : -ENOMEM;

	*out = r;
	if (ret)
		return ret;
	r->fd = -1;
	fxt_forget_shapes(r);
	if (o)
		r->o = *o;
	if (!r->o.max_table_bytes)
		r->o.max_table_bytes = DEFAULT_TABLE_BYTES;
	r->window = malloc((size_t)WINDOW_WORDS * FXT_WORD);
	ret = r->window ? fxt_tables_open(r) : -ENOMEM;
	if (!ret)
		ret = fxt_stream_open(&r->stream, fd, data, bytes);
	if (!ret)
		ret = read_magic(r);
	if (ret && ret != -EBADMSG) {
		fxt_reader_close(r);
		*out = NULL;
	}
	return ret;
}

int fxt_reader_open_fd(struct fxt_reader **r, int fd,
		       const struct fxt_reader_options *o)
{
	return open_stream(r, fd, NULL, 0, o);
}

int fxt_reader_open_memory(struct fxt_reader **r, const void *data, size_t bytes,
			   const struct fxt_reader_options *o)
{
	return open_stream(r, -1, data, bytes, o);
}

int fxt_reader_open(struct fxt_reader **r, const char *path,
		    const struct fxt_reader_options *o)
{
	int fd, ret;

	*r = NULL;
	if (!strcmp(path, "-"))
		return fxt_reader_open_fd(r, STDIN_FILENO, o);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fxt_reader_open_fd(r, fd, o);
	if (*r)
		(*r)->fd = fd;
	else
		close(fd);
	return ret;
}

void fxt_reader_close(struct fxt_reader *r)
{
	if (!r)
		return;
	fxt_tables_close(r);
	fxt_stream_close(r->stream);
	if (r->fd >= 0)
		close(r->fd);
	free(r->window);
	free(r);
}
