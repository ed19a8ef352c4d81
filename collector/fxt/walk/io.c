// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io.c - what conversions do alike. The API is io.h.
 *
 * What must hold: the archive stays as it was, whatever the command line says,
 * and a result that was not written whole never ends in an exit status of 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"

#define SPOOL_BYTES	(64U << 10)

static bool is_stdin(const char *path)
{
	return !strcmp(path, "-");
}

/* Everything from @from on into @to. Return: 0 or a negative errno. */
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

/* Let a temporary copy of @fd take the place of standard input. */
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

int convert_rereadable(struct convert *c, struct convert_input *in)
{
	int fd = STDIN_FILENO, ret;
	struct stat st;

	in->start = -1;
	if (!is_stdin(c->input))
		fd = open(c->input, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return VERB_DONE;	/* convert_open() will say why */
	ret = fstat(fd, &st) ? -errno : 0;
	if (!ret && S_ISREG(st.st_mode)) {
		if (is_stdin(c->input))
			in->start = lseek(fd, 0, SEEK_CUR);
	} else if (!ret) {
		ret = spool(fd);
		in->start = 0;
	}
	if (fd > STDIN_FILENO)
		close(fd);
	if (ret) {
		fprintf(stderr, "fxt: cannot put %s into a temporary file, to read it twice: %s\n",
			c->input, strerror(-ret));
		return VERB_UNREADABLE;
	}
	if (in->start >= 0)
		c->input = "-";
	return VERB_DONE;
}

int convert_open(struct convert *c, const struct convert_input *in)
{
	/* A failure shows in the first read. */
	if (in && in->start >= 0)
		lseek(STDIN_FILENO, in->start, SEEK_SET);
	return archive_open(&c->a, c->input);
}

int convert_create(struct convert *c, enum result_kind kind)
{
	int ret;

	if (archive_is_same(c->input, c->output)) {
		archive_drop(&c->a);
		fprintf(stderr, "fxt: convert: %s is the archive itself; give -o another file\n",
			c->output);
		return VERB_USAGE;
	}
	ret = result_open(&c->result, c->output, kind);
	if (ret)
		archive_drop(&c->a);
	return ret;
}

int convert_create_text(struct convert *c, enum result_kind kind, struct out *o)
{
	int ret = convert_create(c, kind);

	if (ret)
		return ret;
	out_open(o, c->result.fd);
	progress_result(c->output ? c->output : "standard output", out_written, o);
	return VERB_DONE;
}

int convert_create_packed(struct convert *c, struct pack **p)
{
	int ret = convert_create(c, RESULT_ARCHIVE);

	if (ret)
		return ret;
	ret = pack_open(p, c->output, c->result.fd);
	if (!ret)
		return VERB_DONE;
	archive_drop(&c->a);
	fprintf(stderr, "fxt: cannot write %s: %s\n",
		c->output ? c->output : "standard output", strerror(-ret));
	return result_end(&c->result, VERB_UNWRITABLE, false);
}

int convert_walk(struct convert *c, const struct out *o,
		 int (*record)(void *arg, struct fxt_reader *r,
			       const struct fxt_record *rec), void *arg)
{
	struct fxt_record rec;
	int ret;

	while ((ret = fxt_reader_next(c->a.r, &rec)) > 0 && !(o && o->error)) {
		ret = record(arg, c->a.r, &rec);
		if (ret == -ENOTSUP || (ret == -EBADMSG && !c->a.options.strict))
			ret = 0;
		if (ret)
			return ret;
	}
	return ret > 0 ? 0 : ret;
}

void convert_late(const struct convert *c, uint64_t late)
{
	if (late)
		fprintf(stderr, "fxt: %s: %" PRIu64 " events stand so late in the archive that their lines are not in the order of time; sort the lines by it\n",
			c->a.path, late);
}

int convert_close(struct convert *c, struct out *o, int ret)
{
	int written = out_close(o);
	int status = archive_close(&c->a, ret);

	if (written) {
		fprintf(stderr, "fxt: cannot write %s: %s\n",
			c->output ? c->output : "standard output", strerror(-written));
		status = VERB_UNWRITABLE;
	}
	return result_end(&c->result, status, !written && !ret);
}
