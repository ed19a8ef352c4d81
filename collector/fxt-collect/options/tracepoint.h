/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepoint.h - a tracepoint on the command line.
 */
#ifndef FXT_COLLECT_OPTIONS_TRACEPOINT_H
#define FXT_COLLECT_OPTIONS_TRACEPOINT_H

#include "process/error.h"
#include "source/tracepoints.h"

#define TRACEPOINT_PREFIX	FXT_SCHED_CUSTOM_CATEGORY ":"

/** tracepoint_part() - cut off the next part at a comma that is in no parentheses */
char *tracepoint_part(char **rest);

/**
 * tracepoint_add() - add what a part chooses
 * @t: the tracepoints
 * @part: "tp:NAME", "tp:NAME(FIELD,...)", "tp:NAME(FIELD)=counter"
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int tracepoint_add(struct tracepoints *t, const char *part, struct error *e);

#endif /* FXT_COLLECT_OPTIONS_TRACEPOINT_H */
