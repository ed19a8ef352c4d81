// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output.c - see output.h.
 *
 * Invariants: an error stays until output_cut(), and a file is cut only at a mark.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broker.h"
#include "compress.h"
#include "file.h"
#include "output.h"

struct output {
	struct output_file file;
	struct output_thread *thread;	/* NULL for a plain file */
	uint64_t archive;		/* bytes of the archive so far */
	int error;			/* the first one, negative */
	struct output_marks marks;	/* owned by the thread while that runs */
};

static void free_output(struct output *o)
{
	output_thread_close(o->thread);
	free(o);
}

int output_open(struct output **output, const char *path,
		const struct output_options *options, struct error *e)
{
	struct output *o = calloc(1, sizeof(*o));
	int ret = -ENOMEM;

	if (o)
		ret = options->compression == COMPRESSION_NONE ? 0 :
		      output_thread_open(&o->thread, options->compression, options->level,
					 &o->file, &o->marks);
	if (ret)
		fail(e, ret == -EINVAL ? EXIT_USAGE : EXIT_FAILED, ret,
		     ret == -EINVAL ? "cannot compress %s at level %d: zstd has levels 1 to 19, gzip 1 to 9" :
				      "cannot set up the output to %s (compression level %d): out of memory",
		     path, options->level);
	else
		ret = output_file_open(&o->file, path, options, e);
	if (!ret)
		*output = o;
	else if (o)
		free_output(o);
	return ret;
}

int output_write(void *output, const void *data, size_t bytes)
{
	struct output *o = output;

	if (o->error || !bytes)
		return o->error;
	if (o->thread)
		o->error = output_thread_write(o->thread, data, bytes);
	else
		o->error = output_file_write(&o->file, data, bytes);
	if (!o->error)
		o->archive += bytes;
	return o->error;
}

int output_boundary(struct output *o)
{
	if (o->error)
		return o->error;
	if (o->thread)
		o->error = output_thread_boundary(o->thread);
	else
		output_marks_add(&o->marks, o->archive, o->file.bytes);
	return o->error;
}

int output_end(struct output *o)
{
	/* After an error the thread has ended, and the open frame stays as it is. */
	if (!o->error && o->thread)
		o->error = output_thread_finish(o->thread);
	return o->error;
}

int output_close(struct output *o, bool keep)
{
	int known, ret, err;

	if (!o)
		return 0;
	known = o->error;
	ret = output_end(o);
	/*
	 * A caller that keeps the file accepts the error that it knows, but not a new one. Do not
	 * wait for a receiver that cannot get all data.
	 */
	err = output_file_close(&o->file, keep && ret == known && !(ret && o->file.is_socket));
	free_output(o);
	return ret ? ret : err;
}

void output_discard(struct output *o, const char *path)
{
	struct broker *broker;
	char name[PATH_MAX];
	bool is_made, is_part;

	if (!o)
		return;
	broker = o->file.broker;
	is_made = o->file.file.linked;
	is_part = o->file.file.dir >= 0;
	output_close(o, false);
	if (is_made && snprintf(name, sizeof(name), "%s%s", path, is_part ? DIRECT_PART : "") <
		       PATH_MAX)
		broker_remove(broker, name);
}

uint64_t output_bytes(const struct output *o)
{
	return output_file_bytes(&o->file);
}

/* If nothing can be kept, the file stays: a truncated archive is better than none. */
int output_cut(struct output *o, uint64_t archive_bytes, uint64_t *kept)
{
	const struct output_mark *mark;
	int ret;

	if (!o->file.file.regular)
		return -ESPIPE;
	/* The thread has ended: the marks belong to this thread. */
	if (o->thread)
		output_thread_stop(o->thread);
	mark = output_marks_go_back(&o->marks, archive_bytes);
	ret = mark ? output_file_cut(&o->file, mark->file) : -ENODATA;
	if (ret) {
		if (!o->error)
			o->error = ret;
		return ret;
	}
	if (o->thread)
		output_thread_restart(o->thread, mark->archive);
	o->archive = mark->archive;
	o->error = 0;
	*kept = mark->archive;
	return 0;
}

uint64_t output_safe(const struct output *o)
{
	return o->thread ? output_thread_safe(o->thread) : o->file.bytes;
}
