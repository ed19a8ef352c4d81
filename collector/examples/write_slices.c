// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write_slices.c - writes an archive with a thread that works ten times for 1 ms, with libfxt.
 * cc write_slices.c $(pkg-config --cflags --libs fxt); ./a.out > x.fxt
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_writer.h>

/* Indices that this program chooses for its strings. */
enum { PROCESS = 1, CATEGORY, WORK, ROUND };

#define KOID_PROCESS	1000
#define KOID_THREAD	1001
#define MS		1000000		/* ns */

int main(void)
{
	struct fxt_slice slice = {
		.process = KOID_PROCESS, .thread = KOID_THREAD,
		.category = CATEGORY, .name = WORK, .arg_name = ROUND,
	};
	struct fxt_writer *w;
	int ret;

	ret = fxt_writer_open(&w, STDOUT_FILENO);
	if (ret) {
		fprintf(stderr, "cannot write: %s\n", strerror(-ret));
		return 1;
	}
	fxt_writer_magic(w);
	fxt_writer_provider(w, 1, "example");
	fxt_writer_initialization(w, 1000000000);	/* ticks are ns */
	fxt_writer_string(w, PROCESS, "process");
	fxt_writer_string(w, CATEGORY, "example");
	fxt_writer_string(w, WORK, "work");
	fxt_writer_string(w, ROUND, "round");
	fxt_writer_process(w, KOID_PROCESS, "program");
	fxt_writer_thread(w, KOID_THREAD, KOID_PROCESS, PROCESS, "worker");
	for (slice.arg = 0; slice.arg < 10; slice.arg++) {
		slice.start = (uint64_t)slice.arg * 2 * MS;
		slice.end = slice.start + MS;
		fxt_writer_slice(w, &slice);
	}
	/* The first error of any call above is also returned here. */
	ret = fxt_writer_close(w);
	if (ret)
		fprintf(stderr, "cannot write: %s\n", strerror(-ret));
	return ret != 0;
}
