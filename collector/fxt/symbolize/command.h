/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_SYMBOLIZE_COMMAND_H
#define FXT_SYMBOLIZE_COMMAND_H

/** verb_symbolize() - fxt symbolize; takes its part of the command line. Return: enum verb_exit */
int verb_symbolize(int argc, char **argv);

#endif /* FXT_SYMBOLIZE_COMMAND_H */
