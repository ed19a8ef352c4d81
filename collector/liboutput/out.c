// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * out.c - see out.h.
 *
 * Must hold: for strings of any bytes, JSON is valid JSON in valid UTF-8, and a line of text is one
 * line without control sequences for a terminal.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "out.h"

#define OUT_PRINTF	512

static void (*before_stdout)(void);

void out_before_stdout(void (*fn)(void))
{
	before_stdout = fn;
}

static bool stdout_is_shown;

void out_pages(void)
{
	stdout_is_shown = true;
}

void out_open(struct out *o, int fd)
{
	o->fd = fd;
	o->sink = NULL;
	o->error = 0;
	o->used = 0;
	o->written = 0;
	o->in_html = false;
	o->is_shown = isatty(fd) || (fd == STDOUT_FILENO && stdout_is_shown);
}

void out_open_sink(struct out *o, out_sink *sink, void *arg)
{
	out_open(o, -1);
	o->sink = sink;
	o->arg = arg;
}

static void write_all(struct out *o, const char *data, size_t bytes)
{
	ssize_t n;

	if (o->sink) {
		o->error = o->error ? o->error : o->sink(o->arg, data, bytes);
		o->written += bytes;
		return;
	}
	if (o->fd == STDOUT_FILENO && before_stdout)
		before_stdout();
	while (bytes && !o->error) {
		n = write(o->fd, data, bytes);
		if (n > 0) {
			data += n;
			bytes -= n;
			o->written += n;
		} else if (!n) {
			o->error = -EIO;
		} else if (errno != EINTR) {
			o->error = -errno;
		}
	}
}

uint64_t out_written(void *arg)
{
	const struct out *o = arg;

	return o->written + o->used;
}

void out_flush(struct out *o)
{
	write_all(o, o->buffer, o->used);
	o->used = 0;
}

int out_close(struct out *o)
{
	out_flush(o);
	/* Some file systems report only here that they could not store the data. */
	if (!o->sink && o->fd != STDOUT_FILENO && close(o->fd) && !o->error)
		o->error = -errno;
	o->fd = -1;
	return o->error;
}

void out_bytes_slow(struct out *o, const void *data, size_t bytes)
{
	out_flush(o);
	if (bytes > OUT_BYTES) {
		write_all(o, data, bytes);
		return;
	}
	memcpy(o->buffer, data, bytes);
	o->used = bytes;
}

/* --- numbers -------------------------------------------------------------- */

static const char digit_pairs[] =
	"00010203040506070809" "10111213141516171819"
	"20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";

static char *put_pair(char *p, uint32_t value)
{
	memcpy(p, digit_pairs + 2 * value, 2);
	return p + 2;
}

/* Write exactly eight digits. A CPU can compute the two halves in parallel. */
static char *put_8(char *p, uint32_t value)
{
	uint32_t high = value / 10000, low = value % 10000;

	put_pair(p, high / 100);
	put_pair(p + 2, high % 100);
	put_pair(p + 4, low / 100);
	return put_pair(p + 6, low % 100);
}

/* Write a number below 100 without leading zeros. */
static char *put_tiny(char *p, uint32_t value)
{
	if (value >= 10)
		return put_pair(p, value);
	*p = '0' + value;
	return p + 1;
}

/* Write a number below 10^8. Moving digits would cost as much as writing them. */
static char *put_small(char *p, uint32_t value)
{
	if (value >= 1000000) {
		p = put_tiny(p, value / 1000000);
		p = put_pair(p, value / 10000 % 100);
	} else if (value >= 10000) {
		p = put_tiny(p, value / 10000);
	} else if (value < 100) {
		return put_tiny(p, value);
	} else {
		p = put_tiny(p, value / 100);
		return put_pair(p, value % 100);
	}
	value %= 10000;
	p = put_pair(p, value / 100);
	return put_pair(p, value % 100);
}

char *out_u64_at(char *p, uint64_t value)
{
	uint64_t high;

	if (value < 100000000)
		return put_small(p, value);
	high = value / 100000000;
	if (high < 100000000) {
		p = put_small(p, high);
	} else {
		p = put_small(p, high / 100000000);
		p = put_8(p, high % 100000000);
	}
	return put_8(p, value % 100000000);
}

