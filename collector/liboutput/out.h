/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - fast text output to a file, a terminal or a function.
 *
 * The first error of write(2) is kept and makes every later call do nothing, so that only
 * out_close() needs to be checked.
 */
#ifndef LIBOUTPUT_OUT_H
#define LIBOUTPUT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libfxt/fxt_reader.h"

#define OUT_BYTES	(64U << 10)
#define OUT_NUMBER	24	/* maximum bytes of any number below */
#define OUT_JSON_SAFE	(1ULL << 53)	/* doubles hold all integers up to this */

/* Takes bytes. Return: 0 or a negative errno */
typedef int out_sink(void *arg, const void *data, size_t bytes);

/* Only the functions below touch its members. */
struct out {
	int fd;
	out_sink *sink;		/* instead of @fd, if not NULL */
	void *arg;
	int error;		/* negative errno, 0 if none */
	bool in_html;		/* JSON strings must not end a <script> */
	bool is_shown;		/* a terminal gets it, perhaps through a pager */
	uint64_t written;	/* bytes before those in the buffer */
	size_t used;
	char buffer[OUT_BYTES];
};

/** out_open() - begin to write to @fd, which out_close() closes unless it is standard output */
void out_open(struct out *o, int fd);

/* Hand bytes to @sink, in large pieces. */
void out_open_sink(struct out *o, out_sink *sink, void *arg);

/** out_pages() - standard output is a pipe to a pager, so treat it as a terminal */
void out_pages(void);

/** out_before_stdout() - call @fn before each write to standard output */
void out_before_stdout(void (*fn)(void));

/** out_close() - write the rest. Return: 0, or the first error (negative errno) */
int out_close(struct out *o);

/** out_written() - bytes so far; @o is a struct out, as progress_result() needs it */
uint64_t out_written(void *o);

void out_flush(struct out *o);

void out_bytes_slow(struct out *o, const void *data, size_t bytes);

static inline void out_bytes(struct out *o, const void *data, size_t bytes)
{
	if (bytes > OUT_BYTES - o->used) {
		out_bytes_slow(o, data, bytes);
		return;
	}
	memcpy(o->buffer + o->used, data, bytes);
	o->used += bytes;
}

/* Inline, so that the compiler computes the lengths of literals. */
static inline void out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

static inline void out_char(struct out *o, char c)
{
	out_bytes(o, &c, 1);
}

/*
 * To write several pieces at once, call out_room(), then functions whose names end with _at, each
 * with the end that the previous one returned, then out_put().
 */

/** out_room() - where to write up to @bytes, at most OUT_BYTES */
static inline char *out_room(struct out *o, size_t bytes)
{
	if (bytes > OUT_BYTES - o->used)
		out_flush(o);
	return o->buffer + o->used;
}

/** out_put() - end what began with out_room(); @end is the end of the written bytes */
static inline void out_put(struct out *o, const char *end)
{
	o->used = end - o->buffer;
}

static inline char *out_str_at(char *to, const char *s)
{
	return (char *)memcpy(to, s, strlen(s)) + strlen(s);
}

/* Write a number of at most OUT_NUMBER bytes. Return: its end */
char *out_u64_at(char *to, uint64_t value);
char *out_i64_at(char *to, int64_t value);
char *out_hex_at(char *to, uint64_t value);
/* With leading zeros up to @digits: 1 to 20. */
char *out_u64_wide_at(char *to, uint64_t value, unsigned int digits);
char *out_seconds_at(char *to, uint64_t ns);
char *out_json_u64_at(char *to, uint64_t value);
char *out_micros_at(char *to, uint64_t ns);

/** struct out_growing - numbers whose high digits rarely change; initialize with zeros */
struct out_growing {
	uint64_t high;			/* the unchanged digits of the last number; 0: none */
	size_t bytes;
	char text[OUT_NUMBER];		/* @bytes of it: @high as text */
};

/** out_growing_at() - as out_u64_at(); fast if only the last eight digits change */
char *out_growing_at(char *to, struct out_growing *g, uint64_t value);

/** out_creeping_at() - as out_u64_at(); fast if only the last four digits change */
char *out_creeping_at(char *to, struct out_growing *g, uint64_t value);

/** struct out_last - the last number that was written; initialize with zeros */
struct out_last {
	uint64_t value;
	size_t bytes;
	char text[OUT_NUMBER];		/* @bytes of it; 0 bytes: no number yet */
};

