/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The packed blocks of a page of fxt report --html. */
#ifndef FXT_SELFTESTS_LIB_PAGE_BLOCKS_H
#define FXT_SELFTESTS_LIB_PAGE_BLOCKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PAGE_JSON	(1UL << 20)

/* The caller frees it. */
static inline char *block(const char *page, const char *id)
{
	char mark[64];
	const char *begin, *end;

	snprintf(mark, sizeof(mark), " id=\"%s\">", id);
	begin = strstr(page, mark);
	end = begin ? strstr(begin, "</script>") : NULL;
	return end ? strndup(begin + strlen(mark), end - begin - strlen(mark)) : NULL;
}

/* in place */
static inline size_t decode(char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0, count = 0;
	const char *digit;
	size_t i, n = 0;

	for (i = 0; text[i] && (digit = strchr(digits, text[i])); i++) {
		bits = bits << 6 | (digit - digits);
		count += 6;
		if (count >= 8)
			text[n++] = bits >> (count -= 8);
	}
	return n;
}

/* Unpack a block, of up to @room bytes. Return: its bytes, -1 if it is invalid. */
static inline long unpack(const char *page, const char *id, void *to, unsigned long room)
{
	char *text = block(page, id);
	z_stream z = { .next_out = to, .avail_out = room };
	int ret = Z_DATA_ERROR;

	if (text && inflateInit2(&z, MAX_WBITS + 16) == Z_OK) {
		z.next_in = (void *)text;
		z.avail_in = decode(text);
		ret = inflate(&z, Z_FINISH);
		inflateEnd(&z);
	}
	free(text);
	return ret == Z_STREAM_END ? (long)z.total_out : -1;
}

/* The caller frees it. */
static inline char *json_block(const char *page, const char *id)
{
	char *text = calloc(1, PAGE_JSON + 1);

	if (text && unpack(page, id, text, PAGE_JSON) >= 0)
		return text;
	free(text);
	return NULL;
}

#endif /* FXT_SELFTESTS_LIB_PAGE_BLOCKS_H */
