// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - see file.h. */
#include <errno.h>
#include <poll.h>

#include "file.h"
#include "output/fail.h"
#include "status.h"

/* Interval of looking for the reader of a pipe: no event announces it. */
#define READER_MS	50

int session_write_failed(struct session *s, int err)
{
	if (err == -EPROTO)
		return fail(s->e, EXIT_FAILED, err,
			    "the source %s returned an invalid chunk; this is a bug, please report it",
			    s->source->ops->name);
	if (err == -ENOMEM)
		return fail(s->e, EXIT_FAILED, err, "out of memory for %s", s->o->output);
	s->write_error = err;
	return output_fail(s->e, s->path, err);
}

int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };
	bool said = s->o->quiet;
	int ret;

	options->broker = s->broker;
	options->end = s->end;
	options->force = s->o->force;
	while ((ret = output_open(out, path, options, s->e)) == -EAGAIN) {
		if (!said)
			status_print("waiting for a reader of the pipe %s", path);
		said = true;
		if (poll(&end, 1, READER_MS))
			return ret;
	}
	if (!ret)
		s->e->text[0] = '\0';
	return ret;
}
