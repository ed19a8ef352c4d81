// SPDX-License-Identifier: GPL-2.0-or-later
/* earliest.c - see earliest.h. */
#include <unistd.h>

#include "io.h"
#include "earliest.h"

static int note_time(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	uint64_t *first = arg, ns;

	if (filter_event_time(r, rec, &ns) && ns < *first)
		*first = ns;
	return 0;
}

int earliest_limits(const char *verb, const struct archive *how, const char **path,
		    struct filter *f)
{
	struct io io = { .a = *how, .input = *path };
	uint64_t first = UINT64_MAX;
	int status, ret;

	if (!filter_is_relative(f))
		return VERB_DONE;
	status = io_rereadable(&io);
	if (!status)
		status = io_open(&io);
	if (status)
		return status;
	ret = io_walk(&io, NULL, note_time, &first);
	/* The later walk, over all records, reports deviations. */
	if (ret && ret != -EBADMSG)
		return archive_close(&io.a, ret);
	archive_drop(&io.a);
	filter_begin(f, first == UINT64_MAX ? 0 : first);
	if (io.rewinds)
		lseek(STDIN_FILENO, io.start, SEEK_SET);
	*path = io.input;
	if (filter_is_backwards(f))
		return archive_usage(verb, "--to", FILTER_BACKWARDS);
	return VERB_DONE;
}
