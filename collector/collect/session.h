/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - one recording from its start to the finished file.
 */
#ifndef FXT_COLLECT_SESSION_H
#define FXT_COLLECT_SESSION_H

#include "options.h"

/**
 * session_run() - record as asked
 * @o: what was asked
 * @e: filled in on error
 *
 * Says what is to be said on standard error, unless told to be quiet.
 *
 * Return: the exit code: COMMAND's if there is one and it ran, EXIT_DONE, or
 * that of the error, whose text is then not empty.
 */
int session_run(const struct options *o, struct error *e);

#endif /* FXT_COLLECT_SESSION_H */
