/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - what source_relay asks the module for, and what it got.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_SESSION_H
#define FXT_COLLECT_SOURCE_RELAY_SESSION_H

#include <stdint.h>

#include "process/error.h"
#include "source/source.h"

#define RELAY_PARAM_DIR	"/sys/module/" FXT_SCHED_MODULE "/parameters/"

/**
 * relay_params_set() - set all of the module's parameters for the next session
 * @c: what it is to be opened with
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int relay_params_set(const struct source_config *c, struct error *e);

/**
 * relay_session_check() - is the session the one that was asked for?
 * @fd: the session file
 * @c: what was asked for
 * @ticks_per_second: set to that of its clock
 * @e: filled in on error
 *
 * Others may have set parameters between relay_params_set() and the opening.
 *
 * Return: 0 or a negative errno.
 */
int relay_session_check(int fd, const struct source_config *c,
			uint64_t *ticks_per_second, struct error *e);

/* Takes a line of the session file: its first word, and what is behind the blank. */
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
 * relay_value() - "switches 10 wakeups 5 ...": the value of one name
 * @line: the words
 * @name: which
 *
 * Return: the value, 0 if it is not there.
 */
uint64_t relay_value(const char *line, const char *name);

/** relay_session_now() - the time in ticks of the session's clock, 0 on error */
uint64_t relay_session_now(int fd);

/** relay_session_trigger() - has the trigger fired? Then @hit tells how */
bool relay_session_trigger(int fd, struct trigger_hit *hit);

/** relay_session_longest() - has a thread that counts for the trigger waited? Then who */
bool relay_session_longest(int fd, struct trigger_hit *hit);

/**
 * relay_session_stats() - what the streams have counted
 * @fd: the session file
 * @stat: called for each CPU
 * @arg: its first argument
 * @names: what the streams of names of all CPUs have counted is added to that
 * @e: filled in on error
 *
 * Return: 0 or a negative errno.
 */
int relay_session_stats(int fd, source_stat stat, void *arg, struct stream_stats *names,
			struct error *e);

#endif /* FXT_COLLECT_SOURCE_RELAY_SESSION_H */
