// SPDX-License-Identifier: GPL-2.0-or-later
/* choose.c - decide which records are in the part. See cut.h. */
#include "cut.h"

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

	if (kernel_event_take(&e, rec->provider, content))
		return cut_event_is_of(c, &e, rec, content);
	if (kernel_event_is_custom(rec->provider, content))
		return cut_custom_is_of(c, content);
	if (c->filter.by_cpu && filter_counts_cpu(content))
		return filter_cpu_wanted(&c->filter, content);
	/* Records about the archive itself: losses, marks, counters. */
	if (content->thread.process == FXT_SCHED_KOID_LOSS &&
	    content->category.known == FXT_STR_CATEGORY)
		return true;
	/* Stacks need the kernel's, in which every one begins, and those of wakers. */
	if ((content->kind == FXT_KIND_MODULE || content->kind == FXT_KIND_MMAP) &&
	    (!content->thread.process ||
	     koids_get(&c->mapped, content->thread.process, NULL)))
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
	return c->has_records && cut_counter(rec->provider, content, &key) &&
	       fxt_ticks_to_ns(content->time, rate) < c->from &&
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
	/* After the last record nothing is known; a mark there would say more. */
	if (c->to < c->last)
		range.to = cut_ticks(c->to + 1, rate) - 1;
	return range;
}

int cut_occurs(struct cut *c, uint64_t process, uint64_t thread, uint64_t ticks)
{
	int ret = thread ? koids_set(&c->threads, thread, 0) : 0;
	uint64_t parent;

	if (!process)
		filter_process_of(&c->filter, thread, ticks, &process);
	if (ret || !process)
		return ret;
	ret = koids_set(&c->processes, process, 0);
	if (!ret && koids_get(&c->parents, process, &parent))
		ret = koids_set(&c->processes, parent, 0);
	return ret;
}
