/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_RECEIVE_COMMAND_H
#define FXT_RECEIVE_COMMAND_H

/** verb_receive() - fxt receive; takes its part of the command line. Return: enum verb_exit */
int verb_receive(int argc, char **argv);

#endif /* FXT_RECEIVE_COMMAND_H */
