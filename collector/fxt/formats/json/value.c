// SPDX-License-Identifier: GPL-2.0-or-later
/* value.c - see value.h. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

#define NS_PER_US	1000
#define OTHER_KOIDS	0x50000000ULL	/* beyond the ids of Linux */
#define OTHER_BITS	0x0fffffffULL

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits without an exponent. */
static int exact_ns(const char *s, const char *end, uint64_t *ns)
{
	unsigned int unit = NS_PER_US / 10;
	uint64_t n = 0;

	for (; s < end && is_digit(*s); s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return -ERANGE;
	if (__builtin_mul_overflow(n, NS_PER_US, &n))
		return -ERANGE;
	if (s < end && *s == '.') {
		for (s++; unit && s < end && is_digit(*s); s++, unit /= 10)
			n += (uint64_t)(*s - '0') * unit;
		n += s < end && *s >= '5' && *s <= '9' && n < UINT64_MAX;
		while (s < end && is_digit(*s))
			s++;
	}
	*ns = n;
	return s < end ? -EINVAL : 0;
}

int json_value_ns(const struct json_value *value, uint64_t *ns)
{
	const char *text;
	double number;
	char *end;
	int ret;

	if (!value || (value->type != json_type_int && value->type != json_type_double &&
		       value->type != json_type_string))
		return -EINVAL;
	text = value->text;
	ret = value->length && is_digit(*text) ? exact_ns(text, text + value->length, ns) : -EINVAL;
	if (ret != -EINVAL)
		return ret;
	number = strtod(text, &end) * NS_PER_US;
	if (end == text || end != text + value->length || isnan(number))
		return -EINVAL;
	if (number <= -0.5 || number >= 0x1p63)
		return -ERANGE;
	*ns = number > 0 ? (uint64_t)(number + 0.5) : 0;
	return 0;
}

/* --- ids -------------------------------------------------------------------------- */

uint64_t json_value_hash(uint64_t seed, const char *text, size_t length)
{
	uint64_t hash = seed ? seed : 0xcbf29ce484222325ULL;
	const char *end = text + length;

	for (; text < end; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

/* Objects and arrays are rare here; their hash is of json-c's usual text. */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value)
{
	struct json_object *tree;
	const char *text;
	uint64_t hash = 0;

	if (value->type != json_type_object && value->type != json_type_array)
		return json_value_hash(seed, value->text, strnlen(value->text, value->length));
	tree = json_value_tree(value);
	text = tree ? json_object_to_json_string(tree) : NULL;
	if (text)
		hash = json_value_hash(seed, text, strlen(text));
	json_object_put(tree);
	return hash;
}

bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid)
{
	*koid = 0;
	if (!value)
		return true;
	if (value->type == json_type_int && *value->text != '-') {
		*koid = json_value_int(value);
		return true;
	}
	*koid = OTHER_KOIDS + (json_value_hash_of(seed, value) & OTHER_BITS);
	return false;
}

/* A whole text that is a number. */
static bool parse(const struct json_value *value, uint64_t *id)
{
	const char *text = value->text;
	bool is_hex = value->length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	char *end;

	if (!value->length || !isxdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*id = strtoull(digits, &end, is_hex ? 16 : 10);
	return end == text + value->length && !errno;
}

bool json_value_number(const struct json_value *value, uint64_t *id)
{
	return parse(value, id);
}

/* Is a hexadecimal number as "0x%x" would print it? */
static bool is_canonical(const struct json_value *value)
{
	const char *c = value->text;

	if (value->type != json_type_string || value->length < 3 || c[0] != '0' || c[1] != 'x' ||
	    (c[2] == '0' && value->length > 3))
		return false;
	for (c += 2; c < value->text + value->length; c++)
		if (*c >= 'A' && *c <= 'F')
			return false;
	return true;
}

bool json_value_id(const struct json_value *value, uint64_t seed, uint64_t *id)
{
	*id = 0;
	if (!value)
		return false;
	if (seed || !parse(value, id)) {
		*id = json_value_hash_of(seed, value);
		return false;
	}
	return is_canonical(value);
}

/* --- numbers and trees --------------------------------------------------------------- */

uint64_t json_value_int(const struct json_value *value)
{
	const char *c = value->text, *end = value->text + value->length;
	bool is_negative = *c == '-';
	uint64_t n = 0;

	for (c += is_negative; c < end; c++)
		n = n * 10 + (*c - '0');
	return is_negative ? -n : n;
}

double json_value_double(const struct json_value *value)
{
	return strtod(value->text, NULL);
}

struct json_object *json_value_tree(const struct json_value *value)
{
	char *text;
	struct json_object *tree;

	switch (value->type) {
	case json_type_boolean:
		return json_object_new_boolean(*value->text == 't');
	case json_type_int:
		return *value->text == '-' ? json_object_new_int64(json_value_int(value)) :
					     json_object_new_uint64(json_value_int(value));
	case json_type_double:
		text = strndup(value->text, value->length);
		tree = text ? json_object_new_double_s(json_value_double(value), text) : NULL;
		free(text);
		return tree;
	case json_type_string:
		return json_object_new_string_len(value->text, value->length);
	default:
		return json_value_of_text(value->text, value->length);
	}
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
