// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filter.c - see filter.h.
 *
 * In: a session's filter and trigger. Out: constants of the BPF programs, with compiled
 * patterns, so that the kernel parses nothing.
 */
#include <errno.h>
#include <string.h>

#include "filter.h"

_Static_assert(FXT_BPF_CPUS == MAX_CPUS && FXT_BPF_PIDS == FXT_SCHED_FILTER_PIDS_MAX,
	       "a filter fits the programs");

static int compile(struct fxt_glob *to, const char *pattern, struct error *e)
{
	if (!fxt_glob_compile(to, pattern))
		return 0;
	return fail(e, EXIT_USAGE, -EINVAL,
		    "invalid pattern %s: [ without ], or longer than the 15 bytes of a thread name; use [[] for a literal bracket, or shorten it",
		    pattern);
}

int bpf_filter_set(struct fxt_bpf_filter *to, const struct source_filter *from,
		   struct error *e)
{
	unsigned int i;

	if (!from)
		return 0;
	to->by_cpu = !!from->cpus;
	for (i = 0; i < FXT_BPF_CPUS; i++)
		to->has_cpu[i] = from->has_cpu[i];
	to->by_pid = !!from->pid_count;
	to->pid_count = from->pid_count;
	memcpy(to->pids, from->pids, sizeof(to->pids));
	to->by_cgroup = !!from->cgroup;
	to->cgroup_id = from->cgroup_id;
	to->cgroup_level = from->cgroup_level;
	to->by_comm = !!from->comm;
	to->threads = to->by_pid || to->by_comm || to->by_cgroup;
	to->on = to->threads || to->by_cpu;
	return from->comm ? compile(&to->comm, from->comm, e) : 0;
}

int bpf_trigger_set(struct fxt_bpf_trigger *to, const struct source_trigger *from,
		    struct error *e)
{
	to->on = from->latency || from->irq || from->softirq || from->runnable;
	to->latency = from->latency;
	to->irq = from->irq;
	to->softirq = from->softirq;
	to->runnable = from->runnable;
	to->after = from->after;
	to->pid = from->pid;
	to->by_comm = !!from->comm;
	return from->comm ? compile(&to->comm, from->comm, e) : 0;
}
