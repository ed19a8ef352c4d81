// SPDX-License-Identifier: GPL-2.0-or-later
/* own.c - see own.h. */
#include <byteswap.h>
#include <string.h>

#include <fxt/fxt.h>

#include "own.h"
#include "stream.h"

/* Decompressed data may come in pieces that are shorter than a word. */
static bool read_word(struct fxt_stream *s, uint64_t *word)
{
	size_t held = 0;
	ssize_t n = 1;

	while (n > 0 && held < sizeof(*word)) {
		n = fxt_stream_read(s, (char *)word + held, sizeof(*word) - held);
		held += n > 0 ? n : 0;
	}
	return held == sizeof(*word);
}

bool fxt_own_archive(int fd)
{
	struct fxt_stream *s;
	uint64_t word;
	bool is_one;

	if (fxt_stream_open(&s, fd, NULL, 0))
		return false;
	is_one = read_word(s, &word) &&
		 (word == FXT_MAGIC_RECORD || word == bswap_64(FXT_MAGIC_RECORD));
	fxt_stream_close(s);
	return is_one;
}

bool fxt_own_descriptor(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}
