// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert.c - converts an archive to a current and valid one.
 *
 * In: an archive.
 * Out: an archive that a strict reader accepts, with the same records in the same order, as
 * far as they are readable. Strings and threads keep their indices, so that undefined
 * records stay valid, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"
#include "walk/io.h"
#include "walk/koids.h"
#include "convert.h"

/**
 * struct convert_fxt - one conversion
 * @f: the result
 * @introduced: ids of the providers that were introduced in the result
 */
struct convert_fxt {
	struct rewrite f;
	struct koids introduced;
};

/* A section of a provider that was not introduced: introduce it once, without a name. */
static int introduce(struct convert_fxt *c, const struct fxt_record *rec)
{
	struct fxt_content *content = &c->f.content;

	if (content->kind != FXT_KIND_PROVIDER_SECTION || rec->provider->known ||
	    koids_get(&c->introduced, content->provider_id, NULL))
		return 0;
	content->kind = FXT_KIND_PROVIDER_INFO;
	content->name = (struct fxt_text){ .bytes = "" };
	return koids_set(&c->introduced, content->provider_id, 0);
}

static int rewrite_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct convert_fxt *c = arg;
	int ret = rewrite_take(&c->f, r, rec);

	if (ret == -ENOTSUP)
		return rewrite_undefined(&c->f, r, rec);
	if (ret <= 0)
		return ret;
	ret = introduce(c, rec);
	return ret ? ret : rewrite_put(&c->f, r, rec);
}

static int rewrite(struct io *io, struct convert_fxt *fxt, struct pack *p)
{
	bool is_complete;
	int ret, error;

	fxt->f.keeps_refs = true;
	ret = rewrite_open(&fxt->f, pack_write, p);
	if (!ret)
		ret = io_walk(io, NULL, rewrite_record, fxt);
	rewrite_close(&fxt->f);
	koids_free(&fxt->introduced);
	error = pack_close(p);
	if (error && !fxt->f.write_error)
		fxt->f.write_error = error;
	is_complete = !ret && !fxt->f.write_error;
	ret = archive_close(&io->a, ret == -ECANCELED ? 0 : ret);
	ret = rewrite_status(&fxt->f, io->a.path, io->output, ret);
	return result_end(&io->result, ret, is_complete);
}

int convert_fxt(struct io *io)
{
	struct convert_fxt *f = calloc(1, sizeof(*f));
	struct pack *p;
	int ret;

	if (!f) {
		fprintf(stderr, "fxt: cannot convert %s: %s\n", io->input, strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	ret = io_open(io);
	if (ret == VERB_DONE)
		ret = io_create_packed(io, &p);
	if (ret == VERB_DONE)
		ret = rewrite(io, f, p);
	free(f);
	return ret;
}
