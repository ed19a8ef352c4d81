// SPDX-License-Identifier: GPL-2.0-or-later
/* mapped.c - see mapped.h. */
#include <fxt/fxt_sched_stack.h>

#include "mapped.h"

struct fxt_thread_id mapped_of(uint64_t process)
{
	return (struct fxt_thread_id){ .process = process, .ref = FXT_SCHED_THREAD_MAPPED };
}

int mapped_begin(struct fxt_writer *w, uint64_t process)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_THREAD, .index = FXT_SCHED_THREAD_MAPPED,
		.thread = { .process = process },
	};

	return fxt_writer_record(w, &c);
}
