/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_text.h - the description of a recording: lines of a key, a blank and a value. */
#ifndef FXT_SCHED_SESSION_TEXT_H
#define FXT_SCHED_SESSION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct session_line {
	const char *key;	/* the line begins with it */
	size_t key_length;
	const char *value;	/* NULL: the line has no blank */
	size_t length;		/* of @value */
	size_t bytes;		/* of the line */
};

/* Get the line at @at, which is advanced. Returns false if there are no more before @end. */
bool session_next(const char **at, const char *end, struct session_line *l);

bool session_has_key(const struct session_line *l, const char *key);

/* The value of the first line with a key such as "kernel", not terminated; or NULL. */
const char *session_value(const char *text, size_t bytes, const char *key, size_t *length);

#endif /* FXT_SCHED_SESSION_TEXT_H */
