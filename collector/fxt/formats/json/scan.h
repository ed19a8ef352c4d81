/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - scans a trace in the Trace Event Format (JSON).
 *
 * In: bytes, plain or compressed.
 * Out: one value at a time; the members of objects; the meaning of single values.
 *
 * Besides JSON (RFC 8259), it reads what other programs write: comments, strings in single quotes,
 * commas before a closing bracket, control characters in strings, leading zeros, and NaN,
 * Infinity, true, false and null in upper or lower case.
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

/** struct json_value - a value of an event */
struct json_value {
	/*
	 * The decoded string, or another value as JSON in one line without spaces, with unique
	 * names in its objects; the byte after it is not part of a number.
	 */
	char *text;
	size_t length;
	enum json_type type;
	bool is_ascii;		/* it is known to be ASCII without zero bytes */
};

#define JSON_VALUE_DEPTH	256	/* limit of nested objects and arrays */

/**
 * json_value_ns() - convert a number of microseconds, perhaps in a string, to the nearest ns
 *
 * The result is exact, because the digits of the text are read.
 *
 * Return: 0; -EINVAL if it is not a number; -ERANGE if it is negative or too large.
 */
int json_value_ns(const struct json_value *value, uint64_t *ns);

/**
 * json_value_koid() - convert a pid or tid (NULL is 0), a number or any text, to a koid
 * @seed: of a tid: its process, because processes may have threads of the same names; else 0
 * @koid: set to the number, or to a hash of another value and of @seed, beyond the ids of Linux
 *
 * Return: does @koid express the value? Otherwise the value must be kept elsewhere.
 */
bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid);

/**
 * json_value_id() - convert the id of an event: a number, a text, or an object ("id2")
 * @seed: the hash of the scope, which becomes part of the hash if the id is not a number
 * @id: set to the number, or to a hash
 *
 * Return: does "0x%x" print @id as the value?
 */
bool json_value_id(const struct json_value *value, uint64_t seed, uint64_t *id);

/** json_value_number() - is an id, not NULL, a number? If so, @id is set to it */
bool json_value_number(const struct json_value *value, uint64_t *id);

/** json_value_hash() - hash a text; @seed: 0, or a hash to continue */
uint64_t json_value_hash(uint64_t seed, const char *text, size_t length);

/** json_value_hash_of() - hash a value: the text of a string, or another value in JSON */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value);

/** json_value_int() - the number of a JSON_INT, of 64 bits; the sign is @value's first byte */
uint64_t json_value_int(const struct json_value *value);

/** struct json_text - a text that grows; all zero is an empty one; a zero byte follows it */
struct json_text {
	char *bytes;
	size_t length;
	size_t room;
};

/** json_text_add() - append bytes */
void json_text_add(struct json_text *t, const char *bytes, size_t length);

/** json_text_value() - append a value in JSON */
void json_text_value(struct json_text *t, const struct json_value *v);

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

/** struct json_span - the offsets of an object's member in @nested: its name, value and end */
struct json_span {
	size_t name;
	size_t value;
	size_t end;
};

/** struct json_element - the element; initialize with zeros */
struct json_element {
	struct json_members object;	/* its members; none if it is not an object */
	struct json_members args;	/* those of "args", if that is an object */
	struct json_value value;	/* the element; of an event as it is in the text */
	size_t at[JSON_NAME_COUNT];	/* index of each known member in @object, plus 1; 0: none */
	char *decoded;			/* strings with escapes */
	size_t decoded_bytes;
	size_t decoded_room;
	struct json_text nested;	/* objects and arrays, one after the other */
	struct json_span *spans;	/* members of the objects that are being scanned */
	size_t span_count;
	size_t span_room;
	struct json_text copy;		/* the text, unless the caller has it */
};

/** json_element_parse() - parse a text that is one value, into @value. Return: 0 or -EINVAL */
int json_element_parse(struct json_element *e, const char *text, size_t length);

/** json_element_event() - parse a text that is an event, as json_input_element() does. Likewise */
int json_element_event(struct json_element *e, const char *text, size_t length);

/**
 * json_element_members() - parse a text that is an object or an array into the members of @object
 *
 * Those of an array have no names.
 *
 * Return: 0; -EINVAL also for other values.
 */
int json_element_members(struct json_element *e, const char *text, size_t length);

void json_element_free(struct json_element *e);

/** json_element_get() - the value of a member. Return: NULL if it is missing or null */
static inline struct json_value *json_element_get(const struct json_element *e, enum json_name name)
{
	struct json_value *value = e->at[name] ? &e->object.list[e->at[name] - 1].value : NULL;

	return value && value->type != JSON_NULL ? value : NULL;
}

/** json_members_find() - the value of a member by name. Return: as above */
struct json_value *json_members_find(const struct json_members *m, const char *name);

/** json_element_set() - set a known member */
void json_element_set(struct json_element *e, enum json_name name, const struct json_value *value);

/* --------------------------------------------------------------------
 * JSON, one value at a time.
 *
 * In: bytes, plain or compressed.
 * Out: values. The caller reads the punctuation between them, so that an array or object of
 * any length takes no more memory than its largest element.
 */

#define JSON_INPUT_BYTES	(256U << 10)	/* read at once */
#define JSON_VALUE_BYTES	(64U << 20)	/* limit of one value */

/** struct json_input - a JSON text that is being read */
struct json_input {
	struct fxt_stream *stream;
	uint64_t base;		/* offset of the buffer in the text */
	uint64_t line;		/* of the next byte, from 1 */
	size_t at;
	size_t end;
	const char *error;	/* what is wrong, after -EBADMSG */
	char *buffer;
	size_t room;
};

/** json_input_open() - read from @fd, which the caller still owns. Return: 0 or an errno */
int json_input_open(struct json_input *s, int fd);

void json_input_close(struct json_input *s);

/** json_input_peek() - find the next byte but white space. Return: it; 0 at the end; an errno */
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
 * json_input_element() - parse the next value into the members of @e
 *
 * Its texts are valid until the next call.
 *
 * Return: 0; -EBADMSG; an errno of read(2).
 */
int json_input_element(struct json_input *s, struct json_element *e);

/** json_input_value() - read the next value into @e's @value. Return: as above */
int json_input_value(struct json_input *s, struct json_element *e);

/** json_input_offset() - the offset of the next byte */
static inline uint64_t json_input_offset(const struct json_input *s)
{
	return s->base + s->at;
}

#endif /* FXT_FORMATS_JSON_SCAN_H */
