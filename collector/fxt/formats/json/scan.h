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

struct json_value {
	/* A string is decoded. Other values are JSON in one line without spaces, with unique
	 * names in objects; the byte after it is not part of a number.
	 */
	char *text;
	size_t length;
	enum json_type type;
	bool is_ascii;		/* known to be ASCII without zero bytes */
};

#define JSON_VALUE_DEPTH	256	/* limit of nested objects and arrays */

/*
 * Convert a number of microseconds, perhaps in a string, to the nearest ns: exactly, because the
 * digits of the text are read. Returns 0; -EINVAL if it is not a number; -ERANGE if it is negative
 * or too large.
 */
int json_value_ns(const struct json_value *value, uint64_t *ns);

/*
 * Convert a pid or tid (NULL is 0) to a koid: a number is itself, another value a hash of it and
 * of @seed, beyond the ids of Linux. @seed: for a tid its process, because processes may have
 * threads of the same names; else 0. Returns: does @koid express the value?
 */
bool json_value_koid(const struct json_value *value, uint64_t seed, uint64_t *koid);

/*
 * Convert the id of an event: a number, a text, or an object ("id2"). The hash of an id that is not
 * a number includes @seed, the hash of the scope. Returns: does "0x%x" print @id as the value?
 */
bool json_value_id(const struct json_value *value, uint64_t seed, uint64_t *id);

/* If an id is a number, set @id. */
bool json_value_number(const struct json_value *value, uint64_t *id);

/* @seed: 0, or a hash to continue */
uint64_t json_value_hash(uint64_t seed, const char *text, size_t length);

/* Hash the text of a string, or another value as JSON. */
uint64_t json_value_hash_of(uint64_t seed, const struct json_value *value);

/* The 64 bits of a JSON_INT. The first byte of its text is the sign. */
uint64_t json_value_int(const struct json_value *value);

/* A growing text, followed by a zero byte. Initialize with zeros. */
struct json_text {
	char *bytes;
	size_t length;
	size_t room;
};

void json_text_add(struct json_text *t, const char *bytes, size_t length);
void json_text_value(struct json_text *t, const struct json_value *v);

/* --- an element of an array of events: the members of one object and of its "args" --- */

enum json_name {
	JSON_OTHER,	/* any other member */
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

struct json_member {
	struct json_value name;
	struct json_value value;
	enum json_name known;	/* JSON_OTHER in "args" */
};

struct json_members {
	struct json_member *list;
	size_t count;
	size_t room;
};

struct json_span {
	size_t name;
	size_t value;
	size_t end;
};

/* Initialize with zeros. */
struct json_element {
	struct json_members object;	/* none if the element is not an object */
	struct json_members args;	/* of "args", if that is an object */
	struct json_value value;	/* the element; an event is unchanged text */
	size_t at[JSON_NAME_COUNT];	/* index of each known member in @object, plus 1; 0: none */
	char *decoded;			/* strings with escapes */
	size_t decoded_bytes;
	size_t decoded_room;
	struct json_text nested;	/* objects and arrays, one after the other */
	struct json_span *spans;	/* members of objects that are being scanned */
	size_t span_count;
	size_t span_room;
	struct json_text copy;		/* the text, unless the caller has it */
};

enum json_form {
	JSON_VALUE,	/* into @value */
	JSON_MEMBERS,	/* of an object or array into @object; those of an array have no names */
	JSON_EVENT,	/* the members of an object, and those of "args"; another value into @value */
};

/* Parse a text. Returns 0; -EINVAL if it is not JSON, or with JSON_MEMBERS has no members. */
int json_element_parse(struct json_element *e, enum json_form form, const char *text, size_t length);

/* Is a text the JSON of an object, array or string? Leaves it in @e->value. */
bool json_element_nested(struct json_element *e, const char *text, size_t length);

void json_element_free(struct json_element *e);

/* Returns NULL if the member is missing or null. */
static inline struct json_value *json_element_get(const struct json_element *e, enum json_name name)
{
	struct json_value *value = e->at[name] ? &e->object.list[e->at[name] - 1].value : NULL;

	return value && value->type != JSON_NULL ? value : NULL;
}

/* Returns NULL if the member is missing or null. */
struct json_value *json_members_find(const struct json_members *m, const char *name);
void json_element_set(struct json_element *e, enum json_name name, const struct json_value *value);

/* --------------------------------------------------------------------
 * JSON, plain or compressed, one value at a time. The caller reads the punctuation between values,
 * so that an array or object of any length takes no more memory than its largest element.
 */

#define JSON_INPUT_BYTES	(256U << 10)	/* read at once */
#define JSON_VALUE_BYTES	(64U << 20)	/* limit of one value */

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

/* The caller still owns @fd. Returns 0 or a negative errno. */
int json_input_open(struct json_input *s, int fd);
void json_input_close(struct json_input *s);

/* Returns the next byte but white space, which is not skipped; 0 at the end; a negative errno. */
int json_input_peek(struct json_input *s);

/* Skip a byte order mark. Returns 1, 0, or a negative errno. */
int json_input_mark(struct json_input *s);

static inline void json_input_skip(struct json_input *s)
{
	s->at++;
}

/* Report bad input. Returns -EBADMSG. */
int json_input_wrong(struct json_input *s, const char *why);

/*
 * Parse the next value. Its texts are valid until the next call. Returns 0; -EBADMSG; an errno of
 * read(2).
 */
int json_input_next(struct json_input *s, enum json_form form, struct json_element *e);

static inline uint64_t json_input_offset(const struct json_input *s)
{
	return s->base + s->at;
}

#endif /* FXT_FORMATS_JSON_SCAN_H */
