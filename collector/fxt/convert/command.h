/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CONVERT_COMMAND_H
#define FXT_CONVERT_COMMAND_H

/** verb_convert() - fxt convert; takes its part of the command line. Return: enum verb_exit */
int verb_convert(int argc, char **argv);

#endif /* FXT_CONVERT_COMMAND_H */
