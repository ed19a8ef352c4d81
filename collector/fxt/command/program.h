/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program.h - commands of fxt that are programs of their own, because others need not load their libraries. */
#ifndef FXT_COMMAND_PROGRAM_H
#define FXT_COMMAND_PROGRAM_H

/*
 * Become @program, in the folder of this one or in $PATH, with @argv, whose first member is set here.
 * @verb: the command of fxt, for messages. Returns only if that fails, VERB_UNREADABLE after
 * reporting why.
 */
int program_become(const char *verb, const char *program, char **argv);

#endif /* FXT_COMMAND_PROGRAM_H */