/* Write the digits before those that change. */
static inline char *put_high(char *to, struct out_growing *g, uint64_t high)
{
	if (__builtin_expect(high != g->high, 0)) {
		g->high = high;
		g->bytes = out_u64_at(g->text, high) - g->text;
	}
	memcpy(to, g->text, sizeof(g->text));
	return to + g->bytes;
}

char *out_growing_at(char *to, struct out_growing *g, uint64_t value)
{
	uint64_t high = value / 100000000;

	return high ? put_8(put_high(to, g, high), value % 100000000) : put_small(to, value);
}

char *out_creeping_at(char *to, struct out_growing *g, uint64_t value)
{
	uint64_t high = value / 10000;
	uint32_t low = value % 10000;

	if (!high)
		return put_small(to, value);
	to = put_pair(put_high(to, g, high), low / 100);
	return put_pair(to, low % 100);
}

void out_last_keep(struct out_last *l, uint64_t value)
{
	l->value = value;
	l->bytes = out_u64_at(l->text, value) - l->text;
}

void out_u64(struct out *o, uint64_t value)
{
	out_put(o, out_u64_at(out_room(o, OUT_NUMBER), value));
}

char *out_u64_wide_at(char *p, uint64_t value, unsigned int digits)
{
	uint64_t least = 1;

	while (--digits)
		least *= 10;
	for (; value < least && least > 1; least /= 10)
		*p++ = '0';
	return out_u64_at(p, value);
}

char *out_i64_at(char *p, int64_t value)
{
	if (value < 0)
		*p++ = '-';
	return out_u64_at(p, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void out_i64(struct out *o, int64_t value)
{
	out_put(o, out_i64_at(out_room(o, OUT_NUMBER), value));
}

char *out_hex_at(char *p, uint64_t value)
{
	int digits = value ? (67 - __builtin_clzll(value)) / 4 : 1;

	*p++ = '0';
	*p++ = 'x';
	while (digits--)
		*p++ = "0123456789abcdef"[value >> (4 * digits) & 15];
	return p;
}

void out_hex(struct out *o, uint64_t value)
{
	out_put(o, out_hex_at(out_room(o, OUT_NUMBER), value));
}

void out_double(struct out *o, double value)
{
	char text[32];
	int precision, n = 0;

	if (isnan(value)) {
		out_str(o, "nan");
		return;
	}
	for (precision = 15; precision <= 17; precision++) {
		n = snprintf(text, sizeof(text), "%.*g", precision, value);
		if (isinf(value) || strtod(text, NULL) == value)
			break;
	}
	out_bytes(o, text, n);
	/* A reader that distinguishes integers from doubles must see a double. */
	if (!isinf(value) && !strpbrk(text, ".e"))
		out_str(o, ".0");
}

char *out_micros_at(char *p, uint64_t ns)
{
	uint32_t rest = ns % 1000;

	p = out_u64_at(p, ns / 1000);
	*p++ = '.';
	*p++ = '0' + rest / 100;
	return put_pair(p, rest % 100);
}

void out_micros(struct out *o, uint64_t ns)
{
	out_put(o, out_micros_at(out_room(o, OUT_NUMBER), ns));
}

char *out_seconds_at(char *p, uint64_t ns)
{
	uint32_t rest = ns % 1000000000;

	p = out_u64_at(p, ns / 1000000000);
	*p++ = '.';
	*p++ = '0' + rest / 100000000;
	return put_8(p, rest % 100000000);
}

void out_seconds(struct out *o, uint64_t ns)
{
	out_put(o, out_seconds_at(out_room(o, OUT_NUMBER), ns));
}

void out_printf(struct out *o, const char *format, ...)
{
	char text[OUT_PRINTF + 1];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n > 0)
		out_bytes(o, text, n < OUT_PRINTF ? n : OUT_PRINTF);
}

/* --- JSON ------------------------------------------------------------------ */

#define PLAIN	0
#define CONTROL	1	/* no short form */
#define HIGH	2	/* may begin a UTF-8 sequence of several bytes */
#define TAG	3	/* begins a tag, in HTML */

/* For each byte, the character after the backslash, or one of the above. */
static const char json_class[256] = {
	[0x00 ... 0x07] = CONTROL, [0x0b] = CONTROL, [0x0e ... 0x1f] = CONTROL, [0x7f] = CONTROL,
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
	['"'] = '"', ['\\'] = '\\', ['<'] = TAG,
	[0x80 ... 0xff] = HIGH,
};

/*
 * Write a character that controls a terminal or changes how the text around it is shown. In HTML,
 * its bytes become \xNN, as in text; otherwise, it becomes an escape, which parsers decode.
 */
static void json_not_shown(struct out *o, const unsigned char *s, uint32_t n)
{
	uint32_t c = n == 1 ? *s : fxt_utf8_character(s, n), i;

	for (i = 0; o->in_html && i < n; i++)
		out_printf(o, "\\\\x%02x", s[i]);
	if (o->in_html)
		return;
	if (c < 0x10000)
		out_printf(o, "\\u%04x", c);
	else
		out_printf(o, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff));
}

