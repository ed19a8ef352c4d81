// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * choose.c - decides which records are in the part. See cut.h.
 *
 * In: records of an archive.
 * Out: whether each is selected. Interrupts and other events of the kernel are selected by the
 * rules of a recording with the same filter. By processes: an interrupt if it hits a CPU on which a
 * selected thread runs; an event of a thread or between two threads if either is selected; requests
 * of block devices, timers and data of sockets always; other events never. By CPUs: by the CPU of
 * the event.
 */
#include "cut.h"

#define CGROUP_KEY	(1ULL << 63)	/* above all ids of counters of cgroups */

void cut_event_run(struct cut *c, const struct fxt_content *content)
{
	const struct fxt_switch *sw = &content->sw;

	if (content->kind == FXT_KIND_CONTEXT_SWITCH && c->filter.pids.count)
		c->runs[sw->cpu] = !fxt_switch_hides_in(sw) &&
				   filter_thread_is_of(&c->filter, sw->in, content->time);
}

/*
 * A waker's stack with frames of a program names the waker's process. Without such frames, it may
 * be the stack of an interrupt, which is in the part only if the thread that it wakes is. Only the
 * wakeup names that thread. It follows in the same stream, unless another CPU completes the wakeup;
 * then the stack is omitted.
 */
void cut_event_wakes(struct cut *c, const struct fxt_record *rec,
		     const struct fxt_content *content)
{
	uint64_t woken = c->woken;

	switch (content->kind) {
	case FXT_KIND_BACKTRACE:
		if (content->frame_flags)
			break;
		c->woken = content->thread.thread;
		c->woken_stack = rec->number;
		c->woken_process = content->thread.process;
		break;
	case FXT_KIND_CONTEXT_SWITCH:
		c->woken = 0;
		break;
	case FXT_KIND_THREAD_WAKEUP:
		c->woken = 0;
		if (woken && content->wakeup.thread == woken && c->filter.pids.count &&
		    filter_process_wanted(&c->filter, content))
			koids_set(&c->wakings, c->woken_stack, 0);
		break;
	default:
		break;
	}
}

static bool is_of_process(const struct cut *c, const struct kernel_event *e,
			  const struct fxt_record *rec, const struct fxt_content *content)
{
	switch (e->what) {
	case KERNEL_SAMPLE:
	case KERNEL_ASLEEP:
		return filter_thread_is_of(&c->filter, e->thread, e->begin);
	case KERNEL_STACK:
		return filter_thread_is_of(&c->filter, e->thread, e->begin) ||
		       filter_has_id(&c->filter.pids, content->thread.process) ||
		       koids_get(&c->wakings, rec->number, NULL);
	/* A selected thread may wait for a request or timer of another one. */
	case KERNEL_QUEUED:
	case KERNEL_REQUEST:
	case KERNEL_COMPLETION:
	case KERNEL_TIMER:
	case KERNEL_DATA:
		return true;
	case KERNEL_IRQ ... KERNEL_SOFTIRQ:
		return e->cpu != KERNEL_EVENT_NO_CPU && c->runs[e->cpu];
	default:
		return (e->thread && filter_thread_is_of(&c->filter, e->thread, e->begin)) ||
		       (kernel_event_is_between(e->what) &&
			filter_thread_is_of(&c->filter, e->args.other, e->begin));
	}
}

/* Return: the CPU of the event; of events of threads, the CPU of their stream, if known. */
static uint32_t cpu_of(const struct cut *c, const struct kernel_event *e)
{
	if (e->cpu != KERNEL_EVENT_NO_CPU)
		return e->cpu;
	if (c->stream)
		return streams_number(c->stream);
	return e->what == KERNEL_MIGRATE ? e->args.migrate.from_cpu : KERNEL_EVENT_NO_CPU;
}

/**
 * cut_event_is_of() - is an event of the kernel, with its record, selected by processes and CPUs?
 */
static bool cut_event_is_of(const struct cut *c, const struct kernel_event *e,
			    const struct fxt_record *rec, const struct fxt_content *content)
{
	if (c->filter.pids.count && !is_of_process(c, e, rec, content))
		return false;
	return !c->filter.by_cpu || filter_has_cpu(&c->filter, cpu_of(c, e));
}

/**
 * cut_custom_is_of() - likewise for an event of a user's tracepoint. Such an event belongs to the
 * thread and the CPU on which it happened.
 */
static bool cut_custom_is_of(const struct cut *c, const struct fxt_content *content)
{
	if (c->filter.pids.count && !filter_thread_is_of(&c->filter, content->thread.thread,
							 content->time))
		return false;
	return !c->filter.by_cpu || !c->stream ||
	       filter_has_cpu(&c->filter, streams_number(c->stream));
}

