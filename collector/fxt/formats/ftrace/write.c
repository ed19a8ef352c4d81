// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive's scheduling as a file of ftrace text.
 *
 * In: an archive, in two walks: for the names, then for all the rest.
 * Out: text in the format of /sys/kernel/tracing/trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"
#include "walk/io.h"
#include "format.h"
#include "ftrace.h"
#include "kernel.h"

struct walk {
	struct ftrace *f;
	struct fxt_content content;
};

static int note(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct walk *w = arg;
	int ret;

	if (rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = fxt_reader_content(r, rec, &w->content);
	return ret ? ret : ftrace_note(w->f, &w->content, r, rec);
}

/* The second walk reports damage. */
static int first_walk(struct io *io, struct walk *w)
{
	int ret = io_open(io);

	if (ret != VERB_DONE)
		return ret;
	ret = io_walk(io, NULL, note, w);
	if (ret)
		return archive_close(&io->a, ret);
	archive_drop(&io->a);
	return VERB_DONE;
}

static int second_walk(struct io *io, struct out *o, struct ftrace *f)
{
	int ret, finished;
	uint64_t late;

	ftrace_begin(f, o, NULL);
	ret = io_walk(io, o, ftrace_record, f);
	finished = ftrace_finish(f, &late);
	ftrace_report_late(io->a.path, late);
	ftrace_report_left_out(io->a.path, f);
	return io_close(io, o, ret ? ret : finished);
}

int ftrace_write(struct io *io)
{
	struct walk *w = calloc(1, sizeof(*w));
	struct out *o = malloc(sizeof(*o));
	int ret = VERB_UNREADABLE;

	if (!w || !o || ftrace_open(&w->f, &ftrace_lines, false)) {
		message("fxt: cannot convert %s: %s\n", io->input, strerror(ENOMEM));
		goto out;
	}
	ret = io_rereadable(io);
	if (ret == VERB_DONE)
		ret = first_walk(io, w);
	if (ret == VERB_DONE)
		ret = io_open(io);
	if (ret == VERB_DONE)
		ret = io_create_text(io, o);
	if (ret == VERB_DONE)
		ret = second_walk(io, o, w->f);
out:
	if (w)
		ftrace_close(w->f);
	free(w);
	free(o);
	return ret;
}

bool ftrace_is_ours(int fd)
{
	struct result_ends e;

	return result_read_ends(fd, &e) && result_begins(&e, "# tracer: nop\n#\n#") &&
	       strstr(e.head, " CPU#  flags ");
}
