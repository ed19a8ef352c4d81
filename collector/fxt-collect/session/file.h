/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - open the files of a recording, and report failed writes.
 */
#ifndef FXT_COLLECT_SESSION_FILE_H
#define FXT_COLLECT_SESSION_FILE_H

#include "output/output.h"
#include "state.h"

/** session_write_failed() - fill in the error of a failed write; returns @err */
int session_write_failed(struct session *s, int err);

/**
 * session_open() - open an output; if it is a pipe, wait for its reader
 * @s: the session
 * @out: set to the output
 * @path: its path
 * @options: @broker and @end are filled in here
 *
 * Stops waiting when the recording ends.
 *
 * Return: as output_open().
 */
int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options);

#endif /* FXT_COLLECT_SESSION_FILE_H */
