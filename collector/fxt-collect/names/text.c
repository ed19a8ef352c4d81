// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - see text.h. */
#include <stdint.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "text.h"

/* Length of the character at the head of @s if it is printable, else 0. */
static uint32_t shown_length(const unsigned char *s, size_t bytes)
{
	uint32_t length = fxt_utf8_length(s, bytes);

	if (length == 1 && (s[0] < 0x20 || s[0] == 0x7f))
		return 0;
	/* U+0080 to U+009F */
	if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0)
		return 0;
	return length;
}

void clean_text(char *to, size_t room, const char *from, size_t bytes)
{
	const unsigned char *s = (const unsigned char *)from;
	size_t used = 0, i, n;
	uint32_t length;

	for (i = 0; i < bytes; i += n) {
		length = shown_length(s + i, bytes - i);
		n = length ? length : 1;
		if (used + n >= room)
			break;
		if (length)
			memcpy(to + used, s + i, n);
		else
			to[used] = '?';
		used += n;
	}
	to[used] = '\0';
}
