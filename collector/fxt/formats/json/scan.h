/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - scans a trace in the Trace Event Format (JSON).
 *
 * In: bytes, plain or compressed.
 * Out: one value at a time; the members of objects; what single values mean.
 *
 * Besides JSON (RFC 8259), what other programs write is read: comments, strings in single quotes,
 * commas before a closing bracket, control characters in strings, leading zeros, and NaN,
 * Infinity, true, false and null in any case.
 */
#ifndef FXT_FORMATS_JSON_SCAN_H
#define FXT_FORMATS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/stream.h"

enum json_type {
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_INT,
	JSON_DOUBLE,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/**
 * struct json_value - a value of an event
 * @text: of a string what it means; of others the value in JSON, in one line without spaces, with
 *	unique names in its objects; what follows is no part of a number
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

/** json_value_hash() - of a text; @seed: 0, or a hash to continue */
uint64_t json_value_hash(uint64_t seed, const char *text, size_t length);

/** json_value_hash_of() - of a value: a string's text, or the value in JSON */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value);

/** json_value_int() - the number of a JSON_INT, of 64 bits; the sign is @value's first byte */
uint64_t json_value_int(const struct json_value *value);

/** json_value_double() - the number of a JSON_DOUBLE */
double json_value_double(const struct json_value *value);

/** struct json_text - a text that grows; all zero is an empty one; a zero byte follows it */
struct json_text {
	char *bytes;
	size_t length;
	size_t room;
};

/** json_text_add() - append bytes. Return: 0 or -ENOMEM, as of the next one */
int json_text_add(struct json_text *t, const char *bytes, size_t length);

/** json_text_value() - append a value in JSON */
int json_text_value(struct json_text *t, const struct json_value *v);

/* --------------------------------------------------------------------
 * An element of an array of events: the members of one object.
 *
 * In: JSON.
 * Out: the members of the object and of its "args". Values within them are texts.
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

/** struct json_span - a member of an object within @nested: from its name to its end */
struct json_span {
	size_t name;
	size_t value;
	size_t end;
};

/**
 * struct json_element - the element; all zero is a valid one
 * @object: its members; none if it is no object
 * @args: those of "args", if that is an object
 * @value: the whole, as it is in the text
 * @at: the place of a known member in @object, plus 1; 0: none
 * @decoded: strings with escapes
 * @nested: objects and arrays, one after the other
 * @spans: members of the objects that are being scanned
 * @copy: the text, unless the caller has it
 */
struct json_element {
	struct json_members object;
	struct json_members args;
	struct json_value value;
	size_t at[JSON_NAME_COUNT];
	char *decoded;
	size_t decoded_bytes;
	size_t decoded_room;
	struct json_text nested;
	struct json_span *spans;
	size_t span_count;
	size_t span_room;
	struct json_text copy;
};

enum json_scan {
	JSON_SCAN_DONE,
	JSON_SCAN_MORE,		/* the text ends within the value */
	JSON_SCAN_WRONG,
	JSON_SCAN_NO_MEMORY,
};

/** struct json_error - @what is wrong at the byte @at */
struct json_error {
	size_t at;
	const char *what;
};

/**
 * json_element_scan() - take an element apart
 * @e: the element, which may be that of an earlier call
 * @text: begins with the element and ends with a zero byte, at @bytes; must stay
 * @bytes: see above; set to the length of the element
 * @error: set if it is wrong
 */
enum json_scan json_element_scan(struct json_element *e, char *text, size_t *bytes,
				 struct json_error *error);

/**
 * json_element_parse() - read a text that is one value
 * @e: the element, whose @value it becomes
 * @text: the text, of @length bytes
 * @length: see above
 *
 * Return: 0; -EINVAL if it is another text; -ENOMEM.
 */
int json_element_parse(struct json_element *e, const char *text, size_t length);

/**
 * json_element_members() - take a text apart that is an object or an array
 * @e: the element, whose @object has the members, those of an array without names
 * @text: the text, of @length bytes
 * @length: see above
 *
 * Return: as above; also -EINVAL for other values.
 */
int json_element_members(struct json_element *e, const char *text, size_t length);

void json_element_free(struct json_element *e);

/** json_element_get() - the value of a member. Return: NULL if it is missing or null */
static inline struct json_value *json_element_get(const struct json_element *e, enum json_name name)
{
	struct json_value *value = e->at[name] ? &e->object.list[e->at[name] - 1].value : NULL;

	return value && value->type != JSON_NULL ? value : NULL;
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

#define JSON_INPUT_BYTES	(256U << 10)	/* read at once */
#define JSON_VALUE_BYTES	(64U << 20)	/* limit of one value */

/**
 * struct json_input - a JSON text that is being read
 * @base: offset of the buffer in the text
 * @line: of the next byte, from 1
 * @error: what is wrong, after -EBADMSG
 */
struct json_input {
	struct fxt_stream *stream;
	uint64_t base;
	uint64_t line;
	size_t at;
	size_t end;
	const char *error;
	char *buffer;
	size_t room;
};

/** json_input_open() - read from @fd, which the caller still owns. Return: 0 or an errno */
int json_input_open(struct json_input *s, int fd);

void json_input_close(struct json_input *s);

/** json_input_peek() - the next byte that is no white space. Return: it, 0 at the end, or an errno */
int json_input_peek(struct json_input *s);

/** json_input_mark() - skip a byte order mark at the beginning. Return: 1, 0, or an errno */
int json_input_mark(struct json_input *s);

/** json_input_skip() - skip the byte that json_input_peek() found */
static inline void json_input_skip(struct json_input *s)
{
	s->at++;
}

/** json_input_wrong() - report bad input. Return: -EBADMSG */
int json_input_wrong(struct json_input *s, const char *why);

/**
 * json_input_element() - take the next value apart
 * @s: the text
 * @e: set to it; texts are valid until the next call
 *
 * Return: 0; -EBADMSG; -ENOMEM; an errno of read(2).
 */
int json_input_element(struct json_input *s, struct json_element *e);

/** json_input_value() - read the next value into @e's @value. Return: as above */
int json_input_value(struct json_input *s, struct json_element *e);

/** json_input_offset() - of the next byte */
static inline uint64_t json_input_offset(const struct json_input *s)
{
	return s->base + s->at;
}

#endif /* FXT_FORMATS_JSON_SCAN_H */
