/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session_text.h - the description of the recording in an archive, by key.
 *
 * In: the text of a session record: lines of a key, a space and a value.
 * Out: values.
 */
#ifndef FXT_WALK_SESSION_TEXT_H
#define FXT_WALK_SESSION_TEXT_H

#include <stddef.h>

/** session_value() - the value, not terminated, of the first line with a key as "kernel", or NULL */
const char *session_value(const char *text, size_t bytes, const char *key, size_t *length);

#endif /* FXT_WALK_SESSION_TEXT_H */
