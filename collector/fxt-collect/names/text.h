/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - text that others chose, made fit to be shown.
 */
#ifndef FXT_COLLECT_NAMES_TEXT_H
#define FXT_COLLECT_NAMES_TEXT_H

#include <stddef.h>

/**
 * clean_text() - make a stream of any bytes
 * @to: terminated
 * @room: its size, at least 1; what does not fit is left out, whole characters of it
 * @from: bytes; control characters and what is no UTF-8 become '?'
 * @bytes: how many
 */
void clean_text(char *to, size_t room, const char *from, size_t bytes);

#endif /* FXT_COLLECT_NAMES_TEXT_H */
