// SPDX-License-Identifier: GPL-2.0-or-later
/* copy.c - see copy.h. */
#include <errno.h>

#include "copy.h"

/* A section of a provider that was not introduced: introduce it once, without a name. */
static int introduce(struct rewrite_copy *c, const struct fxt_record *rec)
{
	struct fxt_content *content = &c->f.content;

	if (content->kind != FXT_KIND_PROVIDER_SECTION || rec->provider->known ||
	    koids_get(&c->introduced, content->provider_id, NULL))
		return 0;
	content->kind = FXT_KIND_PROVIDER_INFO;
	content->name = (struct fxt_text){ .bytes = "" };
	return koids_set(&c->introduced, content->provider_id, 0);
}

int rewrite_copy_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct rewrite_copy *c = arg;
	int ret = rewrite_take(&c->f, r, rec);

	if (ret == -ENOTSUP)
		return rewrite_undefined(&c->f, r, rec);
	if (ret <= 0)
		return ret;
	ret = introduce(c, rec);
	return ret ? ret : rewrite_put(&c->f, r, rec);
}

void rewrite_copy_close(struct rewrite_copy *c)
{
	rewrite_close(&c->f);
	koids_free(&c->introduced);
}
