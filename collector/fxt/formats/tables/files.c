// SPDX-License-Identifier: GPL-2.0-or-later
/* files.c - an archive as a directory with a file per table. See tables.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "tables.h"

/* Files in the temporary @directory; the first @opened are open. */
struct files {
	const struct table_format *format;
	void *arg;
	const char *directory;
	int opened;
	int error;		/* of writing: negative errno */
	enum table at;		/* table of @error */
	struct out out[TABLE_COUNT];
};

static int fail(struct files *f, enum table table, int error)
{
	if (error && !f->error) {
		f->error = error;
		f->at = table;
	}
	return error;
}

static int row(void *arg, enum table table, const struct table_cell *cells)
{
	struct files *f = arg;

	return fail(f, table, f->format->row(f->arg, table, &f->out[table], cells));
}

static int unwritable(const struct io *io, const struct files *f)
{
	message("fxt: cannot write %s/%s: %s; make room or name another "
		"directory\n", io->output, f->format->names[f->at], strerror(-f->error));
	return VERB_UNWRITABLE;
}

static int open_file(struct files *f, enum table table)
{
	char path[PATH_MAX];
	int fd, n;

	n = snprintf(path, sizeof(path), "%s/%s", f->directory, f->format->names[table]);
	if (n >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	out_open(&f->out[table], fd);
	f->opened++;
	return f->format->begin(f->arg, table, &f->out[table]);
}

static void close_files(struct files *f, bool is_complete)
{
	for (int i = 0; i < f->opened; i++) {
		if (f->format->end)
			fail(f, i, f->format->end(f->arg, i, is_complete && !f->error));
		fail(f, i, out_close(&f->out[i]));
	}
}

static uint64_t written(void *arg)
{
	struct files *f = arg;
	uint64_t bytes = 0;

	for (int i = 0; i < f->opened; i++)
		bytes += out_written(&f->out[i]);
	return bytes;
}

static int convert(struct io *io, struct files *f)
{
	int ret = 0, status;

	for (int i = 0; i < TABLE_COUNT && !f->error; i++)
		fail(f, i, open_file(f, i));
	progress_result(io->output, written, f);
	if (!f->error)
		ret = table_convert(io->a.r, io->a.options.strict, row, f);
	close_files(f, !ret);
	if (f->error) {
		archive_drop(&io->a);
		status = unwritable(io, f);
	} else {
		status = archive_close(&io->a, ret);
	}
	return result_end(&io->result, status, !ret && !f->error);
}

int table_files_convert(struct io *io, const struct table_format *format, void *arg)
{
	struct files *f;
	int ret = io_open(io);

	if (ret)
		return ret;
	f = new_zero(struct files);
	f->format = format;
	f->arg = arg;
	ret = io_create(io, format->names);
	if (!ret) {
		f->directory = io->result.beside.place;
		ret = convert(io, f);
	}
	free(f);
	return ret;
}
