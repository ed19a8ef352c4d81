/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_REPORT_COMMAND_H
#define FXT_REPORT_COMMAND_H

/** verb_report() - fxt report; takes its part of the command line. Return: enum verb_exit */
int verb_report(int argc, char **argv);

#endif /* FXT_REPORT_COMMAND_H */
