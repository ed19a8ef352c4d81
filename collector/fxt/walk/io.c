// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io.c - see io.h.
 *
 * Must hold: no command line overwrites the archive, and an incomplete result never leads to exit
 * status 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/message.h"
#include "io.h"

#define SPOOL_BYTES	(64U << 10)

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

/* Copy the rest of @from. Returns 0 or a negative errno. */
static int copy_all(int from, int to)
{
	char buffer[SPOOL_BYTES];
	ssize_t n, done, m;

	for (;;) {
		n = read(from, buffer, sizeof(buffer));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : 0;
		for (done = 0; done < n; done += m) {
			m = write(to, buffer + done, n - done);
			if (m < 0 && errno == EINTR)
				m = 0;
			if (m < 0)
				return -errno;
		}
	}
}

/* Replace standard input by a temporary copy of @fd. */
static int spool(int fd)
{
	FILE *copy = tmpfile();
	int ret;

	if (!copy)
		return -errno;
	ret = copy_all(fd, fileno(copy));
	if (!ret && dup2(fileno(copy), STDIN_FILENO) < 0)
		ret = -errno;
	fclose(copy);
	return ret;
}

int io_rereadable(struct io *io)
{
	int fd = STDIN_FILENO, ret;
	struct stat st;

	if (!is_stdin(io->input))
		fd = open(io->input, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return VERB_DONE;	/* io_open() will report the error */
	ret = fstat(fd, &st) ? -errno : 0;
	if (!ret && S_ISREG(st.st_mode)) {
		io->rewinds = is_stdin(io->input);
		if (io->rewinds)
			io->start = lseek(fd, 0, SEEK_CUR);
	} else if (!ret) {
		ret = spool(fd);
		io->rewinds = !ret;
	}
	if (fd > STDIN_FILENO)
		close(fd);
	if (ret) {
		message("fxt: cannot copy %s to a temporary file, to read it twice: %s\n",
			io->input, strerror(-ret));
		return VERB_UNREADABLE;
	}
	if (io->rewinds)
		io->input = "-";
	return VERB_DONE;
}

int io_open(struct io *io)
{
	/* The first read will report a failure. */
	if (io->rewinds)
		lseek(STDIN_FILENO, io->start, SEEK_SET);
	return archive_open(&io->a, io->input);
}

int io_create(struct io *io, const char *const *files)
{
	int ret;

	if (archive_is_same(io->input, io->output)) {
		archive_drop(&io->a);
		message("fxt: convert: %s is the archive itself; name another output file\n",
			io->output);
		return VERB_USAGE;
	}
	ret = files ? result_open_directory(&io->result, io->output, io->kind, io->root, files) :
		      result_open(&io->result, io->output, io->kind);
	if (ret)
		archive_drop(&io->a);
	return ret;
}

int io_create_text(struct io *io, struct out *o)
{
	int ret = io_create(io, NULL);

	if (ret)
		return ret;
	out_open(o, io->result.fd);
	progress_result(io->output ? io->output : "standard output", out_written, o);
	return VERB_DONE;
}

int io_create_packed(struct io *io, struct pack **p)
{
	int ret = io_create(io, NULL);

	if (!ret)
		*p = pack_open(io->output, io->result.fd);
	return ret;
}

int io_walk(struct io *io, const struct out *o,
	    int (*record)(void *arg, struct fxt_reader *r, const struct fxt_record *rec),
	    void *arg)
{
	struct fxt_record rec;
	int ret;

	while ((ret = fxt_reader_next(io->a.r, &rec)) > 0 && !(o && o->error)) {
		ret = record(arg, io->a.r, &rec);
		if (ret == -ENOTSUP || (ret == -EBADMSG && !io->a.options.strict))
			ret = 0;
		if (ret)
			return ret;
	}
	return ret > 0 ? 0 : ret;
}

int io_close(struct io *io, struct out *o, int ret)
{
	int written = out_close(o);
	int status = archive_close(&io->a, ret);

	if (written) {
		message("fxt: cannot write %s: %s\n",
			io->output && strcmp(io->output, "-") ? io->output : "standard output",
			strerror(-written));
		status = VERB_UNWRITABLE;
	}
	return result_end(&io->result, status, !written && !ret);
}

/* --- the earliest time stamp --- */

static int note_time(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	uint64_t *first = arg, ns;

	if (filter_event_time(r, rec, &ns) && ns < *first)
		*first = ns;
	return 0;
}

int earliest_limits(const char *verb, const struct archive *how, const char **path,
		    struct filter *f)
{
	struct io io = { .a = *how, .input = *path };
	uint64_t first = UINT64_MAX;
	int status, ret;

	if (!filter_is_relative(f))
		return VERB_DONE;
	status = io_rereadable(&io);
	if (!status)
		status = io_open(&io);
	if (status)
		return status;
	ret = io_walk(&io, NULL, note_time, &first);
	/* The later walk over all records reports deviations. */
	if (ret && ret != -EBADMSG)
		return archive_close(&io.a, ret);
	archive_drop(&io.a);
	filter_begin(f, first == UINT64_MAX ? 0 : first);
	if (io.rewinds)
		lseek(STDIN_FILENO, io.start, SEEK_SET);
	*path = io.input;
	if (filter_is_backwards(f))
		return archive_usage(verb, "--to", FILTER_BACKWARDS);
	return VERB_DONE;
}

void limits_warn(const char *path, const struct filter *f, uint64_t first)
{
	if (f->from.set && f->from.ns && f->from.ns < first)
		message("fxt: %s: --from is %.3f s before the first event, so it excludes nothing; --from +TIME counts from the first event\n",
			path, (first - f->from.ns) / 1e9);
}
