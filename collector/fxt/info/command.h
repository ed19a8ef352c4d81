/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_INFO_COMMAND_H
#define FXT_INFO_COMMAND_H

/** verb_info() - fxt info; takes its part of the command line. Return: enum verb_exit */
int verb_info(int argc, char **argv);

#endif /* FXT_INFO_COMMAND_H */
