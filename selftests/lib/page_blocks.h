/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_blocks.h - the packed blocks of a page of fxt report --html. */
#ifndef FXT_SELFTESTS_LIB_PAGE_BLOCKS_H
#define FXT_SELFTESTS_LIB_PAGE_BLOCKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PAGE_JSON	(1UL << 20)

/* The content of a block of the page; NULL if there is none. The caller frees it. */
static inline char *block(const char *page, const char *id)
{
	char mark[64];
	const char *begin, *end;

	snprintf(mark, sizeof(mark), " id=\"%s\">", id);
	begin = strstr(page, mark);
	end = begin ? strstr(begin, "</script>") : NULL;
	return end ? strndup(begin + strlen(mark), end - begin - strlen(mark)) : NULL;
}

static inline uint32_t digit(char c)
{
	static const char digits[] =
		"!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz"
		"{|}~";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? at - digits : 1U << 13;
}

/* Unpack a block, of up to @room bytes. Return: its bytes, -1 if it is invalid. */
static inline long unpack(const char *page, const char *id, void *to, unsigned long room)
{
	char *text = block(page, id);
	size_t i, n = 0, length = text ? strlen(text) : 0;
	unsigned char *packed = malloc(length + 1);
	uint32_t bits = 0, count = 0;
	int ret;

	for (i = 0; i < length; i += 2) {
		bits |= (i + 1 < length ? digit(text[i]) * 91 + digit(text[i + 1]) :
					  digit(text[i])) << count;
		count += i + 1 < length ? 13 : 6;
		for (; count >= 8; count -= 8, bits >>= 8)
			packed[n++] = bits;
	}
	ret = n ? uncompress(to, &room, packed, n) : Z_DATA_ERROR;
	free(packed);
	free(text);
	return ret == Z_OK ? (long)room : -1;
}

/* The JSON of a packed block; NULL if there is none. The caller frees it. */
static inline char *json_block(const char *page, const char *id)
{
	char *text = calloc(1, PAGE_JSON + 1);

	if (text && unpack(page, id, text, PAGE_JSON) >= 0)
		return text;
	free(text);
	return NULL;
}

#endif /* FXT_SELFTESTS_LIB_PAGE_BLOCKS_H */