/* Write one byte that is not plain, or one sequence. Return: its bytes */
static size_t json_special(struct out *o, const unsigned char *s, size_t length)
{
	char class = json_class[*s];
	char escape[2] = { '\\', class };
	uint32_t n;

	if (class == HIGH) {
		n = fxt_utf8_length(s, length);
		if (!n)
			out_str(o, "\xef\xbf\xbd");	/* U+FFFD */
		else if (fxt_text_shown(s, length))
			out_bytes(o, s, n);
		else
			json_not_shown(o, s, n);
		return n ? n : 1;
	}
	if (class == TAG) {
		out_str(o, o->in_html ? "\\u003c" : "<");
	} else if (class == CONTROL) {
		json_not_shown(o, s, 1);
	} else {
		out_bytes(o, escape, sizeof(escape));
	}
	return 1;
}

void out_json(struct out *o, const char *bytes, size_t length)
{
	const unsigned char *s = (const unsigned char *)bytes;
	size_t i = 0, plain;

	out_char(o, '"');
	while (i < length) {
		for (plain = i; i < length && json_class[s[i]] == PLAIN; i++)
			;
		out_bytes(o, s + plain, i - plain);
		if (i < length)
			i += json_special(o, s + i, length - i);
	}
	out_char(o, '"');
}

/* The characters that are escaped here occur only in strings of the JSON. */
void out_json_value(struct out *o, const char *json, size_t length)
{
	const unsigned char *s = (const unsigned char *)json;
	size_t i = 0, plain;

	while (i < length) {
		for (plain = i; i < length && s[i] < 0x7f; i++)
			;
		out_bytes(o, json + plain, i - plain);
		if (i < length)
			i += json_special(o, s + i, length - i);
	}
}

void out_in_html(struct out *o)
{
	o->in_html = true;
}

void out_json_text(struct out *o, const struct fxt_text *text)
{
	out_json(o, text->bytes, text->length);
}

char *out_json_u64_at(char *p, uint64_t value)
{
	bool quoted = value > OUT_JSON_SAFE;

	if (quoted)
		*p++ = '"';
	p = out_u64_at(p, value);
	if (quoted)
		*p++ = '"';
	return p;
}

void out_json_u64(struct out *o, uint64_t value)
{
	out_put(o, out_json_u64_at(out_room(o, OUT_NUMBER), value));
}

void out_json_i64(struct out *o, int64_t value)
{
	bool quoted = value > (int64_t)OUT_JSON_SAFE || value < -(int64_t)OUT_JSON_SAFE;

	if (quoted)
		out_char(o, '"');
	out_i64(o, value);
	if (quoted)
		out_char(o, '"');
}

