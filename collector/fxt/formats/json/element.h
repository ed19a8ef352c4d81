/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * element.h - an element of an array of events: the members of one object.
 *
 * In: JSON.
 * Out: the members of the object and of its "args", as they are in the text. Nearly all events
 * are such flat objects, and need no tree. All others are json-c's, which makes a text of them
 * that this file understands.
 */
#ifndef FXT_FORMATS_JSON_ELEMENT_H
#define FXT_FORMATS_JSON_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "value.h"

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

#endif /* FXT_FORMATS_JSON_ELEMENT_H */
