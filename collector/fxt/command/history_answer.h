/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_answer.h - commands that answer a question about the history of an archive.
 *
 * In: an archive, a filter whose times may count from the archive's begin.
 * Out: the answer, from the complete history; messages on standard error; the exit status.
 */
#ifndef FXT_COMMAND_HISTORY_ANSWER_H
#define FXT_COMMAND_HISTORY_ANSWER_H

#include "account/history.h"
#include "walk/filter.h"

/*
 * Read an archive and answer. @f becomes absolute. @answer is called with @command once the history
 * is complete. Returns enum verb_exit, like @answer.
 */
int history_answer(const char *verb, struct archive *a, const char *path, struct filter *f,
		   int (*answer)(void *command, struct history *h), void *command);

#endif /* FXT_COMMAND_HISTORY_ANSWER_H */
