// SPDX-License-Identifier: GPL-2.0-or-later
/* marks.c - see marks.h. */
#include "marks.h"

void output_marks_add(struct output_marks *m, uint64_t archive, uint64_t file)
{
	size_t i;

	if (m->count && m->marks[m->count - 1].archive == archive)
		return;
	if (m->count == OUTPUT_MARKS) {
		m->count /= 2;
		for (i = 0; i < m->count; i++)
			m->marks[i] = m->marks[2 * i + 1];
	}
	m->marks[m->count++] = (struct output_mark){ archive, file };
}

const struct output_mark *output_marks_go_back(struct output_marks *m, uint64_t archive)
{
	while (m->count && m->marks[m->count - 1].archive > archive)
		m->count--;
	return m->count ? &m->marks[m->count - 1] : NULL;
}
