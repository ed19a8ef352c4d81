// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert.c - an archive's scheduling as a file of ftrace text.
 *
 * What flows in: an archive, walked over twice: for the names, then for all
 * else. What flows out: text as of /sys/kernel/tracing/trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "walk/io.h"
#include "ftrace.h"

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

/* Damage is told by the second walk. */
static int first_walk(struct convert *c, const struct convert_input *in, struct walk *w)
{
	int ret = convert_open(c, in);

	if (ret != VERB_DONE)
		return ret;
	ret = convert_walk(c, NULL, note, w);
	if (ret)
		return archive_close(&c->a, ret);
	archive_drop(&c->a);
	return VERB_DONE;
}

static int second_walk(struct convert *c, struct out *o, struct ftrace *f)
{
	int ret, finished;
	uint64_t late;

	ftrace_begin(f, o);
	ret = convert_walk(c, o, ftrace_record, f);
	finished = ftrace_finish(f, &late);
	convert_late(c, late);
	return convert_close(c, o, ret ? ret : finished);
}

int convert_ftrace(struct convert *c)
{
	struct convert_input in = { .start = -1 };
	struct walk *w = calloc(1, sizeof(*w));
	struct out *o = malloc(sizeof(*o));
	int ret = VERB_UNREADABLE;

	if (!w || !o || ftrace_open(&w->f, false)) {
		fprintf(stderr, "fxt: cannot convert %s: %s\n", c->input, strerror(ENOMEM));
		goto out;
	}
	ret = convert_rereadable(c, &in);
	if (ret == VERB_DONE)
		ret = first_walk(c, &in, w);
	if (ret == VERB_DONE)
		ret = convert_open(c, &in);
	if (ret == VERB_DONE)
		ret = convert_create_text(c, RESULT_FTRACE, o);
	if (ret == VERB_DONE)
		ret = second_walk(c, o, w->f);
out:
	if (w)
		ftrace_close(w->f);
	free(w);
	free(o);
	return ret;
}
