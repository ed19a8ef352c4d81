// SPDX-License-Identifier: GPL-2.0-only
/*
 * session.c - makes and frees a session's memory.
 *
 * In:  struct fxt_config.
 * Out: struct fxt_session, without buffers, which channel.c makes.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "label.h"
#include "session.h"
#include "util.h"

static void fxt_session_free_streams(struct fxt_stream __percpu *streams)
{
	unsigned int cpu;

	if (!streams)
		return;
	for_each_possible_cpu(cpu)
		fxt_stream_free(per_cpu_ptr(streams, cpu));
	free_percpu(streams);
}

static void fxt_session_free(struct kref *ref)
{
	struct fxt_session *ss = container_of(ref, struct fxt_session, ref);

	/* No probe or reader runs that could queue the work again. */
	irq_work_sync(&ss->notify.work);
	fxt_clock_exit(&ss->tsc);
	fxt_limits_uncharge(ss->memory);
	fxt_filter_close(&ss->filter);
	fxt_task_table_free(&ss->tasks);
	fxt_trigger_free(&ss->trigger);
	fxt_saved_stacks_free(&ss->saved_stacks);
	free_percpu(ss->samples);
	free_percpu(ss->rename_users);
	fxt_session_free_streams(ss->names);
	fxt_function_names_free(ss->function_names);
	fxt_session_free_streams(ss->cpus);
	kvfree(ss);
}

void fxt_session_get(struct fxt_session *ss)
{
	kref_get(&ss->ref);
}

/* Release a reference. Context: may sleep. */
void fxt_session_put(struct fxt_session *ss)
{
	kref_put(&ss->ref, fxt_session_free);
}

static int fxt_session_alloc_streams(struct fxt_session *ss)
{
	unsigned int cpu;
	int ret;

	ss->cpus = alloc_percpu(struct fxt_stream);
	ss->names = alloc_percpu(struct fxt_stream);
	ss->rename_users = alloc_percpu(struct fxt_rename_users);
	if (!ss->cpus || !ss->names || !ss->rename_users)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		ret = fxt_stream_init(per_cpu_ptr(ss->cpus, cpu), &ss->config, cpu, cpu,
				      &ss->notify);
		if (!ret)
			ret = fxt_stream_init(per_cpu_ptr(ss->names, cpu), &ss->config, cpu,
					      FXT_LEDGER_STREAM_NAMES, &ss->notify);
		if (ret)
			return ret;
	}
	return 0;
}

static int fxt_session_alloc_samples(struct fxt_session *ss)
{
	if (!(ss->config.stacks & FXT_SCHED_STACKS_ONCPU))
		return 0;
	ss->samples = alloc_percpu(struct perf_event *);
	return ss->samples ? 0 : -ENOMEM;
}

/* The times that the session needs of each thread, FXT_TASK_*. */
static u32 fxt_session_times(const struct fxt_session *ss)
{
	const u64 of_slices = FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_SYSCALL;

	return (fxt_limits_waits(ss->trigger.limit) ? FXT_TASK_SINCE : 0) |
	       (ss->config.events & of_slices ? FXT_TASK_BEGUN : 0) |
	       (ss->config.stacks & FXT_STACKS_EVENTS ? FXT_TASK_OFF : 0) |
	       (ss->config.events & FXT_SCHED_EVENTS_LOCK ? FXT_TASK_WAIT : 0) |
	       (ss->config.events & FXT_SCHED_EVENTS_MEMORY ? FXT_TASK_MEMORY : 0);
}

static int fxt_session_init(struct fxt_session *ss, struct fxt_reason *reason)
{
	int ret;

	fxt_clock_init(&ss->clock, &ss->tsc, ss->config.clockid);
	ss->stacks_min = fxt_clock_ticks(&ss->clock, ss->config.stacks_min);
	ret = fxt_trigger_init(&ss->trigger, &ss->config, &ss->clock, &ss->notify);
	if (!ret)
		ret = fxt_filter_open(&ss->filter, &ss->config, reason);
	if (!ret)
		ret = fxt_task_table_init(&ss->tasks, fxt_session_times(ss), reason);
	if (!ret)
		ret = fxt_saved_stacks_init(&ss->saved_stacks, &ss->config, reason);
	if (!ret)
		ret = fxt_session_alloc_streams(ss);
	if (!ret)
		ret = fxt_session_alloc_samples(ss);
	if (!ret && ss->config.events & (FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_IPI |
					 FXT_SCHED_EVENTS_TIMER)) {
		ss->function_names = fxt_function_names_new();
		ret = ss->function_names ? 0 : -ENOMEM;
	}
	return ret;
}

/*
 * Context: may sleep; of the process that @config came from. Return: the session, with one
 * reference; an ERR_PTR() of -ENOMEM, or of the error of fxt_filter_open().
 */
struct fxt_session *fxt_session_new(const struct fxt_config *config,
				    struct fxt_reason *reason)
{
	struct fxt_session *ss = kvzalloc(sizeof(*ss), GFP_KERNEL);
	int ret;

	if (!ss)
		return ERR_PTR(-ENOMEM);
	kref_init(&ss->ref);
	init_rwsem(&ss->quiesce_lock);
	mutex_init(&ss->hand_over_lock);
	init_waitqueue_head(&ss->serving);
	fxt_notify_init(&ss->notify);
	ss->quiesced = true;
	ss->config = *config;

	ret = fxt_session_init(ss, reason);
	if (!ret)
		return ss;
	fxt_session_put(ss);
	return ERR_PTR(ret);
}
