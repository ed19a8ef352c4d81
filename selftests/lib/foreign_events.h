/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as applications write them, by the library's writer. */
#ifndef SELFTESTS_FOREIGN_EVENTS_H
#define SELFTESTS_FOREIGN_EVENTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/fxt_writer.h"

static inline struct fxt_text text_of(const char *s)
{
	return (struct fxt_text){ .bytes = s, .length = strlen(s) };
}

static inline void write_event(struct fxt_writer *w, enum fxt_kind kind, uint64_t time,
			       uint64_t process, uint64_t thread, const char *name, uint64_t id)
{
	struct fxt_content c = {
		.kind = kind, .time = time, .thread = { process, thread, 0 },
		.category = text_of("test"), .name = text_of(name), .id = id,
	};

	if (fxt_writer_record(w, &c))
		abort();
}

#endif /* SELFTESTS_FOREIGN_EVENTS_H */