/*
 * Find a key for counters whose value holds until the next one, unique among all kinds. The load of
 * a thread is no such counter, because it changes while the thread waits.
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
	if (content->kind != FXT_KIND_COUNTER || !kernel_event_decode(&e, provider, content) ||
	    e.cpu == KERNEL_EVENT_NO_CPU)
		return false;
	*key |= (uint64_t)e.what << 32;
	return true;
}

bool cut_is_scheduling(enum fxt_kind kind)
{
	return kind >= FXT_KIND_LEGACY_SWITCH && kind <= FXT_KIND_THREAD_WAKEUP;
}

bool cut_in_time(const struct cut *c, const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t ns = fxt_ticks_to_ns(ticks, rec->provider->ticks_per_second);

	return ns >= c->from && ns <= c->to;
}

bool cut_is_of(const struct cut *c, const struct fxt_record *rec,
	       const struct fxt_content *content)
{
	struct kernel_event e;

	if (!c->filter.pids.count && !c->filter.by_cpu)
		return true;
	if (kernel_event_decode(&e, rec->provider, content))
		return cut_event_is_of(c, &e, rec, content);
	if (kernel_event_is_custom(rec->provider, content))
		return cut_custom_is_of(c, content);
	if (c->filter.by_cpu && filter_counts_cpu(content))
		return filter_cpu_wanted(&c->filter, content);
	/* Records about the archive itself: losses, marks, counters. */
	if (content->thread.process == FXT_SCHED_KOID_LOSS &&
	    content->category.known == FXT_STR_CATEGORY)
		return true;
	/* Keep mappings of the kernel, in which every stack begins, and of wakers' processes. */
	if ((content->kind == FXT_KIND_MODULE || content->kind == FXT_KIND_MMAP) &&
	    (!content->thread.process || koids_get(&c->mapped, content->thread.process, NULL)))
		return true;
	if (c->filter.pids.count && !filter_process_wanted(&c->filter, content))
		return false;
	return !c->filter.by_cpu || !cut_is_scheduling(content->kind) ||
	       filter_cpu_wanted(&c->filter, content);
}

bool cut_carries(const struct cut *c, const struct fxt_record *rec,
		 const struct fxt_content *content)
{
	uint64_t rate = rec->provider->ticks_per_second, last, key;

	if (content->kind == FXT_KIND_BACKTRACE)
		return koids_get(&c->carried, rec->number, NULL);
	return c->has_records && fxt_ticks_to_ns(content->time, rate) < c->from &&
	       cut_counter(rec->provider, content, &key) &&
	       koids_get(&c->counters, key, &last) && last == rec->number;
}

uint64_t cut_ticks(uint64_t ns, uint64_t rate)
{
	unsigned __int128 ticks = ((unsigned __int128)ns * rate + 999999999) / 1000000000;

	return ticks > UINT64_MAX ? UINT64_MAX : ticks;
}

struct streams_range cut_range(const struct cut *c, const struct fxt_provider *provider)
{
	uint64_t rate = provider->ticks_per_second;
	struct streams_range range = { cut_ticks(c->from, rate), UINT64_MAX };

	if (c->from <= c->begun && c->begun != UINT64_MAX)
		range.from = 0;
	/* Nothing is known after the last record, so a mark there would be wrong. */
	if (c->to < c->last)
		range.to = cut_ticks(c->to + 1, rate) - 1;
	return range;
}

bool cut_is_recent(struct cut *c, uint64_t process, uint64_t thread)
{
	struct fxt_thread_id *recent = &c->recent[(process * 31 + thread) % CUT_RECENT];
	bool is_same = recent->process == process && recent->thread == thread;

	recent->process = process;
	recent->thread = thread;
	return is_same;
}

void cut_occurs(struct cut *c, uint64_t process, uint64_t thread, uint64_t ticks)
{
	/* If ids were used again, the process depends on the time. */
	bool is_same = !process && thread < CUT_SEEN && !c->filter.threads.is_reused;
	uint64_t parent, bit = 1ULL << thread % 64;

	if ((is_same && c->seen[thread / 64] & bit) ||
	    (process && cut_is_recent(c, process, thread)))
		return;
	if (is_same)
		c->seen[thread / 64] |= bit;
	if (thread)
		koids_set(&c->threads, thread, 0);
	if (!process)
		filter_process_of(&c->filter, thread, ticks, &process);
	if (!process)
		return;
	koids_set(&c->processes, process, 0);
	if (koids_get(&c->parents, process, &parent))
		koids_set(&c->processes, parent, 0);
}
