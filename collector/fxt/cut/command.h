/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CUT_COMMAND_H
#define FXT_CUT_COMMAND_H

/** verb_cut() - fxt cut; takes its part of the command line. Return: enum verb_exit */
int verb_cut(int argc, char **argv);

#endif /* FXT_CUT_COMMAND_H */
