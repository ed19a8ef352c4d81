// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "kmod_result.h"

struct fxt_sched_config result_config(uint64_t events)
{
	struct fxt_sched_config c = kmod_config();

	c.subbuf_size = 256 << 10;
	c.subbuf_count = 32;
	c.events = events;
	return c;
}

struct fxt_sched_config result_config_of_this(uint64_t events, __u32 *pid)
{
	struct fxt_sched_config c = result_config(events);

	*pid = getpid();
	c.filter_pids = (uintptr_t)pid;
	c.filter_pid_count = 1;
	return c;
}

void result_free(struct result *r)
{
	kmod_events_free(&r->events);
	kmod_streams_free(&r->streams);
}

int result_finish(struct result *r, const struct kmod_session *d, bool overwrite, struct why *why)
{
	kmod_streams_init(&r->streams, overwrite);
	if (kmod_request(d, FXT_SCHED_IOC_STOP))
		return complain(why, "the session cannot stop");
	if (kmod_streams_finish(&r->streams, d, why))
		return -1;
	return kmod_events_take(&r->events, &r->streams, why);
}

int result_record(struct result *r, struct kmod_session *d, const struct fxt_sched_config *c,
		  int (*load)(void), struct why *why)
{
	*r = (struct result){ 0 };
	if (kmod_start(d, c, why))
		return -1;
	if (load())
		return complain(why, "the load failed");
	return result_finish(r, d, c->flags & FXT_SCHED_OVERWRITE, why);
}

unsigned int result_count(const struct result *r, pid_t tid, uint32_t name)
{
	const struct kmod_event *e;
	unsigned int n = 0;

	kmod_for_each_event(&r->events, e)
		n += e->thread == (uint64_t)tid && e->name == name;
	return n;
}

const struct kmod_event *result_find(const struct result *r, pid_t tid, uint32_t name,
				     uint64_t after)
{
	const struct kmod_event *e, *first = NULL;

	kmod_for_each_event(&r->events, e)
		if (e->thread == (uint64_t)tid && e->name == name && e->begin > after &&
		    (!first || e->begin < first->begin))
			first = e;
	return first;
}

uint64_t result_lost(const struct result *r)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < r->streams.count; i++)
		n += r->streams.cpus[i].lost;
	return n;
}

int result_check_counters(const struct result *r, const struct kmod_session *d, struct why *why)
{
	struct fxt_sched_counters c;
	const struct kmod_event *e;
	uint64_t counted = 0;

	if (result_lost(r))
		return complain(why, "%ju records were lost", (uintmax_t)result_lost(r));
	for (unsigned int i = 0; i < r->streams.count; i++) {
		if (!kmod_count(d, i, FXT_SCHED_STREAM_CPU, &c))
			counted += c.events;
	}
	kmod_for_each_event(&r->events, e)
		counted--;
	return counted ? complain(why, "the counters differ from %zu events by %jd",
				  r->events.count, (intmax_t)counted) : 0;
}
