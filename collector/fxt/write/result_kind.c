// SPDX-License-Identifier: GPL-2.0-or-later
/* result_kind.c - recognizes the results of fxt by their content. See result_kind.h. */
#include <sys/stat.h>
#include <unistd.h>

#include "result_kind.h"

const struct result_kind result_archive = { .is_not = "is not an FXT archive" };

bool result_read_ends(int fd, struct result_ends *ends)
{
	struct stat st;
	ssize_t n, m;

	if (fstat(fd, &st))
		return false;
	n = pread(fd, ends->head, RESULT_END_BYTES, 0);
	m = pread(fd, ends->tail, RESULT_END_BYTES,
		  st.st_size > RESULT_END_BYTES ? st.st_size - RESULT_END_BYTES : 0);
	ends->head[n > 0 ? n : 0] = '\0';
	ends->tail[m > 0 ? m : 0] = '\0';
	return n > 0 && m > 0;
}
