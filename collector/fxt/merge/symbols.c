// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - maps the functions of programs to the processes of the result. See merge.h.
 *
 * In: lines of a BLOB FXT_STR_SYMBOLS (fxt_sched_stack.h).
 * Out: the same lines; those of processes have the mapped koids of their processes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "merge.h"

/* Copy a line, with the koid of its process mapped. */
static void put_line(struct merge_recording *of, FILE *to, const char *line, size_t length)
{
	uint64_t process = 0;
	size_t i = strlen("u ");

	if (length > i && (line[0] == 'u' || line[0] == 'x') && line[1] == ' ') {
		for (; i < length && isdigit((unsigned char)line[i]) && !(process >> 59); i++)
			process = 10 * process + (line[i] - '0');
		merge_koid(of, &process);
		fprintf(to, "%c %" PRIu64, *line, process);
		line += i;
		length -= i;
	}
	fwrite(line, 1, length, to);
}

void merge_symbols(struct merge *m, struct merge_recording *of, struct fxt_content *c)
{
	const char *at = c->blob.data, *end, *stop;
	size_t size = 0;
	FILE *to;

	if (c->name.known != FXT_STR_SYMBOLS || !c->blob.bytes || c->blob_held != c->blob.bytes)
		return;
	end = at + c->blob_held;
	free(m->symbols);
	m->symbols = NULL;
	to = must(open_memstream(&m->symbols, &size));
	for (; at < end; at = stop) {
		stop = memchr(at, '\n', end - at);
		stop = stop ? stop + 1 : end;
		put_line(of, to, at, stop - at);
	}
	must_fit(fclose(to));
	c->blob = (struct fxt_bytes){ m->symbols, size };
	c->blob_held = size;
}
