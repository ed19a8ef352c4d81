/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_OPEN_COMMAND_H
#define FXT_OPEN_COMMAND_H

/** verb_open() - fxt open; takes its part of the command line. Return: enum verb_exit */
int verb_open(int argc, char **argv);

#endif /* FXT_OPEN_COMMAND_H */
