/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_text.h - the description of a recording: lines of a key, a space and a value. */
#ifndef FXT_WALK_SESSION_TEXT_H
#define FXT_WALK_SESSION_TEXT_H

#include <stddef.h>

/* The value of the first line with a key such as "kernel", not terminated; or NULL. */
const char *session_value(const char *text, size_t bytes, const char *key, size_t *length);

#endif /* FXT_WALK_SESSION_TEXT_H */
