// SPDX-License-Identifier: GPL-2.0-or-later
/* stacks.c - see stacks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stacks.h"

int trace_stack_keep(struct trace_thread *thread, const struct trace_event *e)
{
	uint64_t *frames;

	trace_stack_drop(thread);
	if (!e->frame_count)
		return 0;
	frames = malloc(e->frame_count * sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	memcpy(frames, e->frames, e->frame_count * sizeof(*frames));
	thread->frames = frames;
	thread->frame_count = e->frame_count;
	return 0;
}

void trace_stack_drop(struct trace_thread *thread)
{
	free(thread->frames);
	thread->frames = NULL;
	thread->frame_count = 0;
}

/* @tgid: the process of the frames that are not the kernel's */
static int put(struct trace_archive *a, const struct trace_event *e, uint32_t tid, uint32_t tgid,
	       const uint64_t *frames, unsigned int count)
{
	__u64 *rec = (__u64 *)trace_archive_room(a, e->cpu);

	if (!rec)
		return -ENOMEM;
	memcpy(rec + FXT_SCHED_STACK_HEAD, frames, count * sizeof(*frames));
	return trace_archive_add(a, e->cpu, e->ns, fxt_sched_put_stack(rec, e->ns, tid, tgid, count),
				 1);
}

int trace_stack_in(struct trace_archive *a, struct trace_threads *t, const struct trace_event *e,
		   struct trace_thread *in)
{
	int ret;

	if (!in->frame_count)
		return 0;
	ret = put(a, e, e->other, trace_thread_process(t, e->other), in->frames, in->frame_count);
	trace_stack_drop(in);
	return ret;
}

/* In an interrupt, the program is not what wakes the thread. */
int trace_stack_waker(struct trace_archive *a, struct trace_threads *t,
		      const struct trace_event *e)
{
	unsigned int count = e->frame_count;

	while (e->irq != FXT_SCHED_IRQ_NONE && count && !fxt_sched_is_kernel(e->frames[count - 1]))
		count--;
	if (!count)
		return 0;
	return put(a, e, e->thread, trace_thread_process(t, e->on ? e->on : e->thread), e->frames,
		   count);
}
