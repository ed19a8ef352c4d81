/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON (RFC 8259) piece by piece, with the commas between the pieces. Nothing is
 * kept in memory, so a document may have any length.
 */
#ifndef LIBOUTPUT_JSON_H
#define LIBOUTPUT_JSON_H

#include <string.h>

#include "out.h"

struct json {
	struct out *o;
	bool is_more;		/* the next part within the brackets needs a comma before it */
	bool is_brief;		/* lists that only programs need are empty, tables name keys once */
	bool is_keyless;	/* within a table whose rows are written without keys */
};

static inline void json_begin(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = false;
}

static inline void json_end(struct json *j, char bracket)
{
	out_char(j->o, bracket);
	j->is_more = true;
}

/* To be called before each element of an array. */
static inline void json_item(struct json *j)
{
	if (j->is_more)
		out_char(j->o, ',');
	j->is_more = true;
}

/*
 * Write the key of an object's member; with NULL, begin an element of an array. @name has at most
 * OUT_BYTES - 4 bytes. Inline, so that the compiler computes the lengths of literals.
 */
static inline void json_key(struct json *j, const char *name)
{
	char *to;

	if (!name) {
		json_item(j);
		return;
	}
	to = out_room(j->o, strlen(name) + 4);
	if (j->is_more)
		*to++ = ',';
	*to++ = '"';
	to = out_str_at(to, name);
	*to++ = '"';
	*to++ = ':';
	out_put(j->o, to);
	j->is_more = true;
}

/** json_number() - write a number; beyond 2^53 as a string, for JavaScript */
static inline void json_number(struct json *j, const char *name, uint64_t value)
{
	json_key(j, name);
	out_json_u64(j->o, value);
}

/** json_whole_number() - write a number with all digits, for readers with 64-bit integers */
static inline void json_whole_number(struct json *j, const char *name, uint64_t value)
{
	json_key(j, name);
	out_u64(j->o, value);
}

static inline void json_null(struct json *j, const char *name)
{
	json_key(j, name);
	out_str(j->o, "null");
}

/** json_number_if() - write a number, or null if it is unknown; then @value is not evaluated */
#define json_number_if(j, name, is_known, value) \
	((is_known) ? json_number(j, name, value) : json_null(j, name))

static inline void json_double(struct json *j, const char *name, double value)
{
	json_key(j, name);
	out_json_double(j->o, value);
}

static inline void json_boolean(struct json *j, const char *name, bool value)
{
	json_key(j, name);
	out_str(j->o, value ? "true" : "false");
}

/** json_word() - write a string without characters to escape, at most OUT_BYTES / 2 long */
static inline void json_word(struct json *j, const char *name, const char *word, size_t length)
{
	char *to;

	json_key(j, name);
	to = out_room(j->o, length + 2);
	*to++ = '"';
	memcpy(to, word, length);
	to += length;
	*to++ = '"';
	out_put(j->o, to);
}

static inline void json_string_of(struct json *j, const char *name, const char *bytes, size_t length)
{
	json_key(j, name);
	out_json(j->o, bytes, length);
}

static inline void json_string(struct json *j, const char *name, const char *value)
{
	json_string_of(j, name, value, strlen(value));
}

/** json_text() - write a string; null if @value is NULL or empty */
static inline void json_text(struct json *j, const char *name, const char *value)
{
	if (value && *value)
		json_string(j, name, value);
	else
		json_null(j, name);
}

static inline void json_array(struct json *j, const char *name)
{
	json_key(j, name);
	json_begin(j, '[');
}

static inline void json_object(struct json *j, const char *name)
{
	json_key(j, name);
	json_begin(j, '{');
}

#endif /* LIBOUTPUT_JSON_H */
