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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "formats/formats.h"

static int rewrite(struct io *io, struct rewrite_copy *fxt, struct pack *p)
{
	bool is_complete;
	int ret, error;

	fxt->f.keeps_refs = true;
	ret = rewrite_open(&fxt->f, pack_write, p);
	if (!ret)
		ret = io_walk(io, NULL, rewrite_copy_record, fxt);
	rewrite_copy_close(fxt);
	error = pack_close(p);
	if (error && !fxt->f.write_error)
		fxt->f.write_error = error;
	is_complete = !ret && !fxt->f.write_error;
	ret = archive_close(&io->a, ret == -ECANCELED ? 0 : ret);
	ret = rewrite_status(&fxt->f, io->a.path, io->output, ret);
	return result_end(&io->result, ret, is_complete);
}

int archive_write(struct io *io)
{
	struct rewrite_copy *f = calloc(1, sizeof(*f));
	struct pack *p;
	int ret;

	if (!f) {
		message("fxt: cannot convert %s: %s\n", io->input, strerror(ENOMEM));
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
