/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CHECK_COMMAND_H
#define FXT_CHECK_COMMAND_H

/** verb_check() - fxt check; takes its part of the command line. Return: enum verb_exit */
int verb_check(int argc, char **argv);

#endif /* FXT_CHECK_COMMAND_H */
