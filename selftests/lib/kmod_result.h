/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmod_result.h - a recording of event groups by the module, from its start to its records.
 * In:  a configuration, and a function to run meanwhile.
 * Out: all events, checked one by one, and the ledgers.
 */
#ifndef SELFTESTS_KMOD_RESULT_H
#define SELFTESTS_KMOD_RESULT_H

#include "kmod_events.h"

/** struct result - a recording that has ended */
struct result {
	struct kmod_streams streams;	/* its records */
	struct kmod_events events;	/* its events */
};

/** result_config() - a configuration for groups of events, with large buffers */
struct fxt_sched_config result_config(uint64_t events);

/**
 * result_record() - record while a function runs
 * @r: filled in; free it with result_free()
 * @d: opened, and stopped
 * @c: the configuration
 * @load: the function; returns 0 or -1
 * @why: set to the reason of a failure
 *
 * Return: 0 or -1.
 */
int result_record(struct result *r, struct kmod_session *d, const struct fxt_sched_config *c,
		  int (*load)(void), struct why *why);

/** result_finish() - stop a session and decode its records; 0 or -1 */
int result_finish(struct result *r, const struct kmod_session *d, bool overwrite, struct why *why);

void result_free(struct result *r);

/** result_config_of_this() - result_config() with a filter for this process; @pid stores its id */
struct fxt_sched_config result_config_of_this(uint64_t events, __u32 *pid);

/** result_count() - number of events of a thread with that name */
unsigned int result_count(const struct result *r, pid_t tid, uint32_t name);

/** result_find() - the first event of a thread with that name after a time, or NULL */
const struct kmod_event *result_find(const struct result *r, pid_t tid, uint32_t name,
				     uint64_t after);

/** result_lost() - number of records that were lost */
uint64_t result_lost(const struct result *r);

/** result_check_counters() - check that counters and events agree, and nothing is lost; 0 or -1 */
int result_check_counters(const struct result *r, const struct kmod_session *d, struct why *why);

#endif /* SELFTESTS_KMOD_RESULT_H */
