/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.h - messages of fxt on standard error, which cannot control the terminal or hide text. */
#ifndef FXT_TERMINAL_MESSAGE_H
#define FXT_TERMINAL_MESSAGE_H

/*
 * Print a line on standard error; nothing else does. @format has a newline at its end. Escapes like
 * fxt_text_escape().
 */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* FXT_TERMINAL_MESSAGE_H */
