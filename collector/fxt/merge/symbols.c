// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - the functions of programs, in the processes of the result.
 *
 * In:  lines of a BLOB FXT_STR_SYMBOLS (fxt_sched_stack.h). Out: the same lines; those of
 * programs have the koids that their processes get.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "merge.h"

/* Copy a line whose process has another koid now. Return: 0 or an error of merge_koid(). */
static int put_line(struct merge_recording *of, FILE *to, const char *line, size_t length)
{
	uint64_t process = 0;
	size_t i = strlen("u ");
	int ret;

	if (length > i && !memcmp(line, "u ", i)) {
		for (; i < length && isdigit((unsigned char)line[i]) && !(process >> 59); i++)
			process = 10 * process + (line[i] - '0');
		ret = merge_koid(of, &process);
		if (ret)
			return ret;
		fprintf(to, "u %" PRIu64, process);
		line += i;
		length -= i;
	}
	fwrite(line, 1, length, to);
	return 0;
}

int merge_symbols(struct merge *m, struct merge_recording *of, struct fxt_content *c)
{
	const char *at = c->blob.data, *end, *stop;
	size_t size = 0;
	FILE *to;
	int ret = 0;

	if (c->name.known != FXT_STR_SYMBOLS || !c->blob.bytes || c->blob_held != c->blob.bytes)
		return 0;
	end = at + c->blob_held;
	free(m->symbols);
	m->symbols = NULL;
	to = open_memstream(&m->symbols, &size);
	if (!to)
		return -ENOMEM;
	for (; at < end && !ret; at = stop) {
		stop = memchr(at, '\n', end - at);
		stop = stop ? stop + 1 : end;
		ret = put_line(of, to, at, stop - at);
	}
	if (fclose(to) && !ret)
		ret = -ENOMEM;
	c->blob = (struct fxt_bytes){ m->symbols, size };
	c->blob_held = size;
	return ret;
}

/* What threads did before a part: only before the first, and with its ids and times. */
static bool is_before_other(const struct merge *m, const struct merge_recording *of,
			    const struct fxt_content *c)
{
	return fxt_text_is(&c->name, FXT_SCHED_BEFORE) &&
	       (m->recording_count > 1 || of->input != of->first || of->offset);
}

/*
 * Does the record mark for Perfetto the end of threads that shared an id, or has it samples of
 * stacks? These use ids and times of the recording, which change in the result.
 */
static bool is_of_other_ids(const struct merge_recording *of, const struct fxt_content *c)
{
	return c->blob_type == FXT_BLOB_PERFETTO &&
	       (c->name.known == FXT_STR_FORK || c->name.known == FXT_STR_SAMPLES) &&
	       (of->koids || of->is_dense || of->offset);
}

bool merge_keeps_blob(const struct merge *m, const struct merge_recording *of,
		      const struct fxt_content *c)
{
	return c->name.known != FXT_STR_SESSION && !is_of_other_ids(of, c) &&
	       !is_before_other(m, of, c);
}
