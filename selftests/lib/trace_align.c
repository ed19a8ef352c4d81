// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <sys/utsname.h>

#include "trace_align.h"

static void nap_once(struct worker *w)
{
	(void)w;
	sleep_ms(1);
}

int markers_run(struct markers *m, bool end)
{
	int ret = 0;

	m->count = allowed_cpus(m->cpus);
	for (unsigned int i = 0; i < m->count && !ret; i++) {
		struct worker w = { .name = "marker", .run = nap_once };

		w.cpu = m->cpus[i];
		ret = worker_start(&w) | worker_join(&w);
		*(end ? &m->end[i] : &m->begin[i]) = w.tid;
	}
	return ret;
}

int window_find(const struct trace *t, const struct markers *m, unsigned int i,
		struct window *w, struct why *why)
{
	const struct trace_stream *s = trace_stream(t, m->cpus[i]);
	const struct trace_event *e;

	*w = (struct window){ 0 };
	for (e = s ? s->events : NULL; s && e < s->events + s->event_count; e++) {
		if (e->is_wakeup)
			continue;
		if (!w->from && e->sw.in == (uint64_t)m->begin[i])
			w->from = e;
		if (!w->to && e->sw.in == (uint64_t)m->end[i])
			w->to = e + 1;
	}
	if (w->from && w->to && w->from < w->to)
		return 0;
	return complain(why, "CPU %d: marker %d or %d was not seen to be switched in",
			m->cpus[i], m->begin[i], m->end[i]);
}

bool state_may_change(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname u;

	uname(&u);
	sscanf(u.release, "%u.%u", &major, &minor);
	return major < 5 || (major == 5 && minor < 18);
}
