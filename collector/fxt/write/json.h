/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON piece by piece, with the commas between the pieces.
 *
 * In: keys and values. Out: JSON (RFC 8259) as out.h escapes it. Nothing is kept in memory, so a
 * document may be of any length.
 */
#ifndef FXT_WRITE_JSON_H
#define FXT_WRITE_JSON_H

#include <string.h>

#include "out.h"

/** struct json - a document; @is_more: a comma is due before the next part within the brackets */
struct json {
	struct out *o;
	bool is_more;
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

/* Before each element of an array. */
static inline void json_item(struct json *j)
{
	if (j->is_more)
		out_char(j->o, ',');
	j->is_more = true;
}

static inline void json_key(struct json *j, const char *name)
{
	json_item(j);
	out_char(j->o, '"');
	out_str(j->o, name);
	out_str(j->o, "\":");
}

static inline void json_number(struct json *j, const char *name, uint64_t value)
{
	json_key(j, name);
	out_json_u64(j->o, value);
}

static inline void json_null(struct json *j, const char *name)
{
	json_key(j, name);
	out_str(j->o, "null");
}

static inline void json_boolean(struct json *j, const char *name, bool value)
{
	json_key(j, name);
	out_str(j->o, value ? "true" : "false");
}

static inline void json_string(struct json *j, const char *name, const char *value)
{
	json_key(j, name);
	out_json(j->o, value, strlen(value));
}

/* A name in the archive, or null if it has none. */
static inline void json_text(struct json *j, const char *name, const char *value)
{
	if (!value || !*value) {
		json_null(j, name);
		return;
	}
	json_key(j, name);
	out_json(j->o, value, strlen(value));
}

#endif /* FXT_WRITE_JSON_H */
