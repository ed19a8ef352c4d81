// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - converts an archive to a current and valid one.
 *
 * In: an archive.
 * Out: an archive that a strict reader accepts, with the same records in the same order, as
 * far as they are readable. Strings and threads keep their indices, so that undefined
 * records stay valid, too.
 */
#include <errno.h>

#include "rewrite/rewrite.h"
#include "terminal/memory.h"
#include "walk/io.h"
#include "formats/formats.h"

static int rewrite(struct io *io, struct rewrite_copy *fxt, struct pack *p)
{
	const struct rewrite_walk walk = { rewrite_copy_record, rewrite_copy_hot, fxt };
	int ret, status;

	fxt->f.keeps_refs = true;
	rewrite_open(&fxt->f, p);
	ret = rewrite_walk(&io->a, &walk);
	rewrite_copy_close(fxt);
	status = archive_close(&io->a, ret == -ECANCELED ? 0 : ret);
	status = rewrite_status(&fxt->f, io->a.path, io->output, status);
	return result_end(&io->result, status, !ret && !fxt->f.write_error);
}

int archive_write(struct io *io)
{
	struct rewrite_copy *f = new_zero(struct rewrite_copy);
	struct pack *p;
	int ret = io_open(io);

	if (ret == VERB_DONE)
		ret = io_create_packed(io, &p);
	if (ret == VERB_DONE)
		ret = rewrite(io, f, p);
	free(f);
	return ret;
}
