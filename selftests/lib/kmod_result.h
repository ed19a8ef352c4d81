/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording of event groups by the module, from its start to its records, each of which is
 * checked.
 */
#ifndef SELFTESTS_KMOD_RESULT_H
#define SELFTESTS_KMOD_RESULT_H

#include "kmod_events.h"

struct result {
	struct kmod_streams streams;	/* its records */
	struct kmod_events events;	/* its events */
};

/* for groups of events, with large buffers */
struct fxt_sched_config result_config(uint64_t events);

/*
 * Record while @load runs, which returns 0 or -1. @d: opened, and stopped. Free @r with
 * result_free().
 */
int result_record(struct result *r, struct kmod_session *d, const struct fxt_sched_config *c,
		  int (*load)(void), struct why *why);

/* Stop a session and decode its records. */
int result_finish(struct result *r, const struct kmod_session *d, bool overwrite, struct why *why);

void result_free(struct result *r);

/* with a filter for this process, whose id is stored in @pid */
struct fxt_sched_config result_config_of_this(uint64_t events, __u32 *pid);

unsigned int result_count(const struct result *r, pid_t tid, uint32_t name);

/* the first one after a time, or NULL */
const struct kmod_event *result_find(const struct result *r, pid_t tid, uint32_t name,
				     uint64_t after);

uint64_t result_lost(const struct result *r);

/* Check that counters and events agree, and nothing is lost. */
int result_check_counters(const struct result *r, const struct kmod_session *d, struct why *why);

#endif /* SELFTESTS_KMOD_RESULT_H */
