// SPDX-License-Identifier: GPL-2.0-or-later
/* value.c - see value.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

#define NS_PER_US	1000
#define OTHER_KOIDS	0x50000000ULL	/* beyond the ids of Linux */
#define OTHER_BITS	0x0fffffffULL

/* Digits without an exponent. */
static int exact_ns(const char *s, uint64_t *ns)
{
	unsigned int unit = NS_PER_US / 10;
	uint64_t n = 0;

	for (; isdigit((unsigned char)*s); s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return -ERANGE;
	if (__builtin_mul_overflow(n, NS_PER_US, &n))
		return -ERANGE;
	if (*s == '.') {
		for (s++; unit && isdigit((unsigned char)*s); s++, unit /= 10)
			n += (uint64_t)(*s - '0') * unit;
		n += *s >= '5' && *s <= '9' && n < UINT64_MAX;
		while (isdigit((unsigned char)*s))
			s++;
	}
	*ns = n;
	return *s ? -EINVAL : 0;
}

int json_value_ns(struct json_object *value, uint64_t *ns)
{
	enum json_type type = json_object_get_type(value);
	const char *text;
	double number;
	char *end;
	int ret;

	if (type != json_type_int && type != json_type_double && type != json_type_string)
		return -EINVAL;
	text = json_object_get_string(value);
	ret = isdigit((unsigned char)*text) ? exact_ns(text, ns) : -EINVAL;
	if (ret != -EINVAL)
		return ret;
	number = strtod(text, &end) * NS_PER_US;
	if (end == text || *end || isnan(number))
		return -EINVAL;
	if (number <= -0.5 || number >= 0x1p63)
		return -ERANGE;
	*ns = number > 0 ? (uint64_t)(number + 0.5) : 0;
	return 0;
}

uint64_t json_value_hash(uint64_t seed, const char *text)
{
	uint64_t hash = seed ? seed : 0xcbf29ce484222325ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

bool json_value_koid(struct json_object *value, uint64_t *koid)
{
	*koid = 0;
	if (!value)
		return true;
	if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0) {
		*koid = json_object_get_uint64(value);
		return true;
	}
	*koid = OTHER_KOIDS + (json_value_hash(0, json_object_get_string(value)) & OTHER_BITS);
	return false;
}

/* A whole text that is a number. */
static bool parse(const char *text, uint64_t *id)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	char *end;

	if (!isxdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*id = strtoull(digits, &end, is_hex ? 16 : 10);
	return !*end && !errno;
}

bool json_value_id(struct json_object *value, uint64_t seed, uint64_t *id)
{
	const char *text;
	char canonical[24];

	*id = 0;
	if (!value)
		return false;
	text = json_object_get_string(value);
	if (seed || !parse(text, id)) {
		*id = json_value_hash(seed, text);
		return false;
	}
	snprintf(canonical, sizeof(canonical), "0x%" PRIx64, *id);
	return json_object_is_type(value, json_type_string) && !strcmp(text, canonical);
}

struct json_object *json_value_of_text(const char *bytes, size_t length)
{
	struct json_tokener *t;
	struct json_object *value;

	if (!length || length > INT_MAX || !memchr("{[\"", *bytes, 3))
		return NULL;
	t = json_tokener_new_ex(JSON_VALUE_DEPTH);
	if (!t)
		return NULL;
	value = json_tokener_parse_ex(t, bytes, length);
	if (json_tokener_get_error(t) != json_tokener_success ||
	    json_tokener_get_parse_end(t) != length) {
		json_object_put(value);
		value = NULL;
	}
	json_tokener_free(t);
	return value;
}
