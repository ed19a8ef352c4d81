/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the module's parameters and its session file.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_SESSION_H
#define FXT_COLLECT_SOURCE_RELAY_SESSION_H

#include <stdint.h>

#include "process/error.h"
#include "source/source.h"

#define RELAY_PARAM_DIR	"/sys/module/" FXT_SCHED_MODULE "/parameters/"

/**
 * relay_params_set() - set all of the module's parameters for the next session
 * @c: the configuration to open it with
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int relay_params_set(const struct source_config *c, struct error *e);

/**
 * relay_session_check() - check that the session has the requested configuration
 * @fd: the session file
 * @c: the requested configuration
 * @ticks_per_second: set to that of its clock
 * @e: filled in on error
 *
 * Another process may have set parameters between relay_params_set() and the opening.
 *
 * Return: 0 or a negative errno.
 */
int relay_session_check(int fd, const struct source_config *c,
			uint64_t *ticks_per_second, struct error *e);

/* Callback for a line of the session file: its first word, and the rest after the blank. */
typedef void (*relay_line)(void *arg, const char *key, const char *rest);

/**
 * relay_session_read() - read the session file, line by line
 * @fd: the file
 * @line: called for each line
 * @arg: its first argument
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int relay_session_read(int fd, relay_line line, void *arg, struct error *e);

/**
 * relay_value() - find the value of a name in "switches 10 wakeups 5 ..."
 * @line: the words
 * @name: the name
 *
 * Return: the value, 0 if it is missing.
 */
uint64_t relay_value(const char *line, const char *name);

/** relay_session_now() - the time in ticks of the session's clock, 0 on error */
uint64_t relay_session_now(int fd);

/** relay_session_trigger() - has the trigger fired? Then fills in @hit */
bool relay_session_trigger(int fd, struct trigger_hit *hit);

/** relay_session_longest() - the longest wait that matched the trigger, if any */
bool relay_session_longest(int fd, struct trigger_hit *hit);

/**
 * relay_session_stats() - read the counts of all streams
 * @fd: the session file
 * @stat: called for each CPU
 * @arg: its first argument
 * @names: the counts of the streams of names of all CPUs are added to it
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int relay_session_stats(int fd, source_stat stat, void *arg, struct stream_stats *names,
			struct error *e);

#endif /* FXT_COLLECT_SOURCE_RELAY_SESSION_H */
