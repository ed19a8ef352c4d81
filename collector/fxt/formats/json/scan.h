/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - scans a trace in the Trace Event Format (JSON).
 *
 * In: bytes, plain or compressed.
 * Out: one value at a time; the members of objects; what single values mean.
 */
#ifndef FXT_FORMATS_JSON_SCAN_H
#define FXT_FORMATS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "libfxt/stream.h"

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

/* --------------------------------------------------------------------
 * An element of an array of events: the members of one object.
 *
 * In: JSON.
 * Out: the members of the object and of its "args", as they are in the text. Nearly all events
 * are such flat objects, and need no tree. All others are json-c's, which makes a text of them
 * that this file understands.
 */

/* Members that mean something; others are JSON_OTHER. */
enum json_name {
	JSON_OTHER,
	JSON_PH,
	JSON_PID,
	JSON_TID,
	JSON_TS,
	JSON_DUR,
	JSON_CAT,
	JSON_NAME,
	JSON_ID,
	JSON_ID2,
	JSON_SCOPE,
	JSON_ARGS,
	JSON_BP,
	JSON_S,
	JSON_NAME_COUNT
};

/** struct json_member - @known is JSON_OTHER in "args" */
struct json_member {
	struct json_value name;
	struct json_value value;
	enum json_name known;
};

struct json_members {
	struct json_member *list;
	size_t count;
	size_t room;
};

/**
 * struct json_element - the element; all zero is a valid one
 * @object: its members; none if it is no object
 * @args: those of "args", if that is an object
 * @value: the whole
 * @at: the place of a known member in @object, plus 1; 0: none
 * @decoded: strings with escapes
 */
struct json_element {
	struct json_members object;
	struct json_members args;
	struct json_value value;
	size_t at[JSON_NAME_COUNT];
	char *decoded;
	size_t decoded_bytes;
	size_t decoded_room;
};

enum json_scan {
	JSON_SCAN_DONE,
	JSON_SCAN_MORE,		/* the text ends within the element */
	JSON_SCAN_OTHER,	/* it is not flat, or not as RFC 8259 wants it */
	JSON_SCAN_NO_MEMORY,
};

/**
 * json_element_scan() - take an element apart
 * @e: the element, which may be that of an earlier call
 * @text: begins with the element and ends with a zero byte, at @bytes; must stay
 * @bytes: see above; set to the length of the element
 * @is_ours: json-c wrote the text: every element is understood
 */
enum json_scan json_element_scan(struct json_element *e, char *text, size_t *bytes, bool is_ours);

void json_element_free(struct json_element *e);

/** json_element_get() - the value of a member. Return: NULL if it is missing or null */
static inline struct json_value *json_element_get(const struct json_element *e, enum json_name name)
{
	struct json_value *value = e->at[name] ? &e->object.list[e->at[name] - 1].value : NULL;

	return value && value->type != json_type_null ? value : NULL;
}

/** json_members_find() - the same by name */
struct json_value *json_members_find(const struct json_members *m, const char *name);

/** json_element_set() - set a known member. Return: 0 or -ENOMEM */
int json_element_set(struct json_element *e, enum json_name name, const struct json_value *value);

/* --------------------------------------------------------------------
 * JSON, one value at a time.
 *
 * In: bytes, plain or compressed.
 * Out: values; the punctuation between them is the caller's, so that an array or object of
 * any length takes no more memory than its largest element.
 */

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

#endif /* FXT_FORMATS_JSON_SCAN_H */
