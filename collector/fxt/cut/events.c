// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - which interrupts and other events of the kernel are in the part. See cut.h.
 *
 * In: the switches of an archive, and these events.
 * Out: for each event, whether it is selected, as a recording with the same filter decides:
 * an interrupt if it hits its CPU while a selected thread runs, what threads do by the thread,
 * a signal by its receiver, too,
 * all others by their CPU, and not at all if processes are selected.
 */
#include "cut.h"

#define CGROUP_KEY	(1ULL << 63)	/* counters of cgroups; their ids are less */

void cut_event_run(struct cut *c, const struct fxt_content *content)
{
	const struct fxt_switch *sw = &content->sw;

	if (content->kind == FXT_KIND_CONTEXT_SWITCH && c->filter.pids.count)
		c->runs[sw->cpu] = !fxt_switch_hides_in(sw) &&
				   filter_thread_is_of(&c->filter, sw->in, content->time);
}

/*
 * The stack of a waker has the process of the waker if it has frames of a program. If it has
 * none, it may be that of an interrupt, which is in the part only with the thread that it wakes,
 * as the wakeup is. So only the wakeup tells: it follows in the same stream, unless another CPU
 * does the rest, and then the stack is left out.
 */
int cut_event_wakes(struct cut *c, const struct fxt_record *rec,
		    const struct fxt_content *content)
{
	uint64_t woken = c->woken;

	switch (content->kind) {
	case FXT_KIND_BACKTRACE:
		c->woken = content->thread.thread;
		c->woken_stack = rec->number;
		c->woken_process = content->thread.process;
		return 0;
	case FXT_KIND_CONTEXT_SWITCH:
		c->woken = 0;
		return 0;
	case FXT_KIND_THREAD_WAKEUP:
		c->woken = 0;
		if (!woken || content->wakeup.thread != woken || !c->filter.pids.count ||
		    !filter_process_wanted(&c->filter, content))
			return 0;
		return koids_set(&c->wakings, c->woken_stack, 0);
	default:
		return 0;
	}
}

static bool is_of_process(const struct cut *c, const struct kernel_event *e,
			  const struct fxt_record *rec, const struct fxt_content *content)
{
	switch (e->what) {
	case KERNEL_STACK:
		return filter_thread_is_of(&c->filter, e->thread, e->begin) ||
		       filter_has_id(&c->filter.pids, content->thread.process) ||
		       koids_get(&c->wakings, rec->number, NULL);
	case KERNEL_SIGNAL:
		return filter_thread_is_of(&c->filter, e->thread, e->begin) ||
		       filter_thread_is_of(&c->filter, e->args.signal.target, e->begin);
	case KERNEL_IRQ ... KERNEL_SOFTIRQ:
		return e->cpu != KERNEL_EVENT_NO_CPU && c->runs[e->cpu];
	default:
		return e->thread && filter_thread_is_of(&c->filter, e->thread, e->begin);
	}
}

/* The CPU that the event is of; of events of threads that of their stream, if known. */
static uint32_t cpu_of(const struct cut *c, const struct kernel_event *e)
{
	if (e->cpu != KERNEL_EVENT_NO_CPU)
		return e->cpu;
	if (c->stream)
		return streams_number(c->stream);
	return e->what == KERNEL_MIGRATE ? e->args.migrate.from_cpu : KERNEL_EVENT_NO_CPU;
}

bool cut_event_is_of(const struct cut *c, const struct kernel_event *e,
		     const struct fxt_record *rec, const struct fxt_content *content)
{
	if (c->filter.pids.count && !is_of_process(c, e, rec, content))
		return false;
	return !c->filter.by_cpu || filter_has_cpu(&c->filter, cpu_of(c, e));
}

/* An event of a tracepoint is of the thread and of the CPU that it happened on. */
bool cut_custom_is_of(const struct cut *c, const struct fxt_content *content)
{
	if (c->filter.pids.count && !filter_thread_is_of(&c->filter, content->thread.thread,
							 content->time))
		return false;
	return !c->filter.by_cpu || !c->stream ||
	       filter_has_cpu(&c->filter, streams_number(c->stream));
}

/*
 * Values that hold until the next one, in a key that no counter of another kind has. The load of
 * a thread changes while it waits, so an old value says nothing.
 */
bool cut_counter(const struct fxt_provider *provider, const struct fxt_content *content,
		 uint64_t *key)
{
	struct kernel_event e;

	*key = content->id;
	if (filter_counts_cpu(content))
		return true;
	if (kernel_event_counts_cgroup(content)) {
		*key |= CGROUP_KEY;
		return true;
	}
	if (content->kind != FXT_KIND_COUNTER || !kernel_event_take(&e, provider, content) ||
	    e.cpu == KERNEL_EVENT_NO_CPU)
		return false;
	*key |= (uint64_t)e.what << 32;
	return true;
}
