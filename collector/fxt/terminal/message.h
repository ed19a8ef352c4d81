/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - messages of fxt on standard error.
 *
 * In: a format, and paths, names and arguments that anyone may have chosen.
 * Out: one line that cannot control the terminal or hide text.
 */
#ifndef FXT_TERMINAL_MESSAGE_H
#define FXT_TERMINAL_MESSAGE_H

/**
 * message() - print a line on standard error; nothing else does
 * @format: of printf(), with a newline at its end
 *
 * Escapes like fxt_text_escape().
 */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* FXT_TERMINAL_MESSAGE_H */
