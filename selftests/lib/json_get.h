/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of objects that a command prints with --json. */
#ifndef SELFTESTS_JSON_GET_H
#define SELFTESTS_JSON_GET_H

#include <json-c/json.h>
#include <stdint.h>

/* NULL if there is none or it is null */
static inline struct json_object *member(struct json_object *of, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(of, key, &value);
	return value;
}

/* -1 if there is none or it is null */
static inline int64_t number(struct json_object *of, const char *key)
{
	struct json_object *value = member(of, key);

	return value ? json_object_get_int64(value) : -1;
}

/* 0 if there is none or it is null */
static inline uint64_t amount(struct json_object *of, const char *key)
{
	return json_object_get_uint64(member(of, key));
}

/* "" if there is none or it is null */
static inline const char *text_in(struct json_object *of, const char *key)
{
	const char *text = json_object_get_string(member(of, key));

	return text ? text : "";
}

#endif /* SELFTESTS_JSON_GET_H */
