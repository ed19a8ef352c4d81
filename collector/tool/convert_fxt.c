// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert_fxt.c - an archive into a plain, current and sound one.
 *
 * What flows in: an archive. What flows out: one that a strict reader takes, with
 * the same records in the same order, as far as they could be read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert_io.h"
#include "rewrite.h"

/* A section of a provider that has not introduced itself: it does so namelessly. */
static void introduce(struct rewrite *f, const struct fxt_record *rec)
{
	if (f->content.kind != FXT_KIND_PROVIDER_SECTION || rec->provider->known)
		return;
	f->content.kind = FXT_KIND_PROVIDER_INFO;
	f->content.name = (struct fxt_text){ .bytes = "" };
}

static int rewrite_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct rewrite *f = arg;
	int ret = rewrite_take(f, r, rec);

	if (ret <= 0)
		return ret;
	introduce(f, rec);
	return rewrite_put(f, r, rec);
}

static int write_bytes(void *arg, const void *data, size_t bytes)
{
	struct out *o = arg;

	out_bytes(o, data, bytes);
	return o->error;
}

static int rewrite(struct convert *c, struct rewrite *f, struct out *o)
{
	int ret = rewrite_open(f, write_bytes, o);

	if (!ret)
		ret = convert_walk(c, NULL, rewrite_record, f);
	rewrite_close(f);
	ret = convert_close(c, o, ret == -ECANCELED ? 0 : ret);
	return rewrite_status(f, c->a.path, c->output, ret);
}

int convert_fxt(struct convert *c)
{
	struct rewrite *f = calloc(1, sizeof(*f));
	struct out *o = malloc(sizeof(*o));
	int ret = VERB_UNREADABLE;

	if (!f || !o) {
		fprintf(stderr, "fxt: cannot convert %s: %s\n", c->input, strerror(ENOMEM));
		goto out;
	}
	ret = convert_open(c, NULL);
	if (ret == VERB_DONE)
		ret = convert_create(c, o);
	if (ret == VERB_DONE)
		ret = rewrite(c, f, o);
out:
	free(f);
	free(o);
	return ret;
}
