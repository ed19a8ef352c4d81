/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - reads texts and numbers from a piece of a line.
 *
 * All functions return whether they found the text; if so, the cursor moves behind it.
 */
#ifndef FXT_FORMATS_FTRACE_CURSOR_H
#define FXT_FORMATS_FTRACE_CURSOR_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "libfxt/digits.h"

struct cursor {
	const char *at;
	const char *end;
};

static inline bool cursor_is_digit(const struct cursor *c)
{
	return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static inline void cursor_spaces(struct cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
		c->at++;
}

static inline bool cursor_skip_bytes(struct cursor *c, const char *text, size_t length)
{
	if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length))
		return false;
	c->at += length;
	return true;
}
#define cursor_skip(c, text)	cursor_skip_bytes(c, text, sizeof(text) - 1)

/* Go behind the next occurrence of @text. It is near, so memmem() would cost more. */
static inline bool cursor_seek_bytes(struct cursor *c, const char *text, size_t length)
{
	const char *at = c->at;

	for (; (at = memchr(at, *text, c->end - at)); at++) {
		if ((size_t)(c->end - at) < length)
			return false;
		if (memcmp(at, text, length))
			continue;
		c->at = at + length;
		return true;
	}
	return false;
}
#define cursor_seek(c, text)	cursor_seek_bytes(c, text, sizeof(text) - 1)

/* Decimal digits. Returns false if there are none, or if the number exceeds 64 bits. */
static inline bool cursor_u64(struct cursor *c, uint64_t *n)
{
	unsigned int digits = digits_read(c->at, c->end, DIGITS_SAFE, n);

	if (!digits)
		return false;
	c->at += digits;
	for (; __builtin_expect(cursor_is_digit(c), 0); c->at++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*c->at - '0'), n))
			return false;
	return true;
}

static inline bool cursor_u32(struct cursor *c, uint32_t *n)
{
	uint64_t wide;

	if (!cursor_u64(c, &wide) || wide > UINT32_MAX)
		return false;
	*n = wide;
	return true;
}

static inline bool cursor_i32(struct cursor *c, int32_t *n)
{
	bool is_negative = c->at < c->end && *c->at == '-';
	uint64_t wide;

	c->at += is_negative;
	if (!cursor_u64(c, &wide) || wide > INT32_MAX)
		return false;
	*n = is_negative ? -(int32_t)wide : (int32_t)wide;
	return true;
}

/* Hexadecimal digits, perhaps after 0x. Returns false as cursor_u64() does. */
static inline bool cursor_hex(struct cursor *c, uint64_t *n)
{
	const char *begin;

	cursor_skip(c, "0x");
	begin = c->at;
	for (*n = 0; c->at < c->end && isxdigit((unsigned char)*c->at); c->at++) {
		if (*n >> 60)
			return false;
		*n = *n << 4 | (*c->at <= '9' ? *c->at - '0' : (*c->at | 0x20) - 'a' + 10);
	}
	return c->at > begin;
}

/*
 * Seconds with any number of decimals, of which nine are read, or microseconds if followed by "us".
 * ftrace prints times without a point if its clock does not count ns: these are @ticks.
 */
static inline bool cursor_time(struct cursor *c, uint64_t *ns, bool *ticks)
{
	static const uint64_t units[] = {
		1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1,
	};
	unsigned int digits;
	uint64_t decimals;

	*ticks = false;
	if (!cursor_u64(c, ns))
		return false;
	if (cursor_skip(c, ".")) {
		digits = digits_read_many(c->at, c->end, 9, &decimals);
		c->at += digits;
		if (__builtin_mul_overflow(*ns, units[0], ns) ||
		    __builtin_add_overflow(*ns, decimals * units[digits], ns))
			return false;
		while (cursor_is_digit(c))
			c->at++;
	} else if (cursor_skip(c, "us")) {
		cursor_skip(c, " ");
		if (__builtin_mul_overflow(*ns, 1000, ns))
			return false;
	} else {
		*ticks = true;
	}
	return true;
}

#endif /* FXT_FORMATS_FTRACE_CURSOR_H */
