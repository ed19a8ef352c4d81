/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value.h - single values of the Trace Event Format.
 */
#ifndef FXT_FORMATS_JSON_VALUE_H
#define FXT_FORMATS_JSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

/**
 * struct json_value - a value of an event
 * @text: of a string what it means, else the value in JSON; what follows is no part of a number
 * @length: of @text
 * @is_ascii: all bytes of @text are, except zero; else they may be
 */
struct json_value {
	char *text;
	size_t length;
	enum json_type type;
	bool is_ascii;
};

#define JSON_VALUE_DEPTH	256	/* limit of objects and arrays in one another */

/**
 * json_value_ns() - microseconds in ns
 * @value: a number, or a string with one
 * @ns: set to it, rounded to the nearest
 *
 * Exact, because it reads the digits of the text.
 *
 * Return: 0; -EINVAL if it is no number; -ERANGE if it is negative or too large.
 */
int json_value_ns(const struct json_value *value, uint64_t *ns);

/**
 * json_value_koid() - a pid or tid
 * @value: a number or any text; NULL is 0
 * @seed: is part of the hash of what is no number: of a tid the process, because processes have
 *	threads of the same names; else 0
 * @koid: set to the number; of other values to a hash beyond the ids of Linux
 *
 * Return: does @koid have the value? Else the value must be kept elsewhere.
 */
bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid);

/**
 * json_value_id() - the id of an event
 * @value: a number, a text, or an object ("id2")
 * @seed: is part of the hash of what is not a number: the hash of the scope
 * @id: set to the number, or to a hash
 *
 * Return: does "0x%x" of @id give the value?
 */
bool json_value_id(const struct json_value *value, uint64_t seed, uint64_t *id);

/** json_value_number() - is an id, which is not NULL, a number? @id: set to it */
bool json_value_number(const struct json_value *value, uint64_t *id);

/**
 * json_value_of_text() - the value of a text that is an object, an array or a string in JSON
 * @bytes: the text, of @length bytes
 * @length: see above
 *
 * Return: the value, which json_object_put() frees; NULL if it is another text.
 */
struct json_object *json_value_of_text(const char *bytes, size_t length);

/** json_value_hash() - of a text; @seed: 0, or a hash to continue */
uint64_t json_value_hash(uint64_t seed, const char *text, size_t length);

/** json_value_hash_of() - of a value: a string's text, or the value in JSON */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value);

/** json_value_int() - the number of a json_type_int, of 64 bits; the sign is @value's first byte */
uint64_t json_value_int(const struct json_value *value);

/** json_value_double() - the number of a json_type_double */
double json_value_double(const struct json_value *value);

/**
 * json_value_tree() - the value for json-c
 * @value: not null
 *
 * Return: what json_object_put() frees; NULL without memory.
 */
struct json_object *json_value_tree(const struct json_value *value);

#endif /* FXT_FORMATS_JSON_VALUE_H */
