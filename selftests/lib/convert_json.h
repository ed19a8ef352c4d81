/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON of `fxt convert`, parsed by json-c, which follows RFC 8259 strictly. */
#ifndef SELFTESTS_CONVERT_JSON_H
#define SELFTESTS_CONVERT_JSON_H

#include <json-c/json.h>

#include "convert_run.h"

struct json {
	struct tool tool;
	struct json_object *root;
	struct json_object *events;
	size_t count;
};

/* Return: the exit status, or -2 if the output is not a JSON object. */
static inline int json_convert(struct json *j, const char *option, const struct memory *m)
{
	struct json_tokener *tok = json_tokener_new();
	int status = convert(&j->tool, "json", option, m);

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	j->root = json_tokener_parse_ex(tok, j->tool.out, j->tool.out_bytes + 1);
	if (json_tokener_get_error(tok) != json_tokener_success ||
	    !json_object_object_get_ex(j->root, "traceEvents", &j->events)) {
		fprintf(stderr, "%s at byte %zu\n",
			json_tokener_error_desc(json_tokener_get_error(tok)),
			json_tokener_get_parse_end(tok));
		status = -2;
	} else {
		j->count = json_object_array_length(j->events);
	}
	return status;
}

static inline struct json_object *event(const struct json *j, size_t i)
{
	return json_object_array_get_idx(j->events, i);
}

static inline const char *text(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) &&
	       json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : "(none)";
}

static inline bool is(struct json_object *o, const char *key, const char *value)
{
	return !strcmp(text(o, key), value);
}

static inline struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value;
}

static inline int64_t number(struct json_object *o, const char *key)
{
	return json_object_get_int64(member(o, key));
}

/* End an archive, and convert it. Return: as json_convert() */
static inline int json_of(struct json *j, struct memory *m, struct fxt_writer *w)
{
	return end_archive(m, w) ? -1 : json_convert(j, "--strict", m);
}

/* A value as in the text, including quotes. */
static inline const char *raw(struct json_object *o, const char *key)
{
	return json_object_to_json_string_ext(member(o, key), JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* Convert microseconds to exact ns, which works because json-c keeps the text of doubles. */
static inline int64_t ns(struct json_object *o, const char *key)
{
	const char *s = json_object_get_string(member(o, key)), *dot = s ? strchr(s, '.') : NULL;

	if (!dot || strlen(dot) != 4)
		return -1;
	return strtoll(s, NULL, 10) * 1000 + atoi(dot + 1);
}

static inline int64_t count(const struct json *j, const char *key, const char *value)
{
	int64_t n = 0;

	for (size_t i = 0; i < j->count; i++)
		n += is(event(j, i), key, value);
	return n;
}

/* The n-th event of this phase and name; NULL: any. */
static inline struct json_object *find(const struct json *j, const char *phase, const char *name,
				       size_t n)
{
	for (size_t i = 0; i < j->count; i++)
		if ((!phase || is(event(j, i), "ph", phase)) &&
		    (!name || is(event(j, i), "name", name)) && !n--)
			return event(j, i);
	return NULL;
}

#endif /* SELFTESTS_CONVERT_JSON_H */
