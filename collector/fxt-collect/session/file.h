/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - the files of a recording: opened with a pipe's reader, and errors of writes.
 */
#ifndef FXT_COLLECT_SESSION_FILE_H
#define FXT_COLLECT_SESSION_FILE_H

#include "output/output.h"
#include "state.h"

/** session_write_failed() - a failed write, told with what it was about; returns @err */
int session_write_failed(struct session *s, int err);

/**
 * session_open() - open an output, with its reader if it is a pipe
 * @s: the session
 * @out: set to it
 * @path: of it
 * @options: @broker and @end are filled in
 *
 * Waits for that reader to come, or for the end.
 *
 * Return: as output_open().
 */
int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options);

#endif /* FXT_COLLECT_SESSION_FILE_H */
