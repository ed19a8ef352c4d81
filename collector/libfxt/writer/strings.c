// SPDX-License-Identifier: GPL-2.0-or-later
/* strings.c - see strings.h. */
#include <string.h>

#include "strings.h"

void writer_note_string(struct fxt_writer *w, uint16_t index)
{
	w->strings[index / 64] |= 1ULL << (index % 64);
}

void writer_note_provider(struct fxt_writer *w, bool anew)
{
	memset(w->strings, 0, sizeof(w->strings));
	w->is_section = !anew;
}

bool writer_has_string(const struct fxt_writer *w, uint16_t index)
{
	if (!index || w->is_section)
		return index <= FXT_MAX_STRING_INDEX;
	return index <= FXT_MAX_STRING_INDEX && w->strings[index / 64] >> (index % 64) & 1;
}
