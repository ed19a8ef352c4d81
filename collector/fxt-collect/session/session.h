/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - one recording from its start to the finished file.
 */
#ifndef FXT_COLLECT_SESSION_H
#define FXT_COLLECT_SESSION_H

#include "options/options.h"

/**
 * session_run() - record as the options say
 * @o: the options
 * @e: filled in on error
 *
 * Reports on standard error; with --quiet, errors and losses only. COMMAND continues if the
 * recording fails.
 *
 * Return: the exit code: that of the error if there was one, else COMMAND's if
 * there is one, else EXIT_DONE.
 */
int session_run(const struct options *o, struct error *e);

#endif /* FXT_COLLECT_SESSION_H */