void out_json_double(struct out *o, double value)
{
	if (isnan(value))
		out_str(o, "\"NaN\"");
	else if (isinf(value))
		out_str(o, value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
	else
		out_double(o, value);
}

/* --- base64 ----------------------------------------------------------------- */

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *put_base64(char *p, const unsigned char *s)
{
	p[0] = base64_digits[s[0] >> 2];
	p[1] = base64_digits[(s[0] & 3) << 4 | s[1] >> 4];
	p[2] = base64_digits[(s[1] & 15) << 2 | s[2] >> 6];
	p[3] = base64_digits[s[2] & 63];
	return p + 4;
}

void out_base64_add(struct out *o, struct out_base64 *b, const void *data, size_t bytes)
{
	const unsigned char *s = data;

	while (bytes && b->bytes) {
		b->rest[b->bytes++] = *s++;
		bytes--;
		if (b->bytes == sizeof(b->rest)) {
			out_put(o, put_base64(out_room(o, 4), b->rest));
			b->bytes = 0;
		}
	}
	for (; bytes >= sizeof(b->rest); bytes -= 3, s += 3)
		out_put(o, put_base64(out_room(o, 4), s));
	while (bytes--)
		b->rest[b->bytes++] = *s++;
}

void out_base64_end(struct out *o, struct out_base64 *b)
{
	unsigned int bytes = b->bytes;
	char *p;

	b->bytes = 0;
	if (!bytes)
		return;
	memset(b->rest + bytes, 0, sizeof(b->rest) - bytes);
	p = put_base64(out_room(o, 4), b->rest);
	memset(p - (3 - bytes), '=', 3 - bytes);
	out_put(o, p);
}

void out_json_base64(struct out *o, const void *data, size_t bytes)
{
	struct out_base64 b = { .bytes = 0 };

	out_char(o, '"');
	out_base64_add(o, &b, data, bytes);
	out_base64_end(o, &b);
	out_char(o, '"');
}

/* --- lines of text ----------------------------------------------------------- */

/* Bytes at the beginning of @s that are written unchanged. */
static uint32_t safe_length(const unsigned char *s, size_t length)
{
	return *s == '\\' ? 0 : fxt_text_shown(s, length);
}

void out_safe(struct out *o, const char *bytes, size_t length)
{
	const unsigned char *s = (const unsigned char *)bytes;
	size_t i = 0, plain;
	uint32_t n;

	while (i < length) {
		for (plain = i; i < length; i += n) {
			n = safe_length(s + i, length - i);
			if (!n)
				break;
		}
		out_bytes(o, s + plain, i - plain);
		if (i == length)
			break;
		if (s[i] == '\\')
			out_str(o, "\\\\");
		else
			out_printf(o, "\\x%02x", s[i]);
		i++;
	}
}

/*
 * The columns and bytes of the character at @s. Characters from U+1100 on count as two columns,
 * because they may be that wide; over-counting is harmless.
 */
static unsigned int safe_width(const unsigned char *s, size_t length, uint32_t *bytes)
{
	uint32_t n = safe_length(s, length);

	*bytes = n ? n : 1;
	if (!n)
		return *s == '\\' ? 2 : 4;
	return 1 + (n > 3 || (n == 3 && (s[0] > 0xe1 || (s[0] == 0xe1 && s[1] >= 0x84))));
}

unsigned int out_safe_fit(struct out *o, const char *bytes, size_t length, unsigned int width)
{
	const unsigned char *s = (const unsigned char *)bytes;
	unsigned int used = 0, fits = 0, columns;
	size_t i, cut = 0;
	uint32_t n;

	for (i = 0; i < length && used <= width; i += n) {
		columns = safe_width(s + i, length - i, &n);
		used += columns;
		if (used < width) {
			fits = used;
			cut = i + n;
		}
	}
	if (used <= width) {
		out_safe(o, bytes, length);
		return used;
	}
	out_safe(o, bytes, cut);
	out_char(o, '~');
	return fits + 1;
}

void out_quoted(struct out *o, const char *bytes, size_t length)
{
	const char *quote;

	out_char(o, '"');
	while (length && (quote = memchr(bytes, '"', length))) {
		out_safe(o, bytes, quote - bytes);
		out_str(o, "\\\"");
		length -= quote + 1 - bytes;
		bytes = quote + 1;
	}
	out_safe(o, bytes, length);
	out_char(o, '"');
}

static void csv_piece(struct out *o, const char *bytes, size_t length)
{
	if (o->is_shown)
		out_safe(o, bytes, length);
	else
		out_bytes(o, bytes, length);
}

void out_csv(struct out *o, const char *bytes, size_t length, bool is_raw)
{
	const char *quote, *end = bytes + length;
	bool guarded = !is_raw && length && memchr("=+-@\t\r\n'", *bytes, 8);
	bool plain = length > 0 && !guarded;

	for (const char *c = bytes; plain && c < end; c++)
		plain = *c != '"' && *c != ',' && *c != '\n' && *c != '\r';
	if (plain) {
		csv_piece(o, bytes, length);
		return;
	}
	out_str(o, guarded ? "\"'" : "\"");
	while ((quote = memchr(bytes, '"', end - bytes))) {
		csv_piece(o, bytes, quote + 1 - bytes);
		out_char(o, '"');
		bytes = quote + 1;
	}
	csv_piece(o, bytes, end - bytes);
	out_char(o, '"');
}
