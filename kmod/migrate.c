// SPDX-License-Identifier: GPL-2.0
/*
 * migrate.c - instants at which threads move to other CPUs.
 *
 * In:  sched_migrate_task. Out: records in the stream of the CPU that it fires on, which is
 * often neither of the two.
 *
 * Context: irqs off; the thread's run queue lock or its pi_lock is held.
 */
#include <linux/lockdep.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "event.h"
#include "probes.h"

/* One of the two CPUs must be kept, and the thread. */
static bool fxt_keeps_migrate(struct fxt_session *ss, struct task_struct *p, int from, int to)
{
	if (!per_cpu_ptr(ss->cpus, from)->cpu_traced && !per_cpu_ptr(ss->cpus, to)->cpu_traced)
		return false;
	return !ss->filter.by_thread || fxt_filter_matches(&ss->filter, &ss->tasks, p);
}

static void fxt_probe_migrate(void *data, struct task_struct *p, int to)
{
	struct fxt_session *ss = data;
	struct fxt_stream *s = this_cpu_ptr(ss->cpus);
	u64 now = fxt_stream_now(s, &ss->clock), *rec;
	int from = task_cpu(p);

	lockdep_assert_irqs_disabled();
	if (!fxt_recording_covers(&ss->recording, now) || !fxt_keeps_migrate(ss, p, from, to))
		return;
	rec = fxt_event_reserve(s, now, FXT_SCHED_MIGRATE_WORDS);
	if (likely(rec))
		fxt_stream_commit(s, rec, now,
				  fxt_sched_put_migrate(rec, now, p->pid, p->tgid, from, to));
}

/* Compare the signatures with those of this kernel, at compile time. */
static void __maybe_unused fxt_check_migrate(void)
{
	check_trace_callback_type_sched_migrate_task(fxt_probe_migrate);
}

static struct fxt_probe fxt_migrate_probes[] = {
	FXT_PROBE("sched_migrate_task", fxt_probe_migrate),
};

const struct fxt_group fxt_migrate_group =
	FXT_GROUP(FXT_SCHED_EVENTS_MIGRATE, fxt_migrate_probes);