void out_last_keep(struct out_last *l, uint64_t value);

/** out_last_at() - as out_u64_at(); fast for the last number, and for the one after it */
static inline char *out_last_at(char *to, struct out_last *l, uint64_t value)
{
	if (__builtin_expect(value == l->value + 1 && l->bytes && l->text[l->bytes - 1] != '9', 1)) {
		l->value = value;
		l->text[l->bytes - 1]++;
	} else if (value != l->value || !l->bytes) {
		out_last_keep(l, value);
	}
	memcpy(to, l->text, sizeof(l->text));
	return to + l->bytes;
}

void out_u64(struct out *o, uint64_t value);
void out_i64(struct out *o, int64_t value);

/* 0x and lower-case digits, without leading zeros. */
void out_hex(struct out *o, uint64_t value);

/** out_double() - write 15 digits; 16 or 17 if fewer would be read back as another double */
void out_double(struct out *o, double value);

/* ns as microseconds with three decimals: 1234567 becomes 1234.567. */
void out_micros(struct out *o, uint64_t ns);

/* ns as seconds with nine decimals. */
void out_seconds(struct out *o, uint64_t ns);

/* At most 512 bytes; slower than the others. */
void out_printf(struct out *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * JSON (RFC 8259). Only these functions escape strings. Invalid UTF-8 becomes U+FFFD. Characters
 * that fxt_text_shown() rejects (they control a terminal or hide text) become \uNNNN.
 */

/** out_json() - write a string with its quotes */
void out_json(struct out *o, const char *bytes, size_t length);
void out_json_text(struct out *o, const struct fxt_text *text);

/** out_json_value() - write a text that is JSON, and escape in its strings what out_json() would */
void out_json_value(struct out *o, const char *json, size_t length);

/**
 * out_in_html() - from now on, write strings for a <script> of an HTML page. A script ends at the
 * next </script, even within a string, so < becomes \u003c. Characters that fxt_text_shown()
 * rejects become the visible text \xNN; tabs and line ends stay.
 */
void out_in_html(struct out *o);

/** out_json_u64() - write an integer; beyond 2^53 as a string, for JavaScript */
void out_json_u64(struct out *o, uint64_t value);
void out_json_i64(struct out *o, int64_t value);

/** out_json_double() - write a number; NaN and infinities, which JSON lacks, as strings */
void out_json_double(struct out *o, double value);

/** out_json_base64() - write binary data as a base64 string (RFC 4648) */
void out_json_base64(struct out *o, const void *data, size_t bytes);

/** struct out_base64 - binary data that is written piece by piece; initialize with zeros */
struct out_base64 {
	unsigned int bytes;
	unsigned char rest[3];
};

/** out_base64_add() - write the next piece; the caller writes the quotes around all pieces */
void out_base64_add(struct out *o, struct out_base64 *b, const void *data, size_t bytes);

/** out_base64_end() - write what is left of the last piece */
void out_base64_end(struct out *o, struct out_base64 *b);

/**
 * out_safe() - write a string for a terminal or a line of text. The bytes of characters that
 * fxt_text_shown() rejects become \xNN, a backslash \\.
 */
void out_safe(struct out *o, const char *bytes, size_t length);

static inline void out_safe_text(struct out *o, const char *text)
{
	out_safe(o, text, strlen(text));
}

/**
 * out_safe_fit() - as out_safe(), in at most @width columns; a truncated string ends with ~.
 * Return: columns used, at least as many as a terminal will use
 */
unsigned int out_safe_fit(struct out *o, const char *bytes, size_t length, unsigned int width);

/** out_quoted() - as out_safe(), in double quotes; those within become \" */
void out_quoted(struct out *o, const char *bytes, size_t length);

/**
 * out_csv() - write a field of a CSV file (RFC 4180); an empty one becomes ""
 * @is_raw: do not protect spreadsheets from texts that look like formulas
 *
 * Otherwise, ' precedes a text that begins like a formula, so that spreadsheets do not evaluate it,
 * and a text that begins with ', so that removing one ' restores the text. On a terminal, the text
 * is written as by out_safe(), also with @is_raw.
 */
void out_csv(struct out *o, const char *bytes, size_t length, bool is_raw);

#endif /* LIBOUTPUT_OUT_H */
