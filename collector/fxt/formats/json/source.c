// SPDX-License-Identifier: GPL-2.0-or-later
/* source.c - see source.h. */
#include <errno.h>
#include <string.h>

#include "source.h"
#include "value.h"

int json_source_open(struct json_source *s, int fd)
{
	int ret;

	memset(s, 0, offsetof(struct json_source, buffer));
	s->line = 1;
	ret = fxt_stream_open(&s->stream, fd, NULL, 0);
	if (ret)
		return ret;
	s->tokener = json_tokener_new_ex(JSON_VALUE_DEPTH);
	return s->tokener ? 0 : -ENOMEM;
}

void json_source_close(struct json_source *s)
{
	if (s->tokener)
		json_tokener_free(s->tokener);
	fxt_stream_close(s->stream);
}

int json_source_wrong(struct json_source *s, const char *why)
{
	s->error = why;
	return -EBADMSG;
}

int json_source_more(struct json_source *s)
{
	ssize_t n;

	memmove(s->buffer, s->buffer + s->at, s->end - s->at);
	s->base += s->at;
	s->end -= s->at;
	s->at = 0;
	if (s->end == JSON_SOURCE_BYTES)
		return 0;
	n = fxt_stream_read(s->stream, s->buffer + s->end, JSON_SOURCE_BYTES - s->end);
	if (n == -EBADMSG)
		return json_source_wrong(s, fxt_stream_error(s->stream));
	s->end += n > 0 ? n : 0;
	return n < 0 ? n : n > 0;
}

char *json_source_text(struct json_source *s, size_t *bytes)
{
	*bytes = s->end - s->at;
	s->buffer[s->end] = '\0';
	return s->buffer + s->at;
}

int json_source_peek(struct json_source *s)
{
	int ret;

	for (;;) {
		for (; s->at < s->end; s->at++) {
			unsigned char c = s->buffer[s->at];

			s->line += c == '\n';
			if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
				return c ? c : json_source_wrong(s, "zero byte");
		}
		ret = json_source_more(s);
		if (ret <= 0)
			return ret;
	}
}

int json_source_mark(struct json_source *s)
{
	static const char mark[] = "\xef\xbb\xbf";
	int ret = json_source_peek(s);

	while (ret > 0 && s->end - s->at < strlen(mark))
		ret = json_source_more(s);
	if (ret < 0 || s->end - s->at < strlen(mark) ||
	    memcmp(s->buffer + s->at, mark, strlen(mark)))
		return ret < 0 ? ret : 0;
	s->at += strlen(mark);
	return 1;
}

void json_source_consume(struct json_source *s, size_t bytes)
{
	const char *end = s->buffer + s->at + bytes, *newline = s->buffer + s->at;

	while ((newline = memchr(newline, '\n', end - newline))) {
		s->line++;
		newline++;
	}
	s->at += bytes;
}

int json_source_value(struct json_source *s, struct json_object **value)
{
	enum json_tokener_error error;
	size_t bytes = 0;
	int ret;

	json_tokener_reset(s->tokener);
	do {
		if (s->at == s->end) {
			ret = json_source_more(s);
			if (ret < 0)
				return ret;
			/* A number ends where the text does. */
			if (!ret)
				*value = json_tokener_parse_ex(s->tokener, "", 1);
			if (!ret)
				return json_tokener_get_error(s->tokener) == json_tokener_success ?
				       0 : json_source_wrong(s, "the file ends within a value");
		}
		*value = json_tokener_parse_ex(s->tokener, s->buffer + s->at, s->end - s->at);
		error = json_tokener_get_error(s->tokener);
		json_source_consume(s, json_tokener_get_parse_end(s->tokener));
		bytes += json_tokener_get_parse_end(s->tokener);
	} while (error == json_tokener_continue && bytes <= JSON_VALUE_BYTES);
	if (error == json_tokener_continue)
		return json_source_wrong(s, "a value is larger than 64 MiB");
	return error == json_tokener_success ? 0 :
	       json_source_wrong(s, json_tokener_error_desc(error));
}
