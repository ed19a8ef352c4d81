/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_MERGE_COMMAND_H
#define FXT_MERGE_COMMAND_H

/** verb_merge() - fxt merge; takes its part of the command line. Return: enum verb_exit */
int verb_merge(int argc, char **argv);

#endif /* FXT_MERGE_COMMAND_H */
