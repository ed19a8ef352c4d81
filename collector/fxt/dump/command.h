/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_DUMP_COMMAND_H
#define FXT_DUMP_COMMAND_H

/** verb_dump() - fxt dump; takes its part of the command line. Return: enum verb_exit */
int verb_dump(int argc, char **argv);

#endif /* FXT_DUMP_COMMAND_H */
