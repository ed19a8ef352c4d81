/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - JSON, one value at a time.
 *
 * In: bytes, plain or compressed.
 * Out: values; the punctuation between them is the caller's, so that an array or object of
 * any length takes no more memory than its largest element.
 */
#ifndef FXT_FORMATS_JSON_SOURCE_H
#define FXT_FORMATS_JSON_SOURCE_H

#include <stdint.h>

#include <json-c/json.h>

#include "libfxt/stream.h"

#define JSON_SOURCE_BYTES	(256U << 10)
#define JSON_VALUE_BYTES	(64U << 20)	/* limit of one value */

/**
 * struct json_source - a JSON text that is being read
 * @base: offset of the buffer in the text
 * @line: of the next byte, from 1
 * @error: what is wrong, after -EBADMSG
 */
struct json_source {
	struct fxt_stream *stream;
	struct json_tokener *tokener;
	uint64_t base;
	uint64_t line;
	size_t at;
	size_t end;
	const char *error;
	char buffer[JSON_SOURCE_BYTES + 1];
};

/** json_source_open() - read from @fd, which the caller still owns. Return: 0 or an errno */
int json_source_open(struct json_source *s, int fd);

void json_source_close(struct json_source *s);

/** json_source_peek() - the next byte that is no white space. Return: it, 0 at the end, or an errno */
int json_source_peek(struct json_source *s);

/** json_source_mark() - skip a byte order mark at the beginning. Return: 1, 0, or an errno */
int json_source_mark(struct json_source *s);

/** json_source_skip() - skip the byte that json_source_peek() found */
static inline void json_source_skip(struct json_source *s)
{
	s->at++;
}

/** json_source_wrong() - report bad input. Return: -EBADMSG */
int json_source_wrong(struct json_source *s, const char *why);

/**
 * json_source_value() - read the next value
 * @s: the source
 * @value: set to it; json_object_put() frees it. NULL is null
 *
 * Return: 0; -EBADMSG; -ENOMEM; an errno of read(2).
 */
int json_source_value(struct json_source *s, struct json_object **value);

/**
 * json_source_text() - the bytes that have been read, with a zero byte behind them
 * @s: the source
 * @bytes: set to their number
 */
char *json_source_text(struct json_source *s, size_t *bytes);

/** json_source_more() - read more behind them. Return: 1; 0 at the end, or without room; an error */
int json_source_more(struct json_source *s);

/** json_source_consume() - skip bytes that have been read */
void json_source_consume(struct json_source *s, size_t bytes);

/** json_source_offset() - of the next byte */
static inline uint64_t json_source_offset(const struct json_source *s)
{
	return s->base + s->at;
}

#endif /* FXT_FORMATS_JSON_SOURCE_H */
