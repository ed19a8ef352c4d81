/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - make untrusted text safe to show.
 */
#ifndef FXT_COLLECT_NAMES_TEXT_H
#define FXT_COLLECT_NAMES_TEXT_H

#include <stddef.h>

/**
 * clean_text() - make a valid string of any bytes
 * @to: terminated
 * @room: size of @to, at least 1; characters that do not fit are omitted
 * @from: bytes; control characters and invalid UTF-8 become '?'
 * @bytes: number of bytes
 */
void clean_text(char *to, size_t room, const char *from, size_t bytes);

#endif /* FXT_COLLECT_NAMES_TEXT_H */
